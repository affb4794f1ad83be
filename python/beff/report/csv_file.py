"""Format .csv: tidy data, one row per sample, units in the names of the columns."""

import csv
from collections.abc import Iterator
from pathlib import Path

from beff.result.b_eff_io_result import BEffIoFigures, Pattern
from beff.result.b_eff_io_samples import Sample
from beff.result.b_eff_result import BEffResult
from beff.result.contract import AnyResult
from beff.result.errors import BeffError
from beff.result.plain_text import csv_cell
from beff.result.samples import file_samples, loop_samples
from beff.verify.subject import Subject

Cell = str | int | float | None
Row = dict[str, Cell]


def write_csv(subject: Subject, path: Path) -> None:
    """Write the samples of all results; columns that only the other benchmark has stay empty."""
    write_rows(rows_of(subject, path.name), path)


def rows_of(subject: Subject, file: str) -> list[Row]:
    """Return the rows of all results. Raises BeffError, which names the file, where none is."""
    rows: list[Row] = []
    for label, result in subject.b_eff():
        if isinstance(result, BEffResult):
            rows += _loop_rows(label, result)
    for label, io_result in subject.b_eff_io():
        rows += _file_rows(label, io_result)
    if not rows:
        raise BeffError(f"{file}: there is no row to write, as no result holds a sample")
    return rows


def write_rows(rows: list[Row], path: Path) -> None:
    """Write rows, of which each may have columns of its own."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        for row in rows:
            writer.writerow({name: _written(cell) for name, cell in row.items()})


def _head(label: str, result: AnyResult) -> Row:
    return {
        "result": label,
        "benchmark": result.benchmark,
        "definition": result.definition,
        "valid": "true" if result.valid else "false",
    }


def _loop_rows(label: str, result: BEffResult) -> Iterator[Row]:
    head = _head(label, result)
    processes = result.environment.processes
    for sample in loop_samples(result):
        yield {
            **head,
            "processes": processes,
            "pattern": sample.pattern.id,
            "pattern_name": sample.pattern.name,
            "group": sample.pattern.group,
            "messages": sample.pattern.messages,
            "message_size_bytes": sample.size_bytes,
            "method": sample.method,
            "repetition": sample.repetition,
            "loop_length": sample.loop_length,
            "time_max_s": sample.time_max_s,
            "time_avg_s": sample.time_avg_s,
            "time_min_s": sample.time_min_s,
            "slowest_rank": sample.slowest_rank,
            "slowest_host": sample.host,
            "bandwidth_MBps": sample.bandwidth_MBps,
        }


def _file_rows(label: str, result: BEffIoFigures) -> Iterator[Row]:
    head = _head(label, result)
    for key, partition, pattern, type_name, sample, bandwidth in file_samples(result):
        yield {
            **head,
            "processes": partition.processes,
            "pattern": pattern.number,
            "pattern_name": type_name,
            "partition": key.partition,
            "type": pattern.type,
            "access": key.access,
            "chunk_size_bytes": pattern.l_bytes,
            "memory_size_bytes": pattern.L_bytes,
            "time_units": pattern.U if isinstance(pattern, Pattern) else None,
            "wellformed": "true" if pattern.wellformed else "false",
            **{_NAMES.get(field, field): getattr(sample, field, None) for field in _FIELDS},
            "bandwidth_MBps": bandwidth,
        }


_FIELDS = [field for field in Sample._fields if field != "key"]
"""What was counted and timed; the cells are empty where another program printed a figure."""
_NAMES = {"bytes": "transferred_bytes"}


def _written(cell: Cell) -> Cell:
    """Full precision for numbers; a text that looks like a formula gets an apostrophe in front."""
    return repr(cell) if isinstance(cell, float) else csv_cell(cell)
