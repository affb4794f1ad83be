"""What differs between runs and machines, taken out of outputs; and what is seen of pages."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import groupby

from beff import __version__

SETTINGS = {
    "COLUMNS": "100",
    "LC_ALL": "C.UTF-8",
    "NO_COLOR": "1",
    "SLURM_CLUSTER_NAME": "cluster",
    "TZ": "UTC",
}
_LONG = re.compile(r"(?<![\w.])\d+\.\d{7,}(?:e[+-]?\d+)?(?![\d.])")
_SHA = re.compile(r"\b[0-9a-f]{64}\b")
_CELL = " | "
_ROWS = 4
_EMPTY = {"br", "hr", "img", "input", "link", "meta"}
_INLINE = {"a", "b", "button", "code", "em", "kbd", "label", "small", "span", "strong", "sup"}


def normalised(text: str, folder: str) -> str:
    """Return a text without folder, version and the last digits of numbers."""
    text = text.replace(folder, "FOLDER").replace(f"beff {__version__}", "beff VERSION")
    text = _LONG.sub(lambda number: f"{float(number[0]):.9g}", _SHA.sub("SHA256", text))
    return "".join(f"{line.rstrip()}\n" for line in text.strip("\n").rstrip().splitlines())


class _Visible(HTMLParser):
    """Collects the texts of a page or a drawing: a line for each block, cells apart."""

    def __init__(self, hides: tuple[str, ...]) -> None:
        super().__init__()
        self.lines = [""]
        self._hides = hides
        self._hidden = 0  # elements that are open, the first of which is hidden

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._hidden or tag in self._hides or "hidden" in dict(attrs):
            self._hidden += tag not in _EMPTY
        elif tag in {"td", "th"}:
            self.lines[-1] += _CELL
        elif tag not in _INLINE:
            self.lines.append("")

    def handle_endtag(self, tag: str) -> None:
        if self._hidden:
            self._hidden -= tag not in _EMPTY
        elif tag not in _INLINE | {"td", "th"}:
            self.lines.append("")

    def handle_data(self, data: str) -> None:
        self.lines[-1] += "" if self._hidden else data


def visible(page: str) -> str:
    """Return what a reader sees of a page, without drawings, and of tables the first rows."""
    lines = _texts(page, "head", "script", "style", "svg", "template")
    shown: list[str] = []
    for is_table, part in groupby(lines, lambda line: _CELL in line):
        rows = [*part]
        most = len(rows) if not is_table else 1 if rows[0] in shown else _ROWS
        left = len(rows) - most
        shown += [*rows[:most], f"and {left} rows more"] if left > 1 else rows
    return "\n".join(shown)


def drawn(svg: str) -> str:
    """Return the texts of a drawing."""
    return "\n".join(_texts(svg, "defs", "style"))


def _texts(markup: str, *hides: str) -> list[str]:
    parser = _Visible(hides)
    parser.feed(markup)
    lines = (" ".join(line.split()).removeprefix("|").strip() for line in parser.lines)
    return [line for line in lines if line]
