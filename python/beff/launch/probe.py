"""Asking an engine what it sees of the machine, and whether it can use a folder for files."""

import re
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from beff.launch.engine import mpi_family
from beff.launch.process import Ended, death_in, run_to_end
from beff.launch.target import Target
from beff.result.errors import LaunchError
from beff.result.load import Document, load_document
from beff.result.result_parts import Criterion, Statement
from beff.result.strict_json import parse_json

_ANSWER_WITHIN_S = 120
_MEASURED = (0, 3)
"""A trial of files is too short to be valid."""


@dataclass(frozen=True)
class Probe:
    """What the engine reported: an environment as in a result, and criteria that no run meets."""

    environment: dict[str, Any]
    cautions: list[Statement]
    would_not_be_valid: list[Criterion]


def probe(target: Target, processes: int, options: list[str]) -> Probe:
    """Start the engine with --probe on a number of processes. Raises LaunchError."""
    return _read(_answer(target, processes, ["--probe", *options]), target)


_TRIAL = ("--time", "1s", "--max-chunk", "2MiB", "--max-segment", "4MiB", "--quiet")


def try_files(target: Target, processes: int, folder: Path, options: list[str]) -> Document:
    """Let b_eff_io write and read a little in a folder, and return its result.

    Raises LaunchError with what it says where it cannot.
    """
    with TemporaryDirectory(prefix="beff-trial-") as place:
        prefix = Path(place) / "trial"
        told = ["--path", str(folder), "--output", str(prefix), *_TRIAL, *options]
        _answer(target, processes, told)
        return load_document(prefix.with_suffix(".json"))


def _answer(target: Target, processes: int, options: list[str]) -> str:
    """Start the engine and return what it prints. Raises LaunchError."""
    command = target.command(processes, options)
    started = time.monotonic()
    ended = run_to_end(
        command,
        lambda: None,
        stalled=lambda: time.monotonic() - started > _ANSWER_WITHIN_S,
    )
    what = f"{target.engine} started by {target.launcher.path}"
    if ended.stalled:
        last = f"; the last that it says: {ended.error_lines[-1]}" if ended.error_lines else ""
        seconds = f"{time.monotonic() - started:.0f} s"
        raise LaunchError(f"{what} did not answer within {seconds}{last}{_why(target, ended)}")
    if ended.exit_code not in _MEASURED:
        # launchers draw rulers and frames
        lines = (line.strip(" =") for line in ended.error_lines)
        words = next((line for line in lines if any(map(str.isalpha, line))), "without a message")
        reason = death_in(ended) or words
        raise LaunchError(f"{what} failed with exit code {ended.exit_code}: {reason}")
    return ended.output.decode(errors="replace")


def _why(target: Target, ended: Ended) -> str:
    """Return why a launch hangs, as far as it is known."""
    if ended.way_out:
        return f"; {ended.way_out}"
    starts, family = target.launcher.flavour.value.starts, mpi_family(target.engine)
    if starts is None or family is None or starts is family:
        return ""
    return (
        f"; {target.launcher.path} starts programs of {starts.value}, but this one is of"
        f" {family.value}: name the mpiexec of {family.value} with --launcher"
    )


_LABEL = re.compile(r"^\s*(?:\[\d+(?:,\d+)*\](?:<\w+>)?:?|\d+:)[ \t]?", re.MULTILINE)
"""What launchers put before each line when they are asked to name the rank: srun -l, mpiexec -l,
--tag-output."""


def _read(text: str, target: Target) -> Probe:
    """Read the JSON object in the output; launchers may print lines before and after it."""
    for printed in (text, _LABEL.sub("", text)):
        begin, end = printed.find("{"), printed.rfind("}")
        try:
            fields = parse_json(printed[begin : end + 1])
            return Probe(
                environment=dict(fields["environment"]),
                cautions=list(map(Statement.model_validate, fields["cautions"])),
                would_not_be_valid=list(
                    map(Criterion.model_validate, fields["would_not_be_valid"])
                ),
            )
        except (ValueError, KeyError, TypeError):
            continue
    raise LaunchError(
        f"{target.engine} --probe did not report what it sees; engine and this command"
        " probably have different versions"
    )
