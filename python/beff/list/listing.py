"""The rows of the list: standings, ranked by weights, each group among its own. Knows no HTML.

In the browser list.js makes the same rows and columns.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from beff.list.folder import ListedSystem
from beff.list.standings import HISTORIC, Standing, standing_of
from beff.store.ranking import Rank, rank
from beff.store.system_figures import FIGURES, IO_KEYS, values_of


@dataclass(frozen=True)
class Group:
    """Results that are ranked among themselves.

    `apart` is for those with I/O alone; `folded` ones stand in a table of their own behind a
    switch.
    """

    name: str
    title: str
    apart: bool = False
    folded: bool = False


GROUPS = (
    Group("cold", ""),
    Group("original", "File I/O by the procedure original, ranked apart", apart=True),
    Group(HISTORIC, "Historic systems, as printed in their sources", folded=True),
)


@dataclass(frozen=True)
class RankedSystem:
    """A system of the list; `rank` is None where a figure with a weight is missing.

    `among` systems are ranked in its group.
    """

    system: ListedSystem
    standing: Standing
    rank: Rank | None
    among: int

    @property
    def year(self) -> int | None:
        """The year of the system, else of its newest run that counts."""
        years = [usual.year for usual in self.standing.used if usual.year]
        return self.system.hardware.year or max(years, default=None)


@dataclass(frozen=True)
class RankedGroup:
    """A group and its rows, in order."""

    group: Group
    rows: list[RankedSystem]


def columns(sections: Sequence[RankedGroup], weights: dict[str, float]) -> set[str]:
    """Return the columns that are not empty in some rows, and those that they are ranked by.

    `hardware` is that of interconnect and CPU. Figures that are not always shown need a weight. A
    result that does not count fills the column of its value alone.
    """
    rows = [row for section in sections for row in section.rows]
    shown = {"score"} if sum(weight > 0 for weight in weights.values()) > 1 else set()
    if any(row.year for row in rows):
        shown.add("year")
    hardware = [row.system.hardware for row in rows]
    if any(one.interconnect or one.cpus for one in hardware):
        shown.add("hardware")
    for figure in FIGURES:
        is_known = figure.always_shown and any(
            row.standing.figure(figure.key) is not None
            or (figure.key in values_of(row.system.io_release) and row.standing.why(figure))
            for row in rows
        )
        if is_known or weights.get(figure.key):
            shown.add(figure.key)
    return shown


def sections(systems: Sequence[ListedSystem], weights: dict[str, float]) -> list[RankedGroup]:
    """Return all groups with their rows; those without a rank stand at the end of their group."""
    return [RankedGroup(group, _rows(systems, group, weights)) for group in GROUPS]


def _rows(
    systems: Sequence[ListedSystem], group: Group, weights: dict[str, float]
) -> list[RankedSystem]:
    if group.apart and not any(weights.get(key) for key in IO_KEYS.values()):
        return []
    found = [
        (system, standing_of(number, system.sized, system.usual, group.name))
        for number, system in enumerate(systems)
    ]
    there = [
        (system, standing)
        for system, standing in found
        if standing is not None and (not group.apart or standing.io is not None)
    ]
    ranks = {place.id: place for place in rank([one for _, one in there], FIGURES, weights)}
    rows = [
        RankedSystem(system, standing, ranks.get(standing.id), len(ranks))
        for system, standing in there
    ]
    return sorted(
        rows,
        key=lambda row: (row.rank is None, row.rank.rank if row.rank else 0, row.standing.id),
    )
