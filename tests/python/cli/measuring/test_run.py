"""`beff run --benchmark b_eff` as a user sees it, and how runs of both benchmarks end."""

import os
import re
import signal
from pathlib import Path

import pytest
from support.programs.programs import Programs
from support.reports import run_beff
from support.runs import STOPPED_MISSED, beff_run, engine_arguments, start_slow

from beff.definition.verify import verify
from beff.result.load import load_document

B_EFF = ("--benchmark", "b_eff")
ONE = (*B_EFF, "--processes", "2", "--output-dir", "out")


def test_a_valid_run(programs: Programs, tmp_path: Path) -> None:
    done = beff_run(programs, tmp_path, *ONE)
    assert done.returncode == 0, done.stderr
    first, *_ = done.stdout.splitlines()
    assert re.match(r"b_eff +[\d.]+ .B/s, VALID", first)
    assert "Cray T3E/900-512" not in done.stdout
    assert done.stdout.splitlines()[-1] == "results    out"
    assert verify(load_document(tmp_path / "out/b_eff_2p.json")).agrees


@pytest.mark.parametrize(
    ("reference", "code", "says"),
    [
        ("{b_eff_MBps: [1, -0.5, null, MB/s]}", 0, "\ngood: 1 figure\n"),
        ("{b_eff_MBps: [1.0e+9, -0.1, 0.1, MB/s]}", 1, "\nbad: b_eff_MBps"),
        ("[]", 2, "expect.yaml: "),
    ],
)
def test_a_run_is_judged_by_expectations(
    reference: str, code: int, says: str, programs: Programs, tmp_path: Path
) -> None:
    expected = "expectations:\n- benchmark: b_eff\n  definition: 3.5\n  lmax_bytes: 1048576\n"
    expected += f"  reference: {reference}\n"
    (tmp_path / "expect.yaml").write_text(expected, encoding="utf-8")
    done = beff_run(programs, tmp_path, *B_EFF, "--processes", "2", "--expect", "expect.yaml")
    assert done.returncode == code, done.stdout + done.stderr
    assert says in done.stdout + done.stderr


def test_expectations_that_are_missing_end_before_the_measuring(
    programs: Programs, tmp_path: Path
) -> None:
    done = beff_run(programs, tmp_path, *B_EFF, "--processes", "2", "--expect", "nowhere.yaml")
    assert done.returncode == 2
    assert "nowhere.yaml: " in done.stderr
    assert not list(tmp_path.glob("**/*.json"))


def test_what_the_engine_says_beside_its_result_is_passed_on(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "b_eff: the journal cannot be written"
    monkeypatch.setenv("FAKE_SAYS", said)
    done = beff_run(programs, tmp_path, *ONE)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count(said) == 1
    assert "other words" not in done.stderr
    assert "out/b_eff_2p.stderr.txt" in done.stderr
    kept = (tmp_path / "out/b_eff_2p.stderr.txt").read_text(encoding="utf-8")
    assert kept == f"other words\n{said}\n"


def test_a_place_that_is_taken_costs_no_result(programs: Programs, tmp_path: Path) -> None:
    (tmp_path / "out/b_eff_2p.stderr.txt").mkdir(parents=True)
    done = beff_run(programs, tmp_path, *ONE)
    assert done.returncode == 0, done.stderr
    assert "b_eff_2p.stderr.txt" in done.stderr
    assert ", VALID" in done.stdout


@pytest.mark.parametrize("engine", ["usage", "slow"])
def test_nothing_is_kept_where_all_was_shown(
    engine: str, programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_PAUSE_S", "0")
    beff_run(programs, tmp_path, "--processes", "2", "--output-dir", "out", engine=engine)
    assert not list(tmp_path.glob("**/*.stderr.txt"))


def test_the_engine_is_told_where_and_how(programs: Programs, tmp_path: Path) -> None:
    beff_run(
        programs,
        tmp_path,
        *(*ONE, "--memory-per-process", "1GiB"),
        *("--", "--definition", "3.1", "--no-check"),
    )
    *arguments, launched_as = engine_arguments(tmp_path / "out/b_eff_2p")
    expected = "--output out/b_eff_2p --progress never --memory-per-process 1GiB"
    assert arguments == [*expected.split(), "--definition", "3.1", "--no-check"]
    assert launched_as.startswith(str(programs.launcher))
    assert launched_as.endswith("--definition 3.1 --no-check")


def test_several_numbers_of_processes(programs: Programs, tmp_path: Path) -> None:
    done = beff_run(
        programs, tmp_path, *B_EFF, "--processes", "2,3", "--output-dir", "out", engine="short"
    )
    assert done.returncode == 3, done.stderr
    assert done.stdout.count("NOT VALID: ") == 2
    assert done.stdout.count("1 repetition (3 needed)") == 2
    for count in (2, 3):
        document = load_document(tmp_path / f"out/b_eff_{count}p.json")
        assert document.fields["environment"]["processes"] == count


def test_the_page_of_a_run_is_its_last_line(programs: Programs, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "report.html").write_text("mine", encoding="utf-8")
    done = beff_run(programs, tmp_path, *B_EFF, "--report", "--output-dir", "out", engine="short")
    assert done.stdout.splitlines()[-1] == "report     out/report-2.html"
    assert "<title>b_eff " in (tmp_path / "out" / "report-2.html").read_text(encoding="utf-8")
    assert (tmp_path / "out" / "report.html").read_text(encoding="utf-8") == "mine"


def test_default_folder_and_processes(programs: Programs, tmp_path: Path) -> None:
    done = beff_run(programs, tmp_path, *B_EFF, engine="short")
    assert done.returncode == 3, done.stderr
    (folder,) = (tmp_path / "results").iterdir()
    (result,) = folder.glob("b_eff_*p.json")
    expected = max(2, len(os.sched_getaffinity(0)))
    assert load_document(result).fields["environment"]["processes"] <= expected


def test_open_mpi_is_started_its_own_way(programs: Programs, tmp_path: Path) -> None:
    done = beff_run(
        programs,
        tmp_path,
        *(*B_EFF, "--processes", "9999", "--output-dir", "out"),
        engine="silent",
        launcher="mpiexec (Open MPI) 5.0.3",
    )
    assert done.returncode == 1
    launched_as = engine_arguments(tmp_path / "out/b_eff_9999p")[-1]
    assert "--bind-to none --oversubscribe -n 9999" in launched_as


@pytest.mark.parametrize("benchmark", ["b_eff", "b_eff_io"])
@pytest.mark.parametrize(
    ("engine", "says"),
    [
        (
            "fails",
            ["{}: something broke", "exit code 1"],
        ),
        ("silent", ["exit code 0", "no result"]),
        ("damaged", ["{}_2p.json: ", "beff show"]),
        ("wrong", ["summary.{}_MBps is "]),
    ],
)
def test_an_engine_that_fails(
    programs: Programs, tmp_path: Path, benchmark: str, engine: str, says: list[str]
) -> None:
    wanted = ("--benchmark", benchmark, "--processes", "2")
    done = beff_run(programs, tmp_path, *wanted, engine=engine, io=engine)
    assert done.returncode == 1
    assert [text for text in says if text.format(benchmark) not in done.stdout + done.stderr] == []
    assert "Traceback" not in done.stderr


def test_an_engine_without_its_mpi_library(programs: Programs, tmp_path: Path) -> None:
    done = beff_run(programs, tmp_path, *ONE, engine="no_mpi")
    assert done.returncode == 1
    assert "libmpi.so.12" in done.stderr
    assert "[mpich]'" in done.stderr


def test_wrong_usage_of_the_engine_ends_all_runs(programs: Programs, tmp_path: Path) -> None:
    done = beff_run(programs, tmp_path, *B_EFF, "--processes", "2,3", engine="usage")
    assert done.returncode == 2
    assert done.stderr.count("--memory-per-process 0: ") == 1


def test_an_old_result_is_not_taken_for_a_new_one(programs: Programs, tmp_path: Path) -> None:
    assert beff_run(programs, tmp_path, *ONE, engine="short").returncode == 3
    assert beff_run(programs, tmp_path, *ONE).returncode == 2
    done = beff_run(programs, tmp_path, *ONE, "--overwrite", engine="fails")
    assert done.returncode == 1
    assert done.stdout == ""


@pytest.mark.parametrize("option", ["--engine", "--launcher"])
def test_a_program_that_is_missing(programs: Programs, tmp_path: Path, option: str) -> None:
    done = beff_run(programs, tmp_path, *B_EFF, option, "/nowhere/program")
    assert done.returncode == 2
    assert f"{option} /nowhere/program: " in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_folder_that_cannot_be_made(programs: Programs, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = beff_run(programs, tmp_path, *B_EFF, "--output-dir", "file/below")
    assert done.returncode == 2
    assert "--output-dir" in done.stderr


@pytest.mark.parametrize("benchmark", ["b_eff", "b_eff_io"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_run_with_a_partial_result(
    programs: Programs, tmp_path: Path, benchmark: str, number: signal.Signals
) -> None:
    process = start_slow(programs, tmp_path, benchmark)
    process.send_signal(number)
    output, errors = process.communicate(timeout=240)
    assert process.returncode == (130 if number == signal.SIGINT else 3), errors
    missed = STOPPED_MISSED if benchmark == "b_eff_io" else " loops measured"
    assert "NOT VALID: " in output
    assert missed in " ".join(run_beff("show", "--all", tmp_path / "out").stdout.split())
    assert not (tmp_path / f"out/{benchmark}_3p.json").exists()


def test_a_stopped_run_without_a_result_can_be_recovered(
    programs: Programs, tmp_path: Path
) -> None:
    process = start_slow(programs, tmp_path, "b_eff", "deaf")
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=240)
    assert process.returncode == 130
    assert "SIGINT and left no" in errors
    assert "'beff show out/b_eff_2p.journal.jsonl'" in errors


def test_a_run_that_hangs_is_ended(programs: Programs, tmp_path: Path) -> None:
    done = beff_run(programs, tmp_path, *ONE, "--stall-limit", "1s", engine="stuck")
    assert done.returncode == 1
    assert "1 s (--stall-limit)" in done.stderr
    assert "'beff show out/b_eff_2p.journal.jsonl'" in done.stderr


def test_a_run_that_hangs_and_still_writes_its_result(programs: Programs, tmp_path: Path) -> None:
    done = beff_run(programs, tmp_path, *ONE, "--stall-limit", "1s", engine="woken")
    assert done.returncode == 3
    assert "1 s (--stall-limit)" in done.stderr
    assert load_document(tmp_path / "out/b_eff_2p.json").fields["complete"] is False
    assert "partial" in done.stderr


def test_a_run_that_fails_and_has_its_whole_result(programs: Programs, tmp_path: Path) -> None:
    """As where standard output has no place."""
    done = beff_run(programs, tmp_path, *ONE, engine="unheard")
    assert done.returncode == 1
    assert "exit code 1" in done.stderr
    assert load_document(tmp_path / "out/b_eff_2p.json").fields["complete"] is True
    assert "partial" not in done.stderr


def test_a_stall_limit_that_is_no_duration_is_refused(programs: Programs, tmp_path: Path) -> None:
    done = beff_run(programs, tmp_path, *B_EFF, "--stall-limit", "soon")
    assert done.returncode == 2
    assert "--stall-limit soon: " in done.stderr
