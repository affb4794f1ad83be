"""The tables of the store as typed records. A change here needs a migration."""
# ruff: noqa: N815 - figures have the names and units of the result file

from datetime import datetime, timezone
from typing import Literal, get_args

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    Index,
    LargeBinary,
    Text,
    false,
    true,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from beff.store.column_types import BigWhole, Real, UtcTime, Whole, Words

Status = Literal["valid", "invalid", "partial", "historic"]
"""`historic`: a published figure whose samples are not kept, so nobody can recompute it."""

STATUSES: tuple[Status, ...] = get_args(Status)
RANKED: tuple[Status, ...] = ("valid", "historic")
"""What takes part in rankings."""

NAME_LENGTH = 120
TEXT_LENGTH = 500
SHA256_LENGTH = 64


EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def now() -> datetime:
    """Return the present time with its time zone."""
    return datetime.now(timezone.utc)


class Table(DeclarativeBase):
    """What all tables share."""

    type_annotation_map = {float: Real, int: Whole}  # noqa: RUF012 - as the library declares it


NUMBERS_ONCE = {"sqlite_autoincrement": True}
"""Of tables whose numbers stand in addresses: what was removed leaves its number to nobody."""


class System(Table):
    """A machine and its hardware; None is unknown.

    `nodes`, `cores`, `memory_bytes` and `rmax_gflops` are of the whole system. `described` is what
    people wrote, a JSON object; the other columns follow from it and from published results
    (`system_record`). `owner` is the name of the token that made it; None is the operator.
    """

    __tablename__ = "systems"
    __table_args__ = NUMBERS_ONCE

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(Words(NAME_LENGTH), unique=True)
    site: Mapped[str | None] = mapped_column(Words(TEXT_LENGTH))
    year: Mapped[int | None]
    nodes: Mapped[int | None] = mapped_column(BigWhole)
    cpus: Mapped[str | None] = mapped_column(Words(TEXT_LENGTH))
    cores: Mapped[int | None] = mapped_column(BigWhole)
    accelerators: Mapped[str | None] = mapped_column(Words(TEXT_LENGTH))
    memory_bytes: Mapped[int | None] = mapped_column(BigWhole)
    interconnect: Mapped[str | None] = mapped_column(Words(TEXT_LENGTH))
    file_system: Mapped[str | None] = mapped_column(Words(TEXT_LENGTH))
    rmax_gflops: Mapped[float | None]
    power_kW: Mapped[float | None] = mapped_column("power_kw")
    price_range: Mapped[str | None] = mapped_column(Words(TEXT_LENGTH))
    note: Mapped[str | None] = mapped_column(Words(TEXT_LENGTH))
    described: Mapped[str | None] = mapped_column(Text)
    owner: Mapped[str | None] = mapped_column(Words(NAME_LENGTH))

    entries: Mapped[list["Entry"]] = relationship(back_populates="system")


class Entry(Table):
    """One result: what a list needs of it, so that showing a list never opens a result file.

    `sha256` is of the file's bytes; `measurement` tells what was measured, whatever stands around
    it, so that the same samples are published once. `source` tells where a historic figure
    stands. An entry that is not `published` waits for the operator and is shown to him alone.
    Figures of the other benchmark are None. `io_value_1_MBps` is b_eff_io by release 1, which all
    results of b_eff_io that can be ranked together have. `cores_per_process` is the fewest that a
    process may use. `machine` is what the result tells about its system and `hardware` what was
    sent with it, both as JSON; they count once the entry is published. `warnings` has a line for
    each thing that the operator should know before that; `refusal` is why he did not publish it.
    `signed_by` is the public key whose signature is in the file and fits.
    """

    __tablename__ = "entries"
    __table_args__ = (
        CheckConstraint(f"status IN {STATUSES}", name="known_status"),
        Index("entries_by_rank", "benchmark", "status", "system_id"),
        NUMBERS_ONCE,
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    system_id: Mapped[int] = mapped_column(ForeignKey("systems.id"), index=True)
    benchmark: Mapped[str] = mapped_column(Words(16))
    definition: Mapped[str | None] = mapped_column(Words(16))
    status: Mapped[str] = mapped_column(Words(16))
    not_met: Mapped[str | None] = mapped_column(Words(TEXT_LENGTH))
    cautions: Mapped[int]
    sha256: Mapped[str | None] = mapped_column(Words(SHA256_LENGTH), index=True)
    measurement: Mapped[str] = mapped_column(Words(TEXT_LENGTH))
    source: Mapped[str | None] = mapped_column(Words(TEXT_LENGTH))
    measured_at: Mapped[datetime | None] = mapped_column(UtcTime)
    year: Mapped[int | None]
    added_at: Mapped[datetime] = mapped_column(UtcTime(unreadable=EPOCH))
    published: Mapped[bool] = mapped_column(default=True, server_default=true())
    submitted_by: Mapped[str | None] = mapped_column(Words(NAME_LENGTH))
    machine: Mapped[str | None] = mapped_column(Text)
    hardware: Mapped[str | None] = mapped_column(Text)
    warnings: Mapped[str | None] = mapped_column(Text)
    refusal: Mapped[str | None] = mapped_column(Words(TEXT_LENGTH))
    signed_by: Mapped[str | None] = mapped_column(Words(SHA256_LENGTH))

    processes: Mapped[int] = mapped_column(BigWhole)
    nodes: Mapped[int | None] = mapped_column(BigWhole)
    memory_per_process_bytes: Mapped[int | None] = mapped_column(BigWhole)
    mpi: Mapped[str | None] = mapped_column(Words(TEXT_LENGTH))
    omp_num_threads: Mapped[str | None] = mapped_column(Words(NAME_LENGTH))
    cores_per_process: Mapped[int | None] = mapped_column(BigWhole)
    filesystem_note: Mapped[str | None] = mapped_column(Words(TEXT_LENGTH))

    b_eff_MBps: Mapped[float | None] = mapped_column("b_eff_mbps")
    b_eff_per_process_MBps: Mapped[float | None] = mapped_column("b_eff_per_process_mbps")
    rings_MBps: Mapped[float | None] = mapped_column("rings_mbps")
    random_MBps: Mapped[float | None] = mapped_column("random_mbps")
    lmax_bytes: Mapped[int | None] = mapped_column(BigWhole)
    at_lmax_MBps: Mapped[float | None] = mapped_column("at_lmax_mbps")
    at_lmax_per_process_MBps: Mapped[float | None] = mapped_column("at_lmax_per_process_mbps")
    rings_at_lmax_per_process_MBps: Mapped[float | None] = mapped_column(
        "rings_at_lmax_per_process_mbps"
    )
    latency_us: Mapped[float | None]
    pingpong_latency_us: Mapped[float | None]
    pingpong_MBps: Mapped[float | None] = mapped_column("pingpong_mbps")
    total_memory_exchange_s: Mapped[float | None]
    rmax_gflops: Mapped[float | None]
    balance_bytes_per_flop: Mapped[float | None]

    io_value_MBps: Mapped[float | None] = mapped_column("io_value_mbps")
    io_value_1_MBps: Mapped[float | None] = mapped_column("io_value_1_mbps")
    io_write_MBps: Mapped[float | None] = mapped_column("io_write_mbps")
    io_rewrite_MBps: Mapped[float | None] = mapped_column("io_rewrite_mbps")
    io_read_MBps: Mapped[float | None] = mapped_column("io_read_mbps")
    io_time_s: Mapped[float | None]
    total_memory_write_min: Mapped[float | None]

    system: Mapped[System] = relationship(back_populates="entries", lazy="joined", innerjoin=True)
    file: Mapped["ResultFile | None"] = relationship(
        back_populates="entry", cascade="all, delete-orphan", passive_deletes=True
    )

    @property
    def value_MBps(self) -> float | None:  # noqa: N802 - carries its unit
        """The benchmark's value: b_eff, or b_eff_io by the release of the run."""
        return self.b_eff_MBps if self.benchmark == "b_eff" else self.io_value_MBps


INTERNAL = frozenset(
    {
        *("measurement", "published", "submitted_by", "machine", "hardware", "warnings"),
        *("refusal", "described", "owner"),
    }
)
"""Columns that the API does not show; all others it does."""


class Member(Table):
    """A token whose holder may add results to a system of another owner."""

    __tablename__ = "members"

    system_id: Mapped[int] = mapped_column(
        ForeignKey("systems.id", ondelete="CASCADE"), primary_key=True
    )
    token: Mapped[str] = mapped_column(Words(NAME_LENGTH), primary_key=True)


class ResultFile(Table):
    """The bytes of a result file, compressed by zlib; apart from the entry, so lists stay fast."""

    __tablename__ = "result_files"

    entry_id: Mapped[int] = mapped_column(
        ForeignKey("entries.id", ondelete="CASCADE"), primary_key=True
    )
    size_bytes: Mapped[int] = mapped_column(BigWhole)
    compressed: Mapped[bytes] = mapped_column(LargeBinary)

    entry: Mapped[Entry] = relationship(back_populates="file")


class Token(Table):
    """A secret that allows to submit results; only its SHA-256 is kept.

    `operator` allows to publish and refuse instead. `quota` is how many of its results may wait;
    None is the server's own number.
    """

    __tablename__ = "tokens"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(Words(NAME_LENGTH), unique=True)
    sha256: Mapped[str] = mapped_column(Words(SHA256_LENGTH), unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcTime)
    operator: Mapped[bool] = mapped_column(default=False, server_default=false())
    quota: Mapped[int | None]


class Edition(Table):
    """The list as it was when the edition was made; `standings` is JSON."""

    __tablename__ = "editions"

    name: Mapped[str] = mapped_column(Words(16), primary_key=True)
    made_at: Mapped[datetime] = mapped_column(UtcTime)
    standings: Mapped[str] = mapped_column(Text)


class AuditNote(Table):
    """One change of the store. The database itself refuses to change or delete a note.

    The largest id also tells whether anything changed since it was last looked at.
    """

    __tablename__ = "audit"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcTime)
    actor: Mapped[str] = mapped_column(Words(NAME_LENGTH))
    action: Mapped[str] = mapped_column(Words(16))
    subject: Mapped[str] = mapped_column(Words(TEXT_LENGTH))
    detail: Mapped[str | None] = mapped_column(Words(TEXT_LENGTH))
