"""What limits a run of b_eff, and the shape of its network; what no machine does.

Limits are explained in docs/explanation/limits.md. No machine has figures beyond any, nor copies of
a measurement, whatever factor they have. Verification finds figures that do not follow from the
samples. A careful forger avoids all of it, so nothing found here proves a result genuine.
"""

from collections import Counter
from collections.abc import Sequence
from math import inf, isnan
from typing import Any, NamedTuple

import numpy as np

from beff.definition.b_eff import Figures, measured_of
from beff.definition.b_eff_plan import ONE_RING, PING_PONG, RANDOM_PATTERNS
from beff.judge.analysis import load_reason
from beff.judge.finding import Finding
from beff.judge.hardware import carried, rate_of_ports_MBps
from beff.result.b_eff_io_result import BEffIoResult, file_samples
from beff.result.b_eff_result import BEffResult, Pattern, Samples
from beff.result.environment import DeviceRoofs
from beff.result.load import Document
from beff.result.numbers import rate

CROWDED_BELOW = 0.25
"""Processes of a host that reach less than this share of a ping-pong share what limits them."""
REACHED = 0.75
"""A port is what limits from this share of its rate on."""
EXCEEDED = 1.25
"""What is exceeded by more is no limit: the port carried less than it seems."""
_CLEARLY_FASTER = 1.5


def gains_of(sizes: Sequence[int], bandwidths: Sequence[float]) -> tuple[float, float]:
    """Return by which share b_eff rises with half of the latency, and with twice the bandwidth.

    Bandwidths are of ascending sizes, at least two different ones. The time T of a message has a
    part that does not grow with its size. That part is 1 - d ln T / d ln size, so that no law of
    the whole curve is assumed.
    """
    curve = dict(zip(sizes, bandwidths, strict=True))
    size, reached = np.log([*curve]), np.array([*curve.values()])
    slopes = np.pad(np.diff(size - np.log(reached)) / np.diff(size), 1, mode="edge")
    grows = np.clip((slopes[:-1] + slopes[1:]) / 2, 0.0, 1.0)
    latency, bandwidth = (
        float((reached / reached.sum() / (1 - part / 2)).sum()) - 1 for part in (1 - grows, grows)
    )
    return latency, bandwidth


def limit_of(document: Document) -> Finding | None:
    """Return the first limit that a run of b_eff shows; None where it shows none.

    Raises ResultError when nothing can be recomputed from the samples.
    """
    result = document.result
    if not isinstance(result, BEffResult):
        return None
    if result.environment.oversubscribed:
        return _limit("cores")
    if load := load_reason(result):
        return _limit("load", load=load)
    if result.environment.buffers is not None:
        return _copies_of_device(result, result.environment.buffers.roofs)
    figures = measured_of(result).official
    return _latency(result, figures) or _copies(result, figures) or _port(result)


def _limit(name: str, **facts: Any) -> Finding:
    return Finding(f"limited by {name}", "", None, facts=facts)


def _latency(result: BEffResult, figures: Figures) -> Finding | None:
    if isnan(figures.value.both):
        return None
    halved, doubled = gains_of(result.message_sizes_bytes, figures.of_sizes.both.tolist())
    if halved <= doubled:
        return None
    return _limit(
        "latency", of_message_us=result.summary.latency_us, halved=halved, doubled=doubled
    )


def _copies(result: BEffResult, figures: Figures) -> Finding | None:
    """Compare what a process of a single host sends at L_max with a ping-pong of two alone."""
    each, alone = result.summary.at_lmax_per_process_MBps, figures.pingpong_MBps
    environment = result.environment
    # no two processes share a core, as hardware threads do
    has_own_cores = environment.simulated or environment.processes <= environment.cpu.cores
    if environment.nodes > 1 or not each or not each < CROWDED_BELOW * alone or not has_own_cores:
        return None
    together = result.summary.at_lmax_MBps
    return _limit("copies in memory", together_MBps=together, each_MBps=each, alone_MBps=alone)


def _copies_of_device(result: BEffResult, roofs: DeviceRoofs | None) -> Finding | None:
    """Compare the best pattern at L_max, of each process, with copies on the device.

    What is clearly faster than copies through the host does not go through it.
    """
    best = _rates_of_processes(result, slice(-1, None))
    if roofs is None or not any(best) or result.environment.nodes > 1:
        return None
    each, way, most = max(best), "through the host", roofs.through_host_MBps
    if each > _CLEARLY_FASTER * most:
        way, most = "on the device", roofs.on_device_MBps
    return _limit(f"copies {way}", each_MBps=each, copies_MBps=most, part=each / most)


def _rates_of_processes(result: BEffResult, sizes: slice) -> list[float]:
    """Return what each process sends in each pattern at some sizes, in MB/s; 0 if not measured."""
    return [
        (bandwidth or 0.0) / pattern.processes
        for pattern in result.patterns
        for bandwidth in pattern.bandwidth_by_size_MBps[sizes]
    ]


def _port(result: BEffResult) -> Finding | None:
    """Compare what leaves the host that sends most in half of the random rings with its ports."""
    random = [one for one in port_shares(result) if one.pattern.id in RANDOM_PATTERNS]
    middle = random[(len(random) - 1) // 2] if random else None
    if middle is None or not REACHED <= middle.share <= EXCEEDED:
        return None
    share, leaves, ports, _ = middle
    return _limit("ports", share=share, leaves_MBps=leaves, ports_MBps=ports)


class PortShare(NamedTuple):
    """What leaves the host that sends most at L_max in a pattern, and the rate of its ports.

    Of those in use, of the host that has least; `share` is the part of it that is used.
    """

    share: float
    leaves_MBps: float  # noqa: N815 - the unit
    ports_MBps: float  # noqa: N815
    pattern: Pattern


def port_shares(result: BEffResult) -> list[PortShare]:
    """Return those of all patterns that leave hosts, ascending; none where no rate is known."""
    wires = carried(result)
    ports = None if wires is None else rate_of_ports_MBps(wires)
    shares = []
    for pattern in result.patterns if ports else ():
        bandwidth = pattern.bandwidth_by_size_MBps[-1]
        if ports and pattern.leaving_messages and bandwidth is not None:
            leaves = bandwidth * pattern.leaving_messages / pattern.messages
            shares.append(PortShare(leaves / ports, leaves, ports, pattern))
    return sorted(shares, key=lambda one: one.share)


_MOST_APART = 1.1
"""From the median to the best repetition of a ping-pong; beyond, something disturbed it."""
_FULL, _SHARED = 0.8, 0.5


def network_shape(result: BEffResult) -> Finding | None:
    """Return the shape of the network: the figures, what they mean, and what they leave open.

    Rabenseifner's bench_lat_bw, part of the HPC Challenge benchmark (release 1.5.1), sets
    ping-pong, one ring and random rings beside each other: L bytes / (time of an iteration / 2) for
    rings in both directions, which is bandwidth / processes here. A crossbar gives 1 : 1 : 1, a
    torus about 1 : 1/2 : 1/5, a bus 1 : 1/n : 1/n. None where the ping-pong, which is between
    ranks 0 and 1, stayed on one host, was disturbed or not measured.
    """
    environment, hosts = result.environment, result.environment.placement
    if environment.nodes < 2 or hosts[0] == hosts[1]:
        return None
    measured, ends = measured_of(result), [-1, 0]
    best, median = measured.official, Figures(measured.plan, measured.best(0.5))
    pingpong = best.by_size[PING_PONG, ends]
    each = pingpong * environment.processes
    rings = np.stack([best.by_size[ONE_RING, ends], best.of_sizes.random[ends]]) / each
    is_steady = (pingpong <= _MOST_APART * median.by_size[PING_PONG, ends]).all()
    if not is_steady or np.isnan(rings).any():
        return None
    at_lmax, at_1_byte = rings.T.tolist()
    (ring, random), per_host = at_lmax, max(Counter(hosts).values())
    shapes = {
        "shared ports": per_host > 1,
        "as behind one switch": random >= _FULL,
        "shared links": ring >= _FULL,
        "as on a bus": random >= _SHARED * ring,
        "as on a torus": True,
    }
    shape = next(name for name, is_so in shapes.items() if is_so)
    facts = {"at_lmax": at_lmax, "at_1_byte": at_1_byte, "per_host": per_host, "shape": shape}
    return Finding("network shape", "", None, facts=facts)


# --- what no machine does ---

_BOUNDS: dict[str, tuple[float, float]] = {
    "_MBps": (1e-9, 1e13),
    "_us": (1e-4, 1e12),  # light goes 3 cm in the shortest
    "rmax_gflops": (1e-9, 1e12),
    "power_kW": (1e-6, 1e7),
    "io_time_s": (1e-9, 1e9),
    "io_partition_time_s": (1e-9, 1e9),
    "nodes": (1, 1e8),
    "cores": (1, 1e10),
    "processes": (1, 1e10),
}
"""These leave three powers of ten and more to any machine that there is.

They are no judgement of a result, but keep a slip of the pen, or a joke, from taking part in a
ranking or breaking a page.
"""


def bounds_of(name: str) -> tuple[float, float]:
    """Return the least and the largest that a column of a list may hold."""
    known = (bounds for ending, bounds in _BOUNDS.items() if name.endswith(ending))
    return next(known, (-inf, inf))


def is_possible(name: str, value: Any) -> bool:
    """Whether a value may stand in a column; what is unknown, or zero, may stand in any."""
    low, high = bounds_of(name)
    return not value or bool(low <= value <= high)


_BEYOND = 10
"""A rate so many times that of what carried it is no measurement."""
_COPIES_MBps = 100_000.0
"""More than any process copies in the memory of a host: 100 byte in a nanosecond."""


def beyond_its_way(document: Document) -> str:
    """Say which rate is more than ten times that of the ports or the memory that carried it.

    Empty where none is. The memory is that of a device where buffers lay on one.
    """
    result, memory = document.result, _COPIES_MBps
    if isinstance(result, BEffIoResult):
        rates = [(f["bandwidth_MBps"] or 0.0) / f["processes"] for f in file_samples(result)]
    else:
        assert isinstance(result, BEffResult)
        shares = port_shares(result)
        if shares and shares[-1].share > _BEYOND:
            leaves, ports = map(rate, shares[-1][1:3])
            return f"{leaves} left a host, more than {_BEYOND} times the {ports} of its ports"
        if buffers := result.environment.buffers:
            memory = buffers.roofs.on_device_MBps if buffers.roofs else inf
        rates = _rates_of_processes(result, slice(None))
    if max(rates, default=0.0) <= _BEYOND * memory:
        return ""
    return (
        f"{rate(max(rates))} of a process, more than {_BEYOND} times the {rate(memory)} that"
        " its memory copies at most"
    )


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
    assert isinstance(result, BEffResult | BEffIoResult)
    samples = result.samples
    if isinstance(samples, Samples):
        pairs = [*zip(samples.loop_length, samples.time_max_s, strict=True)]
    else:
        pairs = [*zip(samples.bytes, samples.time_s, strict=True)]
    rates = [moved / time for moved, time in pairs if moved and time > 0]
    chosen = np.unique(np.linspace(0, len(rates) - 1, _RATES).round().astype(int)) if rates else ()
    return (float(len(pairs)), *(float(f"{rates[place]:.8g}") for place in chosen))


def copy_factor(rates: Sequence[float], others: Sequence[float]) -> float | None:
    """Return how many times as fast a result is as another of the benchmark whose copy it is.

    Of both, what `rates_of` returns; None where it is no copy.
    """
    if len(rates) != len(others) or len(rates) < _FEWEST or rates[0] != others[0]:
        return None
    ratios = sorted(a / b for a, b in zip(rates[1:], others[1:], strict=True))
    half = len(ratios) // 2
    for low, high in zip(ratios, ratios[half:], strict=False):
        if high - low <= 2 * _AGREES * low:
            return (low + high) / 2
    return None
