"""What the curve over the message sizes says: by how much latency and bandwidth limit b_eff."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log


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
