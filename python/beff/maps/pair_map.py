"""The map of pairs of a result as arrays: which units exchanged messages, and how long it took.

Passes of rounds of disjoint pairs, at a short and a long message; then some pairs again with
nothing else under way (docs/explanation/judging-hosts.md).
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beff.definition.b_pairs import numbers_of
from beff.definition.b_pairs_plan import KINDS, Ints, meetings, meetings_of
from beff.result.b_pairs_result import BPairsResult, ImportedPairs, MapResult

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
FEWEST_UNITS = 4
"""With three, whoever is not slow waits for who is: nobody can be judged."""


@dataclass(frozen=True, eq=False)
class PairMap:
    """Each pair, round and pass is an entry; times are natural logarithms of ns, NaN if missing.

    `times` are by `small` and `large` messages; `retests`, each of two units, also by `there` and
    `back`: large messages one way. `silent` units and `waiting` pairs never answered; where these
    were all, it was the run that stood, and `stood_in` is its pass and round instead. A map that
    `is_foreign` was measured by another program, and has no retests.
    """

    unit: str
    names: tuple[str, ...]
    bytes_of: dict[str, int]
    passes: Ints
    rounds: Ints
    first: Ints
    second: Ints
    times: dict[str, Floats]
    retest_first: Ints
    retest_second: Ints
    retests: dict[str, Floats]
    silent: tuple[int, ...] = ()
    waiting: tuple[tuple[int, int], ...] = ()
    stood_in: tuple[int, int] | None = None
    is_foreign: bool = False

    @property
    def units(self) -> int:
        """How many units there are."""
        return len(self.names)

    @property
    def round_numbers(self) -> Ints:
        """A number for each entry that only those of the same round have, rising with time."""
        return self.passes * (int(self.rounds.max(initial=0)) + 1) + self.rounds

    def part(self, kept: Mask | Ints) -> "PairMap":
        """Return the map with these entries only."""
        names = "passes", "rounds", "first", "second"
        columns: dict[str, Any] = {name: getattr(self, name)[kept] for name in names}
        times = {kind: times[kept] for kind, times in self.times.items()}
        return replace(self, **columns, times=times)

    @property
    def plural(self) -> str:
        """What the units are called in the plural."""
        return "processes" if self.unit == "process" else "hosts"


@lru_cache(maxsize=8)
def pair_map(result: MapResult) -> PairMap:
    """Return the map of a result, which must have a sound structure."""
    return _foreign(result) if isinstance(result, ImportedPairs) else _measured(result)


def _measured(result: BPairsResult) -> PairMap:
    plan, again, stood_in = result.plan, result.retests, _stood_in(result)
    no_answer = result.no_answer if stood_in is None else None
    names = _unlike([host.name for host in result.environment.hosts])
    if plan.unit != "host":
        names = tuple(f"rank {number}" for number in range(plan.units))
    return PairMap(
        unit=plan.unit,
        names=names,
        bytes_of={"small": plan.small_bytes, "large": plan.large_bytes},
        **vars(meetings_of(result)),
        times={
            kind: _logs(numbers_of(chain.from_iterable(getattr(result.passes, f"{kind}_ns"))))
            for kind in KINDS
        },
        retest_first=np.asarray(again.first, dtype=np.int64),
        retest_second=np.asarray(again.second, dtype=np.int64),
        retests={
            kind: _logs(np.array(getattr(again, f"{kind}_ns"), dtype=np.float64))
            for kind in (*KINDS, "there", "back")
        },
        silent=() if no_answer is None else tuple(no_answer.silent),
        waiting=() if no_answer is None else tuple((a, b) for a, b in no_answer.waiting),
        stood_in=stood_in,
    )


def _foreign(result: ImportedPairs) -> PairMap:
    """Return a map that another program measured; where no rounds are known all is one round."""
    plan, met, pairs = result.plan, result.meetings, result.meetings.first.count(" ") + 1
    first, second, rounds = (
        np.fromstring(column, dtype=np.int64, sep=" ")
        for column in (met.first, met.second, met.round or "0 " * pairs)
    )
    unknown, none = "- " * pairs, np.zeros(0, dtype=np.int64)
    return PairMap(
        unit=plan.unit,
        names=_unlike([host.name for host in result.environment.hosts]),
        bytes_of={"small": plan.small_bytes or 0, "large": plan.large_bytes or 0},
        passes=np.zeros_like(first),
        rounds=rounds,
        first=first,
        second=second,
        times={kind: _logs(numbers_of([getattr(met, f"{kind}_ns") or unknown])) for kind in KINDS},
        retest_first=none,
        retest_second=none,
        retests={kind: np.zeros(0) for kind in (*KINDS, "there", "back")},
        is_foreign=True,
    )


def _unlike(hosts: list[str]) -> tuple[str, ...]:
    """Return a name for each host that no other has."""
    often = Counter(hosts)
    return tuple(f"{name} (host {i})" if often[name] > 1 else name for i, name in enumerate(hosts))


def _stood_in(result: BPairsResult) -> tuple[int, int] | None:
    """Return the pass and round in which the run stood; None where single pairs stand out.

    It stood where none or all of several pairs are named. Retests are one pair at a time.
    """
    plan, no_answer = result.plan, result.no_answer
    if no_answer is None:
        return None
    at = no_answer.pass_, no_answer.round
    named = max(len(no_answer.waiting), len(no_answer.silent))
    if named == 0:  # the program saw that it was no pair
        return at
    if named == 1 or at[0] > len(result.passes.small_ns):
        return None
    met = meetings(plan.units, plan.rounds, at[0] + 1, result.options["seed"])
    of_round = int(np.sum((met.passes == at[0]) & (met.rounds == at[1])))
    is_all = len(no_answer.waiting) == of_round or len(no_answer.silent) == plan.units
    return at if is_all and of_round > 1 else None


def _logs(ns: Floats) -> Floats:
    return np.log(np.where(ns > 0, ns, np.nan))


def unseen_by(result: ImportedPairs) -> Iterator[str]:
    """Yield how a unit may be slow without being seen, in words that follow 'slow'."""
    plan = result.plan
    if plan.small_bytes is None:
        yield "in short messages only"
    if plan.large_bytes is None:
        yield "in long messages only"
    if plan.ways == "one":
        yield "in the other direction only"
