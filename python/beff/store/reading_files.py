"""From result files to entries: each in a process of its own, with bounded memory and time.

A file may be made so that checking it never ends; here that costs this file only.
"""

import hashlib
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from beff.definition.verify import require_verified
from beff.result.bounds import not_yet
from beff.result.errors import ResultError
from beff.result.load import load_document
from beff.result.result_files import files_of
from beff.result.strict_json import read_bytes
from beff.store.entry import MAP_OF_PAIRS, Entry, entry_of
from beff.store.side_by_side import Lost, side_by_side
from beff.verify.subject import grouped

Made = TypeVar("Made")
LARGEST_BYTES = 32 << 20
"""Of a result file, unpacked."""
_MEMORY_BYTES = 3 << 30
_TIME_S = 60
_FOREIGN = "is JSON, but not a result"


@dataclass(frozen=True)
class Stored:
    """What files and folders hold: of each run one entry; maps of pairs, which have none.

    `left_out` says of files why they are neither.
    """

    entries: tuple[Entry, ...]
    maps: tuple[Path, ...]
    left_out: tuple[str, ...]


def read_stored(paths: Sequence[Path]) -> Stored:
    """Read the results of files and folders. Raises ResultError where one cannot be looked into.

    Of valid ones every figure is recomputed from the samples; others are no evidence, whatever they
    say.
    """
    problems = list[ResultError]()
    every = (file for path in paths for file in files_of(path, problems.append))
    files = list(dict.fromkeys(every))
    found: list[tuple[Path, Entry]] = []
    maps, left_out = [], [*map(str, problems)]
    for path, read in zip(files, each_bounded(_read_entry, files), strict=True):
        if isinstance(read, Entry):
            found.append((path, read))
        elif read == MAP_OF_PAIRS:
            maps.append(path)
        elif not read.startswith(_FOREIGN):
            left_out.append(f"{path}: {read}")
    groups = grouped(found, lambda one: {one[1].samples}, lambda one: bool(one[1].rmax_gflops))
    left_out += [
        f"{path}: holds the same samples as {kept}"
        for (kept, _), *copies in groups
        for path, _ in copies
    ]
    return Stored(tuple(group[0][1] for group in groups), tuple(maps), tuple(left_out))


def _read_entry(path: Path) -> Entry:
    """Read one result. Raises ResultError."""
    digest = hashlib.sha256(read_bytes(path, LARGEST_BYTES)).hexdigest()
    document = load_document(path)
    if not document.is_imported and (why := not_yet(document.started_at)):
        raise ResultError(f"was {why}", path)
    if document.result.valid:
        require_verified(document)
    return entry_of(document, digest)


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
