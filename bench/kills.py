#!/usr/bin/env python3
"""Kill runs at random moments, and look what is left of them.

One or all processes of short runs of `b_eff`, `b_eff_io` and `beff run` get SIGKILL at a moment
drawn from the length of a whole run. What is left must be a result that verifies, or a journal that
recovers to one, or nothing measured, and hold all loops that were in the journal at the moment of
the kill. Each kill is a line in LOG; a later call goes on there until it has N. Exit code 1 where
one left something else; its folder is named.
Usage: bench/kills.py [--log LOG] [--runs N] [--library openmpi]
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from common import table
from faults import LIBRARY, OUTCOMES, Run, options_of_runs

from engines.processes import send
from engines.support import Library

VICTIMS = ("rank 0", "rank 1", "launcher", "everything")
KILLED = {"b_eff": VICTIMS, "b_eff_io": VICTIMS, "beff run": ("beff run", *VICTIMS)}
Kill = tuple[str, str, str]
"""The run, who was killed, and what is left."""


def killed(run: Run, victim: str, after_s: float) -> str:
    """Kill a run some time after the victim is there; return what is left; "" of none."""
    run.start()
    while not run.victims(victim) and run.process.poll() is None:
        time.sleep(0.01)
    time.sleep(after_s)
    victims, loops = run.victims(victim), run.loops()
    for number in victims:
        send(number, signal.SIGKILL)
    return "never ended" if not run.wait() else run.left(loops) if victims else ""


def kills(library: Library, numbers: range) -> Iterator[Kill]:
    """Kill runs; the number of each draws who is killed, and when."""
    lengths: dict[str, float] = {}

    def new_run(name: str) -> Run:
        folder, is_direct = Path(tempfile.mkdtemp(prefix="beff-kill-")), name != "beff run"
        return Run(library, name if is_direct else "b_eff", folder, 0, is_direct=is_direct)

    for number in numbers:
        draw, name = random.Random(number), [*KILLED][number % len(KILLED)]
        if name not in lengths:
            begin, run = time.monotonic(), new_run(name)
            run.start()
            if not run.wait() or not run.result.exists():
                sys.exit((run.folder / "printed").read_text("utf-8", "replace"))
            lengths[name] = time.monotonic() - begin
            shutil.rmtree(run.folder)
        victim, left = draw.choice(KILLED[name]), ""
        while not left:
            run = new_run(name)
            left = killed(run, victim, draw.uniform(0, lengths[name]))
            if left in ("", *OUTCOMES):
                shutil.rmtree(run.folder)
        yield name, victim, left if left in OUTCOMES else f"{run.folder}: {left.strip()}"


def main() -> int:
    """Kill as many runs as asked for; 1 where one left what it must not."""
    parser = options_of_runs(__doc__)
    parser.add_argument("--log", type=Path, default=Path(os.devnull), help="gets a line for each")
    parser.add_argument("--runs", type=int, default=100, help="lines that the log shall have")
    given = parser.parse_args()
    given.log.touch()
    log = [tuple(json.loads(line)) for line in given.log.read_text("utf-8").splitlines()]
    for kill in kills(LIBRARY[given.library], range(len(log), 9 if given.short else given.runs)):
        log.append(kill)
        with given.log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(kill) + "\n")
    counts = Counter(log)
    pairs = [(name, victim) for name, victims in KILLED.items() for victim in victims]
    table(
        ["run", "killed", *OUTCOMES],
        ([*pair, *(counts[(*pair, left)] for left in OUTCOMES)] for pair in pairs),
    )
    bad = [kill for kill in log if kill[-1] not in OUTCOMES]
    for kill in bad:
        print("{}, {} killed, {}".format(*kill))
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
