"""The pages of the documentation, as its tests read them."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
REFERENCE = DOCS / "reference"


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def names_in_code_marks(path: Path) -> set[str]:
    """Everything that stands alone between backticks."""
    return set(re.findall(r"`([^`\n]+)`", without_code(text_of(path))))


def part_of_page(text: str, heading: str) -> str:
    """From a heading to the next one of its level."""
    level = heading.partition(" ")[0]
    return text.partition(f"{heading}\n")[2].partition(f"\n{level} ")[0]
