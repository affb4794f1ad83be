#!/usr/bin/env python3
"""Let things go wrong under the programs, and look how they end.

Each run is one of `beff run` with two processes. Calls of the system fail, or never return, by
`faulty_calls.c`, which is preloaded; processes are stopped and killed, and files removed, once ten
loops are in the journal. Prints a table in Markdown: exit code, seconds, what is left, and what was
said that a run without a fault does not say. Exit code 1 where a run did not end within its bound,
with another exit code than one of FINE, or left something else than it must.
Usage: bench/faults.py [--only FAULTS] [--mpiexec .venv/bin/mpiexec] [--programs .venv/bin]
"""

from __future__ import annotations

import argparse
import errno
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from common import BIN, launcher_of, options_of, table
from kills import OUTCOMES, Case, Run, loops_in, outcome

from beff.cli.common import exit_codes
from engines.support import system_fault

BOUND_S = 240.0
"""Most that a run may take; what waits for nothing is given up after LIMIT."""
LIMIT = "30s"
STALL_LIMIT = "90s"
HANGS, SLOW = -(10**6), -20
"""Instead of an errno: the seconds that a call takes, as a negative number."""
LOOPS = 10
MESSAGE = re.compile(
    r" *(beff|b_eff|b_eff_io|b_pairs|caution): | *(Abort\(|Out of memory)|.*Traceback"
)
BUSY = re.compile(
    "the loops and the harness's|[0-9]+ of [0-9]+ loops took|noisy: |repetitions: |agreeing on when"
    "|stopped by the bound|the initial write moved|Whether the read bandwidth"
)
"""What short runs on a busy machine say anyway."""
MOST = 240
"""Characters of a sentence that the table shows."""
FORM = 80
"""Characters by which sentences are the same but for numbers and the type of pattern."""
FINE = (0, 1, 3)
"""Exit codes: nothing was lost; a run failed; not valid or partial."""
OPTIONS = {
    "b_eff": [
        *("--memory-per-process", "1MiB", "--", "--methods", "sendrecv"),
        *("--loop-time", "50us", "--patterns", "0-2"),
        *("--hang-limit", LIMIT),
    ],
    "b_eff_io": [
        *("--time", "6s", "--max-data", "128MiB"),
        *("--", "--memory-per-node", "256MiB", "--hang-limit", LIMIT),
    ],
    "b_pairs": [
        *("--memory-per-process", "4MiB"),
        *("--", "--duration", "5s", "--hang-limit", LIMIT),
    ],
}
EVERY = tuple(OPTIONS)
BOTH = EVERY[:2]
COMPLETE, PARTIAL, RECOVERED, NOTHING = OUTCOMES
FILES, JOURNAL, RESULT, ROLL = "/b_eff_io-", ".journal.jsonl", ".json.", ".roll"


def remove_files(run: Run) -> None:
    """Remove the files that are measured."""
    for file in run.folder.glob("b_eff_io-*/*"):
        file.unlink(missing_ok=True)


def send(number: signal.Signals) -> Callable[[Run], None]:
    """Return what sends rank 1 a signal."""

    def to_rank_1(run: Run) -> None:
        for process in run.victims("rank 1"):
            os.kill(process, number)

    return to_rank_1


def start_a_second(run: Run) -> None:
    """Start another run with the same output; it must be refused, without a word in the journal."""
    second = subprocess.run(run.case.command, cwd=run.folder, capture_output=True, check=False)
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
    wrapper: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)
    folder: str = ""

    def environment(self, folder: Path) -> dict[str, str]:
        """Return what the processes must find in their environment."""
        if not self.call:
            return self.variables
        fault = system_fault(folder, self.call, self.error, self.files, after=self.after)
        return self.variables | fault


IO = ("b_eff_io",)
LATIN_1 = os.fsdecode(b"caf\xe9")
TO_FULL = ["sh", "-c", 'exec "$0" "$@" > /dev/full']
HINTS = "all all all on_open cb_nodes 1\n"
ELSEWHERE = 'test "$PMI_RANK$OMPI_COMM_WORLD_RANK" = 1 && cd /; exec "$0" "$@"'
"""Rank 1 does not see what lies in the run's folder."""
FAULTS = [
    Fault("none", (COMPLETE,), EVERY),
    Fault("full disk at open", (PARTIAL,), IO, "open", errno.ENOSPC, after=5),
    Fault("full disk at write", (PARTIAL, RECOVERED), IO, "write", errno.ENOSPC, after=5),
    Fault("full disk at sync", (PARTIAL,), IO, "sync", errno.ENOSPC, after=5),
    Fault("full disk at close", (COMPLETE, PARTIAL), IO, "close", errno.ENOSPC, after=5),
    Fault("quota at write", (PARTIAL, RECOVERED), IO, "write", errno.EDQUOT, after=5),
    Fault("read-only at open", (PARTIAL,), IO, "open", errno.EROFS, after=5),
    Fault("stale handle at open", (PARTIAL,), IO, "open", errno.ESTALE, after=5),
    Fault("stale handle at write", (PARTIAL, RECOVERED), IO, "write", errno.ESTALE, after=5),
    Fault("files removed under way", (PARTIAL,), IO, act=remove_files),
    Fault("full disk at open of the journal", (NOTHING,), EVERY, "open", errno.ENOSPC, JOURNAL),
    Fault(
        "full disk at write of the journal",
        (COMPLETE,),
        BOTH,
        call="write",
        error=errno.ENOSPC,
        files=JOURNAL,
        after=20,
    ),
    Fault("full disk at write of the result", (COMPLETE,), EVERY, "write", errno.ENOSPC, RESULT),
    Fault("full disk at sync of the result", (COMPLETE,), EVERY, "sync", errno.ENOSPC, RESULT),
    Fault("quota at close of the result", (COMPLETE,), EVERY, "close", errno.EDQUOT, RESULT),
    Fault("failed renaming of the result", (COMPLETE,), EVERY, "rename", errno.EIO, ".json"),
    Fault("no place for the result", (RECOVERED,), EVERY, "write", errno.ENOSPC, "p.json"),
    Fault("a rank stopped", (PARTIAL,), EVERY, act=send(signal.SIGSTOP)),
    Fault("a rank killed", (RECOVERED,), EVERY, act=send(signal.SIGKILL)),
    Fault("clock set back", (COMPLETE,), call="clock"),
    Fault("interrupted system calls", (COMPLETE,), call="interrupt"),
    Fault("hung mount at the very first open", (NOTHING,), IO, "open", HANGS),
    Fault("hung mount at open", (PARTIAL,), IO, "open", HANGS, after=5),
    Fault("hung mount at open of the journal", (NOTHING,), EVERY, "open", HANGS, JOURNAL),
    Fault("hung mount at write of the journal", (RECOVERED,), EVERY, "write", HANGS, JOURNAL, 20),
    Fault("hung mount at write of the result", (RECOVERED,), EVERY, "write", HANGS, RESULT),
    Fault(
        "hung mount at roll",
        (PARTIAL,),
        EVERY,
        call="open",
        error=HANGS,
        files=".roll",
        after=2,
        act=send(signal.SIGSTOP),
    ),
    Fault(
        "slow unlink, a rank stopped",
        (PARTIAL,),
        IO,
        call="unlink",
        error=SLOW,
        act=send(signal.SIGSTOP),
    ),
    Fault("hang in MPI_Finalize", (COMPLETE,), EVERY, "finalize", HANGS, ""),
    Fault("standard output on /dev/full", (COMPLETE,), EVERY, wrapper=TO_FULL),
    Fault(
        "hints that one rank does not see",
        (COMPLETE,),
        IO,
        wrapper=["sh", "-c", ELSEWHERE],
        options=["--info", "hints"],
    ),
    Fault(
        "Latin-1 in folder and environment",
        (COMPLETE,),
        EVERY,
        variables={"UCX_X": LATIN_1},
        folder=LATIN_1,
    ),
    *(
        Fault(
            f"quota of all files, types {types}",
            (PARTIAL,),
            IO,
            call="quota",
            error=errno.EDQUOT,
            after=20_000_000,
            options=["--types", types],
        )
        for types in ("0", "1", "2", "0,3", "0,4")
    ),
    Fault("no locks for files", (COMPLETE,), IO, "lock", errno.ENOSYS),
    Fault("no locks for the roll", (COMPLETE,), EVERY, "lock", errno.ENOLCK, ROLL),
    Fault("files of 20 MiB at most", (PARTIAL,), IO, wrapper=["prlimit", "--fsize=20971520"]),
    Fault("a folder that cannot be listed", (COMPLETE,), IO, "readdir", errno.EIO),
    Fault("2^71 byte free", (COMPLETE,), IO, "statvfs", 62, "/", after=9),
    *(
        Fault(f"SIG{name}", (PARTIAL,), BOTH, act=send(signal.Signals[f"SIG{name}"]))
        for name in ("TERM", "QUIT", "HUP", "USR1", "USR2", "XCPU")
    ),
    Fault("a second run on the same output", (COMPLETE,), EVERY, act=start_a_second),
    Fault(
        "no thread on rank 1",
        (NOTHING,),
        EVERY,
        call="thread",
        error=errno.EAGAIN,
        files="",
        variables={"BEFF_RANK": "1"},
    ),
    Fault(
        "rank 1 absent from the start",
        (NOTHING,),
        EVERY,
        call="absent",
        files="",
        variables={"BEFF_RANK": "1"},
    ),
    # Where memory runs out depends on the library.
    Fault("memory short", OUTCOMES, wrapper=["prlimit", "--data=30000000"]),
]


def case_of(program: str, fault: Fault, mpiexec: list[str], programs: Path, folder: Path) -> Case:
    """Return the run in which something goes wrong."""
    engine = programs / program
    if fault.wrapper:
        wrapped = folder / program
        wrapped.write_text(f'#!/bin/sh\nexec {shlex.join(fault.wrapper)} {engine} "$@"\n')
        wrapped.chmod(0o755)
        engine = wrapped
    command = [sys.executable, "-m", "beff", "run", "--processes", "2", "--output-dir", "."]
    command += ["--benchmark", program, "--engine", str(engine), "--launcher", " ".join(mpiexec)]
    (folder / "hints").write_text(HINTS, encoding="utf-8")
    path = ["--path", str(folder)] if program == "b_eff_io" else []
    command += ["--stall-limit", STALL_LIMIT, *path, *OPTIONS[program], *fault.options]
    if program == "b_eff":  # long enough that something can be done to it
        command += ["--repetitions", "20" if fault.act is None else "600"]
    return Case(program, command, f"{program}_2p", program)


def said(folder: Path) -> list[str]:
    """Return the sentences of a run about what went wrong."""
    text = (folder / "printed").read_text(encoding="utf-8", errors="replace")
    text = text.replace(str(folder), ".").replace("|", " ")
    lines = [
        re.sub(r"^ *(caution: )?", "", line) for line in text.splitlines() if MESSAGE.match(line)
    ]
    lines = [line for line in lines if not BUSY.match(line)]
    return [f"{line[:MOST]} …" if len(line) > MOST else line for line in lines]


def row(case: Case, fault: Fault, folder: Path, usual: set[str]) -> tuple[list[object], bool]:
    """Run one, and return its row, and whether all was as it must be.

    `usual` are sentences that a run without a fault says, without their numbers.
    """
    begin = time.monotonic()
    run = Run(case, folder, fault.environment(folder.parent))
    journal = folder / f"{case.prefix}.journal.jsonl"
    if fault.act is not None:
        while loops_in(journal) < LOOPS and run.process.poll() is None:
            time.sleep(0.02)
        fault.act(run)
    ended = run.wait(BOUND_S)
    took_s = time.monotonic() - begin
    left = outcome(case, folder, 0) if ended else "does not end"
    code = run.process.returncode
    fine = ended and code in FINE and left in fault.leaves
    forms: dict[str, str] = {}
    for line in said(folder):
        forms.setdefault(re.sub(r"[0-9.]+|type \w+|_[a-z]+\(|/p\S*", "#", line)[:FORM], line)
    text = " / ".join(line for form, line in forms.items() if form not in usual)
    if fault.name == "none":
        usual.update(forms)
    return [fault.name, case.name, code, f"{took_s:.0f}", left, text], fine


def rows(asked: argparse.Namespace, wrong: list[str]) -> Iterator[list[object]]:
    """Let every fault happen to its programs; note which did not end as they must."""
    mpiexec, programs = launcher_of(asked.mpiexec), asked.programs.absolute()
    place = Path(tempfile.mkdtemp(prefix="beff-faults-"))
    usual: set[str] = set()
    for number, fault in enumerate(FAULTS):
        for program in fault.programs if re.search(f"^none$|{asked.only}", fault.name) else ():
            folder = place / f"{number}-{program}{fault.folder}"
            folder.mkdir()
            case = case_of(program, fault, mpiexec, programs, folder)
            cells, fine = row(case, fault, folder, usual)
            if not fine:
                wrong.append(f"{fault.name} ({folder})")
            yield [*cells, "" if fine else "**not as it must be**"]


def main() -> int:
    """Run all faults; 1 where one did not end as it must."""
    options = options_of(__doc__)
    options.add_argument("--mpiexec", default=str(BIN / "mpiexec"), help="with its options")
    options.add_argument("--programs", type=Path, default=BIN)
    options.add_argument("--only", default="", help="faults whose names match this")
    asked = options.parse_args()
    if asked.short:
        asked.only = "^(full disk at open|full disk at write of the result|a rank killed|SIGTERM)$"
    wrong: list[str] = []
    table(["fault", "run", "code", "seconds", "left", "said", ""], rows(asked, wrong))
    print(*wrong, sep="\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
