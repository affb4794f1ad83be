"""Results of runs on scripted machines: criteria, disk or memory, values, published protocols."""

import json
from pathlib import Path
from typing import Any

import io_core as io
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from io_core import MB, Exact, Machine, Run, run

from beff.definition.b_eff_io import value_0_5
from beff.definition.b_eff_io_medium import disk_share
from beff.definition.verify import verify
from beff.result.load import as_b_eff_io, check_document

PUBLISHED = json.loads((Path(__file__).parent / "published_2_1.json").read_text())
FROM_DISK = [io.cache(0, dropped=True)]


def good(machine: Machine | None = None, **more: Any) -> Run:
    """A run that meets every criterion, but for what `more` says of plan and machine."""
    noted = {"data_check", "shared_pointers", "complete", "cache", "file_system"}
    noted |= {"build_type", "simulated", "total_memory"}
    beside = {"cache": FROM_DISK, "data_check": {"chunks_checked": 100}, "total_memory": 64 * MB}
    beside |= {name: more.pop(name) for name in noted & more.keys()}
    plan = {"partitions": [2, 4], **more}
    return run(machine or Exact(), 4, beside=beside, ranks=(), **plan)


# --- validity ---


def not_met(made: Run) -> set[str]:
    return {one["code"] for one in made.result["criteria"] if not one["met"]}


@pytest.mark.parametrize(
    ("options", "minutes"),
    [
        ({}, 30.0),
        ({"procedure": io.Procedure.ORIGINAL}, 30.0),
        ({"partitions": [4]}, 15.0),
        ({"release": io.Release.R0_5}, 20.0),
        ({"release": io.Release.R2_1, "partitions": [4]}, 30.0),
        ({"types": list(io.Type)}, 30.0),
    ],
)
def test_a_good_run_is_valid_and_one_second_less_is_not(
    options: dict[str, Any], minutes: float
) -> None:
    made = good(time=60 * minutes, **options)
    assert not_met(made) == set()
    assert made.result["valid"]
    assert made.result["cautions"] == []
    assert made.protocol.endswith(" on Linux node1 6.1.0 #1 SMP x86_64\n")
    short = good(time=60 * minutes - 1, **options)
    assert not_met(short) == {"scheduled time"}
    assert "NOT VALID" in short.protocol.splitlines()[-1]


WRONG = {"chunks_checked": 100, "wrong_chunks": 1, "first_error": "of 7"}
DISK = "read from the file system"


@pytest.mark.parametrize(
    ("changed", "missed"),
    [
        ({"simulated": True}, {"machine"}),
        ({"build_type": "Debug"}, {"build"}),
        ({"data_check": {"mode": "none"}}, {"data"}),
        ({"data_check": WRONG}, {"data"}),
        ({"shared_pointers": False}, {"shared file pointers"}),
        ({"complete": False}, {"measured in full"}),
        (
            {"machine": Exact(fail=lambda step: "MPI_ERR_IO" if step.pattern == 7 else None)},
            {"no error", "measured in full"},
        ),
        ({"machine": Exact(capacity=6 * MB)}, {"measured in full"}),
        ({"cache": [io.cache(6, dropped=True)]}, {DISK}),
        ({"file_system": io.file_system(in_memory=True)}, {DISK}),
        ({"max_data": 1 << 50}, {"schedule"}),
    ],
)
def test_each_criterion_can_be_missed(changed: dict[str, Any], missed: set[str]) -> None:
    assert not_met(good(**changed)) == missed


# --- disk or memory ---

READ = min(good().result["summary"]["bytes_per_access"].values())
"""Bytes that such a run reads."""
SHARES = st.none() | st.sampled_from([0.0, 0.04, 0.05, 0.5, 0.949, 0.95, 1.0, 1.7])


@settings(max_examples=150)
@given(
    st.tuples(st.sampled_from(list(io.SeenBy)), st.booleans()),
    st.lists(st.tuples(SHARES, SHARES, SHARES), max_size=2),
    st.sampled_from([4, 1, 0, -1]),
    st.none() | st.sampled_from([20, 0, -20]),
    st.sampled_from([{}, {"release": io.Release.R2_1}, {"types": [0, 1, 2, 3, 4, 5]}]),
)
def test_core_and_definition_say_the_same_of_a_read(
    lies: tuple[int, bool],
    partitions: list[tuple[float | None, float | None, float | None]],
    more_memory: int,
    larger_cache: int | None,
    options: dict[str, Any],
) -> None:
    """At the edges, too, where as much was moved as the memory has, or 20 times the cache."""
    moved = min(good(**options).result["summary"]["bytes_per_access"].values())
    length = None if larger_cache is None else moved // 20 + larger_cache
    seen_by, in_memory = lies

    def share_of(total: int, share: float | None) -> int | None:
        return None if share is None else round(total * share)

    states = [
        io.cache(
            share_of(1000, resident),
            partition=number,
            file_bytes=1000,
            read_from_disk=share_of(READ // 2, from_disk),
            read_by_devices=share_of(READ // 2, by_devices),
        )
        for number, (resident, from_disk, by_devices) in enumerate(partitions)
    ]
    made = good(
        file_system=io.file_system(cache=length, in_memory=in_memory, reads_seen_by=seen_by),
        cache=states,
        total_memory=moved + 4 * more_memory,
        **options,
    )
    document = check_document("scripted", made.result)
    paths = {finding.path for finding in verify(document).findings}
    assert not [path for path in paths if path.startswith(("medium", "criteria", "cautions"))]
    share = disk_share(as_b_eff_io(document))
    assert not (DISK not in not_met(made) and share is not None and share < 0.95)


# --- values and the protocol ---


def test_release_0_5_is_weighted_by_the_time_units() -> None:
    # The second took twice its ideal time; the third has no weight.
    transfers = [(2, 20, 2.0), (1, 4, 2.0), (0, 6, 1.0)]  # units, bytes and seconds
    assert value_0_5(transfers) == pytest.approx((2 * 10.0 + 1 * 2.0) / 3 / 1e6)
    assert value_0_5([(1, 1, 0.0)]) is value_0_5([]) is None


def test_the_system_value_is_the_maximum_over_the_partitions() -> None:
    machine = Exact(
        of_pattern=lambda step: 7.0,
        # random types do not enter
        of_type=lambda step: [100.0, 300.0, 200.0][step.partition] if step.type < 5 else 0.1,
    )
    data = run(machine, 16, types=list(io.Type), ranks=()).result
    summary = data["summary"]
    assert (summary["b_eff_io_MBps"], summary["processes"]) == (pytest.approx(300.0), 8)
    assert summary["values"] == pytest.approx({"0.5": 7.0, "1": 300.0, "2.1": 300.0})
    assert [p["b_eff_io_MBps"] for p in data["partitions"]] == pytest.approx([100.0, 300.0, 200.0])


@pytest.mark.parametrize("published", PUBLISHED, ids=lambda one: one["name"])
def test_rows_totals_and_value_of_published_results_come_out_in_the_protocol(
    published: dict[str, Any],
) -> None:
    n = published["processes"]
    names = ("write", "rewrite", "read")

    def row(step: Any) -> float:
        if step.pattern == 2:
            return float(published["pattern_2"][names[step.access]])
        rows = published["rows"][names[step.access]]
        return float(rows.get(str(step.placement.chunk), [1.0] * 5)[int(step.type)])

    machine = Exact(
        of_pattern=row,
        of_type=lambda step: float(published["totals"][names[step.access]][int(step.type)]),
    )
    asked = {"release": io.Release.R2_1, "rewrite": io.RewriteSet.ALL, "partitions": [n]}
    made = run(machine, n, time=12.0, ranks=(), beside={"total_memory": 1 << 30}, **asked)
    text = made.protocol
    lines = [" ".join(line.split()) for line in text.splitlines()]
    for access, rows in published["rows"].items():
        for position, (chunk, figures) in enumerate(rows.items(), start=1):
            cells = " ".join(f"{figure:.3f}" for figure in figures)
            assert f"4 PEs {position} {chunk} {access} {cells}" in lines
        totals = " ".join(f"{figure:.3f}" for figure in published["totals"][access])
        assert f"4 PEs total-{access} {totals}" in lines
    beside = ", ".join(
        f"{figure:.3f} MB/s {name}" for name, figure in published["pattern_2"].items()
    )
    assert f"bw_pat2= {beside}" in lines
    for access, average in published["averages"].items():
        line = f"weighted average bandwidth for {access:<8}: {average:8.3f} MB/s on 4 processes"
        assert line in text
    moved = made.result["summary"]["bytes_per_access"]["write"]
    amount = "Total amount of data written/read with each access method: {:.3f} MBytes = {:.1f}"
    assert f"{amount} percent of the total memory".format(moved / MB, moved / 2**30 * 100) in text
    value = (
        f"b_eff_io of these measurements = {published['value']:8.3f} MB/s on 4 processes with 256 "
        "MByte/PE and scheduled time=0.2 min on"
    )
    assert text.splitlines()[-1].startswith(value)
