"""A report as one JSON object; docs/reference/output.md explains the fields."""

from typing import Any

from beff.analysis.compare.report import Comparison, Report, Row, Table
from beff.analysis.compare.sentences import outcome


def report_json(report: Report) -> dict[str, Any]:
    """Return the report as objects, lists, numbers and text. Shares are B / A - 1."""
    return {
        "outcome": outcome(report),
        "slower": report.slower,
        "not_slower": report.not_slower,
        "decided": report.decided,
        "threshold": report.threshold,
        "comparisons": [_comparison(comparison) for comparison in report.comparisons],
        "refusals": list(report.refusals),
        "unpaired": list(report.unpaired),
        "copies": list(report.copies),
        "cautions": list(report.cautions),
    }


def _comparison(comparison: Comparison) -> dict[str, Any]:
    return {
        "benchmark": comparison.benchmark,
        "processes": comparison.processes,
        "runs_a": list(comparison.runs_a),
        "runs_b": list(comparison.runs_b),
        "noise": comparison.noise,
        "noise_is_measured": comparison.noise_is_measured,
        "sessions": comparison.sessions,
        "sessions_are_units": comparison.sessions_are_units,
        "alternated": comparison.alternated,
        "one_after_the_other": comparison.one_after_the_other,
        "differences": list(comparison.differences),
        "remarks": list(comparison.remarks),
        "not_compared": list(comparison.not_compared),
        "tables": [_table(comparison, table) for table in comparison.tables],
    }


def _table(comparison: Comparison, table: Table) -> dict[str, Any]:
    return {
        "name": table.name,
        "decides": comparison.decides(table),
        "rows": [_row(row) for row in table.rows],
    }


def _row(row: Row) -> dict[str, Any]:
    change, low, high = row.interval.shares
    return {
        "label": list(row.quantity.label),
        "unit": row.quantity.unit,
        "a": row.a,
        "b": row.b,
        "change": change,
        "low": low,
        "high": high,
        "confidence": row.confidence,
        "verdict": row.verdict.value,
    }
