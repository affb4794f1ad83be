"""What limits a run of b_eff: the limits of the rule, the nearest roof, or why it is not known.

docs/explanation/limits.md has the same figures.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from pathlib import Path

from beff.result.b_eff_result import BEffResult
from beff.result.b_pairs_result import BPairsResult
from beff.result.environment import DeviceRoofs
from beff.result.errors import ResultError
from beff.result.load import Document, as_b_pairs, load_document
from beff.result.numbers import measured, percent, rate
from beff.result.places import is_file
from beff.result.result_files import SUFFIXES
from beff.verify.analysis import analysis_of
from beff.verify.b_eff.averages import Figures
from beff.verify.b_eff.derive import measured_of
from beff.verify.subject import require_sound_structure

CROWDED_BELOW = 0.25
"""Processes of a host that reach less than this share of a ping-pong share what limits them."""


_CLEARLY_FASTER = 1.5


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

    None for another benchmark, where the network is simulated and has no map, and on one host where
    neither copies nor a ping-pong show it. Raises ResultError when nothing can be recomputed from
    the samples.
    """
    if document.benchmark != "b_eff":
        return None
    result = document.result
    if not isinstance(result, BEffResult):
        return Limit(None, "the figures were imported without samples")
    if result.environment.buffers is not None:
        return _by_copies_of_devices(result, result.environment.buffers.roofs)
    noises = analysis_of(document).noises
    if result.environment.oversubscribed:
        return Limit(None, "processes take turns on cores")
    if noises:
        return Limit("noise", f"noise: {noises[0]}")
    return _by_figures(result, measured_of(result).official, pairs)


def _by_figures(result: BEffResult, figures: Figures, pairs: Document | None) -> Limit | None:
    curve = [each.both for each in figures.by_size if each.both]
    if len(curve) < len(figures.by_size) or figures.b_eff.both is None:
        return Limit(None, "not all sizes and patterns of the value were measured")
    gains = gains_of(result.message_sizes_bytes, curve)
    if gains.latency > gains.bandwidth:
        return Limit(
            "latency",
            f"latency: {measured(result.summary.latency_us, 'us')} a message; half of it would make"
            f" b_eff {percent(gains.latency)} higher, twice the bandwidth"
            f" {percent(gains.bandwidth)}",
        )
    found = None if pairs is None else as_b_pairs(pairs)
    if result.environment.nodes == 1:
        return _on_one_host(result, figures, found)
    if found is None:
        if result.environment.simulated:
            return None
        return Limit(None, "to find out, measure a map beside it: beff nodes --output-dir FOLDER")
    from beff.twin.roofs import between_hosts  # noqa: PLC0415 - NumPy

    return Limit(*between_hosts(result, figures, found))


def _by_copies_of_devices(result: BEffResult, roofs: DeviceRoofs | None) -> Limit:
    """Compare the best pattern at L_max, of each process, with copies on the device.

    What is clearly faster than copies through the host does not go through it.
    """
    best = [
        pattern.bandwidth_by_size_MBps[-1] / pattern.processes
        for pattern in result.patterns
        if pattern.bandwidth_by_size_MBps[-1] is not None
    ]
    if roofs is None or not best or result.environment.nodes > 1:
        return Limit(None, "its buffers lay on a device, whose bounds are not known")
    own, host = max(best), roofs.through_host_MBps
    sends = f"each process sends {rate(own)} at most, and copies"
    if own > _CLEARLY_FASTER * host:
        part = percent(own / roofs.on_device_MBps)
        words = f"copies on the device: {sends} {rate(roofs.on_device_MBps)} on it ({part})"
        return Limit("copies on the device", words)
    words = f"copies through the host: {sends} {rate(host)} through it ({percent(own / host)})"
    return Limit("copies through the host", words)


def _on_one_host(result: BEffResult, figures: Figures, pairs: BPairsResult | None) -> Limit | None:
    """Compare what a process sends at L_max with what it copies, or with a ping-pong.

    None where neither shows it: a reader of a single run can do nothing about that.
    """
    own = result.summary.at_lmax_per_process_MBps or 0.0
    copy = None if pairs is None or pairs.roofs is None else pairs.roofs.copy_MBps_per_process
    if copy:
        from beff.twin.roofs import (  # noqa: PLC0415 - NumPy
            COPIES_PER_MESSAGE,
            EXCEEDED,
            REACHED,
            copies_sentence,
        )

        if REACHED <= COPIES_PER_MESSAGE * own / copy <= COPIES_PER_MESSAGE * EXCEEDED:
            return Limit("memory copies", copies_sentence(own, copy))
        return Limit(
            None,
            f"each process sends {rate(own)}, {percent(own / copy)} of {rate(copy)} that it copies,"
            " and no network is used",
        )
    alone, environment = figures.pingpong_MBps, result.environment
    # no two processes share a core, as hardware threads do
    has_own_cores = environment.simulated or environment.processes <= environment.cpu.cores
    if alone and own < CROWDED_BELOW * alone and has_own_cores:
        together = rate(result.summary.at_lmax_MBps)
        return Limit(
            "memory copies",
            f"memory that the processes share: {together} together, {rate(own)} each, and"
            f" {rate(alone)} between two alone",
        )
    return None


def map_of_same_hosts(document: Document, others: Iterable[Document]) -> Document | None:
    """Return the newest of them; None without any."""
    own = hosts_digest(document)
    if document.benchmark != "b_eff" or own is None:
        return None
    fitting = [one for one in others if one.benchmark == "b_pairs" and hosts_digest(one) == own]
    return max(fitting, key=lambda other: other.started_at, default=None)


def hosts_digest(document: Document) -> str | None:
    """Return what a run of b_eff and maps of its hosts and processes have in common."""
    result = document.result
    if not isinstance(result, BEffResult | BPairsResult):
        return None
    environment = result.environment
    names = [host.name for host in environment.hosts]
    on = [] if environment.buffers is None else [environment.buffers.memory]
    platform = environment.simulation and environment.simulation.platform
    text = json.dumps([names, environment.placement, platform and platform.sha256, *on])
    return hashlib.sha256(text.encode()).hexdigest()


def pairs_beside(document: Document, known: Iterable[Document] = ()) -> Document | None:
    """Return the newest map of the hosts and processes of a run of b_eff; None without any.

    `known` are results that were read already; others are read from the folder of the run.
    """
    if document.benchmark != "b_eff":
        return None
    read = {Path(one.source): one for one in known if one.benchmark == "b_pairs"}
    return map_of_same_hosts(document, _beside(document, "b_pairs*", read))


def _beside(document: Document, names: str, read: dict[Path, Document]) -> Iterator[Document]:
    """Yield the results of such names in its folder; what cannot be read, or used, is left out."""
    try:
        files = sorted(Path(document.source).parent.glob(names))
        files = list(filter(is_file, files))
    except (OSError, ResultError):
        return
    for file in files:
        if not file.name.endswith(SUFFIXES):
            continue
        try:
            found = read.get(file) or load_document(file)
            require_sound_structure(found)
        except ResultError:
            continue
        yield found
