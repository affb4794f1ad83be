"""Verification of b_eff_io: the measuring program's results pass, every changed number is found."""

from collections.abc import Callable
from typing import Any

import pytest
from support.changes import (
    findings,
)
from support.io_results import (
    FAILED_PATTERN,
    MAX_DATA,
    MIB,
    SHORT,
    SPACE,
    IoRun,
    Verb,
    broken,
    calls_of,
    io,
    make_io_result,
)

from beff.definition.verify import verify
from beff.result.load import check_document


def _step(verb: Any, kind: int, access: Any) -> Callable[[Any], bool]:
    return lambda step: step.verb == verb and int(step.type) == kind and step.access == access


def _sync_of(pattern: int) -> Callable[[Any], bool]:
    return lambda step: step.verb == Verb.FINISH and step.pattern == pattern


OFFICIAL = IoRun(time_s=1800.0, machine={"decision_s": 0.1}, resident=0)
MAX_SEGMENT = IoRun(plan={"max_segment": 20 * MIB})
STOPPED = IoRun(machine={"stop_at": 0.7})
STOPPED_IN_REWRITE = IoRun(machine={"stop_at": 2.0})
SLOW_READ = IoRun(machine={"read_rate": 1e8})
GOOD = {
    "short": SHORT,
    "official": OFFICIAL,
    "official 0.5": IoRun(
        time_s=1200.0, plan={"release": io.Release.R0_5}, machine=OFFICIAL.machine, resident=0
    ),
    "official, half from memory": IoRun(time_s=1800.0, machine=OFFICIAL.machine),
    "known cache": IoRun(cache=30 * MIB),
    "stopped between patterns": IoRun(machine={"stop_at": 0.6}),
    "failed close": IoRun(machine=broken("x", _step(Verb.CLOSE, 2, io.Access.WRITE))),
    "one partition": IoRun(plan={"partitions": [3]}),
    "two partitions": IoRun(processes=7, plan={"partitions": [5, 2, 5]}),
    "bounded chunk": IoRun(plan={"max_chunk": 3 * MIB}),
    "chunk of a size that no MB divides": IoRun(memory_per_process=1000 * MIB + 8 * 128 + 5),
    "wide segments": IoRun(plan={"segment_unit": 4 * MIB}),
    "all types": IoRun(plan={"types": list(io.Type)}),
    "types 2 and 3": IoRun(plan={"types": [io.Type.SEPARATE, io.Type.SEGMENTED]}),
    "no shared type": IoRun(plan={"types": [io.Type.SCATTER, io.Type.SEG_COLL]}),
    "max segment": MAX_SEGMENT,
    "max data": MAX_DATA,
    "space": SPACE,
    "space that others use": IoRun(
        processes=1, machine={"capacity": 100 * MIB, "foreign_rate": 100e6}
    ),
    "hardly any space": IoRun(processes=1, machine={"capacity": 6 * MIB}),
    "slow read": SLOW_READ,
    "failed pattern": FAILED_PATTERN,
    "failed rewrite": IoRun(machine=broken("MPI_ERR_IO", calls_of(21, io.Access.REWRITE))),
    "failed chunk size": IoRun(
        processes=1, machine=broken("MPI_ERR_IO", lambda o: calls_of(4)(o) or calls_of(12)(o))
    ),
    "failed open": IoRun(machine=broken("x", _step(Verb.OPEN, 2, io.Access.READ))),
    "failed opens": IoRun(machine=broken("x", lambda step: step.verb == Verb.OPEN)),
    "failed sync, own file": IoRun(machine=broken("x", _sync_of(20))),
    "failed sync, shared file": IoRun(machine=broken("x", _sync_of(37))),
    "stopped at once": IoRun(machine={"stop_at": 0.0}),
    "stopped in types 0 to 2": IoRun(machine={"stop_at": 0.3}),
    "stopped in the second partition": STOPPED,
    "stopped in the middle of a rewrite": STOPPED_IN_REWRITE,
    "stopped between two accesses": IoRun(machine={"stop_at": 1.3}),
    "debug build": IoRun(result={"build_type": "Debug", "simulated": True}),
    **{
        f"{n} processes, {name}": IoRun(processes=n, plan={"release": release})
        for n in (1, 2, 4, 7)
        for name, release in (
            ("0.5", io.Release.R0_5),
            ("1", io.Release.R1),
            ("2.1", io.Release.R2_1),
        )
    },
}


@pytest.mark.parametrize("wanted", GOOD.values(), ids=GOOD.keys())
def test_results_of_the_measuring_program_agree(wanted: IoRun) -> None:
    document = make_io_result(wanted)
    verification = verify(check_document("result", document))
    assert verification.findings == ()
    assert verification.figures > 100
    assert verification.samples == len(document["samples"]["bytes"])


def test_only_the_official_schedule_is_valid() -> None:
    valid = {name for name, wanted in GOOD.items() if make_io_result(wanted)["valid"]}
    assert valid == {"official", "official 0.5"}


def test_the_runs_are_what_their_names_say() -> None:
    def stops(wanted: IoRun) -> set[str | None]:
        return set(make_io_result(wanted)["samples"]["stop"])

    def cut(wanted: IoRun) -> tuple[str, bool]:
        partition = make_io_result(wanted)["partitions"][-1]
        return partition["segment_cut"], partition["segment_scale"] < 1

    assert stops(SHORT) == {"once", "time", "count"}
    assert "space" in stops(SPACE)
    assert "max-data" in stops(MAX_DATA)
    assert stops(SLOW_READ) == {"once", "time", "count"}
    assert "the run was stopped in the middle of it" in make_io_result(STOPPED)["samples"]["error"]
    last = make_io_result(STOPPED_IN_REWRITE)["samples"]
    assert (last["access"][-1], last["error"][-1]) == (
        "rewrite",
        "the run was stopped in the middle of it",
    )
    assert cut(MAX_SEGMENT) == ("max-segment", True)
    assert cut(SHORT) == ("none", False)
    assert set(make_io_result(FAILED_PATTERN)["samples"]["status"]) == {
        "measured", "failed", "skipped",
    }  # fmt: skip
    assert make_io_result(STOPPED)["summary"]["b_eff_io_MBps"] is None
    values = make_io_result(GOOD["4 processes, 2.1"])["summary"]["values"]
    assert (values["1"], values["0.5"]) == (None, None)
    assert values["2.1"] is not None


# --- every change is caught -------------------------------------------------------------


@pytest.mark.parametrize("table", ["samples", "types"])
def test_every_raw_column_has_a_digest(table: str) -> None:
    derived = {"ideal_s", "stop", "error", "bandwidth_MBps"}
    for column, cells in make_io_result()[table].items():
        if column not in derived:
            document = make_io_result()
            words = {"access": "read", "status": "skipped"}
            document[table][column][17] = words[column] if column in words else cells[17] + 1
            assert f"digest.{table}" in {f.path for f in findings(document)} or column in (
                "partition", "pattern", "type", "access",
            ), column  # fmt: skip
