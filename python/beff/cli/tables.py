"""The table of the papers: this machine's rows beside the published ones."""

from collections.abc import Iterable

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from beff.model.b_eff_result import BEffResult
from beff.model.numbers import short
from beff.model.published import Published, PublishedRow
from beff.model.units import format_size

_COLUMNS = (
    "pro-\ncesses",
    "\nb_eff",
    "per\nprocess",
    "\nL_max",
    "ping-\npong",
    "at\nL_max",
    "per\nprocess",
    "rings\nonly",
)
_TITLE = (
    "b_eff in MB/s (10^6 byte/s); the last three columns at the largest message, L_max,"
    " the last one by the ring patterns per process"
)
_WIDTH_WITHOUT_TERMINAL = 110


def output_console() -> Console:
    """Return standard output; wide enough for the table where it is no terminal."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_WIDTH_WITHOUT_TERMINAL)
    return console


def comparison_table(results: Iterable[BEffResult], published: Published) -> Table:
    """Table 1 of the paper with one more row per result."""
    table = Table(
        box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), title=_TITLE, title_justify="left"
    )
    table.add_column("\nsystem", min_width=12)
    for name in _COLUMNS:
        table.add_column(name, justify="right", no_wrap=True)
    for result in results:
        verdict = "[green]VALID[/]" if result.valid else "[red]NOT VALID[/]"
        table.add_row(f"{_own_name(result)}, {verdict}", *_own_cells(result), style="bold")
    for memory in ("distributed", "shared"):
        table.add_section()
        table.add_row(f"{memory} memory", style="italic")
        for row in published.rows:
            if row.memory == memory:
                table.add_row(row.system + (" *" if row.note else ""), *_published_cells(row))
    return table


def notes(published: Published) -> list[str]:
    """Explain the marks of the published rows and tell where the table stands."""
    marked = [
        f"* {row.system}, {row.processes} processes: {row.note}"
        for row in published.rows
        if row.note is not None
    ]
    return [*marked, f"Published rows: {published.source}."]


def _own_name(result: BEffResult) -> str:
    simulation = result.environment.simulation
    if simulation is None:
        return "this machine"
    name = "network" if simulation.platform is None else escape(simulation.platform.name)
    return f"simulated {name}"


def _own_cells(result: BEffResult) -> list[str]:
    summary = result.summary
    return [
        str(result.environment.processes),
        short(summary.b_eff_MBps),
        short(summary.b_eff_per_process_MBps),
        format_size(summary.lmax_bytes),
        short(summary.pingpong_MBps),
        short(summary.at_lmax_MBps),
        short(summary.at_lmax_per_process_MBps),
        short(summary.rings_at_lmax_per_process_MBps),
    ]


def _published_cells(row: PublishedRow) -> list[str]:
    return [
        str(row.processes),
        short(row.b_eff_MBps),
        short(row.b_eff_per_process_MBps),
        format_size(row.lmax_bytes),
        short(row.pingpong_MBps),
        short(row.at_lmax_MBps),
        short(row.at_lmax_per_process_MBps),
        short(row.rings_at_lmax_per_process_MBps),
    ]
