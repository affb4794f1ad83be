#!/usr/bin/env python3
"""Let things go wrong under the programs, and look how they end.

Each run is one of `beff run` with two processes. Calls of the system fail, or never return, by
`faulty_calls.c`, which is preloaded; processes are stopped and killed, and files removed, once ten
loops are in the journal. The table has the exit code, seconds, what is left, and what was said that
a run without a fault does not say. Exit code 1 where a run did not end within its bound, with
another exit code than one of FINE, or left something else than it must; its folder is named.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from errno import EAGAIN, EDQUOT, EIO, ENOLCK, ENOSPC, ENOSYS, EROFS, ESTALE
from pathlib import Path

from common import options_of, table
from support.reports import run_beff

from beff.cli.common import exit_codes
from engines.processes import rank_of, send
from engines.support import HANGS, LIBRARIES, Library, system_fault

LIBRARY = {library.name: library for library in LIBRARIES}
OUTCOMES = ("complete result", "partial result", "recovered from the journal", "nothing measured")
COMPLETE, PARTIAL, RECOVERED, NOTHING = ((outcome,) for outcome in OUTCOMES)
BOUND_S = 600.0
"""Most that a run may take; what waits for nothing is given up after the limit of OPTIONS."""
SLOW = -20
"""Instead of an errno: the seconds that a call takes, as a negative number."""
LOOPS = 10
MESSAGE = re.compile(
    r" *(beff|b_eff|b_eff_io|b_pairs|caution): | *(Abort\(|Out of memory)|.*Traceback"
)
FINE = (exit_codes.OK, exit_codes.FAILED, exit_codes.NOT_VALID)
OPTIONS = {
    "b_eff": "--memory-per-process 1MiB -- --methods sendrecv --loop-time 50us --patterns 0-2"
    " --hang-limit 30s --repetitions {}",
    "b_eff_io": "--path {1} --time {0} --max-data 128MiB -- --memory-per-node 256MiB"
    " --hang-limit 30s",
    "b_pairs": "--memory-per-process 4MiB -- --hang-limit 30s --duration {}",
}
LENGTHS = {
    "b_eff": ("2", "20", "600"),
    "b_eff_io": ("1s", "6s", "6s"),
    "b_pairs": ("1s", "5s", "5s"),
}
"""Of a run that is killed, of another, and of one to which something is done under way."""
EVERY = tuple(OPTIONS)
BOTH, IO = EVERY[:2], EVERY[1:2]
FILES, JOURNAL, RESULT, ROLL = "/b_eff_io-", ".journal.jsonl", ".json.", ".roll"


class Run:
    """A run of two processes in a folder; its processes are known by a mark in what they inherit.

    Below `beff run`, unless it `is_direct`.
    """

    def __init__(
        self, library: Library, program: str, folder: Path, length: int, *, is_direct: bool = False
    ) -> None:
        """`length` is a place in LENGTHS."""
        self.program, self.folder, self.is_direct = program, folder, is_direct
        self.engine = library.programs / program
        self.result = folder / f"{program}_2p.json"
        self.journal = folder / f"{program}_2p.journal.jsonl"
        self.words = OPTIONS[program].format(LENGTHS[program][length], folder).split()
        self.launcher = library.mpiexec
        self._mark = uuid.uuid4().hex

    def start(self, **variables: str) -> None:
        """Start it with variables of the environment."""
        if self.is_direct:
            self.command = [*self.launcher, "-n", "2", str(self.engine), "--output"]
            self.command += [self.result.stem, *(word for word in self.words if word != "--")]
        else:
            self.command = [sys.executable, "-m", "beff", "run", "--processes", "2"]
            self.command += ["--output-dir", ".", "--benchmark", self.program, "--stall-limit"]
            self.command += ["90s", "--engine", str(self.engine), "--launcher"]
            self.command += [shlex.join(self.launcher), *self.words]
        with (self.folder / "printed").open("wb") as printed:
            self.process = subprocess.Popen(
                self.command,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=printed,
                env={**os.environ, **variables, "BEFF_MARK": self._mark},
            )

    def living(self) -> dict[int, str]:
        """Return who is each process of the run that still lives."""
        found = {}
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if f"BEFF_MARK={self._mark}".encode() in (entry / "environ").read_bytes():
                    number, program = int(entry.name), (entry / "exe").readlink().name
                    who = f"rank {rank_of(number)}" if program == self.program else "launcher"
                    is_first = number == self.process.pid and not self.is_direct
                    found[number] = "beff run" if is_first else who
        return found

    def victims(self, wanted: str) -> list[int]:
        """Return the processes that are meant; none where there are none any more."""
        return [number for number, who in self.living().items() if wanted in (who, "everything")]

    def wait(self) -> bool:
        """Wait until nothing of the run lives; False where something does not end."""
        until = time.monotonic() + BOUND_S
        while (living := self.living()) and time.monotonic() < until:
            self.process.poll()
            time.sleep(0.2)
        for number in living:
            send(number, signal.SIGKILL)
        self.process.wait()
        return not living

    def loops(self) -> int:
        """Return how many loops its journal holds; a line that was cut does not count."""
        whole = self.journal.read_bytes().split(b"\n")[:-1] if self.journal.exists() else []
        return sum(line.startswith((b'{"sample"', b'{"round"')) for line in whole)

    def left(self, loops: int) -> str:
        """Return which of OUTCOMES is left of it, or what is wrong; `loops` must be there."""
        if is_recovered := not self.result.exists():
            measured = self.loops()
            done = run_beff("show", self.journal, "-o", self.result, "--remove-files")
            if measured == loops == 0 and done.returncode == exit_codes.WRONG_USAGE:
                return OUTCOMES[3]
            if done.returncode != 0:
                return f"does not recover: {done.stderr}"
            if list(self.folder.glob("b_eff_io-*")):
                return f"files are left after: {done.stdout}"
        done = run_beff("verify", self.result)
        if done.returncode != 0:
            return f"does not verify: {done.stdout}"
        fields = json.loads(self.result.read_text("utf-8"))
        rounds = (
            fields["passes"]["large_ns"] if "passes" in fields else [fields["samples"]["pattern"]]
        )
        if sum(map(len, rounds)) < loops:
            return f"only {sum(map(len, rounds))} of {loops} loops are left"
        return OUTCOMES[2 if is_recovered else not fields["complete"]]


def remove_files(run: Run) -> None:
    """Remove the files that are measured."""
    for file in run.folder.glob("b_eff_io-*/*"):
        file.unlink(missing_ok=True)


def sent(number: signal.Signals) -> Callable[[Run], None]:
    """Return what sends rank 1 a signal."""

    def to_rank_1(run: Run) -> None:
        for process in run.victims("rank 1"):
            send(process, number)

    return to_rank_1


def start_a_second(run: Run) -> None:
    """Start another run with the same output; it must be refused, without a word in the journal."""
    second = subprocess.run(run.command, cwd=run.folder, capture_output=True, check=False)
    if second.returncode != exit_codes.WRONG_USAGE:
        raise SystemExit(f"a second run was not refused, but ended with {second.returncode}")


@dataclass(frozen=True)
class Fault:
    """What goes wrong: a call that fails, something that is done to the run, or a wrapper.

    What it must leave is one of `leaves`: more than one where that depends on the MPI library.
    """

    name: str
    leaves: tuple[str, ...]
    programs: tuple[str, ...] = BOTH
    call: str = ""
    error: int = 0
    files: str = FILES
    after: int = 0
    act: Callable[[Run], None] | None = None
    rank: int | None = None
    wrapper: str = ""
    options: str = ""
    folder: str = ""


LATIN_1 = os.fsdecode(b"caf\xe9")
STOP, KILL = sent(signal.SIGSTOP), sent(signal.SIGKILL)
TO_FULL = """sh -c 'exec "$0" "$@" >/dev/full'"""
ELSEWHERE = """sh -c 'test "$PMI_RANK$OMPI_COMM_WORLD_RANK" = 1 && cd /; exec "$0" "$@"'"""
"""Rank 1 does not see what lies in the run's folder."""
HINTS, QUOTA = "--info hints", 20_000_000
FAULTS = [
    Fault("none", COMPLETE, EVERY),
    Fault("full disk at open", PARTIAL, IO, "open", ENOSPC, after=5),
    Fault("full disk at write", PARTIAL + RECOVERED, IO, "write", ENOSPC, after=5),
    Fault("full disk at sync", PARTIAL, IO, "sync", ENOSPC, after=5),
    Fault("full disk at close", COMPLETE + PARTIAL, IO, "close", ENOSPC, after=5),
    Fault("quota at write", PARTIAL + RECOVERED, IO, "write", EDQUOT, after=5),
    Fault("read-only at open", PARTIAL, IO, "open", EROFS, after=5),
    Fault("stale handle at open", PARTIAL, IO, "open", ESTALE, after=5),
    Fault("stale handle at write", PARTIAL + RECOVERED, IO, "write", ESTALE, after=5),
    Fault("files removed under way", PARTIAL, IO, act=remove_files),
    Fault("full disk at open of the journal", NOTHING, EVERY, "open", ENOSPC, JOURNAL),
    Fault("full disk at write of the journal", COMPLETE, BOTH, "write", ENOSPC, JOURNAL, 20),
    Fault("full disk at write of the result", COMPLETE, EVERY, "write", ENOSPC, RESULT),
    Fault("full disk at sync of the result", COMPLETE, EVERY, "sync", ENOSPC, RESULT),
    Fault("quota at close of the result", COMPLETE, EVERY, "close", EDQUOT, RESULT),
    Fault("failed renaming of the result", COMPLETE, EVERY, "rename", EIO, ".json"),
    Fault("no place for the result", RECOVERED, EVERY, "write", ENOSPC, "p.json"),
    Fault("a rank stopped", PARTIAL, EVERY, act=STOP),
    Fault("a rank killed", RECOVERED, EVERY, act=KILL),
    Fault("clock set back", COMPLETE, call="clock"),
    Fault("interrupted system calls", COMPLETE, call="interrupt"),
    Fault("hung mount at the very first open", NOTHING, IO, "open", HANGS),
    Fault("hung mount at open", PARTIAL, IO, "open", HANGS, after=5),
    Fault("hung mount at open of the journal", NOTHING, EVERY, "open", HANGS, JOURNAL),
    Fault("hung mount at write of the journal", RECOVERED, EVERY, "write", HANGS, JOURNAL, 20),
    Fault("hung mount at write of the result", RECOVERED, EVERY, "write", HANGS, RESULT),
    Fault("hung mount at roll", PARTIAL, EVERY, "open", HANGS, ROLL, 2, STOP),
    Fault("slow unlink, a rank stopped", PARTIAL, IO, "unlink", SLOW, act=STOP),
    Fault("hang in MPI_Finalize", COMPLETE, EVERY, "finalize", HANGS, ""),
    Fault("standard output on /dev/full", COMPLETE, EVERY, wrapper=TO_FULL),
    Fault("hints that one rank does not see", COMPLETE, IO, wrapper=ELSEWHERE, options=HINTS),
    Fault("Latin-1 in folder and environment", COMPLETE, EVERY, folder=LATIN_1),
    *(
        Fault(
            f"quota of all files, {types[2:]}",
            PARTIAL,
            IO,
            "quota",
            EDQUOT,
            FILES,
            QUOTA,
            options=types,
        )
        for types in ("--types 0", "--types 1", "--types 2", "--types 0,3", "--types 0,4")
    ),
    Fault("no locks for files", COMPLETE, IO, "lock", ENOSYS),
    Fault("no locks for the roll", COMPLETE, EVERY, "lock", ENOLCK, ROLL),
    Fault("files of 20 MiB at most", PARTIAL, IO, wrapper="prlimit --fsize=20971520"),
    Fault("a folder that cannot be listed", COMPLETE, IO, "readdir", EIO),
    Fault("2^71 byte free", COMPLETE, IO, "statvfs", 62, "/", after=9),
    *(
        Fault(f"SIG{name}", PARTIAL, act=sent(signal.Signals[f"SIG{name}"]))
        for name in ("TERM", "QUIT", "HUP", "USR1", "USR2", "XCPU")
    ),
    Fault("a second run on the same output", COMPLETE, EVERY, act=start_a_second),
    Fault("no thread on rank 1", NOTHING, EVERY, "thread", EAGAIN, "", rank=1),
    Fault("rank 1 absent from the start", NOTHING, EVERY, "absent", files="", rank=1),
    # Where memory runs out depends on the library.
    Fault("memory short", OUTCOMES, wrapper="prlimit --data=30000000"),
]


def happened(fault: Fault, run: Run, usual: set[str]) -> tuple[list[object], bool]:
    """Let a fault happen to a run; return its row, and whether all was as it must be.

    `usual` are sentences that a run without a fault says, without their numbers.
    """
    if fault.wrapper:
        wrapped = run.folder / run.program
        wrapped.write_text(f'#!/bin/sh\nexec {fault.wrapper} {run.engine} "$@"\n')
        wrapped.chmod(0o755)
        run.engine = wrapped
    (run.folder / "hints").write_text("all all all on_open cb_nodes 1\n", "utf-8")
    run.words += fault.options.split()
    call, rank = (fault.call, fault.error, fault.files), fault.rank
    failing = system_fault(*call, after=fault.after, rank=rank) if fault.call else {}
    begin = time.monotonic()
    run.start(UCX_X=fault.folder, **failing)
    if fault.act is not None:
        while run.loops() < LOOPS and run.process.poll() is None:
            time.sleep(0.02)
        fault.act(run)
    left = run.left(0) if run.wait() else "does not end"
    took_s = time.monotonic() - begin
    printed = (run.folder / "printed").read_text("utf-8", "replace").replace(str(run.folder), ".")
    said = {
        re.sub(r"[0-9.]+|type \w+|_[a-z]+\(|/p\S*", "#", line): line.strip().replace("|", " ")
        for line in printed.splitlines()
        if MESSAGE.match(line)
    }
    if fault.name == "none":
        usual.update(said)
    text = " / ".join(line for form, line in said.items() if form not in usual)
    code = run.process.returncode
    is_fine = code in FINE and left in fault.leaves
    return [fault.name, run.program, code, f"{took_s:.0f}", left, text], is_fine


def rows(given: argparse.Namespace, wrong: list[str]) -> Iterator[list[object]]:
    """Let every fault happen to its programs; note which did not end as they must."""
    place, usual = Path(tempfile.mkdtemp(prefix="beff-faults-")), set[str]()
    for number, fault in enumerate(FAULTS):
        for program in fault.programs if re.search(f"^none$|{given.only}", fault.name) else ():
            folder = place / f"{number}-{program}{fault.folder}"
            folder.mkdir()
            run = Run(LIBRARY[given.library], program, folder, 1 if fault.act is None else 2)
            cells, is_fine = happened(fault, run, usual)
            wrong += [] if is_fine else [f"{fault.name} ({folder})"]
            yield [*cells, "" if is_fine else "**not as it must be**"]


def options_of_runs(doc: str | None) -> argparse.ArgumentParser:
    """Return the parser of a bench that starts runs by an MPI library."""
    parser = options_of(doc)
    parser.add_argument("--library", choices=LIBRARY, default="mpich")
    return parser


def main() -> int:
    """Let all faults happen; 1 where one did not end as it must."""
    parser = options_of_runs(__doc__)
    parser.add_argument("--only", default="", help="faults whose names match this")
    given = parser.parse_args()
    if given.short:
        given.only = "^(full disk at open|full disk at write of the result|a rank killed|SIGTERM)$"
    wrong: list[str] = []
    table(["fault", "run", "code", "seconds", "left", "said", ""], rows(given, wrong))
    print(*wrong, sep="\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
