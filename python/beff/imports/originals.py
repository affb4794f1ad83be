"""Prints of the original programs, b_eff 3.x, b_eff_io 1.x and 2.1, and which importer reads what.

Of b_eff the last line, and the summary table where it is there:

    b_eff =   9709.549 MB/s =  37.928 * 256 PEs with 128 MB/PE on sn6715 hwwt3e 2.0.4.71 unicosmk

The table holds, accumulated and per process: number of processes, b_eff, L_max, b_eff at L_max
(rings and random; rings), latencies (rings and random; rings; ping-pong), ping-pong bandwidth.

Of b_eff_io the file *.sum: a table per number of processes, and the values. Rows are chunk sizes,
columns the five types; beneath each access method stand the totals, from opening to closing, and
then the averages of which the value is made.
"""

import re
from bisect import bisect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from beff.definition.b_eff_io import summary_fields, value_1
from beff.definition.b_eff_plan import largest_message, message_sizes
from beff.imports import pairs
from beff.imports.plain_table import PAIR_COLUMNS, PAIRS, headings_of
from beff.imports.printed import Printed, head, origin_of, statement
from beff.result.b_eff_io_result import RELEASES
from beff.result.b_eff_io_samples import ACCESSES
from beff.result.b_eff_result import PUBLISHED, Summary
from beff.result.bounds import LARGEST_FIGURE, Figure
from beff.result.load import Document, check_document
from beff.result.numbers import BYTES_PER_MB, MIB

COUNT = r"[0-9]{1,18}"
NUMBER = r"[0-9]{1,30}(?:\.[0-9]{1,30})?"
"""No program prints more digits, and to read thousands of them takes long."""
_UNAME = (
    ("sysname", "system name"),
    ("nodename", "hostname"),
    ("release", "OS release"),
    ("version", "OS version"),
    ("machine", "machine"),
)
_ACCESS = "(write|rewrite|read)"
_LINES = {
    "b_eff": rf"^ *b_eff(SHORT&TEST|SHORT|TEST|) *= *({NUMBER}) MB/s *= *({NUMBER}) *\* *({COUNT})"
    rf" PEs with *({COUNT}) MB/PE on (.*)$",
    "table": rf"^(?:accumulated \| +({COUNT})(?: +{NUMBER}){{2}} MB{rf' +({NUMBER})' * 6}"
    rf"|per process \| +{NUMBER} +({NUMBER}) +({NUMBER})) *$",
    "version": r"(?:[Vv]ersion|[Rr]evision) *(3\.[0-9.]{1,30})",
    "ours": r"^(?:Plan of b_eff, definition |b_eff(?: short = | = .* -- NOT VALID))"
    r"|b_eff_io, program version ",
    "b_eff_io": rf"^ *b_eff_io of these measurements *= *({NUMBER}) MB/s\s+on *({COUNT}) processes"
    rf"\s+with *({COUNT}) MByte/PE\s+and\s+scheduled\s+time= *({NUMBER}) *min"
    r"(,.*|[ \t]+on .*)?(?:\n\s*(on .*))?$",
    "system": r"\s*on (.*)",
    "errors": rf",\s+with ({COUNT}) ERRORS?\b.*",  # behind the value of a partition that had some
    "row": rf"^ *({COUNT}) PEs ({COUNT}) +({COUNT}) {_ACCESS} +(\S.*)$",
    "total": rf"^ *({COUNT}) PEs +total-{_ACCESS} +(\S.*)$",
    "average": rf"^ *weighted average bandwidth for {_ACCESS} *: *({NUMBER}) MB/s"
    rf" on *({COUNT}) processes",
    "amount": rf"^ *Total amount of data written/read with each access method: *({NUMBER}) MBytes",
    "pattern 2": rf"bw_pat2= *({NUMBER}) MB/s write, *({NUMBER}) MB/s rewrite, *({NUMBER}) MB/s"
    " read",
    "criterion": r"^ *criterion [0-9]+: (.*)$",
}
_LINE = {name: re.compile(line, re.MULTILINE | re.ASCII) for name, line in _LINES.items()}
_DATE = r"^Date of measurement: *(.*)$"
_OPTION_T = rf"^ *-N[ 0-9,]*[ ,]T *= *({NUMBER})"
"""The options that a print begins with: numbers of processes, and T in seconds."""


def _figure(text: str) -> Figure:
    """Read a printed figure; None where nothing, a dash or 0 was printed, or no double fits."""
    if not re.fullmatch(NUMBER, text, re.ASCII):
        return None
    value = float(text)
    return value if 0 < value < LARGEST_FIGURE else None


def _first(pattern: str, text: str) -> str | None:
    """Return the first group of the first place that matches."""
    found = re.search(pattern, text, re.MULTILINE | re.ASCII)
    return found.group(1).strip() if found else None


def _environment(
    printed: Printed, processes: int, memory_mib: int, system: str | None
) -> dict[str, Any]:
    """Return what is known of the machine.

    `system` is the end of a last line: system name, host, release, then version and machine, which
    it does not separate; lines of their own, where the print has them, do.
    """
    if not 1 <= processes <= 10**9 or not 1 <= memory_mib <= 10**12:
        raise printed.problem("names an impossible number of processes or amount of memory")
    uname = {key: _first(rf"^ *{label} *:(.*)$", printed.text) or "" for key, label in _UNAME}
    if not all(uname.values()) and system is not None:
        parts = [*system.split(maxsplit=3), "", "", "", ""]
        uname = dict(zip(uname, [*parts[:4], ""], strict=True))
    memory = memory_mib * MIB
    return {
        "host_list": uname["nodename"] or "not known",
        "uname": uname,
        "processes": processes,
        "memory_per_process_bytes": memory,
        "total_memory_bytes": memory * processes,
    }


# --- b_eff -------------------------------------------------------------------------------------

_LATENCIES = [name for name in Summary.model_fields if name.endswith("latency_us")]
"""As the table has them: rings and random, rings, ping-pong."""
_OLDEST_WITHOUT_RINGS = ("3.0", "3.1")


def read_b_eff(printed: Printed) -> list[dict[str, Any]]:
    """Return a document per last line. Raises ResultError."""
    tables = _tables(printed.text)
    return [_b_eff(printed, line, tables) for line in _LINE["b_eff"].finditer(printed.text)]


def _tables(text: str) -> dict[int, dict[str, Any]]:
    """Figures of the summary tables by number of processes."""
    names = ("at_lmax_MBps", "rings_at_lmax_MBps", *_LATENCIES, "pingpong_MBps")
    tables: dict[int, dict[str, Any]] = {}
    table: dict[str, Any] = {}
    for row in _LINE["table"].finditer(text):
        count, *cells, at_lmax, rings_at_lmax = row.groups()
        if count:
            table = tables[int(count)] = dict(zip(names, map(_figure, cells), strict=True))
        else:
            table.setdefault("at_lmax_per_process_MBps", _figure(at_lmax))
            table.setdefault("rings_at_lmax_per_process_MBps", _figure(rings_at_lmax))
    return tables


def _b_eff(
    printed: Printed, line: re.Match[str], tables: dict[int, dict[str, Any]]
) -> dict[str, Any]:
    short, value, per_process, count, memory, system = line.groups()
    behind_name = (each.partition("b_eff")[2] for each in printed.text.split("\n"))
    release = next(filter(None, map(_LINE["version"].search, behind_name)), None)
    version = None if release is None else release[1]
    has_rings = version is None or not version.startswith(_OLDEST_WITHOUT_RINGS)
    definition = printed.definition or ("3.5" if has_rings else "3.1")
    if definition not in PUBLISHED:
        raise printed.problem(
            f"--definition {definition} is none of b_eff; write {' or '.join(PUBLISHED)}"
        )
    is_stated = printed.definition is not None or version is not None
    remarks = [] if is_stated else [statement("release not printed")]
    remarks += [statement("shortened benchmark", name=f"b_eff{short}")] if short else []
    table = tables.get(int(count), {})
    unknown = ["samples", "patterns", "rings and random apart", "placement", "MPI library"]
    unknown += [] if table else ["figures at L_max and latencies"]
    origin = origin_of("b_eff 3.x", version, _first(_DATE, printed.text), unknown)
    where = _environment(printed, int(count), int(memory), system)
    if _figure(value) is None:
        raise printed.problem("holds a last line of b_eff without a value")
    lmax = largest_message(where["memory_per_process_bytes"])
    return {
        **head(printed, "b_eff", definition, origin, remarks),
        "environment": where,
        "message_sizes_bytes": message_sizes(lmax),
        "summary": {
            **dict.fromkeys(Summary.model_fields),
            "b_eff_MBps": _figure(value),
            "b_eff_per_process_MBps": _figure(per_process),
            "lmax_bytes": lmax,
            **table,
            "total_memory_exchange_s": where["total_memory_bytes"] / (float(value) * BYTES_PER_MB),
        },
    }


# --- b_eff_io ----------------------------------------------------------------------------------

_TYPES = ("scatter", "shared", "separate", "segmented", "seg-coll")
_ROUNDING = 0.002
_BESIDE_TABLE = 2
_FIRST_NUMBER = 1000
"""Numbers of patterns by type and row, which are none of this program's own numbers."""


def read_b_eff_io(printed: Printed) -> list[dict[str, Any]]:
    """Return one document with a partition per number of processes. Raises ResultError."""
    text = printed.text
    values = {int(line[2]): line for line in _LINE["b_eff_io"].finditer(text)}
    if any(_figure(line[1]) is None for line in values.values()):
        raise printed.problem("holds a line with the value of b_eff_io, but no value in it")
    partitions = _partitions(text, values)
    version = _first(r"^b_eff_io\.c, Revision ([0-9.]+)", text)
    release = _release(printed, version, partitions)
    for partition in partitions:
        # the printed value, and that by release 1 where every type was rewritten
        is_whole = None not in partition["types"]["rewrite"]
        by_release_1 = value_1(*partition["access"].values()) if is_whole else None
        own = {release: partition["b_eff_io_MBps"]}
        partition["values"] = {"0.5": None, "1": by_release_1, "2.1": None, **own}
    criteria = [criterion.strip() for criterion in _LINE["criterion"].findall(text)]
    remarks = [statement("printed criterion", text=criterion) for criterion in criteria]
    # behind a value stand the system, and that there were errors
    behind = {count: f"{line[6] or ''} {line[5] or ''}" for count, line in sorted(values.items())}
    for processes, words in behind.items():
        if errors := _LINE["errors"].search(words):
            remarks.append(statement("printed errors", errors=int(errors[1]), processes=processes))
    counts = list(behind)
    largest = counts[-1]
    system = _LINE["system"].match(_LINE["errors"].sub("", behind[largest]))
    memory_mib = int(values[largest][3])
    where = _environment(printed, largest, memory_mib, None if system is None else system[1])
    chunk_mib = _figure(_first(rf"^Maximum chunk size *= *({NUMBER}) MBytes", text) or "")
    is_shared = not any("shared" in criterion and "NOT" in criterion for criterion in criteria)
    unknown = ["repetitions, bytes and times of the patterns", "file system", "hints", "placement"]
    origin = origin_of("b_eff_io .sum", version, _first(_DATE, text), unknown)
    types = [
        (index, kind, access, value)
        for index, partition in enumerate(partitions)
        for access in ACCESSES
        for kind, value in enumerate(partition["types"][access])
    ]
    return [
        {
            **head(printed, "b_eff_io", release, origin, remarks),
            "procedure": "original",
            "environment": where,
            "schedule": {
                "time_s": _scheduled_s(text, release, list(values.values())),
                "m_part_bytes": None if chunk_mib is None else int(chunk_mib * MIB),
                "rewrite": "all" if partitions[-1]["types"]["rewrite"][1] else "scatter",
            },
            "pointer": "shared" if is_shared else "individual",
            "type_names": [
                {"type": kind, "name": name, "official": True} for kind, name in enumerate(_TYPES)
            ],
            **_patterns_and_samples(text, counts),
            "types": _columns("type", types),
            "partitions": partitions,
            "summary": summary_fields(where["total_memory_bytes"], partitions),
        }
    ]


def _scheduled_s(text: str, release: str, values: list[re.Match[str]]) -> float:
    """Return the time of all partitions together, in seconds.

    T of the options is that in release 2, and before it the time of each partition. A line with a
    value has the time of its partition, rounded to a tenth of a minute.
    """
    option = _figure(_first(_OPTION_T, text) or "")
    if option is None:
        return sum(float(line[4]) * 60 for line in values)
    return option if release == "2.1" else option * len(values)


def _cells(text: str) -> list[Figure]:
    """Figures of a row, one per type; a column that is missing is None."""
    cells = [_figure(cell) for cell in text.split()] + [None] * len(_TYPES)
    return cells[: len(_TYPES)]


def _columns(what: str, rows: Sequence[tuple[Any, ...]]) -> dict[str, list[Any]]:
    names = ("partition", what, "access", "bandwidth_MBps")
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def _partitions(text: str, values: dict[int, re.Match[str]]) -> list[dict[str, Any]]:
    """Return what the tables say of each number of processes, in rising order."""
    totals = {(int(row[1]), row[2]): _cells(row[3]) for row in _LINE["total"].finditer(text)}
    averages = {(int(row[3]), row[1]): _figure(row[2]) for row in _LINE["average"].finditer(text)}
    amounts = {line.start(): _figure(line[1]) for line in _LINE["amount"].finditer(text)}
    places, partitions = [-1, *amounts], []
    for processes, value in sorted(values.items()):
        amount = amounts.get(places[bisect(places, value.start()) - 1])
        moved = None if amount is None else round(amount * MIB)
        partitions.append(
            {
                "processes": processes,
                "types": {one: totals.get((processes, one), _cells("")) for one in ACCESSES},
                "access": {one: averages.get((processes, one)) for one in ACCESSES},
                "b_eff_io_MBps": _figure(value[1]),
                "bytes": dict.fromkeys(ACCESSES, moved),
            }
        )
    return partitions


def _release(printed: Printed, version: str | None, partitions: list[dict[str, Any]]) -> str:
    """Find the release by what the user or the print says, else by the formula that fits."""
    release = printed.definition
    if release is None and version is not None:
        release = next((one for one in RELEASES if version[0] == one[0]), None)
    if release in RELEASES:
        return str(release)
    if release is not None:
        raise printed.problem(f"--definition {release} is none of b_eff_io; write 0.5, 1 or 2.1")
    values = [(value_1(*one["access"].values()), one["b_eff_io_MBps"]) for one in partitions]
    if all(own is not None and abs(own - stored) < _ROUNDING for own, stored in values):
        return "1"
    raise printed.problem("does not state its release; give it by --definition 0.5, 1 or 2.1")


def _patterns_and_samples(text: str, counts: list[int]) -> dict[str, Any]:
    rows = list(_LINE["row"].finditer(text))
    chunks = {int(row[2]): int(row[3]) for row in rows}
    patterns: list[tuple[int, int, int, int | None]] = [(_BESIDE_TABLE, 0, MIB, None)]
    for kind in range(len(_TYPES)):
        patterns += [(_number(kind, at), kind, chunk, at) for at, chunk in chunks.items()]
    samples = [
        (counts.index(int(row[1])), _number(kind, int(row[2])), row[4], value)
        for row in rows
        if int(row[1]) in counts
        for kind, value in enumerate(_cells(row[5]))
    ]
    beside = zip(range(len(counts)), _LINE["pattern 2"].finditer(text), strict=False)
    samples += [
        (partition, _BESIDE_TABLE, access, _figure(cell))
        for partition, line in beside
        for access, cell in zip(ACCESSES, line.groups(), strict=True)
    ]
    names, facts = ("number", "type", "l_bytes", "position"), {"L_bytes": None, "reported": True}
    described = [
        {**dict(zip(names, one, strict=True)), **facts, "wellformed": one[2] % 16 == 0}
        for one in patterns
    ]
    return {"patterns": described, "samples": _columns("pattern", samples)}


def _number(kind: int, position: int) -> int:
    return _FIRST_NUMBER + 100 * kind + position


# --- which importer reads a text ----------------------------------------------------------------


@dataclass(frozen=True)
class Importer:
    """A format: whether a text has it, and the documents that it gives.

    `lacks` is what it may lack and a user may say.
    """

    description: str
    lacks: Literal["definition", "date"]
    recognises: Callable[[str], object]
    read: Callable[[Printed], list[dict[str, Any]]]


IMPORTERS = (
    Importer(PAIRS, "date", lambda text: {*PAIR_COLUMNS} <= headings_of(text), pairs.read),
    Importer("b_eff_io 1.x and 2.1, *.sum", "definition", _LINE["b_eff_io"].search, read_b_eff_io),
    Importer("b_eff 3.x, last line and summary", "definition", _LINE["b_eff"].search, read_b_eff),
)

_FIGURES_CSV = "figures.csv, with columns figure, value, unit and when"


def importer_of(printed: Printed) -> Importer | None:
    """Return what reads results of a text, None for figures. Raises ResultError for other texts."""
    if {"figure", "value"} <= headings_of(printed.text):
        return None
    if _LINE["ours"].search(printed.text):
        raise printed.problem("was written by this program; its result file, PREFIX.json, has more")
    for importer in IMPORTERS:
        if importer.recognises(printed.text):
            return importer
    known = "; ".join([_FIGURES_CSV, *(importer.description for importer in IMPORTERS)])
    raise printed.problem(f"is not an output that can be imported (known: {known})")


def results_of(printed: Printed, importer: Importer) -> list[Document]:
    """Return the results that a text holds. Raises ResultError."""
    return [check_document(printed.source, fields) for fields in importer.read(printed)]
