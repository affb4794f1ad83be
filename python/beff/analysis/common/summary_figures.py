"""The figures of a result's summary: what all tables, diagrams and comparisons call them."""

from typing import NamedTuple

from beff.model.b_eff_io_result import BEffIoFigures
from beff.model.b_eff_io_result import Summary as IoSummary
from beff.model.b_eff_result import BEffFigures, Summary
from beff.model.b_pairs_result import BPairsResult, PairsSummary
from beff.model.contract import AnyResult
from beff.model.numbers import unit_of
from beff.model.result_parts import Figure, Record, Shown


class SummaryFigure(NamedTuple):
    """A field of the summary, or a `part` of one: what readers call it, and its unit.

    Of MB/s more is better, of us less. The fields of the models say all of it (`Shown`).
    """

    name: str
    label: str
    unit: str
    part: str = ""
    weighed: bool = False
    decides: bool = False

    def of(self, result: AnyResult) -> Figure:
        """Return the figure of a result."""
        field = getattr(result.summary, self.name)
        figure: Figure = field.get(self.part) if self.part else field
        return figure

    def label_in(self, result: AnyResult) -> str:
        """Return the label; by definition 3.1 cyclic grids stand where rings do."""
        if self.name.startswith("rings") and result.definition != "3.5":
            return self.label.replace("rings", "cyclic grids")
        return self.label


def _figures(summary: type[Record]) -> tuple[SummaryFigure, ...]:
    shown = (
        (name, entry)
        for name, field in summary.model_fields.items()
        for entry in field.metadata
        if isinstance(entry, Shown)
    )
    return tuple(
        SummaryFigure(
            name, entry.label.format(part), unit_of(name), part, entry.weighed, entry.decides
        )
        for name, entry in shown
        for part in entry.parts
    )


_B_EFF, _B_EFF_IO, _B_PAIRS = _figures(Summary), _figures(IoSummary), _figures(PairsSummary)
WEIGHED = tuple(figure for figure in _B_EFF if figure.weighed)
"""Those of b_eff that a reader weighs against those of another run."""
NETWORK = tuple(figure for figure in _B_PAIRS if figure.weighed)
"""Those of b_pairs of the network as a whole, where it was measured."""


def figures_of(result: AnyResult) -> tuple[SummaryFigure, ...]:
    """Return the figures of the result's benchmark, the value first."""
    if isinstance(result, BPairsResult):
        return _B_PAIRS
    return _B_EFF if isinstance(result, BEffFigures) else _B_EFF_IO


def main_value(result: AnyResult) -> Figure:
    """Return b_eff or b_eff_io in MB/s; of b_pairs the bandwidth between two in the middle."""
    return figures_of(result)[0].of(result)


def value_processes(result: AnyResult) -> int:
    """Return the number of processes that the value is of."""
    own = result.summary.processes if isinstance(result, BEffIoFigures) else None
    return result.environment.processes if own is None else own
