"""The diagrams of b_eff_io: by access method and by pattern type, over the chunk size.

The chunk axis is the papers' pseudo-logarithmic one: well-formed sizes at equal distances, each
with its counterpart of 8 bytes more right beside it.
"""

from collections.abc import Iterable

from beff.model.b_eff_io_figures import PartitionFigures
from beff.model.b_eff_io_result import Access, BEffIoResult, SampleKey
from beff.model.units import MIB
from beff.report.plots.plot import Plot, Series, process_ticks, series
from beff.report.tables.b_eff_io import accesses_of, sample_bandwidths

_X = "chunk size [byte], '+8' is 8 byte more"
_Y = "bandwidth [MB/s]"
_KIB = 1024
_NOT_WELLFORMED = 8


def plots_of(label: str, result: BEffIoResult, name: str) -> list[Plot]:
    """Draw a diagram per access method and per type, for the largest number of processes."""
    partition = len(result.partitions) - 1
    processes = result.partitions[partition].processes
    places = chunk_places(result)
    bandwidths = sample_bandwidths(result)
    ticks = tuple((place, tick) for place, tick in places.values())
    plots = []

    def line(kind: int, access: Access, name: str) -> Series:
        points = []
        for pattern in result.patterns:
            if pattern.type == kind and pattern.position is not None and pattern.l_bytes in places:
                place, _ = places[pattern.l_bytes]
                value = bandwidths.get(SampleKey(partition, pattern.number, access))
                points.append((place, value))
        return series(name, sorted(points, key=lambda point: point[0]))

    def plot(what: str, title: str, lines: Iterable[Series]) -> Plot:
        full = f"{label} ({processes} processes): {title}"
        return Plot(f"{name}-{what}", full, _X, _Y, tuple(lines), ticks, log_x=False)

    for access in accesses_of(result):
        lines = [line(kind.type, access, kind.name) for kind in result.type_names]
        plots.append(plot(access, access, lines))
    for kind in result.type_names:
        lines = [line(kind.type, access, access) for access in accesses_of(result)]
        plots.append(plot(f"type-{kind.type}", f"type {kind.type} {kind.name}", lines))
    return plots


def scaling(
    results: Iterable[tuple[str, BEffIoResult, list[PartitionFigures]]], name: str
) -> list[Plot]:
    """Draw the value over the number of processes, a line per result, if there are several."""
    lines = []
    for label, result, partitions in results:
        minutes = result.schedule.time_s / 60
        points = [(p.processes, p.values.get(result.definition)) for p in partitions]
        lines.append(series(f"{label}, T = {minutes:g} min", points))
    title = "b_eff_io of a partition over its number of processes"
    ticks = process_ticks(lines)
    plot = Plot(name, title, "processes", "b_eff_io [MB/s]", tuple(lines), ticks)
    return [plot] if len(ticks) > 1 else []


def chunk_places(result: BEffIoResult) -> dict[int, tuple[float, str]]:
    """Place and label on the axis by chunk size in byte."""
    reported = (p.l_bytes for p in result.patterns if p.reported and p.position is not None)
    places: dict[int, tuple[float, str]] = {}
    place, before = -1.0, -1
    for size in sorted({size for size in reported if size is not None}):
        beside = size == before + _NOT_WELLFORMED
        place += 1 if beside else 2
        places[size] = (place, "+8" if beside else _size_label(size))
        before = size
    return places


def _size_label(size: int) -> str:
    for unit, bytes_per_unit in (("M", MIB), ("k", _KIB)):
        if size >= bytes_per_unit:
            return f"{size / bytes_per_unit:g}{unit}"
    return str(size)
