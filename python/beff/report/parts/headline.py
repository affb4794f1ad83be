"""The headline of a verdict: few words and few lines, whatever there is to say."""

from collections.abc import Sequence
from dataclasses import dataclass

from beff.judge.finding import Verdict

LONGEST, MOST_LINES, LONGEST_LINE = 60, 3, 100
"""Characters of the headline, lines below it, characters of such a line; a command has its own."""
_MOST_NAMED = 8


@dataclass(frozen=True)
class Headline:
    """A verdict in a line, and below it the reasons, what could have been seen, and what to do.

    `command` is to be copied as it is, and stands last. Without `has_more` nothing else is known.
    """

    verdict: Verdict
    text: str
    lines: tuple[str, ...] = ()
    command: str = ""
    has_more: bool = True


def clipped(text: str, room: int) -> str:
    """Cut a text that has no room, after a phrase or else a word."""
    if len(text) <= room:
        return text
    cut = text[: room - 2]
    ends = [max(cut.rfind(mark) for mark in (", ", "; ", ": ")), cut.rfind(" ")]
    end = next((one for one in ends if one > room / 2), room - 2)
    return f"{cut[:end]} \N{HORIZONTAL ELLIPSIS}"


def listed(items: Sequence[str], room: int, between: str = ", ") -> str:
    """Join the items that have room, and count the others."""
    for shown in range(min(len(items), _MOST_NAMED), 0, -1):
        more = f" and {len(items) - shown} more" if len(items) > shown else ""
        text = f"{between.join(items[:shown])}{more}"
        if len(text) <= room:
            return text
    more = f" and {len(items) - 1} more" if len(items) > 1 else ""
    return f"{clipped(items[0], room - len(more))}{more}" if items else ""


def listed_after(start: str, items: Sequence[str]) -> str:
    """Join the items that have room in a headline behind its start."""
    return f"{start}{listed(items, LONGEST - len(start))}"


def fitting(texts: Sequence[str], room: int = LONGEST) -> str:
    """Return the first of some texts, the longest first, that has room; else the last one cut."""
    return next((one for one in texts if len(one) <= room), clipped(texts[-1], room))
