"""How options are declared, those that several commands share, and values with a parser."""

import re
from collections.abc import Callable, Container
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

from beff.cli.common.help_text import Group
from beff.result.bounds import MOST_PROCESSES
from beff.result.errors import WrongUsageError
from beff.result.numbers import parse_duration, parse_percent, parse_size

Options = TypeVar("Options")


@dataclass(frozen=True)
class Quantity:
    """A value with a unit: `text` as the user wrote it, `value` in seconds, bytes or as a share."""

    text: str
    value: float

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Kind:
    """A kind of quantity; `parse` raises ValueError saying what it must be."""

    metavar: str
    parse: Callable[[str], float]

    def of(self, text: str) -> Quantity:
        """Read a quantity. Raises ValueError."""
        return Quantity(text, self.parse(text))


def value_of(quantity: Quantity | None) -> float | None:
    """Return the value; None of an option that was not given."""
    return None if quantity is None else quantity.value


DURATION = Kind("DURATION", parse_duration)
SIZE = Kind("SIZE", parse_size)
PERCENT = Kind("PERCENT", parse_percent)


def option(
    names: str,
    metavar: str | Kind | None,
    text: str,
    *,
    default: str | None = None,
    group: Group | None = None,
    min: int | None = None,
    max: int | None = None,
) -> Any:
    """Declare an option: its names, what stands for the value in --help, and what it means.

    With a Kind the value is a Quantity. `default` says what happens without it, where the
    parameter's own default does not. `group` is the heading in --help.
    """
    kind = metavar if isinstance(metavar, Kind) else None
    return typer.Option(
        *names.split(),
        metavar=metavar.metavar if isinstance(metavar, Kind) else metavar,
        help=text,
        show_default=default or True,
        rich_help_panel=None if group is None else group.value,
        min=min,
        max=max,
        parser=None if kind is None else _parser(names.split(maxsplit=1)[0], kind),
    )


def _parser(name: str, kind: Kind) -> Callable[[str | Quantity], Quantity]:
    """Return what reads the value of an option; a default is one already."""

    def read(given: str | Quantity) -> Quantity:
        try:
            return kind.of(given) if isinstance(given, str) else given
        except ValueError as problem:
            raise WrongUsageError(f"{name} {given}: {problem}") from None

    return read


def flag(names: str, text: str, *, group: Group | None = None) -> Any:
    """Declare an option without a value; `group` is the heading in --help."""
    return typer.Option(
        *names.split(), help=text, rich_help_panel=None if group is None else group.value
    )


def argument(metavar: str, text: str) -> Any:
    """Declare what is named by its place; several of it end in '...'."""
    return typer.Argument(metavar=metavar, help=text)


def taking(options: type[Options]) -> Callable[[Callable[[Options], int]], Callable[..., int]]:
    """Make a command of a function of one argument, a dataclass whose fields are the options.

    Those of the class itself stand before those that it inherits.
    """

    def command_of(function: Callable[[Options], int]) -> Callable[..., int]:
        @wraps(function)
        def command(**given: Any) -> int:
            return function(options(**given))

        given, own = signature(options), list(options.__annotations__)
        ordered = sorted(
            given.parameters.values(),
            key=lambda one: own.index(one.name) if one.name in own else len(own),
        )
        command.__signature__ = given.replace(parameters=ordered)  # type: ignore[attr-defined]
        command.__annotations__ = get_type_hints(options, include_extras=True)
        return command

    return command_of


ResultFiles = Annotated[list[Path], argument("FILE...", "Result files, or folders of them.")]
PublishedOption = Annotated[
    bool, flag("--published", "Also show the published systems, of 1999 to 2001.")
]
OverwriteOption = Annotated[
    bool, flag("--overwrite", "Replace an existing file.", group=Group.WRITTEN)
]
EngineOption = Annotated[
    Path | None,
    option(
        "--engine",
        "PATH",
        "The measuring program.",
        default="b_eff beside this command, else on PATH",
        group=Group.PROCESSES,
    ),
]
LauncherOption = Annotated[
    str | None,
    option(
        "--launcher",
        "COMMAND",
        "Command that starts the processes, with options if needed, such as 'mpiexec -f hosts'.",
        default="srun in a Slurm job, else mpiexec",
        group=Group.PROCESSES,
    ),
]
BuildOption = Annotated[
    str | None,
    option(
        "--mpi",
        "BUILD",
        "MPI build of the programs: mpich, openmpi or abi.",
        default="$BEFF_MPI, else by the launcher and the MPI library found",
        group=Group.PROCESSES,
    ),
]
MemoryOption = Annotated[
    Quantity | None,
    option(
        "--memory-per-process",
        SIZE,
        "Memory of one process, e.g. 512MiB.",
        default="looked up by the engine",
        group=Group.PROCESSES,
    ),
]


def parse_process_counts(text: str) -> list[int]:
    """Read '2,4,8'. Raises WrongUsageError."""
    counts = []
    for part in text.split(","):
        is_whole = re.fullmatch(r"\s*[0-9]{1,10}\s*", part) is not None
        if not is_whole or not 2 <= int(part) <= MOST_PROCESSES:
            raise WrongUsageError(
                f"--processes {text}: '{part.strip()}' must be a whole number from 2 to"
                f" {MOST_PROCESSES}; write one count or several as 2,4,8"
            )
        if int(part) in counts:
            raise WrongUsageError(
                f"--processes {text}: names {int(part)} twice; the files of a run are named by the"
                " number of its processes, so write each number once"
            )
        counts.append(int(part))
    return counts


_MEASURE_NOTHING = ("--help", "--version", "--plan", "--probe")


def check_passed_on(
    options: list[str], *, command: str, set_here: Container[str], instead: str, program: str
) -> None:
    """Refuse options behind '--' that cannot be passed on to the engine. Raises WrongUsageError."""
    if options and not options[0].startswith("-"):
        raise WrongUsageError(f"'{options[0]}' is not an option; {instead}")
    for name in (given.partition("=")[0] for given in options):
        if name in set_here:
            raise WrongUsageError(
                f"{name} cannot be given behind '--': {command} sets it; {command} --help lists the"
                " options in front of it"
            )
        if name in _MEASURE_NOTHING:
            raise WrongUsageError(f"{name} measures nothing; start {program} itself with it")


def memory_options(memory_per_process: Quantity | None) -> list[str]:
    """Return the engine's options for the memory."""
    return [] if memory_per_process is None else ["--memory-per-process", memory_per_process.text]
