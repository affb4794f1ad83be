"""What is compared of b_eff_io."""

from collections.abc import Iterator

from beff.analysis.b_eff_io.stamps import medium_of
from beff.analysis.compare.conditions import Condition, Conditions, environment, said
from beff.analysis.compare.quantity import VALUES, Fields, Figures, FiguresBuilder
from beff.model.b_eff_io_result import BEffIoResult
from beff.model.b_eff_io_samples import ACCESSES
from beff.model.load import Document
from beff.model.numbers import counted, format_duration, format_size


def _size_or_none(size: int | None) -> str:
    return "none" if size is None else format_size(size)


def _hints_asked_for(run: Document) -> list[Fields]:
    """Return the hints and for what they were given, but not what the library made of them."""
    return [{key: hint[key] for key in hint if key != "accepted"} for hint in run.fields["hints"]]


def _medium(run: Document) -> str | None:
    return medium_of(run.result) if isinstance(run.result, BEffIoResult) else None


CONDITIONS: Conditions = (
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
    Condition("simulated", environment("simulated"), lambda it: "simulated" if it else "real"),
)

REMARKS: Conditions = (
    Condition("file system", environment("filesystem", "kind")),
    Condition("mount", environment("filesystem", "mount")),
    Condition("file system note", environment("filesystem", "note"), said),
    Condition("data check", lambda run: run.fields["data_check"]["mode"]),
)


def figures(fields: Fields) -> Figures:
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


def figures_without_one(document: Document) -> Iterator[Figures]:
    """Return nothing: each pattern is measured once."""
    del document
    return iter(())


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
    """Name a row of the printed table as that does; it has no numbers, which tell the others."""
    size = pattern["l_bytes"]
    chunk = "fill-up" if size is None else f"{size} byte"
    name = f"{kind}, {chunk}"
    return name if pattern["position"] is not None else f"pattern {pattern['number']} ({name})"


def _on(partition: Fields) -> str:
    return counted(partition["processes"], "process")
