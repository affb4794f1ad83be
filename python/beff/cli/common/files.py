"""The files that a command reads and writes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timezone
from itertools import chain, count
from pathlib import Path
from typing import Any

from beff.cli.common import exit_codes
from beff.cli.common.say import say, warn
from beff.definition.subject import sound
from beff.definition.verify import recover, verify
from beff.result import load
from beff.result.errors import BeffError, ResultError, TargetError, WrongUsageError
from beff.result.places import is_folder, is_held, require_free, roll_of

RESULTS = Path("results")
"""Where `beff run` puts its folders."""


def name_left_out(problem: ResultError) -> None:
    """Say on standard error that a file of a folder is not used, and why."""
    warn(f"beff: {problem}; it is left out")


Outcome = tuple[bool, list[str]]
"""Whether it went well, and what is said of it."""


def with_each(
    paths: Iterable[Path],
    act: Callable[[Path], Outcome],
    failing: tuple[type[ResultError], ...],
    many: load.Many = map,
) -> int:
    """Do something with each result of files and folders; one that fails does not stop the others.

    Returns the exit code: for what is missing or no result, that of wrong usage; where it is one of
    `failing`, and where it did not go well, that of a failure.
    """
    codes = [exit_codes.OK]

    def tried(file: Path) -> Outcome | BeffError:
        try:
            return act(file)
        except BeffError as problem:
            return problem

    for path in paths:
        ignored: type[BeffError] | tuple[()] = ()
        outcomes: Iterator[Outcome | BeffError]
        try:
            ignored = load.ForeignFileError if is_folder(path) else ()
            outcomes = iter(many(tried, load.files_of(path, name_left_out)))
        except ResultError as problem:
            outcomes = iter([problem])
        used = (one for one in outcomes if not isinstance(one, ignored))
        for outcome in chain([next(used, load.no_result(path))], used):
            if isinstance(outcome, BeffError):
                warn(outcome)
                fails = isinstance(outcome, failing)
                codes.append(exit_codes.FAILED if fails else exit_codes.of_problem(outcome))
            else:
                went_well, lines = outcome
                say(*lines)
                codes.append(exit_codes.OK if went_well else exit_codes.FAILED)
    return exit_codes.worst(codes)


def verified(path: Path, show_all: bool = False) -> Outcome:
    """Verify a file: a sentence, or with `show_all` one per finding. Raises ResultError."""
    document = load.load_document(path)
    done = verify(document)
    if done.agrees:
        sentence = f"verified, {done.figures} derived figures and {done.samples} samples agree"
        if document.is_imported:
            sentence = f"imported; {done.figures} printed figures agree with each other"
        unknown = done.not_checked and f"; cannot be checked: {', '.join(done.not_checked)}"
        return True, [f"{path}: {sentence}{unknown or ''}"]
    lines = [f"{path}: {finding}" for finding in done.findings]
    if len(lines) > 1 and not show_all:
        lines[1:] = [f"{path}: {len(lines) - 1} more disagreements; --all shows them"]
    return False, lines


UNDER_WAY = "the run is still under way"


def recovered(path: Path) -> tuple[load.Document, load.Journal]:
    """Return the partial result of a journal, with every loop in it, and the journal itself.

    Raises BeffError for a run that is still under way.
    """
    entries = load.read_journal(path)
    if is_held(roll_of(path)):
        raise BeffError(f"{path}: {UNDER_WAY}; it writes a result at its end")
    if entries.cut_line:
        warn(f"{path}: the last line was cut in the middle and is left out")
    return sound(load.check_document(str(path), recover(str(path), entries))), entries


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
        wanted = folder / f"{datetime.now(timezone.utc):%Y-%m-%dT%H%M%SZ}"
        for number in count(1) if chosen is None else ():  # of commands that begin in a second
            with suppress(FileExistsError):
                folder = wanted if number == 1 else Path(f"{wanted}-{number}")
                folder.mkdir()
                break
    except OSError as problem:
        is_taken = isinstance(problem, (FileExistsError, NotADirectoryError))
        raise (TargetError if is_taken else BeffError)(
            f"the folder {folder} cannot be made ({problem.strerror}); choose another with {option}"
        ) from None
    return folder


def chosen_targets(given: Any, *names: str, endings: Sequence[str] = ()) -> dict[str, Path]:
    """Return the files that options ask for, by option; --output must have one of the endings.

    Raises TargetError where one is taken, WrongUsageError for another ending.
    """
    chosen = {f"--{name}": getattr(given, name) for name in names if getattr(given, name)}
    if endings and "--output" in chosen and given.output.suffix.lower() not in endings:
        raise WrongUsageError(
            f"--output {given.output}: the ending '{given.output.suffix}' is none that is written"
            f" here; end the name in one of {', '.join(endings)}"
        )
    for option, path in chosen.items():
        require_free(path, overwrite=given.overwrite, option=option)
    return chosen


def say_without_pictures(page: Path) -> None:
    """Say why a page has no pictures, on standard error."""
    from beff.show.charts.drawing import why_no_pictures  # noqa: PLC0415 - of an extra

    if page.suffix.lower() == ".html" and (reason := why_no_pictures()) is not None:
        warn(f"beff: {page}: {reason}")
