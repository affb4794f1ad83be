"""The files that a command reads and writes."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path

from beff.analysis.subject import Subject, load_subject
from beff.cli.common import exit_codes
from beff.cli.common.live import display_for
from beff.launch.follow import Progress
from beff.model.errors import BeffError, ResultError, TargetError
from beff.model.load import ForeignFileError
from beff.model.result_files import files_of, no_result

_MANY = 20
"""Files from which on progress is shown."""


def load_with_progress(
    paths: Sequence[Path],
    *,
    maps: bool = True,
    with_rmax: bool = True,
    labels: Mapping[Path, str] | None = None,
) -> Subject:
    """Read the results that files and folders hold, and name copies that are left out.

    `labels` name some of the paths. Raises ResultError.
    """
    display = None

    def show(done: int, total: int) -> None:
        nonlocal display
        if total < _MANY:
            return
        display = display or display_for("reading results")
        display.show(Progress(share=done / total, done=f"{done} of {total} files", now="reading"))

    try:
        subject = load_subject(
            paths, show, maps=maps, with_rmax=with_rmax, left_out=name_left_out, labels=labels
        )
    finally:
        if display is not None:
            display.close()
    for sentence in subject.copies:
        print(f"beff: {sentence}", file=sys.stderr)
    return subject


def name_left_out(problem: ResultError) -> None:
    """Say on standard error that a file of a folder is not used, and why."""
    print(f"beff: {problem}; it is left out", file=sys.stderr)


def with_each(paths: Iterable[Path], act: Callable[[Path], bool]) -> int:
    """Do something with each result of files and folders; one that fails does not stop the others.

    Returns the exit code: for what is missing or no result, that of wrong usage.
    """
    codes = [exit_codes.OK]
    for path in paths:
        files, foreign = files_of(path), 0
        for file in files:
            try:
                codes.append(exit_codes.OK if act(file) else exit_codes.FAILED)
            except BeffError as problem:
                if isinstance(problem, ForeignFileError) and path.is_dir():
                    foreign += 1
                    continue
                print(problem, file=sys.stderr)
                codes.append(exit_codes.of_problem(problem))
        if len(files) == foreign:
            print(no_result(path), file=sys.stderr)
            codes.append(exit_codes.WRONG_USAGE)
    return exit_codes.worst(codes)


def make_folder(chosen: Path | None) -> Path:
    """Make the folder that was chosen, else results/<time in UTC>.

    Raises TargetError where a file is in its place, BeffError where it cannot be written.
    """
    folder = chosen or Path("results")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if chosen is None:
            folder = _made_anew(folder / f"{datetime.now(timezone.utc):%Y-%m-%dT%H%M%SZ}")
    except OSError as problem:
        is_taken = isinstance(problem, (FileExistsError, NotADirectoryError))
        raise (TargetError if is_taken else BeffError)(
            f"the folder {folder} cannot be made ({problem.strerror}); choose another with"
            " --output-dir"
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
    from beff.charts.common.render import why_no_pictures  # noqa: PLC0415 - of an extra

    reason = why_no_pictures()
    if reason is not None:
        print(f"beff: {page}: {reason}", file=sys.stderr)
