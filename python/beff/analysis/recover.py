"""From the journal of a run that was cut off to a partial result, whichever benchmark it was."""

from collections.abc import Callable
from typing import Any

from beff.analysis.b_eff.recover import recover_b_eff
from beff.analysis.b_eff_io.recover import recover_b_eff_io
from beff.model.errors import ResultError
from beff.model.journal import Journal

RECOVERIES: dict[str, Callable[[str, Journal], dict[str, Any]]] = {
    "b_eff": recover_b_eff,
    "b_eff_io": recover_b_eff_io,
}
"""Benchmark as named in the journal → the result document that its samples give."""


def recover(source: str, journal: Journal) -> dict[str, Any]:
    """Return the result document of a journal. Raises ResultError when there is none."""
    benchmark = journal.header.benchmark
    if benchmark not in RECOVERIES:
        raise ResultError(
            f"{source}: journals of {benchmark} are not supported by this version of beff recover"
        )
    return RECOVERIES[benchmark](source, journal)
