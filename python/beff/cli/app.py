"""Entry point: the table of subcommands and the one place where errors become messages."""

import errno
import os
import platform
import shlex
import sys
import tempfile
import traceback
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperGroup

from beff import __version__
from beff.cli.common import exit_codes
from beff.cli.common.absent import is_installed, missing_extra_explained
from beff.cli.common.help_text import HelpfulCommand, as_help
from beff.cli.common.say import make_sound, say, warn
from beff.cli.entry import said_of_foreign_package
from beff.launch.installation import install_command
from beff.result.errors import BeffError


class Command(NamedTuple):
    """Where the function of a subcommand is in `beff.cli`, and what `beff --help` says of it.

    A command with commands of its own has the place of each. `extra` is the one without which its
    module cannot be imported.
    """

    place: str | Mapping[str, str]
    summary: str
    extra: str = ""


GROUPS = {
    "Measure": {
        "run": Command("run:run", "Measure b_eff and b_eff_io and show the answer."),
        "today": Command("today:today", "Find out whether it is as fast as on the days before."),
        "nodes": Command("nodes:nodes", "Find hosts and links that are slow or do not answer."),
        "job": Command("job:job", "Write a job script that measures on a cluster."),
        "doctor": Command("doctor:doctor", "Show what a run would find on this machine."),
    },
    "Judge": {
        "show": Command("show:show", "Show results, over time, or write them to a file."),
        "compare": Command("compare:compare", "Find out whether B is slower than A, beyond noise."),
        "check": Command("check:check", "Judge whether results are good, and which host is not."),
    },
    "Keep and share": {
        "accept": Command("accept:accept", "Keep what is accepted, to check by it for years."),
        "verify": Command("verify:verify", "Recompute every derived number of result files."),
        "import": Command(
            "import_results:import_results", "Make results of what other programs printed."
        ),
        "list": Command(
            {name: f"list_commands:{name}" for name in ("init", "add", "build")},
            "Keep a list of systems as a folder of results, and build its site.",
            "list",
        ),
    },
}
"""The subcommands in the order of `beff --help`, which loads none of them."""

_FIRST = ("Measure", "Judge")
"""Those that `beff --help` lists; `beff --help all` lists the others as well."""
COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}
PLACES = {
    f"{name} {part}".strip(): place
    for name, command in COMMANDS.items()
    for part, place in (
        {"": command.place} if isinstance(command.place, str) else command.place
    ).items()
}
"""Where the function of each command is, by its full name: `run`, `list add`."""

_HELP_NAMES = {"help_option_names": ["-h", "--help"]}
_HELP = [[name] for name in _HELP_NAMES["help_option_names"]]


class _Grouped(TyperGroup):
    """The subcommands in groups, each with its sentence in full."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        others = [name for name in COMMANDS if name not in self.commands]
        for heading, group in GROUPS.items():
            rows = [(name, _summary(one)) for name, one in group.items() if name not in others]
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)
        if others:
            formatter.write_paragraph()
            named = f"{', '.join(others[:-1])} and {others[-1]}"
            formatter.write_text(f"beff --help all lists {named} as well.")


def _print_version(asked: bool) -> None:
    if asked:
        say(f"beff {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    pass


def make_app(names: Iterable[str] = PLACES, listed: Iterable[str] = ()) -> typer.Typer:
    """Put together the command with these subcommands by full names, whose modules are loaded.

    Those that are `listed` only stand in --help; none of their modules is loaded.
    """
    app = typer.Typer(
        name="beff",
        cls=_Grouped,
        context_settings=_HELP_NAMES,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        callback=_options,
        help="Measure the effective bandwidth of this machine; check and show results.",
    )
    for name in listed:
        app.command(name, short_help=_summary(COMMANDS[name]))(lambda: None)
    groups: dict[str, typer.Typer] = {}
    for name in names:
        first, _, part = name.partition(" ")
        if part and first not in groups:
            groups[first] = typer.Typer(name=first, help=COMMANDS[first].summary)
            app.add_typer(groups[first])
        function = _command(name)
        groups.get(first, app).command(
            part or first,
            cls=HelpfulCommand,
            help=as_help(function),
            short_help=None if part else COMMANDS[name].summary,
            epilog=exit_codes.explained(name),
        )(function)
    return app


def _command(name: str) -> Any:
    module, function = PLACES[name].split(":")
    return getattr(import_module(f"beff.cli.{module}"), function)


def _summary(command: Command) -> str:
    if command.extra and not is_installed(command.extra):
        return f"Not installed; {install_command(command.extra)} adds it."
    return command.summary


def _app_for(given: Sequence[str]) -> typer.Typer:
    """Load what a command line needs: one command, all of a group or to complete words, or none."""
    within = [name for name in PLACES if name.split()[:1] == list(given[:1])]
    if within:
        named = [name for name in within if name.split() == list(given[: name.count(" ") + 1])]
        return make_app(named or within)
    if "_BEFF_COMPLETE" in os.environ:
        return make_app()
    few = [name for heading in _FIRST for name in GROUPS[heading]]
    return make_app((), listed=few if given[:1] in _HELP and given[1:] != ["all"] else COMMANDS)


def main(arguments: list[str] | None = None) -> int:
    """Run a command; every error is one sentence on standard error. Returns the exit code."""
    given = (sys.argv[1:] if arguments is None else arguments) or ["--help"]
    make_sound()
    try:
        code = _run(given)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has gone, as in `beff ... | head`
        _forget_output()
        return exit_codes.CLOSED_PIPE
    except Exception as problem:
        if isinstance(problem, OSError) and problem.errno == errno.ENOSPC and not problem.filename:
            _forget_output()
            warn(f"beff: the output cannot be written ({problem.strerror})")
            return exit_codes.failure(given)
        foreign = said_of_foreign_package(problem, given)
        if foreign is not None:
            warn(f"beff: {foreign}")
            return exit_codes.failure(given)
        warn(f"beff: {unforeseen(problem, given)}")
        return exit_codes.UNFORESEEN
    return code


def _forget_output() -> None:
    """Keep the end of the program from writing what nobody takes."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(given: list[str]) -> int:
    """Run a command and say what went wrong as far as that was foreseen."""
    try:
        with missing_extra_explained():
            app = _app_for(given)
            try:
                words = given[:1] if given[:1] in _HELP else given
                code = app(args=words, prog_name="beff", standalone_mode=False)
            except SystemExit as end:  # of a closed pipe 1, of the completion of a shell 0
                if end.code:
                    raise BrokenPipeError from None
                return exit_codes.OK
        return code if isinstance(code, int) else exit_codes.OK
    except typer.TyperException as problem:
        message = problem.format_message().replace("Value error, ", "").rstrip(".")
        warn(f"beff: {message}; --help explains the usage")
        return exit_codes.WRONG_USAGE
    except BeffError as problem:
        warn(f"beff: {problem}")
        return exit_codes.of_problem(problem, exit_codes.failure(given))
    except (typer.Abort, KeyboardInterrupt):
        warn("beff: stopped")
        return exit_codes.STOPPED


PREFIX = "beff-fault-"
"""How files with a traceback begin; they are in the folder for temporary files."""
_PACKAGE = Path(__file__).parents[1]


def unforeseen(problem: Exception, arguments: Sequence[str]) -> str:
    """Write the traceback into a file of its own and return one sentence that names the file.

    Where it cannot be written, the sentence names the place in the code instead.
    """
    kind = type(problem).__name__
    try:
        path = _write(problem, arguments)
    except OSError as refused:
        return (
            f"unforeseen {kind} in {_place(problem)}, a fault of beff itself; please report it (the"
            f" traceback could not be written: {refused.strerror})"
        )
    return (
        f"unforeseen {kind}, a fault of beff itself; please report it with the traceback in {path}"
    )


def _write(problem: Exception, arguments: Sequence[str]) -> Path:
    """Write what a report needs; only the user may read the file. Raises OSError."""
    handle, name = tempfile.mkstemp(prefix=PREFIX, suffix=".txt")
    lines = (
        f"beff {__version__}, Python {platform.python_version()}, {platform.platform()}\n",
        f"{shlex.join(['beff', *arguments])}\n\n",
        *traceback.format_exception(problem),
    )
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.writelines(lines)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def _place(problem: Exception) -> str:
    """Return file and line of the innermost call within the package."""
    frames = traceback.extract_tb(problem.__traceback__)
    last = [frame for frame in frames if Path(frame.filename).is_relative_to(_PACKAGE)][-1]
    return f"{Path(last.filename).relative_to(_PACKAGE.parent)}, line {last.lineno}"
