"""What follows from a result, each thing derived once, by whoever asks for it first.

A run is quiet where nothing else ran. The papers take the best repetition of each loop, which hides
how far the others are behind: the same averages over the median or the worst repetition, or over
one repetition alone, show it as a number beside that word.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache

from beff.definition.b_eff import Figures, measured_of, summary_fields
from beff.maps.findings import noise_reason, noise_text
from beff.result.b_eff_io_result import BEffIoFigures
from beff.result.b_eff_result import BEffResult
from beff.result.bounds import Figure
from beff.result.errors import DisturbedError
from beff.result.imported_pairs import MapResult
from beff.result.load import Document
from beff.result.numbers import counted, percent
from beff.verify.common.summary_figures import WEIGHED, SummaryFigure
from beff.verify.common.wires import disturbed_hosts, load_reason, others_are_counted
from beff.verify.subject import require_sound_structure

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


@dataclass(frozen=True)
class Spread:
    """The spread of all values that the run has; `note` says why there are none."""

    repetitions: int
    values: tuple[ValueSpread, ...] = ()
    note: str | None = None


class Analysis:
    """What follows from a result. Raises ResultError when nothing can be recomputed from it."""

    def __init__(self, document: Document) -> None:
        require_sound_structure(document)
        self.document, self.result = document, document.result

    @cached_property
    def spread(self) -> Spread:
        """How far the repetitions within the run differ."""
        result = self.result
        if self.document.is_imported:
            return Spread(0, note="the figures were imported from a print that holds no samples")
        if isinstance(result, BEffIoFigures):
            note = (
                "b_eff_io measures each pattern once: how far it repeats, only repeated runs show"
            )
            return Spread(1, note=note)
        return _spread_of(result) if isinstance(result, BEffResult) else Spread(1)

    @cached_property
    def map_noise(self) -> dict[str, float]:
        """By how much the times of a pair differ at short and long messages; empty if unknown."""
        if not isinstance(self.result, MapResult):
            return {}
        from beff.maps.pair_map import noise_of, pair_map  # noqa: PLC0415 - NumPy

        return noise_of(pair_map(self.result))

    @property
    def differ_text(self) -> str:
        """By how much repetitions, or the times of a pair, differ; empty where none repeat."""
        if self.map_noise:
            return noise_text(self.map_noise)
        values = self.spread.values
        return f"repetitions differ by {percent(values[0].range)}" if values else ""

    @property
    def apart(self) -> float:
        """By how much the repetitions differ, as a share of the median; 0.0 where none show it."""
        values = self.spread.values
        return values[0].range if values else 0.0

    @property
    def why_noisy(self) -> str | None:
        """What else ran, in words; None where nothing did, or it is not known."""
        return load_reason(self.result)

    @property
    def why_apart(self) -> str | None:
        """By how much repetitions, or times of a pair, differ too much for a level; else None."""
        return self.differ_text if self.apart > MOST_APART else noise_reason(self.map_noise)

    @property
    def steadiness(self) -> Steadiness:
        """The stamp."""
        if self.why_noisy is not None:
            return Steadiness.NOISY
        return Steadiness.QUIET if others_are_counted(self.result) else Steadiness.UNKNOWN


@lru_cache(maxsize=8)
def analysis_of(document: Document) -> Analysis:
    """Return the analysis of a result, the same one each time. Raises ResultError as that does."""
    return Analysis(document)


def _spread_of(result: BEffResult) -> Spread:
    measured = measured_of(result)
    alone = [_summary(result, figures) for figures in measured.alone.values()]
    if len(alone) < 2:
        note = "each loop was measured once: this run does not show how far it repeats"
        return Spread(len(alone), note=note)
    official = result.summary.model_dump()
    median, worst = (_summary(result, figures) for figures in (measured.median, measured.worst))
    values = []
    for value in WEIGHED:
        best, middle, least = (by[value.name] for by in (official, median, worst))
        if best and middle and least:
            values.append(ValueSpread(value, best, middle, least))
    return Spread(len(alone), tuple(values))


def _summary(result: BEffResult, figures: Figures) -> dict[str, Figure]:
    return summary_fields(result, figures, measured_of(result).sizes[-1])


def others_had(run: Document) -> float | None:
    """Return the share of the cores that others had of some host; None of a quiet run.

    Of a map few busy hosts are their own matter. Of an imported one nothing is known.
    """
    shares = [one.share for one in disturbed_hosts(run.result)]
    return max(shares) if load_reason(run.result) else None


def require_quiet(run: Document, most_apart: float = MOST_APART) -> None:
    """Refuse a disturbed run, and one whose repetitions differ by more. Raises DisturbedError."""
    share, differ = others_had(run), analysis_of(run).apart
    if share is not None:
        raise DisturbedError(f"{disturbed_text([share])}; measure again, alone", run.source)
    if differ > most_apart:
        raise DisturbedError(
            f"its repetitions differ by {percent(differ)}, more than {percent(most_apart)};"
            " measure again, alone",
            run.source,
        )


def disturbed_text(shares: Sequence[float], of: str = "") -> str:
    """Say by what runs were disturbed, and that all were."""
    least, most = percent(min(shares), 0), percent(max(shares), 0)
    between = most if least == most else f"{least.removesuffix(' %')}\u2013{most}"
    runs = "in the run" if len(shares) == 1 else f"in all {counted(len(shares), 'run')}"
    return f"others had {between} of the cores {runs}{of}"
