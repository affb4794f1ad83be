"""`beff run --with-hpl`: sizes, input files, a stand-in Linpack, and hpcc where it is installed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.linpack import hpl_output, linpack_run
from support.programs import Programs, write_script
from support.reports import run_beff

from beff.launch.cores import usable_cores
from beff.launch.launcher import find_launcher
from beff.linpack.problem import LinpackSize, hpccinf, hpl_dat, linpack_size
from beff.linpack.program import KINDS, Linpack, run_linpack
from needed import needed

GIB = 2**30


# --- size ---


@given(st.integers(1, 5000), st.integers(1, 4096))
def test_grid_takes_all_processes_and_memory_is_kept(processes: int, gib: int) -> None:
    for short in (True, False):
        size = linpack_size(processes, gib * GIB, short=short)
        assert size.p * size.q == processes
        assert size.p <= size.q
        assert size.n % size.nb == 0
        assert size.n == size.nb or 8 * size.n**2 <= 0.8 * gib * GIB
    assert linpack_size(processes, gib * GIB, short=True).n <= size.n


def test_sizes_by_hand() -> None:
    # 80 % of 64 GiB are 6.87e9 doubles: N = 82897, in blocks of 192: 82752
    assert linpack_size(16, 64 * GIB, short=False) == LinpackSize(82752, 192, 4, 4)
    # 10 s of 2 processes at 0.5 GFLOP/s: (1.5e10)^(1/3) = 2466
    assert linpack_size(2, 64 * GIB, short=True) == LinpackSize(2432, 128, 1, 2)
    assert linpack_size(7, GIB, short=True).p == 1


# --- input files ---


def first_words(text: str) -> list[str]:
    return [line.split()[0] for line in text.splitlines()]


def test_hpl_dat_has_its_values_where_hpl_looks_for_them() -> None:
    words = first_words(hpl_dat(LinpackSize(4800, 192, 2, 3)))
    assert len(words) == 31
    assert words[2] == "HPL.out"
    assert words[4:8] == ["1", "4800", "1", "192"]
    assert words[9:12] == ["1", "2", "3"]
    assert words[12] == "16.0"
    assert all(word.replace(".", "").isdigit() for word in words[3:])


def test_hpccinf_continues_behind_line_32() -> None:
    lines = hpccinf(LinpackSize(4800, 192, 2, 3)).splitlines()
    assert lines[:31] == hpl_dat(LinpackSize(4800, 192, 2, 3)).splitlines()
    assert [line.split()[0] for line in lines[32:]] == ["0", "0", "0", "0"]


# --- a stand-in program ---

_XHPL = """\
import os, sys
from pathlib import Path
lines = Path("HPL.dat").read_text().splitlines()
n, nb, p, q = (lines[i].split()[0] for i in (5, 7, 10, 11))
assert int(p) * int(q) == int(os.environ["FAKE_PROCESSES"])
Path(lines[2].split()[0]).write_text(os.environ["FAKE_HPL"].replace("<N>", n))
sys.exit(int(os.environ.get("FAKE_HPL_EXIT", "0")))
"""
OPTIONS = ("--benchmark", "b_eff", "--processes", "2", "--memory-per-process", "64MiB")


def run(
    programs: Programs, folder: Path, output: str, *options: str, **env: str
) -> tuple[int, str, str]:
    write_script(programs.folder / "xhpl", _XHPL)
    path = f"{programs.folder}{os.pathsep}{os.environ['PATH']}"
    answer = run_beff(
        *("run", *OPTIONS, *programs.options(), "--with-hpl", "--output-dir", folder, *options),
        **{"PATH": path, "FAKE_HPL": output, **env},
    )
    return answer.returncode, answer.stdout, answer.stderr


def test_rmax_goes_into_the_result(programs: Programs, tmp_path: Path) -> None:
    output = hpl_output(linpack_run(p=1, q=2))
    code, shown, errors = run(programs, tmp_path / "out", output)
    assert code in {0, 3}, errors
    result = json.loads((tmp_path / "out" / "b_eff_2p.json").read_text(encoding="utf-8"))
    assert result["rmax"]["gflops"] == 23.11
    assert result["rmax"]["origin"] == "hpl"
    value = result["summary"]["b_eff_MBps"]
    assert result["summary"]["balance_bytes_per_flop"] == pytest.approx(value / 23110)
    assert (tmp_path / "out" / "hpl_2p" / "HPL.dat").exists()
    assert "Balance:" in shown
    assert "short Linpack" in " ".join(shown.split())


@pytest.mark.parametrize(
    ("output", "env", "words"),
    [
        (hpl_output(linpack_run(verdict="FAILED")), {}, "FAILED"),
        ("nothing", {}, "no run of Linpack"),
        ("nothing", {"FAKE_HPL_EXIT": "7"}, "exit code 7"),
    ],
)
def test_a_failed_linpack_leaves_the_result_as_it_was(
    output: str, env: dict[str, str], words: str, programs: Programs, tmp_path: Path
) -> None:
    code, shown, errors = run(programs, tmp_path / "out", output, **env)
    assert code == 1
    assert words in errors
    result = json.loads((tmp_path / "out" / "b_eff_2p.json").read_text(encoding="utf-8"))
    assert "rmax" not in result
    assert "Balance:" not in shown


def test_a_missing_program_is_told_before_measuring(programs: Programs, tmp_path: Path) -> None:
    answer = run_beff(
        *("run", *OPTIONS, *programs.options(), "--with-hpl", "--output-dir", tmp_path / "out"),
        PATH=str(programs.folder),
    )
    assert answer.returncode == 1
    assert "xhpl" in answer.stderr
    assert "beff balance" in answer.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--with-hpl", "--hpl-size", "huge"], "--hpl-size"),
        (["--hpl-size", "short"], "--with-hpl"),
    ],
)
def test_wrong_options(options: list[str], words: str, programs: Programs, tmp_path: Path) -> None:
    answer = run_beff(
        "run", *OPTIONS, *programs.options(), *options, "--output-dir", tmp_path / "out"
    )
    assert answer.returncode == 2
    assert words in answer.stderr


# --- the real program ---


def test_hpcc_gives_rmax(tmp_path: Path) -> None:
    """A tiny run, started as `beff run` starts it."""
    found = needed("hpcc")
    needed("mpiexec", "mpirun")
    kind = next(kind for kind in KINDS if kind.name == "hpcc")
    linpack = Linpack(kind, Path(found), find_launcher(None, Path(found)), usable_cores())
    rmax = run_linpack(linpack, LinpackSize(256, 64, 1, 2), tmp_path / "hpl", lambda: None)
    assert (rmax.n, rmax.nb, rmax.p, rmax.q) == (256, 64, 1, 2)
    assert rmax.gflops > 0
    assert rmax.residual is not None
    assert rmax.residual < 16
