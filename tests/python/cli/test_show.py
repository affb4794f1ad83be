"""`beff show` without a name: the newest results that there are."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from support.reports import B_EFF, B_EFF_IO

from beff.cli.app import main


def shown(capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["show"]) == 0
    return capsys.readouterr().out.split()[0]


def test_the_newest_folder_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["show"]) == 2
    capsys.readouterr()
    files = {"b_eff": B_EFF, "b_eff_io": B_EFF_IO}
    for name, file in files.items():
        Path("results", name).mkdir(parents=True)
        shutil.copy(file, Path("results", name))
    for newest in files:
        for name, file in files.items():
            time_s = 2000 if name == newest else 1000
            os.utime(Path("results", name, file.name), (time_s, time_s))
        assert shown(capsys) == newest
