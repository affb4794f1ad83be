"""Recomputation of what follows from a map of pairs that another program measured."""

from typing import Any

import numpy as np

from beff.definition.compare import Recheck, Verification
from beff.maps.pair_map import KINDS, integers_of, times_of
from beff.result.bounds import Figure
from beff.result.imported_pairs import ImportedPairs, ImportedPlan, Meetings


def verify_imported_pairs(result: ImportedPairs) -> Verification:
    """Compare the summary with its recomputation; whether the times are right nobody can tell."""
    check = Recheck([])
    if has_sound_structure(result, check):
        check.compare(["summary"], result.summary.model_dump(), summary_of(result))
    not_checked = tuple(result.imported.not_known)
    return Verification(tuple(check.findings), check.figures, 0, not_checked=not_checked)


def has_sound_structure(result: ImportedPairs, check: Recheck) -> bool:
    """Whether each time belongs to two hosts; what does not is noted in `check`."""
    before = len(check.findings)
    plan, met, nodes = result.plan, result.meetings, result.environment.nodes
    check.require(plan.units == nodes, ["plan", "units"], f"{plan.units}", f"{nodes} as hosts")
    first, second = integers_of(met.first), integers_of(met.second)
    in_order = bool((first < second).all()) and int(second.max()) < plan.units
    check.require(in_order, ["meetings"], "other units", f"pairs of {plan.units} units")
    for kind in KINDS:
        size, column = getattr(plan, f"{kind}_bytes"), getattr(met, f"{kind}_ns")
        agree = (size is None) == (column is None)
        check.require(agree, ["meetings", f"{kind}_ns"], "times", f"times of {size} byte")
    return len(check.findings) == before


def summary_of(result: ImportedPairs) -> dict[str, Any]:
    """Return all fields of the summary."""
    return {
        **dict.fromkeys(type(result.summary).model_fields),
        **figures_of(result.plan, result.meetings),
    }


def figures_of(plan: ImportedPlan, met: Meetings) -> dict[str, Figure]:
    """Return the figures that pairs have: medians over all measurements."""
    small, large = (_median(times_of(met, kind)) for kind in KINDS)
    return {
        "pair_MBps": plan.large_bytes * 1e3 / large if large and plan.large_bytes else None,
        "latency_us": small / 1e3 if small else None,
    }


def _median(times: np.ndarray[Any, np.dtype[np.float64]]) -> Figure:
    known = times[~np.isnan(times)]
    return float(np.median(known)) if known.size else None
