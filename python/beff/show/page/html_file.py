"""Pages of HTML: templates with style and scripts, and charts drawn into them."""

import re
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from beff import __version__
from beff.launch.engine import home
from beff.show.charts.drawing import page_svgs, why_no_pictures
from beff.show.charts.spec import Chart, described

_ASSETS = Path(__file__).parent / "assets"
_SCRIPTS = ("theme.js", "fold.js", "chart.js", "sort.js")


def page_of(**shown: Any) -> str:
    """Return a page of what its template names, with the style and the scripts of all pages."""
    style, script = _text("page.css"), "".join(map(_text, _SCRIPTS))
    hashes = (b64encode(sha256(text.encode()).digest()).decode() for text in (style, script))
    templates = Environment(
        loader=PackageLoader("beff.show.page"),
        autoescape=True,  # every text
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return templates.get_template("page.html.j2").render(
        **{"details": (), **shown},
        # exactly this style element and this script element
        policy="default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}';"
        " base-uri 'none'; form-action 'none'".format(*hashes),
        style=Markup(style),
        script=Markup(script),
        version=__version__,
        home=home(),
        why_no_pictures=why_no_pictures(),
    )


def _text(asset: str) -> str:
    return (_ASSETS / asset).read_text(encoding="utf-8")


def diagrams_of(charts: Iterable[Chart], anchor: str = "") -> list[Chart]:
    """Return charts with drawn panels; none where nothing can be drawn, of which the page says why.

    An `anchor` is that of a result whose charts they are, of which a page may have several.
    """
    drawn: list[Chart] = []
    for chart in () if why_no_pictures() else charts:
        key = f"{anchor}-{chart.key}-drawing" if anchor else chart.key
        panels = [
            inline_svg(svg, f"{key}-{number}", f"{chart.title}. {described(panel)}")
            for number, (panel, svg) in enumerate(zip(chart.panels, page_svgs(chart), strict=True))
        ]
        drawn.append(replace(chart, key=key, panels=panels))
    return drawn


_SVG = "http://www.w3.org/2000/svg"
_ELEMENTS = {"svg", "g", "path", "rect", "line", "circle", "text", "tspan", "defs", "clipPath"}
_POINTS = {"point", "bar"}
"""What the drawing library calls the marks that stand for one measured value."""
_REFERENCE = re.compile(r"url\(#([^)]*)\)")


def inline_svg(svg: str, prefix: str, label: str) -> Markup:
    """Return the drawing as an element of an HTML page, named by `label`.

    A mark that stands for a value gets the class `point`, and its description as the title that
    browsers show under the pointer. Raises ValueError for an element that no diagram needs.
    """
    root = ElementTree.fromstring(svg)
    for element in list(root.iter()):
        _clean(element, prefix)
    root.attrib.update({"role": "img", "aria-label": label})
    ElementTree.register_namespace("", _SVG)
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def _clean(element: ElementTree.Element, prefix: str) -> None:
    name = element.tag.removeprefix(f"{{{_SVG}}}")
    if name not in _ELEMENTS:
        raise ValueError(f"a diagram has an element {name}")
    attributes = dict(element.attrib)
    element.attrib.clear()
    for key, value in attributes.items():
        if key == "id":
            element.set(key, f"{prefix}-{value}")
        elif key not in {"style", "role"} and not key.startswith(("aria-", "on", "{")):
            element.set(key, _REFERENCE.sub(rf"url(#{prefix}-\1)", value))
    if attributes.get("aria-roledescription") in _POINTS and "aria-label" in attributes:
        element.set("class", "point")
        title = ElementTree.Element(f"{{{_SVG}}}title")
        title.text = attributes["aria-label"]
        element.insert(0, title)
