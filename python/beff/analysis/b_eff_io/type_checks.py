"""Whether the rows of types and the notes of partitions can be what they claim to be."""

from beff.analysis.b_eff_io.measured import Measured
from beff.analysis.verification import Recheck
from beff.model.b_eff_io_samples import TypeRow

_Path = list[str | int]


def check_types(measured: Measured, check: Recheck) -> None:
    """Check the status of each type against its patterns, and that each sample has its type.

    A run that was cut off leaves at most the type that it was in without a row.
    """
    for index, row in enumerate(measured.result.types.rows()):
        possible = _possible_statuses(measured, row)
        path: _Path = ["types", "status", index]
        check.require(row.status in possible, path, row.status, " or ".join(sorted(possible)))
        told = row.error is not None
        path = ["types", "error", index]
        should = None if row.status == "measured" else "the reason"
        check.require(told == (row.status != "measured"), path, row.error, should)
    seen = {measured.schedule.type_of(key) for key in measured.samples}
    without = seen - set(measured.types)
    allowed = 0 if measured.result.complete else 1
    check.require(
        len(without) <= allowed,
        ["types", "type"],
        f"{len(measured.types)} types",
        f"{len(seen)} types, as many as there are samples of",
    )


def _possible_statuses(measured: Measured, row: TypeRow) -> set[str]:
    """Return what is possible: as good as the worst of its patterns, and failed with its file."""
    statuses = {sample.status for sample in measured.samples_of(row.key)}
    if "failed" in statuses:
        return {"failed"}
    if measured.all_patterns_measured(row.key):
        return {"measured", "failed"}
    return {"skipped", "failed"}


def check_partitions(measured: Measured, check: Recheck) -> None:
    """Check that segments are cut only where something cut them."""
    schedule = measured.result.schedule
    bounds = {"max-segment": schedule.max_segment_bytes, "max-data": schedule.max_data_bytes}
    for index, partition in enumerate(measured.result.partitions):
        cut = partition.segment_cut
        path: _Path = ["partitions", index, "segment_cut"]
        check.require(bounds.get(cut, 0) is not None, path, cut, "another reason: none was set")
        path = ["partitions", index, "segment_scale"]
        scale = partition.segment_scale
        check.require(
            (scale < 1) == (cut != "none"),
            path,
            scale,
            1 if cut == "none" else f"less than 1, as the segments are cut by {cut}",
        )
        if index not in measured.counted:
            check.require(scale == 1, path, scale, "1, as types 3 and 4 were never planned")
