"""A report's verdict in sentences."""

from collections.abc import Iterator
from math import expm1

from beff.analysis.compare.interval import ONE_AFTER_THE_OTHER, noise_is_measured
from beff.analysis.compare.report import Comparison, Report, Row
from beff.analysis.compare.verdict import Verdict

ENOUGH_RUNS = 3
"""Runs of each side from which their noise is measured."""


def runs(count: int) -> str:
    """Write a number of runs."""
    return f"{count} run{'' if count == 1 else 's'}"


def percent(share: float) -> str:
    """Write a change as `-9.1 %`; one decimal, a sign unless it is zero."""
    text = f"{100 * share:+.1f}"
    return f"{'0.0' if text in ('+0.0', '-0.0') else text} %"


def outcome(report: Report) -> str:
    """Return the verdict over all comparisons in one sentence."""
    slower = _named(report, Verdict.SLOWER)
    if slower:
        return f"B is slower: {', '.join(slower)}"
    if not report.comparisons:
        return "A and B cannot be compared"
    if not report.decided:
        return "no slowdown in what was compared, but not everything could be compared"
    sentence = f"no slowdown of B beyond the threshold of {100 * report.threshold:g} % and noise"
    faster = _named(report, Verdict.FASTER)
    if faster:
        sentence += f"; B is faster: {', '.join(faster)}"
    unclear = _named(report, Verdict.NOT_CLEAR)
    if unclear:
        sentence += f"; not clear: {', '.join(unclear)}"
    return sentence


def _named(report: Report, verdict: Verdict) -> list[str]:
    several = len(report.comparisons) > 1
    return [
        f"{row.quantity.name} {percent(row.interval.shares[0])}"
        + (f" ({comparison.name})" if several else "")
        for comparison in report.comparisons
        for row in comparison.values
        if row.verdict == verdict
    ]


def noise_sentences(comparison: Comparison) -> Iterator[str]:
    """Say where the intervals come from, and what more runs would bring."""
    a, b = len(comparison.runs_a), len(comparison.runs_b)
    share = f"{100 * comparison.noise:.1f} %"
    first = next(iter(comparison.values), None)
    if first is None:
        return
    name = first.quantity.name
    if noise_is_measured(a, b):
        yield (
            f"The intervals of the values hold together with 95 %; {name} differs from run to run"
            f" by {share} (standard deviation of {a + b} runs around the mean of their side)."
        )
    else:
        yield (
            f"{runs(a)} of A and {runs(b)} of B do not tell how much runs differ: a standard"
            f" deviation of {share} is assumed for {name} (--run-noise), so a change by less than"
            f" {_smallest(first)} is not clear. Needs repeated runs: at least {ENOUGH_RUNS} of each"
            " side."
        )
    if noise_is_measured(a, b) and not comparison.alternated:
        order = (
            "Whether A and B alternated in time is not known"
            if comparison.alternated is None
            else "A and B were measured one after the other"
        )
        yield (
            f"{order}, and runs next to each other are alike: the"
            f" intervals are {ONE_AFTER_THE_OTHER:g} times as wide as those of sides that alternate"
            " (A B A B ...)."
        )


def _smallest(row: Row) -> str:
    half = row.interval.high - row.interval.estimate
    return f"{-100 * expm1(-half):.0f} %"
