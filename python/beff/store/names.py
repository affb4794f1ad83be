"""Names that a reader may take for one another."""

import unicodedata
from functools import cache
from string import ascii_lowercase, ascii_uppercase

from confusable_homoglyphs import confusables

_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("nn", "m"))
"""Letters that look like one other when they stand close."""
_INVISIBLE = "\u115f\u1160\u3164\uffa0"
"""Letters that fill a place with nothing."""


def spelled_out(name: str) -> str:
    """Return a name with every character beyond ASCII as its code."""
    return "".join(letter if letter.isascii() else f"[U+{ord(letter):04X}]" for letter in name)


def shape_of(name: str) -> str:
    """Return what a name looks like: case, spaces, marks and like letters make no difference.

    It is empty where no letter or digit can be seen.
    """
    shape = "".join(map(_like, unicodedata.normalize("NFKC", name)))
    for pair, one in _PAIRS:
        shape = shape.replace("".join(map(_like, pair)), _like(one))
    return shape


@cache
def _like(letter: str) -> str:
    """Return what stands for all that looks like a letter or digit; empty for anything else."""
    first = _classes().get(letter, letter)
    if first.isascii():
        return first if first.isalnum() else ""
    plain = unicodedata.normalize("NFKD", letter).casefold()
    if plain != letter:
        return "".join(map(_like, plain))
    return first if unicodedata.category(letter)[0] in "LN" and letter not in _INVISIBLE else ""


@cache
def _classes() -> dict[str, str]:
    """Return of each character the first of all that look alike; large letters of ASCII as small.

    Other scripts are not folded here: Greek eta looks like n, and its capital like H.
    """
    pairs = list(zip(ascii_lowercase, ascii_uppercase, strict=True))
    for letter, others in confusables.confusables_data.items():
        pairs += [(letter, one["c"]) for one in others if len(letter) == len(one["c"]) == 1]
    members = {letter: {letter} for pair in pairs for letter in pair}
    for one, other in pairs:
        if members[one] is not members[other]:
            members[one] |= members[other]
            members.update(dict.fromkeys(members[other], members[one]))
    return {letter: min(alike) for letter, alike in members.items()}
