"""The messages of one iteration between ranks: read from a file, or made by a preset.

docs/reference/definitions-b_pairs.md has formats and presets; the programs have both a second time.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from beff.maps.schedule import Ints, mix, permutations, seeds_of
from beff.result.errors import WrongUsageError
from beff.result.strict_json import read_bytes
from beff.verify.b_eff.definition import balanced_extents

PRESETS = "halo:2d, halo:3d, alltoall, moe:K, transpose, nearest:K"
PRESET_BYTES = 64 * 2**10
"""Of a message of a preset, unless another size is asked for."""
MOST_ROWS = 10**7
MOST_BYTES = 2**31 - 1
"""Of a message, which MPI counts in an int."""
MOST_MESSAGES = 2**20
"""Of a process in an iteration, each of which needs a request of its own."""
_MOST_PROCESSES = 10**7
"""Where a file alone says how many there are."""
_MOST_VOLUME = 2**60
_SEED_NUMBER = 3000
"""Behind those of maps and halves."""
_NAMES = re.compile(r"(alltoall|transpose|halo|moe|nearest)(?::(.*))?", re.DOTALL)
_MATRIX_MARKET = "%%MatrixMarket"


@dataclass(frozen=True)
class MessageMatrix:
    """`count` messages of `message_bytes` each from `sender` to `receiver`, row by row.

    Rows are in the order of sender, receiver and size, and no two of them have all three alike.
    """

    processes: int
    sender: Ints
    receiver: Ints
    message_bytes: Ints
    count: Ints

    def volume(self) -> Ints:
        """Return the bytes of each row."""
        return self.message_bytes * self.count

    def digest(self) -> str:
        """Return sixteen hexadecimal digits that say which matrix it is, in any order of rows."""
        word = np.zeros(len(self.sender), dtype=np.uint64)
        for column in (self.sender, self.receiver, self.message_bytes, self.count):
            word = mix(word ^ column.astype(np.uint64))
        with np.errstate(over="ignore"):
            return f"{int(word.sum(dtype=np.uint64)):016x}"


def of_rows(
    processes: int, sender: Ints, receiver: Ints, message_bytes: Ints, count: Ints
) -> MessageMatrix:
    """Return the matrix of rows in any order; those of no messages or no bytes do not count."""
    counts = (count > 0) & (message_bytes > 0)
    rows = np.stack([sender, receiver, message_bytes])[:, counts]
    rows, place = np.unique(rows, axis=1, return_inverse=True)
    total = np.zeros(rows.shape[1], dtype=np.int64)
    np.add.at(total, place.reshape(-1), count[counts])
    return MessageMatrix(processes, rows[0], rows[1], rows[2], total)


def is_preset(given: str) -> bool:
    """Whether a preset is meant; a file of such a name can be given as `./NAME`."""
    return _NAMES.fullmatch(given) is not None


def preset_matrix(given: str, processes: int, message_bytes: int, seed: int) -> MessageMatrix:
    """Return the messages of a preset. Raises WrongUsageError."""
    match = _NAMES.fullmatch(given)
    if match is None:
        raise WrongUsageError(f"{given}: is no preset; there are {PRESETS}")
    name, argument = match.groups()
    sender, receiver = _preset(given, name, argument, processes, seed)
    if not sender.size:
        raise WrongUsageError(
            f"{given}: has no message between {processes} processes; give another number of them"
        )
    ones = np.ones(len(sender), dtype=np.int64)
    return of_rows(processes, sender, receiver, message_bytes * ones, ones)


def _preset(given: str, name: str, argument: str | None, n: int, seed: int) -> tuple[Ints, Ints]:
    dimensions = {"2d": 2, "3d": 3}.get(argument or "")
    if name == "halo" and dimensions:
        _check_rows(given, 2 * dimensions * n)
        return _halo(balanced_extents(n, dimensions))
    if name == "alltoall" and argument is None:
        _check_rows(given, n * (n - 1))
        return _others(n, range(1, n))
    if name == "transpose" and argument is None:
        _check_rows(given, n)
        return _transpose(n)
    most = {"moe": n - 1, "nearest": n // 2}.get(name)
    if most is not None and argument is not None and re.fullmatch(r"[1-9][0-9]{0,8}", argument):
        k = int(argument)
        if k > most:
            raise WrongUsageError(f"{given}: with {n} processes K is at most {most}; give less")
        _check_rows(given, 2 * n * k)
        return _experts(n, k, seed) if name == "moe" else _nearest(n, k)
    raise WrongUsageError(f"{given}: is no preset; there are {PRESETS}")


def _check_rows(given: str, rows: int) -> None:
    if rows > MOST_ROWS:
        raise WrongUsageError(
            f"{given}: has up to {rows} rows, more than the {MOST_ROWS} that beff takes; give fewer"
            " processes"
        )


def _halo(extents: tuple[int, ...]) -> tuple[Ints, Ints]:
    """Both neighbours in each direction of a cyclic grid, the last direction counting fastest."""
    ranks = np.arange(int(np.prod(extents))).reshape(extents)
    pairs = [
        (ranks, np.roll(ranks, way, axis))
        for axis, extent in enumerate(extents)
        for way in (1, -1)
        if extent > 1
    ]
    if not pairs:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    senders, receivers = zip(*pairs, strict=True)
    return np.concatenate(senders, axis=None), np.concatenate(receivers, axis=None)


def _others(n: int, distances: range) -> tuple[Ints, Ints]:
    """Those at these distances behind each rank, which begin again behind the last."""
    sender = np.repeat(np.arange(n), len(distances))
    return sender, (sender + np.tile(np.array(distances, dtype=np.int64), n)) % n


def _nearest(n: int, k: int) -> tuple[Ints, Ints]:
    after = _others(n, range(1, k + 1))
    before = _others(n, range(max(n - k, k + 1), n))
    sender, receiver = (np.concatenate(both) for both in zip(after, before, strict=True))
    return sender, receiver


def _transpose(n: int) -> tuple[Ints, Ints]:
    """From row i, column j of a grid to row j, column i of the grid with its sides exchanged."""
    rows, columns = balanced_extents(n, 2)
    sender = np.arange(n)
    receiver = sender % columns * rows + sender // columns
    moved = sender != receiver
    return sender[moved], receiver[moved]


def _experts(n: int, k: int, seed: int) -> tuple[Ints, Ints]:
    """Return for each process the first k of a random order of all others."""
    of_matrix = seeds_of(np.array([seed], dtype=np.uint64), np.array([_SEED_NUMBER]))
    seeds = seeds_of(np.repeat(of_matrix, n), np.arange(n))
    drawn = permutations(seeds, n - 1, places=k)
    sender = np.arange(n)[:, None]
    receiver = np.where(drawn < sender, drawn, drawn + 1)
    return np.repeat(np.arange(n), k), receiver.reshape(-1)


def read_matrix(path: Path, processes: int | None = None) -> MessageMatrix:
    """Read rows of `from to bytes [count]`, or a sparse Matrix Market file, whose values are bytes.

    Without `processes` there are as many as the file says, or the highest rank needs. Raises
    WrongUsageError, with the line, for a file that is wrong, ResultError for one that cannot be
    read.
    """
    text = read_bytes(path).decode("utf-8", "surrogateescape")  # comments may be of any letters
    is_market = text.startswith(_MATRIX_MARKET)
    read = _market_rows if is_market else _rows
    try:
        rows = list(islice(read(text, processes), MOST_ROWS + 1))
        if len(rows) > MOST_ROWS:
            raise _LineError(None, f"has more than {MOST_ROWS} messages; write fewer")
        if not any(row[2] > 0 and row[3] > 0 for row in rows):
            raise _LineError(None, "has no message; write lines of from, to, bytes and count")
        if sum(row[2] * row[3] for row in rows) > _MOST_VOLUME:
            raise _LineError(None, "holds more than 1 EiB in sum; write the bytes of one iteration")
    except _LineError as problem:
        place = "" if problem.line is None else f"line {problem.line}: "
        raise WrongUsageError(f"{path}: {place}{problem.reason}") from None
    columns = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    if processes is None:
        processes = _size(text) if is_market else int(columns[:2].max()) + 1
    return of_rows(processes, *columns)


class _LineError(Exception):
    def __init__(self, line: int | None, reason: str) -> None:
        super().__init__(reason)
        self.line, self.reason = line, reason


_Row = tuple[int, int, int, int]


def _rows(text: str, processes: int | None) -> Iterator[_Row]:
    for number, line in enumerate(text.split("\n"), start=1):
        words = _words(line.partition("#")[0].replace(",", " "))
        if not words:
            continue
        if len(words) not in {3, 4}:
            raise _LineError(
                number, f"has {len(words)} numbers; write from, to, bytes and, if not 1, count"
            )
        yield _checked(number, (*words, "1")[:4], processes, first=0)


def _words(line: str) -> list[str]:
    """Part a line at blanks of ASCII; any other sign belongs to a word."""
    return re.findall(r"[^ \t\r\v\f]+", line)


def _market_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.startswith("%") and (words := _words(line)):
            yield number, words


def _market_rows(text: str, processes: int | None) -> Iterator[_Row]:
    kinds = _words(text.partition("\n")[0].lower())[1:]
    if kinds not in [
        ["matrix", "coordinate", number, symmetry]
        for number in ("integer", "real")
        for symmetry in ("general", "symmetric")
    ]:
        raise _LineError(
            1, "must be matrix coordinate, integer or real, general or symmetric; write it so"
        )
    lines = _market_lines(text)
    number, words = next(lines, (2, []))
    if len(words) != 3 or not all(re.fullmatch("[0-9]{1,10}", word) for word in words):
        raise _LineError(number, "must hold rows, columns and entries; write three whole numbers")
    rows, columns, entries = map(int, words)
    if rows != columns or rows != (processes or rows) or not 0 < rows <= _MOST_PROCESSES:
        wanted = "as many rows as columns" if processes is None else f"{processes} x {processes}"
        raise _LineError(number, f"the matrix is {rows} x {columns}; it must be {wanted}")
    found = 0
    for number, words in lines:
        if len(words) != 3:
            raise _LineError(number, f"has {len(words)} numbers; write row, column and bytes")
        row = _checked(number, (*words[:2], _whole(words[2]), "1"), rows, first=1)
        found += 1
        yield row
        if kinds[3] == "symmetric" and row[0] != row[1]:
            yield row[1], row[0], *row[2:]
    if found != entries:
        raise _LineError(None, f"has {found} entries, and says {entries}; correct its first number")


def _size(text: str) -> int:
    _, words = next(_market_lines(text))
    return int(words[0])


def _whole(word: str) -> str:
    """Return a whole number without point and exponent; another word as it is."""
    if not re.fullmatch(r"[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?", word):
        return word
    value = float(word)
    is_too_small = value == 0 and re.match(r"[0.]*[1-9]", word)
    return str(int(value)) if value.is_integer() and value < 2**53 and not is_too_small else word


def _checked(number: int, words: tuple[str, ...], processes: int | None, first: int) -> _Row:
    """Return ranks from 0, bytes and count. Raises _LineError."""
    values = []
    for name, word in zip(("from", "to", "bytes", "count"), words, strict=True):
        if not re.fullmatch(r"[0-9]{1,18}", word):
            raise _LineError(number, f"{name} is {word[:40]}; write a whole number from 0")
        values.append(int(word))
    for name, rank in zip(("from", "to"), values[:2], strict=True):
        most = (_MOST_PROCESSES if processes is None else processes) - 1 + first
        if not first <= rank <= most:
            raise _LineError(number, f"{name} is {rank}; ranks are from {first} to {most}")
    if values[2] > MOST_BYTES:
        raise _LineError(
            number,
            f"a message of {values[2]} byte is larger than the {MOST_BYTES} that MPI counts; write"
            " the bytes of one iteration, or more messages",
        )
    if values[3] > MOST_MESSAGES:
        raise _LineError(number, f"count is {values[3]}; write at most {MOST_MESSAGES}")
    return values[0] - first, values[1] - first, values[2], values[3]


def matrix_of(given: str, processes: int) -> MessageMatrix:
    """Return the matrix of a file or preset. Raises WrongUsageError and ResultError."""
    if is_preset(given):
        return preset_matrix(given, processes, PRESET_BYTES, 0)
    return read_matrix(Path(given), processes)
