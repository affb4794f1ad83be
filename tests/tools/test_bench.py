"""Every bench starts, and has a short form; `make bench` runs these."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest
from support.reports import ROOT

BENCHES = sorted({*(ROOT / "bench").glob("*.py")} - {ROOT / "bench" / "common.py"})


@pytest.mark.parametrize("bench", BENCHES, ids=lambda bench: bench.stem)
def test_it_starts(
    bench: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [str(bench), "--help"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(bench), run_name="__main__")
    assert not ended.value.code
    assert "--short" in capsys.readouterr().out
