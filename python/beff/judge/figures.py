"""Plain figures over time, of any benchmark, judged by the rule of a series."""

from collections.abc import Sequence
from typing import Any

from beff.judge.day_rule import ERROR
from beff.judge.finding import EARLIER_RESULTS, OF_WORD, Checked, Finding, Verdict
from beff.judge.series import FigureOfDay, Standing, days_of, standing_after
from beff.result.plain_figures import Measured, PlainFigures, joined


def figure_of(series: Measured, error: float = ERROR) -> FigureOfDay:
    """Return what is judged of a series."""
    return FigureOfDay(series.figure, series.unit, error, series.better == "higher")


def check_figures(
    checked: Sequence[tuple[str, PlainFigures]], earlier: Sequence[PlainFigures]
) -> Checked:
    """Judge the last day of each series of files, which are named, beside all days before it.

    That any is wrongly called slower has the probability ERROR.
    """
    asked = list(joined(one for _, one in checked))
    whole = {one.key: one for one in joined([*(one for _, one in checked), *earlier])}
    source = ", ".join(name for name, _ in checked)
    return Checked(
        tuple(
            _of_series(one, whole[one.key], figure_of(one, ERROR / len(asked)), source)
            for one in asked
        )
    )


def _of_series(own: Measured, whole: Measured, figure: FigureOfDay, source: str) -> Finding:
    days = days_of(whole.starts, [{figure: value} for value in whole.values])
    last = max(place for place, (day, _) in enumerate(days) if day.start_s <= own.starts[-1])
    before, (today, runs) = days[:last], days[last]
    facts: dict[str, Any] = {"benchmark": own.title, "copies": [], "checked again": []}
    facts["earlier"] = sum(len(of) for _, of in before)
    if not before:
        code = "no earlier results"
        return Finding(code, own.title, Verdict.UNKNOWN, EARLIER_RESULTS, facts, source=source)
    standing = standing_after(Standing([figure]), [day for day, _ in before])
    day = standing.judged(today)
    facts |= {"checked": len(runs), "day": day}
    code, verdict = "compared with earlier", OF_WORD[day.word]
    return Finding(code, own.title, verdict, EARLIER_RESULTS, facts, source=source)
