"""Which process uses which device, and how hosts with the same devices are recorded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from program_core import core

NODES = st.one_of(st.none(), st.integers(0, 3))


@pytest.mark.parametrize(
    ("processes", "devices", "assigned"),
    [
        ([None] * 4, [None, None], [0, 1, 0, 1]),
        ([1, 0, 1, 0], [0, 0, 1, 1], [2, 0, 3, 1]),
        ([0, 0, 0, 0], [0, 1], [0, 0, 1, 1]),  # near ones fill up first, none idles
        ([1, 1, None], [0, 1, 1], [1, 2, 0]),
        ([3], [0, 1], [0]),
    ],
)
def test_near_devices_come_first(
    processes: list[int | None], devices: list[int | None], assigned: list[int]
) -> None:
    assert core.assigned_devices(processes, devices) == assigned


@given(st.lists(NODES, min_size=1, max_size=12), st.lists(NODES, min_size=1, max_size=8))
def test_no_device_has_more_than_its_part(
    processes: list[int | None], devices: list[int | None]
) -> None:
    assigned = core.assigned_devices(processes, devices)
    most = -(-len(processes) // len(devices))
    assert len(assigned) == len(processes)
    assert all(assigned.count(device) <= most for device in set(assigned))


@pytest.mark.parametrize(
    ("driver", "library", "transport", "through_host", "seen"),
    [
        ("580.159.04", "Intel(R) MPI Library 2021.19.0 for Linux* OS", "", False, True),
        ("581", "Open MPI v5.0.7, package: Open MPI", "ob1", False, True),
        ("580.1", "Open MPI v5.0.7, package: Open MPI", "UCX 1.22.0", False, True),
        ("580.1", "Open MPI v5.0.7, package: Open MPI", "UCX 1.21.0", False, False),
        ("580.1", "Open MPI v5.0.7, package: Open MPI", "", False, False),
        ("580.1", "Open MPI v5.0.8, package: Open MPI", "ob1", False, False),
        ("579.9", "Intel(R) MPI Library 2021.19.0 for Linux* OS", "", False, False),
        ("", "Intel(R) MPI Library 2021.19.0 for Linux* OS", "", False, False),
        ("580.1", "MPICH Version: 5.0.2", "", False, False),
        ("580.1", "MPICH Version: 5.0.2", "", True, True),
    ],
)
def test_seen_is_what_ran_on_a_device(
    driver: str, library: str, transport: str, through_host: bool, seen: bool
) -> None:
    assert core.was_seen("cuda", driver, library, transport, through_host) == seen
    assert not core.was_seen("hip", driver, library, transport, through_host)


def test_hosts_with_the_same_devices_stand_together() -> None:
    """Processes are numbered within their host; n1 has its two on one device."""
    recorded = core.device_hosts([0, 0, 1, 1, 2, 2], ["a", "b", "a", "a", "a", "b"])
    found = [
        (group["hosts"], [(d["pci_address"], d["processes"]) for d in group["devices"]])
        for group in recorded["hosts"]
    ]
    assert found == [
        ("n[0,2]", [("a", [0]), ("b", [1])]),
        ("n1", [("a", [0, 1])]),
    ]
