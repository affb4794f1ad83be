"""The tool that draws the pictures of the documentation, and the words that they hold."""

from __future__ import annotations

from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

from pages_of_docs import ROOT

_loader = SourceFileLoader("make_pictures", str(ROOT / "tools" / "make_pictures"))
_spec = spec_from_loader("make_pictures", _loader)
assert _spec is not None
tool = module_from_spec(_spec)
_loader.exec_module(tool)


def held_by(name: str) -> set[str]:
    """What the pictures of a name say, in light and dark."""
    pictures = [ROOT / "docs" / "pictures" / f"{name}-{scheme}.png" for scheme in tool.SCHEMES]
    return {tool.description(picture.read_bytes()) for picture in pictures}
