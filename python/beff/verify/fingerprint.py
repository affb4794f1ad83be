"""The shape of a network by the samples of b_eff, and figures of HPCC as far as they hold them.

Rabenseifner's bench_lat_bw, part of the HPC Challenge benchmark (release 1.5.1), sets ping-pong,
one ring and random rings beside each other: L bytes / (time of an iteration / 2) for rings in both
directions, which is bandwidth / processes here. A crossbar gives 1 : 1 : 1, a torus about 1 : 1/2 :
1/5, a bus 1 : 1/n : 1/n.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median_low

from beff.definition.b_eff import Figures, Measured, measured_of, over_repetitions
from beff.definition.b_eff_patterns import ONE_RING, PING_PONG, PING_PONG_METHOD
from beff.definition.b_eff_plan import MESSAGE_SIZES
from beff.result.b_eff_result import BEffResult
from beff.result.bounds import Figure
from beff.result.numbers import BYTES_PER_MB

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


_LATENCY_BYTES, _BANDWIDTH_BYTES = 8, 2_000_000


@dataclass(frozen=True)
class HpccFigure:
    """One of HPCC's figures; `value` is None where the samples do not hold it, `note` says why."""

    name: str
    value: Figure
    unit: str
    note: str = ""


def hpcc_figures(result: BEffResult) -> Iterator[HpccFigure]:
    """Yield HPCC's figures, of latency in us with 8 byte, of bandwidth in MB/s with 2 000 000 byte.

    Between two of our sizes the time of a message is taken to grow linearly with its bytes.
    """
    measured = measured_of(result)
    n, patterns = measured.plan.n, measured.official.patterns
    unknown: list[Figure] = [None] * MESSAGE_SIZES
    of_two, of_ring = (
        patterns[p].by_size if p in patterns else unknown for p in (PING_PONG, ONE_RING)
    )
    of_random = [each.random for each in measured.official.by_size]
    for figure, size in (("Latency", _LATENCY_BYTES), ("Bandwidth", _BANDWIDTH_BYTES)):
        for name, senders, bandwidths in (
            # HPCC takes the worst of many pairs (MaxPingPongLatency, MinPingPongBandwidth)
            ("PingPong of ranks 0 and 1: ", 1, of_two),
            ("NaturallyOrderedRing", n, of_ring),
            ("RandomlyOrderedRing", n, of_random),
        ):
            times_s = [
                None if b is None else senders * length / (b * BYTES_PER_MB)
                for length, b in zip(measured.sizes, bandwidths, strict=True)
            ]
            time_s, note = _time_at(measured.sizes, times_s, size)
            value, unit = time_s, "us" if figure == "Latency" else "MB/s"
            if time_s is not None:
                value = 1e6 * time_s if unit == "us" else size / time_s / BYTES_PER_MB
            yield HpccFigure(f"{name}{figure}", value, unit, note)


def _time_at(sizes: Sequence[int], times_s: Sequence[Figure], size: int) -> tuple[Figure, str]:
    """Return the time of a message of a size, and how it was found or why it is not known."""
    if size > sizes[-1]:
        return None, f"L_max is {sizes[-1]} byte; give more --memory-per-process"
    above = next(place for place, one in enumerate(sizes) if one >= size)
    upper = times_s[above]
    if sizes[above] == size or upper is None:
        return upper, "" if upper is not None else "not measured"
    lower = times_s[above - 1]
    if lower is None:
        return None, "not measured"
    share = (size - sizes[above - 1]) / (sizes[above] - sizes[above - 1])
    note = f"between {sizes[above - 1]} and {sizes[above]} byte"
    return lower + share * (upper - lower), note
