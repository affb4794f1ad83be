"""What the results of a system let one expect of the next."""
# ruff: noqa: PLC0415 - SciPy takes 0.3 s

from collections.abc import Iterable, Sequence
from math import expm1, log, sqrt
from statistics import median, stdev
from typing import Any

from beff.analysis.check.expectations import unit_of
from beff.store.entry import Entry
from beff.store.trend import Series, series_of

FEWEST_RUNS = 3
CONFIDENCE = 0.99
"""Probability that one more run of the same machine lies within the tolerance of a figure."""
SMALLEST_TOLERANCE = 0.02
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


def expectations(entries: Iterable[Entry]) -> tuple[list[dict[str, Any]], list[str]]:
    """Return expectations as a file has them, and what was left out and why.

    Of each series the runs since its last step count.
    """
    found: list[dict[str, Any]] = []
    left_out = []
    for series in series_of(entries):
        runs = _since_the_last_step(series)
        conditions = series.conditions
        name = f"{conditions.benchmark} with {conditions.processes} processes"
        if len(runs) < FEWEST_RUNS:
            left_out.append(f"{name}: {len(runs)} runs since the last step are too few")
            continue
        found.append(
            {
                "benchmark": conditions.benchmark,
                "definition": conditions.definition,
                **_own_conditions(runs[-1]),
                "processes": conditions.processes,
                "nodes": conditions.nodes,
                "reference": _references(conditions.benchmark, runs),
            }
        )
    return found, left_out


def _own_conditions(run: Entry) -> dict[str, Any]:
    if run.benchmark == "b_eff":
        return {"lmax_bytes": run.lmax_bytes}
    return {"procedure": run.procedure, "time_s": run.io_time_s}


def _since_the_last_step(series: Series) -> Sequence[Entry]:
    steps = series.change_points
    return series.entries[steps[-1].index :] if steps else series.entries


def _references(benchmark: str, runs: Sequence[Entry]) -> dict[str, list[Any]]:
    references = {}
    for column, name in _FIGURES[benchmark].items():
        values = [getattr(run, column) for run in runs]
        known = [float(value) for value in values if value]
        if len(known) == len(values):
            down, up = _tolerances(known)
            value = float(f"{median(known):.6g}")
            references[name] = [value, round(-down, 4), round(up, 4), unit_of(name)]
    return references


def _tolerances(values: list[float]) -> tuple[float, float]:
    """Return the tolerance below and above: Student's interval of one more run, in logarithms."""
    from scipy.special import stdtrit

    n = len(values)
    quantile = float(stdtrit(n - 1, (1 + CONFIDENCE) / 2))
    half = quantile * stdev([log(value) for value in values]) * sqrt(1 + 1 / n)
    return max(-expm1(-half), SMALLEST_TOLERANCE), max(expm1(half), SMALLEST_TOLERANCE)
