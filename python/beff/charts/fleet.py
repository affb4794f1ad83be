"""The hosts of a fleet as cells, those of a leaf beside each other, coloured by their factors."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from beff.charts.chart import Axis, Chart, Marks, Panel, Part, Row
from beff.fleet.states import HostState, State
from beff.judge.fleet import JudgedFleet
from beff.maps.findings import SIZES
from beff.result.numbers import counted

_WIDTH, _HEIGHT = 464, 600
"""Of all cells, in pixels: one screen."""
_LARGEST, _SMALLEST = 24, 6
"""From a cell to the next one, in pixels."""
_STEPS = (1.05, 1.15, 1.25, 1.5, 2.0, 3.0)
_LEVELS = (
    *(f"to x {step:g}" for step in _STEPS),
    f"above x {_STEPS[-1]:g}, or no answer",
    "not known",
)
_MOST_NAMED = 12


def fleet_chart(judged: JudgedFleet) -> Chart:
    """Draw all hosts by their larger factor of short and of long messages."""
    # n2 before n10, and unknown leaves last
    hosts = sorted(judged.hosts(), key=lambda one: (len(one.name), one.name))
    hosts.sort(key=lambda one: (one.leaf is None, one.leaf))
    leaves = [len([*of_leaf]) for _, of_leaf in groupby(hosts, key=lambda one: one.leaf)]
    for pitch in range(_LARGEST, _SMALLEST - 1, -1):
        places = _places(leaves, _WIDTH // pitch)
        height = (places[-1][0] + 1) * pitch
        if height <= _HEIGHT:
            break
    rows = [
        Row((column + 0.5) * pitch, (row + 0.5) * pitch, _level(host), _text(judged, host))
        for host, (row, column) in zip(hosts, places, strict=True)
    ]
    cells = Marks("cell", rows, size=(pitch - 1) ** 2)
    x, y = Axis(ends=(0, _WIDTH)), Axis(ends=(height, 0))
    panel = Panel(x, y, [cells], _LEVELS, (_WIDTH, height), legend=4, colours="times")
    words = Counter(host.word(judged.days) for host in judged.hosts())
    said = ", ".join(f"{count} {word}" for word, count in words.items())
    worst = [_text(judged, host) for host in judged.hosts()[:_MOST_NAMED]]
    return Chart(
        "fleet",
        f"A fleet of {counted(len(hosts), 'host')}",
        "One cell per host, those of a leaf beside each other; the stronger its colour, the more"
        f" times as long as usual its short or long messages take. {said}.",
        f"{said}. The worst are {'; '.join(worst)}.",
        [Part([panel])],
    )


def _places(leaves: Sequence[int], columns: int) -> list[tuple[int, int]]:
    """Return row and column of each cell; leaves are apart, and in one row where they fit."""
    row, column, found = 0, 0, []
    for size in leaves:
        if column and column + size > columns:
            row, column = row + 1, 0
        for _ in range(size):
            if column == columns:
                row, column = row + 1, 0
            found.append((row, column))
            column += 1
        column += 1
    return found


def _level(host: HostState) -> str:
    if host.state == State.NO_ANSWER:
        return _LEVELS[len(_STEPS)]
    if not host.factors:
        return _LEVELS[-1]
    return _LEVELS[bisect_right(_STEPS, max(host.factors.values()))]


def _text(judged: JudgedFleet, host: HostState) -> str:
    took = [f"x {factor:.2f} in {SIZES[kind]} messages" for kind, factor in host.factors.items()]
    days = [f"measured {counted(round(host.days), 'day')} ago"] if host.last >= 0 else []
    return f"{host.name}: {', '.join([host.word(judged.days), *took, *days])}"
