"""Asking the engine what it sees of the machine, without measuring."""

import subprocess
from dataclasses import dataclass
from typing import Any

from beff.launch.target import Target, launch_environment
from beff.model.errors import LaunchError
from beff.model.strict_json import parse_json

_ANSWER_WITHIN_S = 120


@dataclass(frozen=True)
class Probe:
    """What the engine reported: an environment as in a result, and reasons against a run here."""

    environment: dict[str, Any]
    cautions: list[str]
    would_not_be_valid: list[str]


def probe(target: Target, processes: int, options: list[str]) -> Probe:
    """Start the engine with --probe on a number of processes. Raises LaunchError."""
    command = target.command(processes, ["--probe", *options])
    try:
        answer = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_ANSWER_WITHIN_S,
            env=launch_environment(command),
            text=True,
            errors="replace",
            check=False,
        )
    except OSError as problem:
        raise LaunchError(f"{command[0]} cannot be started ({problem.strerror})") from None
    except subprocess.TimeoutExpired:
        raise LaunchError(
            f"{target.engine.path} started by {target.launcher.path} did not answer within"
            f" {_ANSWER_WITHIN_S} s; engine and launcher may belong to different MPI libraries"
        ) from None
    if answer.returncode != 0:
        errors = [line for line in answer.stderr.splitlines() if line.strip()]
        reason = errors[0].strip() if errors else "without a message"
        raise LaunchError(
            f"{target.engine.path} started by {target.launcher.path} failed with exit code"
            f" {answer.returncode}: {reason}"
        )
    return _read(answer.stdout, target)


def _read(text: str, target: Target) -> Probe:
    """Read the JSON object in the output; launchers may print lines before and after it."""
    begin, end = text.find("{"), text.rfind("}")
    try:
        fields = parse_json(text[begin : end + 1])
        return Probe(
            environment=dict(fields["environment"]),
            cautions=[str(line) for line in fields["cautions"]],
            would_not_be_valid=[str(line) for line in fields["would_not_be_valid"]],
        )
    except (ValueError, KeyError, TypeError):
        raise LaunchError(
            f"{target.engine.path} --probe did not report what it sees; engine and this command"
            " probably have different versions"
        ) from None
