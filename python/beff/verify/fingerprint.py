"""The shape of a network by the samples of b_eff.

Rabenseifner's bench_lat_bw, part of the HPC Challenge benchmark (release 1.5.1), sets ping-pong,
one ring and random rings beside each other: L bytes / (time of an iteration / 2) for rings in both
directions, which is bandwidth / processes here. A crossbar gives 1 : 1 : 1, a torus about 1 : 1/2 :
1/5, a bus 1 : 1/n : 1/n.
"""

from collections import Counter
from dataclasses import dataclass
from statistics import median_low

from beff.definition.b_eff import Figures, Measured, measured_of, over_repetitions
from beff.definition.b_eff_patterns import ONE_RING, PING_PONG, PING_PONG_METHOD
from beff.definition.b_eff_plan import MESSAGE_SIZES
from beff.result.b_eff_result import BEffResult

_MOST_APART = 1.1
"""From the median to the best repetition of a ping-pong; beyond, something disturbed it."""
_FULL, _SHARED = 0.8, 0.5


@dataclass(frozen=True)
class Shape:
    """Bandwidth per process of one ring and of random rings, as shares of the ping-pong's."""

    bytes: int
    ring: float
    random: float


@dataclass(frozen=True)
class Fingerprint:
    """The shapes at L_max and at the shortest message, and the most processes of a host."""

    at_lmax: Shape
    shortest: Shape
    per_host: int


def fingerprint_of(result: BEffResult) -> Fingerprint | None:
    """Return it; None where the ping-pong stayed on one host, was disturbed or not measured.

    The ping-pong is between ranks 0 and 1.
    """
    environment = result.environment
    hosts = environment.placement
    if environment.nodes < 2 or hosts[0] == hosts[1]:
        return None
    measured = measured_of(result)
    figures = measured.official
    if PING_PONG not in figures.patterns or not _is_steady(measured):
        return None
    at_lmax, shortest = (_shape(measured, figures, size) for size in (-1, 0))
    if at_lmax is None or shortest is None:
        return None
    return Fingerprint(at_lmax, shortest, max(Counter(hosts).values()))


def _is_steady(measured: Measured) -> bool:
    """Whether the repetitions of the ping-pong agree at both ends of the sizes."""
    ends = [(PING_PONG, PING_PONG_METHOD, size) for size in (0, MESSAGE_SIZES - 1)]
    b = over_repetitions(measured, list)
    return all(end in b and max(b[end]) <= _MOST_APART * median_low(b[end]) for end in ends)


def _shape(measured: Measured, figures: Figures, size: int) -> Shape | None:
    one_ring, random = figures.patterns.get(ONE_RING), figures.by_size[size].random
    pingpong = figures.patterns[PING_PONG].by_size[size]
    ring = None if one_ring is None else one_ring.by_size[size]
    if pingpong is None or ring is None or random is None:
        return None
    each = pingpong * measured.plan.n
    return Shape(measured.sizes[size], ring / each, random / each)


def fingerprint_text(found: Fingerprint) -> str:
    """Say it in a line: the figures, what this shape means, and what it leaves open."""
    parts = [
        f"1 : {one.ring:.2f} : {one.random:.2f} {where}"
        for one, where in (
            (found.at_lmax, "at L_max"),
            (found.shortest, f"at {found.shortest.bytes} byte"),
        )
    ]
    return f"ping-pong : one ring : random rings = {', '.join(parts)}: {_meaning(found)}"


def _meaning(found: Fingerprint) -> str:
    k, shape = found.per_host, found.at_lmax
    if k > 1:
        return (
            f"{k} processes share the ports of a host, so that on any network a ring may give as"
            f" little as 1/{k}; one process per host shows the network"
        )
    if shape.random >= _FULL:
        return "all hosts at once get what a pair alone gets, in any order, as behind one switch"
    if shape.ring >= _FULL:
        return (
            "neighbours get what a pair alone gets, random partners less, as where links between"
            " switches are shared; it does not say which"
        )
    if shape.random >= _SHARED * shape.ring:
        return (
            "all at once get less than a pair alone in any order, as on a bus or where hosts"
            " slow themselves down; the figures do not say which"
        )
    return (
        "neighbours get less than a pair alone, random partners much less, as on a torus or a"
        " tapered tree; the figures do not say which"
    )
