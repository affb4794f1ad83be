"""Sentences for people, and streams as a command finds them: closed, or in any encoding."""

import codecs
import os
import sys
from collections.abc import Collection
from io import TextIOWrapper
from textwrap import fill

from beff.result.errors import one_line


def say(*sentences: object) -> None:
    """Print lines on standard output."""
    for sentence in sentences:
        print(one_line(str(sentence)))


def warn(*sentences: object) -> None:
    """Print sentences on standard error; one that quotes a program may have several lines."""
    for line in (line for sentence in sentences for line in str(sentence).split("\n")):
        print(one_line(line), file=sys.stderr)


def filled(text: str, first: str, later: str) -> str:
    """Break words at the width of --help."""
    return fill(text, 78, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)


def in_columns(rows: Collection[tuple[str, str]]) -> str:
    """Return names with sentences beside them, or below where a name is long."""
    width = min(max(len(name) for name, _ in rows), 30)
    lines, indent = [], " " * (width + 4)
    for name, text in rows:
        beside, below = filled(text, f"  {name:<{width}}  ", indent), filled(text, indent, indent)
        lines.append(beside if len(name) <= width else f"  {name}\n{below}")
    return "\n".join(lines)


_SIGNS = "µ\N{EN DASH}·±…→≥≤"
_PLAIN = dict(zip(_SIGNS, ("u", "-", "|", "+-", "...", "->", ">=", "<="), strict=True))


def _plainly(problem: UnicodeError) -> tuple[str, int]:
    """Write what an encoding has not by signs of ASCII, so that units can be read."""
    assert isinstance(problem, UnicodeEncodeError)
    signs = problem.object[problem.start : problem.end]
    return "".join(_PLAIN.get(sign, "?") for sign in signs), problem.end


def make_sound() -> None:
    """Give a closed stream a place where nothing is kept, and let no sign end a command.

    A descriptor that is closed would be that of the next file that is opened.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    codecs.register_error("beff", _plainly)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="beff")
