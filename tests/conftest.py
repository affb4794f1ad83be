"""What all tests share."""

import gc
import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from support.programs.programs import Programs, make_programs

from left_processes import pytest_sessionfinish
from thorough import pytest_itemcollected, pytest_terminal_summary

__all__ = ["pytest_itemcollected", "pytest_sessionfinish", "pytest_terminal_summary"]

# Most tests run more processes than there are cores, which keep a core busy while they wait, so
# that a barrier of 4 of MPICH's on 2 cores takes 8 ms; with these they sleep, and it takes 0.03 ms.
os.environ.setdefault("MPIR_CVAR_CH4_PROGRESS_THROTTLE", "1")
os.environ.setdefault("MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT", "1")
os.environ.setdefault("OMPI_MCA_mpi_yield_when_idle", "1")
os.environ.setdefault("OMPI_MCA_threads_pthreads_yield_strategy", "nanosleep")

# Signals that are ignored where the suite is started, as below nohup, would be in what it starts.
# Python itself ignores SIGPIPE and SIGXFSZ, but for what it starts.
for number in signal.valid_signals() - {signal.SIGPIPE, signal.SIGXFSZ}:
    if signal.getsignal(number) is signal.SIG_IGN:
        is_ctrl_c = number == signal.SIGINT
        signal.signal(number, signal.default_int_handler if is_ctrl_c else signal.SIG_DFL)

# Neither a slow machine nor a busy one is a fault. The suite takes the same examples each time, so
# that a commit once green stays green; `make fuzz` sets the number of cases and looks for new ones.
FUZZING = "BEFF_FUZZ_CASES" in os.environ
settings.register_profile(
    "suite",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=not FUZZING,
    max_examples=100 if FUZZING else 40,
)
settings.load_profile("suite")


def pytest_collection_finish() -> None:
    """Look for cycles seldom, and not among the modules: that took an eighth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 10, 10)


@pytest.fixture
def programs(tmp_path: Path) -> Programs:
    """A stand-in engine and launcher in a folder of their own."""
    folder = tmp_path / "programs"
    folder.mkdir()
    return make_programs(folder)
