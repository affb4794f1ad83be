"""What is compared of b_eff."""

from collections.abc import Iterator

from beff.analysis.b_eff.averages import logavg
from beff.analysis.b_eff.definition import OFFICIAL_METHODS
from beff.analysis.b_eff.derive import figure_fields
from beff.analysis.b_eff.repetitions import repetitions_of, without
from beff.analysis.compare.conditions import Condition, Conditions, environment, option
from beff.analysis.compare.quantity import SIZES, VALUES, Fields, Figures, FiguresBuilder
from beff.analysis.summary_figures import WEIGHED
from beff.model.load import Document, as_b_eff
from beff.model.numbers import format_duration, format_size

_VALUES = ("b_eff_MBps", "rings_MBps", "random_MBps", "at_lmax_MBps", "latency_us")

CONDITIONS: Conditions = (
    Condition("definition", lambda run: run.fields["definition"]),
    Condition("processes", environment("processes")),
    Condition("L_max", lambda run: run.fields["message_sizes_bytes"][-1], format_size),
    Condition("methods", lambda run: _official(run.fields["methods"]), ", ".join),
    Condition(
        "patterns",
        lambda run: [pattern["id"] for pattern in run.fields["patterns"]],
        lambda ids: f"{len(ids)} of them",
    ),
    Condition("message sizes measured", option("sizes")),
    Condition("repetitions", option("repetitions")),
    Condition(
        "loop time", option("loop_time_s"), lambda time: format_duration(time) if time else "none"
    ),
    Condition("simulated", environment("simulated"), lambda it: "simulated" if it else "real"),
)

REMARKS: Conditions = (Condition("data check", lambda run: run.fields["data_check"]["enabled"]),)


def figures(fields: Fields) -> Figures:
    """Return the values, then what they are made of."""
    found = FiguresBuilder()
    sizes = [format_size(size) for size in fields["message_sizes_bytes"]]
    patterns = fields.get("patterns", [])  # a print has none
    for value in WEIGHED:
        table = VALUES if value.name in _VALUES else "further values"
        found.add(table, (value.label,), value.unit, fields["summary"][value.name])
    for pattern in patterns:
        found.add("patterns", (pattern["name"],), "MB/s", pattern["bandwidth_MBps"])
    averaged = [pattern for pattern in patterns if pattern["averaged"]]
    for index, size in enumerate(sizes):
        by_pattern = [pattern["bandwidth_by_size_MBps"][index] for pattern in averaged]
        found.add(SIZES, (size,), "MB/s", _logavg(by_pattern))
    for method in fields.get("methods", []):
        by_pattern = [pattern["bandwidth_by_method_MBps"].get(method) for pattern in averaged]
        found.add("methods", (method,), "MB/s", _logavg(by_pattern))
    for pattern in patterns:
        for size, figure in zip(sizes, pattern["bandwidth_by_size_MBps"], strict=True):
            found.add("patterns by size", (pattern["name"], size), "MB/s", figure)
    return found.figures


def figures_without_one(document: Document) -> Iterator[Figures]:
    """Return the figures without each repetition in turn; of a sound result."""
    if document.is_imported:
        return
    result = as_b_eff(document)
    repetitions = repetitions_of(result.samples)
    for left_out in repetitions if len(repetitions) > 1 else ():
        rest = result.model_copy(update={"samples": without(result.samples, left_out)})
        yield figures({**document.fields, **figure_fields(rest)})


def _official(methods: list[str]) -> list[str]:
    return [method for method in OFFICIAL_METHODS if method in methods]


def _logavg(by_pattern: list[float | None]) -> float | None:
    measured = [figure for figure in by_pattern if figure is not None and figure > 0]
    return logavg(measured) if measured and len(measured) == len(by_pattern) else None
