"""What no machine does, and no honest run would say of itself, though every figure follows from it.

Verification finds figures that do not follow from the samples; this finds figures beyond physics,
samples and times that a machine does not make, and copies of one measurement, whatever factor lies
between them. A careful forger avoids all, so nothing found here proves a result genuine.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

from beff.result.b_eff_io_result import BEffIoResult
from beff.result.b_eff_result import RULES, BEffResult, Samples
from beff.result.bounds import moment_of
from beff.result.load import Document

_LIGHT_BETWEEN_HOSTS_US = 0.01
"""Time of light for 3 m, of signals in a cable for 2 m."""
_ROOF_MBPS = 1e7
"""What no memory of a process delivers: 10 TB/s."""
_CLOCKS_APART = timedelta(days=1)
_FIRST_DAY = datetime(2026, 11, 21, tzinfo=timezone.utc)
"""Nothing could measure in this form before."""
_ROUNDING_S = 5.0
_LEAST_CALL_S = 1e-9
"""What no clock is read in: some cycles of a core."""
_OFFICIAL_LOOP_S = RULES["3.5"].shortest_loop_s
_USUAL_LOOP_S, _MOST_UNUSUAL = (1.2e-3, 7.6e-3), 0.1
"""Official loops last from _OFFICIAL_LOOP_S to twice that; in real runs one in a hundred is
shorter or longer than usual, and never was a tenth."""
_LEAST_COPY_US = 0.02
"""What one core needs to fetch from another what that has just written."""
_IDLE_SHARE, _IDLE_S = 0.5, 60.0
"""Of the wall time, what a run may spend on nothing that it records."""


Measured = BEffResult | BEffIoResult


def oddities(document: Document, now: datetime) -> list[str]:
    """Return a sentence for each thing that a measuring program would not have written."""
    result = document.result
    if not isinstance(result, Measured):
        return []
    found = [*_dates(result, now), *_bytes(result)]
    # the times of a simulation are not those of this machine
    is_real = not result.environment.simulated
    if is_real:
        found += [*_elapsed(result), *_clock(result)]
    if isinstance(result, BEffResult):
        official = result.definition == "3.5" and result.options["loop_time_s"] == _OFFICIAL_LOOP_S
        if is_real and official and result.valid:
            found += [*_loops(result), *_lengths(result)]
        found += _latency(result)
    return found


def _dates(result: Measured, now: datetime) -> Iterator[str]:
    started, finished = _moments(result)
    if started > now + _CLOCKS_APART:
        yield f"date: the run began in the future, at {started:%Y-%m-%d}"
    if started < _FIRST_DAY - _CLOCKS_APART:
        yield f"date: the run began at {started:%Y-%m-%d}, before there was such a program"
    if finished is not None and finished < started:
        yield "date: the run ended before it began"
    if finished is None and result.valid:  # a recovered result has no end and is not valid
        yield "date: the run is valid and does not say when it ended"


def _moments(result: Measured) -> tuple[datetime, datetime | None]:
    """Return when a run began and, where that is known, ended."""
    ended = result.environment.finished_at
    return moment_of(result.environment.started_at), None if ended is None else moment_of(ended)


def _times(result: Measured) -> list[float]:
    samples = result.samples
    return samples.time_max_s if isinstance(samples, Samples) else samples.time_s


def _moved(result: Measured) -> list[int]:
    """Return what was moved in each loop: iterations, or bytes."""
    samples = result.samples
    return samples.loop_length if isinstance(samples, Samples) else samples.bytes


def _elapsed(result: Measured) -> Iterator[str]:
    """Compare with the wall time; partitions of b_eff_io run one after the other as well."""
    started, finished = _moments(result)
    if finished is None:  # recovered: nobody knows how long it took
        return
    wall_s, loops_s = result.environment.wall_s, sum(_times(result))
    if isinstance(result, BEffIoResult):
        spent_s = float(sum(result.types.open_to_close_s))
    else:
        a = result.accounting
        spent_s = a.loops_s + a.latency_s + a.warm_up_s + a.preparation_and_checks_s
    longest_s = max(loops_s, spent_s)
    if longest_s > wall_s + _ROUNDING_S:
        yield f"accounting: loops of {longest_s:.4g} s altogether in a run of {wall_s:.4g} s"
    if result.complete and wall_s - spent_s > max(_IDLE_S, _IDLE_SHARE * wall_s):
        yield f"accounting: {wall_s - spent_s:.4g} s of a run of {wall_s:.4g} s went into no loop"
    between_s = (finished - started).total_seconds()
    if 0 <= between_s < wall_s - _ROUNDING_S - 0.01 * wall_s:
        yield f"accounting: a run of {wall_s:.4g} s with {between_s:.4g} s between its dates"


def _clock(result: Measured) -> Iterator[str]:
    clock = result.environment.clock
    if clock.call_cost_s < _LEAST_CALL_S:
        yield f"clock: reading it took {clock.call_cost_s:.3g} s, as no clock does"
    least_s = max(clock.resolution_s, clock.call_cost_s, _LEAST_CALL_S)
    pairs = zip(_times(result), _moved(result), strict=True)
    below = sum(time_s < least_s for time_s, something in pairs if something)
    if below:
        yield f"clock: {below} loops shorter than the {least_s:.3g} s that its clock resolves"


def _bytes(result: Measured) -> Iterator[str]:
    """Compare what each process moved with what no memory delivers."""
    moved: Iterable[float]
    if isinstance(result, BEffResult):
        pairs = zip(result.samples.size, result.samples.loop_length, strict=True)
        moved = (result.message_sizes_bytes[size] * length for size, length in pairs)
    else:
        moved = (total / result.environment.processes for total in result.samples.bytes)
    columns = zip(moved, _times(result), strict=True)
    beyond = sum(amount > _ROOF_MBPS * 1e6 * time_s for amount, time_s in columns)
    if beyond:
        yield f"roof: in {beyond} loops each process moved more than {_ROOF_MBPS / 1e6:g} TB/s"


def _loops(result: BEffResult) -> Iterator[str]:
    """Compare loops of several calls with what the choice of their lengths aims at."""
    pairs = zip(_times(result), result.samples.loop_length, strict=True)
    times = [time_s for time_s, length in pairs if length > 1]
    shortest_s, longest_s = _USUAL_LOOP_S
    unusual = sum(not shortest_s <= time_s <= longest_s for time_s in times)
    if unusual > _MOST_UNUSUAL * len(times):
        yield (
            f"loops: {unusual} of {len(times)} of several calls took less than"
            f" {1e3 * shortest_s:g} ms or more than {1e3 * longest_s:g} ms, and their lengths are"
            " chosen for 2.5 to 5 ms"
        )


def _lengths(result: BEffResult) -> Iterator[str]:
    """Compare lengths of loops with what follows from the times of the sizes before."""
    s, sizes = result.samples, result.message_sizes_bytes
    sweeps: dict[tuple[int, int, int], list[tuple[int, int, float]]] = {}
    loops = zip(s.size, s.loop_length, s.time_max_s, strict=True)
    for sweep, loop in zip(zip(s.pattern, s.method, s.repetition, strict=True), loops, strict=True):
        size, length, time_s = loop
        sweeps.setdefault(sweep, []).append((sizes[size], length, time_s / length))
    looked_at = others = 0
    for of_sweep in sweeps.values():
        for place in range(1, len(of_sweep)):
            before, (size, length, _) = of_sweep[max(place - 2, 0) : place], of_sweep[place]
            others += abs(length - next_length(before, size)) > 1
            looked_at += 1
    if others:
        yield (
            f"loops: {others} of {looked_at} have another length than follows from the times of"
            " the sizes before"
        )


def next_length(before: list[tuple[int, int, float]], size: int) -> int:
    """Return the loop length that the definition chooses for a message size.

    `before` is (size, loop length, time of an iteration in s) of the one or two sizes before.
    """
    (last_size, _, last_s), iteration_s = before[-1], before[-1][2]
    if len(before) > 1 and before[0][0] != last_size:
        slope = (last_s - before[0][2]) / (last_size - before[0][0])
        most_s = max(last_s, last_s * size / last_size)
        iteration_s = min(max(last_s + slope * (size - last_size), last_s), most_s)
    return max(1, round(math.sqrt(2) * _OFFICIAL_LOOP_S / max(iteration_s, _LEAST_CALL_S)))


def _latency(result: BEffResult) -> Iterator[str]:
    latency_us = result.summary.latency_us
    if not latency_us:
        return
    if latency_us < _LEAST_COPY_US and not result.environment.simulated:
        yield f"copy: a latency of {latency_us:.3g} us, and a core needs longer to pass a byte on"
    if latency_us < _LIGHT_BETWEEN_HOSTS_US and result.environment.nodes > 1:
        yield f"light: a latency of {latency_us:.3g} us, and light needs 0.01 us for 3 m"


_BOUNDS: dict[str, tuple[float, float]] = {
    "_MBps": (1e-9, 1e13),
    "_us": (1e-4, 1e12),  # light goes 3 cm in the shortest
    "total_memory_exchange_s": (1e-12, 1e15),
    "balance_bytes_per_flop": (1e-15, 1e9),
    "rmax_gflops": (1e-9, 1e12),
    "power_kW": (1e-6, 1e7),
    "io_time_s": (1e-9, 1e9),
    "io_partition_time_s": (1e-9, 1e9),
    "total_memory_write_min": (1e-12, 1e15),
    "nodes": (1, 1e8),
    "cores": (1, 1e10),
    "processes": (1, 1e10),
    "memory_bytes": (1, 2.0**63 - 1),
}
"""These leave three powers of ten and more to any machine that there is.

They are no judgement of a result, but keep a slip of the pen, or a joke, from taking part in a
ranking or breaking a page.
"""


def bounds_of(name: str) -> tuple[float, float]:
    """Return the least and the largest that a column of the store may hold."""
    return next(bounds for ending, bounds in _BOUNDS.items() if name.endswith(ending))


def is_possible(name: str, value: Any) -> bool:
    """Whether a value may stand in a column; what is unknown, or zero, may stand in any."""
    if value is None or not name.endswith(tuple(_BOUNDS)):
        return True
    low, high = bounds_of(name)
    return value == 0 or (math.isfinite(value) and low <= value <= high)


_RATES = 32
_AGREES = 1e-4
"""Relative difference below which two ratios are one."""
_FEWEST = 4
"""Rates from which on agreement is no accident."""


def rates_of(document: Document) -> tuple[float, ...]:
    """Return the number of samples, and how much was moved in a second in some of them.

    Two runs of a machine differ in each rate by noise of their own, so that hardly two ratios of
    their rates agree to four digits; between a measurement and its copy most ratios are one number.
    """
    result = document.result
    assert isinstance(result, Measured)
    times, moved = _times(result), _moved(result)
    places = [place for place, amount in enumerate(moved) if amount and times[place] > 0]
    last = len(places) - 1
    chosen = {round(index * last / (_RATES - 1)) for index in range(_RATES)} if places else set()
    rates = [moved[places[index]] / times[places[index]] for index in sorted(chosen)]
    return (float(len(times)), *(float(f"{rate:.8g}") for rate in rates))


def copy_factor(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Return how many times as fast a result is as another of the benchmark whose copy it is.

    Of both, what `rates_of` returns; None where it is no copy.
    """
    if len(one) != len(other) or len(one) < _FEWEST or one[0] != other[0]:
        return None
    ratios = sorted(a / b for a, b in zip(one[1:], other[1:], strict=True))
    half = len(ratios) // 2
    for low, high in zip(ratios, ratios[half:], strict=False):
        if high - low <= 2 * _AGREES * low:
            return (low + high) / 2
    return None
