"""The rows of the list: standings, ranked by weights, each group among its own. Knows no HTML.

score = (x_1^w_1 * ... * x_k^w_k) ^ (1 / (w_1 + ... + w_k))

where x = value / best of all systems, or best / value where less is better, so 0 < x <= 1. A
geometric mean ranks alike whatever machine the figures are normalised to (P. J. Fleming,
J. J. Wallace, Communications of the ACM 29 (3), 1986). A system without a figure that has a weight
is not ranked: leaving it out would reward not measuring.

In the browser list.js ranks by static/ranking.js as weights are moved; tests compare both.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from beff.list.figures import FIGURES, IO_KEYS
from beff.list.folder import ListedSystem
from beff.list.standings import HISTORIC, Standing, standing_of

WEIGHT_CHANGE = 0.2
"""How far single weights are moved to see how sure a rank is."""
_KEY_UNIT = 1e-9
"""Scores that differ by less than this share are equal, whatever the last bit of a logarithm."""


@dataclass(frozen=True)
class Rank:
    """The place of a system: `best` to `worst` is how sure it is.

    The range covers all changes of one weight by WEIGHT_CHANGE up or down, each with the system's
    own figures at their worst and best. Systems of equal score share a rank.
    """

    id: int
    score: float
    rank: int
    best: int
    worst: int


def rank(standings: Sequence[Standing], weights: dict[str, float]) -> list[Rank]:
    """Return the ranked systems, the best first; equal ones by id.

    Systems without a figure that has a weight are left out; without any weight all are.
    """
    chosen = [place for place, one in enumerate(FIGURES) if weights.get(one.key, 0) > 0]
    complete = [one for one in standings if all((one.figures[place] or 0) > 0 for place in chosen)]
    if not chosen or not complete:
        return []
    signs = np.array([-1 if FIGURES[place].less_is_better else 1 for place in chosen])
    own, low, high = (
        signs * np.log([[getattr(one, name)[place] for place in chosen] for one in complete])
        for name in ("figures", "low", "high")
    )
    given = np.array([weights[FIGURES[place].key] for place in chosen])
    each = np.eye(len(given)) * WEIGHT_CHANGE
    varied = given * np.vstack([np.ones_like(given), 1 - each, 1 + each])

    def scores(logs: Any) -> Any:
        """Return ln(score): a row for each variation of weights, of which the first is none."""
        return varied @ (logs - own.max(axis=0)).T / varied.sum(axis=1, keepdims=True)

    keys, lifted, sunken = (np.floor(scores(one) / _KEY_UNIT + 0.5) for one in (own, high, low))
    firsts = 1 + _better(keys, np.maximum(keys, lifted))
    lasts = _better(keys, np.minimum(keys, sunken)) + (sunken >= keys)
    columns = (np.exp(scores(own)[0]), 1 + _better(keys, keys)[0], firsts.min(0), lasts.max(0))
    rows = zip(complete, *(column.tolist() for column in columns), strict=True)
    ranks = [Rank(standing.id, *row) for standing, *row in rows]
    return sorted(ranks, key=lambda entry: (entry.rank, entry.id))


def _better(keys: Any, than: Any) -> Any:
    """Return of each how many keys of its row are larger."""
    rows = zip(np.sort(keys), than, strict=True)
    return np.array([len(row) - np.searchsorted(row, own, "right") for row, own in rows])


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

    @property
    def fills(self) -> list[str]:
        """The columns in which it has something to show.

        `hardware` is that of interconnect and CPU. Figures that are not always shown need a
        weight. A result that does not count fills the column of its value alone.
        """
        hardware, standing = self.system.hardware, self.standing
        known: dict[str, Any] = {
            "year": self.year,
            "hardware": hardware.interconnect or hardware.cpus,
        }
        values = ("b_eff", IO_KEYS[self.system.io_release])
        for figure in FIGURES:
            has_figure = standing.figure(figure.key) is not None
            known[figure.key] = figure.always_shown and (
                has_figure or (figure.key in values and standing.why(figure))
            )
        return [key for key, is_filled in known.items() if is_filled]


@dataclass(frozen=True)
class RankedGroup:
    """A group and its rows, in order."""

    group: Group
    rows: list[RankedSystem]


def columns(sections: Sequence[RankedGroup], weights: dict[str, float]) -> set[str]:
    """Return the columns that are not empty in some rows, and those that they are ranked by."""
    weighted = {key for key, weight in weights.items() if weight > 0}
    filled = {key for section in sections for row in section.rows for key in row.fills}
    return filled | weighted | ({"score"} if len(weighted) > 1 else set())


def sections(systems: Sequence[ListedSystem], weights: dict[str, float]) -> list[RankedGroup]:
    """Return all groups with their rows; those without a rank stand at the end of their group."""
    return [RankedGroup(group, _rows(systems, group, weights)) for group in GROUPS]


def _rows(
    systems: Sequence[ListedSystem], group: Group, weights: dict[str, float]
) -> list[RankedSystem]:
    if group.apart and not any(weights.get(key) for key in IO_KEYS.values()):
        return []
    there = standings(systems, group)
    ranks = {place.id: place for place in rank([one for _, one in there], weights)}
    rows = [
        RankedSystem(system, standing, ranks.get(standing.id), len(ranks))
        for system, standing in there
    ]
    return sorted(
        rows,
        key=lambda row: (row.rank is None, row.rank.rank if row.rank else 0, row.standing.id),
    )


def standings(
    systems: Sequence[ListedSystem], group: Group, used: str = "half"
) -> list[tuple[ListedSystem, Standing]]:
    """Return the systems with something to show in a group, of runs on so much of the machine."""
    found = (
        (system, standing_of(number, system.sized, system.usual, group.name, used))
        for number, system in enumerate(systems)
    )
    return [(system, one) for system, one in found if one and (one.io or not group.apart)]
