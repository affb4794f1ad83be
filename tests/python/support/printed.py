"""Outputs of the original programs, written anew in their format with given numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from beff.importers.printed import printed_file
from beff.importers.table import importer_of, results_of
from beff.result.load import Document

_PUBLISHED = Path(__file__).parents[2] / "core" / "b_eff_io" / "published_2_1.json"


def import_file(path: Path, definition: str | None = None) -> list[Document]:
    """Return the results that a file holds. Raises ResultError."""
    printed = printed_file(path, definition)
    importer = importer_of(printed)
    assert importer is not None
    return results_of(printed, importer)


def published_runs() -> list[dict[str, Any]]:
    """Published results of release 2.1: processes, rows, totals, averages and value."""
    runs: list[dict[str, Any]] = json.loads(_PUBLISHED.read_text(encoding="utf-8"))
    return runs


def sum_block(run: dict[str, Any]) -> str:
    """The table of a number of processes and the lines below it."""
    n = run["processes"]
    lines = [
        f"Summary of file I/O bandwidth accumulated on {n:3} processes with  256 MByte/PE",
        "-" * 77,
        "",
        " number pos chunk-   access   type=0   type=1   type=2   type=3   type=4",
        "",
    ]
    for access in run["totals"]:
        for position, (chunk, cells) in enumerate(run["rows"].get(access, {}).items(), start=1):
            shown = "".join(f"{cell:9.3f}" for cell in cells)
            lines.append(f"{n:4} PEs {position} {chunk:>8} {access:<7}{shown}")
        cells = "".join(
            f"{'---' if cell is None else format(cell, '.3f'):>9}" for cell in run["totals"][access]
        )
        lines += [f"{n:4} PEs      total-{access:<7}{cells}", ""]
    lines += [
        "  bw_pat2=   51.201 MB/s write,   52.777 MB/s rewrite,  162.683 MB/s read",
        "",
        *(
            f"weighted average bandwidth for {access:<8}: {value:8.3f} MB/s on {n} processes"
            for access, value in run["averages"].items()
        ),
        "",
        "Total amount of data written/read with each access method: 1307.399 MBytes",
        "  = 127.7 percent of the total memory (1024 MBytes)",
        "",
        f"b_eff_io of these measurements = {run['value']:8.3f} MB/s on {n} processes with"
        "  256 MByte/PE and scheduled time=0.2 min",
        "",
        "NOT VALID for comparison of different systems",
        "  criterion 1: scheduled time 0.2 min >= 30 min -- NOT reached",
        "  criterion 2: shared file pointers must be used for pattern type 1 -- reached",
        "",
    ]
    return "\n".join(lines)


def with_32_byte(run: dict[str, Any]) -> dict[str, Any]:
    """The run with a first row of 32 byte, which prints of release 2.1 have and the paper not."""
    cells = [11.25, 0.875, 2.125, 7.75, 1.5]
    return run | {"rows": {access: {"32": cells, **rows} for access, rows in run["rows"].items()}}


def scaled(run: dict[str, Any], factor: float) -> dict[str, Any]:
    """The run with every bandwidth multiplied."""

    def times(found: Any) -> Any:
        if isinstance(found, dict):
            return {key: times(inner) for key, inner in found.items()}
        if isinstance(found, list):
            return [times(inner) for inner in found]
        return None if found is None else found * factor

    return run | {name: times(run[name]) for name in ("rows", "totals", "averages", "value")}


def sum_text(
    *runs: dict[str, Any],
    revision: str | None = "2.1",
    seconds: int = 10,
    date: str = "Tue Nov 23 18:13:10 2004",
) -> str:
    """A whole file *.sum; `seconds` are scheduled for all numbers of processes together."""
    counts = ",".join(str(run["processes"]) for run in runs)
    head = [
        *([] if revision is None else [f"b_eff_io.c, Revision {revision} from Dec. 12, 2001"]),
        "",
        "MEMORY_PER_PROCESSOR =  256 MBytes  [1MBytes = 1024*1024 bytes, 1MB = 1e6 bytes]",
        "Maximum chunk size   =    2.000 MBytes",
        "",
        f"-N {counts:>2} T={seconds}, MT=1024 MBytes -i hints.info, -rewrite",
        "       system name : Linux",
        "       hostname    : node0.example.org",
        "       OS release  : 2.6.6",
        "       OS version  : #1 SMP",
        "       machine     : i686",
        "",
        f"Date of measurement: {date}",
        "",
    ]
    return "\n".join([*head, *map(sum_block, runs)])


T3E = (
    "b_eff =   9709.549 MB/s =  37.928 * 256 PEs with 128 MB/PE on sn6715 hwwt3e 2.0.4.71"
    " unicosmk CRAY T3E"
)
"""The published last line."""


def b_eff_summary(result: dict[str, Any]) -> str:
    """Summary table and last line of b_eff 3.x with the figures of a result of ours."""
    s, n = result["summary"], result["environment"]["processes"]
    memory = result["environment"]["memory_per_process_bytes"] // 2**20
    return "\n".join(
        [
            f"system parameters  : {n} nodes, {memory} MB/node",
            "       system name : Linux",
            "       hostname    : node1",
            "       OS release  : 6.1",
            "       OS version  : #1",
            "       machine     : x86_64",
            "",
            "Date of measurement: Tue Feb  2 12:00:00 2016",
            "",
            "            | number  |   b_eff   |  Lmax  |   b_eff   |   b_eff   | Latency",
            "-" * 110,
            "            |",
            f"accumulated |  {n:5}    {s['b_eff_MBps']:9.0f}   {s['lmax_bytes'] / 2**20:3.0f} MB"
            f"  {s['at_lmax_MBps']:9.0f}    {s['rings_at_lmax_MBps']:9.0f}"
            f"    {s['latency_us']:6.3f}    {s['rings_latency_us']:6.3f}"
            f"    {s['pingpong_latency_us']:6.3f}    {s['pingpong_MBps']:9.0f}                   ",
            "            |",
            f"per process |           {s['b_eff_MBps'] / n:9.0f}           "
            f"{s['at_lmax_MBps'] / n:9.0f}    {s['rings_at_lmax_MBps'] / n:9.0f}      ",
            "",
            f"b_eff = {s['b_eff_MBps']:10.3f} MB/s = {s['b_eff_MBps'] / n:7.3f} * {n:3} PEs"
            f" with {memory:3} MB/PE on Linux node1 6.1 #1 x86_64",
            "",
        ]
    )
