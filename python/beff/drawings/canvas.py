"""A small SVG canvas: lines, circles, boxes and texts in the colours of a theme."""

from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

from beff.charts.common.theme import Theme

Point = tuple[float, float]
Parts = list[tuple[str, list[tuple[str, str]]]]
"""A drawing for a page: headings, below each pictures as name and SVG, which stand where there is
room."""
MOST_PROCESSES = 32
"""Of patterns and files, so that each process differs from the others."""


@dataclass
class Canvas:
    """Collects elements; lengths are in CSS pixels, (0, 0) is the upper left corner.

    Lines lie under dots, dots under labels, until `flush` begins anew; all of one look make one
    element, so that a drawing of many is small.
    """

    width: float
    theme: Theme
    _parts: list[str] = field(default_factory=list)
    _lines: dict[str, list[str]] = field(default_factory=dict)
    _dots: dict[str, list[str]] = field(default_factory=dict)
    _labels: dict[str, list[str]] = field(default_factory=dict)

    @property
    def paper(self) -> str:
        """The colour of the ground."""
        return self.theme.ground or "var(--paper)"

    def series(self, number: int) -> str:
        """Return one of the theme's colours; they repeat."""
        return self.theme.series[number % len(self.theme.series)]

    def line(self, a: Point, b: Point, colour: str, *, width: float = 1.4) -> None:
        """Draw a straight line."""
        self._path(f"M{_at(a)}L{_at(b)}", colour, width)

    def bow(self, a: Point, b: Point, height: float, colour: str, *, width: float = 1.4) -> None:
        """Draw a bent line that rises `height` to the left of the way from a to b."""
        length = max(((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5, 1e-9)
        across = (2 * height * (b[1] - a[1]) / length, -2 * height * (b[0] - a[0]) / length)
        middle = ((a[0] + b[0]) / 2 + across[0], (a[1] + b[1]) / 2 + across[1])
        self._path(f"M{_at(a)}Q{_at(middle)} {_at(b)}", colour, width)

    def dot(self, centre: Point, radius: float, colour: str) -> None:
        """Draw a filled circle, as the round end of a line without length."""
        look = f'stroke="{colour}" stroke-width="{_short(2 * radius)}" stroke-linecap="round"'
        self._dots.setdefault(look, []).append(f"M{_at(centre)}h0")

    def label(self, at: Point, words: str, size: float) -> None:
        """Write a word into a dot, in the colour of the ground."""
        look = f'font-size="{_short(size)}" text-anchor="middle" fill="{self.paper}"'
        x, y = (_short(value) for value in at)
        self._labels.setdefault(look, []).append(f'<text x="{x}" y="{y}">{escape(words)}</text>')

    def flush(self) -> None:
        """Put what follows over everything drawn so far."""
        for look, courses in [*self._lines.items(), *self._dots.items()]:
            self._parts.append(f'<path d="{"".join(courses)}" fill="none" {look}/>')
        for look, words in self._labels.items():
            self._parts.append(f"<g {look}>{''.join(words)}</g>")
        for collected in (self._lines, self._dots, self._labels):
            collected.clear()

    def box(
        self,
        corner: Point,
        size: Point,
        fill: str,
        *,
        stroke: str = "none",
        opacity: float = 1,
        dash: str = "",
        width: float = 1,
    ) -> None:
        """Draw a rectangle from its upper left corner."""
        x, y, w, h = (_short(value) for value in (*corner, *size))
        rest = "" if opacity == 1 else f' fill-opacity="{_short(opacity)}"'
        rest += f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(
            f'<rect x="{x}" y="{y}" width="{w}" height="{h}" fill="{fill}" stroke="{stroke}"'
            f' stroke-width="{_short(width)}"{rest}/>'
        )

    def area(
        self, corner: Point, unit: float, course: str, fill: str, *, opacity: float = 1
    ) -> None:
        """Fill what a path encloses, whose lengths are in `unit` pixels from a corner on."""
        x, y = (_short(value) for value in corner)
        self._parts.append(
            f'<path transform="translate({x} {y}) scale({unit:.6g})" d="{course}" fill="{fill}"'
            f' fill-opacity="{opacity:g}" shape-rendering="crispEdges"/>'
        )

    def text(
        self,
        at: Point,
        words: str,
        *,
        size: float = 11,
        colour: str | None = None,
        anchor: str = "start",
        bold: bool = False,
        upwards: bool = False,
    ) -> None:
        """Write words with their base line at a point, by choice from there upwards."""
        x, y = (_short(value) for value in at)
        weight = ' font-weight="bold"' if bold else ""
        turned = f' transform="rotate(-90 {x} {y})"' if upwards else ""
        self._parts.append(
            f'<text x="{x}" y="{y}" font-size="{_short(size)}" text-anchor="{anchor}"{weight}'
            f'{turned} fill="{colour or self.theme.ink}">{escape(words)}</text>'
        )

    def svg(self, height: float, title: str) -> str:
        """Return the drawing as an SVG file with a name."""
        self.flush()
        ground = self.theme.ground
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_short(self.width)}"'
            f' height="{_short(height)}" viewBox="0 0 {_short(self.width)} {_short(height)}"'
            f' font-family={quoteattr(self.theme.font)} role="img" aria-label={quoteattr(title)}>'
        )
        if ground is not None:
            self._parts.insert(0, f'<rect width="100%" height="100%" fill="{ground}"/>')
        return "\n".join([head, *self._parts, "</svg>"]) + "\n"

    def _path(self, course: str, colour: str, width: float) -> None:
        look = f'stroke="{colour}" stroke-width="{_short(width)}"'
        self._lines.setdefault(look, []).append(course)


def _at(point: Point) -> str:
    return f"{_short(point[0])},{_short(point[1])}"


def _short(value: float) -> str:
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text
