"""Results of b_eff_io: whole runs of the measuring program's core on a scripted machine."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

CORE_TESTS = Path(__file__).parents[2] / "core" / "b_eff_io"
sys.path.append(str(CORE_TESTS))

import io_core as io  # noqa: E402 - found by the line above
from io_core import Machine, Verb  # noqa: E402

MIB = 1 << 20
Changes = dict[str, Any]
_CHUNKS_CHECKED = 430


@dataclass(frozen=True, eq=False)
class IoRun:
    """What the run was asked to do, and on what machine: one node for all processes.

    The read finds `resident` byte of 100 MiB in memory. 4 processes have partitions of 2 and 4,
    which leaves each more of a short T than the three by default.
    """

    processes: int = 4
    time_s: float = 4.0
    memory_per_process: int = 512 * MIB
    plan: Changes = field(default_factory=dict)
    machine: Changes = field(default_factory=dict)
    result: Changes = field(default_factory=dict)
    cache: int | None = None
    resident: int = 75 * MIB
    note: str | None = None
    hints: tuple[tuple[Any, ...], ...] = ()
    """Partition, access, type, pattern or None, what was asked for, what was accepted."""


SHORT = IoRun()
"""All patterns in all accesses; has all figures, but is not valid."""


def make_io_result(wanted: IoRun = SHORT) -> dict[str, Any]:
    """A fresh document; the run itself is made once."""
    document: dict[str, Any] = json.loads(_text(wanted))
    return document


@cache
def _text(wanted: IoRun) -> str:
    return json.dumps(make_io_parts(wanted)[1])


def make_io_parts(wanted: IoRun) -> tuple[Any, dict[str, Any]]:
    """Run once: what the measuring program's core leaves, and the document."""
    total_memory = wanted.memory_per_process * wanted.processes
    asked = {**({"partitions": [2, 4]} if wanted.processes == 4 else {}), **wanted.plan}
    beside = {
        "file_system": io.file_system(cache=wanted.cache, note=wanted.note),
        "data_check": {"chunks_checked": _CHUNKS_CHECKED},
        "cache": [io.cache(wanted.resident, file_bytes=100 * MIB, dropped=True)],
        "hints": [io.hint(*hint) for hint in wanted.hints],
        "total_memory": total_memory,
    }
    made = io.run(
        Machine(**wanted.machine),
        wanted.processes,
        ranks=(),
        beside={**beside, **wanted.result},
        time=wanted.time_s,
        memory_per_process=wanted.memory_per_process,
        **asked,
    )
    document = made.result
    document["options"] = {
        "release": document["definition"],
        "time_s": wanted.time_s,
        "partitions": asked.get("partitions"),
        "max_data_bytes": wanted.plan.get("max_data"),
        "max_chunk_bytes": wanted.plan.get("max_chunk"),
    }
    return made, document


def broken(message: str, applies: Callable[[Any], bool]) -> Changes:
    """A machine on which the steps that `applies` selects fail."""
    return {"fail": lambda step: message if applies(step) else None}


def calls_of(pattern: int, access: Any = None) -> Callable[[Any], bool]:
    return lambda step: (
        step.verb == Verb.CALLS and step.pattern == pattern and access in (None, step.access)
    )


FAILED_PATTERN = IoRun(machine=broken("MPI_ERR_IO", calls_of(21)))
