"""From the bytes of a result file to a verified entry, or a refusal with its reason."""

import hashlib
import re
import zlib
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from beff.analysis.cautions import cautions_of
from beff.analysis.plausibility import oddities
from beff.analysis.signature import checked_signer_of
from beff.analysis.verify import verify
from beff.model.errors import ResultError
from beff.model.journal import parse_header
from beff.model.load import Document, check_document
from beff.model.strict_json import json_object
from beff.store.bounds import bounds_of, is_possible
from beff.store.errors import DamagedError, RefusedError
from beff.store.hardware import MachineFacts, machine_facts
from beff.store.measurement import measurement_of
from beff.store.tables import NAME_LENGTH, TEXT_LENGTH, Entry, ResultFile, Status, now
from beff.store.text import clean_text

_COMPRESSION_LEVEL = 6
_LONGEST_TEXT = 20_000
_LARGEST_INTEGER = (1 << 63) - 1


class ReadResult(BaseModel):
    """What a verified result tells; plain values, so that another process may do the reading.

    `columns` are those of an entry except its file, time of adding and system. `oddities` is for
    the operator.
    """

    model_config = ConfigDict(frozen=True)

    source: str
    sha256: str
    measurement: str
    measured_at: datetime
    columns: dict[str, str | int | float | None]
    machine: MachineFacts
    oddities: tuple[str, ...] = ()

    def entry(self, content: bytes) -> Entry:
        """Return a new entry with its file, not yet of any system."""
        entry = Entry(
            sha256=self.sha256,
            measurement=self.measurement,
            measured_at=self.measured_at,
            year=self.measured_at.year,
            added_at=now(),
            machine=self.machine.model_dump_json(),
            **self.columns,
        )
        entry.file = ResultFile(
            size_bytes=len(content), compressed=zlib.compress(content, _COMPRESSION_LEVEL)
        )
        return entry


def read_result(source: str, content: bytes) -> ReadResult:
    """Read, check and recompute a result file. Raises RefusedError with the first reason."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise RefusedError(f"{source}: is not a text file") from None
    if _is_journal(text):
        raise RefusedError(
            f"{source}: is the journal of a run, not its result; make one with beff recover"
        )
    try:
        document = check_document(source, json_object(source, text))
        _check_texts(source, document.fields)
        verification = verify(document)
    except ResultError as problem:
        raise RefusedError(str(problem)) from None
    if not verification.agrees:
        more = len(verification.findings) - 1
        rest = f" ({more} more disagreements)" if more else ""
        raise RefusedError(f"{source}: does not verify: {verification.findings[0]}{rest}")
    if document.is_imported:
        raise RefusedError(
            f"{source}: is imported from the print of another program; the store keeps results with"
            " their samples"
        )
    figures = _b_eff_columns if document.benchmark == "b_eff" else _b_eff_io_columns
    # Verification has found it to be a time with its zone.
    started_at = re.sub("[Zz]$", "+00:00", str(document.fields["environment"]["started_at"]))
    return ReadResult(
        source=source,
        sha256=hashlib.sha256(content).hexdigest(),
        measurement=measurement_of(document),
        measured_at=datetime.fromisoformat(started_at).astimezone(timezone.utc),
        columns=_possible(source, _common_columns(document) | figures(document.fields)),
        machine=machine_facts(document),
        oddities=tuple(oddities(document, now())),
    )


def _check_texts(source: str, fields: dict[str, Any]) -> None:
    """Raise RefusedError for a text so long that pages made of it would be of no use."""
    left: list[Any] = [value for name, value in fields.items() if name != "samples"]
    while left:
        value = left.pop()
        if isinstance(value, str) and len(value) > _LONGEST_TEXT:
            raise RefusedError(f"{source}: holds a text of more than {_LONGEST_TEXT} characters")
        if isinstance(value, dict):
            left += [*value, *value.values()]
        elif isinstance(value, list):
            left += value


def _possible(source: str, columns: dict[str, Any]) -> dict[str, Any]:
    """Return columns as they are. Raises RefusedError for a figure beyond any machine."""
    for name, value in columns.items():
        if not is_possible(name, value):
            low, high = bounds_of(name)
            raise RefusedError(
                f"{source}: {name} is {value:.3g}, beyond any machine (from {low:g} to {high:g})"
            )
    return columns


def read_content(path: Path) -> bytes:
    """Return the bytes of a file. Raises RefusedError."""
    try:
        return path.read_bytes()
    except OSError as problem:
        raise RefusedError(f"{path}: cannot be read ({problem.strerror})") from None


def _is_journal(text: str) -> bool:
    try:
        parse_header(text.partition("\n")[0])
    except (ValueError, RecursionError):
        return False
    return True


def file_content(file: ResultFile) -> bytes:
    """Return the bytes of a stored result file. Raises DamagedError."""
    try:
        content = zlib.decompress(file.compressed)
    except zlib.error:
        content = b""
    if hashlib.sha256(content).hexdigest() != file.entry.sha256:
        raise DamagedError(
            f"the file of entry {file.entry_id} is damaged in the database; bring that back from a"
            " copy, or remove the entry and add the file again"
        )
    return content


def _common_columns(document: Document) -> dict[str, Any]:
    fields = document.fields
    environment = fields["environment"]
    return {
        "benchmark": document.benchmark,
        "definition": str(fields["definition"]),
        "status": _status(fields),
        "not_met": _not_met(fields),
        "cautions": len(cautions_of(document)),
        "signed_by": checked_signer_of(document),
        "processes": _count(environment["processes"]),
        "nodes": _count(environment["nodes"]),
        "memory_per_process_bytes": _count(environment["memory_per_process_bytes"]),
        "mpi": clean_text(str(environment["mpi"]["library"]), TEXT_LENGTH),
        "omp_num_threads": _text(environment.get("omp_num_threads"), NAME_LENGTH),
        "cores_per_process": environment["binding"].get("cores_per_process_min"),
    }


def _status(fields: dict[str, Any]) -> Status:
    if not fields["complete"]:
        return "partial"
    return "valid" if fields["valid"] else "invalid"


def _not_met(fields: dict[str, Any]) -> str | None:
    names = [str(criterion["name"]) for criterion in fields["criteria"] if not criterion["met"]]
    return clean_text(", ".join(names), TEXT_LENGTH) or None


def _b_eff_columns(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of the summary that have a column, which is named alike."""
    summary = fields["summary"]
    columns = (column.key for column in Entry.__mapper__.column_attrs)
    figures: dict[str, Any] = {name: _figure(summary[name]) for name in columns if name in summary}
    return figures | {"lmax_bytes": _count(summary["lmax_bytes"])}


def _b_eff_io_columns(fields: dict[str, Any]) -> dict[str, Any]:
    summary = fields["summary"]
    return {
        "filesystem_note": _text(fields["environment"]["filesystem"].get("note"), TEXT_LENGTH),
        "io_value_MBps": _figure(summary["b_eff_io_MBps"]),
        "io_value_1_MBps": _figure(summary["values"].get("1")),
        "io_write_MBps": _figure(summary["write_MBps"]),
        "io_rewrite_MBps": _figure(summary["rewrite_MBps"]),
        "io_read_MBps": _figure(summary["read_MBps"]),
        "io_time_s": _figure(fields["schedule"]["time_s"]),
        "total_memory_write_min": _figure(summary["total_memory_write_min"]),
    }


def _text(value: str | None, longest: int) -> str | None:
    return None if value is None else clean_text(value, longest) or None


def _count(value: int) -> int:
    if value > _LARGEST_INTEGER:
        raise RefusedError(f"a count of {float(value):.3g} in the result is beyond any machine")
    return value


def _figure(value: float | None) -> float | None:
    return None if value is None else float(value)
