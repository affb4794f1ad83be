"""`beff run` with b_eff_io, alone and after b_eff, with stand-ins for engines and launcher."""

from pathlib import Path

import pytest
from support.programs.programs import Programs
from support.runs import beff_run, engine_arguments

from beff.definition.verify import verify
from beff.result.load import load_document

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
    assert "           beff run --benchmark b_eff_io -n 2 --time 30min" in lines
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
    beff_run(programs, tmp_path, *IO, "--processes", "32")
    assert "4096MiB" in engine_arguments(tmp_path / "out/b_eff_io_32p")


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
