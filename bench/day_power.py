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

import compare_power as made_up
from common import table
from compare_power import DAY_S, Noise, chances, grid

from beff.judge import series as judge_series
from beff.judge.acceptance import one_more
from beff.judge.benchmarks import VALUES, Quantity
from beff.judge.change import ERROR, Word
from beff.judge.earlier import check_figures
from beff.judge.finding import Verdict
from beff.judge.kept import judged_so_far
from beff.judge.series import Day, JudgedDay, Standing, first_day
from beff.result.plain_figures import PlainFigures


def walk(step: float) -> Noise:
    """Return levels that drift by steps of this standard deviation, beside 1 % of their own."""

    def logs(chance: random.Random, days: int) -> list[float]:
        level, found = 0.0, []
        for _ in range(days):
            level += chance.gauss(0, step)
            found.append(level + chance.gauss(0, 0.01))
        return found

    return logs


ALONE: dict[str, Noise] = {
    "Gaussian, 2 %": made_up.gaussian(0.02),
    "Gaussian, 5 %": made_up.gaussian(0.05),
    "one-sided (exponential), 5 %": made_up.each(lambda chance: -chance.expovariate(20)),
    "5 %, one run in ten 50 %": made_up.each(
        lambda chance: chance.gauss(0, 0.5 if chance.random() < 0.1 else 0.05)
    ),
    "two states, 50 : 50": made_up.states(0.5),
    "two states, 70 : 30": made_up.states(0.3),
    "two states, 90 : 10": made_up.states(0.1),
    "5 %, neighbours correlate by 0.4": made_up.neighbours_alike(0.05),
    "one-sided (exponential), 3 %": made_up.each(lambda chance: -chance.expovariate(1 / 0.03)),
    "Student-t with 3 degrees, 3 %": made_up.student(0.03),
    "slow random walk, 0.5 % a day": walk(0.005),
}
ONE_MORE = {"Gaussian, 1 %": made_up.gaussian(0.01), **dict([*ALONE.items()][1:])}
FIGURE = Quantity(VALUES, "value", "MB/s")
DAYS = 60


def days_alone(noise: Noise, trials: int) -> list[str]:
    """Return how often a day of 60 without a change is slower: by history, and by check.

    A history has a run a day; check judges each day as the last one, beside all before it. Then how
    many histories of 20 and of 60 days get a step.
    """
    slower = checked = 0
    marked = Counter[int]()
    for trial, chance in enumerate(chances(trials)):
        logs = noise(chance, DAYS)
        days = [Day(DAY_S * day, {FIGURE.name: (log,)}) for day, log in enumerate(logs)]
        standing = Standing({FIGURE: ERROR})
        for day in days:
            judged = standing.judged(day)
            slower += judged.word is Word.SLOWER
            standing.add(judged)
        place = random.Random(f"{trial} day").randrange(1, DAYS)
        before = judge_series.standing_after(Standing({FIGURE: ERROR}), days[:place])
        checked += before.judged(days[place]).word is Word.SLOWER
        for length in (20, DAYS):
            values = [math.exp(log) for log in logs[:length]]
            marked[length] += bool(
                judge_series.steps_of(FIGURE, [DAY_S * n for n in range(length)], values)
            )
    shares = slower / (trials * (DAYS - 1)), checked / trials, marked[20] / trials
    return [f"{100 * share:.2g}" for share in (*shares, marked[DAYS] / trials)]


def checks_of_figures(noise: Noise, series: int, days: int, trials: int) -> str:
    """Return how often beff check of so many plain figures, of equal days, is bad."""
    bad = 0
    rows = series * days
    same = {"host": "", "unit": "s", "better": "lower", "repetition": 0}
    measured = {
        **{name: [value] * rows for name, value in same.items()},
        "figure": [str(number) for number in range(series) for _ in range(days)],
        "when": [f"2026-01-{1 + day:02}T00:00:00Z" for day in range(days)] * series,
    }
    for chance in chances(trials, series, days):
        logs = [log for _ in range(series) for log in noise(chance, days)]
        values = {**measured, "value": [math.exp(log) for log in logs]}
        fields = {"figures_version": 1, "source": "made up", "measured": values}
        found = check_figures([("made up", PlainFigures.model_validate(fields))], [])
        bad += any(one.verdict is Verdict.BAD for one in found)
    return f"{100 * bad / trials:.2g}"


def found_steps(loss: float, noise: float, before: int, since: int, trials: int) -> str:
    """Return how many losses are marked where they are, or one day beside."""
    hits = 0
    starts = [DAY_S * day for day in range(before + since)]
    for chance in chances(trials, loss, before, since):
        values = [
            (1 if day < before else 1 - loss) * math.exp(chance.gauss(0, noise))
            for day in range(before + since)
        ]
        hits += any(
            abs(step.index - before) <= 1 for step in judge_series.steps_of(FIGURE, starts, values)
        )
    return f"{100 * hits / trials:.1f}"


def not_expected(noise: Noise, loss: float, runs: int, trials: int) -> str:
    """Return how many runs lie below what as many as `runs`, one a day, let expect of five."""
    below = 0
    for chance in chances(trials, loss, runs):
        *logs, last = noise(chance, runs + 1)
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


SPREADS = (
    *(Spread(0.005, 0.01), Spread(0.02, 0.04), Spread(0.02, 0.1), Spread(0.05, 0.04)),
    Spread(0.005, 0.03, ALONE["one-sided (exponential), 3 %"], "3 % to one side"),
    Spread(0.005, 0.03, ALONE["Student-t with 3 degrees, 3 %"], "3 % (Student-t)"),
    Spread(0.02, 0.04, None, "4 %, a third of them disturbed", 1 / 3),
)
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
        judged, is_enough = judged_so_far(standing, Day(DAY_S * day, logs), left, MOST_RUNS)
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
    for trial, chance in enumerate(chances(trials, of.words)):
        standing = first_day("b_eff")
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
    trials = made_up.trials_of(__doc__)
    fewer = max(trials // 4, 1)
    heads = ["nothing changed, a run a day", "history: days slower, %", "check: slower, %"]
    table(
        [*heads, "steps in 20 days, %", "in 60, %"],
        ([name, *days_alone(noise, fewer)] for name, noise in ALONE.items()),
    )
    grid(
        "check of equal plain figures: bad, %",
        dict([*ALONE.items()][:2]),
        {f"{series} of 20 days": series for series in (1, 5, 20)},
        lambda noise, series: checks_of_figures(noise, series, 20, fewer),
    )
    grid(
        "a loss of: steps found, %",
        {
            f"{100 * loss:.0f} %, noise {100 * noise:.0f} %": (loss, noise)
            for loss in (0.1, 0.2)
            for noise in (0.02, 0.03, 0.05)
        },
        {
            f"{split[0]} + {split[1]}": split
            for split in ((5, 3), (5, 5), (10, 5), (20, 5), (10, 10))
        },
        lambda loss, split: found_steps(*loss, *split, trials),
    )
    grid(
        "one more run: bad, %",
        {
            f"{name}{words}": (noise, loss)
            for name, noise in ONE_MORE.items()
            for loss, words in ((0.0, ""), (0.1, ", 10 % slower"))
        },
        {f"of {runs} runs": runs for runs in (3, 5, 10, 20)},
        lambda of, runs: not_expected(*of, runs, trials),
    )
    heads = ["beff today, 60 days", "equal: slower, %", "cannot say, %", "runs a day"]
    heads += [f"-{100 * loss:.0f} % on day {day}: found, %" for loss, day in LOST]
    table(heads, ([of.words, *days_of_two_months(of, fewer)] for of in SPREADS))


if __name__ == "__main__":
    main()
