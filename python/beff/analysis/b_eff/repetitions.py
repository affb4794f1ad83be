"""The repetitions of a run, one at a time."""

from collections import Counter

from beff.analysis.b_eff.definition import patterns_for
from beff.analysis.b_eff.schedule import schedule_of
from beff.model.b_eff_result import BEffResult, Samples


def repetitions_of(samples: Samples) -> list[int]:
    """Return the numbers of the repetitions that occur, rising."""
    return sorted(set(samples.repetition))


def whole_repetitions(result: BEffResult) -> dict[int, int]:
    """Return by pattern id how many repetitions have all their loops; 0 where there are none.

    Needs a sound structure.
    """
    s = result.samples
    loops = Counter(zip(s.pattern, s.repetition, strict=True))
    whole = _loops_of_a_repetition(result)
    return {
        pattern: sum(
            0 < loops[pattern, repetition] == whole[pattern] for repetition in set(s.repetition)
        )
        for pattern in whole
    }


def fewest_repetitions(result: BEffResult) -> int:
    """Return the smallest of these numbers; a pattern that no method measures does not count.

    0 where the methods measure none of the patterns.
    """
    planned = _loops_of_a_repetition(result)
    found = whole_repetitions(result)
    return min((found[pattern] for pattern, loops in planned.items() if loops > 0), default=0)


def _loops_of_a_repetition(result: BEffResult) -> dict[int, int]:
    sizes = len(schedule_of(result).sizes)
    existing = patterns_for(result.environment.processes)
    return {p.id: sizes * len(existing[p.id].methods(result.methods)) for p in result.patterns}


def only_repetition(samples: Samples, repetition: int) -> Samples:
    """Leave the samples of one repetition. Needs columns of equal length."""
    return samples.chosen(
        [row for row, number in enumerate(samples.repetition) if number == repetition]
    )


def without(samples: Samples, repetition: int) -> Samples:
    """Leave out the samples of one repetition. Needs columns of equal length."""
    return samples.chosen(
        [row for row, number in enumerate(samples.repetition) if number != repetition]
    )
