"""Entry point: the table of subcommands and the one place where errors become messages."""

import errno
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path

from beff import __version__
from beff.cli.common import exit_codes
from beff.cli.common.say import in_columns, make_sound, say, warn
from beff.launch.engine import install_command, is_installed, missing_extra_explained
from beff.result.errors import BeffError, WrongUsageError, one_line

GROUPS = {
    "Measure": {
        "run": "Measure b_eff and b_eff_io and show the answer.",
        "today": "Find out whether the machine is as fast as before.",
        "nodes": "Find hosts and links that are slow or do not answer.",
        "job": "Write a job script that measures on a cluster.",
        "doctor": "Show what a run would find on this machine.",
    },
    "Judge": {
        "show": "Show results, over time, or write them to a file.",
        "compare": "Find out whether B is slower than A, beyond noise.",
        "check": "Judge whether results are good, and which host is not.",
    },
    "Keep and share": {
        "accept": "Keep accepted results, to check later ones by them.",
        "verify": "Recompute every derived number of result files.",
        "import": "Make results of what other programs printed.",
        "list": "Keep a list of systems as a folder of results, and build its site.",
    },
}
"""The subcommands in the order of `beff --help`, which loads none of them."""

_FIRST = ("Measure", "Judge")
"""Those that `beff --help` lists; `beff --help all` lists the others as well."""
COMMANDS = {name: summary for group in GROUPS.values() for name, summary in group.items()}
_PARTS = {
    "init": "Make a list, and a workflow that checks submissions and publishes.",
    "add": "Verify results and put them in their places.",
    "build": "Build the site of a list from the results that verify.",
}
"""The commands below `list`."""
PLACES = {
    **{name: f"{name}:{name}" for name in COMMANDS if name != "list"},
    **{"accept": "keep:accept", "verify": "keep:verify", "import": "keep:import_results"},
    **{f"list {part}": f"list_commands:{part}" for part in _PARTS},
}
"""Where the function of each command is in `beff.cli`, by its full name: `run`, `list add`."""

_HELP = ("-h", "--help")
_INSTALL = "--install-completion"
_OPTIONS = {
    "--version": "Print the version.",
    _INSTALL: "Install completion for the current shell.",
    "--show-completion": "Show completion for the current shell, to copy it.",
}
_LAST = {"-h, --help": "Show this message and exit."}


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
        warn(f"beff: {_unforeseen(problem, given)}")
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
            return _answer(*given)
    except BeffError as problem:
        warn(f"beff: {problem}")
        return exit_codes.of_problem(problem, exit_codes.failure(given))
    except MemoryError:
        warn("beff: this needs more memory than the process may have; see `ulimit -v`")
        return exit_codes.failure(given)
    except KeyboardInterrupt:
        warn("beff: stopped")
        return exit_codes.STOPPED


def _answer(name: str, *words: str) -> int:
    """Do what the words of a command line ask for. Raises BeffError."""
    if name in _HELP:
        print(_overview(every=words == ("all",)))
    elif name == "--version":
        say(f"beff {__version__}")
    elif name in _OPTIONS:
        from beff.cli.common.options import complete  # noqa: PLC0415 - takes long

        complete({full: function_of(full) for full in PLACES}, install=name == _INSTALL)
    elif name == "list" and words[:1] in [(one,) for one in _HELP]:
        function_of("list add")  # which is there only where its extra is
        print(_page("beff list", COMMANDS[name], {"Options": _LAST, "Commands": _PARTS}))
    else:
        if name == "list" and words:
            name, *words = f"list {words[0]}", *words[1:]  # type: ignore[assignment]
        function = function_of(name)
        from beff.cli.common.options import help_of, read  # noqa: PLC0415 - takes long

        of_command = words[: words.index("--")] if "--" in words else words
        if not {*_HELP} & {*of_command}:
            return function(read(function, [*words]))
        print("\n\n".join(help_of(name, function)))
    return exit_codes.OK


def function_of(name: str) -> Callable[..., int]:
    """Return a command by its full name, which loads it. Raises WrongUsageError without it."""
    if name not in PLACES:
        sentence = f"there is no {'option' if name[:1] == '-' else 'command'} '{one_line(name)}'"
        if name in COMMANDS:
            sentence = f"'{name}' needs one of {', '.join(_PARTS)}"
        elif like := get_close_matches(name, [*PLACES, *COMMANDS], n=1):
            sentence += f", did you mean '{like[0]}'?"
        raise WrongUsageError(f"{sentence}; --help explains the usage")
    module, place = PLACES[name].split(":")
    function: Callable[..., int] = getattr(import_module(f"beff.cli.{module}"), place)
    return function


def _overview(*, every: bool) -> str:
    """Return the help of the whole, with the commands that a newcomer needs or with all."""
    groups: dict[str, Mapping[str, str]] = {"Options": _OPTIONS | _LAST, **GROUPS}
    *others, last = (name for head in GROUPS if head not in _FIRST for name in GROUPS[head])
    if every and not is_installed(last):
        missing = {last: f"Not installed; {install_command(last)} adds it."}
        groups["Keep and share"] = GROUPS["Keep and share"] | missing
    if not every:
        groups = {head: rows for head, rows in groups.items() if head in ("Options", *_FIRST)}
    sentence = "Measure the effective bandwidth of this machine; check and show results."
    more = f"\n\nbeff --help all lists {', '.join(others)} and {last} as well."
    return _page("beff", sentence, groups) + more * (not every)


def _page(name: str, sentence: str, groups: Mapping[str, Mapping[str, str]]) -> str:
    """Return the help of what has commands."""
    parts = [f"{head}:\n{in_columns(rows.items())}" for head, rows in groups.items()]
    return "\n\n".join([f"Usage: {name} [OPTIONS] COMMAND [ARGS]...", f"  {sentence}", *parts])


PREFIX = "beff-fault-"
"""How files with a traceback begin; they are in the folder for temporary files."""
_PACKAGE = Path(__file__).parents[1]


def _unforeseen(problem: Exception, arguments: Sequence[str]) -> str:
    """Write the traceback into a file that only the user may read; return a sentence that names it.

    Where it cannot be written, the sentence names the place in the code instead.
    """
    import platform  # noqa: PLC0415 - these take long, and few calls need them
    import shlex  # noqa: PLC0415
    import tempfile  # noqa: PLC0415
    from traceback import extract_tb, format_exception  # noqa: PLC0415

    head = f"beff {__version__}, Python {platform.python_version()}, {platform.platform()}"
    lines = (f"{head}\n{shlex.join(['beff', *arguments])}\n\n", *format_exception(problem))
    fault = f"unforeseen {type(problem).__name__}"
    try:
        handle, name = tempfile.mkstemp(prefix=PREFIX, suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.writelines(lines)
    except OSError as refused:
        frames = extract_tb(problem.__traceback__)
        last = [frame for frame in frames if Path(frame.filename).is_relative_to(_PACKAGE)][-1]
        place = f"{Path(last.filename).relative_to(_PACKAGE.parent)}, line {last.lineno}"
        return (
            f"{fault} in {place}, a fault of beff itself; please report it (the traceback could not"
            f" be written: {refused.strerror})"
        )
    return f"{fault}, a fault of beff itself; please report it with the traceback in {name}"
