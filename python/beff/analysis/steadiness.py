"""Whether a run was quiet or noisy: the stamp beside its validity, and the cautions.

The papers take the best repetition of each loop, which hides what disturbed the others; a steady
load of others, which slows all of them alike, is counted by the system. Limits and how often they
err: bench/quiet_or_noisy.py.
"""

from collections import defaultdict
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from beff.analysis.b_pairs.findings import noise_reason, noise_text
from beff.analysis.common.load import load_reason
from beff.analysis.spread import by_the_median, spread_of
from beff.analysis.subject import require_sound_structure
from beff.model.b_eff_result import BEffResult
from beff.model.load import Document
from beff.model.numbers import percent


class Steadiness(str, Enum):
    """The stamp; `UNKNOWN` of a run that repeats nothing, as those of b_eff_io, if undisturbed."""

    QUIET = "quiet"
    NOISY = "noisy"
    UNKNOWN = "not repeated"


@dataclass(frozen=True)
class Noise:
    """How much the repetitions of a run differ, each as a share.

    `value` and `latency`: how far b_eff and its latency by the median repetition are from those by
    the best. `disturbed`: of the loops of several iterations, those that took more than DISTURBED
    times the best repetition of the same loop, per iteration.
    """

    value: float
    latency: float
    disturbed: float

    @property
    def reason(self) -> str | None:
        """What makes the run noisy, in words; None of a quiet one."""
        parts = [
            f"{words} {percent(found, 1)}"
            for words, found, limit in (
                ("by the median repetition the value is lower by", self.value, LIMITS.value),
                ("latency higher by", self.latency, LIMITS.latency),
                ("disturbed loops:", self.disturbed, LIMITS.disturbed),
            )
            if found > limit
        ]
        return ", ".join(parts) or None


DISTURBED = 1.5
LIMITS = Noise(value=0.15, latency=0.25, disturbed=0.2)
"""A run in which one of them is exceeded is noisy."""


@lru_cache(maxsize=8)
def noise_of(document: Document) -> Noise | None:
    """Return the noise; None where nothing was repeated.

    Raises ResultError when nothing can be recomputed from the samples.
    """
    result = document.result
    if not isinstance(result, BEffResult):
        return None
    require_sound_structure(document)
    best, middle = result.summary, by_the_median(result)
    value, latency = middle["b_eff_MBps"], middle["latency_us"]
    if not best.b_eff_MBps or not best.latency_us or not value or not latency:
        return None
    loops = _loops(result)
    if max(map(len, loops), default=0) < 2:
        return None
    disturbed = [time_s > DISTURBED * min(times) for times in loops for time_s in times]
    return Noise(
        value=1 - value / best.b_eff_MBps,
        latency=latency / best.latency_us - 1,
        disturbed=sum(disturbed) / len(disturbed),
    )


def map_noise_of(document: Document) -> dict[str, float]:
    """Return how much the times of a pair differ at short and long messages; empty if unknown.

    Raises ResultError when nothing can be recomputed from the samples.
    """
    if document.benchmark != "b_pairs":
        return {}
    from beff.analysis.b_pairs.pair_map import map_noise  # noqa: PLC0415 - NumPy

    require_sound_structure(document)
    return map_noise(document)


def differ_text(document: Document) -> str:
    """Say by how much the repetitions of a run, or the times of a pair of a map, differ.

    Empty where nothing was repeated. Raises ResultError as `noise_of` does.
    """
    of_map = map_noise_of(document)
    if of_map:
        return noise_text(of_map)
    values = spread_of(document).values if document.benchmark == "b_eff" else ()
    return f"repetitions differ by {percent(values[0].range)}" if values else ""


def why_noisy(document: Document) -> str | None:
    """Say what makes a run noisy; None where nothing does.

    Raises ResultError when nothing can be recomputed from the samples.
    """
    noise = noise_of(document)
    reasons = (
        None if noise is None else noise.reason,
        noise_reason(map_noise_of(document)),
        load_reason(document.result),
    )
    return ", ".join(filter(None, reasons)) or None


def steadiness_of(document: Document) -> Steadiness:
    """Return the stamp. Raises ResultError when nothing can be recomputed from the samples."""
    if why_noisy(document) is not None:
        return Steadiness.NOISY
    is_repeated = noise_of(document) is not None or map_noise_of(document)
    return Steadiness.QUIET if is_repeated else Steadiness.UNKNOWN


def cautions_of(document: Document) -> list[str]:
    """Return what the result file holds, then what follows: the one source of all that show them.

    Raises ResultError when nothing can be recomputed from the samples.
    """
    reason = why_noisy(document)
    added = [] if reason is None else [f"noisy: {reason}; measure again on a quieter machine"]
    return [*document.fields["cautions"], *added]


def _loops(result: BEffResult) -> list[list[float]]:
    """Return the times of an iteration in each repetition of each loop of several iterations."""
    s = result.samples
    loops: defaultdict[tuple[int, int, int], list[float]] = defaultdict(list)
    cells = zip(s.pattern, s.method, s.size, strict=True)
    for cell, length, time_s in zip(cells, s.loop_length, s.time_max_s, strict=True):
        if length > 1:
            loops[cell].append(time_s / length)
    return list(loops.values())
