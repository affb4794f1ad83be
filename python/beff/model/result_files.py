"""Which result files a user means by paths of files and folders."""

from collections.abc import Callable, Iterable
from pathlib import Path

from beff.model.errors import ResultError
from beff.model.load import Document, ForeignFileError, load_document

SUFFIXES = (".json", ".json.gz")
"""Of files of results, as measured or packed."""
Loaded = Callable[[int, int], None]
"""Is told how many files of how many have been read."""


def load_documents(
    paths: Iterable[Path], loaded: Loaded | None = None, *, nested: bool = False
) -> list[Document]:
    """Read results in the order given; a folder stands for the results that lie in it.

    With `nested` also for those in the folders in it. A file that is named twice counts once. JSON
    files of a folder that are no results are left out. Raises ResultError when a file is missing,
    damaged or of another schema version, and when a folder holds no result.
    """
    places = [(path, _files_of(path, nested=nested)) for path in paths]
    total = sum(len(files) for _, files in places)
    found: dict[Path, Document] = {}
    done = 0
    for path, files in places:
        before = len(found)
        known = False
        for file in files:
            resolved = file.resolve()
            known = known or resolved in found
            if resolved not in found:
                document = _load(file, of_folder=path.is_dir())
                if document is not None:
                    found[resolved] = document
            done += 1
            if loaded is not None:
                loaded(done, total)
        if len(found) == before and not known:
            raise ResultError(f"{path}: holds no result; results are files in .json or .json.gz")
    return list(found.values())


def _files_of(path: Path, *, nested: bool) -> list[Path]:
    if not path.is_dir():
        return [path]
    try:
        inside = sorted(path.iterdir())
    except OSError as problem:
        raise ResultError(f"{path}: cannot be read ({problem.strerror})") from None
    files = [file for file in inside if file.name.endswith(SUFFIXES) and file.is_file()]
    folders = [entry for entry in inside if nested and entry.is_dir() and not entry.is_symlink()]
    return files + [file for folder in folders for file in _files_of(folder, nested=nested)]


def _load(file: Path, *, of_folder: bool) -> Document | None:
    try:
        return load_document(file)
    except ForeignFileError:
        if of_folder:
            return None
        raise
