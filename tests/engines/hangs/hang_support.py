"""What the tests of hangs share."""

import signal
import socket
import subprocess
from collections.abc import Mapping
from pathlib import Path

from engines.b_eff_io.io_support import QUICK, tight
from engines.processes import processes_of, rank_of, send, started, wait_for_samples, wait_until
from engines.support import ENDLESS, Library, standin

LIMIT = ["--hang-limit", "3s"]
SIX = ["--hang-limit", "6s"]
LONG = {
    "b_eff": ENDLESS,
    "b_eff_io": [*tight(3), "--types", "2", "--time", "10min", "--max-data", "2GiB"],
    "b_pairs": ["--memory-per-process", "4MiB", "--progress", "never", "--duration", "1min"],
}
FOR_EVER = 1000
BOUND_S = 120
"""Within which all must have ended, on a busy machine."""


def hanging(library: Library, hangs: str) -> dict[str, str]:
    """Environment of processes whose calls take as long as `hangs` says."""
    shim = standin(library.headers, "hanging_mpi.c")
    return {"LD_PRELOAD": str(shim), "BEFF_HANGS": hangs}


def run_that_hangs(
    library: Library,
    program: str,
    folder: Path,
    hangs: str,
    *,
    processes: int = 2,
    env: Mapping[str, str] | None = None,
) -> str:
    """What is said by a run that ends although calls of it hang, with a code that is not zero."""
    env = {**hanging(library, hangs), **(env or {})}
    options = [*QUICK[program], *LIMIT]
    run = library.run(processes, *options, cwd=folder, env=env, program=program, timeout_s=BOUND_S)
    assert run.returncode != 0
    assert not (folder / f"{program}.roll").exists()
    assert processes_of(library.programs / program, folder) == []
    return run.stderr


def run_that_is_stopped(
    library: Library, program: str, folder: Path, rank: int, *, samples: int = 2
) -> str:
    """What is said by a run of three processes of which one is stopped for good; it is named."""
    # a file system may be slow where many measure
    options = [*LONG[program], *(SIX if program == "b_eff_io" else LIMIT)]
    engine, words = library.programs / program, folder / "words"
    with (
        words.open("w") as errors,
        started(
            library, program, options, folder, stdout=subprocess.PIPE, stderr=errors, processes=3
        ) as run,
    ):
        wait_for_samples(folder / f"{program}.journal.jsonl", samples)
        processes = processes_of(engine, folder)
        send(next(process for process in processes if rank_of(process) == rank), signal.SIGSTOP)
        run.communicate(timeout=BOUND_S)
    assert run.returncode != 0
    wait_until(lambda: not processes_of(engine, folder), "they live on")
    said = words.read_text()
    assert said.count(f"rank {rank} on {socket.gethostname()} did not answer") == 1
    return said
