#!/usr/bin/env python3
"""What is said of made-up runs: false alarms, losses found, and whether intervals cover the truth.

Usage: bench/compare_power.py [TRIALS]; prints tables of bench/RESULTS.md.
A run has the 21 message sizes, which share half of their variance from run to run, and the five
values: b_eff, rings and random rings as means over the sizes with 1 % of their own, b_eff at L_max
and latency as the last and the first size. Each trial has a seed of its own.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from common import options_of, table

from beff.judge.benchmarks import SIZES, VALUES, Figures, Quantity
from beff.judge.change import Word
from beff.judge.compare import deciding, judged_beside
from beff.judge.series import JudgedDay, Runs, Standing

ASSUMED = 0.15
MINUTE_S, DAY_S = 60.0, 86400.0
FAR_OFF = math.log(0.6)

Noise = Callable[[random.Random, int], list[float]]
"""Makes so many logarithms that follow each other in time."""
Named = Mapping[str, Any]
"""Rows or columns of a table."""


def trials_of(doc: str | None) -> int:
    """Read the command line: how many trials each cell has."""
    parser = options_of(doc)
    parser.add_argument("trials", type=int, nargs="?", default=2000, help="for each cell")
    given = parser.parse_args()
    return 10 if given.short else int(given.trials)


def chances(trials: int, *seed: object) -> Iterator[random.Random]:
    """Yield a generator for each trial, of a seed that no other has."""
    return (random.Random(" ".join(map(str, (*seed, trial)))) for trial in range(trials))


def percent(share: float) -> str:
    """Return a share with three digits."""
    return f"{100 * share:.3g}"


def grid(head: str, rows: Named, columns: Named, cell: Callable[[Any, Any], object]) -> None:
    """Print a table of what a function says of each row and column."""
    of_rows = ([name, *(cell(row, one) for one in columns.values())] for name, row in rows.items())
    table([head, *columns], of_rows)


# --- machines ---


def each(one: Callable[[random.Random], float]) -> Noise:
    """Return noise that does not depend on its neighbours."""
    return lambda chance, runs: [one(chance) for _ in range(runs)]


def gaussian(share: float) -> Noise:
    """Return normal noise."""
    return each(lambda chance: chance.gauss(0, share))


def student(share: float) -> Noise:
    """Return Student's noise with three degrees of freedom; its standard deviation is `share`."""
    return each(lambda chance: share * chance.gauss(0, 1) / math.sqrt(chance.gammavariate(1.5, 2)))


def jumping(share: float, jump: float, often: float) -> Noise:
    """Return normal noise of which so many runs are off by a logarithm."""
    return each(lambda chance: chance.gauss(0, share) + jump * (chance.random() < often))


def states(slow: float) -> Noise:
    """Return 1 % of noise on a machine that is 20 % slower with the probability `slow`."""
    return jumping(0.01, math.log(0.8), slow)


def neighbours_alike(share: float) -> Noise:
    """Return noise that correlates by 0.4 from run to run."""

    def logs(chance: random.Random, runs: int) -> list[float]:
        found = [chance.gauss(0, share)]
        while len(found) < runs:
            found.append(0.4 * found[-1] + math.sqrt(1 - 0.4**2) * chance.gauss(0, share))
        return found

    return logs


def drifting(share: float) -> Noise:
    """Return noise on a machine that loses as much again from the first run to the last."""
    return lambda chance, runs: [
        chance.gauss(0, share) - share * run / max(runs - 1, 1) for run in range(runs)
    ]


@dataclass(frozen=True)
class Machine:
    """A machine whose runs have `noise` in common, and each of their figures `own` of its own."""

    name: str
    noise: Noise
    own: float = 0.01
    alternated: bool = True
    noisier: float = 1.0
    """B has so many times the noise."""


MACHINES = (
    Machine("Gaussian, 2 %", gaussian(0.014), 0.014),
    Machine("Gaussian, 5 %", gaussian(0.035), 0.035),
    Machine("Gaussian, 15 %", gaussian(0.106), 0.106),
    Machine("Student-t with 3 degrees, 5 %", student(0.035), 0.035),
    Machine("two states, 50 : 50", states(0.5)),
    Machine("two states, 70 : 30", states(0.3)),
    Machine("two states, 90 : 10", states(0.1)),
    Machine("2 %, each run far off with 10 %", jumping(0.014, FAR_OFF, 0.1), 0.014),
    Machine("drifting by 5 %, noise 5 %", drifting(0.05), 0.01),
    Machine("neighbours alike, 5 %, A before B", neighbours_alike(0.05), 0.01, alternated=False),
    Machine("2 %, B five times as noisy", gaussian(0.014), 0.014, noisier=5.0),
)
QUIET = MACHINES[0]


def run(chance: random.Random, common: float, own: float, lost: Sequence[float]) -> Figures:
    """Make the figures of one run; `lost` are the logarithms that its sizes are lower by."""
    logs = [common + chance.gauss(0, own) - loss for loss in lost]
    middle = math.fsum(logs) / len(logs)
    values = {name: middle + chance.gauss(0, 0.01) for name in ("b_eff", "rings", "random rings")}
    values["b_eff at L_max"] = logs[-1]
    figures = {Quantity(VALUES, name, "MB/s"): math.exp(log) for name, log in values.items()}
    figures[Quantity(VALUES, "latency", "us", more_is_better=False)] = math.exp(-logs[0])
    for index, log in enumerate(logs):
        figures[Quantity(SIZES, str(2**index), "MB/s")] = math.exp(log)
    return figures


# --- two sides ---


@dataclass(frozen=True)
class Loss:
    """What B loses at its message `sizes`, and how many runs of A and of B are far off."""

    name: str
    machine: Machine
    share: float = 0.0
    sizes: range = range(21)
    off: tuple[int, int] = (0, 0)

    @property
    def logs(self) -> list[float]:
        """The logarithm that each size is lower by."""
        lost = -math.log1p(-self.share)
        return [lost if size in self.sizes else 0.0 for size in range(21)]

    def true_change(self, quantity: Quantity) -> float:
        """Return ln(B / A) of a figure."""
        if quantity.table == SIZES:
            return -self.logs[int(quantity.name).bit_length() - 1]
        by_name = {"latency": self.logs[0], "b_eff at L_max": -self.logs[-1]}
        return by_name.get(quantity.name, -math.fsum(self.logs) / 21)


LOSSES = (
    Loss("10 %, noise 1 %", Machine("", gaussian(0.007), 0.007), 0.1),
    Loss("10 %, noise 2 %", QUIET, 0.1),
    Loss("20 %, noise 2 %", QUIET, 0.2),
    Loss("20 %, one run of A far off", QUIET, 0.2, off=(1, 0)),
    Loss("20 %, one run of B far off", QUIET, 0.2, off=(0, 1)),
    Loss("20 %, one run of each far off", QUIET, 0.2, off=(1, 1)),
    Loss("20 %, each run far off with 10 %", MACHINES[7], 0.2),
    Loss("50 % from 2 B to 4 KiB", QUIET, 0.5, range(1, 13)),
    Loss("50 % at one size", QUIET, 0.5, range(9, 10)),
)


def sides(chance: random.Random, case: Loss, runs: int) -> tuple[Runs, Runs]:
    """Make the runs of both sides in one session, a minute apart."""
    machine = case.machine
    common = machine.noise(chance, 2 * runs)
    places = [range(0, 2 * runs, 2), range(1, 2 * runs, 2)]
    if not machine.alternated:
        places = [range(runs), range(runs, 2 * runs)]
    made: list[Runs] = []
    of_sides = (places, case.off, ([0.0] * 21, case.logs), (1.0, machine.noisier))
    for own, off, lost, noisier in zip(*of_sides, strict=True):
        logs = [noisier * common[at] + FAR_OFF * (n < off) for n, at in enumerate(own)]
        figures = [run(chance, log, noisier * machine.own, lost) for log in logs]
        made.append(list(zip([MINUTE_S * place for place in own], figures, strict=True)))
    return made[0], made[1]


def judged(a: Runs, b: Runs, history: Runs = ()) -> JudgedDay:
    """Judge B beside A as `beff compare` does."""
    figures = deciding([own for _, own in (*a, *b)])
    return judged_beside(a, b, history, partial(Standing, figures, ASSUMED))


def two_sides(case: Loss, runs: int, trials: int) -> str:
    """Return how often B is slower, and no slower, and how many intervals cover the truth."""
    words: Counter[Word | None] = Counter()
    covered: list[bool] = []
    for chance in chances(trials, case.name, case.machine.name, runs):
        a, b = sides(chance, case, runs)
        day = judged(a, b)
        words[day.word] += 1
        for quantity, one in zip(a[0][1], day.figures, strict=True):
            low, _, high = map(math.log1p, one.shares)
            covered.append(low <= case.true_change(quantity) <= high)
    fast = words[Word.AS_FAST] + words[Word.FASTER]
    shares = words[Word.SLOWER] / trials, fast / trials, sum(covered) / len(covered)
    return " / ".join(map(percent, shares))


# --- days ---


def between_days(loss: float, days: float, runs: int, sessions: int, trials: int) -> str:
    """Return how often B is called slower beside a history of so many sessions.

    Days differ by `days`, runs by 1 %; A, B and each day of the history have so many runs.
    """
    slower = 0
    for chance in chances(trials, loss, days, sessions, runs):
        levels = [chance.gauss(0, days) for _ in range(sessions + 2)]
        made: list[Runs] = []
        for day, level in enumerate(levels):
            lost = [-math.log1p(-loss) if day > sessions else 0.0] * 21
            made.append(
                [
                    (
                        DAY_S * day + MINUTE_S * n,
                        run(chance, level + chance.gauss(0, 0.007), 0.007, lost),
                    )
                    for n in range(runs)
                ]
            )
        *history, a, b = made
        slower += judged(a, b, [one for day in history for one in day]).word is Word.SLOWER
    return percent(slower / trials)


def main() -> None:
    """Print all tables."""
    trials = trials_of(__doc__)
    counts = {f"{runs} + {runs} runs": runs for runs in (3, 5, 10)}
    unchanged = {machine.name: Loss("nothing changed", machine) for machine in MACHINES}
    of_loss = {loss.name: loss for loss in LOSSES}
    for words, rows in (("nothing changed", unchanged), ("a loss of", of_loss)):
        head = f"{words}: slower / not slower / covered, %"
        grid(head, rows, counts, lambda case, runs: two_sides(case, runs, trials))
    days = {
        f"{100 * loss:.0f} %, days differ by {100 * days:.0f} %, {runs} a day": (loss, days, runs)
        for loss, days in ((0.0, 0.02), (0.0, 0.05), (0.2, 0.02), (0.3, 0.02))
        for runs in (1, 5)
    }
    sessions = {f"{number} sessions": number for number in (5, 10, 20)}
    grid("a loss of: slower, %", days, sessions, lambda of, n: between_days(*of, n, trials))


if __name__ == "__main__":
    main()
