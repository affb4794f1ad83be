"""`beff doctor` with stand-ins for the measuring program and the launcher."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.programs.fake_engine import probe_fields as _probe
from support.programs.programs import Programs, write_script
from support.reports import run_beff

from beff.launch import process

WAITING_ENGINE = """\
import sys, time
if "--version" not in sys.argv:
    print({said!r}, file=sys.stderr, flush=True)
    time.sleep(300)
"""


def doctor(*options: object) -> tuple[int, dict[str, Any], str]:
    """Exit code, object and errors."""
    done = run_beff("doctor", *options, "--json")
    return done.returncode, json.loads(done.stdout), done.stderr


def problem_of(programs: Programs) -> str:
    """What is said of two processes that cannot measure."""
    code, found, _ = doctor(*programs.options(), "--processes", "2")
    assert code == 1
    (problem,) = found["problems"]
    return str(problem)


@pytest.mark.parametrize(
    ("environment", "clock"), [({"oversubscribed": True}, {}), ({}, {"barrier_cost_s": 0.238})]
)
def test_processes_that_wait_for_a_core(
    environment: dict[str, bool], clock: dict[str, float], programs: Programs
) -> None:
    told = _probe(2)
    seen = {**told["environment"], **environment}
    seen["clock"] = {**seen["clock"], **clock}
    write_script(programs.engine, f"print({json.dumps({**told, 'environment': seen})!r})")
    code, found, _ = doctor(*programs.options(), "--processes", "2")
    assert (code, len(found["doubts"])) == (3, 1)


def test_missing_pieces_each_have_a_sentence() -> None:
    missing = ("doctor", "--engine", "/nowhere/b_eff")
    told = run_beff(*missing, PATH="")
    assert (told.returncode, told.stdout.count("problem: ")) == (1, 2)
    assert "cores" in told.stdout
    engine, launcher = json.loads(run_beff(*missing, "--json", PATH="").stdout)["problems"]
    assert engine.startswith("--engine /nowhere/b_eff: ")
    assert "launcher" in launcher


RULER = "=" * 83
HYDRA = f"{RULER}\n=   BAD TERMINATION\n=   EXIT CODE: 9\n{RULER}\nTHE EXIT STRING: {{}}"


@pytest.mark.parametrize(
    ("said", "code", "names"),
    [
        ((HYDRA.format("Segmentation fault (signal 11)"), ""), 11, ["SIGSEGV"]),
        ((HYDRA.format("Illegal instruction (signal 4)"), ""), 4, ["SIGILL"]),
        ((HYDRA.format("Bus error (signal 7)"), ""), 7, ["SIGBUS", "/dev/shm", "--shm-size"]),
        ((HYDRA.format("Terminated (signal 15)"), ""), 15, ["SIGBUS", "SIGABRT", "/dev/shm"]),
        ((HYDRA.format("Broken pipe (signal 13)"), ""), 13, ["SIGILL"]),
        ((HYDRA.format("Killed (signal 9)"), ""), 9, ["SIGKILL"]),
        ((HYDRA.format("Killed (signal 9)"), "b_eff: no memory"), 9, ["b_eff: no memory"]),
        (("", "-----\nprterun noticed that it exited on\nsignal 7 (Bus error)."), 1, ["SIGBUS"]),
        (("", "= KILLED BY SIGNAL: 11 (Segmentation fault)"), 11, ["SIGSEGV"]),
        (("", "srun: error: n1: tasks 0-1: Aborted (core dumped)"), 134, ["SIGABRT"]),
        ((HYDRA.format("3"), ""), 3 + 64, ["BAD TERMINATION"]),
        (("", "b_eff: something broke"), 1, ["exit code 1: b_eff: something broke"]),
        (("hello", ""), 0, ["--probe"]),
    ],
)
def test_why_an_engine_ended_is_said(
    programs: Programs, said: tuple[str, str], code: int, names: list[str]
) -> None:
    """Hydra joins the numbers of all processes by OR, and kills (9) those that are left."""
    says = f"import sys; print({said[0]!r}); print({said[1]!r}, file=sys.stderr); sys.exit({code})"
    write_script(programs.engine, says)
    problem = problem_of(programs)
    assert all(name in problem for name in names)
    assert "===" not in problem


@pytest.mark.parametrize(
    ("death", "is_blamed"),
    [
        (("= KILLED BY SIGNAL: 11 (Segmentation fault)", 64), True),
        (("= KILLED BY SIGNAL: 11 (Segmentation fault)", 4096), False),
        (("= KILLED BY SIGNAL: 4 (Illegal instruction)", 64), False),
        (("unable to forward PMI response to MPI process", 64), True),
        (("b_eff: no memory\nunable to forward PMI response to MPI process", 64), False),
    ],
)
def test_a_small_shared_memory_is_blamed_for_a_death_that_it_may_explain(
    programs: Programs, monkeypatch: pytest.MonkeyPatch, death: tuple[str, int], is_blamed: bool
) -> None:
    line, mebibytes = death
    size = SimpleNamespace(f_blocks=mebibytes, f_frsize=1 << 20, f_bavail=mebibytes)
    monkeypatch.setattr("os.statvfs", lambda _: size)
    write_script(programs.engine, f"import sys; print({line!r}, file=sys.stderr); sys.exit(255)")
    assert ("/dev/shm" in problem_of(programs)) == is_blamed


@pytest.mark.parametrize("label", ["0: ", "[0] ", "[1,0]<stdout>: ", "[1,0]<stdout>:"])
def test_lines_with_the_rank_before_them_are_understood(programs: Programs, label: str) -> None:
    """As srun -l, mpiexec -l and mpirun --tag-output write them."""
    answer = json.dumps(_probe(2), indent=1)
    labelled = "\n".join(f"{label}{line}" for line in answer.splitlines())
    write_script(programs.engine, f"print({labelled!r})")
    code, found, _ = doctor(*programs.options(), "--processes", "2")
    assert (code, found["problems"]) == (0, [])


def test_a_launcher_that_waits_for_its_own_step_is_ended_soon(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "srun: Job 4711 step creation temporarily disabled, retrying (nodes are busy)"
    monkeypatch.setattr(process, "_SHOWN_AFTER_S", 0.2)
    monkeypatch.setenv("SLURM_STEP_ID", "0")
    write_script(programs.engine, f"{WAITING_ENGINE.format(said=said)}")
    code, found, shown = doctor(*programs.options(), "--processes", "2")
    (problem,) = found["problems"]
    assert code == 1
    assert said in problem
    assert "--overlap" in problem
    assert shown.splitlines() == [f"  {said}"]


def test_files_in_a_folder(tmp_path: Path) -> None:
    """By the programs that are installed: two processes write and read, and leave nothing."""
    _, told, _ = doctor("-n", "2", "--path", tmp_path)
    assert told["problems"] == []
    assert told["filesystem"]["free_at_start_bytes"] > 0
    assert list(tmp_path.iterdir()) == []
    code, told, _ = doctor("-n", "2", "--path", tmp_path / "missing")
    assert code == 1
    assert str(tmp_path / "missing") in str(told["problems"])


def test_what_would_not_be_valid(programs: Programs) -> None:
    told = run_beff("doctor", *programs.options(), "--processes", "3")
    assert told.returncode == 3
    assert "not valid: build" in told.stdout
    assert "can be valid" not in told.stdout


def test_json(programs: Programs) -> None:
    code, fields, _ = doctor(*programs.options(), "--processes", "2")
    assert code == 0
    assert fields["engine"] == {"path": str(programs.engine), "version": "b_eff 9.9.9 (test)"}
    assert fields["launcher"]["flavour"] == "MPICH hydra"
    assert fields["probe"]["environment"]["processes"] == 2
    assert fields["lmax_bytes"] == 1 << 20
    assert fields["problems"] == []
