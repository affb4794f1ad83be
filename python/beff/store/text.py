"""Text from outside as one line that cannot mislead a reader or break a page."""

import re
import unicodedata

NAME_LENGTH = 120
TEXT_LENGTH = 500
_UNWANTED = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]+")
"""Control characters, marks that turn the direction of writing, and halves of characters."""


def clean_text(text: str, longest: int) -> str:
    """Return one line of normal form C without what misleads or cannot be stored or seen."""
    line = unicodedata.normalize("NFC", _UNWANTED.sub(" ", text))
    line = "".join(letter for letter in line if unicodedata.category(letter) != "Cf")
    line = " ".join(line.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"
