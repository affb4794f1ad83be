"""What the tests of b_eff_io share."""

from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

from engines.support import SHORT, Library, measured, result_in, standin

PROGRAM = "b_eff_io"
TINY = ["--path", ".", "--memory-per-node", "256MiB", "--progress", "never"]
"""Options that make the largest chunk 2 MiB; time and amount are up to the test."""
BYTES_PER_PROCESS = 36
"""MiB that one call of each pattern needs, and some more, with chunks of at most 2 MiB."""


def tight(processes: int) -> list[str]:
    """Options of a run that writes little more than it must, whatever time that takes."""
    return [
        *TINY,
        *("--partitions", str(processes), "--time", "10min"),
        *("--max-data", f"{BYTES_PER_PROCESS * processes}MiB"),
    ]


QUICK = {
    "b_eff": [*SHORT, "--patterns", "0-3", "--repetitions", "1"],
    "b_eff_io": [*tight(2), "--types", "2"],
    "b_pairs": ["--memory-per-process", "4MiB", "--progress", "never", "--duration", "1s"],
}
"""Options of short runs of two processes."""


def io_measured(
    library: Library, folder: Path, *options: str, **more: Any
) -> tuple[dict[str, Any], CompletedProcess[str]]:
    """Run b_eff_io, shortened; its verified result. Its files are gone, unless they are kept."""
    result, run = measured(library, folder, *options, program=PROGRAM, timeout_s=240, **more)
    if "--keep-files" not in options:
        assert run_folders(folder) == []
    return result, run


def io_result(folder: Path) -> dict[str, Any]:
    """The result of a run."""
    return result_in(folder, PROGRAM)


def run_folders(folder: Path) -> list[Path]:
    """Folders with the files of runs below `folder`."""
    return sorted(path for path in folder.glob("b_eff_io-*") if path.is_dir())


def faulty(library: Library, folder: Path, fault: str) -> dict[str, str]:
    """Environment of a run whose MPI library fails in this way."""
    return {
        "LD_PRELOAD": str(standin(library.headers, "faulty_io_mpi.c")),
        "BEFF_TEST_FAULT": fault,
        "BEFF_TEST_FOLDER": str(folder),
    }
