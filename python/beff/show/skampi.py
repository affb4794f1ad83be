"""Format .sko: the measured times in the syntax of SKaMPI 5's output files.

The syntax is that of section 7.1 of SKaMPI's manual. A line within a result holds names and values
of parameters, the size in byte, the time in microseconds, its standard error, the number of
measurements, and times of single processes.
"""

from collections.abc import Iterator, Sequence
from math import floor, fsum, hypot, isfinite, log10, sqrt
from operator import itemgetter
from pathlib import Path

from beff import __version__
from beff.definition.subject import Subject, by_key
from beff.result.b_eff_io_result import BEffIoResult, file_samples
from beff.result.b_eff_result import BEffResult, loop_samples
from beff.result.b_pairs_result import MapResult
from beff.result.bounds import Row
from beff.result.contract import AnyResult
from beff.result.errors import BeffError, one_line
from beff.result.result_parts import ImportedHead
from beff.show.parts.sentences import cautions_of, verdict

_WIDTH, _DIGITS = 9, 7
_UNKNOWN = "---"


def write_skampi(subject: Subject, path: Path) -> None:
    """Write the times of all results. Raises BeffError when no result holds a measured time."""
    lines = [f"# beff {__version__}, in the syntax of SKaMPI 5", ""]
    for label, document in ((one.label, one.document) for one in subject.results):
        result, e = document.result, document.result.environment
        if isinstance(result, MapResult):
            continue
        head = [f"{label}: {result.benchmark} {result.definition}, {verdict(result)}"]
        head.append(f"{e.processes} processes: {e.host_list}")
        if not isinstance(result, ImportedHead):
            e = result.environment
            head += [e.mpi.library, f"from {e.started_at} to {e.finished_at}"]
        head += [f"caution: {text}" for text in cautions_of(document)]
        lines += [*map(_comment, head), ""]
        blocks = by_key(((name, remark), line) for name, remark, line in _lines(result))
        prefix = f"{label}: " if subject.results[1:] else ""
        for (name, remark), written in blocks.items():
            quoted = one_line(prefix + name).replace('"', "'")
            begin, end = (f'# {what} result "{quoted}"' for what in ("begin", "end"))
            lines += [_comment(remark), begin, *written, end, ""]
    if not any(line.startswith("# begin") for line in lines):
        raise BeffError(f"{path.name}: there is no time to write, as no result holds a sample")
    path.write_text("\n".join(lines), encoding="utf-8")


def _lines(result: AnyResult) -> Iterator[tuple[str, str, str]]:
    """Yield name and remark of a result of SKaMPI, and a line of it; none without own times.

    Of b_eff a result is a pattern by a method, of b_eff_io a type in an access method.
    """
    if isinstance(result, BEffResult):
        cell_of = itemgetter("pattern", "method", "message_size_bytes")
        loops = by_key((cell_of(row), row) for row in loop_samples(result))
        processes = {pattern.id: pattern.processes for pattern in result.patterns}
        for (pattern, method, size), of in loops.items():
            remark = (
                "{group} pattern {pattern}: {pattern_name}, {messages} messages in an iteration;"
                " times of an iteration"
            ).format_map(of[0])
            shortest, longest = (
                [row[name] / row["loop_length"] for row in of]
                for name in ("time_min_s", "time_max_s")
            )
            parameters = {"procs": processes[pattern], "count": size}
            line = skampi_line(parameters, size, longest, (_mean(shortest), _mean(longest)))
            yield f"b_eff-{pattern}-{method}", remark, line
    elif isinstance(result, BEffIoResult):
        for row in file_samples(result):
            name = "b_eff_io-{pattern_name}-{access}".format_map(row)
            remark = "type {pattern_name}, {access}; times of a call".format_map(row)
            yield name, f"{remark}, its share of the sync included", _file_line(row)


def _file_line(row: Row) -> str:
    processes, calls, per_call = row["processes"], row["repetitions"], row["memory_size_bytes"]
    if row["status"] != "measured" or calls == 0:
        error = "" if row["error"] is None else f", {row['error']}"
        return _comment("procs= {processes} pattern= {pattern}: {status}".format_map(row) + error)
    if per_call is None:  # a fill-up moves what is left
        per_call = row["transferred_bytes"] // (processes * calls)
    chunk = per_call if row["chunk_size_bytes"] is None else row["chunk_size_bytes"]
    parameters = {"procs": processes, "pattern": row["pattern"], "chunk": chunk}
    return skampi_line(parameters, per_call, [row["time_s"] / calls])


def skampi_line(
    parameters: dict[str, int],
    size_bytes: int,
    times_s: Sequence[float],
    of_processes_s: Sequence[float] = (),
) -> str:
    """Write a line; a standard error needs two measurements, and is `---` with one."""
    mean, count, error = _mean(times_s), len(times_s), _UNKNOWN
    if count > 1:
        deviation = hypot(*(value - mean for value in times_s))
        error = _microseconds(deviation / sqrt(count * (count - 1)))
    fields = [
        *(f"{name}= {value}" for name, value in parameters.items()),
        f"{size_bytes:>8}",
        f"{_microseconds(mean):>{_WIDTH}}",
        f"{error:>{_WIDTH}}",
        f"{count:>8}",
        *(f"{_microseconds(time_s):>{_WIDTH}}" for time_s in of_processes_s),
    ]
    return " ".join(fields)


def _mean(values: Sequence[float]) -> float:
    return fsum(value / len(values) for value in values)


def _microseconds(time_s: float) -> str:
    """Write a time without an exponent: SKaMPI's one decimal, or as many as make seven digits."""
    value = time_s * 1e6
    if not isfinite(value):
        return _UNKNOWN
    return f"{value:.{max(1, _DIGITS - 1 - floor(log10(value)))}f}" if value > 0 else "0.0"


def _comment(text: str) -> str:
    return f"# {one_line(text)}"
