"""A report's verdict in sentences."""

from collections.abc import Callable, Iterator

from beff.analysis.compare.interval import ONE_AFTER_THE_OTHER
from beff.analysis.compare.report import Comparison, Report, Row
from beff.analysis.compare.verdict import Verdict
from beff.model.numbers import change, counted, percent

ENOUGH_RUNS = 3
"""Runs of each side from which their noise is measured."""


def outcome(report: Report) -> str:
    """Return the verdict over all comparisons in one sentence."""
    slower = _named(report, lambda verdict: verdict == Verdict.SLOWER)
    if slower:
        return f"B is slower: {', '.join(slower)}{_in_between(report)}"
    if not report.comparisons:
        return "A and B cannot be compared"
    faster = _named(report, lambda verdict: verdict == Verdict.FASTER)
    also = f"; B is faster: {', '.join(faster)}{_in_between(report)}" if faster else ""
    threshold = f"{100 * report.threshold:g} %"
    open_ones = _named(report, lambda verdict: not verdict.is_no_slowdown)
    if open_ones:
        return f"it cannot be said whether B is slower by {threshold}: {', '.join(open_ones)}{also}"
    if not report.decided:
        return f"no slowdown in what was compared, but not everything could be compared{also}"
    return f"no slowdown of B beyond the threshold of {threshold}{also}"


def _named(report: Report, wanted: Callable[[Verdict], bool]) -> list[str]:
    several = len(report.comparisons) > 1
    names = []
    for comparison in report.comparisons:
        where = f" ({comparison.name})" if several else ""
        names += [
            f"{row.quantity.name} {change(row.change)}{where}"
            for row in comparison.values
            if wanted(row.verdict)
        ]
        sizes = [row for row in comparison.sizes if wanted(row.verdict)]
        if sizes:
            names.append(f"{_sizes(sizes, len(comparison.sizes))}{where}")
    return names


def _sizes(found: list[Row], of: int) -> str:
    """Name message sizes as one: they are many."""
    changes = sorted(row.change for row in found)
    first, last = found[0].quantity.name, found[-1].quantity.name
    if len(found) == 1:
        return f"messages of {first} {change(changes[0])}"
    return (
        f"{len(found)} of {of} message sizes from {first} to {last}"
        f" {change(changes[0])} to {change(changes[-1])}"
    )


def _in_between(report: Report) -> str:
    if not any(comparison.one_after_the_other for comparison in report.comparisons):
        return ""
    return "; a change of the machine between A and B would look the same"


def noise_sentences(comparison: Comparison) -> Iterator[str]:
    """Say where the intervals come from, and what more runs would bring."""
    first = next(iter(comparison.values), None)
    if first is None:
        return
    yield _noise(comparison, first)
    if comparison.one_after_the_other:
        yield (
            "All runs of one side were made before all of the other: a change of the machine in"
            " between looks the same as one between A and B."
        )
    if not comparison.noise_is_measured or comparison.sessions_are_units:
        return
    if not comparison.alternated:
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


def _noise(comparison: Comparison, first: Row) -> str:
    a, b = len(comparison.runs_a), len(comparison.runs_b)
    share = percent(comparison.noise, 1)
    name = first.quantity.name
    unit = "session" if comparison.sessions_are_units else "run"
    units = f"{counted(a, 'run')} of A and {counted(b, 'run')} of B"
    if comparison.sessions_are_units:
        units += f" in {comparison.sessions} sessions (groups of runs with gaps in time)"
    if comparison.noise_is_measured:
        return (
            f"{units}: {name} differs from {unit} to {unit} by {share} (standard deviation around"
            " the mean of their side). That any figure is wrongly called slower or faster has a"
            " probability of 5 % at most."
        )
    more = (
        f"measure A and B in turn in every session, or in at least {ENOUGH_RUNS} sessions each"
        if comparison.sessions_are_units
        else f"at least {ENOUGH_RUNS} of each side"
    )
    return (
        f"{units} do not tell how much {unit}s differ: a standard deviation of {share} is assumed"
        f" for {name} (beff compare --run-noise), so a loss of less than"
        f" {percent(first.smallest_loss)} cannot be seen. Needs repeated runs: {more}."
    )
