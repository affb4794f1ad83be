"""The figures of a result's summary, and the balance: what all tables and comparisons call them."""

from typing import NamedTuple

from beff.definition.balance import balance_of
from beff.result.b_eff_io_result import BEffIoFigures
from beff.result.b_eff_io_result import Summary as IoSummary
from beff.result.b_eff_result import RULES, BEffFigures, Summary, why_alone
from beff.result.b_pairs_result import PairsSummary
from beff.result.bounds import Figure
from beff.result.contract import AnyResult
from beff.result.errors import ResultError
from beff.result.imported_pairs import MapResult
from beff.result.load import Document, check_document
from beff.result.numbers import unit_of
from beff.result.record import Record, Shown
from beff.result.result_parts import RMax


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
        """Return the label, with what the definition calls its value and its first group."""
        if not isinstance(result, BEffFigures):
            return self.label
        rules = RULES[result.definition]
        label = self.label.replace("b_eff", rules.value)
        return label if rules.rings_first else label.replace("rings", "cyclic grids")


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


def summary_figures(result: AnyResult) -> tuple[SummaryFigure, ...]:
    """Return the figures of the result's benchmark, the value first."""
    if isinstance(result, MapResult):
        return _B_PAIRS
    return _B_EFF if isinstance(result, BEffFigures) else _B_EFF_IO


def main_value(result: AnyResult) -> Figure:
    """Return b_eff or b_eff_io in MB/s; of b_pairs the bandwidth between two in the middle."""
    return summary_figures(result)[0].of(result)


def value_processes(result: AnyResult) -> int:
    """Return the number of processes that the value is of."""
    own = result.summary.processes if isinstance(result, BEffIoFigures) else None
    return result.environment.processes if own is None else own


def with_rmax(document: Document, rmax: RMax) -> Document:
    """Return the document with R_max and the balance; everything else stays as it is.

    Raises ResultError where its value has no balance.
    """
    if isinstance(document.result, BEffFigures) and (why := why_alone(document.result.definition)):
        raise ResultError(f"{why}; a balance needs a run without --quick", document.source)
    summary = document.fields["summary"]
    balance = balance_of(main_value(document.result), rmax.gflops)
    added = {"rmax_gflops": rmax.gflops, "balance_bytes_per_flop": balance}
    fields = {**document.fields, "summary": {**summary, **added}, "rmax": rmax.model_dump()}
    return check_document(document.source, fields)
