"""The figures of a result's summary: what all tables, diagrams and comparisons call them."""

from typing import NamedTuple

from beff.model.b_eff_io_result import RELEASES, BEffIoFigures
from beff.model.b_eff_io_samples import ACCESSES
from beff.model.b_eff_result import BEffFigures
from beff.model.b_pairs_result import BPairsResult
from beff.model.contract import AnyResult
from beff.model.result_parts import Figure


class SummaryFigure(NamedTuple):
    """A field of the summary, or a `part` of one: what readers call it, and its unit.

    Of MB/s more is better, of us less.
    """

    name: str
    label: str
    unit: str
    part: str = ""
    decides: bool = False
    """Whether a comparison rests on it; others are hints."""

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


WEIGHED = (
    SummaryFigure("b_eff_MBps", "b_eff", "MB/s", decides=True),
    SummaryFigure("b_eff_per_process_MBps", "b_eff per process", "MB/s"),
    SummaryFigure("rings_MBps", "rings", "MB/s", decides=True),
    SummaryFigure("random_MBps", "random rings", "MB/s", decides=True),
    SummaryFigure("at_lmax_MBps", "b_eff at L_max", "MB/s", decides=True),
    SummaryFigure("at_lmax_per_process_MBps", "b_eff at L_max per process", "MB/s"),
    SummaryFigure("rings_at_lmax_per_process_MBps", "rings at L_max per process", "MB/s"),
    SummaryFigure("pingpong_MBps", "ping-pong at L_max", "MB/s"),
    SummaryFigure("latency_us", "latency", "us", decides=True),
    SummaryFigure("rings_latency_us", "latency in rings", "us"),
    SummaryFigure("pingpong_latency_us", "latency of ping-pong", "us"),
)
"""Those of b_eff that a reader weighs against those of another run."""

_B_EFF = (
    *WEIGHED,
    SummaryFigure("rings_at_lmax_MBps", "rings at L_max", "MB/s"),
    SummaryFigure("lmax_bytes", "L_max", "byte"),
    SummaryFigure("total_memory_exchange_s", "total memory / b_eff", "s"),
    SummaryFigure("rmax_gflops", "R_max", "GFLOP/s"),
    SummaryFigure("balance_bytes_per_flop", "b_eff / R_max", "byte/flop"),
)
_B_EFF_IO = (
    SummaryFigure("b_eff_io_MBps", "b_eff_io", "MB/s"),
    *(SummaryFigure("values", f"by release {name}", "MB/s", name) for name in RELEASES),
    SummaryFigure("write_MBps", "initial write", "MB/s"),
    SummaryFigure("rewrite_MBps", "rewrite", "MB/s"),
    SummaryFigure("read_MBps", "read", "MB/s"),
    *(SummaryFigure("bytes_per_access", f"moved by {name}", "byte", name) for name in ACCESSES),
    SummaryFigure("percent_of_memory", "written, of the total memory", "%"),
    SummaryFigure("total_memory_write_min", "total memory / b_eff_io", "min"),
    SummaryFigure("rmax_gflops", "R_max", "GFLOP/s"),
    SummaryFigure("balance_bytes_per_flop", "b_eff_io / R_max", "byte/flop"),
)


NETWORK = (
    SummaryFigure("bisection_MBps", "bisection, least step", "MB/s", decides=True),
    SummaryFigure("bisection_mean_MBps", "bisection, mean of steps", "MB/s"),
    SummaryFigure("bisection_maximum_MBps", "bisection, best step", "MB/s"),
    SummaryFigure("bisection_percent", "bisection, of what pairs have alone", "%"),
    SummaryFigure("host_MBps", "a host alone, one way", "MB/s", decides=True),
    SummaryFigure("host_both_ways_MBps", "a host alone, both ways", "MB/s"),
    SummaryFigure("host_processes", "processes of a host that reach it one way", ""),
    SummaryFigure("host_messages_per_s", "messages of a host alone", "1/s", decides=True),
    SummaryFigure("host_messages_processes", "processes of a host that reach it", ""),
    SummaryFigure("matrix_MBps", "matrix", "MB/s", decides=True),
    SummaryFigure("matrix_us", "an iteration of the matrix", "us"),
)
"""Those of b_pairs of the network as a whole, where it was measured."""
_B_PAIRS = (
    SummaryFigure("pair_MBps", "a pair of processes, each way", "MB/s"),
    SummaryFigure("latency_us", "exchange of 1 byte", "us"),
    *NETWORK,
)


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
