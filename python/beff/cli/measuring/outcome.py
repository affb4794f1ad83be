"""What is shown of a run while it lasts, a bar or lines, and the exit code of what it left."""

import re
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Columns

from beff.cli.common import exit_codes
from beff.cli.common.files import recovered
from beff.cli.common.say import warn
from beff.launch.campaign import Left, Progress, Start
from beff.launch.engine import install_command
from beff.launch.launcher import numberings_of
from beff.launch.process import death_in, printable
from beff.result.armour import parse_json, read_text
from beff.result.contract import MeasuredResult
from beff.result.errors import BeffError, ResultError, one_line
from beff.result.load import Document
from beff.result.numbers import format_duration, percent
from beff.result.places import JOURNAL_SUFFIX, modified

_LINE_EVERY_S = 5.0
_TOO_EARLY = 0.01
Show = Callable[[Progress | None], None]
"""Called with how far a run is, None while that is not known."""


@contextmanager
def showing(title: str) -> Iterator[Show]:
    """Show how far a run is, as a function is called that this gives.

    That is a bar where standard error is a terminal that can move back in a line, else lines.
    """
    console, title = Console(stderr=True), one_line(title)
    if not console.is_terminal or console.is_dumb_terminal:
        yield _lines(title)
        return
    columns = Columns(
        *(TextColumn(title), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()),
        TextColumn("{task.fields[now]}", markup=False),
        console=console,
        auto_refresh=False,  # at each look, and by no timer in between
        transient=True,
    )
    task = columns.add_task(title, total=None, now="starting")

    def show(progress: Progress | None) -> None:
        if progress is not None:
            now = f"{progress.now}; {progress.done}" if progress.now else progress.done
            total = None if progress.share is None else 1.0
            columns.update(task, completed=progress.share, total=total, now=now)
        columns.refresh()

    with columns:
        yield show


def _lines(title: str) -> Show:
    """Return what prints a line every few seconds, for logs, where it says something new."""
    started, line = time.monotonic(), ""
    last = started

    def show(progress: Progress | None) -> None:
        nonlocal last, line
        now = time.monotonic()
        if progress is None or (share := progress.share) is None or now - last < _LINE_EVERY_S:
            return
        last, before = now, line
        line = f"{title}: {progress.done}"
        if share > _TOO_EARLY:
            rest = round((now - started) * (1 - share) / share)
            left = f"about {format_duration(rest)} left" if rest > 0 else "almost done"
            line += f" ({percent(share)}), {left}, now {progress.now}"
        if line != before:
            print(line, file=sys.stderr, flush=True)

    return show


_MPICH_LIBRARY = "libmpi.so.12"
"""By this name, the programs ask for MPICH or a library that is compatible with it."""


def shown(start: Start) -> AbstractContextManager[Show]:
    """Say what is started, and show its progress."""
    warn(f"{start.title}, started by {start.launcher}")
    return showing(start.title.replace(" with", ",", 1))


def exit_code_of(left: Left, accepts: Callable[[MeasuredResult], bool]) -> int:
    """Say why a run failed, keep what it has printed, and return the exit code.

    A run that was stopped on demand counts by its result alone, since some launchers then return a
    code of their own.
    """
    start, ended, result = left.start, left.ended, left.result
    prefix = f"{start.benchmark}: "
    if left.problem is not None:
        warn(f"beff: {left.problem}")
    expected = ended.exit_code in (exit_codes.OK, exit_codes.NOT_VALID)
    code = ended.exit_code if expected and result is not None else exit_codes.FAILED
    if left.is_refused:
        code = exit_codes.WRONG_USAGE
    if result is not None and (expected or ended.stopped_by) and not ended.stalled:
        code = exit_codes.OK if accepts(result) else exit_codes.NOT_VALID
        warn(*(f"  {line}" for line in ended.error_lines if line.startswith(prefix)))
    else:
        _explain_failure(left)
    if not left.is_refused:
        log, errors = start.file(".stderr.txt"), ended.standard_error
        with suppress(OSError):
            log.unlink(missing_ok=True)
        lines = errors.decode(errors="replace").splitlines()
        # what was not shown, such as warnings of the MPI library
        if any(line.strip() and not line.startswith(prefix) for line in lines):
            _keep("standard error of this run", errors, log)
        if result is None and ended.output:  # a result that could not be written
            _keep("standard output of this run", ended.output, start.file(".stdout.txt"))
    if ended.stopped_by == signal.SIGINT:
        return exit_codes.STOPPED
    if code == exit_codes.OK and result is not None and start.numbering is not None:
        placed = numberings_of(result.environment.placement)
        return code if start.numbering in placed else exit_codes.NOT_VALID
    return code


def document_of(left: Left) -> Document | None:
    """Return the result of a run, or what one that was cut off has measured; else None, said."""
    if left.document is not None or not left.has_journal:
        return left.document
    try:
        return recovered(left.start.file(JOURNAL_SUFFIX))[0]
    except BeffError as problem:
        warn(f"beff: {problem}")
        return None


def _keep(what: str, content: bytes, path: Path) -> None:
    """Write what a run has printed beside its result, else where temporary files are."""
    try:
        path.write_bytes(content)
    except OSError as problem:
        warn(f"beff: {path} cannot be written ({problem.strerror})")
        try:
            path = Path(tempfile.mkdtemp(prefix="beff-")) / path.name
            path.write_bytes(content)
        except OSError:
            return
    warn(f"  {what} is kept in {path}")


_OF_TRIAL = re.compile(rb"^trying messages in device memory: (.*)$", re.MULTILINE)
"""What a program says of the library before it tries it: a process may die of it."""


def _explain_failure(left: Left) -> None:
    start, ended, result = left.start, left.ended, left.result
    warn(*(f"  {line}" for line in ended.error_lines))
    if ended.stopped_by is not None:
        reason = f"was stopped by {ended.stopped_by.name}"
    elif ended.way_out:
        reason = f"was ended, as its launcher waits in vain ({ended.way_out}),"
    elif ended.stalled:
        limit = format_duration(start.stall_limit_s)
        reason = f"recorded nothing new for {limit} (--stall-limit), was ended"
    else:
        death = death_in(ended)
        reason = f"ended with exit code {ended.exit_code}{f': {death};' if death else ''}"
    what, way_out = "left no result", ""
    journal = start.file(JOURNAL_SUFFIX)
    if result is not None:
        what = "left a result" if result.complete else "left a partial result"
    elif left.has_journal and (tried := _tried_last(journal)):
        way_out = f"; it was trying messages by {tried}, nothing was measured"
        if trial := _OF_TRIAL.search(ended.standard_error):
            way_out += f": {printable(trial[1])}"
    elif modified(journal) is not None:
        way_out = f"; 'beff show {journal}' shows what was measured"
    if any(f"{_MPICH_LIBRARY}: cannot open" in line for line in ended.error_lines):
        way_out = f"; it needs {_MPICH_LIBRARY}, which {install_command('mpich')} adds"
    warn(f"beff: {start.title} {reason} and {what}{way_out}")


def _tried_last(journal: Path) -> str:
    """Return by what messages were tried as the last of all; empty where there is more."""
    try:
        *_, last = read_text(journal).splitlines()
        return str(parse_json(last)["trial"]["messages"])
    except (ResultError, ValueError, KeyError, TypeError):
        return ""
