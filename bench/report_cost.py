"""What a report costs: time and peak memory of pages, each made by a process of its own.

Run by `make bench` or `.venv/bin/python bench/report_cost.py`. Prints one line per page and ends
with 1 when a bound is not kept.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "python"))

from support.results import Plan, make_result  # noqa: E402 - found by the line above

MB = 1_000_000
PARTITIONS = 200
"""The most that the schema allows."""
STORED = ROOT / "tests" / "data" / "b_eff_io_short.json"


@dataclass(frozen=True)
class Case:
    """A result and what its page may cost at most; None for no bound."""

    name: str
    make: Callable[[], dict[str, Any]]
    longest_s: float
    most_memory_mb: float | None
    largest_mb: float | None


def full_run() -> dict[str, Any]:
    """All 49 patterns, 21 sizes, 3 methods, 3 repetitions."""
    return make_result(Plan(processes=24, hosts=(8, 8, 8)))


def many_partitions() -> dict[str, Any]:
    """Return a stored result of b_eff_io with as many partitions as possible, like its first."""
    document: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
    first = document["partitions"][0]
    document["partitions"] = [{**first, "processes": n + 1} for n in range(PARTITIONS)]
    for table in ("samples", "types"):
        columns = document[table]
        own = [i for i, partition in enumerate(columns["partition"]) if partition == 0]
        repeated = {name: [column[i] for i in own] * PARTITIONS for name, column in columns.items()}
        repeated["partition"] = [n for n in range(PARTITIONS) for _ in own]
        document[table] = repeated
    environment = document["environment"]
    environment["processes"] = PARTITIONS
    environment["placement"] = f"0x{PARTITIONS}"
    environment["hosts"] = [{**environment["hosts"][0], "processes": PARTITIONS}]
    return document


CASES = (
    Case("a full run of b_eff", full_run, 10, 500, 2),
    Case(f"b_eff_io with {PARTITIONS} partitions", many_partitions, 60, None, None),
)


def measure(case: Case, folder: Path) -> bool:
    """Make the page of a case; whether its bounds are kept."""
    result, page = folder / "result.json", folder / "report.html"
    document = case.make()
    result.write_text(json.dumps(document), encoding="utf-8")
    arguments = ["report", str(result), "-o", str(page), "--overwrite"]
    begin = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "beff", *arguments], stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    elapsed_s = time.monotonic() - begin
    cpu_s = usage.ru_utime + usage.ru_stime
    memory_mb = usage.ru_maxrss * 1024 / MB
    size_mb = page.stat().st_size / MB if status == 0 else 0.0
    samples = len(document["samples"]["pattern"])
    print(
        f"{case.name} ({samples} samples): {elapsed_s:.1f} s ({cpu_s:.1f} s of a processor),"
        f" {memory_mb:.0f} MB at most, page of {size_mb:.2f} MB"
    )
    return (
        status == 0
        and cpu_s <= case.longest_s
        and (case.most_memory_mb is None or memory_mb <= case.most_memory_mb)
        and (case.largest_mb is None or size_mb <= case.largest_mb)
    )


def main() -> int:
    """Measure all cases."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kept = [measure(case, Path(folder)) for case in CASES]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
