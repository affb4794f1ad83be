"""How b_eff came about: from the value down to the loop that decided each pattern and size."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from beff.analysis.b_eff.area import Area, areas_of
from beff.analysis.b_eff.methods import OFFICIAL_METHODS
from beff.model.b_eff_result import BEffResult, Pattern
from beff.model.result_parts import Figure
from beff.model.samples import LoopSample, loop_samples
from beff.model.units import format_duration
from beff.report.page.numbers import MISSING, bandwidth, count, grouped, rounded
from beff.report.page.section import Section, ShownResult


@dataclass(frozen=True)
class SizeRow:
    """A message size of a pattern: its best bandwidth and the loop it comes from.

    `by_method` is the best repetition of each method, in the order of the result's methods.
    """

    size: str
    index: int
    best: str
    method: str
    repetition: str
    loop_length: str
    time: str
    by_method: list[str]


@dataclass(frozen=True)
class PatternStep:
    """A pattern: the mean over its sizes."""

    id: int
    name: str
    value: str
    formula: str
    rows: list[SizeRow]


@dataclass(frozen=True)
class GroupStep:
    """Patterns that are averaged together, or those that enter no average (`value` None)."""

    title: str
    value: str | None
    formula: str
    patterns: list[PatternStep]


@dataclass(frozen=True)
class Derivation:
    """The steps from the top down; `number` ties the sizes to the samples embedded in the page.

    `area` is the value as the product of processes, bandwidth at L_max and share of the area.
    """

    number: int
    value: str
    formula: str
    area: str | None
    methods: Sequence[str]
    groups: list[GroupStep]
    samples: int


class _Cell(NamedTuple):
    pattern: int
    size: int
    method: str


def derivation(shown: ShownResult, result: BEffResult) -> Section:
    """Build the section from a result of sound structure."""
    best = _best_loops(result)
    areas = areas_of(result)
    shares = {} if areas is None else areas.shares
    steps = {p.id: _pattern_step(result, p, best, shares.get(p.id)) for p in result.patterns}
    s = result.summary
    first = "Rings" if result.definition == "3.5" else "Cyclic grids"
    members = {
        first: [p for p in result.patterns if p.averaged and p.group != "random"],
        "Random rings": [p for p in result.patterns if p.averaged and p.group == "random"],
        "Additional patterns": [p for p in result.patterns if not p.averaged],
    }
    values = {first: s.rings_MBps, "Random rings": s.random_MBps}
    groups = [
        GroupStep(
            title=title,
            value=bandwidth(values[title]) if title in values else None,
            formula=_group_formula(title in values, len(patterns)),
            patterns=[steps[p.id] for p in patterns],
        )
        for title, patterns in members.items()
        if patterns
    ]
    data = Derivation(
        number=shown.number,
        value=bandwidth(s.b_eff_MBps),
        formula=f"√({bandwidth(s.rings_MBps)} · {bandwidth(s.random_MBps)})",
        area=None if areas is None else _product(areas.both),
        methods=result.methods,
        groups=groups,
        samples=len(result.samples),
    )
    return Section(
        shown.anchor("derivation"), "How the number came about", "derivation.html.j2", data
    )


def _group_formula(averaged: bool, patterns: int) -> str:
    if averaged:
        return f"geometric mean of {count(patterns, 'pattern')}"
    return f"{count(patterns, 'pattern')}, measured beside the value"


def _best_loops(result: BEffResult) -> dict[_Cell, LoopSample]:
    """Return the fastest repetition of each pattern, size and method."""
    best: dict[_Cell, LoopSample] = {}
    for size, sample in zip(result.samples.size, loop_samples(result), strict=True):
        if sample.bandwidth_MBps is None:
            continue
        cell = _Cell(sample.pattern.id, size, sample.method)
        found = best.get(cell)
        if found is None or sample.bandwidth_MBps > (found.bandwidth_MBps or 0):
            best[cell] = sample
    return best


def _pattern_step(
    result: BEffResult, pattern: Pattern, best: dict[_Cell, LoopSample], share: float | None
) -> PatternStep:
    rows = list(_size_rows(result, pattern, best))
    at_lmax = "" if share is None else _of_lmax(pattern, share)
    return PatternStep(
        id=pattern.id,
        name=pattern.name,
        value=bandwidth(pattern.bandwidth_MBps),
        formula=f"mean over {count(len(rows), 'message size')}{at_lmax}",
        rows=rows,
    )


def _product(area: Area) -> str:
    """Write a value as the product that the paper describes."""
    return (
        f"{count(area.processes, 'process', 'processes')} · {bandwidth(area.asymptotic_MBps)} MB/s"
        f" · {rounded(area.share)}"
    )


def _of_lmax(pattern: Pattern, share: float) -> str:
    return f": {bandwidth(pattern.bandwidth_by_size_MBps[-1])} at L_max · {rounded(share)}"


def _size_rows(
    result: BEffResult, pattern: Pattern, best: dict[_Cell, LoopSample]
) -> Iterator[SizeRow]:
    for index, size in enumerate(result.message_sizes_bytes):
        loops = [best.get(_Cell(pattern.id, index, method)) for method in result.methods]
        if not any(loops):
            continue
        official = [loop for loop in loops if loop is not None and loop.method in OFFICIAL_METHODS]
        winner = max(official, key=lambda loop: loop.bandwidth_MBps or 0, default=None)
        yield SizeRow(
            size=grouped(size),
            index=index,
            best=bandwidth(pattern.bandwidth_by_size_MBps[index]),
            method=MISSING if winner is None else winner.method,
            repetition=MISSING if winner is None else str(winner.repetition + 1),
            loop_length=MISSING if winner is None else grouped(winner.loop_length),
            time=MISSING if winner is None else format_duration(winner.time_max_s),
            by_method=[bandwidth(_figure(loop)) for loop in loops],
        )


def _figure(loop: LoopSample | None) -> Figure:
    return None if loop is None else loop.bandwidth_MBps
