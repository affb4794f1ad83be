"""What is compared of each benchmark: its conditions and its figures."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from beff.analysis.b_eff.averages import logavg
from beff.analysis.b_eff.definition import OFFICIAL_METHODS
from beff.analysis.b_eff.derive import figure_fields
from beff.analysis.b_eff.schedule import repetitions_of, without
from beff.analysis.b_eff_io.stamps import medium_of
from beff.analysis.common.summary_figures import NETWORK, WEIGHED
from beff.analysis.compare.conditions import (
    BUFFERS,
    COMMON_REMARKS,
    ON_ONE_DEVICE,
    Condition,
    Conditions,
    environment,
    option,
    said,
)
from beff.model.b_eff_io_result import BEffIoResult
from beff.model.b_eff_io_samples import ACCESSES
from beff.model.load import Document, as_b_eff
from beff.model.numbers import counted, format_duration, format_size


class Quantity(NamedTuple):
    """A figure: the table it stands in, its label there, its unit.

    Of MB/s more is better, of us less.
    """

    table: str
    label: tuple[str, ...]
    unit: str

    @property
    def more_is_better(self) -> bool:
        """Whether a larger figure is the better one."""
        return self.unit != "us"

    @property
    def name(self) -> str:
        """The label as one text."""
        return ", ".join(self.label)


VALUES = "values"
"""The table of the values, which decide."""
SIZES = "message sizes"
"""The table of the means over patterns at each message size, which decide as well."""
DECIDING = (VALUES, SIZES)
"""All other tables hold hints."""

Fields = dict[str, Any]
"""A result as read from its file."""

Figures = dict[Quantity, float]
"""All positive figures of one run."""


class FiguresBuilder:
    """Collects figures; those that were not measured are left out."""

    def __init__(self) -> None:
        self.figures: Figures = {}

    def add(self, table: str, label: tuple[str, ...], unit: str, figure: float | None) -> None:
        """Take a figure if there is one; its logarithm must exist."""
        if figure is not None and figure > 0:
            self.figures[Quantity(table, label, unit)] = figure


_VALUES = ("b_eff_MBps", "rings_MBps", "random_MBps", "at_lmax_MBps", "latency_us")

B_EFF_CONDITIONS: Conditions = (
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
    Condition("random rings", lambda run: run.fields["options"].get("random_order", "uniform")),
    Condition(
        "loop time", option("loop_time_s"), lambda time: format_duration(time) if time else "none"
    ),
    ON_ONE_DEVICE,
    Condition("simulated", environment("simulated"), lambda it: "simulated" if it else "real"),
)

B_EFF_REMARKS: Conditions = (
    Condition("data check", lambda run: run.fields["data_check"]["enabled"]),
)


def b_eff_figures(fields: Fields) -> Figures:
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
        yield b_eff_figures({**document.fields, **figure_fields(rest)})


def _official(methods: list[str]) -> list[str]:
    return [method for method in OFFICIAL_METHODS if method in methods]


def _logavg(by_pattern: list[float | None]) -> float | None:
    measured = [figure for figure in by_pattern if figure is not None and figure > 0]
    return logavg(measured) if measured and len(measured) == len(by_pattern) else None


def _size_or_none(size: int | None) -> str:
    return "none" if size is None else format_size(size)


def _hints_asked_for(run: Document) -> list[Fields]:
    """Return the hints and for what they were given, but not what the library made of them."""
    return [{key: hint[key] for key in hint if key != "accepted"} for hint in run.fields["hints"]]


def _medium(run: Document) -> str | None:
    return medium_of(run.result) if isinstance(run.result, BEffIoResult) else None


IO_CONDITIONS: Conditions = (
    Condition("release", lambda run: run.fields["definition"]),
    Condition("procedure", lambda run: run.fields["procedure"]),
    Condition("processes", environment("processes")),
    Condition("partitions", lambda run: [part["processes"] for part in run.fields["partitions"]]),
    Condition("scheduled time", lambda run: run.fields["schedule"]["time_s"], format_duration),
    Condition("pattern types", lambda run: [entry["name"] for entry in run.fields["type_names"]]),
    Condition("rewrite", lambda run: run.fields["schedule"]["rewrite"]),
    Condition("file pointers", lambda run: run.fields["pointer"]),
    Condition("hints", _hints_asked_for),
    Condition(
        "bound of the data", lambda run: run.fields["schedule"]["max_data_bytes"], _size_or_none
    ),
    Condition(
        "bound of a segment", lambda run: run.fields["schedule"]["max_segment_bytes"], _size_or_none
    ),
    Condition("largest chunk", lambda run: run.fields["schedule"]["m_part_bytes"], format_size),
    Condition(
        "unit of segments", lambda run: run.fields["schedule"]["segment_unit_bytes"], format_size
    ),
    Condition("what the bandwidth is of", _medium),
    ON_ONE_DEVICE,
    Condition("simulated", environment("simulated"), lambda it: "simulated" if it else "real"),
)

IO_REMARKS: Conditions = (
    Condition("file system", environment("filesystem", "kind")),
    Condition("mount", environment("filesystem", "mount")),
    Condition("file system note", environment("filesystem", "note"), said),
    Condition("data check", lambda run: run.fields["data_check"]["mode"]),
)


def io_figures(fields: Fields) -> Figures:
    """Return the values, then what they are made of."""
    found = FiguresBuilder()
    summary, partitions = fields["summary"], fields["partitions"]
    found.add(VALUES, ("b_eff_io",), "MB/s", summary["b_eff_io_MBps"])
    for partition in partitions:
        for access in ACCESSES:
            label = (access, _on(partition))
            found.add(VALUES, label, "MB/s", partition["access"][access])
    for release, value in summary["values"].items():
        found.add("releases", (f"release {release}",), "MB/s", value)
    for partition in partitions:
        found.add("partitions", (_on(partition),), "MB/s", partition["b_eff_io_MBps"])
    _add_types(fields, found)
    _add_patterns(fields, found)
    return found.figures


def _add_types(fields: Fields, found: FiguresBuilder) -> None:
    names = {entry["type"]: entry["name"] for entry in fields["type_names"]}
    types = fields["types"]
    columns = (types[name] for name in ("partition", "type", "access", "bandwidth_MBps"))
    for index, kind, access, figure in zip(*columns, strict=False):
        if kind in names and index < len(fields["partitions"]):
            label = (names[kind], access, _on(fields["partitions"][index]))
            found.add("pattern types", label, "MB/s", figure)


def _add_patterns(fields: Fields, found: FiguresBuilder) -> None:
    names = {entry["type"]: entry["name"] for entry in fields["type_names"]}
    patterns = {
        pattern["number"]: _pattern_name(pattern, names.get(pattern["type"], ""))
        for pattern in fields["patterns"]
    }
    samples = fields["samples"]
    columns = (samples[name] for name in ("partition", "pattern", "access", "bandwidth_MBps"))
    for index, number, access, figure in zip(*columns, strict=False):
        if number in patterns and index < len(fields["partitions"]):
            label = (patterns[number], access, _on(fields["partitions"][index]))
            found.add("patterns", label, "MB/s", figure)


def _pattern_name(pattern: Fields, kind: str) -> str:
    """Name a row of the printed table as that does; it lacks the numbers that others have."""
    size = pattern["l_bytes"]
    chunk = "fill-up" if size is None else f"{size} byte"
    name = f"{kind}, {chunk}"
    return name if pattern["position"] is not None else f"pattern {pattern['number']} ({name})"


def _on(partition: Fields) -> str:
    return counted(partition["processes"], "process")


PAIRS_CONDITIONS: Conditions = (
    Condition("definition", lambda run: run.fields["definition"]),
    Condition("processes", environment("processes")),
    Condition("nodes", environment("nodes")),
    Condition("bisection", lambda run: _without_times(run.fields["plan"].get("bisection"))),
    Condition("processes per host", lambda run: run.fields["plan"].get("processes_per_host")),
    Condition("matrix", lambda run: _without_name(run.fields["plan"].get("matrix"))),
    ON_ONE_DEVICE,
    Condition("simulated", environment("simulated"), lambda it: "simulated" if it else "real"),
)

_NETWORK_VALUES = ("bisection_MBps", "host_MBps", "host_messages_per_s", "matrix_MBps")


def _without_times(bisection: Fields | None) -> Fields | None:
    """Return what was asked of a bisection; a shorter time alone makes it no other."""
    if bisection is None:
        return None
    return {name: value for name, value in bisection.items() if not name.endswith("_s")}


def _without_name(matrix: Fields | None) -> Fields | None:
    """Return what was asked of a matrix; the name of its file alone makes it no other."""
    if matrix is None:
        return None
    return {name: value for name, value in matrix.items() if name != "source"}


def network_figures(fields: Fields) -> Figures:
    """Return what b_pairs measured of the network as a whole; of a map alone nothing."""
    found = FiguresBuilder()
    for value in NETWORK:
        table = VALUES if value.name in _NETWORK_VALUES else "further values"
        if value.unit:
            found.add(table, (value.label,), value.unit, fields["summary"].get(value.name))
    return found.figures


@dataclass(frozen=True)
class ComparedBenchmark:
    """What must be equal, what is worth a remark, and the figures of a result.

    `without_one` are the figures of a run without each of its repetitions in turn; nothing where a
    run does not repeat. `assumed_noise` is the standard deviation of a figure from
    run to run, as a share, that is taken when there are too few runs to see it: a cautious one, of
    machines that others use as well (docs/explanation/statistics.md).
    """

    conditions: Conditions
    remarks: Conditions
    figures: Callable[[Fields], Figures]
    without_one: Callable[[Document], Iterator[Figures]]
    assumed_noise: float

    @property
    def same_way(self) -> Conditions:
        """What must be equal for two runs to be of one history.

        Host and device may be compared by who asks for it, and are never one way of measuring.
        """
        return (*self.conditions, BUFFERS)


BENCHMARKS = {
    "b_eff": ComparedBenchmark(
        B_EFF_CONDITIONS,
        (*COMMON_REMARKS, *B_EFF_REMARKS),
        b_eff_figures,
        figures_without_one,
        assumed_noise=0.15,
    ),
    "b_eff_io": ComparedBenchmark(
        IO_CONDITIONS,
        (*COMMON_REMARKS, *IO_REMARKS),
        io_figures,
        lambda _: iter(()),
        assumed_noise=0.5,
    ),
    "b_pairs": ComparedBenchmark(
        PAIRS_CONDITIONS,
        COMMON_REMARKS,
        network_figures,
        lambda _: iter(()),
        assumed_noise=0.3,
    ),
}
