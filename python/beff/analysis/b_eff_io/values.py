"""From bandwidths to the value of each release. Bandwidths are in MB/s.

A figure exists only when all that enters it was measured.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from beff.model.numbers import BYTES_PER_MB
from beff.model.result_parts import Figure

RELEASES = ("0.5", "1", "2.1")
_TYPES = 5


@dataclass(frozen=True)
class Transfer:
    """One pattern in one access method, as release 0.5 sees it."""

    bytes: int
    time_s: float
    units: int


def bandwidth(size_bytes: int, seconds: float) -> Figure:
    """Bytes / time; None where nothing was moved or the clock did not resolve it."""
    value = size_bytes / seconds / BYTES_PER_MB if size_bytes > 0 and seconds > 0 else 0.0
    return value if value > 0 else None


def access_average(types: Sequence[Figure], second_scatter: Figure) -> Figure:
    """Mean over the five types, with another figure of the scatter type as a sixth.

    That is the same one for the mean that counts the scatter type twice.
    """
    figures = [value for value in (*types, second_scatter) if value is not None]
    return fsum(figures) / len(figures) if len(figures) == _TYPES + 1 else None


def value_1(write: Figure, rewrite: Figure, read: Figure) -> Figure:
    """Release 1 (IPDPS paper): 25 % initial write + 25 % rewrite + 50 % read."""
    if write is None or rewrite is None or read is None:
        return None
    return (write + rewrite + 2 * read) / 4


def value_2_1(write: Sequence[Figure], rewritten_scatter: Figure, read: Sequence[Figure]) -> Figure:
    """Release 2.1: geometric mean of write and read, the rewrite of scatter counting as write."""
    of_write = access_average(write, rewritten_scatter)
    of_read = access_average(read, read[0])
    return None if of_write is None or of_read is None else sqrt(of_write * of_read)


def value_0_5(transfers: Sequence[Transfer]) -> Figure:
    """Release 0.5 (Euro-Par paper): the mean over the patterns, weighted by their time units.

    If every pattern took exactly its ideal time, this would be all bytes / all transfer times.
    """
    weighed = [transfer for transfer in transfers if transfer.units > 0]
    if not weighed or any(transfer.time_s <= 0 for transfer in weighed):
        return None
    rates = fsum(transfer.units * (transfer.bytes / transfer.time_s) for transfer in weighed)
    rate = rates / sum(transfer.units for transfer in weighed)
    return rate / BYTES_PER_MB if rate > 0 else None
