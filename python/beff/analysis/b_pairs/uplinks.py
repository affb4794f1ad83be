"""What crosses at once between groups, and what it gets of what pairs inside of groups get."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, log

import numpy as np

from beff.analysis.b_pairs.findings import Status, UplinkFinding
from beff.analysis.b_pairs.kind import Kind
from beff.analysis.b_pairs.levels import quantiles
from beff.analysis.b_pairs.schedule import Ints

_WORTH = log(1.15)
"""What crosses at once and takes so much longer is said; the way there and back takes some."""
_BUSY = 0.9
"""So many of the rounds have less that crosses."""
_QUICK = 0.25
"""Not all of a group's pairs wait for the other end, and other jobs come and go."""
_STANDS_OUT = log(1.33)
"""An uplink of which all that crosses takes so much longer than of others is not as they are."""
_ALIKE = 1.5
"""Of groups whose sizes differ by more it is not known what their uplinks should carry."""
_AS_BAD = 0.8
"""What crosses to a slow uplink is slow at its other end, too."""
_FEWEST_ROUNDS = 5


@dataclass(frozen=True)
class _Crossing:
    """How many pairs of a group of `size` cross in busy rounds, and what they take then."""

    group: int
    size: int
    crossing: int
    busy: float

    def is_alike(self, other: "_Crossing") -> bool:
        sizes = sorted((self.size, other.size))
        return self.group != other.group and sizes[1] < _ALIKE * sizes[0]


def uplinks_of(kind: Kind) -> tuple[UplinkFinding, ...]:
    """Return what is to be said of the uplinks of the groups; of two groups it is the same way.

    One that is not as those of groups of about its size is suspect; else the narrowest is said.
    """
    if not kind.inside.any():
        return ()
    known, usual = _crossings(kind), kind.inside_level()
    waiting = [one for one in known if one.busy - usual > _WORTH]
    out = [one for one in waiting if one.busy - _of_alike(one, known) > _STANDS_OUT]
    if out:
        return tuple(_finding(kind, one, usual, Status.SUSPECT) for one in out)
    narrowest = sorted(waiting, key=lambda one: one.size if kind.groups == 2 else -one.busy)[:1]
    return tuple(_finding(kind, one, usual, Status.GOOD) for one in narrowest)


def slower_uplinks(now: Kind, before: Sequence[Kind], limit: float) -> tuple[UplinkFinding, ...]:
    """Return the uplinks of which what crosses takes longer than before, as pairs inside do not."""
    earlier = [{one.group: one.busy for one in _crossings(kind)} for kind in before]
    inside = now.inside_level() - float(np.median([kind.inside_level() for kind in before]))
    usual = {
        one: inside + float(np.median(busy))
        for one in _crossings(now)
        if (busy := [known[one.group] for known in earlier if one.group in known])
    }
    slower = {one: one.busy - before for one, before in usual.items() if one.busy - before > limit}
    worst = max(slower.values(), default=0.0)
    return tuple(
        _finding(now, one, usual[one], Status.SLOW)
        for one, longer in slower.items()
        if longer > _AS_BAD * worst
    )


def _finding(kind: Kind, one: _Crossing, usual: float, status: Status) -> UplinkFinding:
    names = tuple(np.array(kind.pairs.names)[kind.labels == one.group].tolist())
    return UplinkFinding(names, one.crossing, exp(usual - one.busy), status)


def _of_alike(one: _Crossing, known: Sequence[_Crossing]) -> float:
    """Return what crosses takes in the middle of other groups of about the size; else infinite."""
    alike = [other.busy for other in known if one.is_alike(other)]
    return float(np.median(alike)) if len(alike) > 1 else inf


def _crossings(kind: Kind) -> list[_Crossing]:
    """Return what crosses, of the groups of which enough rounds are busy; of one group nothing."""
    pairs, times = kind.pairs, kind.pairs.times[kind.kind]
    ends = kind.labels[pairs.first], kind.labels[pairs.second]
    own = times - np.maximum(0, np.nan_to_num(kind.expected))[kind.links.of]
    found = []
    for group in range(kind.groups):
        crosses = ((ends[0] == group) ^ (ends[1] == group)) & ~np.isnan(times)
        rounds = pairs.round_numbers[crosses]
        load: Ints = np.bincount(rounds, minlength=1)
        if not load.any():
            continue
        busy = int(np.quantile(load[load > 0], _BUSY, method="higher"))
        many = load[rounds] >= busy
        of_rounds = quantiles(rounds[many], own[crosses][many], len(load), _QUICK)
        of_rounds = of_rounds[~np.isnan(of_rounds)]
        if of_rounds.size >= _FEWEST_ROUNDS:
            size = int(np.sum(kind.labels == group))
            took = float(np.quantile(of_rounds, _QUICK))
            found.append(_Crossing(group, size, busy, took))
    return found
