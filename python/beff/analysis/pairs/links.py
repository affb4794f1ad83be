"""Which links between good units are slow, by the rests of the model."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, prod

import numpy as np

from beff.analysis.pairs.blocks import APART
from beff.analysis.pairs.findings import Evidence, LinkFinding, Status, UnitFinding
from beff.analysis.pairs.kind import AGREES, BOTH_LOOKS, NOT_ALONE, SLOW, Kind, Mask
from beff.analysis.pairs.pair_map import LOOKS, Floats, Ints, PairMap
from beff.analysis.pairs.polish import deviation

LINK_SIGMAS = 6.0
"""A link is slow from 25 % more time on, and from so many standard deviations of all rests."""
MOST_CHANCE = 3e-5
"""A link is named when noise alone would name at most so many in the whole map."""


@dataclass(frozen=True)
class _LinkEvidence:
    """Evidence at one kind of messages; `chance` that noise alone did it to this pair."""

    evidence: Evidence
    chance: float
    agrees: bool


def slow_links(kinds: list[Kind], units: tuple[UnitFinding, ...]) -> list[LinkFinding]:
    """Return the links that are slow or suspect; those of a unit that is so are its own matter.

    Short and long messages are measurements of their own, so their chances multiply.
    """
    found: dict[tuple[int, int], list[_LinkEvidence]] = {}
    for kind in kinds:
        for pair, entry in _links_of(kind, units):
            found.setdefault(pair, []).append(entry)
    tried = max(int(np.count_nonzero(~np.isnan(kind.models[0].rests))) for kind in kinds)
    links = []
    for (one, other), entries in sorted(found.items()):
        sure = [entry for entry in entries if entry.agrees]
        if sure and tried * prod(entry.chance for entry in sure) <= MOST_CHANCE:
            status = Status.SLOW
        elif tried * prod(entry.chance for entry in entries) <= MOST_CHANCE:
            status = Status.SUSPECT
        else:
            continue
        evidence = tuple(entry.evidence for entry in entries)
        links.append(LinkFinding(units[one].name, units[other].name, status, evidence))
    return links


def _links_of(
    kind: Kind, units: tuple[UnitFinding, ...]
) -> Iterator[tuple[tuple[int, int], _LinkEvidence]]:
    """Return the pairs of good units that were slow in both looks of all their rounds."""
    pairs = kind.pairs
    rests = np.array([model.rests for model in kind.models])
    least = np.min(rests, axis=0)
    limit = max(APART, LINK_SIGMAS * max(deviation(rests[0]), deviation(rests[1])))
    good = np.array([unit.status == Status.GOOD for unit in units])
    # A unit that may be slow, but not for sure, would pass for a slow link in one of its pairs.
    good &= ~(np.minimum(kind.excess(0), kind.excess(1)) > SLOW)
    high = np.nan_to_num(least, nan=-np.inf) > limit
    again = kind.retest_excess()
    seen = set()
    for entry in np.flatnonzero(high & good[pairs.first] & good[pairs.second]).tolist():
        one, other = sorted((int(pairs.first[entry]), int(pairs.second[entry])))
        own = _joins(pairs.first, pairs.second, one, other)
        if (one, other) in seen or np.nanmin(least[own]) <= limit:
            continue
        seen.add((one, other))
        level = float(np.nanmin(least[own]))
        alone = _retests_of_link(pairs, again, one, other)
        agrees = bool((alone >= AGREES * level).all())
        counted = alone if agrees else alone[:0]
        rounds = int(own.sum())
        times = LOOKS * rounds + counted.size
        chance = _tail(rests, float(np.min(counted, initial=level)), own) ** times
        looks = [exp(float(np.nanmedian(look[own]))) for look in rests]
        evidence = Evidence(
            kind.kind,
            pairs.bytes_of(kind.kind),
            (looks[0], looks[1]),
            (rounds, rounds),
            (rounds, rounds),
            exp(float(np.median(alone))) if alone.size else None,
            BOTH_LOOKS if agrees else NOT_ALONE,
        )
        yield (one, other), _LinkEvidence(evidence, chance, agrees)


def _tail(rests: Floats, level: float, own: Mask) -> float:
    """Return the share of the rests of other pairs that are as high; at least that of one."""
    others = rests[:, ~own]
    known = np.count_nonzero(~np.isnan(others))
    return float((1 + np.count_nonzero(others >= level)) / (1 + known))


def _joins(first: Ints, second: Ints, one: int, other: int) -> Mask:
    mask: Mask = ((first == one) & (second == other)) | ((first == other) & (second == one))
    return mask


def _retests_of_link(pairs: PairMap, excess: Floats, one: int, other: int) -> Floats:
    own = _joins(pairs.retest_first, pairs.retest_second, one, other) & ~np.isnan(excess)
    return excess[own]
