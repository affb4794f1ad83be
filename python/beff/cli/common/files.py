"""The files that a command reads and writes."""

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from datetime import datetime, timezone
from functools import partial
from pathlib import Path

from beff.cli.common import exit_codes
from beff.cli.common.live import display_for
from beff.cli.common.say import say, warn
from beff.definition.verify import verify as verify_document
from beff.launch.follow import Progress
from beff.result.errors import BeffError, ResultError, TargetError, WrongUsageError
from beff.result.load import Document, ForeignFileError, SchemaError, load_document
from beff.result.places import is_folder
from beff.result.plain_text import one_line
from beff.result.result_files import Loaded, files_of, no_result
from beff.store.side_by_side import many_at_once
from beff.verify.subject import Subject, load_sound_document, load_subject

RESULTS = Path("results")
"""Where `beff run` puts its folders."""
_MANY = 20
"""Files from which on progress is shown."""


def load_with_progress(
    paths: Sequence[Path], load: Callable[[Path], Document] = load_sound_document, **chosen: bool
) -> Subject:
    """Read the results that files and folders hold, and name copies that are left out.

    What is `chosen` is as in `load_subject`. Raises ResultError.
    """
    with reading_progress() as show:
        subject = load_subject(paths, show, load=load, left_out=name_left_out, **chosen)
    for sentence in subject.copies:
        warn(f"beff: {sentence}")
    return subject


@contextmanager
def reading_progress() -> Iterator[Loaded]:
    """Show how many of many files have been read, as a function is called that this gives."""
    display = None

    def show(done: int, total: int) -> None:
        nonlocal display
        if total < _MANY:
            return
        display = display or display_for("reading results")
        display.show(Progress(share=done / total, done=f"{done} of {total} files", now="reading"))

    try:
        yield show
    finally:
        if display is not None:
            display.close()


def name_left_out(problem: ResultError) -> None:
    """Say on standard error that a file of a folder is not used, and why."""
    warn(f"beff: {problem}; it is left out")


def with_each(
    paths: Iterable[Path], act: Callable[[Path], bool], *, many_at_once: bool = False
) -> int:
    """Do something with each result of files and folders; one that fails does not stop the others.

    With `many_at_once` in as many processes as there are cores, where all that is done is printed.
    Returns the exit code: for what is missing or no result, that of wrong usage.
    """
    codes = [exit_codes.OK]
    for path in paths:
        try:
            files, in_folder = files_of(path, name_left_out), is_folder(path)
        except ResultError as problem:
            warn(problem)
            codes.append(exit_codes.WRONG_USAGE)
            continue
        tried = partial(_tried, act, in_folder)
        found = list(_told(tried, files) if many_at_once else map(tried, files))
        codes += [code for code in found if code is not None]
        if not any(code is not None for code in found):
            warn(no_result(path))
            codes.append(exit_codes.WRONG_USAGE)
    return exit_codes.worst(codes)


def _tried(act: Callable[[Path], bool], in_folder: bool, file: Path) -> int | None:
    """Do it and return the exit code, None for a file of a folder that never was a result."""
    try:
        return exit_codes.OK if act(file) else exit_codes.FAILED
    except BeffError as problem:
        if isinstance(problem, ForeignFileError) and in_folder:
            return None
        warn(problem)
        return exit_codes.of_problem(problem)


def _told(tried: Callable[[Path], int | None], files: Sequence[Path]) -> Iterator[int | None]:
    """Do it side by side, and print in order what is printed."""

    def heard(file: Path) -> tuple[int | None, str, str]:
        with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as problems:
            code = tried(file)
        return code, out.getvalue(), problems.getvalue()

    for found in many_at_once(heard, files):
        if isinstance(found, ResultError):
            warn(found)
            yield exit_codes.FAILED
        else:
            code, out, problems = found
            print(out, end="")
            print(problems, end="", file=sys.stderr)
            yield code


def verify_file(path: Path, show_all: bool = False, *, only_failures: bool = False) -> bool:
    """Print what verifying a file says: one line, or with `show_all` one per finding.

    With `only_failures`, nothing where all agrees.

    Raises ResultError for what is no result.
    """
    try:
        document = load_document(path)
    except SchemaError as problem:
        warn(problem)
        return False
    try:
        verification = verify_document(document)
    except ResultError as problem:
        warn(problem)
        return False
    named = one_line(str(path))
    if verification.agrees:
        said = (
            f"verified, {verification.figures} derived figures and {verification.samples} samples"
            " agree"
        )
        if verification.not_checked:
            said = (
                f"imported; {verification.figures} printed figures agree with each other; cannot"
                f" be checked: {', '.join(verification.not_checked)}"
            )
        if not only_failures:
            say(f"{named}: {said}")
        return True
    for finding in verification.findings if show_all else verification.findings[:1]:
        say(f"{named}: {finding}")
    hidden = len(verification.findings) - 1
    if hidden and not show_all:
        say(f"{named}: {hidden} more disagreements; --all shows them")
    return False


def existing_results() -> Path:
    """Return the folder of results where none is named. Raises WrongUsageError without it."""
    if not is_folder(RESULTS):
        raise WrongUsageError(
            f"there is no folder '{RESULTS}' here; name a result, or measure by beff run"
        )
    return RESULTS


def make_folder(
    chosen: Path | None, otherwise: Path | None = None, option: str = "--output-dir"
) -> Path:
    """Make the folder that was chosen, else one of the time in UTC in another, or in results.

    Raises TargetError where a file is in its place, BeffError where it cannot be written; the
    option is the way out.
    """
    folder = chosen or otherwise or RESULTS
    try:
        if not is_folder(folder):
            folder.mkdir(parents=True, exist_ok=True)
        if chosen is None:
            folder = _made_anew(folder / f"{datetime.now(timezone.utc):%Y-%m-%dT%H%M%SZ}")
    except OSError as problem:
        is_taken = isinstance(problem, (FileExistsError, NotADirectoryError))
        raise (TargetError if is_taken else BeffError)(
            f"the folder {folder} cannot be made ({problem.strerror}); choose another with {option}"
        ) from None
    return folder


def _made_anew(wanted: Path) -> Path:
    """Make a folder that no other command has: two may begin in the same second. Raises OSError."""
    folder, number = wanted, 1
    while True:
        try:
            folder.mkdir()
        except FileExistsError:
            number += 1
            folder = Path(f"{wanted}-{number}")
        else:
            return folder


def say_without_pictures(page: Path) -> None:
    """Say why a page has no pictures, on standard error."""
    if page.suffix != ".html":
        return
    from beff.charts.render import why_no_pictures  # noqa: PLC0415 - of an extra

    reason = why_no_pictures()
    if reason is not None:
        warn(f"beff: {page}: {reason}")
