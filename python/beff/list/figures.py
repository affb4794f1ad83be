"""The figures of a system that can have a weight, each declared once.

Standings, ranking, weights, the list's columns, all pages and the API are made from these rows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from beff.verify.common.summary_figures import balance_of

LARGEST_WEIGHT = 10.0
ACCESSES = ("io_write_MBps", "io_rewrite_MBps", "io_read_MBps")


@dataclass(frozen=True, kw_only=True)
class SystemFigure:
    """A figure, where it comes from and how it is shown.

    `label` names it among the weights, `heading` above its column, `field` in answers of the API.
    It is the column `field` of the usual run of `benchmark`, or of the system where that is None,
    unless `computed` makes it from both. The columns `beside` of the same run are shown with it.
    One that is not `always_shown` has a column in the list where it has a weight; `absent` stands
    where there is no figure.
    """

    key: str
    label: str
    heading: str
    unit: str
    explanation: str
    field: str
    benchmark: str | None
    computed: Callable[[Any, Any], float | None] | None = None
    beside: tuple[str, ...] = ()
    less_is_better: bool = False
    always_shown: bool = True
    absent: str = "not measured"

    @property
    def shown_unit(self) -> str:
        """The unit for people; that of the API is MB/s for every bandwidth."""
        return "GB/s" if self.unit == "MB/s" else self.unit

    @property
    def shown_factor(self) -> float:
        """What makes a figure one of the shown unit."""
        return 1e-3 if self.unit == "MB/s" else 1.0

    def of(self, run: Any, system: Any) -> float | None:
        """Return the figure of a run; `run` is the system itself where there is no benchmark."""
        if self.computed is not None:
            return self.computed(run, system)
        value: float | None = getattr(run, self.field)
        return value


def used_share(run: Any, system: Any) -> float | None:
    """Return how much of its system a run used: of the nodes, or of the cores of a single one.

    None where the size of the system is unknown. More processes than cores are more than 1.
    """
    if (run.nodes or 0) > 0 and (system.nodes or 0) > 1:
        return float(run.nodes / system.nodes)
    return float(max(run.processes or 0, 0) / system.cores) if (system.cores or 0) > 0 else None


WHOLE = 0.95
"""The share from which on a run used the whole system: some nodes are always out of order."""


def _balance(run: Any, system: Any) -> float | None:
    """Return b_eff over the R_max of the same processes: the run's own, or the whole system's."""
    if run.balance_bytes_per_flop:
        return float(run.balance_bytes_per_flop)
    if not system.rmax_gflops or (used_share(run, system) or 0.0) < WHOLE:
        return None
    return balance_of(run.b_eff_MBps, system.rmax_gflops)


FIGURES: tuple[SystemFigure, ...] = (
    SystemFigure(
        key="b_eff",
        label="communication",
        heading="b_eff",
        unit="MB/s",
        explanation="b_eff: effective bandwidth of all processes together",
        field="b_eff_MBps",
        benchmark="b_eff",
    ),
    SystemFigure(
        key="per_process",
        label="communication per process",
        heading="per process",
        unit="MB/s",
        explanation="b_eff divided by the number of processes",
        field="b_eff_per_process_MBps",
        benchmark="b_eff",
        always_shown=False,
    ),
    SystemFigure(
        key="at_lmax",
        label="large messages",
        heading="at L_max",
        unit="MB/s",
        explanation="b_eff at the largest message, L_max",
        field="at_lmax_MBps",
        benchmark="b_eff",
        always_shown=False,
    ),
    SystemFigure(
        key="latency",
        label="latency",
        heading="latency",
        unit="us",
        less_is_better=True,
        explanation="time of a 1-byte message, mean over rings and random rings",
        field="latency_us",
        benchmark="b_eff",
    ),
    SystemFigure(
        key="io",
        label="file I/O",
        heading="b_eff_io",
        unit="MB/s",
        explanation="b_eff_io by release 1: each partition 15 minutes, all types rewritten",
        field="io_value_1_MBps",
        benchmark="b_eff_io",
        beside=ACCESSES,
    ),
    SystemFigure(
        key="io_2",
        label="file I/O, release 2.1",
        heading="b_eff_io 2.1",
        unit="MB/s",
        explanation="b_eff_io by release 2.1: three partitions in 30 minutes, scatter rewritten",
        field="io_value_2_1_MBps",
        benchmark="b_eff_io",
    ),
    SystemFigure(
        key="rmax",
        label="compute",
        heading="R_max",
        unit="Gflop/s",
        explanation="R_max: Linpack performance",
        field="rmax_gflops",
        benchmark=None,
        absent="not known",
    ),
    SystemFigure(
        key="balance",
        label="balance",
        heading="balance",
        unit="byte/flop",
        explanation="b_eff divided by the R_max of the same processes",
        field="balance_bytes_per_flop",
        benchmark="b_eff",
        computed=_balance,
        absent="not known",
    ),
    SystemFigure(
        key="exchange",
        label="memory exchange",
        heading="memory exchange",
        unit="s",
        less_is_better=True,
        explanation="time to send the whole memory once at b_eff",
        field="total_memory_exchange_s",
        benchmark="b_eff",
        always_shown=False,
    ),
)
IO_KEYS = {"1": "io", "2.1": "io_2"}
"""The value of b_eff_io by each release of which lists have a column."""
DEFAULT_WEIGHTS = {"b_eff": 1.0}
