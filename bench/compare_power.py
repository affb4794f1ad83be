"""What `beff compare` says of made-up runs: false alarms, losses found, all-clears given.

Run by `.venv/bin/python bench/compare_power.py [TRIALS]`; prints the table of
bench/RESULTS.md. A run has the 21 message sizes, which share half of their variance from
run to run, and the five values: b_eff, rings and random rings as means over the sizes with 1 % of
their own, b_eff at L_max and latency as the last and the first size. The runs of both sides
alternate, but where sessions differ: there all of A is one session, and all of B another.
"""

from __future__ import annotations

import math
import random
import sys
from dataclasses import dataclass

from beff.analysis.compare.benchmarks import SIZES, VALUES, Figures, Quantity
from beff.analysis.compare.compare import Evidence, deciding_levels
from beff.analysis.compare.report import ChangeVerdict
from beff.analysis.compare.statistics import Sessions

THRESHOLD = 0.05
ASSUMED = 0.15
NOISE = 0.02
ALL = range(21)


@dataclass(frozen=True)
class Case:
    """What differs between the sides; `slower` is a factor of time at the message `sizes`."""

    name: str
    slower: float = 1.0
    sizes: range = ALL
    noisier: float = 1.0
    session: float = 0.0


CASES = (
    Case("nothing changed"),
    Case("nothing changed, B is five times as noisy", noisier=5.0),
    Case("nothing changed, sessions differ by 5 %", session=0.05),
    Case("B is slower by 10 %", 1 / 0.9),
    Case("B is slower by 20 %", 1 / 0.8),
    Case("B is slower by 50 %", 2.0),
    Case("2 B to 4 KiB take twice as long", 2.0, range(1, 13)),
    Case("one message size takes twice as long", 2.0, range(9, 10)),
)


def run(chance: random.Random, noise: float, level: float, case: Case | None) -> Figures:
    """Make the figures of one run."""
    common = level + chance.gauss(0, noise * math.sqrt(0.5))
    logs = [common + chance.gauss(0, noise * math.sqrt(0.5)) for _ in ALL]
    if case is not None:
        logs = [log - math.log(case.slower) * (i in case.sizes) for i, log in enumerate(logs)]
    middle = math.fsum(logs) / len(logs)
    values = {name: middle + chance.gauss(0, 0.01) for name in ("b_eff", "rings", "random rings")}
    values["b_eff at L_max"] = logs[-1]
    figures = {Quantity(VALUES, (name,), "MB/s"): math.exp(log) for name, log in values.items()}
    figures[Quantity(VALUES, ("latency",), "us")] = math.exp(-logs[0])
    for index, log in enumerate(logs):
        figures[Quantity(SIZES, (str(2**index),), "MB/s")] = math.exp(log)
    return figures


def said(a: list[Figures], b: list[Figures], sessions: Sessions) -> str:
    """Return `slower`, `no slowdown` or `inconclusive`."""
    evidence = Evidence(a, b, list(a[0]), sessions, True, lambda _: ASSUMED)
    (levels,) = deciding_levels([evidence], THRESHOLD)
    verdicts = [row.verdict for table in evidence.tables(levels, THRESHOLD) for row in table.rows]
    if ChangeVerdict.SLOWER in verdicts:
        return "slower"
    clear = all(verdict.is_no_slowdown for verdict in verdicts)
    return "no slowdown" if clear else "inconclusive"


def cell(case: Case, runs: int, trials: int) -> str:
    """Count what is said in many trials, each with a seed of its own."""
    counts = {"slower": 0, "no slowdown": 0, "inconclusive": 0}
    for trial in range(trials):
        chance = random.Random(f"{case.name} {runs} {trial}")
        level_a, level_b = (chance.gauss(0, case.session) for _ in "AB")
        a = [run(chance, NOISE, level_a, None) for _ in range(runs)]
        b = [run(chance, NOISE * case.noisier, level_b, case) for _ in range(runs)]
        sides = (0,) * runs, ((1 if case.session else 0),) * runs
        counts[said(a, b, Sessions(*sides))] += 1
    return " / ".join(f"{100 * count / trials:.3g}" for count in counts.values())


def main() -> None:
    """Print the table: slower / no slowdown / inconclusive, in percent."""
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    columns = (1, 3, 5, 10)
    heads = " | ".join(f"{runs} run{'s' if runs > 1 else ''} a side" for runs in columns)
    print(f"| {trials} trials; slower / no slowdown / inconclusive, % | {heads} |")
    print("|---" * (len(columns) + 1) + "|")
    for case in CASES:
        cells = " | ".join(cell(case, runs, trials) for runs in columns)
        print(f"| {case.name} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
