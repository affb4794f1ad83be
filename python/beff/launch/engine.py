"""Finding the measuring program."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from beff.model.errors import LaunchError, WrongUsageError

_ANSWER_WITHIN_S = 60


@dataclass(frozen=True)
class Engine:
    """A measuring program that can be started."""

    path: Path


def is_program(path: Path) -> bool:
    """Whether the path is a file that may be executed."""
    return path.is_file() and os.access(path, os.X_OK)


def own_folder() -> Path:
    """Return the folder of the running Python: programs installed with this package stand there."""
    return Path(sys.executable).parent


def find_engine(name: str, chosen: Path | None, beside: Path) -> Engine:
    """Return the engine that was chosen, else the one beside this Python, else the first on PATH.

    Raises WrongUsageError for the one chosen, else LaunchError, with the way out.
    """
    if chosen is not None:
        if not is_program(chosen):
            raise WrongUsageError(
                f"--engine {chosen}: there is no such program; build it or name another"
            )
        return Engine(chosen.absolute())
    if is_program(beside / name):
        return Engine((beside / name).absolute())
    on_path = shutil.which(name)
    if on_path is None:
        raise LaunchError(
            f"the measuring program {name} is neither in {beside} nor on PATH; build it with"
            " 'make build' or name it with --engine"
        )
    return Engine(Path(on_path).absolute())


def first_line(command: list[str]) -> str:
    """First non-empty line that a command prints. Raises LaunchError when it does not run."""
    return next((line for line in output_of(command).splitlines() if line.strip()), "").strip()


def output_of(command: list[str]) -> str:
    """Everything that a short command prints, errors included. Raises LaunchError."""
    try:
        answer = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_ANSWER_WITHIN_S,
            text=True,
            errors="replace",
            check=False,
        )
    except OSError as problem:
        raise LaunchError(f"{command[0]} cannot be started ({problem.strerror})") from None
    except subprocess.TimeoutExpired:
        raise LaunchError(f"{command[0]} did not answer within {_ANSWER_WITHIN_S} s") from None
    return answer.stdout
