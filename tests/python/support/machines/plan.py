"""How many rounds and passes b_pairs has: the rules of definitions-b_pairs.md."""

from __future__ import annotations

from beff.definition.b_pairs_plan import rounds_until_all_met

ROUND_S = 0.006
"""What a round takes: twice five series of 0.4 ms, two exchanges before each, and what gathers."""
_ALL_MEET = 65
_MOST_TIMES = 240_000


def rounds_of_pass(units: int) -> int:
    """Return how many rounds a pass has where the user says nothing."""
    fit = _MOST_TIMES // 3 // (units // 2)
    return rounds_until_all_met(units) if units <= _ALL_MEET else max(8, min(64, fit))


def passes_within(units: int, duration_s: float) -> int:
    """Return how many passes there are."""
    rounds = rounds_of_pass(units)
    most = max(3, min(200, _MOST_TIMES // (rounds * (units // 2))))
    return max(3, int(min(most, duration_s / (rounds * ROUND_S))))
