"""Sphinx makes a site of the pages: `make site`. The source folder is that of the project."""

import re
from typing import Any

project = "beff"
html_title = "beff"
root_doc = "docs/index"
include_patterns = ["docs/**", "bench/RESULTS.md", "CHANGELOG.md", "CONTRIBUTING.md"]
exclude_patterns = [".*", "build", "results"]
html_theme = "furo"
html_show_sphinx = False
html_copy_source = False
extensions = ["myst_parser"]
myst_heading_anchors = 4


def _contents(_app: Any, page: str, source: list[str]) -> None:
    """Make the links of index.md the table of contents."""
    if page != root_doc:
        return
    for part in source[0].split("\n## ")[1:]:
        pages = "\n".join(re.findall(r"\]\(([^):]*)\.md\)", part))
        caption = part.partition("\n")[0]
        source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{pages}\n```\n"


def setup(app: Any) -> None:
    """Register what this file adds to Sphinx."""
    app.connect("source-read", _contents)
