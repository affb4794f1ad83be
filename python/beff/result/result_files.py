"""Which result files a user means by paths of files and folders."""

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from beff.result.errors import ResultError
from beff.result.load import Document, ForeignFileError
from beff.result.places import is_file, is_folder, unreadable

SUFFIXES = (".json", ".json.gz")
"""Of files of results, as measured or packed."""
Loaded = Callable[[int, int], None]
"""Called with how many files of how many have been read."""
Load = Callable[[Path], Document]
LeftOut = Callable[[ResultError], object]


def in_silence(_: ResultError) -> None:
    """Leave a file out without a word."""


def files_of(path: Path, left_out: LeftOut = in_silence) -> list[Path]:
    """Return a file itself; of a folder, what may be results in it and in the folders in it.

    Hidden files and folders, and links to folders, are left out, and so are folders in it that
    cannot be read: `left_out` is called with why. Raises ResultError where it cannot itself.
    """
    if not is_folder(path):
        return [path]

    def refuse(problem: OSError) -> None:
        why = unreadable(problem.filename, problem)
        if Path(problem.filename) == path:
            raise why from None
        left_out(why)

    found = []
    for place, folders, names in os.walk(path, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        kept = (name for name in names if name.endswith(SUFFIXES) and not name.startswith("."))
        found += [Path(place) / name for name in sorted(kept)]
    return list(filter(_may_be_file, found))


def _may_be_file(path: Path) -> bool:
    """Whether to read it: reading what cannot be looked at says why."""
    try:
        return is_file(path)
    except ResultError:
        return True


def with_stem_ending(path: Path, ending: str) -> Path:
    """Return the path of a result file with more before .json, or before .json.gz."""
    suffix = next((one for one in SUFFIXES if path.name.endswith(one)), path.suffix)
    return path.with_name(f"{path.name.removesuffix(suffix)}{ending}{suffix}")


def no_result(path: Path, problems: Sequence[ResultError] = ()) -> ResultError:
    """Return what to raise where a folder holds no result, or none that can be used."""
    if problems:
        return ResultError(f"holds no result that can be used ({problems[0]})", path)
    return ResultError("holds no result; results are files in .json or .json.gz", path)


Read = TypeVar("Read")
Many = Callable[[Callable[[Path], Any], Sequence[Path]], Iterable[Any]]
"""Does something with each of many files, in order, as `map` does."""


class MapError(ResultError):
    """A map of pairs where results with a value are meant."""


def read_results(
    paths: Iterable[Path],
    load: Callable[[Path], Read],
    loaded: Loaded | None = None,
    *,
    left_out: LeftOut = in_silence,
    many: Many = map,
) -> list[Read]:
    """Return what `load` makes of results in the order given; a folder stands for all in it.

    A file that is named twice counts once. JSON files of a folder that are no results are left out,
    and maps of pairs that `load` refuses. `left_out` is called with why files of a folder cannot be
    used. Raises ResultError when a file that is named is missing, damaged or of another schema
    version, and when a folder holds no result.
    """

    def tried(file: Path) -> Read | ResultError:
        try:
            return load(file)
        except ResultError as problem:
            return problem

    places = [(path, files_of(path, left_out)) for path in paths]
    total = sum(len(files) for _, files in places)
    found: list[Read] = []
    used: set[str] = set()
    done = 0
    for path, files in places:
        fresh: dict[str, Path] = {}
        for file in files:
            fresh.setdefault(os.path.realpath(file), file)  # which takes links in a circle, too
        known = not used.isdisjoint(fresh)
        fresh = {place: file for place, file in fresh.items() if place not in used}
        done += len(files) - len(fresh)
        problems: list[ResultError] = []
        before = len(found)
        for place, outcome in zip(fresh, many(tried, list(fresh.values())), strict=True):
            if isinstance(outcome, ResultError):
                if not is_folder(path):
                    raise outcome
                problems.append(outcome)
            else:
                found.append(outcome)
                used.add(place)
            done += 1
            if loaded is not None:
                loaded(done, total)
        if len(found) == before and not known:
            if any(isinstance(one, MapError) for one in problems):
                raise ResultError("a map of pairs has no value; beff check judges it", path)
            raise no_result(path, [one for one in problems if not isinstance(one, _NOT_MEANT)])
        for one in problems:
            if not isinstance(one, _NOT_MEANT):
                left_out(one)
    return found


_NOT_MEANT = (ForeignFileError, MapError)
"""Files of a folder about which nothing is said."""


def without_maps(load: Load) -> Load:
    """Return what loads a result as `load`, but for a map of pairs: that raises MapError."""

    def loaded(file: Path) -> Document:
        document = load(file)
        if document.benchmark == "b_pairs":
            raise MapError("a map of pairs has no value; beff check judges it", file)
        return document

    return loaded
