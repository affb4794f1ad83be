"""The balance table: bandwidths over R_max, and the time for the whole memory."""

from collections.abc import Sequence
from dataclasses import dataclass

from beff.definition.b_eff_plan import MEMORY_PER_LMAX
from beff.definition.balance import COFFEE_CUP_MIN, balance_of
from beff.importers.published import (
    PublishedRow,
    as_printed,
    published_io_results,
    published_results,
)
from beff.report.tables.table import Column, Row, Table, column, mbps, own, text
from beff.report.tables.validity import verdict
from beff.result.b_eff_io_result import BEffIoFigures
from beff.result.b_eff_result import BEffFigures
from beff.result.bounds import Figure
from beff.result.numbers import BYTES_PER_MB
from beff.result.result_parts import RMax

_RELEASE = "1"
"""The release of b_eff_io whose published values the table shows."""


@dataclass
class System:
    """A machine with the results of either benchmark that belong together."""

    label: str
    b_eff: BEffFigures | None = None
    b_eff_io: BEffIoFigures | None = None

    @property
    def results(self) -> dict[str, BEffFigures | BEffIoFigures]:
        """The results by their benchmark."""
        named = {"b_eff": self.b_eff, "b_eff_io": self.b_eff_io}
        return {name: result for name, result in named.items() if result is not None}

    @property
    def rmax_gflops(self) -> Figure:
        """Return R_max as the first of the results that holds it says."""
        known = (result.summary.rmax_gflops for result in self.results.values())
        return next((value for value in known if value is not None), None)

    @property
    def rmax(self) -> RMax | None:
        """Return where R_max comes from, if a result holds it."""
        return next((one.rmax for one in self.results.values() if one.rmax is not None), None)


def systems_of(
    b_eff: Sequence[tuple[str, BEffFigures]], b_eff_io: Sequence[tuple[str, BEffIoFigures]]
) -> list[System]:
    """Pair the results of both benchmarks on the same hosts with as many processes, in order."""
    systems: dict[tuple[str, int, int], System] = {}
    seen: dict[tuple[str, str, int], int] = {}
    for benchmark, results in (("b_eff", b_eff), ("b_eff_io", b_eff_io)):
        for label, result in results:
            e = result.environment
            turn = seen.get((benchmark, e.host_list, e.processes), 0)
            seen[benchmark, e.host_list, e.processes] = turn + 1
            system = systems.setdefault((e.host_list, e.processes, turn), System(label))
            if isinstance(result, BEffFigures):
                system.b_eff = result
            else:
                system.b_eff_io = result
    return list(systems.values())


def balance_tables(
    b_eff: Sequence[tuple[str, BEffFigures]], b_eff_io: Sequence[tuple[str, BEffIoFigures]]
) -> list[Table]:
    """Return the balance table for a report: none where no result holds R_max."""
    known = (system.rmax_gflops for system in systems_of(b_eff, b_eff_io))
    return [balance_table(b_eff, b_eff_io)] if any(rmax is not None for rmax in known) else []


def balance_table(
    b_eff: Sequence[tuple[str, BEffFigures]], b_eff_io: Sequence[tuple[str, BEffIoFigures]]
) -> Table:
    """Show the balance of every pair of results, above what the papers print."""
    systems = systems_of(b_eff, b_eff_io)
    rows = [_own_row(system) for system in systems]
    published, published_io = published_results(), published_io_results()
    others = [_published_row(row) for row in published.rows]
    others += [
        _printed_row(
            row.system,
            f"{row.count} {row.unit}",
            b_eff_io=row.b_eff_io_MBps,
            write_min=row.total_memory_write_min,
        )
        for row in published_io.rows
        if row.release == _RELEASE
    ]
    return Table(
        "balance",
        "Balance: bandwidth over Linpack's R_max, and the time for the whole memory",
        (
            text("system"),
            text("on"),
            Column("R_max", "GFLOP/s"),
            mbps("b_eff"),
            Column("b_eff / R_max", "byte/flop"),
            column("memory / b_eff", "s"),
            mbps("b_eff_io"),
            Column("b_eff_io / R_max", "byte/flop"),
            column("memory / b_eff_io", "min"),
            text("coffee cup"),
        ),
        (*rows, *others),
        (
            *(f"{system.label}: {_origin(system)}" for system in systems),
            f"Coffee-cup rule: a balanced system writes its memory within {COFFEE_CUP_MIN} min.",
            "Published rows have no R_max, as the papers draw their balance without numbers; the"
            f" memory of a process is taken as {MEMORY_PER_LMAX} L_max.",
            _UNITS_OF_TIMES,
            f"Sources: {published.source}; {published_io.source}.",
        ),
        marks=own(len(rows)),
        scaled=False,
    )


_UNITS_OF_TIMES = (
    "memory / b_eff divides byte by byte/s. The paper (section 2.2) says 3.2 s for the T3E with 512"
    " processes and 13.6 s for the SR 8000 with 24: MByte of 2^20 byte by MB/s of 10^6, 65536 /"
    " 19919 = 3.29 and 24576 / 1806 = 13.6. memory / b_eff_io of 18.3 min is printed so, too."
)


def _own_row(system: System) -> Row:
    some = next(iter(system.results.values()), None)
    first = None if system.b_eff is None else system.b_eff.summary
    second = None if system.b_eff_io is None else system.b_eff_io.summary
    rmax = system.rmax_gflops
    b_eff = None if first is None else first.b_eff_MBps
    b_eff_io = None if second is None else second.b_eff_io_MBps
    write_min = None if second is None else second.total_memory_write_min
    return (
        f"{system.label}, {_verdicts(system)}",
        "" if some is None else str(some.environment.processes),
        rmax,
        b_eff,
        balance_of(b_eff, rmax),
        None if first is None else first.total_memory_exchange_s,
        b_eff_io,
        balance_of(b_eff_io, rmax),
        write_min,
        _cup(write_min),
    )


def _verdicts(system: System) -> str:
    """Return the verdict of the results, of each where they differ."""
    found = {name: verdict(result) for name, result in system.results.items()}
    if len(set(found.values())) == 1:
        return next(iter(found.values()))
    return ", ".join(f"{name} {words}" for name, words in found.items())


def _published_row(row: PublishedRow) -> Row:
    memory = row.lmax_bytes * MEMORY_PER_LMAX * row.processes
    exchange_s = memory / (row.b_eff_MBps * BYTES_PER_MB)
    return _printed_row(row.system, str(row.processes), b_eff=row.b_eff_MBps, exchange_s=exchange_s)


def _printed_row(
    system: str,
    on: str,
    *,
    b_eff: Figure = None,
    exchange_s: Figure = None,
    b_eff_io: Figure = None,
    write_min: Figure = None,
) -> Row:
    """Return a row without R_max, which the papers do not print; its rates are as they stand."""
    io = as_printed(b_eff_io)
    known = (as_printed(b_eff), None, exchange_s, io, None, write_min, _cup(write_min))
    return (system, on, None, *known)


def _origin(system: System) -> str:
    """Say where R_max comes from."""
    rmax = system.rmax
    if system.rmax_gflops is None:
        return "R_max is not known."
    if rmax is None or rmax.origin == "given":
        return "R_max as given by the user."
    return (
        f"R_max by {rmax.source}: N = {rmax.n}, NB = {rmax.nb}, P x Q = {rmax.p} x {rmax.q},"
        f" {rmax.time_s} s, scaled residual {rmax.residual} PASSED."
    )


def _cup(minutes: Figure) -> str:
    if minutes is None:
        return ""
    return "kept" if minutes <= COFFEE_CUP_MIN else "broken"
