"""Figures as people read them; in the browser words.js writes the same."""

import math
from collections.abc import Iterable
from datetime import datetime

from beff.list.standings import Standing, Usual
from beff.model.numbers import number
from beff.store.entry import Entry
from beff.store.system_figures import SystemFigure

NOT_MEASURED = "not measured"


def figure(value: float) -> str:
    """Write a figure with three digits."""
    text = number(value)
    return f"{int(text):,}" if abs(value) >= 1000 else text


def figure_or_not(value: float | None, factor: float = 1.0) -> str:
    """Write a figure, or that it was not measured."""
    return NOT_MEASURED if value is None else figure(value * factor)


def shown_figure(standing: Standing, wanted: SystemFigure) -> str:
    """Write a figure of a system in the unit for people, or why there is none."""
    value = standing.figure(wanted.key)
    return wanted.absent if value is None else figure(value * wanted.shown_factor)


def gbps(values: Iterable[float | None]) -> str:
    """Write bandwidths in MB/s as GB/s, beside each other."""
    return " / ".join(figure_or_not(value, 1e-3) for value in values)


def share(value: float) -> str:
    """Write a share of a machine in per cent."""
    return f"{math.floor(100 * min(1.0, value) + 0.5)} %"


def size(entry: Entry, part: float | None) -> str:
    """Say how many processes, or nodes where nobody counted those, on what part of the machine."""
    if entry.processes is None:
        nodes = entry.nodes or 0
        count = f"{figure(nodes)} node{'' if nodes == 1 else 's'}"
    else:
        count = figure(entry.processes)
    return count if part is None else f"{count} ({share(part)})"


def size_of(usual: Usual) -> str:
    """Do the same for a usual run."""
    return size(usual.entry, usual.share)


def moment(value: datetime) -> str:
    """Write a time in UTC to the minute."""
    return value.strftime("%Y-%m-%d %H:%M UTC")


def unit(text: str) -> str:
    """Write a unit of the data, which is plain ASCII, as people do."""
    return text.replace("us", "µs")


MARKS = {
    "quiet": "The repetitions of a run that counts differ little",
    "noisy": "The repetitions of a run that counts differ much: something disturbed it",
    "cold": "b_eff_io by the procedure cold: caches are emptied before the read",
    "original": "b_eff_io by the procedure original: caches are left alone",
}
"""Small marks beside a system: the word that is seen, and what it means."""


def marks(entry: Entry) -> list[str]:
    """Return the marks of a run."""
    return [mark for mark in (entry.stamp, entry.procedure) if mark in MARKS]
