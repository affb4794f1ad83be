"""Percentages, durations and sizes: one parser each, which every option of that kind has."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.reports import B_EFF

from beff.cli.app import main
from beff.model.numbers import parse_duration, parse_percent, parse_size

COMPARE = ("compare", "r.json", "r.json")
JOB = ("job", "slurm", "--nodes", "2", "--tasks-per-node", "2", "--path", "/x")
OPTIONS = (
    (*COMPARE, "--threshold"),
    (*COMPARE, "--run-noise"),
    ("check", "r.json", "--slow"),
    ("nodes", "--slow"),
    ("nodes", "--memory-per-process"),
    ("run", "--time"),
    ("run", "--max-data"),
    ("run", "--memory-per-process"),
    ("run", "--stall-limit"),
    (*JOB, "--time"),
    (*JOB, "--walltime"),
    (*JOB, "--memory-per-process"),
)


@pytest.mark.parametrize(
    ("text", "share"), [("5%", 0.05), ("7 %", 0.07), ("1000", 10), (" .5%", 0.005), ("0", 0)]
)
def test_percentages_are_shares(text: str, share: float) -> None:
    assert parse_percent(text) == share


@pytest.mark.parametrize("text", ["", "%", "-1%", "nan", "1e1%", "5 percent", "1001%", "5%%"])
def test_what_is_no_percentage(text: str) -> None:
    with pytest.raises(ValueError, match="from 0% to 1000%"):
        parse_percent(text)


def test_a_percentage_may_have_a_least_value() -> None:
    assert parse_percent("2%", least=0.02) == 0.02
    with pytest.raises(ValueError, match="from 2% to 1000%"):
        parse_percent("1.9%", least=0.02)


def test_what_is_no_duration_or_size() -> None:
    for text in ("", "5", "0s", "-1s", "1e3s", "1d"):
        with pytest.raises(ValueError, match="must be a duration"):
            parse_duration(text)
    for text in ("", "0", "-1", "1mb", "1e9"):
        with pytest.raises(ValueError, match="must be a size"):
            parse_size(text)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("5ns", 5e-9), ("7 us", 7e-6), ("2.5ms", 2.5e-3), ("90s", 90), ("1.5min", 90), ("2h", 7200)],
)
def test_units_of_durations(text: str, seconds: float) -> None:
    assert parse_duration(text) == pytest.approx(seconds, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "size_bytes"),
    [
        *(("4096", 4096), ("512B", 512), ("2kB", 2_000), ("3MB", 3_000_000)),
        *(("1.5GB", 1_500_000_000), ("4TB", 4 * 10**12), ("1PB", 10**15)),
        *(("1.5 KiB", 1536), ("2MiB", 2_097_152), ("1GiB", 1_073_741_824)),
        *(("1TiB", 1024**4), ("1PiB", 1024**5)),
    ],
)
def test_units_of_sizes(text: str, size_bytes: int) -> None:
    assert parse_size(text) == size_bytes


@pytest.mark.parametrize("line", OPTIONS, ids=lambda line: f"{line[0]} {line[-1]}")
def test_every_option_with_a_unit_names_itself(
    line: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(B_EFF, "r.json")
    assert main([*line, "much"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"beff: {line[-1]} much: must be a ")
    assert len(said.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["r.json"]
