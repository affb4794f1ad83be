"""How options are declared, read and shown, and their values.

A command is a function of one dataclass, whose fields are its options; the docstring below a field
is its help. A string in the type of a field stands for the value there: one that ends in '...' for
several words.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from textwrap import indent
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from cyclopts import App, CoercionError, CycloptsError, Parameter, Token
from cyclopts.completion import ShellDetectionError
from cyclopts.exceptions import MissingArgumentError, UnusedCliTokensError

from beff.cli.common import exit_codes
from beff.cli.common.say import filled, in_columns
from beff.result.bounds import MOST_PROCESSES
from beff.result.errors import BeffError, WrongUsageError, one_line
from beff.result.numbers import parse_duration, parse_percent, parse_size

_HEADINGS = (
    *("Batch job", "What is measured", "A simulated network", "Of b_eff_io", "How it is judged"),
    *("Processes and programs", "What is written"),
)
BATCH, MEASURED, NETWORK, B_EFF_IO, JUDGED, PROCESSES, WRITTEN = (
    Parameter(group=heading) for heading in _HEADINGS
)
"""The headings of options in --help, in their order; those without one come last."""
_MOST_UNGROUPED = 12
"""A reader finds an option among as many without headings."""


class Quantity(float):
    """A number with its unit: in a base unit to compute with, and as it was written."""

    def __new__(cls, value: float, text: str) -> "Quantity":
        """Keep the text, which is what is printed of it."""
        made = super().__new__(cls, value)
        made.text = text
        return made

    text: str

    def __str__(self) -> str:
        return self.text


def kind(read: Callable[[str], Any], **more: Any) -> Parameter:
    """Return what makes a value of a word, which raises ValueError; of several the last counts."""
    return Parameter(
        converter=lambda _, tokens: read(tokens[-1].value), n_tokens=1, accepts_keys=False, **more
    )


def quantity(parse: Callable[[str], float]) -> Parameter:
    """Return a kind of quantity; `parse` raises ValueError saying what it must be."""
    return kind(lambda text: Quantity(parse(text), text), allow_leading_hyphen=True)


def _rate(text: str) -> float:
    with suppress(ValueError):
        if text.endswith("B/s"):
            return parse_size(text.removesuffix("/s"))
    raise ValueError("must be a rate, such as 1.2GB/s")


def _path(text: str) -> Path:
    if not text:  # which pathlib takes for the folder here
        raise ValueError("is empty; name a file or a folder")
    return Path(text)


def _whole(text: str, least: int = 1) -> int:
    if not re.fullmatch(r"[0-9]{1,10}", text) or not least <= int(text) <= MOST_PROCESSES:
        raise ValueError(f"'{text}' must be a whole number from {least} to {MOST_PROCESSES}")
    return int(text)


def _process_counts(text: str) -> list[int]:
    counts = [_whole(part.strip(), 2) for part in text.split(",")]
    for again in (count for place, count in enumerate(counts) if count in counts[:place]):
        raise ValueError(
            f"names {again} twice; the files of a run are named by the number of its processes, so"
            " write each number once"
        )
    return counts


_PATHS = Parameter(
    converter=lambda _, tokens: [_path(token.value) for token in tokens], consume_multiple=1
)
File = Annotated[Path, "FILE", kind(_path)]
Folder = Annotated[Path, "DIR", kind(_path)]
AnyPath = Annotated[Path, "PATH", kind(_path)]
Results = Annotated[list[Path], "RESULT...", _PATHS]
Files = Annotated[list[Path], "FILE...", _PATHS]
Duration = Annotated[Quantity, "DURATION", quantity(parse_duration)]
Size = Annotated[Quantity, "SIZE", quantity(parse_size)]
Rate = Annotated[Quantity, "RATE", quantity(_rate)]
Percent = Annotated[Quantity, "PERCENT", quantity(parse_percent)]
Whole = Annotated[int, "N", kind(_whole)]
Count = Annotated[int, "N", kind(partial(_whole, least=2))]
Counts = Annotated[list[int], "N[,N...]", kind(_process_counts)]
"""Types of fields, each with what stands for its value in --help."""

OUTPUT = Parameter(name=["--output", "-o"], group=_HEADINGS[6])
NUMBER = Parameter(name=["--processes", "-n"], group=_HEADINGS[5])
ALL, JSON = Parameter(name="--all"), Parameter(name="--json")
"""Names of options that are not those of their fields."""
EngineOptions = Annotated[list[str], "-- ENGINE_OPTIONS..."]


@dataclass(frozen=True, kw_only=True)
class ProgramOptions:
    """Which programs measure."""

    engine: Annotated[AnyPath | None, PROCESSES] = None
    """The measuring program, or the folder with all of them.  [default: beside this command, else
    on PATH]"""
    mpi: Annotated[str | None, "BUILD", PROCESSES] = None
    """MPI build of the programs: mpich, openmpi or abi.  [default: $BEFF_MPI, else by the launcher
    and the MPI library found]"""


@dataclass(frozen=True, kw_only=True)
class LaunchOptions(ProgramOptions):
    """Which programs measure, and what starts them."""

    launcher: Annotated[str | None, "COMMAND", PROCESSES] = None
    """Command that starts the processes, with options if needed, such as 'mpiexec -f hosts'.
    [default: srun in a Slurm job, else mpiexec]"""
    oversubscribe: Annotated[bool, PROCESSES] = False
    """Measure also with many more processes than this machine has cores."""


@dataclass(frozen=True, kw_only=True)
class MemoryOptions:
    """What a process may have."""

    memory_per_process: Annotated[Size | None, PROCESSES] = None
    """Memory of one process, such as 512MiB.  [default: found by the program]"""


@dataclass(frozen=True, kw_only=True)
class OverwriteOptions:
    """What may be replaced."""

    overwrite: Annotated[bool, WRITTEN] = False
    """Replace an existing file."""


@dataclass(frozen=True, kw_only=True)
class ResultOptions(MemoryOptions, OverwriteOptions):
    """Where results go."""

    output_dir: Annotated[Folder | None, WRITTEN] = None
    """Folder for the results.  [default: results/<time in UTC>]"""


_ALONE = "--bisection"
"""The option that may stand without its value, which is 1 then."""


def words_of(given: Any, *fields: str) -> list[str]:
    """Return options, by their fields, as words of a command line, as far as they are given."""
    words = []
    for name in fields:
        value, option = getattr(given, name), f"--{name.replace('_', '-')}"
        if option == _ALONE and value is not None:
            words.append(option if value == 1 else f"{option}={value}")
        elif value is not None and value is not False:
            values = value if isinstance(value, list) else [value] * (value is not True)
            words += [option, *map(str, values)]
    return words


def named(given: Any, *fields: str) -> list[str]:
    """Return each of these options that is given, with its value, as a sentence names it."""
    return [" ".join(words) for name in fields if (words := words_of(given, name))]


def refuse(options: Iterable[str], why: str) -> None:
    """Refuse the first of these options. Raises WrongUsageError."""
    for option in options:
        raise WrongUsageError(f"{option}: {why}")


Command = Callable[[Any], int]
"""A function of one dataclass of options, which returns the exit code."""


def options_of(command: Command) -> type[Any]:
    """Return the dataclass of a command."""
    options: type[Any] = get_type_hints(command)["given"]
    return options


def _app(command: Command) -> App:
    plain = Parameter(negative=(), allow_repeating=True, json_list=False, json_dict=False)
    app = App(default_parameter=plain, help_flags=(), version_flags=(), config=_name_subject)
    app.default(options_of(command))
    return app


def _name_subject(_app: App, _commands: Any, arguments: Any) -> None:
    """Let `--baseline OLD NEW` be about NEW, where nothing else says what the command is about."""
    subject = next((one for one in arguments if one.index == 0), None)
    if subject is None or subject.tokens or not subject.required:
        return
    second = ((one, token) for one in arguments for token in one.tokens if token.index == 1)
    for argument, token in islice(second, 1):
        argument.tokens.remove(token)
        subject.tokens.append(Token(value=token.value, source="cli"))


def read(command: Command, words: list[str]) -> Any:
    """Return the options of a command as words give them. Raises WrongUsageError."""
    end = words.index("--") if "--" in words else len(words)
    words = [f"{one}=1" if one == _ALONE else one for one in words[:end]] + words[end:]
    try:
        made, bound, _ = _app(command).parse_args(words, exit_on_error=False, print_error=False)
        return made(*bound.args, **bound.kwargs)
    except CycloptsError as problem:
        raise WrongUsageError(_explained(problem)) from None


def _explained(problem: CycloptsError) -> str:
    """Say what is wrong with an option, its value or an argument."""
    argument, sentence = problem.argument, str(problem)
    if argument is not None and isinstance(problem, CoercionError) and problem.msg is not None:
        name = argument.name if argument.index is None else _value_name(argument).rstrip(".")
        value = "" if problem.token is None else one_line(problem.token.value)
        return f"{f'{name} {value}'.rstrip()}: {one_line(str(problem.msg))}"
    if argument is not None and isinstance(problem, MissingArgumentError) and not problem.keyword:
        sentence = f"{_label(argument)} is missing"
    if isinstance(problem, UnusedCliTokensError):
        sentence = f"there is no place for {' '.join(problem.unused_tokens or ())}"
    return f"{one_line(sentence).rstrip('.')}; --help explains the usage"


def _value_name(argument: Any) -> str:
    """Return what stands for a value in --help: by its type, or by a string in it."""
    hints = [argument.field_info.annotation]
    for hint in hints:  # which grows
        if get_origin(hint) is Literal:
            return f"<{'|'.join(get_args(hint))}>"
        if strings := [part for part in getattr(hint, "__metadata__", ()) if isinstance(part, str)]:
            return strings[-1]  # of the type that others are made of stands before
        hints += [part for part in get_args(hint) if not isinstance(part, (str, Parameter))]
    return "" if bool in hints else "TEXT"


def _label(argument: Any) -> str:
    """Return an option with its value, or what stands for an argument."""
    value = _value_name(argument)
    if argument.index is not None:
        return value
    names = ", ".join(sorted(argument.names, key=len))
    return f"{names}{value}" if value.startswith("[") else f"{names} {value}".rstrip()


def arguments_of(command: Command) -> list[Any]:
    """Return what a command takes; what is its own stands before what it shares with others."""
    special = options_of(command).__annotations__
    arguments = _app(command).assemble_argument_collection(parse_docstring=True)
    return sorted(arguments, key=lambda one: one.field_info.name not in special)


def help_of(name: str, command: Command) -> Iterator[str]:
    """Yield the parts of a command's --help."""
    arguments = arguments_of(command)
    places = [arg for arg in arguments if arg.index is not None]
    values = [_label(arg) if arg.required else f"[{_label(arg)}]" for arg in places]
    yield " ".join(["Usage: beff", name, "[OPTIONS]", *values])
    *parts, codes = (inspect.getdoc(command) or "").split("\n\n")
    for part in parts:
        is_list = part.startswith("Example")
        yield indent(part, "  ") if is_list else filled(" ".join(part.split()), "  ", "  ")
    rows = {heading: list[tuple[str, str]]() for heading in ("Arguments", *_HEADINGS, "Options")}
    for arg in arguments:
        heading, default = str(arg.parameter.group[0].name), arg.field_info.default
        if len(arguments) < _MOST_UNGROUPED or heading not in rows:
            heading = "Options"
        words = " ".join(str(arg.parameter.help).split())
        if arg.required:
            words += " [required]" if arg.index is None else ""
        elif default is not None and default is not False:
            words += f" [default: {default}]"
        rows[heading if arg.index is None else "Arguments"].append((_label(arg), words))
    rows["Options"].append(("-h, --help", "Show this message and exit."))
    yield from (f"{heading}:\n{in_columns(rows[heading])}" for heading in rows if rows[heading])
    yield exit_codes.explained(codes)


def complete(commands: Mapping[str, Command], *, install: bool) -> None:
    """Install the completion of all commands in the shell, or print it. Raises BeffError."""
    top = App(name="beff", version_flags=())
    for full, command in commands.items():
        *above, name = full.split()
        group = top
        for part in above:
            group = top[part] if part in top else top.command(App(name=part))
        group.command(_app(command), name=name)
    try:
        made = top.install_completion() if install else top.generate_completion()
    except (OSError, ShellDetectionError) as problem:
        raise BeffError(f"the completion cannot be made ({problem})") from None
    print(f"{made}: completion is installed" if install else made)
