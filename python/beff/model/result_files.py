"""Which result files a user means by paths of files and folders."""

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from beff.model.errors import ResultError
from beff.model.load import Document, ForeignFileError, load_document

SUFFIXES = (".json", ".json.gz")
"""Of files of results, as measured or packed."""
Loaded = Callable[[int, int], None]
"""Called with how many files of how many have been read."""
Load = Callable[[Path], Document]
LeftOut = Callable[[ResultError], object]


def in_silence(_: ResultError) -> None:
    """Leave a file out without a word."""


def files_of(path: Path) -> list[Path]:
    """Return a file itself; of a folder, what may be results in it and in the folders in it.

    Hidden files and folders, and links to folders, are left out. Raises ResultError.
    """
    if not path.is_dir():
        return [path]

    def refuse(problem: OSError) -> None:
        raise ResultError(f"{problem.filename}: cannot be read ({problem.strerror})") from None

    found = []
    for place, folders, names in os.walk(path, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        kept = (name for name in names if name.endswith(SUFFIXES) and not name.startswith("."))
        found += [Path(place) / name for name in sorted(kept)]
    return [file for file in found if file.is_file()]


def with_stem_ending(path: Path, ending: str) -> Path:
    """Return the path of a result file with more before .json, or before .json.gz."""
    suffix = next((one for one in SUFFIXES if path.name.endswith(one)), path.suffix)
    return path.with_name(f"{path.name.removesuffix(suffix)}{ending}{suffix}")


def no_result(path: Path, problems: Sequence[ResultError] = ()) -> ResultError:
    """Return what to raise where a folder holds no result, or none that can be used."""
    if problems:
        return ResultError(f"{path}: holds no result that can be used ({problems[0]})")
    return ResultError(f"{path}: holds no result; results are files in .json or .json.gz")


def load_documents(
    paths: Iterable[Path],
    loaded: Loaded | None = None,
    *,
    maps: bool = True,
    load: Load = load_document,
    left_out: LeftOut = in_silence,
) -> list[Document]:
    """Read results in the order given; a folder stands for all results in it.

    A file that is named twice counts once. JSON files of a folder that are no results are left out,
    and by choice maps of pairs (b_pairs), which then cannot be named either. `left_out` is called
    with why files of a folder cannot be used. Raises ResultError when a file that is named is
    missing, damaged or of another schema version, and when a folder holds no result.
    """
    places = [(path, files_of(path)) for path in paths]
    total = sum(len(files) for _, files in places)
    found: dict[str, Document] = {}
    done = 0
    for path, files in places:
        before = len(found)
        known = False
        has_maps = False
        problems = []
        for file in files:
            resolved = os.path.realpath(file)  # which takes links in a circle, too
            known = known or resolved in found
            if resolved not in found:
                try:
                    document = load(file)
                except ResultError as problem:
                    if not path.is_dir():
                        raise
                    if not isinstance(problem, ForeignFileError):
                        problems.append(problem)
                else:
                    has_maps = has_maps or (document.benchmark == "b_pairs" and not maps)
                    if maps or document.benchmark != "b_pairs":
                        found[resolved] = document
            done += 1
            if loaded is not None:
                loaded(done, total)
        if len(found) == before and not known:
            if has_maps:
                raise ResultError(f"{path}: a map of pairs has no value; beff check judges it")
            raise no_result(path, problems)
        for one in problems:
            left_out(one)
    return list(found.values())
