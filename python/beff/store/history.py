"""What the results of a system let one expect of the next."""

from collections.abc import Iterable, Sequence
from math import exp, expm1, log
from statistics import median
from typing import Any

from beff.judge.evidence import one_more
from beff.result.numbers import unit_of
from beff.store.entry import Entry
from beff.store.trend import series_of, start_of

FEWEST_RUNS = 3
_B_EFF = ("b_eff_MBps", "rings_MBps", "random_MBps", "at_lmax_MBps", "latency_us")
_FIGURES = {
    "b_eff": dict(zip(_B_EFF, _B_EFF, strict=True)),
    "b_eff_io": {
        "io_value_MBps": "b_eff_io_MBps",
        "io_write_MBps": "write_MBps",
        "io_rewrite_MBps": "rewrite_MBps",
        "io_read_MBps": "read_MBps",
    },
}
"""Benchmark → field of an entry → name of the figure in a summary."""


def expectations(
    entries: Iterable[Entry], tolerance: float | None
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return expectations as a file has them, and what was left out and why.

    Of each series the runs since its last step count. Without a tolerance, a share, as many as
    FEWEST_RUNS must show how far one more may lie off.
    """
    found: list[dict[str, Any]] = []
    left_out = []
    for series in series_of(entry for entry in entries if entry.status == "valid"):
        runs = series.entries[series.steps[-1].index if series.steps else 0 :]
        conditions, last = series.conditions, runs[-1]
        own: dict[str, Any] = {"procedure": last.procedure, "time_s": last.io_time_s}
        if last.benchmark == "b_eff":
            own = {"lmax_bytes": last.lmax_bytes}
        name = f"{conditions.benchmark} with {conditions.processes} processes"
        if tolerance is None and len(runs) < FEWEST_RUNS:
            left_out.append(f"{name}: {len(runs)} runs since the last step are too few")
            continue
        found.append(
            {
                "benchmark": conditions.benchmark,
                "definition": conditions.definition,
                **own,
                "processes": conditions.processes,
                "nodes": conditions.nodes,
                **({"buffers": conditions.buffers} if conditions.buffers else {}),
                "reference": _references(conditions.benchmark, runs, tolerance),
            }
        )
    return found, left_out


def _references(
    benchmark: str, runs: Sequence[Entry], tolerance: float | None
) -> dict[str, list[Any]]:
    """Return value and tolerances of each figure that all runs have."""
    starts = list(map(start_of, runs))
    columns = {
        name: [float(value) for run in runs if (value := getattr(run, column))]
        for column, name in _FIGURES[benchmark].items()
    }
    known = {name: values for name, values in columns.items() if len(values) == len(runs)}
    references = {}
    for name, values in known.items():
        if tolerance is not None:
            bounds = (None, tolerance) if name == "latency_us" else (-tolerance, None)
            references[name] = [float(f"{median(values):.6g}"), *bounds, unit_of(name)]
            continue
        level, half = one_more([log(value) for value in values], starts, len(known))
        value = float(f"{exp(level):.6g}")
        references[name] = [value, round(expm1(-half), 4), round(expm1(half), 4), unit_of(name)]
    return references
