"""A day in a line, the next command, and the rest."""

import shlex
from collections.abc import Mapping, Sequence
from datetime import datetime
from math import ceil, exp, expm1, sqrt
from pathlib import Path
from typing import Any

from beff.judge.change import EQUIVALENCE
from beff.report.tables.table import Column, Table
from beff.result.numbers import bound, change, counted, measured, percent
from beff.today.days import FIGURES, FigureOfDay, JudgedDay, JudgedFigure
from beff.today.plan import own_half_width
from beff.today.rule import Word, level

_LARGE = 0.0995
"""A change from here on is said in whole percent."""
_RECENT_DAYS = 300
"""A date as long ago is said with its year."""


def headline(
    days: Mapping[str, JudgedDay], slow_hosts: str = "", another: Sequence[str] = ()
) -> str:
    """Say of today what it is beside the days before, by each benchmark the worst first.

    `slow_hosts` are bad by the map; `another` says why it begins another series.
    """
    first, *others = sorted(days.values(), key=lambda day: day.word is not Word.SLOWER)
    said = _said(first)
    if slow_hosts:
        said += f"{': ' if first.word is Word.SLOWER else '; slow: '}{slow_hosts}"
    parts = [said, *(f"{_name(day)}: {_said(day)}" for day in others)]
    if another:
        parts.append(f"not beside earlier days, as {', '.join(another)}")
    return "; ".join(parts)


def _said(day: JudgedDay) -> str:
    words = {None: _first, Word.SLOWER: _slower, Word.OPEN: _open}
    return words.get(day.word, _as_fast)(day) + _on_other_hosts(day)


def _name(day: JudgedDay) -> str:
    return FIGURES[_benchmark(day)][0].name


def _first(day: JudgedDay) -> str:
    half = own_half_width(_benchmark(day), day.day)
    spread = f" (±{_points(half)})" if half < 1 else ""
    return f"kept as the first day: {_value(day)}{spread}"


def _as_fast(day: JudgedDay) -> str:
    first = day.figures[0]
    word = "faster than" if first.word is Word.FASTER else "as fast as"
    half = expm1(first.change.half_width(EQUIVALENCE))
    beside = f"{_value(day)}, {_signed(first.shares[1])} (±{_points(half)})"
    others = [f"{one.figure.name} faster" for one in day.figures[1:] if one.word is Word.FASTER]
    return ", ".join([f"{word} on {_days(day)} before: {beside}", *others])


def _slower(day: JudgedDay) -> str:
    worst, since = day.worst, datetime.fromtimestamp(day.since or day.day.start_s).astimezone()
    old = (datetime.now().astimezone() - since).days > _RECENT_DAYS
    name = "" if worst.figure.name == "b_eff" else f"{worst.figure.name} "
    low, _, high = worst.shares
    said = f"slower since {since:%a %-d %b}{f'{since: %Y}' if old else ''}:"
    said += f" {name}{_signed(worst.shares[1])} ({_signed(low, '')} to {_signed(high)})"
    others = [one for one in day.figures if one is not worst]
    return ", ".join([said, *map(_beside, others)])


def _beside(one: JudgedFigure) -> str:
    low, _, high = one.shares
    is_unchanged = one.word is Word.AS_FAST or low <= 0 <= high
    return f"{one.figure.name} {'unchanged' if is_unchanged else _signed(one.shares[1])}"


def _open(day: JudgedDay) -> str:
    worst = day.worst
    if day.more_load is not None and worst.word is Word.SLOWER:
        others = f"other work takes {percent(day.more_load)} of the cores"
        return f"cannot say: {_signed(worst.shares[1])}, but {others}"
    parts = []
    if worst.change.assumed_error > 0:
        parts.append(f"cannot say yet: {_signed(worst.shares[1])} beside {_days(day)} before")
    elif _by_repetitions(day):
        parts.append(f"cannot say: runs differ by {_points(worst.change.noise)}")
    else:
        differ = worst.change.error / sqrt(1 + 1 / len(day.before))
        parts.append(f"cannot say: days differ by {_points(differ)}")
    parts.append(f"a loss below {percent(worst.seen)} would not be seen")
    if day.more_load is not None:
        parts.append(f"other work takes {percent(day.more_load)} of the cores")
    return "; ".join(parts)


def _by_repetitions(day: JudgedDay) -> bool:
    """Whether repetitions make up more of the error than days do."""
    worst = day.worst
    of_level = worst.change.noise**2 / len(day.day.logs[worst.figure.name])
    return worst.change.assumed_error == 0 and of_level > worst.change.error**2 / 2


def next_command(days: Sequence[JudgedDay], maps: Path, slow_hosts: str) -> str | None:
    """Return what to do next; None where nothing is left to do."""
    if slow_hosts:
        return shlex.join(["beff", "nodes", "--fleet", str(maps), "--show", "--bad", "bad_hosts"])
    for day in days:
        if day.word is Word.SLOWER:
            return shlex.join(["beff", "compare", day.before[-1].folder, day.day.folder])
    for day in days:
        if day.word is Word.OPEN and day.more_load is None and day.worst.change.assumed_error == 0:
            if _by_repetitions(day):
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
                before = _amount(figure, one.change.a)
                said = before, change(middle), interval, percent(one.seen), one.word.value
            rows.append((figure.name, len(logs), _amount(figure, level(logs)), *said))
    return Table("today", "today", tuple(map(Column, heads)), tuple(rows))


def as_fields(day: JudgedDay) -> dict[str, Any]:
    """Return what is said of a day as JSON has it: shares, and figures in their units."""
    since = None if day.since is None else datetime.fromtimestamp(day.since).astimezone()
    judged = {one.figure.name: _fields_of(one) for one in day.figures}
    figures = []
    for figure in FIGURES[_benchmark(day)]:
        values = [_of_log(figure.more_is_better, log) for log in day.day.logs.get(figure.name, ())]
        if values:
            own = {"name": figure.field, "repetitions": values}
            figures.append({**own, **judged.get(figure.name, {})})
    return {
        "benchmark": _benchmark(day),
        "verdict": "first day" if day.word is None else day.word.value,
        "since": None if since is None else since.isoformat(),
        "days_before": len(day.before),
        "hosts": day.day.hosts,
        "other_work": day.more_load,
        "figures": figures,
    }


def _fields_of(one: JudgedFigure) -> Mapping[str, Any]:
    low, middle, high = one.shares
    return {
        "value": _of_log(one.figure.more_is_better, one.change.b),
        "before": _of_log(one.figure.more_is_better, one.change.a),
        "change": middle,
        "interval": (low, high),
        "seen_from": one.seen,
        "verdict": one.word.value,
    }


def _benchmark(day: JudgedDay) -> str:
    return next(
        name
        for name, figures in FIGURES.items()
        if any(one.name in day.day.logs for one in figures)
    )


def _of_log(more_is_better: bool, log: float) -> float:
    return exp(log if more_is_better else -log)


def _value(day: JudgedDay) -> str:
    figure = FIGURES[_benchmark(day)][0]
    return _amount(figure, level(day.day.logs[figure.name]))


def _amount(figure: FigureOfDay, log: float) -> str:
    unit = "us" if figure.field.endswith("_us") else "MB/s"
    return measured(_of_log(figure.more_is_better, log), unit)


def _signed(share: float, end: str = " %") -> str:
    said = change(share) if abs(share) < _LARGE else f"{100 * share:+.0f} %"
    return said.removesuffix(" %") + end


def _points(share: float) -> str:
    return f"{100 * share:.{1 if share < _LARGE else 0}f} %"


def _days(day: JudgedDay) -> str:
    return counted(len(day.before), "day")


def _on_other_hosts(day: JudgedDay) -> str:
    """Name the hosts where all days before were measured on others."""
    if not day.before or day.day.hosts in {one.hosts for one in day.before}:
        return ""
    return f"; on {day.day.hosts}, the last time on {day.before[-1].hosts}"
