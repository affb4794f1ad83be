"""What stands in packaging/ and CITATION.cff says the same as the project's own files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
LISTS = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
VERSION = re.findall(r"project\(beff VERSION ([\d.]+)", LISTS)[0]


def test_the_citation_is_of_this_version_and_license() -> None:
    citation: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (citation["title"], str(citation["version"])) == ("beff", VERSION)
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'license = "{citation["license"]}"' in project
    assert citation["abstract"] in project
