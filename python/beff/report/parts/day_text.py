"""A day beside the days before in a sentence: what `beff today`, `check` and others say of it."""

from datetime import datetime
from math import expm1, sqrt
from typing import Any

from beff.judge.change import EQUIVALENCE
from beff.judge.day_rule import Word
from beff.judge.series import FigureOfDay, JudgedDay, JudgedFigure
from beff.result.numbers import change, counted, measured, percent

_LARGE = 0.0995
"""A change from here on is said in whole percent."""
_RECENT_DAYS = 300
"""A date as long ago is said with its year."""
_BESIDE = 2
"""So many figures are named in a sentence."""


def day_text(day: JudgedDay) -> str:
    """Say of a day with days before, and a figure that they have, what it is beside them."""
    return {Word.SLOWER: _slower, Word.OPEN: _open}.get(day.word or Word.OPEN, _as_fast)(day)


def _as_fast(day: JudgedDay) -> str:
    first = day.figures[0]
    word = "faster than" if first.word is Word.FASTER else "as fast as"
    half = expm1(first.change.half_width(EQUIVALENCE))
    beside = f"{amount(first.figure, first.change.b)}, {signed(first.shares[1])} (±{points(half)})"
    others = [
        f"{one.figure.name} faster" for one in day.figures[1:_BESIDE] if one.word is Word.FASTER
    ]
    return ", ".join([f"{word} {'in' if day.by_runs else 'on'} {_before(day)}: {beside}", *others])


def _slower(day: JudgedDay) -> str:
    worst, since = day.worst, datetime.fromtimestamp(day.since or day.day.start_s).astimezone()
    old = (datetime.now().astimezone() - since).days > _RECENT_DAYS
    name = "" if worst is day.figures[0] else f"{worst.figure.name} "
    low, _, high = worst.shares
    said = f"slower since {since:%a %-d %b}{f'{since: %Y}' if old else ''}:"
    said += f" {name}{signed(worst.shares[1])} ({signed(low, '')} to {signed(high)})"
    others = [one for one in day.figures[:_BESIDE] if one is not worst]
    return ", ".join([said, *map(_beside, others)])


def _beside(one: JudgedFigure) -> str:
    low, _, high = one.shares
    is_unchanged = one.word is Word.AS_FAST or low <= 0 <= high
    return f"{one.figure.name} {'unchanged' if is_unchanged else signed(one.shares[1])}"


def _open(day: JudgedDay) -> str:
    worst, parts = day.worst, []
    if worst.change.assumed_error > 0:
        name = "" if worst is day.figures[0] else f"{worst.figure.name} "
        parts.append(f"inconclusive: {name}{signed(worst.shares[1])} beside {_before(day)}")
    elif by_repetitions(day):
        parts.append(f"inconclusive: runs differ by {points(worst.change.noise)}")
    else:
        differ = worst.change.error / sqrt(1 + 1 / len(day.before))
        parts.append(f"inconclusive: days differ by {points(differ)}")
    parts.append(f"a loss below {percent(worst.seen)} would not be seen")
    return "; ".join(parts)


def _before(day: JudgedDay) -> str:
    if not day.by_runs:
        return f"{counted(len(day.before), 'day')} before"
    return f"{counted(max(map(len, day.before[0].logs.values())), 'run')} of the same day"


def by_repetitions(day: JudgedDay) -> bool:
    """Whether repetitions make up more of the error than days do."""
    worst = day.worst
    of_level = worst.change.noise**2 / len(day.day.logs[worst.figure.name])
    is_more = of_level > worst.change.error**2 / 2
    return worst.change.assumed_error == 0 and (day.by_runs or is_more)


def amount(figure: FigureOfDay, log: float) -> str:
    """Write the value that has a logarithm, with its unit."""
    return measured(figure.of_log(log), figure.unit)


def signed(share: float, end: str = " %") -> str:
    """Write a change: `-3.1 %`, `-12 %`."""
    said = change(share) if abs(share) < _LARGE else f"{100 * share:+.0f} %"
    return said.removesuffix(" %") + end


def points(share: float) -> str:
    """Write what days or runs differ by: `3.1 %`, `12 %`."""
    return f"{100 * share:.{1 if share < _LARGE else 0}f} %"


def figure_fields(one: JudgedFigure) -> dict[str, Any]:
    """Return what is said of a figure as JSON has it: shares, and figures in their unit."""
    low, middle, high = one.shares
    return {
        "value": one.figure.of_log(one.change.b),
        "before": one.figure.of_log(one.change.a),
        "change": middle,
        "interval": (low, high),
        "seen_from": one.seen,
        "verdict": one.word.value,
    }
