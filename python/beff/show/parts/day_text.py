"""A day beside the days before in a sentence: what `beff today`, `check` and others say of it."""

import shlex
from collections.abc import Mapping, Sequence
from datetime import datetime
from math import ceil, expm1, sqrt
from pathlib import Path
from typing import Any

from beff.judge.benchmarks import Quantity
from beff.judge.change import EQUIVALENCE, JudgedFigure, Word, level, own_half_width
from beff.judge.series import FIGURES, VALUE_OF, JudgedDay
from beff.result.b_eff_result import RULES
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
    faster = (one for one in day.figures[1:_BESIDE] if one.word is Word.FASTER)
    others = (f"{one.figure.name} faster" for one in faster)
    return ", ".join([f"{word} {'in' if day.by_runs else 'on'} {_before(day)}: {beside}", *others])


def _slower(day: JudgedDay) -> str:
    worst, since = day.worst, datetime.fromtimestamp(day.since or day.day.start_s).astimezone()
    old = (datetime.now().astimezone() - since).days > _RECENT_DAYS
    name = "" if worst is day.figures[0] else f"{worst.figure.name} "
    low, _, high = worst.shares
    text = f"slower since {since:%a %-d %b}{f'{since: %Y}' if old else ''}:"
    text += f" {name}{signed(worst.shares[1])} ({signed(low, '')} to {signed(high)})"
    for judged in day.figures[:_BESIDE]:
        low, middle, high = judged.shares
        is_unchanged = judged.word is Word.AS_FAST or low <= 0 <= high
        if judged is not worst:
            text += f", {judged.figure.name} {'unchanged' if is_unchanged else signed(middle)}"
    return text


def _open(day: JudgedDay) -> str:
    worst = day.worst
    if worst.change.assumed_error > 0:
        name = "" if worst is day.figures[0] else f"{worst.figure.name} "
        why = f"{name}{signed(worst.shares[1])} beside {_before(day)}"
    elif by_repetitions(day):
        why = f"runs differ by {points(worst.change.noise)}"
    else:
        why = f"days differ by {points(worst.change.error / sqrt(1 + 1 / len(day.before)))}"
    return f"inconclusive: {why}; a loss below {percent(worst.seen)} would not be seen"


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


def amount(figure: Quantity, log: float) -> str:
    """Write the value that has a logarithm, with its unit."""
    return measured(figure.of_log(log), figure.unit)


def signed(share: float, end: str = " %") -> str:
    """Write a change: `-3.1 %`, `-12 %`."""
    text = change(share) if abs(share) < _LARGE else f"{100 * share:+.0f} %"
    return text.removesuffix(" %") + end


def points(share: float) -> str:
    """Write what days or runs differ by: `3.1 %`, `12 %`."""
    return f"{100 * share:.{1 if share < _LARGE else 0}f} %"


def figure_fields(judged: JudgedFigure) -> dict[str, Any]:
    """Return what is said of a figure as JSON has it: shares, and figures in their unit."""
    low, middle, high = judged.shares
    now, before = (judged.figure.of_log(log) for log in (judged.change.b, judged.change.a))
    fields = {"value": now, "before": before, "change": middle, "interval": (low, high)}
    return fields | {"seen_from": judged.seen, "verdict": judged.word.value}


# --- `beff today` ---

_VALUES = {"b_eff": RULES["short-1"].value, "b_eff_io": "b_eff_io of 30 s, NOT VALID"}
"""What the values of its runs are called, which are those of `beff run --quick`."""


def headline_of_days(
    days: Mapping[str, JudgedDay],
    slow_hosts: str = "",
    another: Sequence[str] = (),
    changed: Sequence[str] = (),
) -> str:
    """Say of today what it is beside the days before, by each benchmark the worst first.

    `slow_hosts` are bad by the map; `another` says why it begins another series, `changed` what is
    other than on the day before.
    """
    first, *others = sorted(days, key=lambda benchmark: days[benchmark].word is not Word.SLOWER)
    text = _named(first, days[first])
    if slow_hosts:
        text += f"{': ' if days[first].word is Word.SLOWER else '; slow: '}{slow_hosts}"
    parts = [text, *(_named(one, days[one]) for one in others)]
    if another:
        parts.append(f"not beside earlier days, as {', '.join(another)}")
    return "; ".join((*parts, *changed))


def _named(benchmark: str, day: JudgedDay) -> str:
    first = VALUE_OF[benchmark]
    if day.word is None:
        logs = day.day.logs[first.name]
        half = own_half_width(logs)
        spread = f" (±{points(half)})" if half < 1 else ""
        text = f"kept as the first day: {amount(first, level(logs))}{spread}"
    else:
        text = day_text(day)
    if day.before and day.day.hosts not in {one.hosts for one in day.before}:
        text += f"; on {day.day.hosts}, the last time on {day.before[-1].hosts}"
    return f"{_VALUES[benchmark]}: {text}"


def next_command(days: Sequence[JudgedDay], maps: Path, slow_hosts: str) -> str | None:
    """Return what to do next; None where nothing is left to do."""
    if slow_hosts:
        return shlex.join(["beff", "nodes", "--fleet", str(maps), "--show", "--bad", "bad_hosts"])
    for day in (day for day in days if day.word is Word.SLOWER):
        last, now = day.before[-1].folder, day.day.folder
        return shlex.join(["beff", "compare", last, now, "--history", str(Path(now).parent)])
    for day in (day for day in days if day.word is Word.OPEN):
        if day.worst.change.assumed_error == 0:
            least = f"--threshold {5 * ceil(20 * day.worst.seen)}%"
            return f"beff today {'--within 10min' if by_repetitions(day) else least}"
    return None


def day_fields(benchmark: str, day: JudgedDay) -> dict[str, Any]:
    """Return what is said of a day as JSON has it: shares, and figures in their units."""
    judged = {one.figure.name: figure_fields(one) for one in day.figures}
    figures = [
        {"name": figure.field, "repetitions": values, **judged.get(figure.name, {})}
        for figure in FIGURES[benchmark]
        if (values := [*map(figure.of_log, day.day.logs.get(figure.name, ()))])
    ]
    return {
        "benchmark": benchmark,
        "verdict": "first day" if day.word is None else day.word.value,
        "since": day.since and datetime.fromtimestamp(day.since).astimezone().isoformat(),
        "days_before": len(day.before),
        "hosts": day.day.hosts,
        "figures": figures,
    }
