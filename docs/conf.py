"""Sphinx makes a site of the pages: `make site`. The source folder is that of the project."""

import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import fields_of_results
import written_by_programs

project = "beff"
html_title = "beff"
root_doc = "docs/index"
include_patterns = [
    "docs/**",
    "bench/RESULTS.md",
    "bench/slow_hosts/README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
]
exclude_patterns = [".*", "build", "results"]
html_theme = "furo"
html_show_sphinx = False
html_copy_source = False
extensions = ["myst_parser"]
myst_heading_anchors = 4
WRITTEN = {
    "docs/reference/cli": written_by_programs.reference,
    "docs/reference/output": fields_of_results.fields,
    "docs/how-to/tender": written_by_programs.tender,
}
"""What is written below the text of a page."""


def _read(_app: Any, page: str, source: list[str]) -> None:
    """Write below a page what programs say, and below index.md its links as table of contents."""
    if page in WRITTEN:
        source[0] += f"\n{WRITTEN[page]()}"
    if page != root_doc:
        return
    for part in source[0].split("\n## ")[1:]:
        pages = "\n".join(re.findall(r"\]\(([^):]*)\.md\)", part))
        caption = part.partition("\n")[0]
        source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{pages}\n```\n"


def setup(app: Any) -> None:
    """Register what this file adds to Sphinx."""
    app.connect("source-read", _read)
    app.connect("env-get-outdated", lambda *_: list(WRITTEN))
