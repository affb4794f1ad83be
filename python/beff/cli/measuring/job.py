"""One run of a measuring program: start it, follow it, read what it leaves."""

import signal
import tempfile
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from beff.cli.common import exit_codes
from beff.cli.common.live import display_for
from beff.cli.common.say import warn
from beff.cli.measuring.benchmarks import Job, MeasuredRun, Run, title_of
from beff.cli.measuring.results import is_as_asked
from beff.launch.installation import install_command
from beff.launch.numbering import Numbering
from beff.launch.process import LOOK_EVERY_S, Ended, death_in, run_to_end
from beff.launch.stop import StallWatch, stop_of
from beff.result.errors import ResultError
from beff.result.journal import SUFFIX, is_held, remove_left, roll_of
from beff.result.load import load_document
from beff.result.numbers import format_duration
from beff.result.places import modified
from beff.verify.recover import RECOVERIES

_MPICH_LIBRARY = "libmpi.so.12"
"""By this name, the programs ask for MPICH or a library that is compatible with it."""
_END_WITHIN_S = 15.0
"""Processes whose launcher has died end within 10 s."""


def run_once(job: Job, processes: int, folder: Path, numbering: Numbering | None = None) -> Run:
    """Measure with a number of processes; the files go into a folder that exists."""
    prefix = prefix_of(job, processes, folder, numbering)
    options = ["--output", str(prefix), "--progress", "never", *job.options(processes)]
    command = job.target.command(processes, options, numbering)
    title = title_of(job.benchmark, processes, numbering)
    warn(f"{title}, started by {job.target.launcher.path}")
    before = modified(Path(f"{prefix}.json"))
    journal = Path(f"{prefix}{SUFFIX}")
    before_journal = modified(journal)
    look = job.benchmark.follow(journal)
    watch = StallWatch(journal, job.stall_limit_s, from_start=job.target.starts_at_once)
    display = display_for(title.replace(" with", ",", 1))
    try:
        ended = run_to_end(
            command,
            lambda: display.show(look()),
            stalled=watch.stalled,
            begun=lambda: modified(journal) != before_journal,
            pass_on=stop_of(job.target),
        )
    finally:
        display.close()
    roll = roll_of(journal)
    if ended.killed:
        _wait_for_end(roll)
    remove_left(roll)
    refused = ended.exit_code == exit_codes.WRONG_USAGE  # another run may write there
    is_new = not refused and modified(Path(f"{prefix}.json")) != before
    started = Run(job.benchmark, processes, prefix, None, exit_codes.OK, False, numbering)
    return _judge(job, started, ended, is_new)


def _wait_for_end(roll: Path) -> None:
    """Wait until processes whose launcher was killed have written what they measured."""
    until = time.monotonic() + _END_WITHIN_S
    while is_held(roll) and time.monotonic() < until:
        time.sleep(LOOK_EVERY_S)


def prefix_of(job: Job, processes: int, folder: Path, numbering: Numbering | None) -> Path:
    """Return how the names of all files of a run begin."""
    order = "" if numbering is None else f"_{numbering.value}"
    return folder / f"{job.benchmark.name}_{processes}p{order}"


def _judge(job: Job, run: Run, ended: Ended, is_new: bool) -> Run:
    """Read what the run left.

    A run that was stopped on demand counts by its result alone, since some launchers then return a
    code of their own.
    """
    measured: MeasuredRun | None = None
    expected = ended.exit_code in (exit_codes.OK, exit_codes.NOT_VALID)
    code = ended.exit_code if expected else exit_codes.FAILED
    if ended.exit_code == exit_codes.WRONG_USAGE:
        code = exit_codes.WRONG_USAGE
    if is_new:
        try:
            document = load_document(run.result_file)
            measured = MeasuredRun(document, job.benchmark.read(document))
        except ResultError as problem:
            warn(f"beff: {problem}")
            code = exit_codes.FAILED
    elif expected:
        code = exit_codes.FAILED
    stopped = ended.stopped_by is not None
    if measured is not None and (expected or stopped) and not ended.stalled:
        code = exit_codes.OK if job.accepts(measured.result) else exit_codes.NOT_VALID
        for line in ended.error_lines:
            if line.startswith(f"{job.benchmark.name}: "):
                warn(f"  {line}")
    else:
        _explain_failure(job, run, ended, measured)
    if code != exit_codes.WRONG_USAGE:
        _keep_standard_error(run, ended)
        if measured is None and ended.output:  # a result that could not be written
            path = Path(f"{run.prefix}.stdout.txt")
            _keep("standard output of this run", ended.output, path)
    if ended.stopped_by == signal.SIGINT:
        code = exit_codes.STOPPED
    judged = replace(run, measured=measured, exit_code=code, stopped=stopped)
    if code == exit_codes.OK and not is_as_asked(judged):
        return replace(judged, exit_code=exit_codes.NOT_VALID)
    return judged


def _keep_standard_error(run: Run, ended: Ended) -> None:
    """Keep what was not shown, such as warnings of the MPI library, beside the result."""
    lines = ended.standard_error.decode(errors="replace").splitlines()
    log = Path(f"{run.prefix}.stderr.txt")
    is_new = any(line.strip() and not line.startswith(f"{run.benchmark.name}: ") for line in lines)
    with suppress(OSError):
        log.unlink(missing_ok=True)
    if is_new:
        _keep("standard error of this run", ended.standard_error, log)


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


def _explain_failure(job: Job, run: Run, ended: Ended, measured: MeasuredRun | None) -> None:
    for line in ended.error_lines:
        warn(f"  {line}")
    if ended.stopped_by is not None:
        reason = f"was stopped by {ended.stopped_by.name}"
    elif ended.stalled:
        limit = format_duration(job.stall_limit_s)
        reason = f"recorded nothing new for {limit} (--stall-limit), was ended"
        if ended.way_out:
            reason = f"was ended, as its launcher waits in vain ({ended.way_out}),"
    else:
        death = death_in(ended)
        reason = f"ended with exit code {ended.exit_code}{f': {death};' if death else ''}"
    left, way_out = "left no result", ""
    if measured is not None:
        left = "left a result" if measured.result.complete else "left a partial result"
    journal = Path(f"{run.prefix}{SUFFIX}")
    if modified(journal) is not None and measured is None:
        way_out = (
            f"; 'beff recover {journal}' makes a partial result of what was measured"
            if run.benchmark.name in RECOVERIES
            else f"; what was measured stands in {journal}"
        )
    if any(f"{_MPICH_LIBRARY}: cannot open" in line for line in ended.error_lines):
        way_out = f"; it needs {_MPICH_LIBRARY}, which {install_command('mpich')} adds"
    warn(f"beff: {run.title} {reason} and {left}{way_out}")
