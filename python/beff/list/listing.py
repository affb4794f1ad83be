"""The rows of the list: standings, ranked by weights, each group among its own. Knows no HTML."""

from collections.abc import Sequence
from dataclasses import dataclass

from beff.list.folder import ListedSystem
from beff.list.standings import Standing, standing_of
from beff.store.ranking import Rank, rank
from beff.store.system_figures import FIGURES


@dataclass(frozen=True)
class Group:
    """Results that are ranked among themselves; `apart` is for those with I/O alone."""

    name: str
    title: str
    apart: bool = False


GROUPS = (
    Group("cold", ""),
    Group("original", "File I/O by the procedure original, ranked apart", apart=True),
    Group("historic", "Historic systems, as printed in their sources"),
)


@dataclass(frozen=True)
class RankedSystem:
    """A system of the list; `rank` is None where a figure with a weight is missing."""

    system: ListedSystem
    standing: Standing
    rank: Rank | None

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


def sections(systems: Sequence[ListedSystem], weights: dict[str, float]) -> list[RankedGroup]:
    """Return all groups with their rows; those without a rank stand at the end of their group."""
    return [RankedGroup(group, _rows(systems, group, weights)) for group in GROUPS]


def _rows(
    systems: Sequence[ListedSystem], group: Group, weights: dict[str, float]
) -> list[RankedSystem]:
    if group.apart and not weights.get("io"):
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
    rows = [RankedSystem(system, standing, ranks.get(standing.id)) for system, standing in there]
    return sorted(
        rows,
        key=lambda row: (row.rank is None, row.rank.rank if row.rank else 0, row.standing.id),
    )
