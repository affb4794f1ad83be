"""A drawn diagram made part of the page: no style, no script, no id that two diagrams share."""

import re
from xml.etree import ElementTree

from markupsafe import Markup

_SVG = "http://www.w3.org/2000/svg"
_ELEMENTS = {"svg", "g", "path", "rect", "line", "circle", "text", "tspan", "defs", "clipPath"}
_POINTS = {"point", "bar"}
"""What the drawing library calls the marks that stand for one measured value."""
_REFERENCE = re.compile(r"url\(#([^)]*)\)")


def inline_svg(svg: str, prefix: str, label: str) -> Markup:
    """Return the drawing as an element of an HTML page, named by `label`.

    A mark that stands for a value gets the class `point`, and its description as the title that
    browsers show under the pointer. Marks and entries of legends get the ids of their series as
    `data-series`. Raises ValueError for an element that no diagram needs.
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
    kind, _, series = attributes.get("aria-roledescription", "").partition(": ")
    described = attributes.get("aria-label")
    if kind in _POINTS and described:
        element.set("class", "point")
        title = ElementTree.Element(f"{{{_SVG}}}title")
        title.text = described
        element.insert(0, title)
    if series:
        element.set("data-series", series)
