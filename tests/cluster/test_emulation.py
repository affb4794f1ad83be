"""The emulated cluster itself: what it is made of, and that nothing of it stays."""

import signal
import subprocess
import sys
import time
from pathlib import Path

from cluster.emulation.cell import processes_with, remove_leftovers


def test_a_cell_ends_with_its_maker() -> None:
    """A maker that is killed leaves a folder, which the next cell removes, and no process."""
    words = ["--hosts", "2", "--", "sh", "-c", 'echo "$BEFF_CELL"; exec sleep 1000']
    maker = subprocess.Popen(
        [sys.executable, "-m", "cluster.emulation", *words],
        cwd=Path(__file__).resolve().parents[1],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with maker:
        assert maker.stdout is not None
        folder = Path(maker.stdout.readline().strip())
        assert folder.is_dir()
        maker.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 240
    while processes_with(f"BEFF_CELL={folder}") and time.monotonic() < deadline:
        time.sleep(0.1)
    assert processes_with(f"BEFF_CELL={folder}") == []
    remove_leftovers()
    assert not folder.exists()
