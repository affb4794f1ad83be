"""The figures of a result that are compared, and how much they differ from run to run."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from beff.definition.averages import logavg
from beff.result.b_eff_io_result import BEffIoFigures, PrintedPattern
from beff.result.b_eff_io_samples import ACCESSES
from beff.result.b_eff_result import BEffFigures, BEffResult
from beff.result.bounds import Figure
from beff.result.contract import AnyResult
from beff.result.numbers import counted, format_size
from beff.verify.common.summary_figures import NETWORK, WEIGHED, SummaryFigure


class Quantity(NamedTuple):
    """A figure: the table it stands in, its name there, its unit.

    Of MB/s more is better, of us less.
    """

    table: str
    name: str
    unit: str

    @property
    def more_is_better(self) -> bool:
        """Whether a larger figure is the better one."""
        return self.unit != "us"


VALUES = "values"
"""The table of the values, which decide."""
SIZES = "message sizes"
"""The table of the means over patterns at each message size, which decide as well."""
DECIDING = (VALUES, SIZES)
"""All other tables hold hints."""

Figures = dict[Quantity, float]
"""All positive figures of one run."""
_Found = Iterator[tuple[str, tuple[str, ...], str, Figure]]
"""Table, label, unit, and the figure."""

ASSUMED_NOISE = {"b_eff": 0.15, "b_eff_io": 0.5, "b_pairs": 0.3}
"""Standard deviation of a figure from run to run, as a share, taken when too few runs show it.

A cautious one, of machines that others use as well (docs/explanation/statistics.md).
"""


@lru_cache(maxsize=256)
def compared_figures(result: AnyResult) -> Figures:
    """Return the figures: first the values, then what they are made of.

    Those that were not measured are left out, as those without a logarithm.
    """
    if isinstance(result, BEffFigures):
        found = _of_b_eff(result)
    elif isinstance(result, BEffIoFigures):
        found = _of_b_eff_io(result)
    else:
        found = _of_summary(NETWORK, result)  # of a map alone nothing
    return {
        Quantity(table, ", ".join(label), unit): figure
        for table, label, unit, figure in found
        if figure is not None and figure > 0
    }


def _of_summary(figures: Iterable[SummaryFigure], result: AnyResult) -> _Found:
    for one in figures:
        if one.unit:
            table = VALUES if one.decides else "further values"
            yield table, (one.label,), one.unit, one.of(result)


def _of_b_eff(result: BEffFigures) -> _Found:
    sizes = [format_size(size) for size in result.message_sizes_bytes]
    yield from _of_summary(WEIGHED, result)
    if not isinstance(result, BEffResult):
        return
    patterns = result.patterns
    for pattern in patterns:
        yield "patterns", (pattern.name,), "MB/s", pattern.bandwidth_MBps
    averaged = [pattern for pattern in patterns if pattern.averaged]
    for index, size in enumerate(sizes):
        yield SIZES, (size,), "MB/s", _logavg([p.bandwidth_by_size_MBps[index] for p in averaged])
    for method in result.methods:
        by_pattern = [pattern.bandwidth_by_method_MBps.get(method) for pattern in averaged]
        yield "methods", (method,), "MB/s", _logavg(by_pattern)
    for pattern in patterns:
        for size, figure in zip(sizes, pattern.bandwidth_by_size_MBps, strict=True):
            yield "patterns by size", (pattern.name, size), "MB/s", figure


def _logavg(by_pattern: Sequence[Figure]) -> Figure:
    measured = [figure for figure in by_pattern if figure is not None and figure > 0]
    return logavg(measured) if measured and len(measured) == len(by_pattern) else None


def _of_b_eff_io(result: BEffIoFigures) -> _Found:
    on = [counted(partition.processes, "process") for partition in result.partitions]
    names = {entry.type: entry.name for entry in result.type_names}
    yield VALUES, ("b_eff_io",), "MB/s", result.summary.b_eff_io_MBps
    for partition, processes in zip(result.partitions, on, strict=True):
        for access in ACCESSES:
            yield VALUES, (access, processes), "MB/s", partition.access[access]
    for release, value in result.summary.values.items():
        yield "releases", (f"release {release}",), "MB/s", value
    for partition, processes in zip(result.partitions, on, strict=True):
        yield "partitions", (processes,), "MB/s", partition.b_eff_io_MBps
    for row, figure in result.types.bandwidth_of.items():
        if row.type in names and row.partition < len(on):
            label = (names[row.type], row.access, on[row.partition])
            yield "pattern types", label, "MB/s", figure
    patterns = {one.number: _pattern_name(one, names.get(one.type, "")) for one in result.patterns}
    for sample, figure in result.samples.bandwidth_of.items():
        if sample.pattern in patterns and sample.partition < len(on):
            label = (patterns[sample.pattern], sample.access, on[sample.partition])
            yield "patterns", label, "MB/s", figure


def _pattern_name(pattern: PrintedPattern, kind: str) -> str:
    """Name a row of the printed table as that does; it lacks the numbers that others have."""
    chunk = "fill-up" if pattern.l_bytes is None else f"{pattern.l_bytes} byte"
    name = f"{kind}, {chunk}"
    return name if pattern.position is not None else f"pattern {pattern.number} ({name})"
