"""A chart as data: rows, the marks that show them, and panels of marks; `render` draws it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from beff.result.bounds import Figure
from beff.result.numbers import format_size, rate

_SOLID = 28
"""Area of a point, in square pixels."""
_MOST_POINTS = 100


@dataclass(frozen=True)
class Row:
    """What a mark shows: its place on both axes, in their units; `y` None is a gap in a line.

    `text` describes the mark, or is what it writes. `low` and `high` are the range of the value,
    `x2` and `y2` the other corner of a rectangle. A `look` sets a point apart: `beside` the lines,
    `hollow` on them, or the name of a dash.
    """

    x: float | str
    y: Figure | str
    series: str = ""
    text: str = ""
    low: Figure = None
    high: Figure = None
    look: str = ""
    x2: Figure = None
    y2: Figure = None

    @property
    def value(self) -> float:
        """The value of a row that has one."""
        if not isinstance(self.y, float | int):
            raise TypeError(f"{self} has no value")
        return self.y

    @property
    def fields(self) -> dict[str, Any]:
        """All that is set, by name, and `y` in any case."""
        return {name: it for name, it in vars(self).items() if name == "y" or it not in ("", None)}


@dataclass(frozen=True)
class Axis:
    """An axis from one end to the other with texts at its ticks, or one of `names`.

    `bold` are ticks whose texts stand out, and `at_top` is where an axis to the right lies.
    Without title, ticks and names nothing is drawn: places are in pixels then.
    """

    title: str | None = None
    ends: tuple[float, float] = (0, 1)
    ticks: Mapping[float, str] = field(default_factory=dict)
    is_log: bool = False
    names: Sequence[str] = ()
    grid: bool = True
    at_top: bool = False
    bold: Collection[float] = ()


@dataclass(frozen=True)
class Marks:
    """Rows shown as one kind of mark, see `render.KINDS`.

    `style` is a colour of the theme for marks that are of no series; `size` is in pixels: the area
    of a point, the width of a line, the height of letters or a bar.
    """

    kind: str
    rows: Sequence[Row]
    style: str = ""
    size: float | None = None
    opacity: float = 1


@dataclass(frozen=True)
class Panel:
    """Marks over two axes. Colours belong to `series` in their order; `size` is in pixels.

    A legend has so many columns, 0 none, and the series that are `shown`, by default all.
    `colours` is a range of the theme other than the usual one, `shapes` one of the points.
    """

    x: Axis
    y: Axis
    marks: Sequence[Marks]
    series: Sequence[str] = ()
    size: tuple[float, float] = (560, 380)
    title: str = ""
    below: str = ""
    legend: int = 0
    shown: Sequence[str] | None = None
    named: str | None = None
    colours: str = "category"
    shapes: Sequence[str] = ()


@dataclass(frozen=True)
class Part:
    """Panels, so many beside each other, by default all, under a heading."""

    panels: Sequence[Panel]
    columns: int = 0
    heading: str = ""


@dataclass(frozen=True)
class Chart:
    """A diagram. `key` is its lasting name, for files and anchors.

    `caption` says in one or two sentences what is seen, with units and source. `alt` stands for the
    picture where it cannot be seen, so it holds the essential numbers. `stamp` is in the title, and
    in the picture where that has none.
    """

    key: str
    title: str
    caption: str
    alt: str
    parts: Sequence[Part]
    stamp: str = ""

    @property
    def panels(self) -> list[Panel]:
        """The panels of all parts."""
        return [panel for part in self.parts for panel in part.panels]


NOT_VALID = "NOT VALID"


def stamped(chart: Chart, labels: Collection[str] | None = None) -> Chart:
    """Return a chart that says that what it shows is not valid, with hollow points.

    `labels` are those of the results, by default all; points of others' series stay as they are.
    """
    stamp = NOT_VALID if labels is None else f"{NOT_VALID}: {', '.join(labels)}"

    def is_named(row: Row) -> bool:
        return labels is None or row.series in labels

    def hollow(marks: Marks) -> list[Marks]:
        if marks.kind != "point":
            return [marks]
        rows = [row for row in marks.rows if is_named(row)]
        others = [row for row in marks.rows if not is_named(row)]
        return [replace(marks, rows=others), replace(marks, kind="hollow", rows=rows)]

    def panel(one: Panel) -> Panel:
        return replace(one, marks=[each for marks in one.marks for each in hollow(marks)])

    parts = [replace(part, panels=[*map(panel, part.panels)]) for part in chart.parts]
    return replace(chart, title=f"{chart.title}, {stamp}", parts=parts, stamp=stamp)


def has_values(rows: Iterable[Row]) -> bool:
    """Whether there is anything to draw."""
    return any(row.y is not None for row in rows)


def series_in(rows: Iterable[Row]) -> list[str]:
    """Return the names of series in the order of their first rows."""
    return list(dict.fromkeys(row.series for row in rows))


def lines(rows: Sequence[Row], size: float = _SOLID) -> list[Marks]:
    """Return lines with points; hollow points are those with a look; a range is a band."""
    joined = [row for row in rows if row.look != "beside"]
    return [
        Marks("band", [row for row in joined if row.low is not None]),
        Marks("line", joined),
        Marks("point", [row for row in rows if not row.look], size=size),
        Marks("hollow", [row for row in rows if row.look], size=size + _SOLID),
    ]


def ends(rows: Sequence[Row], write: Callable[[Figure], str] = rate) -> str:
    """Write the first and the last value of each series over sizes."""
    parts = []
    for series in series_in(rows):
        known = [row for row in rows if row.series == series and row.y is not None]
        if known:
            said = (f"{write(r.value)} at {format_size(int(r.x))}" for r in (known[0], known[-1]))
            parts.append(f"{series}: {', '.join(said)}")
    return "; ".join(parts) + "."


def texts(rows: Iterable[Row]) -> str:
    """Write what describes each row."""
    return "; ".join(row.text for row in rows) + "."


def thinned(rows: Sequence[Row]) -> list[Row]:
    """Leave out points of a long line evenly, but never its ends or extremes.

    Rows must be in the order of their axis. A diagram stays legible, and small in a page.
    """
    kept: list[Row] = []
    for series in series_in(rows):
        line = [row for row in rows if row.series == series]
        step = max(1.0, len(line) / _MOST_POINTS)
        places = {int(number * step) for number in range(min(len(line), _MOST_POINTS))}
        known = [place for place, row in enumerate(line) if row.y is not None]
        if known:
            places |= {choose(known, key=lambda at: line[at].value) for choose in (min, max)}
        kept += [line[place] for place in sorted(places | {len(line) - 1})]
    return kept


def renamed(rows: Iterable[Row], series: str) -> list[Row]:
    """Return rows as those of another series."""
    return [replace(row, series=series) for row in rows]
