"""`beff doctor` with stand-ins for the measuring program and the launcher."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.programs.fake_engine import probe_fields as _probe
from support.programs.programs import Programs, write_script

from beff.cli.app import main
from beff.launch import process

WAITING_ENGINE = """\
import sys, time
if "--version" not in sys.argv:
    print({said!r}, file=sys.stderr, flush=True)
    time.sleep(300)
"""


@pytest.mark.parametrize(
    ("environment", "clock"), [({"oversubscribed": True}, {}), ({}, {"barrier_cost_s": 0.238})]
)
def test_processes_that_wait_for_a_core(
    environment: dict[str, bool],
    clock: dict[str, float],
    programs: Programs,
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = _probe(2)
    seen = {**told["environment"], **environment}
    seen["clock"] = {**seen["clock"], **clock}
    write_script(programs.engine, f"print({json.dumps({**told, 'environment': seen})!r})")
    assert main(["doctor", *programs.options(), "--processes", "2", "--json"]) == 3
    assert len(json.loads(capsys.readouterr().out)["doubts"]) == 1


def test_missing_pieces_each_have_a_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    assert main(["doctor", "--engine", "/nowhere/b_eff", "--json"]) == 1
    engine, launcher = json.loads(capsys.readouterr().out)["problems"]
    assert engine.startswith("--engine /nowhere/b_eff: ")
    assert "launcher" in launcher
    assert main(["doctor", "--engine", "/nowhere/b_eff"]) == 1
    told = capsys.readouterr().out
    assert told.count("problem: ") == 2
    assert "cores" in told


@pytest.mark.parametrize(
    ("does", "says"),
    [
        ("print('hello')", "--probe"),
        ("sys.exit('b_eff: something broke')", "exit code 1: b_eff: something broke"),
    ],
)
def test_an_engine_that_fails_or_tells_nothing(
    does: str, says: str, programs: Programs, capsys: pytest.CaptureFixture[str]
) -> None:
    write_script(programs.engine, f"import sys\n{does}")
    assert main(["doctor", *programs.options(), "--json"]) == 1
    (problem,) = json.loads(capsys.readouterr().out)["problems"]
    assert says in problem


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
    ],
)
def test_the_signal_that_ended_a_process_is_named(
    programs: Programs,
    capsys: pytest.CaptureFixture[str],
    said: tuple[str, str],
    code: int,
    names: list[str],
) -> None:
    """Hydra joins the numbers of all processes by OR, and kills (9) those that are left."""
    says = f"import sys; print({said[0]!r}); print({said[1]!r}, file=sys.stderr); sys.exit({code})"
    write_script(programs.engine, says)
    assert main(["doctor", *programs.options(), "--processes", "2", "--json"]) == 1
    (problem,) = json.loads(capsys.readouterr().out)["problems"]
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
    programs: Programs,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    death: tuple[str, int],
    is_blamed: bool,
) -> None:
    line, mebibytes = death
    size = SimpleNamespace(f_blocks=mebibytes, f_frsize=1 << 20, f_bavail=mebibytes)
    monkeypatch.setattr("os.statvfs", lambda _: size)
    write_script(programs.engine, f"import sys; print({line!r}, file=sys.stderr); sys.exit(255)")
    assert main(["doctor", *programs.options(), "--processes", "2", "--json"]) == 1
    (problem,) = json.loads(capsys.readouterr().out)["problems"]
    assert ("/dev/shm" in problem) == is_blamed


@pytest.mark.parametrize("label", ["0: ", "[0] ", "[1,0]<stdout>: ", "[1,0]<stdout>:"])
def test_lines_with_the_rank_before_them_are_understood(
    programs: Programs, capsys: pytest.CaptureFixture[str], label: str
) -> None:
    """As srun -l, mpiexec -l and mpirun --tag-output write them."""
    answer = json.dumps(_probe(2), indent=1)
    labelled = "\n".join(f"{label}{line}" for line in answer.splitlines())
    write_script(programs.engine, f"print({labelled!r})")
    assert main(["doctor", *programs.options(), "--processes", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["problems"] == []


def test_a_launcher_that_waits_for_its_own_step_is_ended_soon(
    programs: Programs, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "srun: Job 4711 step creation temporarily disabled, retrying (nodes are busy)"
    monkeypatch.setattr(process, "_SHOWN_AFTER_S", 0.2)
    monkeypatch.setenv("SLURM_STEP_ID", "0")
    write_script(programs.engine, f"{WAITING_ENGINE.format(said=said)}")
    assert main(["doctor", *programs.options(), "--processes", "2", "--json"]) == 1
    shown = capsys.readouterr()
    (problem,) = json.loads(shown.out)["problems"]
    assert said in problem
    assert "--overlap" in problem
    assert shown.err.splitlines() == [f"  {said}"]


def test_files_in_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By the programs that are installed: two processes write and read, and leave nothing."""
    folder = tmp_path / "files"
    folder.mkdir()
    main(["doctor", "-n", "2", "--path", str(folder), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["problems"] == []
    assert told["filesystem"]["free_at_start_bytes"] > 0
    assert list(folder.iterdir()) == []


def test_what_would_not_be_valid(programs: Programs, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", *programs.options(), "--processes", "3"]) == 3
    told = capsys.readouterr().out
    assert "not valid: build" in told
    assert "can be valid" not in told


def test_json(programs: Programs, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", *programs.options(), "--processes", "2", "--json"]) == 0
    fields = json.loads(capsys.readouterr().out)
    assert fields["engine"] == {"path": str(programs.engine), "version": "b_eff 9.9.9 (test)"}
    assert fields["launcher"]["flavour"] == "MPICH hydra"
    assert fields["probe"]["environment"]["processes"] == 2
    assert fields["lmax_bytes"] == 1 << 20
    assert fields["problems"] == []


def test_a_folder_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "missing"
    assert main(["doctor", "-n", "2", "--path", str(missing)]) == 1
    assert str(missing) in capsys.readouterr().out
