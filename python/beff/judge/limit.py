"""What limits a run of b_eff, by what the run itself measured: docs/explanation/limits.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from typing import NamedTuple

from beff.definition.b_eff import Figures, measured_of
from beff.definition.b_eff_patterns import RANDOM_PATTERNS
from beff.result.b_eff_result import BEffResult, Pattern
from beff.result.environment import DeviceRoofs
from beff.result.load import Document
from beff.result.numbers import measured, percent, rate
from beff.verify.common.wires import carried, load_reason, rate_of_ports_MBps

CROWDED_BELOW = 0.25
"""Processes of a host that reach less than this share of a ping-pong share what limits them."""
REACHED = 0.75
"""A port is what limits from this share of its rate on."""
EXCEEDED = 1.25
"""What is exceeded by more is no limit: the port carried less than it seems."""
_CLEARLY_FASTER = 1.5


@dataclass(frozen=True)
class Gains:
    """By which share b_eff would rise with half of the latency, and with twice the bandwidth."""

    latency: float
    bandwidth: float


def gains_of(sizes: Sequence[int], bandwidths: Sequence[float]) -> Gains:
    """Return the gains of a curve: bandwidths of ascending sizes, at least two different ones.

    The time T of a message has a part that does not grow with its size. That part is
    1 - d ln T / d ln size, so that no law of the whole curve is assumed.
    """
    curve = dict(zip(sizes, bandwidths, strict=True))
    points = [(log(size), log(size) - log(bandwidth)) for size, bandwidth in curve.items()]
    slopes = [
        (after - before) / (size - smaller) for (smaller, before), (size, after) in pairwise(points)
    ]
    around = zip([slopes[0], *slopes], [*slopes, slopes[-1]], strict=True)
    fixed = [1 - min(max((below + above) / 2, 0.0), 1.0) for below, above in around]
    whole = sum(curve.values())
    shares = [(one / whole, part) for one, part in zip(curve.values(), fixed, strict=True)]
    return Gains(
        latency=sum(share / (1 - part / 2) for share, part in shares) - 1,
        bandwidth=sum(share / (1 - (1 - part) / 2) for share, part in shares) - 1,
    )


def limit_of(document: Document) -> str:
    """Return the sentence on the first limit that the run shows; empty where it shows none.

    Raises ResultError when nothing can be recomputed from the samples.
    """
    result = document.result
    if not isinstance(result, BEffResult):
        return ""
    if result.environment.oversubscribed:
        return "limited by cores: processes take turns on them"
    if load := load_reason(result):
        return f"limited by load: {load}"
    if result.environment.buffers is not None:
        return _copies_of_device(result, result.environment.buffers.roofs)
    figures = measured_of(result).official
    return _latency(result, figures) or _copies(result, figures) or _port(result)


def _latency(result: BEffResult, figures: Figures) -> str:
    curve = [each.both for each in figures.by_size if each.both]
    if len(curve) < len(figures.by_size) or figures.b_eff.both is None:
        return ""
    gains = gains_of(result.message_sizes_bytes, curve)
    if gains.latency <= gains.bandwidth:
        return ""
    return (
        f"limited by latency: {measured(result.summary.latency_us, 'us')} a message; half of it"
        f" would make b_eff {percent(gains.latency)} higher, twice the bandwidth"
        f" {percent(gains.bandwidth)}"
    )


def _copies(result: BEffResult, figures: Figures) -> str:
    """Compare what a process of a single host sends at L_max with a ping-pong of two alone."""
    own, alone = result.summary.at_lmax_per_process_MBps, figures.pingpong_MBps
    environment = result.environment
    # no two processes share a core, as hardware threads do
    has_own_cores = environment.simulated or environment.processes <= environment.cpu.cores
    if environment.nodes > 1 or not own or not alone or not has_own_cores:
        return ""
    if own >= CROWDED_BELOW * alone:
        return ""
    together = rate(result.summary.at_lmax_MBps)
    return (
        f"limited by copies in memory: {together} together, {rate(own)} each, and {rate(alone)}"
        " between two alone"
    )


def _copies_of_device(result: BEffResult, roofs: DeviceRoofs | None) -> str:
    """Compare the best pattern at L_max, of each process, with copies on the device.

    What is clearly faster than copies through the host does not go through it.
    """
    best = [
        pattern.bandwidth_by_size_MBps[-1] / pattern.processes
        for pattern in result.patterns
        if pattern.bandwidth_by_size_MBps[-1] is not None
    ]
    if roofs is None or not best or result.environment.nodes > 1:
        return ""
    own, host = max(best), roofs.through_host_MBps
    sends = f"each process sends {rate(own)} at most, and copies"
    if own > _CLEARLY_FASTER * host:
        part = percent(own / roofs.on_device_MBps)
        return (
            f"limited by copies on the device: {sends} {rate(roofs.on_device_MBps)} on it ({part})"
        )
    return (
        f"limited by copies through the host: {sends} {rate(host)} through it"
        f" ({percent(own / host)})"
    )


def _port(result: BEffResult) -> str:
    """Compare what leaves the host that sends most in half of the random rings with its ports."""
    random = [one for one in port_shares(result) if one.pattern.id in RANDOM_PATTERNS]
    if not random:
        return ""
    middle = random[(len(random) - 1) // 2]
    if not REACHED <= middle.share <= EXCEEDED:
        return ""
    return (
        f"limited by ports: at L_max {rate(middle.leaves_MBps)} leave a host in random rings,"
        f" {percent(middle.share)} of the {rate(middle.ports_MBps)} of its ports"
    )


class PortShare(NamedTuple):
    """What leaves the host that sends most at L_max in a pattern, and the rate of its ports."""

    leaves_MBps: float  # noqa: N815 - the unit
    ports_MBps: float  # noqa: N815
    """Of those in use, of the host that has least."""
    pattern: Pattern

    @property
    def share(self) -> float:
        """The part of the ports that is used."""
        return self.leaves_MBps / self.ports_MBps


def port_shares(result: BEffResult) -> list[PortShare]:
    """Return those of all patterns that leave hosts, ascending; none where no rate is known."""
    found = carried(result.wires)
    ports = None if found is None else rate_of_ports_MBps(found)
    shares = (
        PortShare(bandwidth * pattern.leaving_messages / pattern.messages, ports, pattern)
        for pattern in result.patterns
        if ports
        and pattern.leaving_messages
        and (bandwidth := pattern.bandwidth_by_size_MBps[-1]) is not None
    )
    return sorted(shares, key=lambda one: one.share)
