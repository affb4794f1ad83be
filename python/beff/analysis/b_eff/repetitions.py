"""The repetitions of a run, each by itself."""

from beff.model.b_eff_result import Samples


def repetitions_of(samples: Samples) -> list[int]:
    """Return the numbers of the repetitions that occur, rising."""
    return sorted(set(samples.repetition))


def only_repetition(samples: Samples, repetition: int) -> Samples:
    """Leave the samples of one repetition. Needs columns of equal length."""
    rows = [row for row, number in enumerate(samples.repetition) if number == repetition]
    columns = {name: [getattr(samples, name)[row] for row in rows] for name in samples.columns()}
    return Samples.model_validate(columns)
