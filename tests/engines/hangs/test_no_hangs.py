"""What takes long, or waits long, is no hang."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import time
from pathlib import Path

import pytest

from engines.b_eff_io.io_support import tight
from engines.hangs.hang_support import BOUND_S, LIMIT, OPTIONS, SIX, hanging
from engines.processes import long_run, processes_of, send, started
from engines.support import MPICH, OPENMPI, SHORT, Library, assert_verified, result_in


def test_who_waits_outside_a_partition_writes_nothing(tmp_path: Path) -> None:
    """Longer than twice the limit, as the others open files in 2 s each; but nobody asks.

    Rank 0 alone says that it lives.
    """
    env = hanging(MPICH, "MPI_File_open 1 2")
    options = [*tight(2), "--types", "0,2", "--hang-limit", "5s"]
    roll, length = tmp_path / "b_eff_io.roll", 256
    written: list[set[bytes]] = [set(), set(), set()]
    with started(
        MPICH, "b_eff_io", options, tmp_path, stdout=subprocess.DEVNULL, processes=3, env=env
    ) as run:
        while run.poll() is None:
            with contextlib.suppress(FileNotFoundError):
                text = roll.read_bytes()
                for rank, lines in enumerate(written, start=1):
                    lines.add(text[rank * length : (rank + 1) * length].strip())
            time.sleep(0.05)
    assert result_in(tmp_path, "b_eff_io")["complete"]
    signs, *others = (lines - {b""} for lines in written)
    assert len(signs) > 1
    assert [len(lines) for lines in others] == [1, 1]


@pytest.mark.parametrize(("library", "program"), [(MPICH, "b_eff"), (OPENMPI, "b_eff_io")])
def test_a_rank_0_that_is_slow_to_write_ends_nobody(
    tmp_path: Path, library: Library, program: str
) -> None:
    env = hanging(library, "journal 0 4 result 0 4")
    options = [*OPTIONS[program], *SIX]
    run = library.run(2, *options, cwd=tmp_path, env=env, program=program, timeout_s=BOUND_S)
    assert "did not" not in run.stderr
    assert result_in(tmp_path, program)["complete"]


def test_a_job_that_was_suspended_as_a_whole_goes_on(tmp_path: Path) -> None:
    options = [*SHORT, "--patterns", "0-2", "--repetitions", "15", *LIMIT]
    with long_run(MPICH, "b_eff", options, tmp_path, samples=2, processes=3) as run:
        for process in processes_of(run.program, tmp_path):
            send(process, signal.SIGSTOP)
        time.sleep(9)  # three times the limit
        run.send(signal.SIGCONT)
    assert result_in(tmp_path)["complete"]
    assert_verified(tmp_path)


def test_a_long_wait_for_the_next_pass_is_no_hang(tmp_path: Path) -> None:
    """Passes begin every 12 s; a hang would be reported after some 9 s."""
    options = ["--memory-per-process", "4MiB", "--progress", "never"]
    options += ["--duration", "40min", "--hang-limit", "1s"]
    with long_run(MPICH, "b_pairs", options, tmp_path, samples=2) as run:
        assert run.process.poll() is None
        run.send(signal.SIGTERM)
    result = result_in(tmp_path, "b_pairs")
    assert result["no_answer"] is None
    assert any("a signal" in str(text) for text in result["cautions"])
