"""Ports and PCIe links of a host: planted trees of /sys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from program_core import core


def plant(root: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content + "\n", encoding="utf-8")


def hardware(root: Path) -> Any:
    return core.host_hardware(root)


def ethernet(name: str, speed: str, state: str = "up", **more: str) -> dict[str, str]:
    files = {"type": "1", "speed": speed, "operstate": state, "device/vendor": "0x15b3"} | more
    return {f"class/net/{name}/{file}": content for file, content in files.items()}


def infiniband(device: str, rate: str, state: str, layer: str = "InfiniBand") -> dict[str, str]:
    files = {"rate": rate, "state": state, "link_layer": layer}
    return {f"class/infiniband/{device}/ports/1/{file}": text for file, text in files.items()}


def link(kind: str, width: str, speed: str, now: tuple[str, str] | None = None) -> dict[str, str]:
    """A device whose maxima are width and speed; `now` are the present ones, by default those."""
    lanes, rate = now or (width, speed)
    return {
        "class": kind,
        "max_link_width": width,
        "current_link_width": lanes,
        "max_link_speed": f"{speed} GT/s PCIe",
        "current_link_speed": f"{rate} GT/s PCIe",
    }


def plant_pci(sys: Path, *chain: tuple[str, dict[str, str]]) -> None:
    """Devices beneath each other, from a root port on."""
    place = "devices/pci0000:00"
    for address, files in chain:
        place += f"/{address}"
        plant(sys, {f"{place}/{name}": text for name, text in files.items()})
        entry = sys / "bus/pci/devices" / address
        entry.parent.mkdir(parents=True, exist_ok=True)
        if not entry.exists():
            entry.symlink_to(sys / place)


def test_infiniband_and_ethernet(tmp_path: Path) -> None:
    plant(tmp_path, infiniband("mlx5_0", "200 Gb/sec (4X HDR)", "4: ACTIVE"))
    plant(tmp_path, infiniband("mlx5_1", "10 Gb/sec (4X SDR)", "1: DOWN"))
    plant(tmp_path, infiniband("mlx5_2", "100 Gb/sec (4X EDR)", "4: ACTIVE", "Ethernet"))
    plant(tmp_path, ethernet("eth0", "100000") | ethernet("eth1", "-1", "down"))
    plant(tmp_path, ethernet("eth2", "-1"))
    assert hardware(tmp_path)["network"] == [
        {"name": "mlx5_0/1", "kind": "infiniband", "rate_MBps": 25000.0, "state": "active"},
        {"name": "mlx5_1/1", "kind": "infiniband", "rate_MBps": None, "state": "down"},
        {"name": "eth0", "kind": "ethernet", "rate_MBps": 12500.0, "state": "up"},
        {"name": "eth1", "kind": "ethernet", "rate_MBps": None, "state": "down"},
        {"name": "eth2", "kind": "ethernet", "rate_MBps": None, "state": "up"},
    ]


def test_what_is_no_physical_port(tmp_path: Path) -> None:
    plant(tmp_path, {"class/net/lo/type": "772", "class/net/lo/operstate": "unknown"})
    plant(tmp_path, {"class/net/veth0/type": "1", "class/net/veth0/speed": "10000"})
    plant(tmp_path, ethernet("ib0", "200000", type="32"))
    plant(tmp_path, ethernet("vf0", "10000", **{"device/physfn/class": "0x020000"}))
    plant(tmp_path, {"class/net/bonding_masters": "bond0"})
    assert hardware(tmp_path) == {"network": [], "pcie_below_maximum": []}


BRIDGE, NETWORK, STORAGE, ACCELERATOR = "0x060400", "0x020700", "0x010802", "0x030200"


def links(sys: Path) -> list[str]:
    found: list[str] = hardware(sys)["pcie_below_maximum"]
    return found


def test_a_link_with_fewer_lanes_than_both_ends_have(tmp_path: Path) -> None:
    plant_pci(
        tmp_path,
        ("0000:00:01.0", link(BRIDGE, "16", "16", ("8", "16"))),
        ("0000:81:00.0", link(NETWORK, "16", "16", ("8", "16"))),
    )
    assert links(tmp_path) == ["0000:81:00.0 (network): 8 of 16 lanes"]


def test_a_wide_card_in_a_narrow_slot_is_as_fast_as_it_can_be(tmp_path: Path) -> None:
    plant_pci(
        tmp_path,
        ("0000:00:01.0", link(BRIDGE, "8", "8")),
        ("0000:81:00.0", link(NETWORK, "16", "16", ("8", "8"))),
    )
    assert links(tmp_path) == []


def test_a_link_below_its_speed(tmp_path: Path) -> None:
    root = ("0000:00:01.0", link(BRIDGE, "16", "32", ("16", "8")))
    plant_pci(tmp_path, root, ("0000:81:00.0", link(NETWORK, "16", "16", ("16", "8"))))
    other = ("0000:00:02.0", link(BRIDGE, "16", "32", ("16", "2.5")))
    plant_pci(tmp_path, other, ("0000:82:00.0", link(ACCELERATOR, "16", "32", ("16", "2.5"))))
    assert links(tmp_path) == ["0000:81:00.0 (network): 8 of 16 GT/s"]


def test_links_of_a_switch(tmp_path: Path) -> None:
    """The switch runs at half its width; the drive beneath it as wide as it is."""
    plant_pci(
        tmp_path,
        ("0000:00:01.0", link(BRIDGE, "16", "16", ("8", "16"))),
        ("0000:01:00.0", link(BRIDGE, "16", "16", ("8", "16"))),
        ("0000:02:00.0", link(BRIDGE, "16", "16", ("4", "16"))),
        ("0000:03:00.0", link(STORAGE, "4", "16")),
    )
    assert links(tmp_path) == ["0000:01:00.0 (bridge): 8 of 16 lanes"]


def test_links_that_tell_nothing(tmp_path: Path) -> None:
    root = ("0000:00:01.0", {"class": BRIDGE})
    plant_pci(tmp_path, root, ("0000:83:00.0", link(NETWORK, "16", "16", ("0", "Unknown"))))
    plant_pci(tmp_path, ("0000:00:02.0", link(NETWORK, "16", "16", ("8", "8"))))
    assert links(tmp_path) == []


def test_a_missing_tree(tmp_path: Path) -> None:
    assert hardware(tmp_path / "nowhere") == {"network": [], "pcie_below_maximum": []}
