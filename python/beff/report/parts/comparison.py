"""A comparison as JSON, and its verdict in sentences."""

from collections.abc import Callable, Iterator
from typing import Any

from beff.judge.change import SIDE_BY_SIDE, ChangeVerdict
from beff.judge.comparison import ComparedFigure, ComparedTable, Comparison, Report
from beff.judge.day_rule import KNOWN_FROM
from beff.judge.evidence import Basis
from beff.judge.finding import Verdict
from beff.report.parts.headline import (
    LONGEST_LINE,
    MOST_LINES,
    Headline,
    clipped,
    fitting,
    listed_after,
)
from beff.result.numbers import change, counted, percent

_FIELDS: dict[type, str] = {
    Report: "slower not_slower decided threshold comparisons refusals unpaired copies cautions",
    Comparison: "benchmark processes runs_a runs_b rests_on by_runs sessions sessions_are_shared"
    " alternated one_after_the_other differences remarks far_off not_compared tables",
    ComparedTable: "name decides rows",
}


def as_fields(record: object) -> dict[str, Any]:
    """Return a record of a comparison as json.dumps asks for it. Shares are B / A - 1."""
    if isinstance(record, ComparedFigure):
        low, high = record.interval.shares
        return {
            **{"label": record.quantity.label, "unit": record.quantity.unit},
            **{"a": record.a, "b": record.b, "change": record.change, "low": low, "high": high},
            **{"confidence": record.confidence, "noise": record.noise, "verdict": record.verdict},
        }
    fields = {name: getattr(record, name) for name in _FIELDS[type(record)].split()}
    if not isinstance(record, Report):
        return fields
    return {"headline": headline_of_report(record).text, "outcome": outcome(record), **fields}


def headline_of_report(report: Report) -> Headline:
    """Return the verdict over all comparisons, and what it rests on."""
    return Headline(_verdict(report), _text(report), tuple(_lines(report))[:MOST_LINES])


def _verdict(report: Report) -> Verdict:
    if report.slower:
        return Verdict.BAD
    return Verdict.GOOD if report.decided and report.not_slower else Verdict.UNKNOWN


def _text(report: Report) -> str:
    slower = _named(report, lambda verdict: verdict == ChangeVerdict.SLOWER)
    if slower:
        return listed_after("B is slower: ", slower)
    if not report.comparisons:
        return "A and B cannot be compared"
    faster = _named(report, lambda verdict: verdict == ChangeVerdict.FASTER)
    threshold = f"{100 * report.threshold:g} %"
    open_ones = _named(report, lambda verdict: not verdict.is_no_slowdown)
    if open_ones:
        loss = _smallest_loss(report)
        text = listed_after("inconclusive: ", open_ones)
        first = f"inconclusive: {open_ones[0]}"
        unseen = (
            "a loss below {} would not be seen",
            "a loss below {} is not seen",
            "below {} unseen",
        )
        seen = [f"{first}, {words.format(loss)}" for words in unseen] if loss else []
        return fitting([*seen, text])
    text = f"no slowdown of B by {threshold}"
    if not report.decided:
        text = "no slowdown in what was compared"
    return listed_after(f"{text}; faster: ", faster) if faster else text


def _smallest_loss(report: Report) -> str:
    """Return what the first figure that is open would have shown."""
    rows = (row for comparison in report.comparisons for row in comparison.deciding)
    first = next((row for row in rows if not row.verdict.is_no_slowdown), None)
    return "" if first is None or first.smallest_loss >= 1 else percent(first.smallest_loss)


def _lines(report: Report) -> Iterator[str]:
    """Yield what hinders, what it rests on, and what to do next."""
    if report.refusals:
        yield report.refusals[0]
        if not report.comparisons:
            yield "next: --force compares anyway, and lists what differs"
    for comparison in report.comparisons[:1]:
        first = next(iter(comparison.values), None)
        if first is None:
            yield "no figure that decides was measured"
            continue
        runs = f"{counted(len(comparison.runs_a), 'run')} of A and {len(comparison.runs_b)} of B"
        noise = percent(first.noise, 1)
        if comparison.rests_on == Basis.ASSUMED:
            yield f"{runs} do not show how much runs differ: {noise} is assumed (--run-noise)"
            yield f"next: measure at least {ENOUGH_RUNS} of each side"
            continue
        if comparison.rests_on == Basis.NOTHING:
            yield f"how much days differ is not known: {KNOWN_FROM} sessions would show it"
            yield "next: name a folder of them by --history"
            continue
        of_days = comparison.rests_on == Basis.DAYS
        on = counted(comparison.sessions, "session") if of_days else runs
        unit = "session" if of_days else "run"
        yield clipped(
            f"{on}: {first.quantity.name} differs from {unit} to {unit} by {noise}", LONGEST_LINE
        )
        if comparison.one_after_the_other:
            yield "a change of the machine between A and B would look the same"
            yield "next: alternate them (A B A B ...)"


_MOST_OPEN = 3
"""Named of what is open; the tables have all."""


def outcome(report: Report) -> str:
    """Return the verdict over all comparisons in one sentence."""
    slower = _by_comparison(report, lambda verdict: verdict == ChangeVerdict.SLOWER)
    if slower:
        return f"B is slower: {', '.join(slower)}{_in_between(report)}"
    if not report.comparisons:
        return "A and B cannot be compared"
    faster = _by_comparison(report, lambda verdict: verdict == ChangeVerdict.FASTER)
    also = f"; B is faster: {', '.join(faster)}{_in_between(report)}" if faster else ""
    threshold = f"{100 * report.threshold:g} %"
    open_ones = _by_comparison(report, lambda verdict: not verdict.is_no_slowdown, _MOST_OPEN)
    if open_ones:
        return f"inconclusive whether B is slower by {threshold}: {', '.join(open_ones)}{also}"
    if not report.decided:
        return f"no slowdown in what was compared, but not everything could be compared{also}"
    return f"no slowdown of B beyond the threshold of {threshold}{also}"


_Wanted = Callable[[ChangeVerdict], bool]


def _named(report: Report, wanted: _Wanted) -> list[str]:
    """Name the figures with such verdicts, each with its change."""
    return [name for comparison in report.comparisons for name in _of(comparison, wanted)]


def _of(comparison: Comparison, wanted: _Wanted) -> list[str]:
    mine = [row for row in comparison.values if wanted(row.verdict)]
    names = [f"{row.quantity.name} {change(row.change)}" for row in mine]
    sizes = [row for row in comparison.sizes if wanted(row.verdict)]
    return [*names, _sizes(sizes, len(comparison.sizes))] if sizes else names


def _by_comparison(report: Report, wanted: _Wanted, most: int | None = None) -> list[str]:
    """Name them by comparison, of each at most so many."""
    several = len(report.comparisons) > 1
    named = []
    for comparison in report.comparisons:
        names = _of(comparison, wanted)
        more = 0 if most is None else len(names) - most
        if more > 1:
            names[most:] = [f"{more} more"]
        if names:
            where = f" ({comparison.name})" if several else ""
            named.append(f"{', '.join(names)}{where}")
    return named


def _sizes(found: list[ComparedFigure], of: int) -> str:
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


ENOUGH_RUNS = 3
"""Runs of each side from which their noise is measured."""


def basis_text(comparison: Comparison) -> str:
    """Say what the verdict rests on, and what would show more; without a full stop."""
    first = next(iter(comparison.values), None)
    if first is None:
        return "no figure that decides was measured"
    runs = f"{counted(len(comparison.runs_a), 'run')} of A and {len(comparison.runs_b)} of B"
    share = f"{percent(first.noise, 1)} (standard deviation)"
    beside = f"Beside the scatter of the runs alone: {comparison.by_runs.value}"
    if comparison.rests_on == Basis.NOTHING:
        return (
            f"--between-days always asks for more than days differ by, which {KNOWN_FROM} sessions"
            f" show: name a folder of them by --history. {beside}"
        )
    if comparison.rests_on == Basis.ASSUMED:
        return (
            f"{runs} do not show how much runs differ: {share} is assumed for"
            f" {first.quantity.name} (--run-noise), so a loss of less than"
            f" {percent(first.smallest_loss)} cannot be seen. Measure at least {ENOUGH_RUNS} of"
            " each side"
        )
    of_days = comparison.rests_on == Basis.DAYS
    unit = "session" if of_days else "run"
    on = f"{comparison.sessions} sessions" if of_days else f"the scatter of {runs}"
    said = f"this rests on {on}: {first.quantity.name} differs from {unit} to {unit} by {share}"
    if of_days:
        return f"{said}. {beside}"
    if comparison.sessions_are_shared:
        return said
    return f"{said}. How much days differ is not known: {KNOWN_FROM} sessions would show it"


def order_sentences(comparison: Comparison) -> Iterator[str]:
    """Say what the order of the runs in time leaves open."""
    if comparison.one_after_the_other:
        yield (
            "All runs of one side were made before all of the other: a change of the machine in"
            " between looks the same as one of yours. Alternate them (A B A B ...) to find out."
        )
    if comparison.side_by_side:
        order = (
            "Whether A and B alternated in time is not known"
            if comparison.alternated is None
            else "A and B were measured one after the other in a session"
        )
        yield (
            f"{order}, and runs next to each other are alike: the intervals are"
            f" {SIDE_BY_SIDE:g} times as wide as those of sides that alternate."
        )
