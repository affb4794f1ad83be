"""What `beff trend` marks in made-up histories: false marks, and losses found.

Run by `.venv/bin/python bench/trend_power.py [TRIALS]`; prints the tables of bench/RESULTS.md.
Noise is the standard deviation of a run's logarithm. A loss is found when there is a mark at its
place or one run beside it.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable

from beff.store.change_points import change_points

Noise = Callable[[random.Random, int], list[float]]
"""Makes the logarithms of so many runs."""


def alike(one: Callable[[random.Random], float]) -> Noise:
    """Return runs that do not depend on each other."""
    return lambda chance, runs: [one(chance) for _ in range(runs)]


def modes(share: float) -> Noise:
    """Return runs with 1 % of noise, each slower by 20 % with the probability `share`."""
    return alike(lambda chance: chance.gauss(0, 0.01) + math.log(0.8) * (chance.random() < share))


def neighbours_alike(chance: random.Random, runs: int) -> list[float]:
    """Make 5 % of noise that correlates by 0.4 from run to run."""
    logs = [chance.gauss(0, 1)]
    for _ in range(runs - 1):
        logs.append(0.4 * logs[-1] + math.sqrt(1 - 0.4**2) * chance.gauss(0, 1))
    return [0.05 * log for log in logs]


UNCHANGED: dict[str, Noise] = {
    "Gaussian, 5 %": alike(lambda chance: chance.gauss(0, 0.05)),
    "one-sided (exponential), 5 %": alike(lambda chance: -chance.expovariate(20)),
    "5 %, one run in ten 50 %": alike(
        lambda chance: chance.gauss(0, 0.5 if chance.random() < 0.1 else 0.05)
    ),
    "two modes, 50 : 50": modes(0.5),
    "two modes, 70 : 30": modes(0.3),
    "two modes, 90 : 10": modes(0.1),
    "5 %, neighbours correlate by 0.4": neighbours_alike,
}
LENGTHS = (6, 8, 10, 20, 40)
LOSSES = (0.1, 0.2, 0.3)
NOISES = (0.02, 0.03, 0.05)
SPLITS = ((3, 3), (5, 5), (10, 5), (20, 5), (10, 10))
"""Runs before the loss and since."""


def false_marks(noise: Noise, runs: int, trials: int) -> float:
    """Return the share of histories with a mark though nothing changed."""
    marked = 0
    for trial in range(trials):
        logs = noise(random.Random(f"{runs} {trial}"), runs)
        marked += bool(change_points([math.exp(log) for log in logs]))
    return marked / trials


def found(loss: float, noise: float, before: int, since: int, trials: int) -> float:
    """Return the share of histories in which a loss is marked where it is."""
    hits = 0
    for trial in range(trials):
        chance = random.Random(f"{loss} {before} {since} {trial}")
        values = [
            (1 if run < before else 1 - loss) * math.exp(chance.gauss(0, noise))
            for run in range(before + since)
        ]
        hits += any(abs(point.index - before) <= 1 for point in change_points(values))
    return hits / trials


def table(heads: list[str], rows: list[tuple[str, list[float]]]) -> None:
    """Print shares as percent."""
    print(f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|")
    for name, shares in rows:
        print(f"| {name} | {' | '.join(f'{100 * share:.1f}' for share in shares)} |")


def main() -> None:
    """Print both tables."""
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    table(
        ["nothing changed: marks in %", *(f"{runs} runs" for runs in LENGTHS)],
        [
            (name, [false_marks(noise, runs, trials) for runs in LENGTHS])
            for name, noise in UNCHANGED.items()
        ],
    )
    print()
    table(
        ["losses found in %", *(f"{before} + {since}" for before, since in SPLITS)],
        [
            (
                f"{100 * loss:.0f} %, noise {100 * noise:.0f} %",
                [found(loss, noise, *split, trials) for split in SPLITS],
            )
            for loss in LOSSES
            for noise in NOISES
        ],
    )


if __name__ == "__main__":
    main()
