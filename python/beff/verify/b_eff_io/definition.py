"""What b_eff_io measures: the pattern table (IPDPS paper, table 2), and the value of each release.

kB and MB of chunk sizes are 2^10 and 2^20 byte; bandwidths are in MB/s. A figure exists only when
all that enters it was measured.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import Literal

from beff.result.bounds import OFFICIAL_TYPES, Figure
from beff.result.numbers import BYTES_PER_MB, MIB

KIB = 1 << 10
TYPE_NAMES = (
    "scatter",
    "shared",
    "separate",
    "segmented",
    "seg-coll",
    "random-shared",
    "random-separate",
)
"""Of the pattern types, by number; the random ones never enter a value."""
SCATTER, SHARED, SEPARATE, SEGMENTED, SEG_COLL = OFFICIAL_TYPES
TIMED_TYPES = (SCATTER, SHARED, SEPARATE)
"""The clock ends their loops; all others repeat numbers of calls that are taken from these."""
IN_SEGMENTS = (SEGMENTED, SEG_COLL)
"""Each process owns a segment of one file."""
SMALLEST_M_PART = 2 * MIB
LARGEST_M_PART = 1024 * MIB
_PLUS_8 = (KIB + 8, 32 * KIB + 8, MIB + 8)
_BESIDE_THE_TABLE = 2
"""Pattern 2, the second one with chunks of 1 MB: no row, no part in the repetitions of others."""


@dataclass(frozen=True)
class IoPatternFacts:
    """One line of the table; `chunk` (l) and `memory` (L) are in byte, None for a fill-up."""

    number: int
    type: int
    chunk: int | None
    memory: int | None
    units: int

    @property
    def kind(self) -> Literal["once", "timed", "fill-up"]:
        """How its calls are counted: U = 0 is a single call."""
        if self.chunk is None:
            return "fill-up"
        return "timed" if self.units > 0 else "once"

    @property
    def wellformed(self) -> bool:
        """Without 8 additional byte."""
        return self.chunk not in _PLUS_8

    @property
    def in_table(self) -> bool:
        """Whether the printed table has a row for it."""
        return self.units > 0 and self.number != _BESIDE_THE_TABLE

    @property
    def chunks_per_call(self) -> int:
        """L / l."""
        return 1 if self.chunk is None or self.memory is None else self.memory // self.chunk


_Line = tuple[int | None, int | None, int]
"""l, L and U."""


def _small_chunks(u_small: int, u_large: int) -> list[_Line]:
    """Return the lines that all types but scatter end with; L is l."""
    sizes = (32 * KIB, KIB, 32 * KIB + 8, KIB + 8)
    return [*((size, size, u_small) for size in sizes), (MIB + 8, MIB + 8, u_large)]


def _lines(kind: int, m_part: int) -> list[_Line]:
    if kind == SCATTER:
        return [
            (MIB, MIB, 0),
            (m_part, m_part, 4),
            (MIB, 2 * MIB, 4),
            (MIB, MIB, 4),
            (32 * KIB, MIB, 2),
            (KIB, MIB, 2),
            (32 * KIB + 8, MIB + 256, 2),
            (KIB + 8, MIB + 8 * KIB, 2),
            (MIB + 8, MIB + 8, 2),
        ]
    repeated: list[_Line] = [(MIB, MIB, 2), *_small_chunks(1, 2)]
    if kind not in OFFICIAL_TYPES:
        return repeated
    large: _Line = (m_part, m_part, 4 if kind == SHARED else 2)
    fill_up: list[_Line] = [(None, None, 0)] if kind in (SEGMENTED, SEG_COLL) else []
    return [(MIB, MIB, 0), large, *repeated, *fill_up]


def all_patterns(m_part: int) -> list[IoPatternFacts]:
    """Return the 43 patterns and, behind them, the random ones; a pattern's index is its number."""
    lines = [(kind, line) for kind in range(len(TYPE_NAMES)) for line in _lines(kind, m_part)]
    return [IoPatternFacts(number, kind, *line) for number, (kind, line) in enumerate(lines)]


def patterns_of(types: Collection[int], m_part: int) -> dict[int, IoPatternFacts]:
    """Patterns of these types by number, in order."""
    return {facts.number: facts for facts in all_patterns(m_part) if facts.type in types}


def position(facts: IoPatternFacts, m_part: int) -> int | None:
    """Row of the printed table, from 1, by chunk size; None for a pattern without one."""
    if not facts.in_table or facts.chunk is None:
        return None
    sizes = sorted({KIB, KIB + 8, 32 * KIB, 32 * KIB + 8, MIB, MIB + 8, m_part})
    return sizes.index(facts.chunk) + 1


def m_part_of(process_memory_bytes: int, bound_bytes: int) -> int:
    """M_PART = max(2 MB, memory of one process / 128), a multiple of 1 MB within the bound."""
    wanted = min(process_memory_bytes // 128, bound_bytes)
    return max(SMALLEST_M_PART, wanted - wanted % MIB)


def wellformed_pairs(table: dict[int, IoPatternFacts]) -> dict[int, int]:
    """Numbers of the official +8 patterns, each with that of its wellformed counterpart."""
    wellformed = {
        (facts.type, facts.chunk): facts.number for facts in table.values() if facts.in_table
    }
    return {
        facts.number: wellformed[facts.type, facts.chunk - 8]
        for facts in table.values()
        if not facts.wellformed and facts.chunk is not None and facts.type in OFFICIAL_TYPES
    }


@dataclass(frozen=True)
class Transfer:
    """One pattern in one access method, as release 0.5 sees it."""

    bytes: int
    time_s: float
    units: int


def bandwidth(size_bytes: int, seconds: float) -> Figure:
    """Bytes / time; None where nothing was moved or the clock did not resolve it."""
    value = size_bytes / seconds / BYTES_PER_MB if size_bytes > 0 and seconds > 0 else 0.0
    return value if value > 0 else None


def access_average(types: Sequence[Figure], second_scatter: Figure) -> Figure:
    """Mean over the five types, with another figure of the scatter type as a sixth.

    That is the same one for the mean that counts the scatter type twice.
    """
    figures = [value for value in (*types, second_scatter) if value is not None]
    return fsum(figures) / len(figures) if len(figures) == len(OFFICIAL_TYPES) + 1 else None


def value_1(write: Figure, rewrite: Figure, read: Figure) -> Figure:
    """Release 1 (IPDPS paper): 25 % initial write + 25 % rewrite + 50 % read."""
    if write is None or rewrite is None or read is None:
        return None
    return (write + rewrite + 2 * read) / 4


def value_2_1(write: Sequence[Figure], rewritten_scatter: Figure, read: Sequence[Figure]) -> Figure:
    """Release 2.1: geometric mean of write and read, the rewrite of scatter counting as write."""
    of_write = access_average(write, rewritten_scatter)
    of_read = access_average(read, read[0])
    return None if of_write is None or of_read is None else sqrt(of_write * of_read)


def value_0_5(transfers: Sequence[Transfer]) -> Figure:
    """Release 0.5 (Euro-Par paper): the mean over the patterns, weighted by their time units.

    If every pattern took exactly its ideal time, this would be all bytes / all transfer times.
    """
    weighed = [transfer for transfer in transfers if transfer.units > 0]
    if not weighed or any(transfer.time_s <= 0 for transfer in weighed):
        return None
    rates = fsum(transfer.units * (transfer.bytes / transfer.time_s) for transfer in weighed)
    rate = rates / sum(transfer.units for transfer in weighed)
    return rate / BYTES_PER_MB if rate > 0 else None
