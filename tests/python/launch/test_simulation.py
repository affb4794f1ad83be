"""Networks, platforms, placement and quantities of `beff run --simulate`, without a simulator."""

import hashlib
import os
import re
import signal
import subprocess
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from beff.launch import simulation
from beff.launch.networks import (
    NETWORKS,
    Links,
    Platform,
    describe,
    from_file,
    parse_network,
    place,
)
from beff.launch.simulation import find_simulated_engine
from beff.result.errors import NetworkError, SimulationError

LINKS = Links(1e9, 1e-6, 2e9, 3e-6, 5e9, 2e-7)


def flat(hosts: int) -> Platform:
    return describe(NETWORKS["flat"], (hosts,), LINKS)


@pytest.mark.parametrize(
    ("name", "shape", "count"),
    [
        ("flat", (5,), 5),
        ("two-switch", (6,), 6),
        ("fat-tree", (16, 4, 2), 64),
        ("torus", (3, 4, 5), 60),
        ("dragonfly", (2, 4, 4, 2), 64),
    ],
)
def test_hosts_of_networks(name: str, shape: tuple[int, ...], count: int) -> None:
    platform = describe(NETWORKS[name], shape, LINKS)
    assert platform.hosts == tuple(f"n{i}" for i in range(count))
    assert platform.sha256 == hashlib.sha256(platform.xml.encode()).hexdigest()
    clusters = list(ET.fromstring(platform.xml).iter("cluster"))
    assert clusters
    for cluster in clusters:
        assert cluster.get("bw") == "1000000000.0Bps"
        assert cluster.get("lat") == "1e-06s"


def test_a_signal_reaches_what_the_script_started_unless_all_has_ended() -> None:
    script = subprocess.Popen(["sh", "-c", "sleep 60; exit 7"], start_new_session=True)
    children = Path(f"/proc/{script.pid}/task/{script.pid}/children")
    while not children.read_text(encoding="ascii"):
        time.sleep(0.01)
    simulation.signal_simulator(script, signal.SIGTERM)
    assert script.wait(10) == 7
    simulation.signal_simulator(script, signal.SIGTERM)


def test_a_network_in_one_text() -> None:
    thin = parse_network("two-switch:8,1GB/s,3us,backbone=2GB/s", 4)
    assert len(thin.hosts) == 8
    assert "links 1 GB/s and 3 us, backbone 2 GB/s and 3 us" in thin.description
    assert len(parse_network("flat", 5).hosts) == 5
    assert parse_network("flat,2us,1GB/s", 9) == parse_network("flat:9,1GB/s,2us", 5)
    assert "links 12.5 GB/s and 500 ns" in parse_network("flat", 2).description
    assert len(parse_network("torus:3x4x5", 2).hosts) == 60


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
            place(flat(2), 2, str(path), 0)


def test_platforms_are_read_up_to_a_size(tmp_path: Path) -> None:
    path = tmp_path / "large.xml"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(NetworkError, match="is larger than the 64 MiB that are read"):
        from_file(path)


def test_block_and_cyclic() -> None:
    assert place(flat(3), 6, "block", 0) == ["n0", "n0", "n1", "n1", "n2", "n2"]
    assert place(flat(3), 6, "cyclic", 0) == ["n0", "n1", "n2", "n0", "n1", "n2"]
    assert place(flat(8), 4, "cyclic:2", 0) == ["n0", "n1", "n0", "n1"]
    assert place(flat(2), 3, "block", 0) == ["n0", "n0", "n1"]
    one, other = (place(flat(32), 32, "random", seed) for seed in (1, 2))
    assert one != other
    assert sorted(one) == sorted(flat(32).hosts)


def test_placement_by_file(tmp_path: Path) -> None:
    path = tmp_path / "ranks"
    path.write_text("n2\nn0\nn2\n")
    assert place(flat(3), 3, str(path), 0) == ["n2", "n0", "n2"]
    with pytest.raises(NetworkError, match="names 3 hosts for 4 processes"):
        place(flat(3), 4, str(path), 0)
    with pytest.raises(NetworkError, match="n2 is not a host of flat-2"):
        place(flat(2), 3, str(path), 0)


def test_a_checkout_builds_its_program_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    sources, tools, engines = tmp_path / "sources", tmp_path / "bin", "build/smpi/engines"
    (sources / "engines").mkdir(parents=True)
    tools.mkdir()
    (sources / "CMakePresets.json").touch()
    module = sources / "python" / "beff" / "launch" / "simulation.py"
    monkeypatch.setattr(simulation, "__file__", str(module))
    monkeypatch.setattr(simulation, "own_folder", lambda: tools)
    monkeypatch.setattr("sys.prefix", str(tools / "python"))
    monkeypatch.setenv("PATH", str(tools))
    program = f"{engines}/b_eff_smpi"
    makes = f"PATH=/usr/bin:/bin; mkdir -p {engines}; touch {program}; chmod +x {program}"
    for tool, script, told in (
        ("smpicxx", "", "smpicxx is not on PATH"),
        ("cmake", "exit 1", "cmake is not on PATH"),
        ("cmake", f'echo "$@"; [ "$1" = --preset ] || {{ {makes}; }}', "--preset smpi' failed in"),
    ):
        with pytest.raises(SimulationError, match=told):
            find_simulated_engine(None, "b_eff")
        (tools / tool).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (tools / tool).chmod(0o755)
    capfd.readouterr()
    for shown in ("--preset smpi\n--build --preset smpi --target b_eff\n", ""):
        assert find_simulated_engine(None, "b_eff") == sources / program
        written = capfd.readouterr()
        assert (written.out, written.err.partition("\n")[2]) == ("", shown)
