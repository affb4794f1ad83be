"""Each benchmark's part of a comparison: a row to add for another benchmark."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from beff.analysis.compare import b_eff, b_eff_io
from beff.analysis.compare.conditions import COMMON_REMARKS, Conditions
from beff.analysis.compare.quantity import Fields, Figures
from beff.model.load import Document


@dataclass(frozen=True)
class ComparedBenchmark:
    """What must be equal, what is worth a remark, and the figures of a result.

    `without_one` are the figures of a run without each of its repetitions in turn; nothing where a
    run does not repeat. `assumed_noise` is the standard deviation of a figure from
    run to run, as a share, that is taken when there are too few runs to see it: a cautious one, of
    machines that others use as well (docs/explanation/statistics.md).
    """

    conditions: Conditions
    remarks: Conditions
    figures: Callable[[Fields], Figures]
    without_one: Callable[[Document], Iterator[Figures]]
    assumed_noise: float


BENCHMARKS = {
    "b_eff": ComparedBenchmark(
        b_eff.CONDITIONS,
        (*COMMON_REMARKS, *b_eff.REMARKS),
        b_eff.figures,
        b_eff.figures_without_one,
        assumed_noise=0.15,
    ),
    "b_eff_io": ComparedBenchmark(
        b_eff_io.CONDITIONS,
        (*COMMON_REMARKS, *b_eff_io.REMARKS),
        b_eff_io.figures,
        b_eff_io.figures_without_one,
        assumed_noise=0.5,
    ),
}
