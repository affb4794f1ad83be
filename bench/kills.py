#!/usr/bin/env python3
"""Kill runs at random moments, and look what is left of them.

Each run is a short one of `b_eff`, `b_eff_io` or `beff run`, and one or all of its processes get
SIGKILL at a moment drawn from the length of a whole run. What is left must be a result that
verifies, or a journal that recovers to one, or nothing measured, and hold all loops that were in
the journal at the moment of the kill. Each run is a line in LOG; a later call goes on there. Prints
a table in Markdown, and every run that left something else; its folder stays.
Usage: bench/kills.py [--log LOG] [--runs 1000] [--mpiexec .venv/bin/mpiexec] [--programs .venv/bin]
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from common import BIN, launcher_of, options_of, table

from beff.cli.app import main as beff_main
from beff.cli.common.exit_codes import WRONG_USAGE

MEMORY = ["--memory-per-process", "1MiB"]
B_EFF = [
    *("--loop-time", "50us", "--methods", "sendrecv"),
    *("--patterns", "0-2", "--repetitions", "2"),
]
B_EFF_IO = [
    *("--path", ".", "--time", "1s", "--memory-per-node", "256MiB", "--max-data", "128MiB"),
    *("--partitions", "2"),
]
VICTIMS = ("rank 0", "rank 1", "launcher", "everything")
OUTCOMES = ("complete result", "partial result", "recovered from the journal", "nothing measured")
SAMPLES = (b'{"sample"', b'{"round"')
END_WITHIN_S = 600.0
"""A run that lasts longer after the kill counts as one that never ends; on a busy machine."""


@dataclass(frozen=True)
class Case:
    """What is started; `prefix` names its files."""

    name: str
    command: list[str]
    prefix: str
    engine: str
    victims: tuple[str, ...] = VICTIMS


def cases(mpiexec: list[str], programs: Path) -> list[Case]:
    """Return the kinds of runs, of two processes each."""
    launch = [*mpiexec, "-n", "2"]
    beff = [sys.executable, "-m", "beff", "run", "--processes", "2", "--output-dir", "."]
    beff += ["--benchmark", "b_eff", *MEMORY, "--engine", str(programs / "b_eff")]
    beff += ["--launcher", " ".join(mpiexec), "--", *B_EFF]
    return [
        Case("b_eff", [*launch, str(programs / "b_eff"), *MEMORY, *B_EFF], "b_eff", "b_eff"),
        Case("b_eff_io", [*launch, str(programs / "b_eff_io"), *B_EFF_IO], "b_eff_io", "b_eff_io"),
        Case("beff run", beff, "b_eff_2p", "b_eff", ("beff run", *VICTIMS)),
    ]


class Run:
    """A run in a folder of its own; its processes are known by a mark in their environment."""

    def __init__(self, case: Case, folder: Path, environment: dict[str, str] | None = None) -> None:
        self.case = case
        self.folder = folder
        self._mark = f"BEFF_KILLED_RUN={uuid.uuid4().hex}"
        name, value = self._mark.split("=")
        with (folder / "printed").open("wb") as printed:
            self.process = subprocess.Popen(
                case.command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=printed,
                env={**os.environ, **(environment or {}), name: value},
            )

    def processes(self) -> dict[int, dict[str, str]]:
        """Return the environment of each process of the run that still lives."""
        found = {}
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            with contextlib.suppress(OSError):
                words = (entry / "environ").read_bytes().decode(errors="replace").split("\0")
                if self._mark in words:
                    pairs = (word.split("=", 1) for word in words if "=" in word)
                    found[int(entry.name)] = dict(pair for pair in pairs)
        return found

    def victims(self, wanted: str) -> list[int]:
        """Return the processes that are to be killed; none where there are none any more."""
        living = self.processes()
        ranks = {number: _rank(own) for number, own in living.items() if self._is_engine(number)}
        if wanted == "everything":
            return list(living)
        if wanted == "beff run":
            return [self.process.pid]
        if wanted == "launcher":
            return [number for number in living if number not in ranks and self._launches(number)]
        return [number for number, rank in ranks.items() if f"rank {rank}" == wanted]

    def _launches(self, number: int) -> bool:
        return self.case.name != "beff run" or number != self.process.pid

    def _is_engine(self, number: int) -> bool:
        with contextlib.suppress(OSError):
            return (Path("/proc") / str(number) / "exe").readlink().name == self.case.engine
        return False

    def wait(self, most_s: float = END_WITHIN_S) -> bool:
        """Wait until nothing of the run lives; False where something does not end."""
        until = time.monotonic() + most_s
        while self.processes():
            self.process.poll()
            if time.monotonic() > until:
                for number in self.processes():
                    _kill(number)
                return False
            time.sleep(0.2)
        self.process.wait()
        return True


def _rank(environment: dict[str, str]) -> str:
    return environment.get("OMPI_COMM_WORLD_RANK", environment.get("PMI_RANK", "?"))


def _kill(number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(number, signal.SIGKILL)


def beff(*arguments: str) -> tuple[int, str]:
    """Run a command of beff; its exit code and what it printed."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        code = beff_main(list(arguments))
    return code, printed.getvalue()


def loops_in(journal: Path) -> int:
    """Return how many loops a journal holds; a line that was cut does not count."""
    whole = journal.read_bytes().split(b"\n")[:-1] if journal.exists() else []
    return sum(line.startswith(SAMPLES) for line in whole)


def outcome(case: Case, folder: Path, loops: int) -> str:
    """Say what a run has left that had finished `loops`: one of OUTCOMES, or what is wrong."""
    result = folder / f"{case.prefix}.json"
    if result.exists():
        wrong = wrong_with(result, loops)
        fields = json.loads(result.read_text(encoding="utf-8"))
        return wrong or (OUTCOMES[0] if fields["complete"] else OUTCOMES[1])
    journal = folder / f"{case.prefix}.journal.jsonl"
    measured = loops_in(journal)
    code, printed = beff("recover", str(journal), "--remove-files")
    if measured == loops == 0 and code == WRONG_USAGE and "Traceback" not in printed:
        return OUTCOMES[3]
    if code != 0:
        return f"does not recover: {printed}"
    if list(folder.glob("b_eff_io-*")):
        return f"files are left after: {printed}"
    return wrong_with(result, loops) or OUTCOMES[2]


def wrong_with(result: Path, loops: int) -> str:
    """Say what is wrong with a result that must hold `loops`; empty where nothing is."""
    code, printed = beff("verify", str(result))
    fields = json.loads(result.read_text(encoding="utf-8"))
    held = (
        len(fields["samples"]["pattern"])
        if "samples" in fields
        else sum(len(rounds) for rounds in fields["passes"]["large_ns"])
    )
    if code != 0:
        return f"does not verify: {printed}"
    return f"only {held} of {loops} loops are left" if held < loops else ""


def kill_one(case: Case, victim: str, after_s: float, folder: Path) -> str:
    """Kill a run at a moment, and say what is left; empty where it had ended before.

    The moment counts from when the victim is there.
    """
    run = Run(case, folder)
    while not run.victims(victim) and run.process.poll() is None:
        time.sleep(0.01)
    time.sleep(after_s)
    victims = run.victims(victim)
    loops = loops_in(folder / f"{case.prefix}.journal.jsonl")
    for number in victims:
        _kill(number)
    if not run.wait():
        return "never ended"
    return outcome(case, folder, loops) if victims else ""


def length_of(case: Case, folder: Path) -> float:
    """Return how long a whole run takes, in seconds."""
    begin = time.monotonic()
    run = Run(case, folder)
    if not run.wait() or not (folder / f"{case.prefix}.json").exists():
        sys.exit((folder / "printed").read_text(encoding="utf-8", errors="replace"))
    return time.monotonic() - begin


def rows(cases: list[Case], log: list[dict[str, str]]) -> Iterator[list[object]]:
    """Yield how often each kind of kill had each outcome."""
    counts = Counter((entry["run"], entry["killed"], entry["left"]) for entry in log)
    for case in cases:
        for victim in case.victims:
            known = [counts[case.name, victim, left] for left in OUTCOMES]
            every = sum(entry["run"] == case.name and entry["killed"] == victim for entry in log)
            yield [case.name, victim, *known, every - sum(known)]


def main() -> int:
    """Kill as many runs as asked for; 1 where one left what it must not."""
    options = options_of(__doc__)
    options.add_argument("--log", type=Path, help="gets a line for each run")
    options.add_argument("--runs", type=int, default=100, help="lines that the log shall have")
    options.add_argument("--mpiexec", default=str(BIN / "mpiexec"), help="with its options")
    options.add_argument("--programs", type=Path, default=BIN)
    asked = options.parse_args()
    kinds = cases(launcher_of(asked.mpiexec), asked.programs.absolute())
    place = Path(tempfile.mkdtemp(prefix="beff-kills-"))
    asked.runs = 9 if asked.short else asked.runs
    asked.log = asked.log or place / "log"
    lengths: dict[str, float] = {}
    asked.log.touch()
    log = [json.loads(line) for line in asked.log.read_text(encoding="utf-8").splitlines()]
    for number in range(len(log), asked.runs):
        draw = random.Random(number)
        case = kinds[number % len(kinds)]
        folder = place / str(number)
        if case.name not in lengths:
            folder.mkdir()
            lengths[case.name] = length_of(case, folder)
            shutil.rmtree(folder)
        victim = draw.choice(case.victims)
        found = ""
        while not found:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            found = kill_one(case, victim, draw.uniform(0, lengths[case.name]), folder)
        if found in OUTCOMES:
            shutil.rmtree(folder)
        else:
            found = f"{folder}: {found.strip()}"
        log.append({"run": case.name, "killed": victim, "left": found})
        with asked.log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(log[-1]) + "\n")
    table(["run", "killed", *OUTCOMES, "else"], rows(kinds, log))
    bad = [entry for entry in log if entry["left"] not in OUTCOMES]
    for entry in bad:
        print(f"{entry['run']}, {entry['killed']} killed, {entry['left']}")
    if not bad:  # folders of bad runs stay
        shutil.rmtree(place)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
