"""`beff twin matrix` of files and presets."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support.machines.flat import QUIET
from support.machines.leaves import Leaves, Level
from support.machines.machine import broken
from support.machines.result import make_matrix
from support.programs.limited import MAP_RATE, Script, limited
from support.reports import written

from beff.cli.app import main

LEAVES = broken(Leaves((Level((4, 4), hop=1.3, taper=2.0),)), **QUIET, passes=20)


def test_totals_of_a_preset(capsys: pytest.CaptureFixture[str]) -> None:
    """In rings of six over three hosts of two each, a half of the messages stays."""
    given = ["nearest:1", "-n", "6", "--per-host", "2", "--message-size", "1KiB"]
    assert main(["twin", "matrix", *given]) == 0
    shown = capsys.readouterr().out
    assert "nearest:1: 12 KiB in 12 messages of an iteration, between 6 processes on 3" in shown
    assert "50 % of the bytes leave" in shown
    assert len(re.findall(r"host \d\s+2 KiB\s+2 KiB\s+2 KiB", shown)) == 3
    assert len(re.findall(r"host \d\s+host \d\s+1 KiB\s+1\s+8.3 %", shown)) == 6


def test_a_file_says_how_many_processes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rows"
    file.write_text("0 2 1000 3\n2 2 5\n", encoding="utf-8")
    assert main(["twin", "matrix", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "2.93 KiB in 4 messages of an iteration, between 3 processes" in shown
    assert re.search(r"rank 2\s+0 B\s+2.93 KiB\s+5 B", shown)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["halo:3d"], "say of how many processes by -n"),
        (["moe:9", "-n", "4"], "K is at most 3"),
        (["rows", "-n", "2"], "line 1: to is 2"),
        (["rows", "--message-size", "1KiB"], "goes with a preset"),
        (["rows", "-o", "m.png"], "end its name in .svg"),
        (["rows", "-o", "rows.svg", "--per-host", "0"], "--per-host 0: give at least 1"),
        (["nothing"], "nothing"),
        (["alltoall", "-n", "100000"], "give fewer"),
    ],
)
def test_wrong_use(
    given: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rows").write_text("0 2 1000\n", encoding="utf-8")
    assert main(["twin", "matrix", *given]) == 2
    assert says in " ".join(capsys.readouterr().err.split())
    assert not Path("rows.svg").exists()


def result_of_ring(folder: Path, **script: float) -> Path:
    """A ring of 1 MiB through two leaves of four hosts, in twice what hosts or uplinks need."""
    file = folder / "b_pairs_8p.json"
    needs_s = max(2 / MAP_RATE, 2 / (2 * MAP_RATE)) * 2**20
    file.write_text(
        json.dumps(make_matrix(LEAVES, "nearest:1", 2**20, 2e6 * needs_s)), encoding="utf-8"
    )
    run = Script(leaf=4, uplink=2 * MAP_RATE, latency_s=2e-6, **script)  # type: ignore[arg-type]
    written(folder, "b_eff_8p.json", limited(run))
    return file


def test_what_was_measured_beside_what_is_predicted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each host sends 2 MiB; 2 MiB leave each group."""
    assert main(["twin", "matrix", str(result_of_ring(tmp_path))]) == 0
    shown = capsys.readouterr().out
    found = re.search(r"measured is ([\d.]+) times that", " ".join(shown.split()))
    assert found is not None, shown
    assert float(found[1]) == pytest.approx(2.0, rel=0.06)
    crossing = r"node\[1-4\]\s+2 MiB\s+2 MiB\s+6 MiB\s+([\d.]+)"
    uplink = re.search(crossing, shown)
    assert uplink is not None, shown
    assert float(uplink[1]) == pytest.approx(2 * MAP_RATE / 1e9, rel=0.1)


def test_no_prediction_where_the_run_is_not_understood(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["twin", "matrix", str(result_of_ring(tmp_path, far=0.5 * MAP_RATE))]) == 0
    assert "no prediction: structure not understood" in capsys.readouterr().out
    (tmp_path / "b_eff_8p.json").unlink()
    assert main(["twin", "matrix", str(tmp_path / "b_pairs_8p.json")]) == 0
    assert "predict" not in capsys.readouterr().out
