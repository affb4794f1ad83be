"""A run whose launcher has died ends by itself, and what it has measured is there."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest
from support.reports import beside

from beff.cli.app import main
from engines.processes import processes_of, send, started, wait_for_samples, wait_until
from engines.support import Library, assert_verified, result_in

pytestmark = pytest.mark.thorough

OPTIONS = {
    "b_eff": ["--memory-per-process", "4MiB", "--repetitions", "1000", "--progress", "always"],
    "b_eff_io": [
        *("--path", ".", "--memory-per-node", "256MiB", "--progress", "always"),
        *("--time", "1min", "--partitions", "2", "--max-data", "2GiB"),
    ],
}


def parent_of(process: int) -> int:
    status = Path("/proc", str(process), "status").read_text(encoding="utf-8")
    found = re.search(r"^PPid:\s*(\d+)", status, re.MULTILINE)
    assert found is not None
    return int(found[1])


@pytest.mark.parametrize("program", OPTIONS)
def test_a_run_ends_after_its_launcher_has(tmp_path: Path, library: Library, program: str) -> None:
    journal = tmp_path / f"{program}.journal.jsonl"
    with (tmp_path / "printed").open("w") as printed:
        run = started(library, program, OPTIONS[program], tmp_path, stdout=printed, stderr=printed)
    wait_for_samples(journal, 20)
    processes = processes_of(library.programs / program, tmp_path)
    assert len(processes) == 2
    for launcher in {run.pid, *map(parent_of, processes)}:
        send(launcher, signal.SIGKILL)
    run.wait()
    wait_until(lambda: not processes_of(library.programs / program, tmp_path), "they live on")
    if not (tmp_path / f"{program}.json").exists():
        assert main(["show", str(journal), "-o", beside(journal)]) == 0
    assert_verified(tmp_path, program)
    assert not result_in(tmp_path, program)["complete"]
