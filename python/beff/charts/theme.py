"""How diagrams look: one table of settings for files, one for the HTML page."""

from dataclasses import dataclass
from typing import Any

SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right")
"""Seven shapes with eight colours: 56 series stay different, also without colours."""


@dataclass(frozen=True)
class Theme:
    """Colours and fonts of a diagram.

    A colour is whatever SVG takes, so a theme may name custom properties that a style sheet sets.
    `headed` draws title and caption into the picture, for where nothing around it shows them.
    `narrow` panels fit a telephone, where they may be made a little smaller.
    """

    ground: str | None
    ink: str
    soft_ink: str
    grid: str
    series: tuple[str, ...]
    font: str
    headed: bool
    narrow: bool = False

    @property
    def text_px(self) -> int:
        """Size of the smallest text."""
        return 12 if self.narrow else 11

    def config(self) -> dict[str, Any]:
        """Return the theme as a configuration of Vega-Lite, which charts are drawn with."""
        return {
            "background": self.ground,
            "font": self.font,
            "range": {
                "category": list(self.series),
                "symbol": list(SHAPES),
                "times": [*[self.series[1]] * 7, self.soft_ink],
            },
            "mark": {"color": self.ink},
            "line": {"strokeWidth": 1.6, "aria": False},
            "point": {"filled": True, "opacity": 1},
            "circle": {"opacity": 1},
            "bar": {"color": self.ink},
            "rule": {"color": self.soft_ink},
            "text": {"color": self.ink},
            "style": {
                name: {"color": colour}
                for name, colour in (
                    ("ink", self.ink),
                    ("soft", self.soft_ink),
                    ("faint", self.grid),
                    ("paper", self.ground or "var(--paper)"),
                )
            },
            "view": {"stroke": self.grid, "fill": None},
            "axis": {
                "labelColor": self.ink,
                "titleColor": self.ink,
                "titleFontWeight": "normal",
                "titleFontSize": self.text_px + 1,
                "labelFontSize": self.text_px,
                "domainColor": self.soft_ink,
                "tickColor": self.soft_ink,
                "gridColor": self.grid,
                "labelFlush": False,
                "labelOverlap": "greedy",
                "labelSeparation": 6,
            },
            "legend": {
                "orient": "bottom",
                "labelColor": self.ink,
                "titleColor": self.ink,
                "titleFontWeight": "normal",
                "titleOrient": "top" if self.narrow else "left",
                "titlePadding": 4 if self.narrow else 16,  # as the fonts of a browser may be wider
                "labelFontSize": self.text_px,
                "titleFontSize": self.text_px,
                "labelLimit": 260,
                # fonts of a browser may be wider than those that the widths were computed with
                "columnPadding": 26,
                "layout": {
                    "bottom": {
                        "margin": 12 if self.narrow else 48,
                        "anchor": "start",
                        "direction": "vertical" if self.narrow else "horizontal",
                    }
                },
                "symbolSize": 70,
                "symbolBaseFillColor": self.ink,
                "symbolStrokeWidth": 0,
                "symbolBaseStrokeColor": self.ink,
            },
            "title": {
                "color": self.ink,
                "subtitleColor": self.soft_ink,
                "fontSize": self.text_px + 1,
                "subtitleFontSize": self.text_px,
            },
            "header": {"labelColor": self.ink, "titleColor": self.ink},
        }


PAPER = Theme(
    ground="#ffffff",
    ink="#1a1a1a",
    soft_ink="#595959",
    grid="#e3e3e3",
    series=(
        "#0063a6",
        "#c44e00",
        "#00795a",
        "#a3388c",
        "#8a6d00",
        "#333333",
        "#3d8fd1",
        "#b3202c",
    ),
    font="Liberation Sans, Arial, Helvetica, sans-serif",
    headed=True,
)
"""For picture files and print."""

PAGE = Theme(
    ground=None,
    ink="var(--ink)",
    soft_ink="var(--ink-soft)",
    grid="var(--grid)",
    series=tuple(f"var(--series-{number})" for number in range(1, 9)),
    font="system-ui, sans-serif",
    headed=False,
    narrow=True,
)
"""For SVG inside the HTML page, whose style sheet sets the colours for light, dark and print."""
