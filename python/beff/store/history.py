"""The stored results of a system as documents, and what they let one expect of the next."""
# ruff: noqa: PLC0415 - SciPy takes 0.3 s

import json
from collections.abc import Sequence
from math import expm1, log, sqrt
from statistics import median, stdev
from typing import Any

from sqlalchemy.orm import Session

from beff.analysis.check.expectations import unit_of
from beff.model.load import Document, check_document
from beff.store.errors import StoreError
from beff.store.queries import entries, existing_system
from beff.store.reading import file_content
from beff.store.tables import Entry
from beff.store.trend import Series, trends

FEWEST_RUNS = 3
CONFIDENCE = 0.99
"""Probability that one more run of the same machine lies within the tolerance of a figure."""
SMALLEST_TOLERANCE = 0.02
_FIGURES = {
    "b_eff": ("b_eff_MBps", "rings_MBps", "random_MBps", "at_lmax_MBps", "latency_us"),
    "b_eff_io": ("b_eff_io_MBps", "write_MBps", "rewrite_MBps", "read_MBps"),
}


def stored_results(session: Session, system: str) -> list[Document]:
    """Return the valid results of a system. Raises StoreError where there is no such system."""
    existing_system(session, system)
    found = entries(session, system=system, ranked_only=True)
    return [_document(entry) for entry in found if entry.status == "valid"]


def expectations(session: Session, system: str) -> tuple[dict[str, Any], list[str]]:
    """Return the content of a file of expectations, and what was left out and why.

    Of each series the runs since its last step count. Raises StoreError as `stored_results`.
    """
    existing_system(session, system)
    found: list[dict[str, Any]] = []
    left_out = []
    for series in trends(session, system):
        runs = _since_the_last_step(series)
        conditions = series.conditions
        name = f"{conditions.benchmark} with {conditions.processes} processes"
        if len(runs) < FEWEST_RUNS:
            left_out.append(f"{name}: {len(runs)} runs since the last step are too few")
            continue
        summaries = [_document(run).fields["summary"] for run in runs]
        found.append(
            {
                "benchmark": conditions.benchmark,
                "processes": conditions.processes,
                "nodes": conditions.nodes,
                "reference": _references(conditions.benchmark, summaries),
            }
        )
    return {"system": system, "expectations": found}, left_out


def _since_the_last_step(series: Series) -> Sequence[Entry]:
    steps = series.change_points
    return series.entries[steps[-1].index :] if steps else series.entries


def _references(benchmark: str, summaries: list[dict[str, Any]]) -> dict[str, list[Any]]:
    references = {}
    for name in _FIGURES[benchmark]:
        values = [summary.get(name) for summary in summaries]
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


def _document(entry: Entry) -> Document:
    if entry.file is None:
        raise StoreError(f"entry {entry.id} holds no file")
    fields = json.loads(file_content(entry.file).decode("utf-8"))
    return check_document(f"entry {entry.id}", fields)
