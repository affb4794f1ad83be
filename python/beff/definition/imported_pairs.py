"""What follows from a map of pairs that another program measured."""

from typing import Any

from beff.definition.b_pairs import median, numbers_of
from beff.definition.compare import UnsoundError
from beff.result.bounds import Figure
from beff.result.imported_pairs import ImportedPairs, ImportedPlan, Meetings

KINDS = ("small", "large")


def derive(raw: ImportedPairs) -> dict[str, Any]:
    """Return all fields of the summary. Raises UnsoundError where a time is not of two hosts."""
    plan, met, nodes = raw.plan, raw.meetings, raw.environment.nodes
    if plan.units != nodes:
        raise UnsoundError(["plan", "units"], plan.units, f"{nodes} as hosts")
    first, second = numbers_of([met.first]), numbers_of([met.second])
    if not (first < second).all() or second.max() >= plan.units:
        raise UnsoundError(["meetings"], "other units", f"pairs of {plan.units} units")
    for kind in KINDS:
        size, column = getattr(plan, f"{kind}_bytes"), getattr(met, f"{kind}_ns")
        if (size is None) != (column is None):
            raise UnsoundError(["meetings", f"{kind}_ns"], "times", f"times of {size} byte")
    return {"summary": dict.fromkeys(type(raw.summary).model_fields) | figures_of(plan, met)}


def figures_of(plan: ImportedPlan, met: Meetings) -> dict[str, Figure]:
    """Return the figures that pairs have: medians over all measurements."""
    small, large = (median(filter(None, [getattr(met, f"{kind}_ns")])) for kind in KINDS)
    return {
        "pair_MBps": plan.large_bytes * 1e3 / large if large and plan.large_bytes else None,
        "latency_us": small / 1e3 if small else None,
    }
