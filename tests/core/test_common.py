"""Units, host lists and digests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.definition.digest import fnv1a64
from beff.report.parts.last_line import memory_text
from beff.result.numbers import format_duration, format_size
from program_core import core


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("4096", 4096),
        ("512MiB", 512 * 2**20),
        ("1GB", 10**9),
        ("1.5GiB", 3 * 2**29),
        ("2 kB", 2000),
        ("1TiB", 2**40),
        ("0", 0),
    ],
)
def test_sizes_are_read(text: str, size: int) -> None:
    assert core.parse_size(text) == size


@pytest.mark.parametrize(
    "text",
    ["", "MiB", "12parsecs", "-1", "-1GiB", "nan", "inf", "1e400", "9223372036854775808", "1mb"],
)
def test_wrong_sizes_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        core.parse_size(text)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("15min", 900), ("2.5ms", 0.0025), ("250us", 0.00025), ("1h", 3600)],
)
def test_durations_are_read(text: str, seconds: float) -> None:
    assert core.parse_duration(text) == pytest.approx(seconds, rel=1e-15)


@pytest.mark.parametrize("text", ["", "5", "5 parsecs", "-1s"])
def test_wrong_durations_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        core.parse_duration(text)


@given(st.integers(0, 2**45))
def test_written_sizes_are_right_to_a_hundredth(size: int) -> None:
    assert core.parse_size(core.format_size(size)) == pytest.approx(size, rel=0.006, abs=0.5)


def test_written_durations() -> None:
    written = [core.format_duration(s) for s in (0.0025, 5.5, 42.4, 200, 3600 + 300)]
    assert written == ["2.50 ms", "5.5 s", "42 s", "3 min 20 s", "1 h 05 min"]


# What rounds up to the next unit is said in that one; what is not zero does not look so.
BORDERS = {
    4e-9: "0.004 us",
    5e-9: "0.01 us",
    999.996e-6: "1.00 ms",
    0.999996: "1 s",
    9.97: "10 s",
    59.6: "1 min",
    3599.7: "1 h 00 min",
}


@pytest.mark.parametrize("seconds", BORDERS)
def test_durations_at_the_borders_of_units(seconds: float) -> None:
    assert core.format_duration(seconds) == format_duration(seconds) == BORDERS[seconds]


@given(st.floats(0, 1e6))
def test_both_write_durations_alike(seconds: float) -> None:
    assert core.format_duration(seconds) == format_duration(seconds)


@given(st.integers(0, 2**50))
def test_both_write_sizes_alike(size: int) -> None:
    assert core.format_size(size) == format_size(size)


def test_sizes_at_the_borders_of_units() -> None:
    assert format_size(2**20 - 1) == "1.00 MiB"


@given(st.integers(1, 2**50))
def test_memory_of_a_process_is_whole_mbytes(size: int) -> None:
    text = core.memory_text(size)
    assert text.isdecimal()
    assert abs(int(text) * 2**20 - size) <= 2**19
    assert text == memory_text(size)


def test_memory_is_rounded_not_cut() -> None:
    # 12662247424 byte are 12075.66 MiB
    assert core.memory_text(12076 * 2**20) == "12076"
    assert core.memory_text(12662247424) == "12076"
    assert core.memory_text(12075 * 2**20 + 100) == "12075"


@pytest.mark.parametrize(
    ("hosts", "text"),
    [
        (["n1"], "n1"),
        (["node001", "node002", "node003", "node005"], "node[001-003,005]"),
        (["a1", "a2", "login", "b7"], "a[1-2],login,b7"),
        (["n9", "n10"], "n9,n10"),
        (["c1.site", "c2.site"], "c[1-2].site"),
        ([], ""),
    ],
)
def test_host_lists_are_folded(hosts: list[str], text: str) -> None:
    assert core.host_list(hosts) == text


@pytest.mark.parametrize(
    ("boot_ids", "kernels"),
    [
        (["a", "b", "c"], []),
        (["a", "a", "a"], [0, 0, 0]),
        (["b", "a", "b", "c"], [0, 1, 0, 2]),
        (["", "", "a", "a"], [0, 1, 2, 2]),  # not known of two
        (["", ""], []),
        ([], []),
    ],
)
def test_hosts_of_one_boot_id_have_one_kernel(boot_ids: list[str], kernels: list[int]) -> None:
    assert core.numbered_kernels(boot_ids) == kernels


def test_hosts_of_one_kernel_are_named() -> None:
    assert core.hosts_of_one_kernel([]) == ""
    assert core.hosts_of_one_kernel([0, 0, 0, 1]) == "n[0-2]"
    assert core.hosts_of_one_kernel([0, 1, 0, 1, 2]) == "n[0-3]"


@pytest.mark.parametrize(
    ("text", "digest"),
    [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")],
)
def test_digest_is_fnv_1a(text: str, digest: str) -> None:
    """The published test vectors, 64 bit."""
    assert core.digest_of_text(text) == f"{fnv1a64(text.encode()):016x}" == digest


@pytest.mark.parametrize(
    ("address", "pattern", "switches"),
    [
        ("s0.s4.n1", "switch.switch.node", "s0.s4"),
        ("b1.n1.cluster.example", "block.node", "b1"),
        ("n1", "node", ""),
        ("", "", ""),
        ("s0", "switch.node", ""),
        ("s0.n1", "switch.switch", ""),
    ],
)
def test_slurm_says_which_switches_a_host_is_behind(
    address: str, pattern: str, switches: str
) -> None:
    place = core.place_in_slurm("n1", address, pattern)
    assert (place.node, place.switches) == ("n1", switches)


def test_what_slurm_says_of_hosts_is_recorded_once_it_differs() -> None:
    hosts = [("n3.example", "n3", "s0.s1"), ("n4", "n4", "s0.s2"), ("n5", "n5", "")]
    assert core.recorded_hosts(hosts) == [
        {"name": "n3.example", "processes": 1, "node": "n3", "switches": "s0.s1"},
        {"name": "n4", "processes": 1, "switches": "s0.s2"},
        {"name": "n5", "processes": 1},
    ]


@pytest.mark.parametrize("second", ["n3", ""])
def test_an_environment_that_a_launcher_hands_on_says_nothing(second: str) -> None:
    hosts = [("n3.example", "n3", "s0.s1"), ("n4.example", second, "s0.s1")]
    assert core.recorded_hosts(hosts) == [
        {"name": "n3.example", "processes": 1},
        {"name": "n4.example", "processes": 1},
    ]
