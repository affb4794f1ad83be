"""From result files to entries: each in a process of its own, with bounded memory and time.

A file may be made so that checking it never ends; here that costs this file only. What was read is
kept by the SHA-256 of the file, in the index.
"""

import hashlib
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from pydantic_core import from_json

from beff.result.errors import ResultError
from beff.result.load import Document, check_document, load_document
from beff.result.places import is_link
from beff.result.result_files import files_of
from beff.result.strict_json import decoded, json_object, read_bytes, read_raw
from beff.store.entry import MAP_OF_PAIRS, Entry, entry_of
from beff.store.index import Index, Known
from beff.store.side_by_side import Lost, side_by_side
from beff.verify.subject import grouped
from beff.verify.verify import require_verified

Made = TypeVar("Made")
LARGEST_BYTES = 32 << 20
"""Of a result file, unpacked."""
_MEMORY_BYTES = 3 << 30
_TIME_S = 60


@dataclass(frozen=True)
class Reading:
    """A file and what was read of it: an entry, or the reason why there is none."""

    path: Path
    found: Entry | str

    @property
    def entry(self) -> Entry | None:
        """The entry; its file is the one that lies here, whatever it was called before."""
        if isinstance(self.found, str):
            return None
        return self.found.model_copy(update={"file": self.path.name})


def read_files(paths: Sequence[Path], *, recompute: bool) -> list[Reading]:
    """Read results, in the order given; those that the index knows are not opened again.

    To `recompute` is to derive every figure of valid ones from the samples; others keep the schema.
    """
    index = Index()
    hashes = [_hash(path) for path in paths]
    known = index.known(hashes)
    new = {
        sha: path
        for path, sha in zip(paths, hashes, strict=True)
        if sha and (sha not in known or (recompute and _may_be_wrong(known[sha])))
    }
    read = each_bounded(partial(read_entry, recompute=recompute), list(new.values()))
    fresh = {sha: Known(found, recompute) for sha, found in zip(new, read, strict=True)}
    index.keep({sha: one for sha, one in fresh.items() if isinstance(one.found, Entry)})
    known |= fresh
    return [
        Reading(path, known[sha].found if sha else _unreadable(path))
        for path, sha in zip(paths, hashes, strict=True)
    ]


def _may_be_wrong(known: Known) -> bool:
    is_valid = isinstance(known.found, Entry) and known.found.status == "valid"
    return is_valid and not known.recomputed


def _hash(path: Path) -> str:
    """Return the SHA-256 of a file as it lies there; nothing for one that cannot be read."""
    try:
        content = b"" if is_link(path) else read_raw(path, LARGEST_BYTES)
    except ResultError:
        content = b""
    return hashlib.sha256(content).hexdigest() if content else ""


def _unreadable(path: Path) -> str:
    try:
        return "is a link" if is_link(path) else "is empty, or no file that can be read"
    except ResultError as problem:
        return problem.reason


class _TooLongError(Exception):
    """The time of a file is over; no OSError, which would be taken for one of the file."""


def _took_too_long(*_: Any) -> NoReturn:
    raise _TooLongError


def each_bounded(act: Callable[[Path], Made], paths: Sequence[Path]) -> list[Made | str]:
    """Return what `act` makes of each file, or why nothing, within bounds of memory and time."""
    read = side_by_side(partial(_bounded, act), paths, _MEMORY_BYTES)
    return ["reading it was killed" if isinstance(one, Lost) else one for one in read]


def _bounded(act: Callable[[Path], Made], path: Path) -> Made | str:
    signal.signal(signal.SIGALRM, _took_too_long)
    signal.setitimer(signal.ITIMER_REAL, _TIME_S)
    try:
        return act(path)
    except ResultError as problem:
        return problem.reason
    except _TooLongError:
        return f"takes more than {_TIME_S} s to verify"
    except MemoryError:
        return f"needs more than {_MEMORY_BYTES >> 30} GiB of memory to verify"
    except Exception as problem:
        return f"cannot be used ({type(problem).__name__})"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def read_entry(path: Path, *, recompute: bool) -> Entry:
    """Read one result. Raises ResultError."""
    content = read_bytes(path, LARGEST_BYTES)
    document = load_document(path) if recompute else _parsed(path, content)
    if recompute and document.result.valid:
        require_verified(document)
    return entry_of(document, hashlib.sha256(content).hexdigest())


def _parsed(path: Path, content: bytes) -> Document:
    try:
        fields = from_json(content, allow_inf_nan=False)
    except ValueError:
        fields = json_object(str(path), decoded(path, content))
    if not isinstance(fields, dict):
        raise ResultError("is JSON, but not an object as a result is", path)
    return check_document(str(path), fields)


_FOREIGN = "is JSON, but not a result"


def maps_of(paths: Sequence[Path]) -> list[Path]:
    """Return the maps of pairs among files and folders, which have no entry."""
    files = list(dict.fromkeys(file for path in paths for file in files_of(path)))
    return [one.path for one in read_files(files, recompute=False) if one.found == MAP_OF_PAIRS]


def entries_of(paths: Sequence[Path]) -> tuple[list[Entry], list[str]]:
    """Return the results of files and folders, of each run one, and what was left out and why.

    Of valid ones every figure was recomputed from the samples; others are no evidence, whatever
    they say. Raises ResultError where there is no result.
    """
    found: list[tuple[Path, Entry]] = []
    left_out = []
    files = list(dict.fromkeys(file for path in paths for file in files_of(path)))
    for reading in read_files(files, recompute=True):
        entry = reading.entry
        if entry is not None:
            found.append((reading.path, entry))
        elif not str(reading.found).startswith(_FOREIGN):
            left_out.append(f"{reading.path}: {reading.found}")
    if not found:
        more = f" ({left_out[0]})" if left_out else ""
        names = ", ".join(map(str, paths))
        raise ResultError(f"holds no result that can be used{more}", names)
    groups = grouped(found, lambda one: one[1].samples, lambda one: bool(one[1].rmax_gflops))
    left_out += [
        f"{path}: holds the same samples as {kept}"
        for (kept, _), *copies in groups
        for path, _ in copies
    ]
    return [group[0][1] for group in groups], left_out
