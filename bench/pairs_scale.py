"""What a map of pairs of many hosts costs: bytes of its files, processor time of their readers.

Run by `.venv/bin/python bench/pairs_scale.py N...`. The maps are of made-up machines with as many
passes as a result holds at most and one slow host.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from math import inf
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "python"))

from support.machines.flat import flat  # noqa: E402
from support.machines.machine import Machine  # noqa: E402
from support.machines.plan import passes_within  # noqa: E402
from support.machines.result import make_map  # noqa: E402

COMMANDS = {
    "beff check": ("check", "a.json"),
    "beff verify": ("verify", "a.json"),
    "beff figure pairs": ("figure", "pairs", "--result", "a.json"),
}


def largest(hosts: int) -> Machine:
    """Return a machine whose map has as many entries as a run of so many hosts writes at most."""
    return flat(hosts, slow={3: 2.0}, passes=passes_within(hosts, duration_s=inf))


def processor_s(folder: Path, command: tuple[str, ...]) -> float:
    """Return user and system seconds of a command on the result."""
    program = [sys.executable, "-m", "beff", *command]
    process = subprocess.Popen(program, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1, 3):
        raise SystemExit(f"{' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Print the table."""
    heads = " | ".join(f"`{name}`, CPU s" for name in COMMANDS)
    print(f"| hosts | pairs measured | result, MB | {heads} |")
    print("|---|---|---|" + "---|" * len(COMMANDS))
    for hosts in map(int, sys.argv[1:]):
        machine = largest(hosts)
        fields = make_map(machine)
        pairs = sum(len(r.split()) for one in fields["passes"]["small_ns"] for r in one)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            size = (folder / "a.json").write_text(json.dumps(fields, separators=(",", ":")))
            found = (processor_s(folder, command) for command in COMMANDS.values())
            costs = " | ".join(f"{seconds:.1f}" for seconds in found)
        print(f"| {hosts} | {pairs} | {size / 1e6:.1f} | {costs} |", flush=True)


if __name__ == "__main__":
    main()
