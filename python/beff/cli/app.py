"""Entry point: the table of subcommands and the one place where errors become messages."""

import errno
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer

from beff import __version__
from beff.cli import exit_codes
from beff.cli.errors import WrongUsageError
from beff.cli.extras import install_command, missing_extra, missing_extra_explained
from beff.cli.unforeseen import unforeseen
from beff.model.errors import BeffError, ResultError, TargetError

#: Where the function of each subcommand is, in `beff.cli`; `beff --help` lists them in this order.
COMMANDS = {
    "run": "run:run",
    "job": "job:job",
    "doctor": "doctor:doctor",
    "verify": "verify:verify",
    "report": "report:report",
    "figure": "figure:figure",
    "compare": "compare:compare",
    "check": "check:check",
    "balance": "balance:balance",
    "sign": "signing:sign",
    "simulate": "simulate:simulate",
    "recover": "recover:recover",
    "import": "import_results:import_results",
    "trend": "trend:trend",
    "expect": "expect:expect",
    "list": "list_commands:list_app",
}


_TAKE_ALL = {"allow_extra_args": True, "ignore_unknown_options": True}


def _print_version(asked: bool) -> None:
    if asked:
        print(f"beff {__version__}")
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


def make_app(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """Put together the command with these subcommands; only their modules are loaded."""
    app = typer.Typer(
        name="beff",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        callback=_options,
        help="Measure the effective bandwidth of this machine; check and show results.",
    )
    for name in names:
        try:
            command = _command(name)
        except ModuleNotFoundError as problem:
            app.command(name, add_help_option=False, context_settings=_TAKE_ALL)(_absent(problem))
            continue
        if isinstance(command, typer.Typer):
            app.add_typer(command)
        else:
            app.command(name, epilog=exit_codes.explained(name))(command)
    return app


def _command(name: str) -> Any:
    module, function = COMMANDS[name].split(":")
    return getattr(import_module(f"beff.cli.{module}"), function)


def _absent(problem: ModuleNotFoundError) -> Callable[[typer.Context], NoReturn]:
    """Return what stands for a command whose extra is missing. Raises any other problem."""
    extra = missing_extra(problem)
    if extra is None:
        raise problem

    def absent(_: typer.Context) -> NoReturn:
        raise problem

    absent.__doc__ = f"Not installed; {install_command(extra)} adds it."
    return absent


def main(arguments: list[str] | None = None) -> int:
    """Run a command; every error is one sentence on standard error. Returns the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        code = _run(given)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has gone, as in `beff ... | head`
        _forget_output()
        return exit_codes.CLOSED_PIPE
    except Exception as problem:
        if isinstance(problem, OSError) and problem.errno == errno.ENOSPC and not problem.filename:
            _forget_output()
            print(f"beff: the output cannot be written ({problem.strerror})", file=sys.stderr)
            return exit_codes.failure(given)
        print(f"beff: {unforeseen(problem, given)}", file=sys.stderr)
        return exit_codes.UNFORESEEN
    return code


def _forget_output() -> None:
    """Keep the end of the program from writing what nobody takes."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(given: list[str]) -> int:
    """Run a command and say what went wrong as far as that was foreseen."""
    try:
        app = make_app(given[:1] if given and given[0] in COMMANDS else COMMANDS)
        with missing_extra_explained():
            try:
                code = app(args=given, prog_name="beff", standalone_mode=False)
            except SystemExit as end:  # of a closed pipe 1, of the completion of a shell 0
                if end.code:
                    raise BrokenPipeError from None
                return exit_codes.OK
        return code if isinstance(code, int) else exit_codes.OK
    except typer.TyperException as problem:
        message = problem.format_message().rstrip(".")
        print(f"beff: {message}; --help explains the usage", file=sys.stderr)
        return exit_codes.WRONG_USAGE
    except (WrongUsageError, ResultError, TargetError) as problem:
        print(f"beff: {problem}", file=sys.stderr)
        return exit_codes.WRONG_USAGE
    except BeffError as problem:
        print(f"beff: {problem}", file=sys.stderr)
        return exit_codes.failure(given)
    except (typer.Abort, KeyboardInterrupt):
        print("beff: stopped", file=sys.stderr)
        return exit_codes.STOPPED
