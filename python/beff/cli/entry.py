"""Where the command begins: with its own packages, whatever lies in PYTHONPATH."""

import gc
import os
import shlex
import sys
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

from beff.cli.common import exit_codes

_PACKAGE = Path(__file__).parents[1]
_LONGEST_REASON = 200
_OBJECTS_UNTIL_CYCLES_ARE_SOUGHT = 50_000
"""By default 700: then a tenth of the time of a command is spent on looking, and nothing found."""


def main() -> int:
    """Run the command line. Returns the exit code."""
    gc.set_threshold(_OBJECTS_UNTIL_CYCLES_ARE_SOUGHT)
    # a site's module may have packages of another Python in PYTHONPATH, so that is looked in last;
    # not where beff itself lies there, as its packages may, too
    folders = _folders()
    if str(_PACKAGE.parent) not in folders:
        sys.path.sort(key=folders.__contains__)
    try:
        from beff.cli.app import main as run  # noqa: PLC0415 - with the right packages only
    except Exception as problem:
        said = said_of_foreign_package(problem, sys.argv[1:])
        if said is None:
            raise
        print(f"beff: {said}", file=sys.stderr)
        return exit_codes.failure(sys.argv[1:])
    return run()


def _folders() -> frozenset[str]:
    given = os.environ.get("PYTHONPATH", "") if not sys.flags.ignore_environment else ""
    return frozenset(map(os.path.abspath, filter(None, given.split(os.pathsep))))


def said_of_foreign_package(problem: Exception, given: Sequence[str]) -> str | None:
    """Return what to say of an import from PYTHONPATH that failed; None of any other fault."""
    folders = _folders()
    for file in _imported_files(problem):
        within = [place for place in sys.path if Path(file).is_relative_to(place)]
        folder = max(within, key=len, default="")
        if folder in folders and not Path(file).is_relative_to(_PACKAGE):
            package = Path(file).relative_to(folder).parts[0].partition(".")[0]
            reason = str(problem).strip().partition("\n")[0][:_LONGEST_REASON]
            return (
                f"{package} was taken from {folder}, a folder of PYTHONPATH, and cannot be used"
                f" here ({type(problem).__name__}: {reason}); leave that folder out, as by"
                f" '{shlex.join(['env', '-u', 'PYTHONPATH', 'beff', *given])}'"
            )
    return None


def _imported_files(problem: Exception) -> Iterator[str]:
    """Files whose import failed, or that have not what was imported from them; the last first."""
    if isinstance(problem, SyntaxError):
        yield problem.filename or ""
    if isinstance(problem, ImportError):
        yield problem.path or ""
    if isinstance(problem, AttributeError) and isinstance(problem.obj, ModuleType):
        yield getattr(problem.obj, "__file__", None) or ""
    for frame in reversed(traceback.extract_tb(problem.__traceback__)):
        if frame.name == "<module>":
            yield frame.filename
