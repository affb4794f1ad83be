"""Exit codes: what they mean for all commands; what is special to one stands in its docstring."""

import re
from collections.abc import Sequence
from textwrap import fill

from beff.result.errors import BeffError, DisturbedError, ResultError, TargetError, WrongUsageError

OK = 0
FAILED = 1
"""The answer is no, or it did not work."""
WRONG_USAGE = 2
NOT_VALID = 3
"""Measured, but partial or not valid for comparison; of a judgement: inconclusive."""
UNFORESEEN = 70
STOPPED = 130
"""128 + SIGINT, as a shell says it."""
CLOSED_PIPE = 141
"""128 + SIGPIPE."""

_COMMON = {
    WRONG_USAGE: "wrong usage; a file is missing, is not a result, or exists already",
    UNFORESEEN: "a fault of beff itself",
    STOPPED: "stopped by Ctrl-C",
    CLOSED_PIPE: "the reader of the output has gone",
}


def explained(table: str) -> str:
    """Return a table of codes, each with its meaning, with those that all commands share."""
    rows = re.split(r"^ *(\d)  ", table, flags=re.MULTILINE)[1:]
    special = {
        int(code): " ".join(text.split()) for code, text in zip(rows[::2], rows[1::2], strict=True)
    }
    lines = (
        fill(meaning, 80, initial_indent=f"    {code:3}  ", subsequent_indent=" " * 9)
        for code, meaning in sorted((_COMMON | special).items())
    )
    return "\n".join(("  Exit codes:", *lines))


def failure(given: Sequence[str]) -> int:
    """Return the code of a command line that did not work: never 1 where that is a judgement."""
    return WRONG_USAGE if given[:1] in (["check"], ["compare"]) else FAILED


def worst(codes: list[int]) -> int:
    """Return the code of several runs: stopped, wrong usage, failure, not valid, ok."""
    rank = {OK: 0, NOT_VALID: 1, FAILED: 2, WRONG_USAGE: 3}
    return max(codes, key=lambda code: rank.get(code, len(rank)), default=OK)


def of_problem(problem: BeffError, failed: int = FAILED) -> int:
    """Return the code of a command that a problem ends; `failed` where the usage was right."""
    if isinstance(problem, DisturbedError):
        return NOT_VALID
    is_usage = isinstance(problem, (WrongUsageError, ResultError, TargetError))
    return WRONG_USAGE if is_usage else failed
