"""Computations of the core on numbers worked out by hand, each by its name."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.result.numbers import format_duration, format_size
from program_core import core, pairs

INTEL, OPEN_MPI = "Intel(R) MPI Library 2021.19.0 for Linux* OS", "Open MPI v5.0.7, package: Open"
MPICH = "MPICH Version: 5.0.2"
CORES = [[thread, thread // 2 * 2] for thread in range(4)]
"""The core of each thread: CPUs 0 and 1 are those of core 0, 2 and 3 of core 2."""
ANSWERS: dict[str, list[tuple[Any, ...]]] = {
    "parse_size": [
        *(("4096", 4096), ("512MiB", 512 * 2**20), ("1GB", 10**9), ("1.5GiB", 3 * 2**29)),
        *(("2 kB", 2000), ("1TiB", 2**40), ("0", 0)),
    ],
    "parse_duration": [
        *(("90s", 90), ("15min", 900), ("2.5ms", 0.0025), ("250us", 0.00025), ("1h", 3600)),
    ],
    "memory_text": [(12662247424, "12076")],  # 12075.66 MiB
    "host_list": [
        (["n1"], "n1"),
        (["node001", "node002", "node003", "node005"], "node[001-003,005]"),
        (["a1", "a2", "login", "b7"], "a[1-2],login,b7"),
        *((["n9", "n10"], "n9,n10"), (["c1.site", "c2.site"], "c[1-2].site"), ([], "")),
    ],
    # of boot ids, of which some are not known
    "numbered_kernels": [
        *((["a", "b", "c"], []), (["b", "a", "b", "a", "c"], [0, 1, 0, 1, 2])),
        *((["", "", "a", "a"], [0, 1, 2, 2]), (["", ""], [])),
    ],
    "hosts_of_one_kernel": [([], ""), ([0, 0, 0, 1], "n[0-2]"), ([0, 1, 2, 2], "n[2-3]")],
    "place_in_slurm": [
        ("n1", "s0.s4.n1", "switch.switch.node", {"node": "n1", "switches": "s0.s4"}),
        ("n1", "b1.n1.cluster.example", "block.node", {"node": "n1", "switches": "b1"}),
        ("n1", "n1", "node", {"node": "n1", "switches": ""}),
        ("n1", "", "", {"node": "n1", "switches": ""}),
        ("n1", "s0", "switch.node", {"node": "n1", "switches": ""}),
        ("n1", "s0.n1", "switch.switch", {"node": "n1", "switches": ""}),
    ],
    # what Slurm says is recorded once it differs: where a launcher hands on its environment, never
    "recorded_hosts": [
        (
            [("n3.example", "n3", "s0.s1"), ("n4", "n4", "s0.s2"), ("n5", "n5", "")],
            [
                {"name": "n3.example", "processes": 1, "node": "n3", "switches": "s0.s1"},
                {"name": "n4", "processes": 1, "switches": "s0.s2"},
                {"name": "n5", "processes": 1},
            ],
        ),
        *(
            (
                [("n3", "n3", "s0.s1"), ("n4", second, "s0.s1")],
                [{"name": "n3", "processes": 1}, {"name": "n4", "processes": 1}],
            )
            for second in ("n3", "")
        ),
    ],
    "batch_job": [
        *(({}, None), ({"SLURM_JOB_PARTITION": "cpu"}, None)),
        (
            {"SLURM_JOB_ID": "7", "SLURM_JOB_PARTITION": "cpu", "SLURM_JOB_QOS": "short"},
            {"system": "Slurm", "partition": "cpu", "qos": "short"},
        ),
        (
            {"PBS_JOBID": "7.head", "PBS_QUEUE": "workq"},
            {"system": "PBS", "partition": "workq", "qos": ""},
        ),
        (
            {"LSB_JOBID": "7", "LSB_QUEUE": "normal"},
            {"system": "LSF", "partition": "normal", "qos": ""},
        ),
        ({"FLUX_JOB_ID": "f1"}, {"system": "Flux", "partition": "", "qos": ""}),
    ],
    # NUMA nodes of processes, and of devices: near ones fill up first, none idles
    "assigned_devices": [
        ([None] * 4, [None, None], [0, 1, 0, 1]),
        ([1, 0, 1, 0], [0, 0, 1, 1], [2, 0, 3, 1]),
        ([0, 0, 0, 0], [0, 1], [0, 0, 1, 1]),
        ([1, 1, None], [0, 1, 1], [1, 2, 0]),
        ([3], [0, 1], [0]),
    ],
    "was_seen": [
        ("cuda", "580.159.04", INTEL, "", False, True),
        ("cuda", "581", OPEN_MPI, "ob1", False, True),
        ("cuda", "580.1", OPEN_MPI, "UCX 1.22.0", False, True),
        ("cuda", "580.1", OPEN_MPI, "UCX 1.21.0", False, False),
        ("cuda", "580.1", OPEN_MPI, "", False, False),
        ("cuda", "580.1", OPEN_MPI.replace("5.0.7", "5.0.8"), "ob1", False, False),
        ("cuda", "579.9", INTEL, "", False, False),
        ("cuda", "", INTEL, "", False, False),
        ("cuda", "580.1", MPICH, "", False, False),
        ("cuda", "580.1", MPICH, "", True, True),
        ("hip", "580.1", INTEL, "", False, False),
    ],
    "cpu_list": [
        *(("", ""), ("x", ""), ("8,3,0-2", "0-3,8"), ("3-1", ""), ("1,x", "1")),
        ("0-99999999999", ""),
    ],
    "cpus_of_words": [([1 << 3, 3, 0, 1 << 63], [3, 64, 65, 255])],
    "cores_of": [([0, 1], CORES, [0]), ([1, 2, 9], CORES, [0, 2, 9])],  # of 9 nothing is known
    # places with more processes than cores
    "crowded_sets": [
        *(([[0], [1]], 0), ([[0], [0]], 1), ([[0], [1], [0, 1]], 1), ([[0, 1], [0]], 0)),
        ([[0], [0], [5], [5]], 2),
        ([[0], [0], [0, 5], [5]], 1),  # they overlap
        ([[0, 5], [0], [5], [0], [5]], 2),  # the smallest, whichever process comes first
        *(([[0, 70], [70], [0]], 1), ([], 0), ([[], []], 0)),
    ],
    "next_loop_length": [
        # 1 µs per iteration, window 2.5 … 5 ms: the middle sqrt(2.5 · 5) = 3.536 ms
        (2.5e-3, None, (1, 1e-6), 1, 3536),
        # 1 GB/s without latency: 2 MB take 2 ms, so 3.536 / 2 rounds to 2 iterations
        (2.5e-3, (500_000, 0.5e-3), (1_000_000, 1e-3), 2_000_000, 2),
        # 2 µs, then 1 µs: the line would lead below zero, but 4 byte take no less than 2
        (2.5e-3, (1, 2e-6), (2, 1e-6), 4, 3536),
        # a slow short message promises no fast long one across a gap: at 10 GB/s, 9.9 ms and 105 µs
        (2.5e-3, None, (1024, 1.605e-6), 98_736_336, 1),
        (2.5e-3, (1, 5.69e-6), (1024, 1.605e-6), 2**20, 34),
        # four times as much, the longest step of a whole run, is no gap
        (2.5e-3, None, (4096, 1e-7), 16_384, 35_355),
        (2.5e-3, None, (4096, 1e-7), 16_385, 8838),
        (2.5e-3, (1, 8e-3), (2, 9e-3), 4, 1),
    ],
    "pairs.series_for": [
        *((0.0, [5, 1000]), (1e-7, [5, 1000]), (2e-6, [5, 200])),
        *((0.9e-3, [5, 1]), (1.1e-3, [3, 1]), (1.0, [3, 1])),
    ],
    "pairs.series_beside": [
        *((1e-3, 1e-3, [3, 2]), (1e-3, 10e-3, [3, 20]), (1e-6, 1e-6, [3, 400])),
        *((2.0, 2.0, [3, 1]), (0.1, 9.0, [3, 5]), (0.0, 0.0, [3, 100_000])),
    ],
    "pairs.half_by_switches": [
        (["root.b", "root.a", "root.b", "root.a"], [1, 3]),
        (["root.b", "root.b", "root.a", "root.c", "root.a"], [2, 4]),
        (["s10", "s2", "s10", "s2"], [0, 2]),
        (["root.a", "root.a", "root.b", "root.b"], []),
        *((["root.b", "", "root.a", "root.a"], []), (["root.a"] * 4, []), (["root.a"], [])),
    ],
}


@pytest.mark.parametrize(
    ("name", "arguments", "answer"),
    [(name, arguments, answer) for name in ANSWERS for *arguments, answer in ANSWERS[name]],
)
def test_answers_by_hand(name: str, arguments: list[Any], answer: Any) -> None:
    part = pairs if name.startswith("pairs.") else core
    assert getattr(part, name.removeprefix("pairs."))(*arguments) == answer


@pytest.mark.parametrize(
    ("quantity", "texts"),
    [
        ("size", ["", "MiB", "12parsecs", "-1", "-1GiB", "nan", "inf", "1e400", "1mb", str(2**63)]),
        ("duration", ["", "5", "5 parsecs", "-1s"]),
    ],
)
def test_what_is_no_quantity_is_refused(quantity: str, texts: list[str]) -> None:
    for text in texts:
        with pytest.raises(ValueError, match=r"\w"):
            getattr(core, f"parse_{quantity}")(text)


# What rounds up to the next unit is said in that one; what is not zero does not look so.
WRITTEN = {
    **{0.0025: "2.50 ms", 5.5: "5.5 s", 42.4: "42 s", 200: "3 min 20 s", 3900: "1 h 05 min"},
    **{4e-9: "0.004 us", 5e-9: "0.01 us", 999.996e-6: "1.00 ms", 0.999996: "1 s"},
    **{9.97: "10 s", 59.6: "1 min", 3599.7: "1 h 00 min"},
}


def test_written_quantities_by_hand() -> None:
    assert {seconds: format_duration(seconds) for seconds in WRITTEN} == WRITTEN
    assert format_size(2**20 - 1) == "1.00 MiB"


@given(st.floats(0, 1e6) | st.sampled_from([*WRITTEN]), st.integers(1, 2**45))
def test_core_and_companion_write_alike(seconds: float, size: int) -> None:
    assert core.format_duration(seconds) == format_duration(seconds)
    assert core.format_size(size) == format_size(size)
    assert core.parse_size(core.format_size(size)) == pytest.approx(size, rel=0.006, abs=0.5)


def test_hosts_with_the_same_devices_stand_together() -> None:
    """Processes are numbered within their host; n1 has its two on one device."""
    recorded = core.device_hosts([0, 0, 1, 1, 2, 2], ["a", "b", "a", "a", "a", "b"])
    found = {
        group["hosts"]: [(d["pci_address"], d["processes"]) for d in group["devices"]]
        for group in recorded["hosts"]
    }
    assert found == {"n[0,2]": [("a", [0]), ("b", [1])], "n1": [("a", [0, 1])]}
