"""The protocol of b_eff_io: the lines of PREFIX.txt with the same numbers."""

from typing import Any

from beff.analysis.cautions import cautions_of
from beff.model.b_eff_io_figures import PartitionFigures, partition_figures
from beff.model.b_eff_io_result import ACCESSES, BEffIoResult, Pattern, SampleKey
from beff.model.load import Document, as_b_eff_io
from beff.model.units import BYTES_PER_MB, MIB, format_duration, format_size
from beff.report.protocol.text import figure, machine_text, memory_text
from beff.report.samples import FileSample, file_samples
from beff.report.tables.b_eff_io import RELEASES, position_table, sample_bandwidths
from beff.report.tables.environment import threads_text

_WIDTH = 9
_BESIDE_TABLE = 2


def b_eff_io_protocol(document: Document) -> list[str]:
    """Return the protocol's lines; of a result without samples only what it has."""
    result = as_b_eff_io(document)
    fields = document.fields
    figures = partition_figures(document)
    lines = [*_head(result, fields), ""]
    for index, of_partition in enumerate(figures):
        lines += _partition(result, fields, index, of_partition)
    if len(result.samples):
        lines += _samples(result)
    return [
        *lines,
        *_cache(result),
        *_hints(result, fields),
        *_decisions(result, fields),
        *_values(result, figures),
        *_criteria(document, result),
        last_line(document, result),
    ]


def _mib(size_bytes: int) -> float:
    return size_bytes / MIB


def _head(result: BEffIoResult, fields: dict[str, Any]) -> list[str]:
    e, schedule = result.environment, result.schedule
    files = fields["environment"]["filesystem"]
    kind = ", ".join(part for part in (files["kind"], files["mount"]) if part)
    partitions = ", ".join(str(partition.processes) for partition in result.partitions)
    rewrite = "all" if schedule.rewrite == "all" else "the scatter"
    note, threads = e.filesystem.note, threads_text(e)
    return [
        f"b_eff_io, program version {result.program.version} ({result.program.git_commit}),"
        f" value by release {result.definition}",
        "",
        f"MEMORY_PER_PROCESSOR = {memory_text(e.memory_per_process_bytes):>8} MBytes"
        "  [1MBytes = 1024*1024 bytes, 1MB = 1e6 bytes]",
        f"Maximum chunk size   = {_mib(schedule.m_part_bytes):>8.3f} MBytes",
        "",
        f"processes           {e.processes} on {e.nodes} nodes: {e.host_list}",
        f"partitions          {partitions} processes",
        f"scheduled time T    {format_duration(schedule.time_s)} for all partitions,"
        f" rewrite of {rewrite} types",
        f"type 1              {result.pointer} file pointers",
        f"files in            {', '.join(files['paths'])} ({kind})",
        f"file system         {format_size(files['free_at_start_bytes'])} free of"
        f" {format_size(files['total_bytes'])} at start,"
        f" {format_size(fields['schedule']['reserve_bytes'])} kept free",
        *([] if note is None else [f"file system note    {note}"]),
        *([] if threads is None else [f"threads             {threads}"]),
        f"MPI                 {e.mpi.library} (MPI {e.mpi.standard})",
        f"machine             {machine_text(fields['environment']['uname'])}, {e.cpu.model}",
        f"Date of measurement {e.started_at}",
    ]


def _partition(
    result: BEffIoResult, fields: dict[str, Any], index: int, figures: PartitionFigures
) -> list[str]:
    n = figures.processes
    memory = memory_text(result.environment.memory_per_process_bytes)
    title = (
        f"Summary of file I/O bandwidth accumulated on {n:>3} processes with {memory:>4} MByte/PE"
    )
    kinds = result.type_names
    shown = [entry.name if entry.official else "random" for entry in kinds]
    return [
        title,
        "-" * len(title),
        "",
        _head_line(" number pos   chunk-  access  ", [f"type={k.type}" for k in kinds]),
        _head_line(" of PEs     size (l)  method  ", shown),
        _head_line("             [bytes]          ", ["[MB/s]"] * len(kinds)),
        "",
        *_rows(result, index, figures),
        *_pattern_beside_table(result, index),
        *(
            f"weighted average bandwidth for {access:<8}:"
            f" {_average(figures.access.get(access))} on {n} processes"
            for access in ACCESSES
        ),
        "(type=0 is weighted double)",
        "",
        *_amounts(fields["partitions"][index]["bytes"], result.environment.total_memory_bytes),
        "",
    ]


def _head_line(start: str, cells: list[str]) -> str:
    return start + "".join(f" {cell:>{_WIDTH}}" for cell in cells)


def _average(value: float | None) -> str:
    return "not measured" if value is None else f"{value:>8.3f} MB/s"


def _rows(result: BEffIoResult, index: int, figures: PartitionFigures) -> list[str]:
    lines = []
    for position, chunk, access, *cells in position_table(result, index, figures).rows:
        numbers = "".join(f" {figure(_as_figure(cell), _WIDTH)}" for cell in cells)
        if position is None:
            lines += [f"{figures.processes:>4} PEs {f'     {access}':<20}{numbers}", ""]
        else:
            lines.append(f"{figures.processes:>4} PEs {position} {chunk:>10} {access:<7}{numbers}")
    return lines


def _as_figure(cell: str | float | None) -> float | None:
    return None if isinstance(cell, str) else cell


def _pattern_beside_table(result: BEffIoResult, index: int) -> list[str]:
    if all(pattern.number != _BESIDE_TABLE for pattern in result.patterns):
        return []
    bandwidths = sample_bandwidths(result)
    shown = ", ".join(
        f"{figure(bandwidths.get(SampleKey(index, _BESIDE_TABLE, access)), _WIDTH)} MB/s {access}"
        for access in ACCESSES
    )
    return [
        "Not in the table is pattern 2 (scatter, l=1MBytes, L=2MBytes):",
        f"  bw_pat2={shown}",
        "",
    ]


def _amounts(moved: dict[str, int], memory: int) -> list[str]:
    written = moved["write"]
    share = (
        f" = {100 * written / memory:.1f} percent of the total memory ({_mib(memory):.0f} MBytes)"
    )
    return [
        "Total amount of data written/read with each access method:"
        f" {_mib(written):.3f} MBytes{share}",
        *(
            f"  {access}: {_mib(moved[access]):.3f} MBytes"
            for access in ("rewrite", "read")
            if moved[access] != written
        ),
    ]


def _samples(result: BEffIoResult) -> list[str]:
    names = ("PEs", "access", "pat", "type", "l", "L", "U", "calls", "MBytes", "time [s]", "MB/s")
    pes, access, number, kind, chunk, memory, units, calls, moved, time, rate = names
    return [
        "Every pattern",
        "-------------",
        "",
        f"{pes:>5} {access:>7} {number:>4} {kind:<15} {chunk:>10} {memory:>10} {units:>2}"
        f" {calls:>10} {moved:>11} {time:>10} {rate:>9} ended by",
        *map(_sample, file_samples(result)),
        "",
    ]


def _sample(entry: FileSample) -> str:
    partition, pattern, type_name, s, bandwidth = entry
    chunk, memory = _chunk(pattern)
    ended_by = s.stop if s.status == "measured" and s.stop else s.status
    error = "" if s.error is None else f": {s.error}"
    return (
        f"{partition.processes:>5} {s.key.access:>7} {pattern.number:>4} {type_name:<15}"
        f" {chunk:>10} {memory:>10} {pattern.U:>2} {s.repetitions:>10} {_mib(s.bytes):>11.3f}"
        f" {s.time_s:>10.4f} {figure(bandwidth, _WIDTH)} {ended_by}{error}"
    )


def _chunk(pattern: Pattern) -> tuple[str, str]:
    if pattern.l_bytes is None:
        return "rest", "rest"
    return str(pattern.l_bytes), str(pattern.L_bytes)


def _cache(result: BEffIoResult) -> list[str]:
    lines = [result.medium]
    dropped_note = ", caches asked to drop them first"
    for state in result.cache:
        line = (
            f"  {state.access} of {result.partitions[state.partition].processes} processes:"
            f" {format_size(state.file_bytes)} of files"
        )
        if state.resident_before_bytes is not None:
            line += f", {format_size(state.resident_before_bytes)} in the page caches before"
        if state.read_from_disk_bytes is not None:
            line += f", {format_size(state.read_from_disk_bytes)} read from disk"
        lines.append(line + (dropped_note if state.dropped else ""))
    return [*lines, ""]


def _hints(result: BEffIoResult, fields: dict[str, Any]) -> list[str]:
    if not fields["hints"]:
        return []
    names = {entry.type: entry.name for entry in result.type_names}
    lines = ["Hints", "-----", ""]
    for hint in fields["hints"]:
        processes = result.partitions[hint["partition"]].processes
        where = "on open" if hint["pattern"] is None else f"pattern {hint['pattern']}"
        told = "".join(
            f" {key}={value} ({_answer(hint['accepted'], key, value)})"
            for key, value in hint["requested"].items()
        )
        name = names.get(hint["type"], hint["type"])
        lines.append(f"{hint['access']} of {processes} processes, {name}, {where}:{told}")
    return [*lines, ""]


def _answer(accepted: dict[str, str], key: str, value: str) -> str:
    if key not in accepted:
        return "not reported by the library"
    return "accepted" if accepted[key] == value else f"became {accepted[key]}"


def _decisions(result: BEffIoResult, fields: dict[str, Any]) -> list[str]:
    lines = [
        f"{p['processes']} processes agreed {p['decisions']} times on when to stop,"
        f" {format_duration(p['decision_cost_s'])} each:"
        f" at most {100 * (p['decisions_share'] or 0):.2f} percent of the loops' time"
        for p in fields["partitions"]
    ]
    check = result.data_check
    lines.append(
        "What was read was not compared with what had been written"
        if check.mode == "none"
        else f"{check.chunks_checked} chunks compared with what had been written ({check.mode}):"
        f" {check.wrong_chunks} wrong"
    )
    return [*lines, ""]


def _values(result: BEffIoResult, figures: list[PartitionFigures]) -> list[str]:
    lines = ["Maximum over all number of PEs", "------------------------------", ""]
    for release in RELEASES:
        each = "".join(
            f" {figure(p.values.get(release), _WIDTH)} ({p.processes} PEs)" for p in figures
        )
        maximum = figure(result.summary.values.get(release), _WIDTH)
        mark = "  <- b_eff_io" if release == result.definition else ""
        lines.append(f"by release {release:<4}:{each}  maximum {maximum} MB/s{mark}")
    lines.append("")
    value, memory = result.summary.b_eff_io_MBps, result.environment.total_memory_bytes
    if value is not None:
        minutes = memory / (value * BYTES_PER_MB) / 60
        lines += [
            f"total memory / b_eff_io = {memory / BYTES_PER_MB:.3f} MB / {value:.3f} MB/s"
            f" = {minutes:.1f} min",
            "",
        ]
    return lines


def _criteria(document: Document, result: BEffIoResult) -> list[str]:
    stamp = "VALID" if result.valid else "NOT VALID"
    lines = [f"{stamp} for comparison of different systems"]
    lines += [
        f"  criterion {number}: {c.name}: {c.required}"
        f" -- {'reached' if c.met else 'NOT reached'}: {c.found}"
        for number, c in enumerate(result.criteria, start=1)
    ]
    return [*lines, *(f"  caution: {caution}" for caution in cautions_of(document)), ""]


def last_line(document: Document, result: BEffIoResult) -> str:
    """Return the papers' line, with which a run ends."""
    value = result.summary.b_eff_io_MBps
    shown = "not available" if value is None else f"{value:>8.3f} MB/s"
    processes = result.summary.processes or result.environment.processes
    machine = machine_text(document.fields["environment"]["uname"])
    stamp = "" if result.valid else ", NOT VALID (see the criteria above)"
    minutes = result.schedule.time_s / len(result.partitions) / 60
    return (
        f"b_eff_io of these measurements = {shown} on {processes} processes with"
        f" {memory_text(result.environment.memory_per_process_bytes)} MByte/PE and scheduled"
        f" time={minutes:.1f} min on {machine}{stamp}"
    )
