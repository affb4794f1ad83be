"""How b_eff came about: from the value down to the loop that decided each pattern and size."""

from collections.abc import Iterator
from dataclasses import dataclass

from beff.report.page.sections.contents import Section, ShownResult
from beff.report.tables.table import Column, Row, Table, column, mbps, text
from beff.result.b_eff_result import BEffResult, Pattern
from beff.result.numbers import counted, number, rate
from beff.result.samples import Cell, LoopSample, best_loops
from beff.verify.b_eff.definition import OFFICIAL_METHODS
from beff.verify.b_eff.derive import Area, areas_of


@dataclass(frozen=True)
class PatternStep:
    """A pattern: the mean over its sizes, with the loop that decided each."""

    id: int
    name: str
    value: str
    formula: str
    table: Table


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
    groups: list[GroupStep]
    samples: int


def derivation(shown: ShownResult, result: BEffResult) -> Section:
    """Build the section from a result of sound structure."""
    best = best_loops(result)
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
            value=rate(values[title]) if title in values else None,
            formula=f"geometric mean of {counted(len(patterns), 'pattern')}"
            if title in values
            else f"{counted(len(patterns), 'pattern')}, measured beside the value",
            patterns=[steps[p.id] for p in patterns],
        )
        for title, patterns in members.items()
        if patterns
    ]
    data = Derivation(
        number=shown.number,
        value=rate(s.b_eff_MBps),
        formula=f"√({rate(s.rings_MBps)} · {rate(s.random_MBps)})",
        area=None if areas is None else _product(areas.both),
        groups=groups,
        samples=len(result.samples),
    )
    return Section(
        shown.anchor("derivation"), "How the number came about", "derivation.html.j2", data
    )


def _pattern_step(
    result: BEffResult, pattern: Pattern, best: dict[Cell, LoopSample], share: float | None
) -> PatternStep:
    rows = tuple(_size_rows(result, pattern, best))
    columns = (
        column("size", "byte"),
        mbps("best"),
        text("by"),
        *map(Column, ("repetition", "loop length")),
        column("time of the slowest", "s"),
        *map(mbps, result.methods),
    )
    at_lmax = ""
    if share is not None:
        at_lmax = f": {rate(pattern.bandwidth_by_size_MBps[-1])} at L_max · {number(share)}"
    return PatternStep(
        id=pattern.id,
        name=pattern.name,
        value=rate(pattern.bandwidth_MBps),
        formula=f"mean over {counted(len(rows), 'message size')}{at_lmax}",
        table=Table(f"pattern-{pattern.id}", f"{pattern.name}, by message size", columns, rows),
    )


def _product(area: Area) -> str:
    """Write a value as the product that the paper describes."""
    return (
        f"{counted(area.processes, 'process')} · {rate(area.asymptotic_MBps)}"
        f" · {number(area.share)}"
    )


def _size_rows(result: BEffResult, pattern: Pattern, best: dict[Cell, LoopSample]) -> Iterator[Row]:
    for index, size in enumerate(result.message_sizes_bytes):
        loops = [best.get(Cell(pattern.id, index, method)) for method in result.methods]
        if not any(loops):
            continue
        official = [loop for loop in loops if loop is not None and loop.method in OFFICIAL_METHODS]
        winner = max(official, key=lambda loop: loop.bandwidth_MBps or 0, default=None)
        yield (
            size,
            pattern.bandwidth_by_size_MBps[index],
            *((None,) * 4 if winner is None else _facts(winner)),
            *(None if loop is None else loop.bandwidth_MBps for loop in loops),
        )


def _facts(loop: LoopSample) -> Row:
    return loop.method, loop.repetition + 1, loop.loop_length, loop.time_max_s
