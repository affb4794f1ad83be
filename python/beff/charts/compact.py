"""Smaller SVG without a visible difference."""

import re

_COORDINATES = re.compile(r' (?:d|transform)="[^"]*"')
_LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}(?![\de])")
_NOT_DISPLAYED = re.compile(r'<path [^<>]*display="none"/>')
_FILLED_WITHOUT_STROKE = re.compile(r'( fill="[^"]*") stroke-width="2"(?= opacity="1"/>)')


def compact(drawn: str) -> str:
    """Leave out of an SVG what nobody sees: a page holds thousands of points.

    Coordinates keep a hundredth of a pixel; paths that are not displayed and attributes with SVG's
    default value go. Texts stay as they are: their quotes and angle brackets are escaped.
    """
    drawn = _COORDINATES.sub(lambda found: _LONG_NUMBER.sub(_rounded, found[0]), drawn)
    drawn = _NOT_DISPLAYED.sub("", drawn)
    return _FILLED_WITHOUT_STROKE.sub(r"\1", drawn).replace(' opacity="1"', "")


def _rounded(number: re.Match[str]) -> str:
    text = f"{float(number[0]):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
