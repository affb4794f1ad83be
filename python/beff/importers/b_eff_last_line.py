"""Output of b_eff 3.x: the last line, and the summary table where it is there.

    b_eff =   9709.549 MB/s =  37.928 * 256 PEs with 128 MB/PE on sn6715 hwwt3e 2.0.4.71 unicosmk

The table holds, accumulated and per process: number of processes, b_eff, L_max, b_eff at L_max
(rings and random; rings), latencies (rings and random; rings; ping-pong), ping-pong bandwidth.
"""

import re
from bisect import bisect
from typing import Any

from beff.definition.b_eff_plan import largest_message, message_sizes
from beff.importers.printed import (
    COUNT,
    NUMBER,
    Origin,
    Printed,
    environment,
    figure,
    first,
    head,
    statement,
)
from beff.result.b_eff_result import PUBLISHED, Summary
from beff.result.numbers import BYTES_PER_MB, MIB

_LAST_LINE = re.compile(
    rf"^ *b_eff(SHORT&TEST|SHORT|TEST|) *= *({NUMBER}) MB/s *= *({NUMBER}) *\* *({COUNT}) PEs"
    rf" with *({COUNT}) MB/PE on (.*)$",
    re.MULTILINE | re.ASCII,
)
_CELL = rf" +({NUMBER})"
_ACCUMULATED = re.compile(
    rf"^accumulated \| +({COUNT}){_CELL}{_CELL} MB{_CELL * 6} *$", re.MULTILINE | re.ASCII
)
_PER_PROCESS = re.compile(rf"^per process \|{_CELL * 3} *$", re.MULTILINE | re.ASCII)
_VERSION = re.compile(r"(?:[Vv]ersion|[Rr]evision) *(3\.[0-9.]{1,30})", re.ASCII)
_OWN = re.compile(
    r"^(?:Plan of b_eff, definition |b_eff(?: short = | = .* -- NOT VALID))", re.MULTILINE
)
_LATENCIES = [name for name in Summary.model_fields if name.endswith("latency_us")]
"""As the table has them: rings and random, rings, ping-pong."""
_OLDEST_WITHOUT_RINGS = ("3.0", "3.1")
_SMALLEST_MEMORY = MIB


def recognises(text: str) -> bool:
    """Whether the text holds a last line of b_eff, or was written by this program."""
    return _LAST_LINE.search(text) is not None or _OWN.search(text) is not None


def read(printed: Printed) -> list[dict[str, Any]]:
    """Return a document per last line. Raises ResultError."""
    if _OWN.search(printed.text):
        raise printed.problem("was written by this program; its result file, PREFIX.json, has more")
    lines = list(_LAST_LINE.finditer(printed.text))
    tables = _tables(printed.text)
    return [_document(printed, line, tables) for line in lines]


def _tables(text: str) -> dict[int, dict[str, Any]]:
    """Figures of the summary tables by number of processes."""
    found: dict[int, dict[str, Any]] = {}
    below_tables = list(_PER_PROCESS.finditer(text))
    places = [row.start() for row in below_tables]
    for row in _ACCUMULATED.finditer(text):
        processes, _, _, at_lmax, rings, *others = row.groups()
        *latencies, pingpong = map(figure, others)
        found[int(processes)] = {
            "at_lmax_MBps": figure(at_lmax),
            "rings_at_lmax_MBps": figure(rings),
            **dict(zip(_LATENCIES, latencies, strict=True)),
            "pingpong_MBps": pingpong,
        }
        below = below_tables[bisect(places, row.end() - 1) :][:1]
        if below:
            _, at_lmax_each, rings_each = below[0].groups()
            found[int(processes)]["at_lmax_per_process_MBps"] = figure(at_lmax_each)
            found[int(processes)]["rings_at_lmax_per_process_MBps"] = figure(rings_each)
    return found


def _document(
    printed: Printed, line: re.Match[str], tables: dict[int, dict[str, Any]]
) -> dict[str, Any]:
    short, value, per_process, count, memory, system = line.groups()
    processes, memory_mib = int(count), int(memory)
    version = _version(printed.text)
    has_no_rings = version is not None and version.startswith(_OLDEST_WITHOUT_RINGS)
    definition = printed.definition or ("3.1" if has_no_rings else "3.5")
    if definition not in PUBLISHED:
        raise printed.problem(
            f"--definition {definition} is none of b_eff; write {' or '.join(PUBLISHED)}"
        )
    remarks = []
    if printed.definition is None and version is None:
        remarks.append(statement("release not printed"))
    if short:
        remarks.append(statement("shortened benchmark", name=f"b_eff{short}"))
    table = tables.get(processes, {})
    unknown = ["samples", "patterns", "rings and random apart", "placement", "MPI library"]
    if not table:
        unknown.append("figures at L_max and latencies")
    origin = Origin(
        "b_eff 3.x",
        "b_eff",
        version,
        first(r"^Date of measurement: *(.*)$", printed.text),
        tuple(unknown),
    )
    where = environment(printed, processes, memory_mib, system)
    memory_bytes = where["memory_per_process_bytes"]
    if memory_bytes < _SMALLEST_MEMORY or figure(value) is None:
        raise printed.problem("holds a last line of b_eff without a value")
    lmax = largest_message(memory_bytes)
    total = where["total_memory_bytes"]
    return {
        **head(printed, "b_eff", definition, origin, remarks),
        "environment": where,
        "message_sizes_bytes": message_sizes(lmax),
        "summary": {
            **dict.fromkeys(Summary.model_fields),
            "b_eff_MBps": figure(value),
            "b_eff_per_process_MBps": figure(per_process),
            "lmax_bytes": lmax,
            **table,
            "total_memory_exchange_s": total / (float(value) * BYTES_PER_MB),
        },
    }


def _version(text: str) -> str | None:
    """Return the release that stands in a line behind the name of the program."""
    lines = (line.partition("b_eff")[2] for line in text.split("\n"))
    found = next(filter(None, map(_VERSION.search, lines)), None)
    return None if found is None else found[1]
