"""What follows from a result, each thing derived once, by whoever asks for it first.

A run is quiet where nothing else ran. The papers take the best repetition of each loop, which hides
how far the others are behind: the same averages over the median or the worst repetition show it as
a number beside that word.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from beff.definition.b_eff import Figures, measured_of, summary_fields
from beff.definition.subject import WEIGHED, SummaryFigure, sound
from beff.maps.findings import noise_reason, noise_text
from beff.maps.levels import noise_of
from beff.maps.pair_map import pair_map
from beff.result.b_eff_io_result import IoEnvironment
from beff.result.b_eff_result import BEffResult
from beff.result.b_pairs_result import BPairsResult, MapResult
from beff.result.contract import AnyResult
from beff.result.errors import DisturbedError
from beff.result.load import Document
from beff.result.numbers import counted, percent
from beff.result.result_parts import ImportedHead, Load

DISTURBS = 0.05
"""A larger share of the time makes a run noisy; the same as in core/record/counters.cpp."""
_STARVES = 0.5
"""On a quiet host with many processes some wait for a core now and then, but not half the time."""
_MOST_BUSY = 0.25
"""Up to this share of busy hosts a map judges the pairs between the others."""
_WORDS = {
    "others_ms": "other programs had {} of the time of a process",
    "stolen_ms": "the hypervisor took {} of the time of a process",
    "throttled_ms": "a quota kept processes from running for {} of the time",
    "waited_ms": "some process waited for a core {} of the time",
}


def _lost(load: Load) -> dict[str, NDArray[np.float64]]:
    """Return of each kind, by host, the share of the time that was lost; NaN if not known."""
    elapsed = np.array([ms or np.nan for ms in load.elapsed_ms])
    return {name: np.array(getattr(load, name), dtype=np.float64) / elapsed for name in _WORDS}


def disturbed_hosts(result: AnyResult) -> dict[int, tuple[float, str]]:
    """Return the hosts, by index, that lost more than DISTURBS of their time to others.

    With each comes the largest share that it lost, and all shares in words. A process that waits is
    nothing unusual among many: waiting counts from _STARVES on, and only in maps of pairs, which
    have times of each host. Other programs do not count where a daemon of FUSE works for the run.
    """
    if isinstance(result, ImportedHead) or result.load is None:
        return {}
    limits = dict.fromkeys(_WORDS, DISTURBS) | {"waited_ms": _STARVES}
    if not others_are_counted(result):
        del limits["others_ms"]
    if not isinstance(result, BPairsResult):
        del limits["waited_ms"]
    lost, disturbed = _lost(result.load), {}
    for host in range(len(result.load.elapsed_ms)):
        if shares := {name: lost[name][host] for name in limits if lost[name][host] > limits[name]}:
            words = (_WORDS[name].format(percent(share)) for name, share in shares.items())
            disturbed[host] = float(max(shares.values())), ", ".join(words)
    return disturbed


def others_are_counted(result: AnyResult) -> bool:
    """Whether it is known what other programs had: not where a daemon of FUSE works for the run."""
    if isinstance(result, ImportedHead) or result.load is None:
        return False
    of = result.environment
    return not (isinstance(of, IoEnvironment) and of.filesystem.kind.startswith("fuse"))


def load_reason(result: AnyResult) -> str | None:
    """Say what took the time of the host that lost most of it; None where no host lost any.

    A map of pairs leaves a few busy hosts out, so they are no reason to doubt the others.
    """
    hosts = disturbed_hosts(result)
    if isinstance(result, BPairsResult) and len(hosts) <= _MOST_BUSY * result.environment.nodes:
        return None
    if isinstance(result, ImportedHead) or not hosts:
        return None
    worst = max(hosts, key=lambda host: hosts[host][0])
    sentence = f"{hosts[worst][1]} on {result.environment.hosts[worst].name}"
    return sentence if len(hosts) == 1 else f"{sentence}, one of {len(hosts)} such hosts"


def load_text(load: Load) -> str:
    """Say the largest share of each kind among the hosts."""
    most = {name: np.fmax.reduce(of_hosts, initial=-1.0) for name, of_hosts in _lost(load).items()}
    parts = [_WORDS[name].format(percent(share, 1)) for name, share in most.items() if share >= 0]
    return f"{', '.join(parts)}, on the host with the most" if parts else "not known"


MOST_APART = 0.15
"""Repetitions that differ by more show no level to accept."""


class Steadiness(str, Enum):
    """Whether something else ran; `UNKNOWN` where the system does not tell."""

    QUIET = "quiet"
    NOISY = "noisy"
    UNKNOWN = "not known"


@dataclass(frozen=True)
class ValueSpread:
    """One value of the summary by other choices of the repetition, in the value's unit."""

    value: SummaryFigure
    official: float
    """By the best repetition of each loop, as the result has it."""
    median: float
    """By the median repetition; of an even number, by the slower one of the two in the middle."""
    worst: float

    @property
    def range(self) -> float:
        """From the worst to the best repetitions, as a share of the median."""
        return abs(self.official - self.worst) / self.median


class Analysis:
    """What follows from a result. Raises ResultError when nothing can be recomputed from it.

    `why_noisy` says what else ran; None where nothing did, or it is not known.
    """

    def __init__(self, document: Document) -> None:
        sound(document)
        self.result, self.why_noisy = document.result, load_reason(document.result)
        known = Steadiness.QUIET if others_are_counted(self.result) else Steadiness.UNKNOWN
        self.steadiness = Steadiness.NOISY if self.why_noisy else known

    @cached_property
    def spread(self) -> list[ValueSpread]:
        """How far the repetitions within the run differ, of each value; empty where none repeat."""
        result = self.result
        if not isinstance(result, BEffResult) or len(np.unique(result.samples.repetition)) < 2:
            return []
        measured = measured_of(result)
        median, worst = (
            summary_fields(result, Figures(measured.plan, measured.best(share)))
            for share in (0.5, 0.0)
        )
        return [
            ValueSpread(one, best, median[one.name], worst[one.name])
            for one in WEIGHED
            if (best := one.of(result)) and median[one.name] and worst[one.name]
        ]

    @cached_property
    def map_noise(self) -> dict[str, float]:
        """By how much the times of a pair differ at short and long messages; empty if unknown."""
        return noise_of(pair_map(self.result)) if isinstance(self.result, MapResult) else {}

    @property
    def differ_text(self) -> str:
        """By how much repetitions, or the times of a pair, differ; empty where none repeat."""
        if self.map_noise:
            return noise_text(self.map_noise)
        return f"repetitions differ by {percent(self.apart)}" if self.spread else ""

    @property
    def apart(self) -> float:
        """By how much the repetitions differ, as a share of the median; 0.0 where none show it."""
        return self.spread[0].range if self.spread else 0.0

    @property
    def why_apart(self) -> str | None:
        """By how much repetitions, or times of a pair, differ too much for a level; else None."""
        return self.differ_text if self.apart > MOST_APART else noise_reason(self.map_noise)


analysis_of = lru_cache(maxsize=8)(Analysis)
"""Returns the analysis of a result, the same one each time. Raises ResultError as that does."""


def stamps(document: Document) -> str:
    """Return validity and, where it is known, whether a run was quiet or noisy.

    Raises ResultError when nothing can be recomputed from the samples.
    """
    stamp = "VALID" if document.result.valid else "NOT VALID"
    steadiness = analysis_of(document).steadiness
    return stamp if steadiness == Steadiness.UNKNOWN else f"{stamp}, {steadiness.value}"


def others_had(run: Document) -> float | None:
    """Return the largest share of the cores of a host that others had; None for a quiet run.

    A few busy hosts do not disturb a map of pairs. Of an imported result nothing is known.
    """
    return max(disturbed_hosts(run.result).values())[0] if load_reason(run.result) else None


def require_quiet(run: Document, most_apart: float) -> None:
    """Refuse a disturbed run, and one whose repetitions differ by more. Raises DisturbedError."""
    share, differ = others_had(run), analysis_of(run).apart
    why = f"its repetitions differ by {percent(differ)}, more than {percent(most_apart)}"
    if share is not None or differ > most_apart:
        why = why if share is None else disturbed_text([share])
        raise DisturbedError(f"{why}; measure again, alone", run.source)


def disturbed_text(shares: Sequence[float], of: str = "") -> str:
    """Say how much of the cores others had in runs, all of which were disturbed."""
    least, most = percent(min(shares), 0), percent(max(shares), 0)
    between = most if least == most else f"{least.removesuffix(' %')}\u2013{most}"
    runs = "in the run" if len(shares) == 1 else f"in all {counted(len(shares), 'run')}"
    return f"others had {between} of the cores {runs}{of}"
