"""`beff show` without a name: the newest results that there are."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from support.reports import B_EFF, B_EFF_IO

from beff.cli.app import main
from beff.result.load import load_document


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


def test_of_several_answers_each_has_its_file_and_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in (B_EFF, B_EFF_IO):
        shutil.copy(file, tmp_path)
    assert main(["show", str(tmp_path)]) == 0
    told = capsys.readouterr().out.splitlines()
    for file in (B_EFF, B_EFF_IO):
        when = f"{load_document(file).started_at:%Y-%m-%d %H:%M} UTC"
        place = told.index(f"{tmp_path / file.name}, {when}")
        assert told[place + 1].startswith(load_document(file).benchmark)
    assert told[-1].strip() == "more: --all"
    assert main(["show", str(B_EFF)]) == 0
    assert B_EFF.name not in capsys.readouterr().out
