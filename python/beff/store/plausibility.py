"""What no machine does, and no honest run would say of itself, though every figure follows from it.

Verification finds figures that do not follow from the samples; this finds figures beyond physics,
samples and times that a machine does not make, and copies of one measurement, whatever factor lies
between them. A careful forger avoids all, so nothing found here proves a result genuine.
"""

import math
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

from beff.model.bounds import moment_of
from beff.model.load import Document

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
_LOOP_S, _USUAL_LOOP_S, _MOST_UNUSUAL = 2.5e-3, (1.2e-3, 7.6e-3), 0.1
"""Official loops last from the first to twice that; in real runs one in a hundred is shorter or
longer than usual, and never was a tenth."""
_LEAST_COPY_US = 0.02
"""What one core needs to fetch from another what that has just written."""
_IDLE_SHARE, _IDLE_S = 0.5, 60.0
"""Of the wall time, what a run may spend on nothing that it records."""


def oddities(document: Document, now: datetime) -> list[str]:
    """Return a sentence for each thing that a measuring program would not have written."""
    fields = document.fields
    is_b_eff = document.benchmark == "b_eff"
    checks = [_dates, _bytes]
    if not fields["environment"]["simulated"]:  # whose times are not those of this machine
        checks += [_elapsed, _clock]
        if is_b_eff:
            checks += [_loops, _lengths, _copy]
    if is_b_eff:
        checks += [_light]
    return [found for check in checks for found in check(fields, now)]


def _moments(environment: dict[str, Any]) -> tuple[datetime, datetime | None]:
    """Return when a run began and, where that is known, ended."""
    ended = environment["finished_at"]
    return moment_of(environment["started_at"]), None if ended is None else moment_of(ended)


def _dates(fields: dict[str, Any], now: datetime) -> Iterator[str]:
    environment = fields["environment"]
    started, finished = _moments(environment)
    if started > now + _CLOCKS_APART:
        yield f"date: the run began in the future, at {started:%Y-%m-%d}"
    if started < _FIRST_DAY - _CLOCKS_APART:
        yield f"date: the run began at {started:%Y-%m-%d}, before there was such a program"
    if finished is not None and finished < started:
        yield "date: the run ended before it began"
    if finished is None and fields["valid"]:  # a recovered result has no end and is not valid
        yield "date: the run is valid and does not say when it ended"


def _times(fields: dict[str, Any]) -> list[float]:
    samples = fields["samples"]
    times: list[float] = samples["time_max_s" if fields["benchmark"] == "b_eff" else "time_s"]
    return times


def _spent_s(fields: dict[str, Any]) -> float:
    """Return the time whose use a result records."""
    if fields["benchmark"] == "b_eff_io":
        return float(sum(fields["types"]["open_to_close_s"]))
    parts = [time for name, time in fields["accounting"].items() if name.endswith("_s")]
    whole = [fields["accounting"]["elapsed_s"], fields["accounting"]["unaccounted_s"]]
    return float(sum(parts) - sum(whole))


def _elapsed(fields: dict[str, Any], _: datetime) -> Iterator[str]:
    """Compare with the wall time; partitions of b_eff_io run one after the other as well."""
    environment = fields["environment"]
    started, finished = _moments(environment)
    if finished is None:  # recovered: nobody knows how long it took
        return
    wall_s, loops_s, spent_s = environment["wall_s"], sum(_times(fields)), _spent_s(fields)
    if max(loops_s, spent_s) > wall_s + _ROUNDING_S:
        longest_s = max(loops_s, spent_s)
        yield f"accounting: loops of {longest_s:.4g} s altogether in a run of {wall_s:.4g} s"
    if fields["complete"] and wall_s - spent_s > max(_IDLE_S, _IDLE_SHARE * wall_s):
        yield f"accounting: {wall_s - spent_s:.4g} s of a run of {wall_s:.4g} s went into no loop"
    between_s = (finished - started).total_seconds()
    if 0 <= between_s < wall_s - _ROUNDING_S - 0.01 * wall_s:
        yield f"accounting: a run of {wall_s:.4g} s with {between_s:.4g} s between its dates"


def _clock(fields: dict[str, Any], _: datetime) -> Iterator[str]:
    clock = fields["environment"]["clock"]
    if clock["call_cost_s"] < _LEAST_CALL_S:
        yield f"clock: reading it took {clock['call_cost_s']:.3g} s, as no clock does"
    least_s = max(clock["resolution_s"], clock["call_cost_s"], _LEAST_CALL_S)
    moved = fields["samples"].get("bytes") or [1] * len(_times(fields))
    pairs = zip(_times(fields), moved, strict=True)
    below = sum(time_s < least_s for time_s, something in pairs if something)
    if below:
        yield f"clock: {below} loops shorter than the {least_s:.3g} s that its clock resolves"


def _bytes(fields: dict[str, Any], _: datetime) -> Iterator[str]:
    """Compare what each process moved with what no memory delivers."""
    samples = fields["samples"]
    if fields["benchmark"] == "b_eff":
        sizes = fields["message_sizes_bytes"]
        pairs = zip(samples["size"], samples["loop_length"], strict=True)
        moved = [sizes[size] * length for size, length in pairs]
    else:
        moved = [total / fields["environment"]["processes"] for total in samples["bytes"]]
    columns = zip(moved, _times(fields), strict=True)
    beyond = sum(amount > _ROOF_MBPS * 1e6 * time_s for amount, time_s in columns)
    if beyond:
        yield f"roof: in {beyond} loops each process moved more than {_ROOF_MBPS / 1e6:g} TB/s"


def _is_official(fields: dict[str, Any]) -> bool:
    official = fields["definition"] == "3.5" and fields["options"]["loop_time_s"] == _LOOP_S
    return bool(official and fields["valid"])


def _loops(fields: dict[str, Any], _: datetime) -> Iterator[str]:
    """Compare loops of several calls with what the choice of their lengths aims at."""
    if not _is_official(fields):
        return
    pairs = zip(_times(fields), fields["samples"]["loop_length"], strict=True)
    times = [time_s for time_s, length in pairs if length > 1]
    shortest_s, longest_s = _USUAL_LOOP_S
    unusual = sum(not shortest_s <= time_s <= longest_s for time_s in times)
    if unusual > _MOST_UNUSUAL * len(times):
        yield (
            f"loops: {unusual} of {len(times)} of several calls took less than"
            f" {1e3 * shortest_s:g} ms or more than {1e3 * longest_s:g} ms, and their lengths are"
            " chosen for 2.5 to 5 ms"
        )


def _lengths(fields: dict[str, Any], _now: datetime) -> Iterator[str]:
    """Compare lengths of loops with what follows from the times of the sizes before."""
    if not _is_official(fields):
        return
    samples, sizes = fields["samples"], fields["message_sizes_bytes"]
    names = ("pattern", "method", "repetition", "size", "loop_length", "time_max_s")
    sweeps: dict[tuple[int, ...], list[tuple[int, int, float]]] = {}
    for *sweep, size, length, time_s in zip(*(samples[name] for name in names), strict=True):
        sweeps.setdefault(tuple(sweep), []).append((sizes[size], length, time_s / length))
    looked_at = others = 0
    for loops in sweeps.values():
        for place in range(1, len(loops)):
            before, (size, length, _) = loops[max(place - 2, 0) : place], loops[place]
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
    return max(1, round(math.sqrt(2) * _LOOP_S / max(iteration_s, _LEAST_CALL_S)))


def _copy(fields: dict[str, Any], _: datetime) -> Iterator[str]:
    latency_us = fields["summary"]["latency_us"]
    if latency_us and latency_us < _LEAST_COPY_US:
        yield f"copy: a latency of {latency_us:.3g} us, and a core needs longer to pass a byte on"


def _light(fields: dict[str, Any], _: datetime) -> Iterator[str]:
    environment = fields["environment"]
    latency_us = fields["summary"]["latency_us"]
    if environment["nodes"] > 1 and latency_us and latency_us < _LIGHT_BETWEEN_HOSTS_US:
        yield f"light: a latency of {latency_us:.3g} us, and light needs 0.01 us for 3 m"


_BANDWIDTH = (1e-9, 1e13)
_BOUNDS: dict[str, tuple[float, float]] = {
    "latency_us": (1e-4, 1e12),  # light goes 3 cm in the shortest
    "pingpong_latency_us": (1e-4, 1e12),
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
    return _BANDWIDTH if name.endswith("_MBps") else _BOUNDS[name]


def is_possible(name: str, value: Any) -> bool:
    """Whether a value may stand in a column; what is unknown, or zero, may stand in any."""
    if value is None or not (name.endswith("_MBps") or name in _BOUNDS):
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
    times = _times(document.fields)
    samples: dict[str, Sequence[Any]] = document.fields["samples"]
    moved = samples["loop_length" if document.benchmark == "b_eff" else "bytes"]
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
