"""Entry point: the table of subcommands and the one place where errors become messages."""

import sys
from typing import Annotated

import typer

from beff import __version__
from beff.cli import exit_codes
from beff.cli.balance import balance
from beff.cli.compare import compare
from beff.cli.doctor import doctor
from beff.cli.errors import WrongUsageError
from beff.cli.import_results import import_results
from beff.cli.job import job
from beff.cli.recover import recover
from beff.cli.report import report
from beff.cli.run import run
from beff.cli.serve import serve
from beff.cli.simulate import simulate
from beff.cli.store import store_app
from beff.cli.submit import submit
from beff.cli.verify import verify
from beff.model.errors import BeffError

app = typer.Typer(
    name="beff",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Measure the effective bandwidth of this machine; check and show results.",
)
COMMANDS = (
    run,
    job,
    doctor,
    verify,
    report,
    compare,
    balance,
    simulate,
    recover,
    serve,
    submit,
)
for command in COMMANDS:
    app.command()(command)
app.command("import")(import_results)  # a word that no function can be named by
app.add_typer(store_app)


def _print_version(asked: bool) -> None:
    if asked:
        print(f"beff {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    pass


def main(arguments: list[str] | None = None) -> int:
    """Run a command; every error is one sentence on standard error. Returns the exit code."""
    try:
        code = app(args=arguments, prog_name="beff", standalone_mode=False)
        return code if isinstance(code, int) else exit_codes.OK
    except typer.TyperException as problem:
        message = problem.format_message().rstrip(".")
        print(f"beff: {message}; --help explains the usage", file=sys.stderr)
        return exit_codes.WRONG_USAGE
    except WrongUsageError as problem:
        print(f"beff: {problem}", file=sys.stderr)
        return exit_codes.WRONG_USAGE
    except BeffError as problem:
        print(f"beff: {problem}", file=sys.stderr)
        return exit_codes.FAILED
    except (typer.Abort, KeyboardInterrupt):
        print("beff: stopped", file=sys.stderr)
        return exit_codes.FAILED
    except BrokenPipeError:  # the reader of our output has gone, as in `beff ... | head`
        sys.stderr.close()
        return exit_codes.OK
