"""`beff run` with b_eff_io, alone and after b_eff, with stand-ins for engines and launcher."""

import shlex
import sys
from pathlib import Path

import pytest
from support.programs.programs import Programs
from support.reports import run_beff
from support.runs import STOPPED_MISSED, beff_run, engine_arguments

from beff.definition.verify import verify
from beff.result.load import load_document
from beff.result.numbers import rate

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
    wanted = "beff run --benchmark b_eff_io -n 2 --path out --time 30min"
    assert f"valid I/O  {shlex.join([*wanted.split(), *programs.options()])}" in lines
    assert len(lines) <= 20
    for name in ("b_eff_2p", "b_eff_io_2p"):
        assert verify(load_document(tmp_path / f"out/{name}.json")).agrees


def test_what_is_shown_of_a_result(programs: Programs, tmp_path: Path) -> None:
    done = beff_run(programs, tmp_path, *IO)
    assert done.returncode == 0, done.stderr
    assert "Cray T3E/900-512" not in done.stdout
    fields = load_document(tmp_path / "out/b_eff_io_2p.json").fields
    summary = fields["summary"]
    text = " ".join(done.stdout.split())
    assert rate(summary["b_eff_io_MBps"]) not in text
    parts = (f"{name} {rate(summary[f'{name}_MBps'])}" for name in ("write", "rewrite", "read"))
    assert f"b_eff_io a glance: {', '.join(parts)}" in text
    assert "NOT VALID: T = 1 s (30 min needed)" in text


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], ["--time", "30s", *SHORT_BOUNDS]),
        (["--time", "2min"], ["--time", "2min", *SHORT_BOUNDS]),
        (["--time", "15min"], ["--time", "15min"]),
        (["--time", "0.5h", "--max-data", "9GB"], ["--time", "0.5h", "--max-data", "9GB"]),
        (
            ["--filesystem-note", "8 servers"],
            ["--time", "30s", *SHORT_BOUNDS, "--filesystem-note", "8 servers"],
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
    beff_run(programs, tmp_path, *IO, "--processes", "32")
    assert "4096MiB" in engine_arguments(tmp_path / "out/b_eff_io_32p")


def test_path_of_the_files(programs: Programs, tmp_path: Path) -> None:
    (tmp_path / "big disk").mkdir()
    done = beff_run(programs, tmp_path, *IO, "--path", "big disk")
    arguments = engine_arguments(tmp_path / "out/b_eff_io_2p")
    assert arguments[arguments.index("--path") + 1] == "big disk"
    assert "--path 'big disk' --time 30min" in done.stdout


def test_a_short_run_on_demand_is_not_excused(programs: Programs, tmp_path: Path) -> None:
    done = beff_run(programs, tmp_path, *IO, "--time", "30s")
    assert done.returncode == 3, done.stderr
    assert "valid I/O  beff run" in done.stdout


def test_the_command_of_a_valid_run_keeps_what_was_given(
    programs: Programs, tmp_path: Path
) -> None:
    kept = ["--procedure", "original", "--filesystem-note", "8  servers"]
    kept += ["--numbering", "sequential", "--memory-per-process", "1GiB", *programs.options()]
    kept += ["--stall-limit", "1h", "--report"]
    bounds = ["--max-data", "1GiB", "--overwrite", "--time", "1min"]
    behind = ["--shift-readers", "--hang-limit=20min", "--types", "0,2", "--partitions", "2"]
    done = beff_run(programs, tmp_path, *IO, *kept, *bounds, "--", *behind)
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("valid I/O"))
    wanted = "beff run --benchmark b_eff_io -n 2 --path out --time 15min"
    rest = ["--", "--shift-readers", "--hang-limit", "20min", "--partitions", "2"]
    assert line.removeprefix("valid I/O  ") == shlex.join([*wanted.split(), *kept, *rest])


def test_a_long_run_is_not_called_short(programs: Programs, tmp_path: Path) -> None:
    done = beff_run(programs, tmp_path, *IO, "--time", "30min")
    assert done.returncode == 3
    assert "valid I/O" not in done.stdout


def test_a_short_run_that_was_stopped_is_not_excused(programs: Programs, tmp_path: Path) -> None:
    done = beff_run(programs, tmp_path, *IO, io="stopped")
    assert done.returncode == 3, done.stderr
    assert ", NOT VALID" in done.stdout
    shown = run_beff("show", "--all", tmp_path / "out")
    assert STOPPED_MISSED in " ".join(shown.stdout.split())


@pytest.mark.parametrize(("io", "code"), [("short", 3), ("fails", 1), ("usage", 2)])
def test_the_worst_code_counts(programs: Programs, tmp_path: Path, io: str, code: int) -> None:
    done = beff_run(programs, tmp_path, "--processes", "2", engine="short", io=io)
    assert done.returncode == code, done.stderr
    assert list(tmp_path.glob("results/*/b_eff_2p.json"))


def test_b_eff_io_runs_although_b_eff_failed(programs: Programs, tmp_path: Path) -> None:
    done = beff_run(programs, tmp_path, "--processes", "2", engine="fails")
    assert done.returncode == 1
    assert list(tmp_path.glob("results/*/b_eff_io_2p.json"))


def test_a_missing_engine_is_told_before_anything_is_measured(
    programs: Programs, tmp_path: Path
) -> None:
    programs.io_engine.unlink()
    done = beff_run(programs, tmp_path, "--output-dir", "out")
    assert done.returncode == 2
    assert f"{programs.io_engine}: " in done.stderr
    assert not (tmp_path / "out").exists()


def test_the_engine_option_takes_the_folder(programs: Programs, tmp_path: Path) -> None:
    done = beff_run(programs, tmp_path, *IO, "--engine", str(programs.folder))
    assert done.returncode == 0, done.stderr
    done = beff_run(
        programs, tmp_path, "--benchmark", "b_eff_io", "--engine", str(programs.io_engine)
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--", "--loop-time", "1ms"], "choose one by --benchmark"),
        (["--benchmark", "b_eff_oi"], "'b_eff_oi' is not one of 'b_eff', 'b_eff_io'"),
        (["--path", "nowhere"], "--path nowhere: there is no such folder"),
        (["--time", "30"], "--time 30: must be a duration above 0, such as 90s or 30min"),
        (["--time", "0s"], "--time 0s: must be a duration above 0"),
        (["--max-data", "1GiBi"], "--max-data 1GiBi: must be a size, such as 512MiB"),
        (["--benchmark", "b_eff", "--time", "1min"], "--time 1min: belongs to b_eff_io"),
        (
            ["--benchmark", "b_eff", "--filesystem-note", "fast"],
            "--filesystem-note fast: belongs to b_eff_io",
        ),
        (["--benchmark", "b_eff_io", "--", "--time=1min"], "--time cannot be given behind '--'"),
        (["--benchmark", "b_eff_io", "--", "--plan"], "start the measuring program b_eff_io"),
        (["--engine", sys.executable], "is one program for several benchmarks"),
        (["--engine", "nowhere"], "--engine nowhere: there is no such program"),
        (["--processes", "2,3,02"], "--processes 2,3,02: names 2 twice"),
    ],
)
def test_wrong_usage(
    programs: Programs, tmp_path: Path, arguments: list[str], message: str
) -> None:
    done = beff_run(programs, tmp_path, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize("names", [["b_eff_io", "b_eff"], ["b_eff_io", "b_eff", "b_eff_io"]])
def test_several_benchmarks_by_name(programs: Programs, tmp_path: Path, names: list[str]) -> None:
    options = [part for name in names for part in ("--benchmark", name)]
    done = beff_run(programs, tmp_path, *options, "--processes", "2")
    assert done.returncode == 0, done.stderr
    started = [line.split()[0] for line in done.stderr.splitlines() if "started by" in line]
    assert started == ["b_eff", "b_eff_io"]
