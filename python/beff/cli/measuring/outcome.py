"""What is shown of a run while it lasts, and the exit code of what it left."""

import re
import signal
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from beff.cli.common import exit_codes
from beff.cli.common.live import showing
from beff.cli.common.say import warn
from beff.cli.measuring.results import is_numbered
from beff.definition.recover import RECOVERIES, recover
from beff.launch.campaign import Left, Start
from beff.launch.follow import Progress
from beff.launch.installation import install_command
from beff.launch.process import death_in, printable
from beff.result.contract import MeasuredResult
from beff.result.errors import ResultError
from beff.result.journal import SUFFIX
from beff.result.journal_file import read_journal
from beff.result.load import Document
from beff.result.numbers import format_duration
from beff.result.places import modified
from beff.result.strict_json import parse_json, read_text
from beff.verify.subject import sound_document

_MPICH_LIBRARY = "libmpi.so.12"
"""By this name, the programs ask for MPICH or a library that is compatible with it."""


def shown(start: Start) -> AbstractContextManager[Callable[[Progress | None], None]]:
    """Say what is started, and show its progress."""
    warn(f"{start.title}, started by {start.launcher}")
    return showing(start.title.replace(" with", ",", 1))


def exit_code_of(left: Left, accepts: Callable[[MeasuredResult], bool]) -> int:
    """Say why a run failed, keep what it has printed, and return the exit code.

    A run that was stopped on demand counts by its result alone, since some launchers then return a
    code of their own.
    """
    start, ended, result = left.start, left.ended, left.result
    if left.problem is not None:
        warn(f"beff: {left.problem}")
    expected = ended.exit_code in (exit_codes.OK, exit_codes.NOT_VALID)
    code = ended.exit_code if expected and result is not None else exit_codes.FAILED
    if left.is_refused:
        code = exit_codes.WRONG_USAGE
    stopped = ended.stopped_by is not None
    if result is not None and (expected or stopped) and not ended.stalled:
        code = exit_codes.OK if accepts(result) else exit_codes.NOT_VALID
        for line in ended.error_lines:
            if line.startswith(f"{start.benchmark}: "):
                warn(f"  {line}")
    else:
        _explain_failure(left)
    if not left.is_refused:
        _keep_standard_error(left)
        if result is None and ended.output:  # a result that could not be written
            _keep("standard output of this run", ended.output, start.file(".stdout.txt"))
    if ended.stopped_by == signal.SIGINT:
        return exit_codes.STOPPED
    if code == exit_codes.OK and result is not None and start.numbering is not None:
        return code if is_numbered(result, start.numbering) else exit_codes.NOT_VALID
    return code


def document_of(left: Left) -> Document | None:
    """Return the result of a run, or what one that was cut off has measured; else None, said."""
    if left.document is not None or not left.has_journal:
        return left.document
    journal = left.start.file(SUFFIX)
    try:
        entries = read_journal(journal)
        return sound_document(str(journal), recover(str(journal), entries))
    except ResultError as problem:
        warn(f"beff: {problem}")
        return None


def _keep_standard_error(left: Left) -> None:
    """Keep what was not shown, such as warnings of the MPI library, beside the result."""
    own, said = f"{left.start.benchmark}: ", left.ended.standard_error
    log = left.start.file(".stderr.txt")
    with suppress(OSError):
        log.unlink(missing_ok=True)
    lines = said.decode(errors="replace").splitlines()
    if any(line.strip() and not line.startswith(own) for line in lines):
        _keep("standard error of this run", said, log)


def _keep(what: str, content: bytes, path: Path) -> None:
    """Write what a run has printed beside its result, else where temporary files are."""
    try:
        path.write_bytes(content)
    except OSError as problem:
        warn(f"beff: {path} cannot be written ({problem.strerror})")
        try:
            folder = Path(tempfile.mkdtemp(prefix="beff-"))
            path = folder / path.name
            path.write_bytes(content)
        except OSError:
            return
    warn(f"  {what} is kept in {path}")


_OF_TRIAL = re.compile(rb"^trying messages in device memory: (.*)$", re.MULTILINE)
"""What a program says of the library before it tries it: a process may die of it."""


def _tried_last(journal: Path) -> str:
    """Return by what messages were tried as the last of all; empty where there is more."""
    try:
        *_, last = read_text(journal).splitlines()
        entry = parse_json(last)
    except (ResultError, ValueError):
        return ""
    trial = entry.get("trial") if isinstance(entry, dict) else None
    return str(trial.get("messages", "")) if isinstance(trial, dict) else ""


def _explain_failure(left: Left) -> None:
    start, ended, result = left.start, left.ended, left.result
    for line in ended.error_lines:
        warn(f"  {line}")
    if ended.stopped_by is not None:
        reason = f"was stopped by {ended.stopped_by.name}"
    elif ended.stalled:
        limit = format_duration(start.stall_limit_s)
        reason = f"recorded nothing new for {limit} (--stall-limit), was ended"
        if ended.way_out:
            reason = f"was ended, as its launcher waits in vain ({ended.way_out}),"
    else:
        death = death_in(ended)
        reason = f"ended with exit code {ended.exit_code}{f': {death};' if death else ''}"
    what, way_out = "left no result", ""
    journal = start.file(SUFFIX)
    if result is not None:
        what = "left a result" if result.complete else "left a partial result"
    elif left.has_journal and (tried := _tried_last(journal)):
        way_out = f"; it was trying messages by {tried}, nothing was measured"
        if said := _OF_TRIAL.search(ended.standard_error):
            way_out += f": {printable(said[1])}"
    elif modified(journal) is not None:
        way_out = (
            f"; 'beff show {journal}' shows what was measured"
            if start.benchmark in RECOVERIES
            else f"; what was measured stands in {journal}"
        )
    if any(f"{_MPICH_LIBRARY}: cannot open" in line for line in ended.error_lines):
        way_out = f"; it needs {_MPICH_LIBRARY}, which {install_command('mpich')} adds"
    warn(f"beff: {start.title} {reason} and {what}{way_out}")
