"""The protocol of b_eff: the lines of PREFIX.txt with the same numbers.

What the measuring program tells of its plan before it measures (expected time, bound) is not part
of a result and left out.
"""

from itertools import groupby
from textwrap import wrap

from beff.analysis.b_eff.averages import Figures
from beff.analysis.b_eff.cartesian import pattern_grid
from beff.analysis.b_eff.methods import OFFICIAL_METHODS
from beff.analysis.b_eff.schedule import schedule_of
from beff.analysis.b_eff.slices import Slice, all_figures, by_method, by_repetition, measured_of
from beff.analysis.cautions import cautions_of
from beff.model.b_eff_result import BEffResult, Pattern
from beff.model.load import Document, as_b_eff
from beff.model.result_parts import Figure
from beff.model.units import format_duration, format_size
from beff.report.protocol.text import figure, heading, machine_text, memory_text
from beff.report.samples import loop_samples
from beff.report.tables.b_eff import BALANCE, GIVEN, GROUPS, spread_at, summary_table, time_table
from beff.report.tables.environment import threads_text

_US = 1e6
_LINE_WIDTH = 100
_MPI_CALLS = {
    "sendrecv": "MPI_Sendrecv (one way: MPI_Send, MPI_Recv), one message after the other",
    "alltoallv": "MPI_Alltoallv, all messages in one call",
    "nonblocking": "MPI_Irecv + MPI_Isend + MPI_Waitall",
    "neighbor_alltoallv": "MPI_Neighbor_alltoallv on a distributed graph",
    "persistent": "MPI_Startall + MPI_Waitall",
    "put_fence": "MPI_Put between two MPI_Win_fence",
}


def b_eff_protocol(document: Document) -> list[str]:
    """Return the protocol's lines; of a result without samples only what it has."""
    result = as_b_eff(document)
    end = [*_summary(result), "", *_validity(document, result), "", last_line(document, result)]
    if not len(result.samples):
        return end
    measured = measured_of(result)
    return [
        *_plan(result),
        *heading("All measurements; times per iteration over the processes that take part"),
        *_samples(result),
        "",
        *_environment(result),
        *heading("Bandwidth by pattern (average over message sizes)"),
        *_patterns(result),
        *heading("Accumulated bandwidth in MB/s by message size"),
        *_sizes(result, all_figures(measured)),
        *heading("By method, in MB/s"),
        *_slices(by_method(measured)),
        *heading("By repetition, in MB/s"),
        *_slices(by_repetition(measured)),
        *_slow_hosts(result),
        *heading("Time"),
        _time(result),
        *end,
    ]


def _plan(result: BEffResult) -> list[str]:
    e, lmax = result.environment, result.summary.lmax_bytes
    memory = format_size(e.memory_per_process_bytes)
    schedule = schedule_of(result)
    planned = ", ".join(str(result.message_sizes_bytes[size]) for size in schedule.sizes)
    return [
        f"Plan of b_eff, definition {result.definition}, for {e.processes} processes",
        f"Memory per process: {memory} ({e.memory_source});"
        f" L_max = {format_size(lmax)} = {lmax} byte",
        f"Message sizes in byte: {planned}",
        "Methods:",
        *(
            f"  {name:<20}{_MPI_CALLS.get(name, '')}"
            + ("" if name in OFFICIAL_METHODS else " (beside the value)")
            for name in result.methods
        ),
        f"Repetitions: {schedule.repetitions}; loops to be timed: {schedule.loops}",
        f"Seed of the random rings: {result.options['seed']}",
        *heading("Patterns"),
        f"{'id':>3}  {'pattern':<28}{'processes':>10}{'messages':>12}  graph",
        *(
            f"{p.id:>3}  {p.name:<28}{p.processes:>10}{p.messages:>12}  {_graph(result, p)}"
            + ("" if p.seed is None else f", seed {p.seed}")
            for p in result.patterns
        ),
    ]


def _graph(result: BEffResult, pattern: Pattern) -> str:
    if pattern.ring_sizes:
        counted = [(size, len(list(group))) for size, group in groupby(pattern.ring_sizes)]
        sizes = (str(size) if count == 1 else f"{count} x {size}" for size, count in counted)
        return f"rings of {', '.join(sizes)}"
    if pattern.name[:3] not in ("2-D", "3-D"):
        return "pairs"
    grid = pattern_grid(result.environment.processes, int(pattern.name[0]))
    return f"grid {' x '.join(map(str, grid))}"


def _samples(result: BEffResult) -> list[str]:
    lines = [
        f"{'pattern':>7}{'size/byte':>12}  {'method':<19}{'rep':>4}{'length':>10}{'min/us':>14}"
        f"{'avg/us':>14}{'max/us':>14}{'slowest':>9}{'MB/s':>14}"
    ]
    for s in loop_samples(result):
        length = s.loop_length / _US
        times = (s.time_min_s / length, s.time_avg_s / length, s.time_max_s / length)
        lines.append(
            f"{s.pattern.id:>7}{s.size_bytes:>12}  {s.method:<19}{s.repetition + 1:>4}"
            f"{s.loop_length:>10}{''.join(f'{time:>14.3f}' for time in times)}"
            f"{s.slowest_rank:>9}{figure(s.bandwidth_MBps, 14)}"
        )
    return lines


def _environment(result: BEffResult) -> list[str]:
    e, program = result.environment, result.program
    nodes = "1 node" if e.nodes == 1 else f"{e.nodes} nodes"
    clock, threads = e.clock, threads_text(e)
    return [
        f"{program.name} {program.version} ({program.git_commit})",
        f"Started {e.started_at}, wall-clock time {format_duration(e.wall_s)}",
        f"{e.processes} processes on {nodes}: {e.host_list}",
        f"Memory per process {format_size(e.memory_per_process_bytes)} ({e.memory_source}),"
        f" in total {format_size(e.total_memory_bytes)}",
        f"CPU {e.cpu.model}: {e.topology}",
        f"MPI {e.mpi.library}, standard {e.mpi.standard}, {e.mpi.thread_level}",
        f"Binding: {e.binding.bound_processes} processes bound,"
        f" {e.binding.unbound_processes} not bound",
        *([] if threads is None else [f"Threads: {threads}"]),
        f"Clock: resolution {clock.resolution_s * _US:.3f} us,"
        f" reading it {clock.call_cost_s * _US:.3f} us,"
        f" barrier {clock.barrier_cost_s * _US:.3f} us",
    ]


def _patterns(result: BEffResult) -> list[str]:
    methods = "".join(f"{name:>19}" for name in result.methods)
    lines = [
        f"{'id':>3}  {'pattern':<24}{'MB/s':>10}{'per proc':>10}{methods}"
        f"{'at L_max':>12}{'latency/us':>12}"
    ]
    for p in result.patterns:
        per_process = None if p.bandwidth_MBps is None else p.bandwidth_MBps / p.processes
        by_method = (p.bandwidth_by_method_MBps.get(name) for name in result.methods)
        lines.append(
            f"{p.id:>3}  {p.name:<24}{figure(p.bandwidth_MBps)}{figure(per_process)}"
            f"{''.join(figure(value, 19) for value in by_method)}"
            f"{figure(p.bandwidth_by_size_MBps[-1], 12)}{figure(p.latency_us, 12)}"
        )
        if p.release_3_6_by_size_MBps is not None:
            value = p.release_3_6_MBps
            per_process = None if value is None else value / p.processes
            lines.append(
                f"     {'  as release 3.6 has it':<24}{figure(value)}{figure(per_process)}"
            )
    return lines


def _sizes(result: BEffResult, figures: Figures) -> list[str]:
    top = ("rings", "", ""), ("random", "", "")
    under = ("worst", "average", "best")
    lines = [
        _size_row("", *top, ("both", "both/proc")),
        _size_row("size/byte", under, under, ("MB/s", "MB/s")),
    ]
    for index in schedule_of(result).sizes:
        rings, random = (spread_at(result, group, index) for group in GROUPS)
        both = figures.by_size[index].both
        per_process = None if both is None else both / result.environment.processes
        lines.append(
            _size_row(
                str(result.message_sizes_bytes[index]),
                tuple(map(figure, rings)),
                tuple(map(figure, random)),
                (figure(both), figure(per_process)),
            )
        )
    return lines


def _size_row(
    size: str, rings: tuple[str, ...], random: tuple[str, ...], both: tuple[str, ...]
) -> str:
    parts = ("".join(f"{cell:>10}" for cell in cells) for cells in (rings, random))
    return f"{size:>12} |{' |'.join(parts)} |{''.join(f'{cell:>12}' for cell in both)}"


def _slices(slices: list[Slice]) -> list[str]:
    names = ("b_eff", "rings", "random", "at L_max", "best in")
    lines = [f"{'':<20}{''.join(f'{name:>12}' for name in names)}"]
    for s in slices:
        figures = (s.value.both, s.value.first, s.value.random, s.at_lmax_MBps)
        cells = "".join(figure(value, 12) for value in figures)
        lines.append(f"{s.name:<20}{cells}{s.best_in:>12}")
    return lines


def _slow_hosts(result: BEffResult) -> list[str]:
    """Return nothing for a result of a version that did not look for them."""
    if result.slow_hosts is None:
        return []
    lines = wrap(
        result.slow_hosts.statement, _LINE_WIDTH, break_long_words=False, break_on_hyphens=False
    )
    return [*heading("Slow hosts and links"), *lines]


def _time(result: BEffResult) -> str:
    (_, elapsed, _), *parts = time_table(result).rows
    shares = " + ".join(f"{name} {share or 0:.1f} %" for name, _, share in parts)
    return f"elapsed {elapsed:.3f} s = {shares}"


def _summary(result: BEffResult) -> list[str]:
    lines = heading("Summary")
    for name, value, unit in summary_table(result).rows:
        if name == GIVEN or (name == BALANCE and value is None):
            continue
        shown = f"{value:>10}" if isinstance(value, int) else figure(_as_figure(value))
        lines.append(f"{name:<46}{shown} {unit}")
    return lines


def _as_figure(cell: str | float | None) -> Figure:
    return cell if isinstance(cell, float) else None


def _validity(document: Document, result: BEffResult) -> list[str]:
    lines = [f"CAUTION: {caution}" for caution in cautions_of(document)]
    lines += [
        f"NOT VALID for comparison, {c.name}: required {c.required}, found {c.found}"
        for c in result.criteria
        if not c.met
    ]
    return [*lines, "VALID for comparison: all criteria are met"] if result.valid else lines


def last_line(document: Document, result: BEffResult) -> str:
    """Return the papers' line, with which a run ends."""
    e, s = result.environment, result.summary
    machine = machine_text(document.fields["environment"]["uname"])
    stamp = "" if result.valid else " -- NOT VALID for comparison"
    return (
        f"b_eff = {figure(s.b_eff_MBps)} MB/s = {figure(s.b_eff_per_process_MBps, 7)}"
        f" * {e.processes} PEs with {memory_text(e.memory_per_process_bytes)} MB/PE"
        f" on {machine}{stamp}"
    )
