"""What is kept of a result: the figures that lists and histories need."""
# ruff: noqa: N815 - figures have the names and units of the result file

from datetime import datetime, timezone
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from beff.judge.conditions import key_of
from beff.report.parts.sentences import reasons
from beff.result.b_eff_result import RULES
from beff.result.errors import ResultError
from beff.result.load import Document
from beff.result.plain_text import TEXT_LENGTH, clean_text
from beff.store.plausibility import bounds_of, is_possible
from beff.verify.analysis import Steadiness, analysis_of
from beff.verify.subject import samples_of

Status = Literal["valid", "invalid", "partial"]
_LONGEST_TEXT = 20_000


class Entry(BaseModel):
    """One result.

    Figures of the other benchmark are None. `key` is what all runs of a series share.
    that is not the definition's, `repetitions` how many were asked for where the definition leaves
    that open. `io_time_s` is T of all partitions, `io_partition_time_s` of each. `not_met` says
    why a result is not valid. `stamp` is None where nothing was repeated. `samples` is what copies
    of a run have in common.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    benchmark: Literal["b_eff", "b_eff_io"]
    definition: str
    key: dict[str, str]
    procedure: str | None = None
    status: Status
    not_met: str | None = None
    file: str | None = None
    sha256: str | None = None
    measured_at: datetime
    simulated: bool = False
    buffers: str | None = None
    random_order: str | None = None
    repetitions: int | None = None
    stamp: Literal["quiet", "noisy"] | None = None
    processes: int
    nodes: int
    memory_per_process_bytes: int
    mpi: str | None = None

    b_eff_MBps: float | None = None
    rings_MBps: float | None = None
    random_MBps: float | None = None
    lmax_bytes: int | None = None
    at_lmax_MBps: float | None = None
    latency_us: float | None = None
    rmax_gflops: float | None = None

    io_value_MBps: float | None = None
    io_write_MBps: float | None = None
    io_rewrite_MBps: float | None = None
    io_read_MBps: float | None = None
    io_time_s: float | None = None
    io_partition_time_s: float | None = None

    samples: str = ""

    @property
    def value_MBps(self) -> float | None:  # noqa: N802 - carries its unit
        """The benchmark's value: b_eff, or b_eff_io by the release of the run."""
        return self.b_eff_MBps if self.benchmark == "b_eff" else self.io_value_MBps

    @property
    def counts(self) -> bool:
        """Whether it is valid, and nothing disturbed it."""
        return self.status == "valid" and self.stamp != "noisy"

    @property
    def stamps(self) -> str:
        """Whether it is valid, and quiet where that is known."""
        valid = "VALID" if self.status == "valid" else "NOT VALID"
        return valid if self.stamp is None else f"{valid}, {self.stamp}"


MAP_OF_PAIRS = "is a map of pairs, which has no value to be kept"


def entry_of(document: Document, sha256: str) -> Entry:
    """Return what is kept of a measured result. Raises ResultError for one that is of no use."""
    source, fields = document.source, document.fields
    if document.benchmark == "b_pairs":
        raise ResultError(MAP_OF_PAIRS, source)
    if document.is_imported:
        raise ResultError(
            "is imported from the print of another program; only results with their"
            " samples are kept",
            source,
        )
    _check_texts(source, fields)
    figures = _b_eff_columns if document.benchmark == "b_eff" else _b_eff_io_columns
    columns = _common_columns(document) | figures(fields)
    for name, value in columns.items():
        if not is_possible(name, value):
            low, high = bounds_of(name)
            raise ResultError(
                f"{name} is {value:.3g}, beyond any machine (from {low:g} to {high:g})", source
            )
    return Entry(
        **columns,
        file=source.rpartition("/")[2],
        sha256=sha256,
        measured_at=document.started_at.astimezone(timezone.utc),
        samples=samples_of(document),
        key=key_of(document),
    )


def _check_texts(source: str, fields: dict[str, Any]) -> None:
    """Raise ResultError for a text so long that pages made of it would be of no use."""
    left: list[Any] = [value for name, value in fields.items() if name != "samples"]
    while left:
        value = left.pop()
        if isinstance(value, str) and len(value) > _LONGEST_TEXT:
            raise ResultError(f"holds a text of more than {_LONGEST_TEXT} characters", source)
        if isinstance(value, dict):
            left += [*value, *value.values()]
        elif isinstance(value, list) and value and not isinstance(value[0], int | float):
            left += value


def _common_columns(document: Document) -> dict[str, Any]:
    fields = document.fields
    environment = fields["environment"]
    status = ("valid" if fields["valid"] else "invalid") if fields["complete"] else "partial"
    steadiness = analysis_of(document).steadiness
    return {
        "benchmark": document.benchmark,
        "definition": str(fields["definition"]),
        "status": status,
        "not_met": clean_text("; ".join(reasons(document.result)), TEXT_LENGTH) or None,
        "simulated": environment["simulated"],
        "buffers": (environment.get("buffers") or {}).get("memory"),
        "stamp": None if steadiness == Steadiness.UNKNOWN else steadiness.value,
        "processes": environment["processes"],
        "nodes": environment["nodes"],
        "memory_per_process_bytes": environment["memory_per_process_bytes"],
        "mpi": clean_text(str(environment["mpi"]["library"]), TEXT_LENGTH),
    }


def _b_eff_columns(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of the summary that have a column, which is named alike."""
    summary, order = fields["summary"], fields["options"].get("random_order", "uniform")
    columns = {name: summary[name] for name in Entry.model_fields if name in summary}
    is_open = RULES[fields["definition"]].any_repetitions
    return columns | {
        "random_order": None if order == "uniform" else str(order),
        "repetitions": int(fields["options"]["repetitions"]) if is_open else None,
    }


def _b_eff_io_columns(fields: dict[str, Any]) -> dict[str, Any]:
    summary = fields["summary"]
    return {
        "procedure": fields["procedure"],
        "io_value_MBps": summary["b_eff_io_MBps"],
        "io_write_MBps": summary["write_MBps"],
        "io_rewrite_MBps": summary["rewrite_MBps"],
        "io_read_MBps": summary["read_MBps"],
        "io_time_s": fields["schedule"]["time_s"],
        "io_partition_time_s": fields["schedule"]["time_s"] / len(fields["partitions"]),
    }
