"""A store is a folder: the results that lie in it, and in the folders in it."""

from pathlib import Path

from beff.model.errors import ResultError
from beff.model.result_files import files_of
from beff.store.entry import Entry
from beff.store.reading_files import read_files

_FOREIGN = "is JSON, but not a result"


def entries_of(folder: Path) -> tuple[list[Entry], list[str]]:
    """Return the results of a folder, each once, and what was left out and why.

    Every figure was recomputed from the samples. Raises ResultError where there is no result.
    """
    if not folder.is_dir():
        raise ResultError(f"{folder}: is no folder of results")
    found: dict[str, Entry] = {}
    left_out = []
    files = files_of(folder)
    for reading in read_files(files, recompute=files):
        entry = reading.entry
        if entry is not None and entry.sha256 is not None:
            found.setdefault(entry.sha256, entry)
        elif not str(reading.found).startswith(_FOREIGN):
            left_out.append(f"{reading.path}: {reading.found}")
    if not found:
        more = f" ({left_out[0]})" if left_out else ""
        raise ResultError(f"{folder}: holds no result that can be used{more}")
    return list(found.values()), left_out
