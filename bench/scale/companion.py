"""`beff` with many results: short ones of b_eff, and official ones."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from math import inf
from pathlib import Path

from scale.table import ROOT, Row, cost_of

sys.path.insert(0, str(ROOT / "tests" / "python"))

from support.machines.flat import flat
from support.machines.plan import passes_within
from support.machines.result import make_map
from support.results import SHORT, Plan, make_result

COUNTS = (10, 100, 1_000)
_SETTLED_S = 2.1
"""After which what is read of a file is kept."""
HOSTS = (64, 1_000, 10_000)
OFFICIAL = Plan(processes=24, hosts=(8, 8, 8))
COMMANDS = {
    "show, nothing read before": ("show",),
    "show again": ("show",),
    "check": ("check",),
    "verify": ("verify",),
    "show --history, nothing read before": ("show", "--history"),
}


def write(folder: Path, count: int, plan: Plan) -> None:
    """Write results of different runs, a minute apart."""
    for number in range(count):
        fields = make_result(replace(plan, slower=1 + number / 5000))
        hour, minute = divmod(number, 60)
        day, hour = 22 + hour // 24, hour % 24
        fields["environment"]["started_at"] = f"2026-11-{day}T{hour:02}:{minute:02}:00Z"
        fields["environment"]["finished_at"] = f"2026-11-{day}T{hour:02}:{minute:02}:50Z"
        text = json.dumps(fields, separators=(",", ":"))
        (folder / f"b_eff_{number:04}.json").write_text(text, "utf-8")


def rows(largest: int) -> Iterator[Row]:
    """Yield the rows of all numbers of results, and of hosts of a map, that are not larger."""
    yield from _maps(largest)
    for kind, plan, most in (("short", SHORT, largest), ("official", OFFICIAL, largest // 10)):
        with tempfile.TemporaryDirectory() as name:
            folders = {}
            for count in (one for one in COUNTS if one <= most):
                folders[count] = Path(name) / f"{count}"
                folders[count].mkdir()
                write(folders[count], count, plan)
            time.sleep(_SETTLED_S)
            for title, command in COMMANDS.items():
                for count, folder in folders.items():
                    yield _row(f"beff {title}, {kind} results", command, folder, count)


def _maps(largest: int) -> Iterator[Row]:
    """Yield what reading a map costs that has as many times as a result holds at most."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "map.json"
        for command in ("check", "verify"):
            for hosts in (one for one in HOSTS if one <= largest):
                passes = passes_within(hosts, duration_s=inf)
                machine = flat(hosts, slow={3: 2.0}, passes=passes)
                file.write_text(json.dumps(make_map(machine), separators=(",", ":")))
                cost = cost_of([sys.executable, "-m", "beff", command, str(file)])
                size = file.stat().st_size
                yield Row(f"beff {command} of a map, hosts", hosts, cost.seconds, cost.mib, size)


def _row(what: str, command: tuple[str, ...], folder: Path, count: int) -> Row:
    cache = folder.parent / f"cache-{count}"
    if "nothing" in what and cache.exists():
        for file in cache.rglob("*.sqlite3"):
            file.unlink()
    program = [sys.executable, "-m", "beff", *command, str(folder)]
    cost = cost_of(program, XDG_CACHE_HOME=str(cache))
    if cost.code not in (0, 3):
        raise SystemExit(f"{' '.join(program)} failed")
    size = sum(file.stat().st_size for file in folder.iterdir())
    return Row(what, count, cost.seconds, cost.mib, note=f"{size / 1e6:.0f} MB of files")
