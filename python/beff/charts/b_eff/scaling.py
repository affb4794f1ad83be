"""b_eff, b_eff per process and balance over the number of processes (slides 22 to 26)."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from beff.analysis.subject import LabelledResult
from beff.charts.common.axes import linear_axis, log_axis, positive, process_axis
from beff.charts.common.panel import Figure, line_panel
from beff.charts.common.repeated import with_buffers
from beff.charts.common.vega_lite import marks
from beff.model.b_eff_result import BEffFigures, ImportedBEff
from beff.model.numbers import number, rate
from beff.model.published import PublishedLine, PublishedRow, as_printed, published_results

Results = Sequence[LabelledResult]
"""Of b_eff; others are left out."""


def beside_published(results: Results) -> Figure | None:
    """Draw b_eff and b_eff per process of these results, and of the paper's systems."""
    own = value_rows(results)
    if not own:
        return None
    slower = ""
    if any(row["loose"] for row in own):
        slower = (
            " Of runs of one machine with equal processes the line goes through the one in the"
            " middle, the slower of two; the others are hollow."
        )
    if any(one.document.result.definition == "3.1" for one in results):
        slower += " Results by definition 3.1 have only one equal among them, that of 3.1."
    published = published_rows()
    panels = []
    for field, title in (("total", "bandwidth"), ("per_process", "bandwidth per process")):
        rows = [row | {"MBps": row[field]} for row in own]
        beside = [row | {"MBps": row[field]} for row in published]
        x = process_axis([row["processes"] for row in own + published])
        y = log_axis((row["MBps"] for row in rows + beside), title)
        series = list(dict.fromkeys(row["series"] for row in rows))
        panel = line_panel(rows, x, y, series, columns=1, size=(360, 300), point_size=_LARGE)
        points = marks(
            "point", beside, {"x": x, "y": y, "description": "text:N"}, style="published"
        )
        panels.append(panel | {"layer": [points, *panel["layer"]], "title": _TITLES[field]})
    return Figure(
        "b_eff_over_processes",
        "b_eff over the number of processes",
        "b_eff, and b_eff divided by the number of processes, beside the systems of Table 1 of the"
        f" paper (1999 to 2001) and a value by definition 3.1, the hollow grey points.{slower}",
        "; ".join(row["text"] for row in own) + ".",
        {"hconcat": panels},
    )


def balance(results: Results) -> Figure | None:
    """Draw b_eff / R_max of the results that have R_max."""
    rows = [row for row in value_rows(results) if row["balance"] is not None]
    if len(rows) < 2:
        return None
    for row in rows:
        row["text"] = f"{number(row['balance'])} byte/flop; {row['text']}"
    series = list(dict.fromkeys(row["series"] for row in rows))
    return Figure(
        "balance_over_processes",
        "Balance over the number of processes",
        "b_eff divided by the Linpack performance R_max, in byte per floating-point operation.",
        "; ".join(row["text"] for row in rows) + ".",
        line_panel(
            rows,
            process_axis([row["processes"] for row in rows]),
            linear_axis((row["balance"] for row in rows), "byte/flop", "balance"),
            series,
            columns=1,
            size=(560, 320),
            point_size=_LARGE,
        ),
    )


_LARGE = 70
_TITLES = {"total": "b_eff", "per_process": "b_eff per process"}


def value_rows(results: Results) -> list[dict[str, Any]]:
    """Return the value of each result that has one.

    `series` is the label that the user gave, else the machine it was measured on.
    """
    rows = []
    for entry in results:
        label, result = entry.label, entry.document.result
        if not isinstance(result, BEffFigures):
            continue
        total, n = positive(result.summary.b_eff_MBps), result.environment.processes
        if total is None:
            continue
        rows.append(
            {
                "series": with_buffers(
                    _by_definition(
                        entry.group if entry.is_given else machine(label, result), result
                    ),
                    result,
                ),
                "processes": n,
                "total": total,
                "per_process": total / n,
                "balance": result.summary.balance_bytes_per_flop,
                "text": f"{label}: b_eff {rate(total)}, {rate(total / n)} per process, with {n}"
                f" processes{'' if result.valid else ', not valid for comparison'}",
            }
        )
    return _lines_through_the_middle(rows)


def _lines_through_the_middle(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Sort by machine and processes; of runs with equal ones all but one are beside the line."""

    def place(row: dict[str, Any]) -> tuple[str, int]:
        return row["series"], row["processes"]

    found = []
    for _, equal in groupby(sorted(rows, key=place), key=place):
        runs = sorted(equal, key=lambda row: float(row["total"]))
        middle = runs[(len(runs) - 1) // 2]
        found += [row | {"loose": row is not middle} for row in runs]
    return found


def machine(label: str, result: BEffFigures) -> str:
    """Name what a line joins: processor and MPI library; an imported result alone."""
    if isinstance(result, ImportedBEff):
        return f"{label}, imported"
    cpu, library = result.environment.cpu.model, result.environment.mpi.library
    parts = [part.strip() for part in (cpu, library.splitlines()[0] if library else "")]
    return ", ".join(part for part in parts if part) or "unknown machine"


def _by_definition(name: str, result: BEffFigures) -> str:
    return name if result.definition == "3.5" else f"{name}, definition {result.definition}"


def published_rows() -> list[dict[str, Any]]:
    """Return the systems of the paper's Table 1 and the value by 3.1, figures as printed."""
    published = published_results()
    rows = [_published_row(row, f"{row.memory} memory") for row in published.rows]
    earlier = published.earlier
    return [*rows, _published_row(earlier, f"definition {earlier.definition}")]


def _published_row(row: PublishedRow | PublishedLine, what: str) -> dict[str, Any]:
    total, each = row.b_eff_MBps, row.b_eff_per_process_MBps
    return {
        "processes": row.processes,
        "total": total,
        "per_process": each,
        "text": f"published: {row.system}, {row.processes} processes, {what}:"
        f" b_eff {as_printed(total)} MB/s, {as_printed(each)} MB/s per process",
    }
