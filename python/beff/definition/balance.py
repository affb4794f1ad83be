"""Balance of a system: bandwidth beside floating-point rate (IPDPS paper, section 2)."""

from beff.result.bounds import Figure
from beff.result.numbers import BYTES_PER_MB

FLOPS_PER_GFLOPS = 1e9
COFFEE_CUP_MIN = 10
"""A balanced system writes its whole memory within 10 minutes (section 2.2)."""


def balance_of(bandwidth: Figure, rmax_gflops: Figure) -> Figure:
    """Return byte/s per flop/s of a bandwidth in MB/s; None where a figure is missing."""
    if bandwidth is None or rmax_gflops is None:
        return None
    return bandwidth * BYTES_PER_MB / (rmax_gflops * FLOPS_PER_GFLOPS)


def linpack_gflops(order: int, seconds: float) -> float:
    """Rate of a factorisation and solution: (2/3 n^3 + 3/2 n^2) / time, as Linpack counts."""
    return (2 / 3 * order + 3 / 2) * order * order / seconds / FLOPS_PER_GFLOPS
