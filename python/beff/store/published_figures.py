"""The published figures of the papers as entries, marked historic, each with its source.

The paper prints no memory, but L_max is 1/128 of a process's memory; the time to exchange the
whole memory follows from it as in a result of today. Nothing else is derived.
"""

import hashlib
from dataclasses import asdict, dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from beff.model.numbers import BYTES_PER_MB
from beff.model.published import PublishedRow, published_results
from beff.model.published_io import PublishedIoRow, PublishedIoSource, published_io_results
from beff.store.audit import COMMAND_LINE, note
from beff.store.changes import system_named
from beff.store.system_record import describe, described, settle
from beff.store.tables import Entry, System, now

_YEAR = 2001
"""Of Table 1; when exactly was measured the papers do not tell."""
_MEMORY_PER_LMAX = 128
_S_PER_MIN = 60


@dataclass(frozen=True)
class _Machine:
    """What the paper's text tells about a machine beside its figures."""

    site: str | None = None
    cpus: str | None = None
    nodes: int | None = None
    cores: int | None = None
    file_system: str | None = None


_MACHINES = {
    "Cray T3E/900-512": _Machine(
        "HLRS/RUS Stuttgart",
        cores=512,
        file_system="tmp file system on 10 striped RAID disks at a GigaRing",
    ),
    "IBM SP": _Machine(
        "LLNL, blue Pacific",
        cpus="4 processors of 332 MHz per node",
        nodes=336,
        cores=1344,
        file_system="GPFS with 20 VSD servers",
    ),
    "Hitachi SR 8000": _Machine("HLRS Stuttgart"),
    "NEC SX-5": _Machine("HLRS Stuttgart", file_system="SFS on four striped RAID-3 arrays DS 1200"),
}
_SAME_MACHINE = {"Cray T3E": "Cray T3E/900-512"}
"""b_eff_io was measured on the machine that the caption of Figure 3 names T3E900-512."""


def add_published(session: Session) -> int:
    """Add what is not there yet; returns how many entries are new."""
    table, io_values = published_results(), published_io_results()
    found = [(row.system, _b_eff_entry(row, table.source)) for row in table.rows]
    found += [
        (row.system, _b_eff_io_entry(row, io_values.sources[row.source])) for row in io_values.rows
    ]
    new = 0
    for printed_name, entry in found:
        name = _SAME_MACHINE.get(printed_name, printed_name)
        entry.measurement = _identity(name, entry)
        if session.scalar(select(Entry.id).where(Entry.measurement == entry.measurement)) is None:
            entry.system = system_named(session, name)
            session.add(entry)
            session.flush()
            _describe(session, entry.system)
            new += 1
    if new:
        note(session, COMMAND_LINE, "add", f"{new} published figures")
    return new


def _describe(session: Session, system: System) -> None:
    """Tell of a system what the papers do, unless somebody has told otherwise."""
    known = described(system)
    told = asdict(_MACHINES.get(system.name, _Machine()))
    describe(system, {name: value for name, value in told.items() if name not in known})
    settle(session, system, COMMAND_LINE)


def _identity(name: str, entry: Entry) -> str:
    """Return what makes a published figure the same one when it is added again."""
    text = f"published|{entry.benchmark}|{name}|{entry.processes}|{entry.nodes}"
    if entry.definition == "0.5":
        text += f"|release {entry.definition}"
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _b_eff_entry(row: PublishedRow, source: str) -> Entry:
    memory = row.lmax_bytes * _MEMORY_PER_LMAX
    return Entry(
        benchmark="b_eff",
        status="historic",
        cautions=0,
        source=source if row.note is None else f"{source}; {row.note}",
        year=_YEAR,
        added_at=now(),
        processes=row.processes,
        memory_per_process_bytes=memory,
        b_eff_MBps=row.b_eff_MBps,
        b_eff_per_process_MBps=row.b_eff_per_process_MBps,
        lmax_bytes=row.lmax_bytes,
        at_lmax_MBps=row.at_lmax_MBps,
        at_lmax_per_process_MBps=row.at_lmax_per_process_MBps,
        rings_at_lmax_per_process_MBps=row.rings_at_lmax_per_process_MBps,
        pingpong_MBps=row.pingpong_MBps,
        total_memory_exchange_s=row.processes * memory / (row.b_eff_MBps * BYTES_PER_MB),
    )


def _b_eff_io_entry(row: PublishedIoRow, source: PublishedIoSource) -> Entry:
    return Entry(
        benchmark="b_eff_io",
        definition=row.release,
        status="historic",
        cautions=0,
        source=source.text,
        year=source.year,
        added_at=now(),
        processes=row.count,
        nodes=row.count if row.unit == "nodes" else None,
        io_value_MBps=row.b_eff_io_MBps,
        io_value_1_MBps=row.b_eff_io_MBps if row.release == "1" else None,
        io_time_s=float(row.time_min * _S_PER_MIN),
    )
