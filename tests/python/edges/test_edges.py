"""Each number by which pages judge: what is said just below it, and just above.

Verdicts are those of docs/explanation and docs/how-to, which each row cites.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import log, sqrt
from typing import Any

import numpy as np
from scipy.special import stdtrit
from support.edges import Edge, beyond_edges
from support.levels import Floats, constant, exact, in_groups, of, waiting
from support.machines.measure import QUIET, flat
from support.machines.result import make_map

from beff.judge.benchmarks import VALUES, Quantity
from beff.judge.change import ERROR, alternated, change_by_sides, fenced, part_of_look, sessions_of
from beff.judge.hosts import check_hosts
from beff.judge.kept import judged_so_far, planned
from beff.judge.series import Day, Standing, first_day, steps_of
from beff.maps.fleet import fleet_of, slower_since
from beff.maps.fleet_fit import MapOfFleet, fit
from beff.maps.judge_pairs import judge_pairs
from beff.maps.pair_map import PairMap
from beff.result.load import check_document

HOUR, DAY = 3600.0, 86400.0
VALUE = Quantity(VALUES, "value", "MB/s")
FOUR = (0.0, 0.02, -0.02, 0.0)
"""Levels of days: squares of 0.0008 around their mean, with 3 degrees of freedom."""
ERROR_OF_FOUR = sqrt(0.0008 / 3 * (1 + 1 / 4))
SLOWEST_SURE, AS_FAST_SURE = (float(stdtrit(3, 1 - error)) for error in (0.008, 0.05))
LOSS = -log(1 - 0.05)


# --- days ---


def day_beside(levels: Sequence[float], *today: float, assumed: float = 0.15) -> str:
    """What is said of a day with runs at these logarithms, beside days with a run each."""
    standing = Standing({VALUE: ERROR}, assumed, parts=[[]])
    standing.parts[0] += [Day(DAY * day, {"value": (one,)}) for day, one in enumerate(levels)]
    return str(standing.judged(Day(DAY * len(levels), {"value": today})).figures[0].word.value)


def quiet_days(change: float) -> str:
    return day_beside([one / 1000 for one in FOUR], change)


def quick_repetition(quickest: float) -> str:
    days = [Day(DAY * n, {"value": (one - 0.2, one, one + 0.2)}) for n, one in enumerate(FOUR * 4)]
    standing = Standing({VALUE: ERROR}, parts=[days])
    return standing.judged(Day(1e9, {"value": (-0.3, -0.3, -0.3, quickest)})).figures[0].word.value


def days_before(count: int) -> int:
    """With how many days one is compared that has so many before it."""
    standing = first_day("b_eff")
    for number in range(count):
        logs = {"b_eff": (FOUR[number % 4] / 10,), "latency": (0.0,)}
        standing.add(standing.judged(Day(DAY * number, logs)))
    return len(standing.kept)


def steps(slower_days: int) -> list[int]:
    values = [100.0, 101.0, 99.0, 102.0, 100.0, *(80.0, 81.0, 80.0)[:slower_days]]
    starts = [DAY * day for day in range(len(values))]
    return [step.index for step in steps_of(VALUE, starts, values)]


def drawn_in(*side: float) -> int:
    """How many of two sides are; quartiles of the first are 1 and 3, so fences -5 and 9."""
    return fenced([[0.0, 1.0, 2.0, 3.0, *side], [100.0, 101.0, 102.0, 103.0, 104.0]])[1]


def is_enough(runs_differ_by: float) -> bool:
    """Whether three of six runs are enough of a day that is open, whose days differ by 2 %.

    Runs to come would take away s² (1/3 - 1/6) of the variance of the change.
    """
    around = [-runs_differ_by, 0.0, runs_differ_by]
    days = [Day(DAY * n, {"value": [one + by for by in around]}) for n, one in enumerate(FOUR * 2)]
    standing = Standing({VALUE: ERROR}, 0.15, parts=[days])
    return judged_so_far(standing, Day(1e9, {"value": [by - 0.04 for by in around]}), 3, 6)[1]


SQUARES_OF_DAYS = 2 * 0.0008 / 7 * (1 + 1 / 8)
TWENTIETH = sqrt(0.05 * SQUARES_OF_DAYS / (1 / 3 - 1 / 6))


def few_runs(a: int) -> bool:
    """Whether the assumed noise counts where one side has a single run."""
    return change_by_sides([1.0] * a, [1.0], assumed=0.1).half_width(0.9) > 0.1


def wider(after: bool) -> float:
    """How many times as wide an interval is of sides of which one may follow the other."""
    runs = [1, 2, 3], [3, 4, 6]
    return round(change_by_sides(*runs, side_by_side=after).error / change_by_sides(*runs).error, 9)


# --- maps of pairs ---


def unit(small: Any, large: Any = None, **more: Any) -> str:
    """What is said of the last unit of a map whose pairs wait for the slower one of both."""
    pairs = constant(waiting(small), waiting(small if large is None else large))
    return str(judge_pairs(pairs, **more).units[-1].status.value)


def last(factor: float, slower: int = 1, units: int = 16) -> list[float]:
    """Factors of units, of which the last ones are slower."""
    return [1.0] * (units - slower) + [factor] * slower


def beside(now: Sequence[float], before: Sequence[float]) -> str:
    factors = [constant(waiting(one), waiting(one)) for one in (now, before)]
    return str(judge_pairs(factors[0], earlier=[factors[1]]).units[-1].status.value)


def all_slower(factor: float, maps: int) -> set[str]:
    """What is said of a machine that takes so many times as long as in so many earlier maps."""
    now, before = (constant(one * np.ones((8, 8)), one * np.ones((8, 8))) for one in (factor, 1.0))
    return {str(one.status.value) for one in judge_pairs(now, earlier=[before] * maps).common}


def between(one: Floats, factor: float) -> Floats:
    """Return factors with another one for the way between the first two units."""
    factors = one.copy()
    factors[0, 1] = factors[1, 0] = factor
    return factors


def link(factor: float) -> list[str]:
    """What is said of links of which one, that was not measured alone, is slower."""
    factors = between(np.ones((12, 12)), factor)
    return [str(one.status.value) for one in judge_pairs(constant(factors, factors)).links]


def groups(apart: float) -> int:
    return len(of(judge_pairs(constant(in_groups(8, 8, apart=apart))), "group"))


def far_group(factor: float) -> set[str]:
    """What is said of a group to which long messages take longer than between three others."""
    near = in_groups(6, 6, 6, 6, apart=1.3)
    far = near.copy()
    far[:6, 6:] = far[6:, :6] = 1.3 * factor
    found = judge_pairs(constant(near, far))
    return {str(one.status.value) for one in of(found, "far group")}


def in_rounds(pairs: PairMap, factor: float, some: Any) -> PairMap:
    """Return a map with the last unit slower in some of its meetings."""
    more = np.where((pairs.second == pairs.units - 1) & some, log(factor), 0.0)
    return replace(pairs, times={kind: logs + more for kind, logs in pairs.times.items()})


def at_times(factor: float) -> str:
    pairs = constant(np.ones((16, 16)), passes=20)
    found = judge_pairs(in_rounds(pairs, factor, pairs.passes % 5 == 4))
    return str(found.units[-1].status.value)


def warmer(factor: float) -> str:
    pairs = constant(np.ones((16, 16)), passes=20)
    return str(judge_pairs(in_rounds(pairs, factor, pairs.passes >= 10)).units[-1].status.value)


def is_noisy(factor: float) -> bool:
    """Whether a map is, half of whose short times are so many times the others."""
    pairs = constant(np.ones((8, 8)), passes=20)
    logs = {**pairs.times, "small": pairs.times["small"] + (pairs.passes % 2) * log(factor)}
    return judge_pairs(replace(pairs, times=logs)).doubt is not None


def usual(days: str) -> bool:
    """Whether a slow host (s) is bad beside earlier maps, the oldest first, or is always so."""

    def a_map(day: int, state: str) -> Any:
        fields = make_map(flat(8, {2: 1.5} if state == "s" else {}, **QUIET), day=day)
        fields["environment"]["started_at"] = f"2026-11-{day + 1:02}T10:00:00Z"
        return check_document(f"{day}.json", fields)

    earlier = [a_map(day, state) for day, state in enumerate(days)]
    found = {
        check_hosts(a_map(len(days), "s"), earlier=order).bad_hosts
        for order in (earlier, earlier[::-1])
    }
    return found == {("node3",)}


# --- fleets ---


def night(day: float, slow: float = 1.0, hosts: int = 10, slower: int = 1) -> MapOfFleet:
    """Return a map of a fleet, of which the last hosts are slower."""
    factors = last(slow, slower, hosts)
    return exact(day, {f"h{number}": factor for number, factor in enumerate(factors)})


def host(*maps: MapOfFleet, today: float = 100.0, days: float = 30.0) -> str:
    return fleet_of(fit(maps), today).hosts[-1].word(days)


def slow_night(day: float, slower: int = 1) -> MapOfFleet:
    return night(day, 1.4, slower=slower)


def course(slow: Sequence[bool]) -> str:
    """What is said of a host that was slow in some of its maps."""
    return host(*(night(day, 1.4 if one else 1.0) for day, one in enumerate(slow)), today=20.0)


def fleet_slower(factor: float) -> bool:
    hosts = {f"h{number}": 1.0 for number in range(10)}
    maps = [*(night(day) for day in range(5)), exact(6, hosts, log(factor))]
    return any(slower_since(fit(maps), 30.0))


SURE, OPEN = SLOWEST_SURE * ERROR_OF_FOUR, AS_FAST_SURE * ERROR_OF_FOUR - LOSS
B = (6, 7, 8, 9, 10, 11)
"""When runs of the other side started."""
ONE = [1.0] * 16
F, T = [False], [True]
EDGES: list[Edge] = [
    # docs/explanation/statistics.md
    ("a day ends after 6 h", lambda h: sessions_of([0, h * HOUR]), (5.9, [0, 0]), (6.1, [0, 1])),
    (
        "and after 24 h",
        lambda h: sessions_of([h * HOUR * n for n in range(7)])[6],
        (3.9, 0),
        (4.1, 1),
    ),
    ("far out: three quartiles", drawn_in, (8.99, 0), (9.01, 1)),
    ("from five runs a side on", lambda n: drawn_in(*[40.0] * n), (0, 0), (1, 1)),
    ("five runs show their noise", few_runs, (3, True), (4, False)),
    ("in turn, or 1.8 times as wide", wider, (False, 1.0), (True, 1.8)),
    ("the side changes twice", lambda b: alternated((1, 2, 4, 5), b), ((6,), False), ((3,), True)),
    ("or more", lambda t: alternated((1, 2, 3, 4, t, 12), B), (5, False), (8.5, True)),
    ("a loss of 5 %", quiet_days, (-0.0505, "as fast"), (-0.052, "slower")),
    ("a gain of 5 %", quiet_days, (0.0505, "as fast"), (0.052, "faster")),
    (
        "0.8 % error",
        lambda v: day_beside(FOUR, v * SURE),
        (-0.99, "inconclusive"),
        (-1.01, "slower"),
    ),
    (
        "as fast: 95 %",
        lambda v: day_beside(FOUR, OPEN + v),
        (-0.001, "inconclusive"),
        (0.001, "as fast"),
    ),
    ("the fifth day", lambda n: day_beside(FOUR[:n], -0.25), (3, "inconclusive"), (4, "slower")),
    (
        "a repetition as quick as before",
        quick_repetition,
        (-0.01, "slower"),
        (0.01, "inconclusive"),
    ),
    (
        "looks share 5 %",
        lambda last: round(part_of_look(6, is_last=last), 9),
        (False, 0.01),
        (True, 0.95),
    ),
    ("a twentieth of the variance", is_enough, (0.9 * TWENTIETH, True), (1.1 * TWENTIETH, False)),
    ("as many runs as fit", lambda s: planned(180, s), (31, 5), (30, 6)),
    ("60 days", days_before, (59, 59), (61, 60)),
    ("a step from its third day on", steps, (2, []), (3, [5])),
    ("a map is noisy from 30 % on", is_noisy, (1.29, False), (1.31, True)),
    # judging-hosts.md
    (
        "four units",
        lambda n: bool(judge_pairs(constant(np.ones((n, n)))).why_not),
        (3, True),
        (4, False),
    ),
    ("15 % above the median", lambda f: unit(last(f)), (1.14, "good"), (1.16, "slow")),
    ("--slow", lambda f: unit(last(f), slow=0.1), (1.09, "good"), (1.11, "slow")),
    ("short messages alone: 2.2", lambda f: unit(last(f), ONE), (2.1, "suspect"), (2.3, "slow")),
    (
        "a kind of three",
        lambda n: unit(ONE[: 5 * n], last(1.3, n, 5 * n)),
        (2, "slow"),
        (3, "suspect"),
    ),
    ("a kind of a fifth", lambda n: unit(ONE[:n], last(1.3, 3, n)), (16, "slow"), (15, "suspect")),
    ("1.2 times slower in the second half", warmer, (1.19, "good"), (1.21, "suspect")),
    ("at times 1.5 times as long", at_times, (1.45, "good"), (1.55, "suspect")),
    ("a link: 25 %", link, (1.24, []), (1.26, ["suspect"])),
    ("groups 5 % apart", groups, (1.04, 0), (1.06, 2)),
    ("a group 25 % farther in long messages", far_group, (1.24, set()), (1.26, {"suspect"})),
    ("a baseline: 8 %", lambda f: beside(last(f), last(1.0)), (1.07, "good"), (1.09, "slow")),
    ("1.35 as before", lambda f: beside(last(f), last(f)), (1.34, "good"), (1.36, "suspect")),
    ("the machine: 30 %", lambda f: all_slower(f, 3), (1.29, set()), (1.31, {"slow"})),
    ("by three maps", lambda n: all_slower(3.0, n), (2, {"suspect"}), (3, {"slow"})),
    ("the last five maps", usual, ("sssqq", False), ("ssssqqq", True)),
    # fleets.md
    ("a host: 15 %", lambda f: host(night(98, f), night(99, f)), (1.14, "good"), (1.16, "slow")),
    ("two maps", lambda n: host(*map(slow_night, range(n))), (1, "slow once"), (2, "slow")),
    ("slow again", lambda n: course(F * 3 + T + F * n + T + F), (7, "slow at times"), (8, "good")),
    ("8 good ones", lambda n: course(F * 3 + T + F + T + F * n), (7, "slow at times"), (8, "good")),
    ("30 days", lambda day: host(night(1), today=day), (30.9, "good"), (31.1, "due")),
    (
        "40 % at once",
        lambda n: host(night(0), slow_night(1, n), slow_night(2, n)),
        (4, "slow"),
        (5, "not told"),
    ),
    ("a fleet: 1.3", fleet_slower, (1.29, False), (1.31, True)),
]

test_edges = beyond_edges(EDGES)
