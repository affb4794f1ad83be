"""What is known of each host of a fleet: slow, good, or open, since when and by which maps.

A host is slow when two maps in a row show it, or one whose own judge names it; it stays so until a
map measures it good. One that is slow again soon after is slow at times, until as many maps as show
its course measure it good. Whoever was not measured in the last days is due.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from math import exp, inf, log

import numpy as np

from beff.definition.b_pairs_plan import KINDS, Ints
from beff.maps.baseline import SLOWER as SLOWER_FROM
from beff.maps.baseline import reach_of
from beff.maps.findings import SLOW, CommonFinding, Status
from beff.maps.fleet_fit import Fit, moderated
from beff.maps.hosts import SURE
from beff.maps.kind import middle_of
from beff.maps.levels import AGREES, FARTHEST, MOST_SLOW, deviation_of_most
from beff.maps.pair_map import FEWEST_UNITS, Floats, Mask

CHANCE = 0.01
"""In this share of the fleets without a fault chance makes a host unusual, at one length."""
FEW = 2.0
"""By few hosts the deviation is not known well; it is taken as 1 + 2 / hosts times as large."""
KIND_SHARE, KIND_HOSTS, KINDS_APART = 0.1, 4, 5.0
"""So many hosts that took longer from their first map on, by so many standard deviations of either,
are another kind."""
KIND_TRUSTED = 16
"""The hosts of a smaller kind may just as well be slow: what they are is open."""
_QUARTILE = 1.4826
"""Standard deviation over the upper quartile of Gaussian values around 0."""
OTHERS_TO_TELL = 3
"""With so many others of its leaf measured since, a host is told from its uplink."""
UPLINK_MAPS, KNOWN_BY = 5, 3
"""In so many maps in a row an uplink is slow; in fewer, other jobs may have loaded it. By so many
maps each it is known that hosts are quicker than they were."""
LAST_MAPS = 8
"""So many of its maps show the course of a host."""


class State(str, Enum):
    """The verdict on a host, from best to worst."""

    GOOD = "good"
    ONCE = "slow once"
    AT_TIMES = "slow at times"
    OPEN = "not told"
    SLOW = "slow"
    NO_ANSWER = "no answer"


DUE = "due"
"""The word for a host that was good, but not measured lately."""
GOOD, ONCE, AT_TIMES, _, SLOWER, SILENT = range(len(State))
"""Their places, for arrays."""


@dataclass(frozen=True)
class HostState:
    """What is known of a host by the maps that it is in.

    `factors` are by kind of messages what it took in the last one or two, `error` the standard
    error of their logarithms; `first` and `last` are places of maps: since when it is so, and when
    it was measured last. `days` have passed since. `course` are by kind its factors in its last
    maps, the oldest first, and `leaf` the number of its switch, None where it is not known.
    """

    name: str
    state: State
    factors: Mapping[str, float]
    error: float
    first: int
    last: int
    days: float
    course: Mapping[str, tuple[float, ...]]
    leaf: int | None

    def word(self, most_days: float) -> str:
        """Return its state, or due: a good one counts for so many days."""
        return DUE if self.state == State.GOOD and self.days > most_days else self.state.value


@dataclass(frozen=True)
class Together:
    """Hosts that take longer together, and how many times as long by kind of messages.

    They are behind a switch, and do so with all others, or did so from their first map on.
    """

    hosts: tuple[str, ...]
    factors: Mapping[str, float]


@dataclass(frozen=True)
class Fleet:
    """All hosts, slow uplinks, slower kinds, and from which factor on a slow host is seen."""

    hosts: tuple[HostState, ...]
    uplinks: tuple[Together, ...]
    kinds: tuple[Together, ...]
    limit: float


NamedBy = Callable[[int], set[str]]
"""Gives the hosts that a map, named by its place, calls slow on its own."""


def fleet_of(
    fit: Fit, today: float, slow: float | None = None, named: NamedBy | None = None
) -> Fleet:
    """Judge all hosts; one is slow from the share `slow` of more time on."""
    floor = log(1 + (SLOW if slow is None else slow))
    firsts = [entries[:2] for entries in fit.entries_of()]
    took = np.array([[middle_of(longer[first]) for first in firsts] for longer in fit.longer])
    usual, kinds = _usual(fit, took, floor)
    course = _Course(fit, usual, _spread(took - usual), floor, named or (lambda _: set()))
    uplinks, behind = course.uplinks()
    few = {name for kind in kinds if len(kind.hosts) < KIND_TRUSTED for name in kind.hosts}
    hosts = tuple(
        course.state_of(place, today, is_open=bool(behind[place]) or name in few)
        for place, name in enumerate(fit.names)
    )
    return Fleet(hosts, uplinks, kinds, course.seen_from())


def _spread(beyond: Floats) -> Floats:
    """Return [kind, 1] by how much hosts of a kind differ, by those above the middle.

    The quick ones wait for others, and so look alike.
    """
    above = _QUARTILE * np.quantile(beyond, 0.75, axis=1, method="lower")
    return np.array([[moderated(float(deviation), beyond.shape[1])] for deviation in above])


def _usual(fit: Fit, took: Floats, floor: float) -> tuple[Floats, tuple[Together, ...]]:
    """Return [kind, host] what is usual for its kind of hosts, and the slower kinds."""
    usual, kinds, rest = np.zeros_like(took), [], np.arange(took.shape[1])
    while (slower := _slower_part(took[:, rest].mean(axis=0), floor, took.shape[1])) is not None:
        quick, slow = rest[~slower], rest[slower]
        usual[:, slow] = _middle(took[:, slow])
        apart = usual[:, slow[:1]] - _middle(took[:, quick])
        factors = dict(zip(KINDS, np.exp(apart[:, 0]).tolist(), strict=True))
        kinds.append(Together(tuple(fit.names[host] for host in slow.tolist()), factors))
        rest = quick
    usual[:, rest] = _middle(took[:, rest])
    return usual, tuple(kinds)


def _middle(took: Floats) -> Floats:
    return np.array([[middle_of(each)] for each in took])


def _slower_part(took: Floats, floor: float, hosts: int) -> Mask | None:
    """Return the slower hosts of the two parts that differ least in themselves, if these are kinds.

    Of hosts that are all alike the parts are 2.7 standard deviations of either apart.
    """
    ordered = np.sort(took)
    count = np.arange(1, len(took))
    total, squares = np.cumsum(ordered), np.cumsum(ordered**2)
    below = squares[:-1] - total[:-1] ** 2 / count
    above = squares[-1] - squares[:-1] - (total[-1] - total[:-1]) ** 2 / (len(took) - count)
    enough = max(KIND_HOSTS, KIND_SHARE * hosts)
    fit = (len(took) - count >= enough) & (count >= KIND_HOSTS) & (np.diff(ordered) > 0)
    if not fit.any():
        return None
    cut = int(np.where(fit, below + above, np.inf).argmin())
    slower: Mask = took > ordered[cut]
    apart = middle_of(took[slower]) - middle_of(took[~slower])
    sigma = max(deviation_of_most(took[slower]), deviation_of_most(took[~slower]))
    return slower if apart > max(AGREES * floor, KINDS_APART * sigma) else None


class _Course:
    """The course of all hosts from map to map.

    [kind, host], of the last map of a host: `mean` of what it took longer than usual in it and in
    those in a row before in which it was `up`, longer in all pairs, by halves, and the `error` of
    that. `across`, its `onset` and `beyond` are the same of pairs that cross the uplink: whether it
    is up, since which map, and by how much. [host]: its `state`, the map of which it is `first` so,
    the `last` map, whether it `met` a host of its leaf while up, whether it `was_fine` in any map
    inside its leaf and across, whom alone it met in its last map, -1 where that were more, in how
    many maps it was `quiet` since the last one that shows it slow, and whether it is so `at_times`.
    `in_a_row` is by leaf in how many of the last maps most of its hosts crossed its uplink slowly.
    [kind, entry]: what each `took`, NaN where it is not known.
    """

    def __init__(
        self, fit: Fit, usual: Floats, spread: Floats, floor: float, named: NamedBy
    ) -> None:
        """Go through all maps in the order of time."""
        self.fit, self.usual, self.spread, self.floor, self.named = fit, usual, spread, floor, named
        from scipy.special import ndtri  # noqa: PLC0415 - takes 0.3 s

        hosts = len(fit.names)
        self.sigmas = -float(ndtri(CHANCE / hosts)) * (1 + FEW / hosts)
        self.mean, self.error, self.beyond = np.full((3, 2, hosts), np.nan)
        self.up, self.across = np.zeros((2, 2, hosts), dtype=bool)
        self.onset = np.zeros((2, hosts), dtype=np.int64)
        self.state = np.full(hosts, GOOD)
        self.first, self.last = np.full((2, hosts), -1)
        self.met, self.was_fine = np.zeros((2, hosts), dtype=bool)
        self.alone_with = np.full(hosts, -1)
        self.quiet, self.at_times = np.full(hosts, LAST_MAPS), np.zeros(hosts, dtype=bool)
        self.in_a_row = np.zeros(int(fit.leaves.max(initial=-1)) + 1, dtype=np.int64)
        self.took, self.entries = np.full((2, len(fit.host)), np.nan), fit.entries_of()
        for place, end in enumerate(np.cumsum(fit.sizes).tolist()):
            self._follow(place, np.arange(end - fit.sizes[place], end))

    def limit(self, error: Floats) -> Floats:
        """Return how much longer than usual a host must take to count as slow."""
        return np.fmax(self.floor, self.sigmas * np.hypot(self.spread, error))

    def _follow(self, place: int, entries: Ints) -> None:
        host = self.fit.host[entries]
        fit, usual = self.fit, self.usual[:, host]
        longer, least, across = (
            took[:, entries] - usual for took in (fit.longer, fit.least, fit.across)
        )
        error = fit.error[:, entries]
        half = AGREES * self.floor
        up, crossing = (longer > half) & (least > np.fmax(half, AGREES * longer)), across > half
        known = ~np.isnan(longer) & np.isfinite(error)
        if len(entries) < FEWEST_UNITS:  # it may wait for one that is slow
            slow = self.state[host] >= SLOWER
            known &= ~((up | crossing) & (slow.sum() > slow))
        self.took[:, entries] = np.where(known, longer, np.nan)
        again = up & self.up[:, host]
        once = known & up & (longer > self.limit(error))
        mean = np.where(again, (longer + self.mean[:, host]) / 2, longer)
        error = np.where(again, np.hypot(error, self.error[:, host]) / 2, error)
        shown = known & again & (mean > self.limit(error))
        leaf = fit.leaves[host]
        # where nobody knows who is near, short messages may only take one switch more
        shown[0] &= (leaf >= 0) | (mean[1] > AGREES * mean[0]) | (mean[0] > FARTHEST)
        is_decided = len(entries) < FEWEST_UNITS or up.any(axis=0).mean() <= MOST_SLOW
        sure = is_decided & shown.any(axis=0)
        partner = host[::-1] if len(host) == 2 else np.full(len(host), -1)
        sure &= (partner < 0) | (partner != self.alone_with[host])
        is_up = np.asarray(once.any(axis=0))
        tried = np.asarray(known.any(axis=0))
        if (is_up & ~sure).any() and len(entries) >= FEWEST_UNITS:
            by_map = self.named(place)
            sure |= is_up & np.array([fit.names[one] in by_map for one in host.tolist()])
        # who is alone of its leaf, and slow in long messages alone, may wait for its uplink
        beside = (leaf < 0) | (np.bincount(leaf + 1)[leaf + 1] > 1)
        beside |= longer[0] > AGREES * longer[1]
        sure &= beside
        of_leaf = leaf[tried & (leaf >= 0)]
        there: Ints = np.bincount(of_leaf, minlength=len(self.in_a_row))
        by_some = np.asarray(crossing.any(axis=0))[tried & (leaf >= 0)]
        slowly = np.bincount(of_leaf, by_some, len(there))
        self.in_a_row = np.where(
            2 * slowly > there, self.in_a_row + 1, self.in_a_row * (there == 0)
        )
        begins = crossing & ~self.across[:, host]
        for kept, new in (
            (self.onset, np.where(begins, place, self.onset[:, host])),
            (self.across, crossing),
            (self.beyond, across),
            (self.mean, mean),
            (self.error, error),
            (self.up, up & beside & is_decided),
        ):
            kept[:, host] = np.where(known, new, kept[:, host])
        self.was_fine[host] |= (known & ~crossing).all(axis=0)
        self.alone_with[host] = partner
        self._decide(place, host[tried], is_up[tried], sure[tried])
        silent = host[list(fit.maps[place].pairs.silent)]
        self.first[silent] = np.where(self.state[silent] == SILENT, self.first[silent], place)
        self.state[silent], self.last[silent] = SILENT, place

    def _decide(self, place: int, host: Ints, once: Mask, sure: Mask) -> None:
        before = self.state[host]
        soon = once & (self.quiet[host] > 0) & (self.quiet[host] < LAST_MAPS)
        quiet = np.where(once, 0, self.quiet[host] + 1)
        at_times = (soon | self.at_times[host]) & (quiet < LAST_MAPS)
        self.quiet[host], self.at_times[host] = quiet, at_times
        is_slow = sure | (once & (before >= SLOWER))
        now = np.select([is_slow, once, at_times], [SLOWER, ONCE, AT_TIMES], GOOD)
        leaf = self.fit.leaves[host]
        beside = (leaf >= 0) & (np.bincount(leaf + 1, minlength=1)[leaf + 1] > 1)
        self.met[host] = self.up[:, host].any(axis=0) & (self.met[host] | beside)
        goes_on = (now == before) & (self.first[host] >= 0)
        self.first[host] = np.where(goes_on, self.first[host], place)
        self.state[host], self.last[host] = now, place

    def uplinks(self) -> tuple[tuple[Together, ...], Mask]:
        """Return the uplinks that are slow, and which hosts may be so for another reason.

        Of the others of a leaf count those that were measured since a host is up. Of who is good
        nothing is open.
        """
        leaves, behind = self.fit.leaves, np.zeros(len(self.state), dtype=bool)
        slow_leaves: dict[int, Mask] = {}
        quicker_from = self._quicker_from()
        for host in np.flatnonzero(self.across.any(axis=0) & (leaves >= 0)).tolist():
            kinds = self.across[:, host]
            others = (leaves == leaves[host]) & (self.last >= self.onset[kinds, host].min())
            others[host] = False
            if others.sum() < OTHERS_TO_TELL:
                behind[host] = not self.met[host]
            elif 2 * (self.across[kinds].any(axis=0) & others).sum() > others.sum():
                behind[host] = True
                was_fine = self.was_fine[leaves == leaves[host]].any()  # else of another kind
                is_long = self.in_a_row[leaves[host]] >= UPLINK_MAPS
                if was_fine and is_long and quicker_from == inf:
                    slow_leaves.setdefault(int(leaves[host]), kinds)
        never = np.isin(self.state, [ONCE, SLOWER]) & ~self.was_fine
        if never.sum() >= max(KIND_HOSTS, KIND_SHARE * len(never)):  # they may be of another kind
            behind |= never
        behind |= self.first >= quicker_from
        behind &= self.state != GOOD
        uplinks = []
        for leaf, kinds in slow_leaves.items():
            hosts = self.fit.leaves == leaf
            factors = {
                kind: exp(float(np.median(self.beyond[place, hosts & self.across[place]])))
                for place, kind in enumerate(KINDS)
                if kinds[place]
            }
            if log(max(factors.values())) > self.floor:
                uplinks.append(Together(tuple(np.array(self.fit.names)[hosts].tolist()), factors))
        return tuple(uplinks), behind

    def _quicker_from(self) -> float:
        """Return the first map in which several hosts took less than usual.

        These are of another kind since, by which others may seem slow until they are known as such.
        """
        quick = np.flatnonzero((np.nan_to_num(self.took) < -self.floor).any(axis=0))
        often = np.unique(self.fit.host[quick], return_counts=True)[1]
        enough = max(KIND_HOSTS, KIND_SHARE * len(self.state))
        is_new = len(often) >= enough and np.median(often) < KNOWN_BY
        return int(self.fit.of_map[quick].min()) if is_new else inf

    def state_of(self, host: int, today: float, *, is_open: bool) -> HostState:
        """Return what is known of a host at the end."""
        state = list(State)[self.state[host]]
        last, leaf = int(self.last[host]), int(self.fit.leaves[host])
        took = self.took[:, self.entries[host]]
        return HostState(
            self.fit.names[host],
            State.OPEN if is_open and state != State.NO_ANSWER else state,
            {
                kind: exp(float(self.mean[place, host]))
                for place, kind in enumerate(KINDS)
                if not np.isnan(self.mean[place, host])
            },
            float(np.fmax(*self.error[:, host])),
            int(self.first[host]),
            last,
            today - self.fit.maps[last].day if last >= 0 else inf,
            {
                kind: tuple(np.exp(known[~np.isnan(known)][-LAST_MAPS:]).tolist())
                for kind, known in zip(KINDS, took, strict=True)
            },
            leaf if leaf >= 0 else None,
        )

    def seen_from(self) -> float:
        """Return the factor from which on their last maps would have named 95 % of slow hosts.

        By nature a host may be quicker than the one in the middle.
        """
        error = self.error[:, ~np.isnan(self.error).any(axis=0)]
        if not error.size:
            return inf
        usual = np.median(error, axis=1, keepdims=True)
        return exp(float((self.limit(usual) + SURE * np.hypot(self.spread, usual)).max()))


def slower_since(fit: Fit, days: float) -> Iterator[CommonFinding]:
    """Yield what the last map of four hosts or more took longer than those in so many days before.

    What its hosts take by nature is not in it.
    """
    whole = np.flatnonzero(fit.sizes >= FEWEST_UNITS)
    day = np.array([one.day for one in fit.maps])
    if not whole.size:
        return
    last = int(whole[-1])
    before = whole[:-1][day[whole[:-1]] >= day[last] - days]
    for kind, of_maps in zip(KINDS, fit.levels, strict=True):
        levels = of_maps[before][~np.isnan(of_maps[before])]
        longer = float(of_maps[last] - np.median(levels)) if levels.size else 0.0
        if longer > SLOWER_FROM:
            status = Status.SLOW if longer > reach_of(levels.tolist()) else Status.SUSPECT
            size = fit.maps[last].pairs.bytes_of[kind]
            yield CommonFinding(kind, size, exp(longer), True, levels.size, status)
