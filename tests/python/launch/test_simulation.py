"""Networks, platforms, placement and quantities of `beff run --simulate`, without a simulator."""

from __future__ import annotations

import hashlib
import os
import re
import xml.etree.ElementTree as ET
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beff.cli.app import main
from beff.launch.networks import NETWORKS, Links, describe, parse_network
from beff.launch.platform import Platform, from_file, parse_placement, place
from beff.launch.simulation import MODELS
from beff.result.errors import NetworkError
from beff.result.numbers import (
    format_bandwidth,
    format_latency,
    parse_bandwidth,
    parse_latency,
    parse_size,
)

LINKS = Links(1e9, 1e-6, 2e9, 3e-6, 5e9, 2e-7)


def flat(hosts: int) -> Platform:
    return describe(NETWORKS["flat"], hosts, None, LINKS)


@pytest.mark.parametrize(
    ("text", "value"),
    [("12.5GB/s", 12.5e9), ("100Gbit/s", 12.5e9), ("800 MB/s", 8e8), ("8Mbit/s", 1e6)],
)
def test_bandwidths(text: str, value: float) -> None:
    assert parse_bandwidth(text) == value


@pytest.mark.parametrize("text", ["", "0GB/s", "-1GB/s", "1GiB/s", "1", "nanGB/s", "1e3MB/s"])
def test_what_is_no_bandwidth(text: str) -> None:
    with pytest.raises(ValueError, match="must be a bandwidth"):
        parse_bandwidth(text)


def test_latencies_and_sizes() -> None:
    assert parse_latency("500ns") == pytest.approx(5e-7)
    assert parse_latency("0s") == 0
    assert parse_size("2GiB") == 2 * 2**30
    assert parse_size("1MB") == 10**6
    with pytest.raises(ValueError, match="must be a latency"):
        parse_latency("5")


@given(st.floats(1e3, 1e12))
def test_a_bandwidth_reads_as_it_was_written(bytes_per_s: float) -> None:
    written = format_bandwidth(bytes_per_s)
    if "e" not in written:
        assert parse_bandwidth(written) == pytest.approx(bytes_per_s, rel=1e-5)


@given(st.floats(1e-9, 1.0))
def test_a_latency_reads_as_it_was_written(seconds: float) -> None:
    assert parse_latency(format_latency(seconds)) == pytest.approx(seconds, rel=1e-5)


@pytest.mark.parametrize(
    ("name", "hosts", "shape", "count"),
    [
        ("flat", 5, None, 5),
        ("two-switch", 6, None, 6),
        ("fat-tree", None, (16, 4, 2), 64),
        ("torus", None, (3, 4, 5), 60),
        ("dragonfly", 64, (2, 4, 4, 2), 64),
    ],
)
def test_hosts_of_networks(
    name: str, hosts: int | None, shape: tuple[int, ...] | None, count: int
) -> None:
    platform = describe(NETWORKS[name], hosts, shape, LINKS)
    assert platform.hosts == tuple(f"n{i}" for i in range(count))
    assert platform.sha256 == hashlib.sha256(platform.xml.encode()).hexdigest()
    clusters = list(ET.fromstring(platform.xml).iter("cluster"))
    assert clusters
    for cluster in clusters:
        assert cluster.get("bw") == "1000000000.0Bps"
        assert cluster.get("lat") == "1e-06s"


def test_a_network_in_one_text() -> None:
    thin = parse_network("two-switch:8,1GB/s,3us,backbone=2GB/s").platform(4)
    assert len(thin.hosts) == 8
    assert "links 1 GB/s and 3 us, backbone 2 GB/s and 3 us" in thin.description
    assert len(parse_network("flat").platform(5).hosts) == 5
    assert parse_network("flat,2us,1GB/s").links == parse_network("flat:9,1GB/s,2us").links
    usual = parse_network("flat").links
    assert (usual.bandwidth, usual.latency) == (12.5e9, pytest.approx(5e-7))
    assert len(parse_network("torus:3x4x5").platform(2).hosts) == 60


@pytest.mark.parametrize(
    ("text", "found"),
    [("block", ("block", None)), ("cyclic:4", ("cyclic", 4)), ("hosts:4", ("hosts:4", None))],
)
def test_a_placement_with_a_number(text: str, found: tuple[str, int | None]) -> None:
    assert parse_placement(text) == found


def test_a_written_network_reads_as_a_platform_file(tmp_path: Path) -> None:
    described = describe(NETWORKS["two-switch"], 8, None, LINKS)
    path = tmp_path / "two.xml"
    path.write_text(described.xml)
    read = from_file(path)
    assert read.hosts == described.hosts
    assert read.sha256 == described.sha256
    assert read.name == "two"


def test_a_profile_counts_for_the_hash(tmp_path: Path) -> None:
    text = (
        "<platform version='4.1'><zone id='z' routing='Full'><host id='a' speed='1Gf'/>"
        "<link id='l' bandwidth='1GBps' latency='1us' bandwidth_file='l.bw'/></zone></platform>"
    )
    (tmp_path / "p.xml").write_text(text)
    hashes = set()
    for course in ("0.0 1e9\n", "0.0 2e9\n"):
        (tmp_path / "l.bw").write_text(course)
        hashes.add(from_file(tmp_path / "p.xml").sha256)
    assert len(hashes) == 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("no xml", "is not XML"),
        ("<other/>", "its root is not <platform>"),
        ("<platform version='4.1'/>", "names no <host>"),
        ("<platform><cluster prefix='n' radical='a-b'/></platform>", "the radical 'a-b'"),
        ("<platform><cluster radical='0-100000000000'/></platform>", "the radical '0-10000"),
        (f"<platform><cluster radical='{'9' * 5000}'/></platform>", "the radical '9999"),
        ("<platform><cluster radical='0-999999,0-5'/></platform>", "the radical '0-999999,0-5'"),
        ("<platform>" + "<cluster radical='0-999998'/>" * 2 + "</platform>", "more than 1000000"),
        ("<platform><host id='a' state_file='l'/></platform>", "l: there is no such file"),
        (f"<platform><host id='a' state_file='{'x' * 5000}'/></platform>", "cannot be read"),
        ("<platform><host id='a' state_file='/dev/zero'/></platform>", "is no regular file"),
    ],
)
def test_what_is_no_platform(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "p.xml"
    path.write_text(text)
    with pytest.raises(NetworkError, match=told):
        from_file(path)


def test_files_that_have_no_end(tmp_path: Path) -> None:
    """Neither a pipe, of which nobody knows the writer, nor a device is read."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero"), Path("/proc/self/mem"), tmp_path):
        with pytest.raises(NetworkError, match=re.escape(f"--simulate {path}: ")):
            from_file(path)
        with pytest.raises(NetworkError, match=re.escape(f"--placement {path}: ")):
            place(flat(2), 2, str(path), None, 0)


def test_platforms_are_read_up_to_a_size(tmp_path: Path) -> None:
    path = tmp_path / "large.xml"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(NetworkError, match="is larger than the 64 MiB that are read"):
        from_file(path)


PLATFORM = (
    "<platform version='4.1'><zone id='z' routing='Full'><host id='a' speed='1Gf'/>"
    "<cluster id='c' prefix='n' suffix='' radical='0-3,7' speed='1Gf' bw='1GBps' lat='1us'/>"
    "<peer id='p'/><cabinet id='b' prefix='m' suffix='x' radical='0-1'/>"
    "<link id='l' bandwidth='1GBps' latency='1us' latency_file='l.lat'/></zone></platform>"
)
PIECES = (
    *("", "-", ",", "0-", "9" * 20, "9" * 5_000, "'", "<", ">", "&", "&#0;", "&a;", "\x00", "\n"),
    *(
        "/dev/zero",
        "../..",
        "x" * 300,
        "id",
        "radical",
        "_file='/proc/self/mem'",
        "\u202e",
        "\udcff",
    ),
)


@settings(max_examples=max(200, int(os.environ.get("BEFF_FUZZ_CASES", "0"))))
@given(
    st.lists(
        st.tuples(st.integers(0, len(PLATFORM)), st.integers(0, 12), st.sampled_from(PIECES)),
        min_size=1,
        max_size=3,
    )
)
def test_damaged_platforms_get_an_answer(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, int, str]]
) -> None:
    folder = tmp_path_factory.getbasetemp() / "platforms"
    folder.mkdir(exist_ok=True)
    (folder / "l.lat").write_text("0.0 1e-6\n", encoding="utf-8")
    text = PLATFORM
    for place_, length, piece in changes:
        text = text[:place_] + piece + text[place_ + length :]
    file = folder / "p.xml"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with suppress(NetworkError):
        platform = from_file(file)
        assert len(place(platform, 3, "cyclic", None, 0)) == 3
        place(platform, 3, str(file), None, 0)


@pytest.mark.parametrize(
    "words",
    [
        ("--simulate", "flat:10000000000", "-n", "4"),
        ("--simulate", "fat-tree:1000000x1000000x2", "-n", "4"),
        ("--simulate", "flat", "-n", "10000000000"),
        ("--simulate", "flat", "-n", "9" * 5_000),
        ("--simulate", "flat:4", "-n", "2000000000"),
    ],
)
def test_networks_too_large_to_be_described(words: tuple[str, ...], tmp_path: Path) -> None:
    assert main(["run", *words, "--output-dir", str(tmp_path)]) == 2


def test_block_and_cyclic() -> None:
    assert place(flat(3), 6, "block", None, 0) == ["n0", "n0", "n1", "n1", "n2", "n2"]
    assert place(flat(3), 6, "cyclic", None, 0) == ["n0", "n1", "n2", "n0", "n1", "n2"]
    assert place(flat(8), 4, "cyclic", 2, 0) == ["n0", "n1", "n0", "n1"]
    assert place(flat(2), 3, "block", None, 0) == ["n0", "n0", "n1"]


@given(st.integers(2, 40), st.integers(1, 40), st.sampled_from(["block", "cyclic", "random"]))
def test_every_process_has_a_host_and_none_is_overfull(
    processes: int, hosts: int, rule: str
) -> None:
    placed = place(flat(hosts), processes, rule, None, seed=3)
    assert len(placed) == processes
    assert max(Counter(placed).values()) <= -(-processes // hosts)
    assert set(placed) <= set(flat(hosts).hosts)


def test_random_placement_depends_on_the_seed_alone() -> None:
    network = flat(32)
    first = place(network, 32, "random", None, seed=1)
    assert place(network, 32, "random", None, seed=1) == first
    assert place(network, 32, "random", None, seed=2) != first
    assert sorted(first) == sorted(network.hosts)


def test_placement_by_file(tmp_path: Path) -> None:
    path = tmp_path / "ranks"
    path.write_text("n2\nn0\nn2\n")
    assert place(flat(3), 3, str(path), None, 0) == ["n2", "n0", "n2"]
    with pytest.raises(NetworkError, match="names 3 hosts for 4 processes"):
        place(flat(3), 4, str(path), None, 0)
    with pytest.raises(NetworkError, match="n2 is not a host of flat-2"):
        place(flat(2), 3, str(path), None, 0)


def test_every_model_forbids_computing_and_polling_to_take_time() -> None:
    for chosen in MODELS.values():
        assert "smpi/simulate-computation:no" in chosen
        assert "smpi/wtime:0" in chosen
