"""A day in a line, the next command, and the rest."""

import shlex
from collections.abc import Mapping, Sequence
from datetime import datetime
from math import ceil, sqrt
from pathlib import Path
from typing import Any

from beff.judge.change import Logs, level, mean, squares
from beff.judge.day_rule import Word
from beff.judge.series import FIGURES, JudgedDay
from beff.report.parts.day_text import amount, by_repetitions, day_text, figure_fields, points
from beff.report.tables.table import Column, Table
from beff.result.numbers import bound, change, percent
from beff.today.plan import own_half_width


def headline(
    days: Mapping[str, JudgedDay],
    slow_hosts: str = "",
    another: Sequence[str] = (),
    changed: Sequence[str] = (),
) -> str:
    """Say of today what it is beside the days before, by each benchmark the worst first.

    `slow_hosts` are bad by the map; `another` says why it begins another series, `changed` what is
    other than on the day before.
    """
    first, *others = sorted(days.values(), key=lambda day: day.word is not Word.SLOWER)
    said = _named(first)
    if slow_hosts:
        said += f"{': ' if first.word is Word.SLOWER else '; slow: '}{slow_hosts}"
    parts = [said, *map(_named, others)]
    if another:
        parts.append(f"not beside earlier days, as {', '.join(another)}")
    return "; ".join((*parts, *changed))


def _named(day: JudgedDay) -> str:
    first, is_value = FIGURES[_benchmark(day)][0], "b_eff" in day.day.logs
    if day.word is None:
        own = day.day.logs[first.name]
        half = own_half_width(own)
        spread = f" (±{points(half)})" if half < 1 else ""
        said = f"kept as the first day: {amount(first, level(own))}{spread}"
    else:
        said = day_text(day)
    of_days = [log for one in (*day.before, day.day) for log in one.logs.get(first.name, ())]
    speeds = " and ".join(amount(first, log) for log in two_speeds(of_days))
    said += f"; by turns {speeds}" if speeds else ""
    if day.before and day.day.hosts not in {one.hosts for one in day.before}:
        said += f"; on {day.day.hosts}, the last time on {day.before[-1].hosts}"
    return f"{'' if is_value else f'{first.name}: '}{said}"


_FEWEST, _LEAST_SHARE, _LEAST_APART, _TIMES_APART = 12, 0.25, 0.1, 8


def two_speeds(logs: Logs) -> tuple[float, ...]:
    """Return the two levels of a machine that is in either of two states; nothing of one level.

    The runs are parted at the widest gap. Each level is of a quarter of them at least, and they are
    farther apart than runs of one level in any common distribution would be.
    """
    ordered = sorted(logs)
    if len(ordered) < _FEWEST:
        return ()
    gap = max(range(1, len(ordered)), key=lambda place: ordered[place] - ordered[place - 1])
    low, high = ordered[:gap], ordered[gap:]
    spread = sqrt((squares(low) + squares(high)) / (len(ordered) - 2))
    apart = mean(high) - mean(low)
    is_apart = apart > max(_LEAST_APART, _TIMES_APART * spread)
    enough = min(len(low), len(high)) >= _LEAST_SHARE * len(ordered)
    return (mean(low), mean(high)) if is_apart and enough else ()


def next_command(days: Sequence[JudgedDay], maps: Path, slow_hosts: str) -> str | None:
    """Return what to do next; None where nothing is left to do."""
    if slow_hosts:
        return shlex.join(["beff", "nodes", "--fleet", str(maps), "--show", "--bad", "bad_hosts"])
    for day in days:
        if day.word is Word.SLOWER:
            last, now = day.before[-1].folder, day.day.folder
            return shlex.join(["beff", "compare", last, now, "--history", str(Path(now).parent)])
    for day in days:
        if day.word is Word.OPEN and day.worst.change.assumed_error == 0:
            if by_repetitions(day):
                return "beff today --within 10min"
            return f"beff today --threshold {5 * ceil(20 * day.worst.seen)}%"
    return None


def figures_table(days: Sequence[JudgedDay]) -> Table:
    """Return a row for each figure: today, before, change, interval, and what would be seen."""
    heads = "figure", "runs", "today", "before", "change", "90 % interval", "seen from", "verdict"
    rows = []
    for day in days:
        judged = {one.figure.name: one for one in day.figures}
        for figure in FIGURES[_benchmark(day)]:
            logs = day.day.logs.get(figure.name)
            if not logs:
                continue
            said: tuple[str | None, ...] = (None,) * 5
            if figure.name in judged:
                one = judged[figure.name]
                low, middle, high = one.shares
                interval = f"{bound(low)} to {bound(high)}"
                before = amount(figure, one.change.a)
                said = before, change(middle), interval, percent(one.seen), one.word.value
            rows.append((figure.name, len(logs), amount(figure, level(logs)), *said))
    return Table("today", "today", tuple(map(Column, heads)), tuple(rows))


def as_fields(day: JudgedDay) -> dict[str, Any]:
    """Return what is said of a day as JSON has it: shares, and figures in their units."""
    since = None if day.since is None else datetime.fromtimestamp(day.since).astimezone()
    judged = {one.figure.name: figure_fields(one) for one in day.figures}
    figures = []
    for figure in FIGURES[_benchmark(day)]:
        values = [*map(figure.of_log, day.day.logs.get(figure.name, ()))]
        if values:
            own = {"name": figure.field, "repetitions": values}
            figures.append({**own, **judged.get(figure.name, {})})
    return {
        "benchmark": _benchmark(day),
        "verdict": "first day" if day.word is None else day.word.value,
        "since": None if since is None else since.isoformat(),
        "days_before": len(day.before),
        "hosts": day.day.hosts,
        "figures": figures,
    }


def _benchmark(day: JudgedDay) -> str:
    return next(
        name
        for name, figures in FIGURES.items()
        if any(one.name in day.day.logs for one in figures)
    )
