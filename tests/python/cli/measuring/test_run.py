"""`beff run --benchmark b_eff` as a user sees it, and how runs of both benchmarks end."""

import signal
from dataclasses import replace
from pathlib import Path

import pytest
from support.programs.programs import Programs
from support.reports import run_beff
from support.results import Plan, make_result
from support.runs import beff_run, engine_arguments, start_slow

from beff.cli.measuring import outcome
from beff.cli.measuring.benchmarks import RunOptions, accepts
from beff.definition.verify import verify
from beff.launch.allocation import usable_cores
from beff.launch.campaign import Progress
from beff.result.load import as_b_eff, check_document, load_document

B_EFF = ("--benchmark", "b_eff")
ONE = (*B_EFF, "--processes", "2", "--output-dir", "out")


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


def test_a_place_that_is_taken_costs_no_result(programs: Programs, tmp_path: Path) -> None:
    (tmp_path / "out/b_eff_2p.stderr.txt").mkdir(parents=True)
    done = beff_run(programs, tmp_path, *ONE)
    assert done.returncode == 0, done.stderr
    assert "b_eff_2p.stderr.txt" in done.stderr
    assert ", VALID" in done.stdout


def test_the_page_of_a_run_is_its_last_line(programs: Programs, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "report.html").write_text("mine", encoding="utf-8")
    done = beff_run(programs, tmp_path, *B_EFF, "--report", "--output-dir", "out", engine="short")
    assert done.stdout.splitlines()[-1].split() == ["report", "out/report-2.html"]
    assert "<title>b_eff " in (tmp_path / "out" / "report-2.html").read_text(encoding="utf-8")
    assert (tmp_path / "out" / "report.html").read_text(encoding="utf-8") == "mine"


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


def test_an_old_result_is_not_taken_for_a_new_one(programs: Programs, tmp_path: Path) -> None:
    assert beff_run(programs, tmp_path, *ONE, engine="short").returncode == 3
    assert beff_run(programs, tmp_path, *ONE).returncode == 2
    done = beff_run(programs, tmp_path, *ONE, "--overwrite", engine="fails")
    assert done.returncode == 1
    assert done.stdout == ""


@pytest.mark.parametrize("benchmark", ["b_eff", "b_eff_io"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_run_with_a_partial_result(
    programs: Programs, tmp_path: Path, benchmark: str, number: signal.Signals
) -> None:
    process = start_slow(programs, tmp_path, benchmark)
    process.send_signal(number)
    output, errors = process.communicate(timeout=240)
    assert process.returncode == (130 if number == signal.SIGINT else 3), errors
    missed = "patterns cut short or missing" if benchmark == "b_eff_io" else " loops measured"
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


@pytest.mark.parametrize(
    ("engine", "code", "is_whole"),
    [
        ("stuck", 1, None),
        ("woken", 3, False),
        ("unheard", 1, True),  # as where standard output has no place
    ],
)
def test_a_run_that_hangs_or_fails(
    programs: Programs, tmp_path: Path, engine: str, code: int, is_whole: bool | None
) -> None:
    done = beff_run(programs, tmp_path, *ONE, "--stall-limit", "1s", engine=engine)
    assert done.returncode == code
    assert ("1 s (--stall-limit)" in done.stderr) == (engine != "unheard")
    assert ("'beff show out/b_eff_2p.journal.jsonl'" in done.stderr) == (is_whole is None)
    assert ("partial" in done.stderr) == (is_whole is False)
    if is_whole is not None:
        assert load_document(tmp_path / "out/b_eff_2p.json").fields["complete"] is is_whole


def test_both_programs_get_short_options(programs: Programs, tmp_path: Path) -> None:
    done = beff_run(programs, tmp_path, "--quick", "--processes", "2", "--output-dir", "out")
    assert "compare b_eff short with other quick runs" in done.stdout, done.stderr
    short = engine_arguments(tmp_path / "out/b_eff_2p")
    assert short[short.index("--definition") + 1] == "short-1"
    assert "--memory-per-process" not in short
    files = engine_arguments(tmp_path / "out/b_eff_io_2p")
    assert files[files.index("--memory-per-process") + 1] == "64MiB"
    assert files[files.index("--time") + 1] == "30s"


@pytest.mark.parametrize("repetitions", [1, 3])
def test_a_quick_run_is_accepted_if_it_is_valid(repetitions: int) -> None:
    quick = RunOptions(quick=True)
    plan = Plan(definition="short-1", repetitions=repetitions)
    assert accepts(quick, as_b_eff(check_document("a.json", make_result(plan))))
    partial = make_result(replace(plan, measured=100))
    assert not accepts(quick, as_b_eff(check_document("a.json", partial)))


HALF = Progress(0.5, "4 of 8 patterns, 40 % of T = 30 s elapsed", "read, pattern 3 [scatter]")


def test_lines_off_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [100.0]
    monkeypatch.setattr(outcome.time, "monotonic", lambda: now[0])
    with outcome.showing("b_eff_io, 2 processes") as show:
        show(None)
        show(HALF)
        now[0] = 112.0
        show(Progress(None, "patterns: 4", ""))
        assert capsys.readouterr().err == ""
        show(HALF)
        show(HALF)
    assert capsys.readouterr().err == (
        "b_eff_io, 2 processes: 4 of 8 patterns, 40 % of T = 30 s elapsed (50 %), about 12 s left,"
        " now read, pattern 3 [scatter]\n"
    )


@pytest.mark.parametrize("terminal", ["xterm", "dumb", "unknown"])
def test_a_terminal_that_cannot_move_back_gets_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], terminal: str
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes it for a terminal then
    monkeypatch.setenv("TERM", terminal)
    with outcome.showing("b_eff") as show:
        show(None)
    assert ("starting" in capsys.readouterr().err) == (terminal == "xterm")


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


@pytest.mark.parametrize("engine", ["usage", "slow"])
def test_nothing_is_kept_where_all_was_shown(
    engine: str, programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_PAUSE_S", "0")
    beff_run(programs, tmp_path, "--processes", "2", "--output-dir", "out", engine=engine)
    assert not list(tmp_path.glob("**/*.stderr.txt"))


# --- b_eff_io, alone and after b_eff ---

BENCHMARKS = ("b_eff", "b_eff_io")
IO = ("--benchmark", "b_eff_io", "--processes", "2", "--output-dir", "out")
SHORT_BOUNDS = ["--max-data", "1024MiB", "--max-chunk", "8MiB"]


def test_both_benchmarks_by_default(programs: Programs, tmp_path: Path) -> None:
    done = beff_run(programs, tmp_path, "--processes", "2", "--output-dir", "out")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [word for line in lines for word in line.split()[:1] if word in BENCHMARKS] == [
        "b_eff",
        "b_eff_io",
    ]
    assert "beff run --benchmark b_eff_io -n 2 --time 30min" in map(str.strip, lines)
    assert len(lines) <= 20
    for name in ("b_eff_2p", "b_eff_io_2p"):
        assert verify(load_document(tmp_path / f"out/{name}.json")).agrees


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], ["--time", "30s", *SHORT_BOUNDS]),
        (["--time", "2min"], ["--time", "2min", *SHORT_BOUNDS]),
        (["--time", "15min"], ["--time", "15min"]),
        (["--time", "0.5h", "--max-data", "9GB"], ["--time", "0.5h", "--max-data", "9GB"]),
        (
            ["--filesystem-note", "8 servers"],
            ["--time", "30s", "--filesystem-note", "8 servers", *SHORT_BOUNDS],
        ),
        (["--max-data", "2GiB"], ["--time", "30s", "--max-data", "2GiB", "--max-chunk", "8MiB"]),
        (
            ["--", "--max-chunk", "2MiB"],
            ["--time", "30s", "--max-data", "1024MiB", "--max-chunk", "2MiB"],
        ),
    ],
)
def test_the_engine_is_told_what_to_do(
    programs: Programs, tmp_path: Path, arguments: list[str], expected: list[str]
) -> None:
    beff_run(programs, tmp_path, *IO, "--memory-per-process", "1GiB", *arguments)
    common = "--output out/b_eff_io_2p --progress never --memory-per-process 1GiB --path out"
    assert engine_arguments(tmp_path / "out/b_eff_io_2p") == [*common.split(), *expected]


def test_many_processes_may_write_more(programs: Programs, tmp_path: Path) -> None:
    refused = beff_run(programs, tmp_path, *IO, "--processes", str(9 * usable_cores().physical))
    assert refused.returncode == 2
    assert "--oversubscribe" in refused.stderr
    assert not (tmp_path / "out").exists()
    beff_run(programs, tmp_path, *IO, "--processes", "32", "--oversubscribe")
    assert "4096MiB" in engine_arguments(tmp_path / "out/b_eff_io_32p")


@pytest.mark.parametrize(
    ("engine", "io", "code"),
    [("short", "short", 3), ("short", "fails", 1), ("short", "usage", 2), ("fails", "short", 1)],
)
def test_the_worst_code_counts_and_the_other_program_runs(
    programs: Programs, tmp_path: Path, engine: str, io: str, code: int
) -> None:
    done = beff_run(programs, tmp_path, "--processes", "2", engine=engine, io=io)
    assert done.returncode == code, done.stderr
    other = "b_eff_io" if engine == "fails" else "b_eff"
    assert list(tmp_path.glob(f"results/*/{other}_2p.json"))


def test_a_missing_engine_is_told_before_anything_is_measured(
    programs: Programs, tmp_path: Path
) -> None:
    programs.io_engine.unlink()
    done = beff_run(programs, tmp_path, "--output-dir", "out")
    assert done.returncode == 2
    assert f"{programs.io_engine}: " in done.stderr
    assert not (tmp_path / "out").exists()
