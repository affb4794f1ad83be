"""The figures of a result that are compared, and how much they differ from run to run."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import exp, log
from typing import NamedTuple

from beff.definition.common import logavg
from beff.definition.subject import NETWORK, WEIGHED, SummaryFigure
from beff.result.b_eff_io_result import BEffIoFigures
from beff.result.b_eff_io_samples import ACCESSES
from beff.result.b_eff_result import BEffFigures, BEffResult
from beff.result.bounds import Figure
from beff.result.contract import AnyResult
from beff.result.numbers import counted, format_size


class Quantity(NamedTuple):
    """A figure: the table it stands in, its name there, its unit, and whether more is better.

    `field` is the name in the summary of a result of one that is kept of each day.
    """

    table: str
    name: str
    unit: str
    more_is_better: bool = True
    field: str = ""

    def log_of(self, value: float) -> float:
        """Return the logarithm of a value, of which more is better."""
        return log(value) if self.more_is_better else -log(value)

    def of_log(self, log: float) -> float:
        """Return the value that has it."""
        return exp(log if self.more_is_better else -log)


VALUES = "values"
"""The table of the values, which decide."""
SIZES = "message sizes"
"""The table of the means over patterns at each message size, which decide as well."""
DECIDING = (VALUES, SIZES)
"""All other tables hold hints."""

Figures = dict[Quantity, float]
"""All positive figures of one run."""
_Rows = Iterator[tuple[str, tuple[str, ...], str, Figure]]
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
    rows = _of_summary(NETWORK, result)  # of a map alone nothing
    if isinstance(result, BEffFigures):
        rows = _of_b_eff(result)
    elif isinstance(result, BEffIoFigures):
        rows = _of_b_eff_io(result)
    return {
        Quantity(table, ", ".join(label), unit, unit != "us"): figure
        for table, label, unit, figure in rows
        if figure is not None and figure > 0
    }


def _of_summary(figures: Iterable[SummaryFigure], result: AnyResult) -> _Rows:
    for figure in figures:
        if figure.unit:
            table = VALUES if figure.decides else "further values"
            yield table, (figure.label,), figure.unit, figure.of(result)


def _of_b_eff(result: BEffFigures) -> _Rows:
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


def _of_b_eff_io(result: BEffIoFigures) -> _Rows:
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
    patterns = dict[int, str]()
    # as the printed table names its rows, which lacks the numbers that others have
    for number, pattern in ((each.number, each) for each in result.patterns):
        chunk = "fill-up" if pattern.l_bytes is None else f"{pattern.l_bytes} byte"
        name = f"{names.get(pattern.type, '')}, {chunk}"
        patterns[number] = f"pattern {number} ({name})" if pattern.position is None else name
    for table, bandwidths, names_of in (
        ("pattern types", result.types.bandwidth_of, names),
        ("patterns", result.samples.bandwidth_of, patterns),
    ):
        for (at, number, access), figure in bandwidths.items():
            if number in names_of and at < len(on):
                yield table, (names_of[number], access, on[at]), "MB/s", figure
