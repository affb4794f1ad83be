"""Sentences for people, and streams as a command finds them: closed, or in any encoding."""

import codecs
import os
import sys
from io import TextIOWrapper

from beff.result.plain_text import one_line

_ALIKE = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−", "-"),  # noqa: RUF001 - what they look like
        **dict.fromkeys("‘’", "'"),  # noqa: RUF001
        **dict.fromkeys("“”„", '"'),
        **dict.fromkeys("µμ", "u"),
        **dict.fromkeys("·•", "."),
        "…": "...",
        "×": "x",  # noqa: RUF001
        "≤": "<=",
        "≥": ">=",
        "≈": "~",
        "→": "->",
        "±": "+-",
        **dict(zip("▁▂▃▄▅▆▇█", "_.-~=+*#", strict=True)),
        **dict.fromkeys("▌▋▊▉", "#"),
        **dict.fromkeys("▏▎▍", ""),
    }
)
_ERRORS = "beff"


def say(sentence: object) -> None:
    """Print a line on standard output."""
    print(one_line(str(sentence)))


def warn(sentence: object) -> None:
    """Print a sentence on standard error; one that quotes a program may have several lines."""
    print("\n".join(map(one_line, str(sentence).split("\n"))), file=sys.stderr)


def _alike(problem: UnicodeError) -> tuple[str | bytes, int]:
    """Return what signs look like that the encoding lacks, or a question mark."""
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    lacking = problem.object[problem.start : problem.end]
    return lacking.translate(_ALIKE).encode("ascii", "replace").decode(), problem.end


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
    codecs.register_error(_ERRORS, _alike)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=_ERRORS)
