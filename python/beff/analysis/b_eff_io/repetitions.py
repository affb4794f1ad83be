"""Types 3 and 4 (and the random types): how often each chunk is repeated, and the segment."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor

from beff.analysis.b_eff_io.pattern_table import (
    SCATTER,
    SEG_COLL,
    SEGMENTED,
    SHARED,
    TIMED_TYPES,
    PatternFacts,
)


@dataclass(frozen=True)
class CountedPlan:
    """`calls` and byte per call (`chunk`) by pattern; `segment` is L_SEG in byte."""

    calls: dict[int, int]
    chunk: dict[int, int]
    segment: int


def repetitions_of(
    table: Mapping[int, PatternFacts], written: Mapping[int, int], chunk: int
) -> int:
    """min(rep0·L0/l, 10·rep1, rep2) over the measured patterns of this chunk size; 0 for none.

    `written` are the calls of the initial write by pattern, of the measured ones alone.
    """
    bounds = []
    for number, calls in written.items():
        facts = table[number]
        alike = facts.type in TIMED_TYPES and facts.in_table and facts.chunk == chunk
        if alike and calls > 0:
            factor = {SCATTER: facts.chunks_per_call, SHARED: 10}.get(facts.type, 1)
            bounds.append(factor * calls)
    return min(bounds, default=0)


def plan_counted(
    table: Mapping[int, PatternFacts], written: Mapping[int, int], scale: float, unit: int
) -> CountedPlan:
    """Plan of all patterns that are not timed.

    Where `scale` < 1 all repetitions are multiplied by it and rounded down, but to at least 1. The
    segment is the longer of both types' sums, rounded up to `unit` byte; a fill-up is what is left.
    """
    calls: dict[int, int] = {}
    chunk: dict[int, int] = {}
    sums: dict[int, int] = {}
    for number, facts in table.items():
        if facts.type in TIMED_TYPES or facts.chunk is None:
            continue
        wanted = 1
        if facts.kind == "timed":
            wanted = repetitions_of(table, written, facts.chunk)
            if scale < 1 and wanted > 0:
                wanted = max(1, floor(wanted * scale))
        calls[number], chunk[number] = wanted, facts.chunk
        sums[facts.type] = sums.get(facts.type, 0) + wanted * facts.chunk
    segments = [-(-sums.get(kind, 0) // unit) * unit for kind in (SEGMENTED, SEG_COLL)]
    segment = max(segments)
    for number, facts in table.items():
        if facts.kind == "fill-up":
            chunk[number] = segment - sums[facts.type]
            calls[number] = 1 if chunk[number] > 0 else 0
    return CountedPlan(calls, chunk, segment)
