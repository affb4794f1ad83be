"""Results, and plain figures, beside those of earlier days: the findings of `beff check`."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from beff.definition.subject import apart, once
from beff.judge.benchmarks import ASSUMED_NOISE, VALUES, Quantity
from beff.judge.change import ERROR
from beff.judge.compare import deciding, judged_beside, kind_of, runs_of, sessions_of_sides
from beff.judge.conditions import why_unlike
from beff.judge.finding import EARLIER_RESULTS, OF_WORD, Finding, Verdict
from beff.judge.series import JudgedDay, Standing, days_of, standing_after
from beff.result.load import Document
from beff.result.plain_figures import Measured, PlainFigures, joined


def check_earlier(results: Sequence[Document], earlier: Sequence[Document]) -> Iterator[Finding]:
    """Set each day of the results that were measured in one way beside earlier ones of that way."""
    groups: list[list[Document]] = []
    for result in results:
        group = next((group for group in groups if not why_unlike(group, result)), None)
        if group is None:
            groups.append([result])
        else:
            group.append(result)
    for group in groups:
        (checked, copies), benchmark = once(group), group[0].benchmark
        others, again = apart([run for run in earlier if run.benchmark == benchmark], group)
        reasons = [why_unlike(group, run) for run in others]
        alike, _ = once([run for run, why in zip(others, reasons, strict=True) if not why])
        about, source = kind_of(group[0]), ", ".join(run.source for run in group)
        facts: dict[str, Any] = {"benchmark": benchmark, "copies": "; ".join(copies)}
        facts |= {"earlier": len(alike or others), "checked again": [run.source for run in again]}
        for day, runs in _days_beside(checked, alike) if alike else ():
            of_day = ", ".join(run.source for run in runs) if len(runs) < len(checked) else source
            why_none = {} if day.word else {"why": "no figure was measured in all"}
            yield _beside(about, facts | why_none, of_day, day, len(runs))
        if not alike:
            shortest = min(reasons, key=len, default=[])
            why_none = {"why": "; ".join(shortest)} if shortest else {}
            yield _beside(about, facts | why_none, source)


def _days_beside(
    checked: Sequence[Document], earlier: Sequence[Document]
) -> Iterator[tuple[JudgedDay, list[Document]]]:
    """Judge each day of results beside the days of earlier ones, and yield it with its results.

    All are of one benchmark; those that are checked have figures in common. That any of all their
    days is wrongly called slower has the probability ERROR.
    """
    runs_before, runs = runs_of(earlier, checked)
    of_earlier, of_checked = map(set, sessions_of_sides(runs_before, runs))
    begin = partial(Standing, assumed=ASSUMED_NOISE[checked[0].benchmark])
    if of_earlier == of_checked:
        errors = deciding([figures for _, figures in (*runs_before, *runs)])
        yield judged_beside(runs_before, runs, (), partial(begin, errors)), [*checked]
        return
    errors = deciding([figures for _, figures in runs], ERROR / len(days_of(runs, [])))
    standing = standing_after(begin(errors), days_of(runs_before, errors))
    for day in days_of(runs, errors):
        judged = standing.judged(day)
        standing.add(judged)
        yield judged, [checked[run] for run in day.runs]


def figure_of(series: Measured) -> Quantity:
    """Return what is judged of a series."""
    return Quantity(VALUES, series.figure, series.unit, series.better == "higher")


def check_figures(
    checked: Sequence[tuple[str, PlainFigures]], earlier: Sequence[PlainFigures]
) -> Iterator[Finding]:
    """Judge the last day of each series of files, which are named, beside all days before it.

    That any is wrongly called slower has the probability ERROR.
    """
    series = list(joined(of for _, of in checked))
    whole = {each.key: each for each in joined([*(of for _, of in checked), *earlier])}
    source = ", ".join(name for name, _ in checked)
    for figures in series:
        figure, every = figure_of(figures), whole[figures.key]
        runs = [(at, {figure: value}) for at, value in zip(every.starts, every.values, strict=True)]
        days = [day for day in days_of(runs, [figure]) if day.start_s <= figures.starts[-1]]
        *before, today = days
        day = standing_after(Standing({figure: ERROR / len(series)}), before).judged(today)
        count = sum(len(day.runs) for day in before)
        facts = {"benchmark": figures.title, "copies": "", "checked again": [], "earlier": count}
        yield _beside(figures.title, facts, source, day, len(today.runs))


def _beside(
    about: str, facts: dict[str, Any], source: str, day: JudgedDay | None = None, checked: int = 0
) -> Finding:
    """Return what so many runs that were checked, a day, are beside earlier ones.

    Without such, or a figure that both have, it is open; `why` among the facts says why none is
    alike.
    """
    if day is None or day.word is None:
        code = "no earlier results alike" if "why" in facts else "no earlier results"
        return Finding(code, about, Verdict.UNKNOWN, EARLIER_RESULTS, facts, source=source)
    facts, verdict = {**facts, "checked": checked, "day": day}, OF_WORD[day.word]
    return Finding("compared with earlier", about, verdict, EARLIER_RESULTS, facts, source=source)
