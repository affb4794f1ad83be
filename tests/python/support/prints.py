"""Prints of the original programs with the traits that published ones have, of made-up figures."""

from __future__ import annotations

from typing import Any

from support.printed import T3E, b_eff_summary, published_runs, scaled, sum_text, with_32_byte
from support.reports import B_EFF, document_of

_RUN = next(run for run in published_runs() if run.get("rows"))
_SMALL = with_32_byte(_RUN)


def _without_a_type(kind: int) -> dict[str, Any]:
    """The run with zeros for a type, as where shared pointers do not work."""
    rows = {
        access: {chunk: [*cells[:kind], 0.0, *cells[kind + 1 :]] for chunk, cells in found.items()}
        for access, found in _SMALL["rows"].items()
    }
    totals = {
        access: [*cells[:kind], None, *cells[kind + 1 :]]
        for access, cells in _SMALL["totals"].items()
    }
    return _SMALL | {"rows": rows, "totals": totals}


def _without(access: str) -> dict[str, Any]:
    """The run without an access method: neither rows nor total nor average."""
    return _SMALL | {
        part: {name: found for name, found in _SMALL[part].items() if name != access}
        for part in ("rows", "totals", "averages")
    }


PRINTS = {
    "32_byte": sum_text(_SMALL),
    "zero_type_1": sum_text(_without_a_type(1)),
    "all_zero": sum_text(scaled(_SMALL, 0.0) | {"value": 1.0}),
    "no_rewrite": sum_text(_without("rewrite")),
    "no_read": sum_text(_without("read")),
    "totals_alone": sum_text(_RUN | {"rows": {}}),
    "tiny": sum_text(scaled(_SMALL, 1e-3)),
    "huge": sum_text(scaled(_SMALL, 1e10)),
    "1_and_4_processes": sum_text(_SMALL | {"processes": 1}, _SMALL),
    "last_line": T3E,
    "summary": b_eff_summary(document_of(B_EFF)),
}
"""By name; all can be imported."""
