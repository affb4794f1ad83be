"""Exit codes; the first four are those of the measuring programs."""

OK = 0
FAILED = 1
WRONG_USAGE = 2
NOT_VALID = 3
"""Measured, but partial or not valid for comparison."""
UNFORESEEN = 70
"""A fault of the command itself. None of the others: 1 of `beff compare` means slower."""


def worst(codes: list[int]) -> int:
    """Return the code of several runs: wrong usage, then failure, then not valid, then ok."""
    severity = (OK, NOT_VALID, FAILED, WRONG_USAGE)
    return max(codes, key=severity.index, default=OK)
