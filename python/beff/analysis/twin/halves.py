"""What crosses between a group of hosts and the others in steps of a bisection, all at once."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from beff.analysis.b_pairs.cuts import parts_of
from beff.analysis.b_pairs.network import rate_of
from beff.analysis.b_pairs.schedule import Ints
from beff.model.b_pairs_result import BPairsResult
from beff.model.numbers import BYTES_PER_MB

_QUARTER = 0.25
"""Pairs that end sooner count as faster than all were together, so most steps show too much."""


@dataclass(frozen=True)
class Halves:
    """Steps in which each pair is of a host of `group` and another one.

    `crossed`: byte/s each way, of which a quarter of the steps have no more. `longer`: how many
    times as long pairs took as alone; NaN where no pair was measured alone.
    """

    group: int
    crossed: float
    longer: float


def halves_that_are_groups(result: BPairsResult, labels: Ints) -> Iterator[Halves]:
    """Yield the groups, by the number of each unit, of which there are such steps."""
    asked, found = result.plan.bisection, result.bisection
    if asked is None or found is None:
        return
    alone = [rate_of(result, asked.processes, "both ways", max(1, ns)) for ns in found.alone.ns]
    for number, halves in enumerate(found.halves):
        if not halves.steps.sum_MBps:
            continue
        parts = parts_of(result.plan, asked, result.options["seed"], number)
        together = float(np.quantile(halves.steps.sum_MBps, _QUARTER, method="lower"))
        longer = len(parts[0]) * float(np.median(alone)) / together if alone else np.nan
        for part in parts:
            group = int(labels[part[0]])
            if set(part.tolist()) == set(np.flatnonzero(labels == group).tolist()):
                yield Halves(group, together / 2 * BYTES_PER_MB, longer)
