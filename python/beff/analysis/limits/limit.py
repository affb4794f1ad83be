"""What limits a run of b_eff: the nearest roof, or why it is not known.

The rule and its limits: docs/explanation/limits.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

from beff.analysis.b_eff.averages import Figures, figures_of
from beff.analysis.b_eff.derive import measured_of
from beff.analysis.limits.rule import (
    COPIES_PER_MESSAGE,
    CROWDED_BELOW,
    EXCEEDED,
    REACHED,
    copies_sentence,
)
from beff.analysis.steadiness import why_noisy
from beff.model.b_eff_result import BEffResult
from beff.model.b_pairs_result import BPairsResult
from beff.model.load import Document, as_b_pairs
from beff.model.numbers import measured, percent, rate


@dataclass(frozen=True)
class Limit:
    """The name of the nearest roof, None where it is not known, and what to say of it."""

    roof: str | None
    words: str

    @property
    def sentence(self) -> str:
        """All of it."""
        return (
            f"limited by {self.words}" if self.roof else f"not known what limits it: {self.words}"
        )


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


def limit_of(document: Document, pairs: Document | None) -> Limit | None:
    """Return what limits a run of b_eff, by its samples and by b_pairs on the same hosts.

    None for another benchmark, and on one host where neither copies nor a ping-pong show it. Raises
    ResultError when nothing can be recomputed from the samples.
    """
    if document.benchmark != "b_eff":
        return None
    result = document.result
    if not isinstance(result, BEffResult):
        return _open("the figures were imported without samples")
    noise = why_noisy(document)
    if result.environment.oversubscribed:
        return _open("processes take turns on cores")
    if noise is not None:
        return Limit("noise", f"noise: {noise.split(', ')[0]}")
    return _by_figures(result, figures_of(measured_of(result)), pairs)


def _by_figures(result: BEffResult, figures: Figures, pairs: Document | None) -> Limit | None:
    curve = [each.both for each in figures.by_size if each.both]
    if len(curve) < len(figures.by_size) or figures.b_eff.both is None:
        return _open("not all sizes and patterns of the value were measured")
    gains = gains_of(result.message_sizes_bytes, curve)
    if gains.latency > gains.bandwidth:
        return Limit("latency", _latency(result, gains))
    found = None if pairs is None else as_b_pairs(pairs)
    if result.environment.nodes == 1:
        return _on_one_host(result, figures, found)
    if pairs is None or found is None:
        return _open("beff nodes --output-dir with the folder of this result finds out")
    from beff.analysis.limits.between_hosts import between_hosts  # noqa: PLC0415 - NumPy

    return Limit(*between_hosts(result, figures, found, pairs))


def _open(words: str) -> Limit:
    return Limit(None, words)


def _latency(result: BEffResult, gains: Gains) -> str:
    return (
        f"latency: {measured(result.summary.latency_us, 'us')} a message; half of it would make"
        f" b_eff {percent(gains.latency)} higher, twice the bandwidth {percent(gains.bandwidth)}"
    )


def _on_one_host(result: BEffResult, figures: Figures, pairs: BPairsResult | None) -> Limit | None:
    """Compare what a process sends at L_max with what it copies, or with a ping-pong.

    None where neither shows it: a reader of a single run can do nothing about that.
    """
    own = result.summary.at_lmax_per_process_MBps or 0.0
    copy = None if pairs is None or pairs.roofs is None else pairs.roofs.copy_MBps_per_process
    if copy:
        if REACHED <= COPIES_PER_MESSAGE * own / copy <= COPIES_PER_MESSAGE * EXCEEDED:
            return Limit("memory copies", copies_sentence(own, copy))
        return _open(
            f"each process sends {rate(own)}, {percent(own / copy)} of {rate(copy)} that it copies,"
            " and no network is used"
        )
    alone = figures.pingpong_MBps
    if alone and own < CROWDED_BELOW * alone and _has_own_cores(result):
        together = rate(result.summary.at_lmax_MBps)
        return Limit(
            "memory copies",
            f"memory that the processes share: {together} together, {rate(own)} each, and"
            f" {rate(alone)} between two alone",
        )
    return None


def _has_own_cores(result: BEffResult) -> bool:
    """Whether no two processes share a core, as hardware threads do."""
    environment = result.environment
    return environment.simulated or environment.processes <= environment.cpu.cores
