"""What groups of hosts share on the way to the others, by the map of pairs, level by level."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from beff.maps.groups import groups_of
from beff.maps.kind import Kind, cells_of
from beff.maps.levels import Links, quantiles
from beff.maps.pair_map import Floats, Mask, PairMap
from beff.maps.schedule import Ints

_BUSY_ROUNDS = 0.9
"""What crosses in rounds that move most; in the others another uplink is what all wait for."""
_TURNS = 2
_SHARES = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
"""Of the rates at which all crossed that crossed with a pair, those that are tried."""
_AS_NEAR = 1e-3
_IN_COMPANY = 0.75
"""What a way takes while many others are under way: so many of its meetings take no longer."""
WAITED = 1.1
"""What crosses has waited where it takes so many times as long as it needs elsewhere."""
SHARED_UPLINK_POWER = 0.5
"""A group shares an uplink where the time of a round grows with what crosses to this power."""
CROSSING_RATIO = 1.2
"""Rounds show that growth only if so many times as much crosses in one as in another."""


@dataclass(frozen=True)
class Uplinks:
    """Groups of hosts, and what went between each and the others, in byte/s each way.

    `groups` has a number for each host. `crossed` is NaN where nothing crossed; it `waited` where
    that took longer than it needs elsewhere, and it `grew` where more took longer.
    """

    groups: Ints
    crossed: Floats
    waited: Mask
    grew: Mask

    @property
    def known(self) -> Floats:
        """What groups share for sure; else NaN."""
        return np.where(self.grew, self.crossed, np.nan)

    @property
    def carried(self) -> Floats:
        """What may go between a group and the others; infinite where nothing has waited."""
        return np.where(self.grew | self.waited, self.crossed, np.inf)


@dataclass(frozen=True)
class Met:
    """Meetings of a map: bytes that each sent each way, and what they took beyond a short one."""

    pairs: PairMap
    moved: Floats
    seconds: Floats

    def load(self, groups: Ints) -> tuple[Floats, Mask]:
        """Return what crossed [round, group], and which meetings did."""
        first, second = groups[self.pairs.first], groups[self.pairs.second]
        crosses: Mask = (first != second) & ~np.isnan(self.seconds)
        round_of = self.pairs.round_numbers
        load = np.zeros((int(round_of.max(initial=0)) + 1, int(groups.max(initial=0)) + 1))
        for ends in (first, second):
            np.add.at(load, (round_of[crosses], ends[crosses]), self.moved[crosses])
        return load, crosses

    def at_uplinks(self, uplinks: Uplinks) -> Floats:
        """Return what the uplinks on the way of each meeting need for all that crosses with it."""
        load, crosses = self.load(uplinks.groups)
        need = load / uplinks.carried
        at, ends = self.pairs.round_numbers, (self.pairs.first, self.pairs.second)
        of_ends = [need[at, uplinks.groups[end]] for end in ends]
        return np.where(crosses, np.nan_to_num(np.maximum(*of_ends)), 0.0)


def crossed_by(met: Met, groups: Ints, need_s: Floats) -> Uplinks:
    """Return what crossed, and what is known of it; `need_s`: of each meeting, elsewhere.

    All that crossed in a round counts by the time of its slowest pair, so that what ended sooner
    does not count as faster than it was.
    """
    pairs, seconds = met.pairs, met.seconds
    count = int(groups.max(initial=0)) + 1
    found, (waited, grew) = np.full(count, np.nan), np.zeros((2, count), dtype=np.bool_)
    if count < 2:
        return Uplinks(groups, found, waited, grew)
    load, crosses = met.load(groups)
    round_of = pairs.round_numbers
    first, second = groups[pairs.first], groups[pairs.second]
    busier = np.maximum(load[round_of, first], load[round_of, second])
    for group in range(count):
        mine = crosses & ((first == group) | (second == group))
        if not mine.any():
            continue
        quickest, longest = np.full(len(load), np.inf), np.zeros(len(load))
        np.minimum.at(quickest, round_of[mine], seconds[mine])
        np.maximum.at(longest, round_of[mine], seconds[mine])
        is_quickest = mine & (seconds == quickest[round_of])
        grew[group] = _grows_with(busier[is_quickest], seconds[is_quickest])
        used = longest > 0
        rates = load[used, group] / longest[used]
        share = _BUSY_ROUNDS if grew[group] else 1.0
        found[group] = np.quantile(rates, share, method="higher")
        busy = mine & (load[round_of, group] >= np.quantile(load[used, group], _BUSY_ROUNDS))
        waited[group] = np.median((seconds / need_s)[busy]) > WAITED
    return Uplinks(groups, found, waited, grew)


def fitted(met: Met, levels: Sequence[Uplinks], need_s: Floats) -> tuple[Uplinks, ...]:
    """Return the uplinks with the capacities by which all needs are the nearest to the times.

    One after the other, the others as they are: who crosses two uplinks waits for one of them, and
    the other carries more than went. Of those that are as near the widest. Where nothing has
    waited, nothing changes. `need_s`: of each meeting, elsewhere.
    """
    found = list(levels)
    for _ in range(_TURNS):
        for place, one in enumerate(found):
            others = [met.at_uplinks(each) for each in found if each is not one]
            found[place] = _nearest(met, one, np.maximum.reduce([need_s, *others]))
    return tuple(found)


def _nearest(met: Met, uplinks: Uplinks, need_s: Floats) -> Uplinks:
    load, crosses = met.load(uplinks.groups)
    at, crossed = met.pairs.round_numbers, uplinks.crossed.copy()
    first, second = uplinks.groups[met.pairs.first], uplinks.groups[met.pairs.second]
    for group in np.flatnonzero(uplinks.waited | uplinks.grew).tolist():
        mine = np.flatnonzero(crosses & ((first == group) | (second == group)))
        other = np.where(first == group, second, first)[mine]
        carried = np.where(uplinks.waited | uplinks.grew, crossed, np.inf)
        elsewhere = np.fmax(need_s[mine], load[at[mine], other] / carried[other])
        moved, took = load[at[mine], group], met.seconds[mine]
        longest = np.zeros(len(load))
        np.maximum.at(longest, at[mine], took)
        most = np.nanmax(load[longest > 0, group] / longest[longest > 0])
        tried = [crossed[group], *np.fmin(np.quantile(moved / took, _SHARES), most)]
        off = [np.mean(abs(np.log(took / np.fmax(elsewhere, moved / one)))) for one in tried]
        near = [one for one, far in zip(tried, off, strict=True) if far <= min(off) + _AS_NEAR]
        crossed[group] = max(near, default=crossed[group])
    return replace(uplinks, crossed=crossed)


def _grows_with(loads: Floats, times: Floats) -> bool:
    """Whether more takes longer, as where it shares an uplink, and not where it only goes far.

    Asked of the quickest pair of each round: an uplink holds up all that cross, and where routes
    of a network collide some do not wait.
    """
    if loads.size < 2 or loads.max() < CROSSING_RATIO * loads.min():
        return False
    slope = np.polyfit(np.log(loads), np.log(times), 1)[0]
    return bool(slope >= SHARED_UPLINK_POWER)


def groups_of_groups(near: Kind, far: Kind, longer: Floats) -> Iterator[Ints]:
    """Yield what the groups of `far` may be parts of, the smaller groups first.

    `longer`: how many times as long each meeting took as it needs by what is known so far.
    """
    links, labels = far.links, far.labels
    with np.errstate(divide="ignore"):
        in_company = quantiles(links.of, np.log(longer), len(links.first), _IN_COMPANY)
    candidates = [
        near.labels,
        _joined(labels, links, in_company, far.scatter),
        _joined(labels, links, near.levels, near.scatter),
    ]
    kept: list[Ints] = []
    for one in sorted(candidates, key=lambda each: -int(each.max())):
        again = any(_is_union(one, other) and _is_union(other, one) for other in kept)
        if 0 < one.max() < labels.max() and _is_union(one, labels) and not again:
            kept.append(one)
    yield from kept


def _joined(labels: Ints, links: Links, levels: Floats, scatter: float) -> Ints:
    """Return the groups of groups by the levels of links between these, for each unit."""
    apart = labels[links.first] != labels[links.second]
    cells, of = np.unique(
        cells_of(labels, links.first[apart], links.second[apart]), return_inverse=True
    )
    groups = int(labels.max(initial=0)) + 1
    between = Links(cells // groups, cells % groups, np.bincount(of, links.counts[apart]), of)
    found = groups_of(groups, between, quantiles(of, levels[apart], len(cells), 0.5), scatter)
    return found[labels]


def _is_union(groups: Ints, parts: Ints) -> bool:
    """Whether each of the parts lies within one group."""
    return len(np.unique(np.stack([groups, parts]), axis=1).T) == int(parts.max()) + 1


_ROUNDING = 1 + 1e-9


def shared_s(met: Met, levels: Sequence[Uplinks], alone_s: Floats) -> Floats:
    """Return the seconds of each meeting that takes `alone_s` where nothing is shared.

    All that waits at an uplink gets as much of it a byte; what others leave goes to the rest:
    max-min fairness (D. Bertsekas, R. Gallager, Data Networks, 1992, section 6.5.2).
    """
    places, room = _places(met, levels)
    rounds = met.pairs.round_numbers
    speed = 1 / alone_s
    left = np.flatnonzero(~np.isnan(alone_s) & np.isfinite(room[places]).any(axis=1))
    while left.size:
        moved = np.repeat(met.moved[left], places.shape[1])
        asked = np.bincount(places[left].ravel(), moved, len(room))
        fair = np.maximum(room[places[left]] / asked[places[left]], 0.0).min(axis=1)
        done = speed[left] <= fair
        if not done.any():
            # the fullest uplink of each round has nothing to give away
            lowest = np.full(int(rounds.max()) + 1, np.inf)
            np.minimum.at(lowest, rounds[left], fair)
            done = fair <= lowest[rounds[left]] * _ROUNDING
            speed[left[done]] = fair[done]
        taken = np.repeat(met.moved[left[done]] * speed[left[done]], places.shape[1])
        room = room - np.bincount(places[left[done]].ravel(), taken, len(room))
        left = left[~done]
    return 1 / speed


def _places(met: Met, levels: Sequence[Uplinks]) -> tuple[Ints, Floats]:
    """Return the uplinks on the way of each meeting in its round, and the byte/s of each.

    The last one has room for all: the place of those that cross none.
    """
    rounds = met.pairs.round_numbers
    count = int(rounds.max(initial=0)) + 1
    room = [np.tile(one.carried, count) for one in levels]
    begins = np.cumsum([0, *map(len, room)])
    found = []
    for begin, one in zip(begins, levels, strict=False):
        first, second = one.groups[met.pairs.first], one.groups[met.pairs.second]
        for end in (first, second):
            place = begin + rounds * len(one.carried) + end
            found.append(np.where(first == second, begins[-1], place))
    return np.stack(found, axis=1), np.append(
        np.nan_to_num(np.concatenate(room), nan=np.inf, posinf=np.inf), np.inf
    )
