"""A report as one JSON object; docs/reference/output.md explains the fields."""

from typing import Any

from beff.analysis.compare.report import Comparison, Report, Row, Table
from beff.analysis.compare.sentences import outcome


def report_json(report: Report) -> dict[str, Any]:
    """Return the report as objects, lists, numbers and text. Shares are B / A - 1."""
    return {
        "outcome": outcome(report),
        **_fields(report, "slower", "not_slower", "decided", "threshold"),
        "comparisons": [_comparison(comparison) for comparison in report.comparisons],
        **_fields(report, "refusals", "unpaired", "copies", "cautions"),
    }


def _fields(record: Report | Comparison | Row, *names: str) -> dict[str, Any]:
    return {name: getattr(record, name) for name in names}


def _comparison(comparison: Comparison) -> dict[str, Any]:
    return {
        **_fields(comparison, "benchmark", "processes", "runs_a", "runs_b"),
        **_fields(comparison, "noise", "noise_is_measured", "sessions", "sessions_are_units"),
        **_fields(comparison, "alternated", "one_after_the_other"),
        **_fields(comparison, "differences", "remarks", "far_off", "not_compared"),
        "tables": [_table(comparison, table) for table in comparison.tables],
    }


def _table(comparison: Comparison, table: Table) -> dict[str, Any]:
    return {
        "name": table.name,
        "decides": comparison.decides(table),
        "rows": [_row(row) for row in table.rows],
    }


def _row(row: Row) -> dict[str, Any]:
    low, high = row.interval.shares
    return {
        "label": row.quantity.label,
        "unit": row.quantity.unit,
        **_fields(row, "a", "b", "change"),
        **{"low": low, "high": high},
        "confidence": row.confidence,
        "verdict": row.verdict.value,
    }
