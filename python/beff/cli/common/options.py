"""How options are declared, those that several commands share, and values with a parser."""

import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field, fields
from functools import partial, wraps
from inspect import Parameter, Signature
from typing import Any, TypeVar, get_type_hints

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


REQUIRED: Any = ...
"""Stands for the default of what has to be given."""
_DECLARED = "declared"


def option(
    value: str | Kind | None,
    text: str,
    *,
    names: str = "",
    default: Any = None,
    otherwise: str | None = None,
    group: Group | None = None,
    min: int | None = None,
    max: int | None = None,
) -> Any:
    """Declare an option as a field of what a command takes: what stands for its value, its meaning.

    Its name is that of the field, unless `names` says more. With a Kind the value is a Quantity.
    `otherwise` says what happens without it, where the default does not. `group` is the heading in
    --help.
    """
    kind = value if isinstance(value, Kind) else None

    def declared(name: str) -> Any:
        said = names.split() or [name]
        return typer.Option(
            default,
            *said,
            metavar=value.metavar if isinstance(value, Kind) else value,
            help=text,
            show_default=otherwise or True,
            rich_help_panel=group and group.value,
            min=min,
            max=max,
            parser=None if kind is None else _parser(said[0], kind),
        )

    return field(default=default, metadata={_DECLARED: declared})


def flag(text: str, *, names: str = "", group: Group | None = None) -> Any:
    """Declare an option without a value, as `option` does."""

    def declared(name: str) -> Any:
        panel = group and group.value
        return typer.Option(False, *(names.split() or [name]), help=text, rich_help_panel=panel)

    return field(default=False, metadata={_DECLARED: declared})


def argument(metavar: str, text: str, *, default: Any = REQUIRED) -> Any:
    """Declare what is named by its place; several of it end in '...'."""
    info = typer.Argument(default, metavar=metavar, help=text)
    return field(default=default, metadata={_DECLARED: lambda _: info})


def _parser(name: str, kind: Kind) -> Callable[[str | Quantity], Quantity]:
    """Return what reads the value of an option; a default is one already."""

    def read(given: str | Quantity) -> Quantity:
        try:
            return kind.of(given) if isinstance(given, str) else given
        except ValueError as problem:
            raise WrongUsageError(f"{name} {given}: {problem}") from None

    return read


def taking(options: type[Options]) -> Callable[[Callable[[Options], int]], Callable[..., int]]:
    """Make a command of a function of one argument, a dataclass whose fields are the options.

    Those of the class itself stand before those that it inherits.
    """

    def command_of(function: Callable[[Options], int]) -> Callable[..., int]:
        @wraps(function)
        def command(**given: Any) -> int:
            return function(options(**given))

        parameters = [*_parameters(options)]
        command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {one.name: one.annotation for one in parameters}
        return command

    return command_of


def _parameters(options: type[Any]) -> Iterator[Parameter]:
    own, hints = list(options.__annotations__), get_type_hints(options)
    order = {name: place for place, name in enumerate(own)}
    for one in sorted(fields(options), key=lambda one: order.get(one.name, len(own))):
        info = one.metadata[_DECLARED](f"--{one.name.replace('_', '-')}")
        yield Parameter(one.name, Parameter.KEYWORD_ONLY, default=info, annotation=hints[one.name])


overwrite_flag = partial(flag, "Replace an existing file.", group=Group.WRITTEN)
launcher_option = partial(
    option,
    "COMMAND",
    "Command that starts the processes, with options if needed, such as 'mpiexec -f hosts'.",
    otherwise="srun in a Slurm job, else mpiexec",
    group=Group.PROCESSES,
)
build_option = partial(
    option,
    "BUILD",
    "MPI build of the programs: mpich, openmpi or abi.",
    otherwise="$BEFF_MPI, else by the launcher and the MPI library found",
    group=Group.PROCESSES,
)
memory_option = partial(
    option,
    SIZE,
    "Memory of one process, e.g. 512MiB.",
    otherwise="looked up by the engine",
    group=Group.PROCESSES,
)


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
