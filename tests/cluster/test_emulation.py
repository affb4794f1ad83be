"""The emulated cluster itself: what it is made of, and that nothing of it stays."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cluster.emulation import CellError, Network, make_cell
from cluster.emulation.cell import remove_leftovers

TESTS = Path(__file__).resolve().parents[1]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "cluster.emulation", *arguments]


def processes_of(folder: Path) -> list[int]:
    """Processes that belong to the cell with this folder."""
    mark = f"BEFF_CELL={folder}".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def test_payload_of_a_link() -> None:
    # 1448 of 1514 byte are payload at MTU 1500: 95.6 % of 25 MB/s
    assert Network(2, 200).payload_MBps(200) == pytest.approx(23.910, abs=1e-3)
    assert Network(2, 200, mtu=9000).payload_MBps(200) == pytest.approx(24.817, abs=1e-3)


def test_halves_of_the_hosts_are_on_two_switches() -> None:
    network = Network(5, 200, backbone_mbit=50, slow={1: 20})
    assert [network.switch_of(host) for host in range(5)] == ["sw0", "sw0", "sw0", "sw1", "sw1"]
    assert [network.rate(host) for host in range(3)] == [200, 20, 200]


def test_hosts_have_names_and_networks_of_their_own() -> None:
    with make_cell(Network(3, 200)) as cell:
        for host, name in enumerate(cell.network.host_names):
            assert cell.must(name, "hostname").strip() == name
            assert cell.network.address(host) in cell.must(name, "ip", "address", "show", "eth0")
            cell.must(name, "sh", "-c", f"echo {name} > /dev/shm/mine")
        assert cell.must("n2", "cat", "/dev/shm/mine").strip() == "n2"
        folder = cell.folder
        assert processes_of(folder)
    assert not folder.exists()
    wait_until_none_is_left(folder)


def wait_until_none_is_left(folder: Path) -> None:
    deadline = time.monotonic() + 240
    while processes_of(folder) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert processes_of(folder) == []


def fail_in_a_cell(folders: list[Path]) -> None:
    with make_cell(Network(2, 200)) as cell:
        folders.append(cell.folder)
        cell.start("n1", "sleep", "1000")
        cell.must("n0", "sh", "-c", "exit 7")


def test_a_cell_ends_after_an_error() -> None:
    folders: list[Path] = []
    with pytest.raises(CellError, match="exit code 7"):
        fail_in_a_cell(folders)
    assert not folders[0].exists()
    wait_until_none_is_left(folders[0])


def test_a_cell_ends_with_its_maker() -> None:
    """A maker that is killed leaves a folder, which --down removes, and no process."""
    maker = subprocess.Popen(
        command("--hosts", "2", "--", "sh", "-c", 'echo "$BEFF_CELL"; exec sleep 1000'),
        cwd=TESTS,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with maker:
        assert maker.stdout is not None
        folder = Path(maker.stdout.readline().strip())
        assert folder.is_dir()
        maker.send_signal(signal.SIGKILL)
    wait_until_none_is_left(folder)
    assert folder.name in remove_leftovers()
    assert not folder.exists()


def test_nothing_is_added_to_the_network_of_the_machine() -> None:
    before = set(Path("/sys/class/net").iterdir())
    with make_cell(Network(2, 200, backbone_mbit=50)):
        assert set(Path("/sys/class/net").iterdir()) == before


def test_wrong_rates_are_refused() -> None:
    run = subprocess.run(
        command("--slow", "n2"), cwd=TESTS, capture_output=True, text=True, check=False, timeout=60
    )
    assert run.returncode == 2
    assert "write HOST=MBIT" in run.stderr
