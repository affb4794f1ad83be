"""The patterns of b_eff_io (IPDPS paper, section 5.1, table 2); kB and MB are 2^10, 2^20 byte."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from beff.result.bounds import OFFICIAL_TYPES
from beff.result.numbers import MIB

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
