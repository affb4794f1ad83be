"""Format .sko: the measured times in the syntax of SKaMPI 5's output files.

The syntax is that of section 7.1 of SKaMPI's manual. A line within a result holds names and values
of parameters, the size in byte, the time in microseconds, its standard error, the number of
measurements, and times of single processes.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import floor, fsum, hypot, isfinite, log10, sqrt
from pathlib import Path

from beff import __version__
from beff.report.parts.sentences import cautions_of
from beff.report.tables.validity import verdict
from beff.result.b_eff_io_result import BEffIoResult
from beff.result.b_eff_io_samples import Sample
from beff.result.b_eff_result import BEffResult
from beff.result.contract import AnyResult
from beff.result.errors import BeffError
from beff.result.plain_text import one_line
from beff.result.result_parts import ImportedHead
from beff.result.samples import FileSample, LoopSample, file_samples, loop_samples
from beff.verify.subject import Subject

_US_PER_S = 1e6
_UNKNOWN = "---"
"""What SKaMPI writes for a time that it does not have."""
_WIDTH = 9
_DIGITS = 7


def write_skampi(subject: Subject, path: Path) -> None:
    """Write the times of all results. Raises BeffError when no result holds a measured time."""
    labelled = len(subject.results) > 1
    lines = [f"# beff {__version__}, in the syntax of SKaMPI 5", ""]
    measured = False
    cautions = {
        entry.label: [f"caution: {text}" for text in cautions_of(entry.document)]
        for entry in subject.results
    }
    results: list[tuple[str, AnyResult]] = [*subject.b_eff(), *subject.b_eff_io()]
    for label, result in results:
        prefix = f"{label}: " if labelled else ""
        blocks = _blocks(prefix, result)
        measured = measured or bool(blocks)
        lines += [*_head(label, result), *map(_comment, cautions[label]), ""]
        lines += [line for block in blocks for line in block]
        if not isinstance(result, ImportedHead) and result.environment.finished_at is not None:
            lines += [_comment(f"Finished at {result.environment.finished_at}"), ""]
    if not measured:
        raise BeffError(f"{path.name}: there is no time to write, as no result holds a sample")
    path.write_text("\n".join(lines), encoding="utf-8")


def _head(label: str, result: AnyResult) -> list[str]:
    first = _comment(f"{label}: {result.benchmark} {result.definition}, {verdict(result)}")
    if isinstance(result, ImportedHead):
        where = result.environment
        return [first, _comment(f"{where.processes} processes: {where.host_list}"), ""]
    e = result.environment
    return [
        first,
        _comment(f"{e.processes} processes on {e.nodes} nodes: {e.host_list}; {e.mpi.library}"),
        _comment(f"Started at {e.started_at}"),
        "",
    ]


def _blocks(prefix: str, result: AnyResult) -> list[list[str]]:
    """Return the measured times; none of an imported result, which has bandwidths alone."""
    if isinstance(result, BEffResult):
        return list(_loop_blocks(prefix, result))
    if isinstance(result, BEffIoResult):
        return list(_file_blocks(prefix, result))
    return []


def _loop_blocks(prefix: str, result: BEffResult) -> Iterator[list[str]]:
    """Yield a result for each pattern and method, with a line for each message size."""
    blocks: dict[tuple[int, str], dict[int, list[LoopSample]]] = {}
    for sample in loop_samples(result):
        sizes = blocks.setdefault((sample.pattern.id, sample.method), {})
        sizes.setdefault(sample.size_bytes, []).append(sample)
    for (number, method), sizes in blocks.items():
        pattern = next(iter(sizes.values()))[0].pattern
        yield _block(
            f"{prefix}b_eff-{number}-{method}",
            f"{pattern.group} pattern {number}: {pattern.name},"
            f" {pattern.messages} messages in an iteration; times of an iteration",
            (
                _line(
                    {"procs": pattern.processes, "count": size},
                    size,
                    [sample.time_max_s / sample.loop_length for sample in samples],
                    (
                        _mean([sample.time_min_s / sample.loop_length for sample in samples]),
                        _mean([sample.time_max_s / sample.loop_length for sample in samples]),
                    ),
                )
                for size, samples in sizes.items()
            ),
        )


def _file_blocks(prefix: str, result: BEffIoResult) -> Iterator[list[str]]:
    """Yield a result for each type and access method, with a line for partition and pattern."""
    blocks: dict[tuple[str, str], list[tuple[FileSample, Sample]]] = {}
    for entry, sample in zip(file_samples(result), result.samples.rows, strict=True):
        blocks.setdefault((entry.type_name, entry.key.access), []).append((entry, sample))
    for (kind, access), samples in blocks.items():
        yield _block(
            f"{prefix}b_eff_io-{kind}-{access}",
            f"type {kind}, {access}; times of a call, its share of the sync included",
            (_file_line(entry, sample) for entry, sample in samples),
        )


def _file_line(entry: FileSample, sample: Sample) -> str:
    pattern = entry.pattern
    if sample.status != "measured" or sample.repetitions == 0:
        return _comment(
            f"procs= {entry.partition.processes} pattern= {pattern.number}: {sample.status}"
            + ("" if sample.error is None else f", {sample.error}")
        )
    per_call = pattern.L_bytes
    if per_call is None:  # a fill-up moves what is left
        per_call = sample.bytes // (entry.partition.processes * sample.repetitions)
    parameters = {
        "procs": entry.partition.processes,
        "pattern": pattern.number,
        "chunk": per_call if pattern.l_bytes is None else pattern.l_bytes,
    }
    return _line(parameters, per_call, [sample.time_s / sample.repetitions])


def _block(name: str, remark: str, lines: Iterable[str]) -> list[str]:
    quoted = '"' + one_line(name).replace('"', "'") + '"'
    return [
        _comment(remark),
        f"# begin result {quoted}",
        *lines,
        f"# end result {quoted}",
        "",
    ]


def _line(
    parameters: dict[str, int],
    size_bytes: int,
    times_s: Sequence[float],
    of_processes_s: Sequence[float] = (),
) -> str:
    """Write a line; a standard error needs two measurements."""
    error = _UNKNOWN if len(times_s) < 2 else _microseconds(_standard_error(times_s))
    fields = [
        *(f"{name}= {value}" for name, value in parameters.items()),
        f"{size_bytes:>8}",
        f"{_microseconds(_mean(times_s)):>{_WIDTH}}",
        f"{error:>{_WIDTH}}",
        f"{len(times_s):>8}",
        *(f"{_microseconds(time_s):>{_WIDTH}}" for time_s in of_processes_s),
    ]
    return " ".join(fields)


def _mean(values: Sequence[float]) -> float:
    return fsum(value / len(values) for value in values)


def _standard_error(values: Sequence[float]) -> float:
    """Return the standard deviation of at least two values over the root of their number."""
    mean, count = _mean(values), len(values)
    return hypot(*(value - mean for value in values)) / sqrt(count * (count - 1))


def _microseconds(time_s: float) -> str:
    """Write a time without an exponent: SKaMPI's one decimal, or as many as make seven digits."""
    microseconds = time_s * _US_PER_S
    if not isfinite(microseconds):
        return _UNKNOWN
    if microseconds <= 0:
        return "0.0"
    return f"{microseconds:.{max(1, _DIGITS - 1 - floor(log10(microseconds)))}f}"


def _comment(text: str) -> str:
    return f"# {one_line(text)}"
