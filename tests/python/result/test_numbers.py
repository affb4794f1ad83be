"""Figures as people read them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.reports import B_EFF

from beff.cli.app import main
from beff.result.numbers import (
    change,
    counted,
    format_chunk,
    measured,
    number,
    of_one,
    parse_duration,
    parse_percent,
    parse_size,
    percent,
    rate,
    scaled,
    times,
)

UNITS = {"kB/s": 1e-3, "MB/s": 1.0, "GB/s": 1e3, "TB/s": 1e6, "PB/s": 1e9}


@pytest.mark.parametrize(
    ("value_MBps", "text"),
    [
        (1268.9706, "1.27 GB/s"),
        (634.485, "634 MB/s"),
        (1.0, "1 MB/s"),
        (999.6, "1.00 GB/s"),
        (999.4, "999 MB/s"),
        (50018.0, "50.0 GB/s"),
        (4099.0, "4.10 GB/s"),
        (50118.0, "50.1 GB/s"),
        (0.0405, "40.5 kB/s"),
        (2.5e6, "2.5 TB/s"),
        (39.0, "39 MB/s"),
        (0.0, "0 kB/s"),
        (None, "not measured"),
    ],
)
def test_rates(value_MBps: float | None, text: str) -> None:  # noqa: N803 - the unit of the field
    assert rate(value_MBps) == text


@given(st.floats(min_value=1e-3, max_value=1e11))
def test_a_rate_has_three_digits_and_stays_what_it_is(value: float) -> None:
    text, unit = scaled(value)
    assert float(text) * UNITS[unit] == pytest.approx(value, rel=5.01e-3)
    assert len(text.replace(".", "").lstrip("0")) <= 3 or unit == "PB/s"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "-"),
        (0.02538, "0.0254"),
        (4.2818, "4.28"),
        (39.0, "39"),
        (148.6, "149"),
        (4619.4, "4619"),
        (1.125, "1.13"),
        (3.695, "3.70"),
        (0.00001234, "0.0000123"),
        (1.234e-8, "1.23e-8"),
        (1.234e21, "1.23e+21"),
        (0.0, "0"),
    ],
)
def test_numbers(value: float | None, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (1268.97, "MB/s", "1.27 GB/s"),
        (98926800.0, "byte", "94.34 MiB"),
        (0.5, "min", "30 s"),
        (4.2818, "us", "4.28 µs"),
        (95.23, "GFLOP/s", "95.2 GFLOP/s"),
        (None, "MB/s", "-"),
    ],
)
def test_figures_with_their_units(value: float | None, unit: str, text: str) -> None:
    assert measured(value, unit) == text


@pytest.mark.parametrize(
    ("share", "text"), [(0.031, "+3.1 %"), (-0.5, "-50.0 %"), (-1e-5, "0.0 %")]
)
def test_changes(share: float, text: str) -> None:
    assert change(share) == text


@pytest.mark.parametrize(
    ("factor", "text"),
    [
        (1.6, "1.60 times"),
        (9.99, "9.99 times"),
        (9.999, "10 times"),
        (71.6, "72 times"),
        (1000.0, "1000 times"),
        (71087.0, "more than 1000 times"),
    ],
)
def test_factors_lose_what_nobody_reads(factor: float, text: str) -> None:
    assert times(factor) == text


def test_nouns_behind_one() -> None:
    assert of_one("1 pairs of 11 pairs, 1 processes") == "1 pair of 11 pairs, 1 process"
    assert of_one("0.1 loops, 21 rounds, 1 of 3 passes") == "0.1 loops, 21 rounds, 1 of 3 passes"


def test_shares_counts_and_chunks() -> None:
    assert (percent(0.312), percent(0.312, 1)) == ("31 %", "31.2 %")
    assert [counted(1, "process"), counted(2, "process"), counted(0, "run")] == [
        *("1 process", "2 processes", "0 runs")
    ]
    assert [*map(format_chunk, (1032, 32768, 8, 98926801))] == [
        *("1 KiB + 8", "32 KiB", "8 B", "94.34 MiB")
    ]


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
