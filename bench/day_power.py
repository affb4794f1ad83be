#!/usr/bin/env python3
"""What is said of made-up days: false alarms, losses and steps found, runs that a day takes.

Usage: bench/day_power.py [TRIALS]; prints the tables of days of bench/RESULTS.md. Each trial has a
seed of its own.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import dataclass

from common import options_of, table
from compare_power import DAY_S, Noise, each, gaussian, neighbours_alike, states, student

from beff.judge.day_rule import Word
from beff.judge.finding import Verdict
from beff.judge.series import (
    Day,
    FigureOfDay,
    JudgedDay,
    Standing,
    check_figures,
    first_day,
    standing_after,
    steps_of,
)
from beff.result.plain_figures import PlainFigures
from beff.store.acceptance import one_more
from beff.today.plan import looked


def walk(step: float) -> Noise:
    """Return levels that drift by steps of this standard deviation, beside 1 % of their own."""

    def logs(chance: random.Random, days: int) -> list[float]:
        level, found = 0.0, []
        for _ in range(days):
            level += chance.gauss(0, step)
            found.append(level + chance.gauss(0, 0.01))
        return found

    return logs


HISTORIES: dict[str, Noise] = {
    "Gaussian, 5 %": gaussian(0.05),
    "one-sided (exponential), 5 %": each(lambda chance: -chance.expovariate(20)),
    "5 %, one run in ten 50 %": each(
        lambda chance: chance.gauss(0, 0.5 if chance.random() < 0.1 else 0.05)
    ),
    "two states, 50 : 50": states(0.5),
    "two states, 70 : 30": states(0.3),
    "two states, 90 : 10": states(0.1),
    "5 %, neighbours correlate by 0.4": neighbours_alike(0.05),
    "one-sided (exponential), 3 %": each(lambda chance: -chance.expovariate(1 / 0.03)),
    "Student-t with 3 degrees, 3 %": student(0.03),
    "slow random walk, 0.5 % a day": walk(0.005),
}


ALONE = {"Gaussian, 2 %": gaussian(0.02), **HISTORIES}
FIGURE = FigureOfDay("value", "MB/s")
DAYS = 60


def days_alone(noise: Noise, trials: int) -> list[str]:
    """Return how often a day of 60 without a change is slower: by history, and by check.

    A history has a run a day; check judges each day as the last one, beside all before it. Then how
    many histories of 20 and of 60 days get a step.
    """
    slower = checked = 0
    marked = Counter[int]()
    for trial in range(trials):
        logs = noise(random.Random(f"{trial}"), DAYS)
        days = [Day(DAY_S * day, {FIGURE.name: (log,)}) for day, log in enumerate(logs)]
        standing = Standing((FIGURE,))
        for day in days:
            judged = standing.judged(day)
            slower += judged.word is Word.SLOWER
            standing.add(judged)
        place = random.Random(f"{trial} day").randrange(1, DAYS)
        before = standing_after(Standing((FIGURE,)), days[:place])
        checked += before.judged(days[place]).word is Word.SLOWER
        for length in (20, DAYS):
            values = [math.exp(log) for log in logs[:length]]
            marked[length] += bool(steps_of(FIGURE, [DAY_S * n for n in range(length)], values))
    shares = slower / (trials * (DAYS - 1)), checked / trials, marked[20] / trials
    return [f"{100 * share:.2g}" for share in (*shares, marked[DAYS] / trials)]


def checks_of_figures(noise: Noise, series: int, days: int, trials: int) -> str:
    """Return how often beff check of so many plain figures, of equal days, is bad."""
    bad = 0
    when = [f"2026-{1 + day // 28:02}-{1 + day % 28:02}T00:00:00Z" for day in range(days)]
    for trial in range(trials):
        chance = random.Random(f"{series} {days} {trial}")
        figures = [
            {
                **{"figure": str(number), "host": "", "unit": "s", "better": "lower"},
                **{"when": when, "repetitions": [0] * days},
                "values": [math.exp(log) for log in noise(chance, days)],
            }
            for number in range(series)
        ]
        fields = {"figures_version": 1, "source": "made up", "series": figures}
        found = check_figures([("made up", PlainFigures.model_validate(fields))], [])
        bad += found.verdict is Verdict.BAD
    return f"{100 * bad / trials:.2g}"


def found_steps(loss: float, noise: float, before: int, since: int, trials: int) -> str:
    """Return how many losses are marked where they are, or one day beside."""
    hits = 0
    starts = [DAY_S * day for day in range(before + since)]
    for trial in range(trials):
        chance = random.Random(f"{loss} {before} {since} {trial}")
        values = [
            (1 if day < before else 1 - loss) * math.exp(chance.gauss(0, noise))
            for day in range(before + since)
        ]
        hits += any(abs(step.index - before) <= 1 for step in steps_of(FIGURE, starts, values))
    return f"{100 * hits / trials:.1f}"


def not_expected(noise: Noise, loss: float, runs: int, trials: int) -> str:
    """Return how many runs lie below what as many as `runs`, one a day, let expect of five."""
    below = 0
    for trial in range(trials):
        *logs, last = noise(random.Random(f"{loss} {runs} {trial}"), runs + 1)
        level, half = one_more(logs, range(runs), 5)
        below += last + math.log1p(-loss) < level - half
    return f"{100 * below / trials:.1f}"


# --- today beside the days before ---


@dataclass(frozen=True)
class Spread:
    """What days and runs differ by: a standard deviation, as a share, and the noise of a run.

    Of the runs a share `disturbed` is beside a load of others, and counts as none.
    """

    days: float
    runs: float
    noise: Noise | None = None
    name: str = ""
    disturbed: float = 0.0

    @property
    def words(self) -> str:
        """Say it."""
        runs = self.name or f"{100 * self.runs:.2g} %"
        return f"days differ by {100 * self.days:.2g} %, runs by {runs}"

    def run(self, chance: random.Random) -> float:
        """Return what a run differs by from the level of its day."""
        return chance.gauss(0, self.runs) if self.noise is None else self.noise(chance, 1)[0]


Measured = tuple[JudgedDay, int]
MOST_RUNS = 6
"""Of 30 s each in the 3 minutes of beff today."""
LOST = ((0.25, 5), (0.1, 20), (0.1, 40), (0.1, 60))
"""A loss, and the day on which it is looked for."""


def today(chance: random.Random, standing: Standing, day: int, loss: float, of: Spread) -> Measured:
    """Measure a day as beff today does; return what is said of it, and how many runs it took."""
    levels = {name: chance.gauss(math.log1p(-loss), of.days) for name in ("b_eff", "latency")}
    logs: dict[str, list[float]] = {name: [] for name in levels}
    for left in reversed(range(MOST_RUNS)):
        if left and chance.random() < of.disturbed:
            continue
        for name, own in logs.items():
            own.append(levels[name] + of.run(chance))
        judged, is_enough = looked(standing, Day(DAY_S * day, logs), left, MOST_RUNS)
        if is_enough:
            break
    return judged, MOST_RUNS - left


def days_of_two_months(of: Spread, trials: int) -> list[str]:
    """Return how often 60 equal days are slower, and open, and how many runs they took.

    Then how often a loss is found the same day, and from which loss on it says one would be seen.
    """
    words: Counter[Word | None] = Counter()
    found: Counter[tuple[float, int]] = Counter()
    runs, seen = 0, {day: 0.0 for _, day in LOST}
    for trial in range(trials):
        chance, standing = random.Random(f"{of.words} {trial}"), first_day("b_eff")
        for day in range(1, 61):
            for loss, when in LOST:
                if when == day:
                    other = random.Random(f"{of.words} {trial} {day} {loss}")
                    word = today(other, standing, day, loss, of)[0].word
                    found[loss, when] += word is Word.SLOWER
            judged, taken = today(chance, standing, day, 0.0, of)
            standing.add(judged)
            words[judged.word] += 1
            runs += taken
            if day in seen:
                seen[day] += judged.figures[0].seen / trials
    shares = (words[word] / words.total() for word in (Word.SLOWER, Word.OPEN))
    return [
        *(f"{100 * share:.2g}" for share in shares),
        f"{runs / words.total():.1f}",
        *(
            f"{100 * found[each] / trials:.3g} (seen from {100 * seen[each[1]]:.0f} %)"
            for each in LOST
        ),
    ]


def main() -> None:
    """Print all tables."""
    parser = options_of(__doc__)
    parser.add_argument("trials", type=int, nargs="?", default=2000, help="for each cell")
    given = parser.parse_args()
    trials = 10 if given.short else given.trials
    table(
        [
            *("nothing changed, a run a day", "history: days slower, %", "check: slower, %"),
            *("steps in 20 days, %", "in 60, %"),
        ],
        ([name, *days_alone(noise, max(trials // 4, 1))] for name, noise in ALONE.items()),
    )
    plain = (1, 5, 20)
    table(
        ["check of equal plain figures: bad, %", *(f"{series} of 20 days" for series in plain)],
        (
            [name, *(checks_of_figures(noise, n, 20, max(trials // 4, 1)) for n in plain)]
            for name, noise in list(ALONE.items())[:2]
        ),
    )
    splits = ((5, 3), (5, 5), (10, 5), (20, 5), (10, 10))
    table(
        ["a loss of: steps found, %", *(f"{before} + {since}" for before, since in splits)],
        (
            [
                f"{100 * loss:.0f} %, noise {100 * noise:.0f} %",
                *(found_steps(loss, noise, *split, trials) for split in splits),
            ]
            for loss in (0.1, 0.2)
            for noise in (0.02, 0.03, 0.05)
        ),
    )
    table(
        ["one more run: bad, %", *(f"of {runs} runs" for runs in (3, 5, 10, 20))],
        (
            [f"{name}{words}", *(not_expected(noise, loss, n, trials) for n in (3, 5, 10, 20))]
            for name, noise in {"Gaussian, 1 %": gaussian(0.01), **HISTORIES}.items()
            for loss, words in ((0.0, ""), (0.1, ", 10 % slower"))
        ),
    )
    spreads = (
        *(Spread(0.005, 0.01), Spread(0.02, 0.04), Spread(0.02, 0.1), Spread(0.05, 0.04)),
        Spread(0.005, 0.03, HISTORIES["one-sided (exponential), 3 %"], "3 % to one side"),
        Spread(0.005, 0.03, HISTORIES["Student-t with 3 degrees, 3 %"], "3 % (Student-t)"),
        Spread(0.02, 0.04, None, "4 %, a third of them disturbed", 1 / 3),
    )
    table(
        [
            *("beff today, 60 days", "equal: slower, %", "cannot say, %", "runs a day"),
            *(f"-{100 * loss:.0f} % on day {day}: found, %" for loss, day in LOST),
        ],
        (
            [
                of.words,
                *days_of_two_months(of, max(trials // 4, 1)),
            ]
            for of in spreads
        ),
    )


if __name__ == "__main__":
    main()
