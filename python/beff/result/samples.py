"""The raw samples of both benchmarks one by one, with what each belongs to."""
# ruff: noqa: N815 - the field names are those of the result file

from collections.abc import Iterator
from typing import NamedTuple

from beff.result.b_eff_io_result import (
    BEffIoFigures,
    BEffIoResult,
    PartitionFigures,
    PrintedPattern,
)
from beff.result.b_eff_io_samples import Sample as IoSample
from beff.result.b_eff_io_samples import SampleKey
from beff.result.b_eff_result import BEffResult, Pattern
from beff.result.bounds import Figure
from beff.result.numbers import BYTES_PER_MB


class LoopSample(NamedTuple):
    """One timed loop of b_eff; `host` is the node of the slowest rank, None where unknown."""

    pattern: Pattern
    size_bytes: int
    method: str
    repetition: int
    loop_length: int
    time_max_s: float
    time_avg_s: float
    time_min_s: float
    slowest_rank: int
    host: str | None
    bandwidth_MBps: float


class FileSample(NamedTuple):
    """One pattern of b_eff_io in one partition and access method.

    `sample` is None where another program printed the bandwidth alone.
    """

    key: SampleKey
    partition: PartitionFigures
    pattern: PrintedPattern
    type_name: str
    sample: IoSample | None
    bandwidth_MBps: Figure


def loop_samples(result: BEffResult) -> Iterator[LoopSample]:
    """Yield the samples of b_eff in the order of measuring."""
    patterns = {pattern.id: pattern for pattern in result.patterns}
    environment, samples = result.environment, result.samples
    names = [host.name for host in environment.hosts]
    hosts = [names[node] if node < len(names) else None for node in environment.placement]
    columns = zip(*(getattr(samples, name) for name in samples.columns()), strict=True)
    for pattern_id, size, method, repetition, length, longest, mean, shortest, rank in columns:
        pattern, size_bytes = patterns[pattern_id], result.message_sizes_bytes[size]
        moved = size_bytes * pattern.messages * length
        yield LoopSample(
            pattern=pattern,
            size_bytes=size_bytes,
            method=result.methods[method],
            repetition=repetition,
            loop_length=length,
            time_max_s=longest,
            time_avg_s=mean,
            time_min_s=shortest,
            slowest_rank=rank,
            host=hosts[rank] if rank < len(hosts) else None,
            bandwidth_MBps=moved / longest / BYTES_PER_MB,
        )


class Cell(NamedTuple):
    """What repetitions have in common: a pattern's id, a message size's index, a method."""

    pattern: int
    size: int
    method: str


def best_loops(result: BEffResult) -> dict[Cell, LoopSample]:
    """Return the fastest repetition of each pattern, size and method; of equals the first."""
    best: dict[Cell, LoopSample] = {}
    for size, sample in zip(result.samples.size, loop_samples(result), strict=True):
        cell = Cell(sample.pattern.id, size, sample.method)
        found = best.get(cell)
        if found is None or sample.bandwidth_MBps > found.bandwidth_MBps:
            best[cell] = sample
    return best


def file_samples(result: BEffIoFigures) -> Iterator[FileSample]:
    """Yield the samples of b_eff_io in the order of measuring."""
    patterns = {pattern.number: pattern for pattern in result.patterns}
    names = {entry.type: entry.name for entry in result.type_names}
    table = result.samples
    samples = result.samples.rows if isinstance(result, BEffIoResult) else [None] * len(table)
    for key, sample, bandwidth in zip(table.keys, samples, table.bandwidth_MBps, strict=True):
        pattern, partition = patterns[key.pattern], result.partitions[key.partition]
        yield FileSample(key, partition, pattern, names[pattern.type], sample, bandwidth)
