"""Figures as people read them."""

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.result.host_list import expand_host_list, fold_host_list, hosts_in_list
from beff.result.numbers import (
    change,
    counted,
    format_chunk,
    measured,
    number,
    of_one,
    parse_bandwidth,
    parse_duration,
    parse_latency,
    parse_percent,
    parse_size,
    percent,
    rate,
    times,
)


@pytest.mark.parametrize(
    ("show", "value", "text"),
    [
        (rate, 1268.9706, "1.27 GB/s"),
        (rate, 634.485, "634 MB/s"),
        (rate, 1.0, "1 MB/s"),
        (rate, 999.6, "1.00 GB/s"),
        (rate, 999.4, "999 MB/s"),
        (rate, 50018.0, "50.0 GB/s"),
        (rate, 4099.0, "4.10 GB/s"),
        (rate, 50118.0, "50.1 GB/s"),
        (rate, 0.0405, "40.5 kB/s"),
        (rate, 2.5e6, "2.5 TB/s"),
        (rate, 39.0, "39 MB/s"),
        (rate, 0.0, "0 kB/s"),
        (rate, None, "not measured"),
        (number, None, "-"),
        (number, 0.02538, "0.0254"),
        (number, 4.2818, "4.28"),
        (number, 39.0, "39"),
        (number, 148.6, "149"),
        (number, 4619.4, "4619"),
        (number, 1.125, "1.13"),
        (number, 3.695, "3.70"),
        (number, 0.00001234, "0.0000123"),
        (number, 1.234e-8, "1.23e-8"),
        (number, 1.234e21, "1.23e+21"),
        (number, 0.0, "0"),
        (change, 0.031, "+3.1 %"),
        (change, -0.5, "-50.0 %"),
        (change, -1e-5, "0.0 %"),
        (times, 1.6, "1.60 times"),
        (times, 9.99, "9.99 times"),
        (times, 9.999, "10 times"),
        (times, 71.6, "72 times"),
        (times, 1000.0, "1000 times"),
        (times, 71087.0, "more than 1000 times"),
    ],
)
def test_figures(show: Callable[[float | None], str], value: float | None, text: str) -> None:
    assert show(value) == text


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


@pytest.mark.parametrize(
    ("parse", "right", "wrong", "what"),
    [
        (
            parse_percent,
            {"5%": 0.05, "7 %": 0.07, "1000": 10, " .5%": 0.005, "0": 0},
            ("", "%", "-1%", "nan", "1e1%", "5 percent", "1001%", "5%%"),
            "from 0% to 1000%",
        ),
        (partial(parse_percent, least=0.02), {"2%": 0.02}, ("1.9%",), "from 2% to 1000%"),
        (
            parse_duration,
            {"5ns": 5e-9, "7 us": 7e-6, "2.5ms": 2.5e-3, "90s": 90, "1.5min": 90, "2h": 7200},
            ("", "5", "0s", "-1s", "1e3s", "1d"),
            "must be a duration",
        ),
        (
            parse_size,
            {
                **{"4096": 4096, "512B": 512, "2kB": 2_000, "3MB": 3_000_000},
                **{"1.5GB": 1_500_000_000, "4TB": 4 * 10**12, "1PB": 10**15},
                **{"1.5 KiB": 1536, "2MiB": 2_097_152, "1GiB": 1_073_741_824},
                **{"1TiB": 1024**4, "1PiB": 1024**5},
            },
            ("", "0", "-1", "1mb", "1e9"),
            "must be a size",
        ),
        (
            parse_bandwidth,
            {"12.5GB/s": 12.5e9, "100Gbit/s": 12.5e9, "800 MB/s": 8e8, "8Mbit/s": 1e6},
            ("", "0GB/s", "-1GB/s", "1GiB/s", "1", "nanGB/s", "1e3MB/s"),
            "must be a bandwidth",
        ),
        (parse_latency, {"500ns": 5e-7, "0s": 0}, ("5",), "must be a latency"),
    ],
)
def test_quantities(
    parse: Callable[[str], float], right: dict[str, float], wrong: tuple[str, ...], what: str
) -> None:
    for text, value in right.items():
        assert parse(text) == pytest.approx(value, rel=1e-15)
    for text in wrong:
        with pytest.raises(ValueError, match=what):
            parse(text)


# --- compressed host lists, taken apart again ---


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("login", ["login"]),
        ("node[001-003]", ["node001", "node002", "node003"]),
        ("node[08-11,20],login", ["node08", "node09", "node10", "node11", "node20", "login"]),
        ("a[1-2].site,b[7,9]x", ["a1.site", "a2.site", "b7x", "b9x"]),
        ("r[1-2]c[0-1]", ["r1c0", "r1c1", "r2c0", "r2c1"]),
        ("r[1]-[08-09,2]x[3],y", ["r1-08x3", "r1-09x3", "r1-2x3", "y"]),
    ],
)
def test_expand_host_list(text: str, names: list[str]) -> None:
    assert expand_host_list(text, len(names)) == names


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["n1", "n2", "n4"], "n[1-2,4]"),
        (["n8", "n9", "n10", "n11"], "n[8-11]"),
        (["n08", "n9", "n099", "n100"], "n[08,9,099-100]"),
        (["login", "rank 0", "rank 1"], "login,rank [0-1]"),
        (["1" * 5000, "a.site"], "1" * 5000 + ",a.site"),
        ([], ""),
    ],
)
def test_fold_host_list(names: list[str], text: str) -> None:
    assert fold_host_list(names) == text


@given(st.lists(st.from_regex(r"[a-z.]{1,3}([0-9]{1,4})?", fullmatch=True), max_size=20))
def test_a_folded_list_is_expanded_again(names: list[str]) -> None:
    assert expand_host_list(fold_host_list(names), 100) == names
    assert hosts_in_list(fold_host_list(names)) == len(names)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("vm[--]", ["vm[--]"]),
        ("vm[1-2-3]", ["vm[1-2-3]"]),
        ("vm[3-1]", ["vm[3-1]"]),
        ("vm[1-2,x]", ["vm[1-2,x]"]),
        ("vm[1-2][x]", ["vm[1-2][x]"]),
        ("vm[1-2]]", ["vm[1-2]]"]),
        ("vm[" + "9" * 5000 + "]", ["vm[" + "9" * 5000 + "]"]),
        ("[" * 300_000, ["[" * 300_000]),
        ("x" * 900_000 + "[1-9]", ["x" * 900_000 + "[1-9]"]),
        ("", []),
    ],
)
def test_what_is_no_list_of_numbers_is_a_name(text: str, names: list[str]) -> None:
    """Found by hostile files: ValueError, hours of backtracking, memory for each long name."""
    assert expand_host_list(text, 100_000) == names
