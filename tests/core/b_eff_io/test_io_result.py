"""The result file, the journal, the protocol, criteria and cautions."""

from __future__ import annotations

import json
import struct
from functools import cache
from typing import Any

import io_core as io
import pytest
from hypothesis import given
from hypothesis import strategies as st
from io_core import MB
from io_fake_machine import Machine, Verb, run
from io_made_up import measurement
from jsonschema import Draft202012Validator

from beff.definition.b_eff_io_medium import disk_share
from beff.definition.verify import verify
from beff.result.contract import json_schema_text
from beff.result.load import as_b_eff_io, check_document

GB = 1 << 30
SCHEMA = json.loads(json_schema_text())
RAW_SAMPLES = (
    "partition", "pattern", "access", "repetitions", "bytes", "time_s", "loop_s", "decisions",
    "status",
)  # fmt: skip
RAW_TYPES = (
    "partition", "type", "access", "bytes", "open_s", "close_s", "open_to_close_s", "status",
)  # fmt: skip


@cache
def short_result() -> str:
    """The result of a run of four processes, as text."""
    return json.dumps(result_of(*fake_run()))


def fake_run(**options: Any) -> tuple[Any, Any]:
    machine = {"decision_s": 1e-4, **options.pop("machine", {})}
    plan = io.make_plan(**{"processes": 4, "time": 4.0, **options})
    made = run(plan, Machine(**machine)).measured
    made.file_system = io.file_system()
    return plan, made


def result_of(plan: Any, made: Any, **options: Any) -> dict[str, Any]:
    data: dict[str, Any] = io.make_result(plan, made, **options).json
    return data


def good(minutes: float = 30.0, **options: Any) -> tuple[Any, Any]:
    """A measurement that meets every criterion."""
    plan = io.make_plan(**{"processes": 4, "partitions": [2, 4], "time": 60 * minutes, **options})
    made = measurement(plan, lambda p, n, a: 80.0, lambda p, t, a: 90.0)
    made.cache = [io.cache(0, dropped=True)]
    return plan, made


def fnv1a(columns: dict[str, list[Any]], names: tuple[str, ...]) -> str:
    state = 0xCBF29CE484222325
    for name in names:
        cells = [name, *columns[name]]
        for cell in cells:
            if isinstance(cell, str):
                data = cell.encode()
            elif isinstance(cell, float) or name.endswith("_s"):
                data = struct.pack("<d", cell)
            else:
                data = struct.pack("<q", cell)
            for byte in data:
                state = ((state ^ byte) * 0x100000001B3) & (2**64 - 1)
    return f"{state:016x}"


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"release": io.Release.R2_1},
        {"types": list(io.Type)},
        {"types": [io.Type.SEPARATE, io.Type.SEGMENTED]},
        {"machine": {"capacity": 6 * MB}, "processes": 1},
        {"max_data": 400 * MB},
        {"machine": {"stop_at": 0.0}},
        {"machine": {"fail": lambda step: "broken" if step.verb == Verb.OPEN else None}},
    ],
)
def test_results_follow_the_schema(options: dict[str, Any]) -> None:
    plan, made = fake_run(**options)
    made.cache = [io.cache(file_bytes=5 * MB, read_from_disk=4 * MB)]
    wanted, accepted = {"cb_nodes": "4"}, {"cb_nodes": "2"}
    made.hints = [io.hint(0, io.Access.READ, io.Type.SCATTER, None, wanted, accepted)]
    data = result_of(plan, made)
    errors = list(Draft202012Validator(SCHEMA).iter_errors(data))
    assert [f"{list(e.absolute_path)}: {e.message}" for e in errors] == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("definition",), "3.5"),
        (("samples", "access"), ["append"]),
        (("samples", "bytes"), [-1]),
        (("summary", "b_eff_io_MBps"), 0),
        (("pointer",), "none"),
        (("partitions", 0, "segment_cut"), "boredom"),
        (("environment", "filesystem"), None),
        (("digest",), {"algorithm": "fnv1a64", "samples": "0" * 16}),
    ],
)
def test_the_schema_refuses_damage(path: tuple[Any, ...], value: Any) -> None:
    data = json.loads(short_result())
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert list(Draft202012Validator(SCHEMA).iter_errors(data))


def test_derived_figures_follow_from_the_columns() -> None:
    data = json.loads(short_result())
    samples, types = data["samples"], data["types"]
    assert len({len(column) for column in samples.values()}) == 1
    type_of = {p["number"]: p["type"] for p in data["patterns"]}
    for i, open_to_close in enumerate(types["open_to_close_s"]):
        key = (types["partition"][i], types["type"][i], types["access"][i])
        rows = [
            j
            for j, number in enumerate(samples["pattern"])
            if (samples["partition"][j], type_of[number], samples["access"][j]) == key
        ]
        patterns = sum(samples["time_s"][j] for j in rows)
        assert open_to_close == pytest.approx(types["open_s"][i] + patterns + types["close_s"][i])
        assert types["bytes"][i] == sum(samples["bytes"][j] for j in rows)
        assert types["bandwidth_MBps"][i] == pytest.approx(types["bytes"][i] / open_to_close / 1e6)
    for partition in data["partitions"]:
        w, x, r = (partition["access"][name] for name in ("write", "rewrite", "read"))
        assert partition["values"]["1"] == pytest.approx(0.25 * w + 0.25 * x + 0.5 * r)
    best = max(p["b_eff_io_MBps"] for p in data["partitions"])
    assert data["summary"]["b_eff_io_MBps"] == best


def test_the_digests_cover_every_raw_column() -> None:
    data = json.loads(short_result())
    assert data["digest"]["samples"] == fnv1a(data["samples"], RAW_SAMPLES)
    assert data["digest"]["types"] == fnv1a(data["types"], RAW_TYPES)


def test_decisions_and_their_cost_are_told() -> None:
    data = json.loads(short_result())
    for index, partition in enumerate(data["partitions"]):
        mine = [i for i, p in enumerate(data["samples"]["partition"]) if p == index]
        assert partition["decisions"] == sum(data["samples"]["decisions"][i] for i in mine)
        loops = sum(data["samples"]["loop_s"][i] for i in mine)
        assert partition["decisions_share"] == pytest.approx(partition["decisions"] * 1e-4 / loops)


# --- validity ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "minutes"),
    [
        ({}, 30.0),
        ({"procedure": io.Procedure.ORIGINAL}, 30.0),
        ({"partitions": [4]}, 15.0),
        ({"release": io.Release.R0_5}, 20.0),
        ({"release": io.Release.R0_5, "partitions": [4]}, 10.0),
        ({"release": io.Release.R2_1}, 30.0),
        ({"release": io.Release.R2_1, "partitions": [4]}, 30.0),
        ({"types": list(io.Type)}, 30.0),
    ],
)
def test_a_good_run_is_valid_and_one_second_less_is_not(
    options: dict[str, Any], minutes: float
) -> None:
    plan, made = good(minutes, **options)
    result = io.make_result(plan, made)
    assert result.json["valid"], result.json["criteria"]
    assert result.json["cautions"] == []
    assert result.last_lines.endswith(" on Linux node1 6.1.0 #1 SMP x86_64\n")
    short_plan, short = good(minutes - 1 / 60, **options)
    short_result = io.make_result(short_plan, short)
    assert not_met(short_plan, short) == {"scheduled time"}
    assert short_result.last_lines.endswith("NOT VALID (see the criteria above)\n")


def not_met(plan: Any, made: Any, **options: Any) -> set[str]:
    criteria = result_of(plan, made, **options)["criteria"]
    return {one["code"] for one in criteria if not one["met"]}


def test_each_criterion_can_be_missed() -> None:
    plan, made = good()
    assert not_met(plan, made, simulated=True) == {"machine"}
    assert not_met(plan, made, build_type="Debug") == {"build"}
    made.data_check = {"mode": "none"}
    assert not_met(plan, made) == {"data"}
    seen = "file p0-scatter, offset 3: 7 instead of 9"
    made.data_check = {"chunks_checked": 100, "wrong_chunks": 1, "first_error": seen}
    assert not_met(plan, made) == {"data"}
    made.data_check = {"chunks_checked": 100}
    made.shared_pointers = False
    assert not_met(plan, made) == {"shared file pointers"}
    made.shared_pointers = True
    made.complete = False
    assert not_met(plan, made) == {"measured in full"}
    made.complete = True
    failed = {"status": io.Status.FAILED, "error": "MPI_ERR_IO"}
    made.samples[7] = io.sample(0, 7, io.Access.WRITE, **failed)
    assert not_met(plan, made) == {"no error", "measured in full"}
    short_of_space = {"bytes": 10**9, "time": 0.1, "stop": io.StopReason.SPACE}
    made.samples[7] = io.sample(0, 7, io.Access.WRITE, **short_of_space)
    assert not_met(plan, made) == {"measured in full"}
    bounded, enough = good(max_data=1 << 50)
    assert not_met(bounded, enough) == {"schedule"}


MOVED = 2 * 43 * 10**9


def test_what_was_read_comes_from_the_file_system_or_overruns_its_caches() -> None:
    plan, made = good()
    assert not_met(plan, made, total_memory=1 << 50) == set()
    made.cache = [io.cache(6, dropped=True)]
    assert not_met(plan, made, total_memory=1 << 50) == {"read from the file system"}
    # what was measured counts, whatever was moved
    assert not_met(plan, made, total_memory=MOVED) == {"read from the file system"}
    made.cache = []
    assert not_met(plan, made, total_memory=MOVED) == set()
    assert not_met(plan, made, total_memory=MOVED + 1) == {"read from the file system"}
    made.file_system = io.file_system(cache=MOVED // 20)
    assert not_met(plan, made, total_memory=1 << 50) == set()
    made.file_system = io.file_system(cache=MOVED // 20 + 1)
    assert not_met(plan, made) == {"read from the file system"}
    made.file_system = io.file_system(in_memory=True)
    assert not_met(plan, made) == {"read from the file system"}


@pytest.mark.parametrize(
    ("resident", "cache", "judged"),
    [
        (0, MOVED // 20, (MOVED, MOVED, "bytes", True)),
        (0, MOVED // 20 + 1, (MOVED + 20, MOVED, "bytes", False)),
        (5, MOVED // 20 + 1, (MOVED + 20, MOVED, "bytes", False)),
        (6, MOVED // 20, (95, 94, "percent", False)),
        (0, None, (95, 100, "percent", True)),
    ],
)
def test_a_cache_that_is_given_is_overrun_beside_the_measured_share(
    resident: int, cache: int | None, judged: tuple[int, int, str, bool]
) -> None:
    plan, made = good()
    made.cache = [io.cache(resident)]
    made.file_system = io.file_system(cache=cache)
    result = result_of(plan, made)
    (found,) = (one for one in result["criteria"] if one["code"] == "read from the file system")
    assert tuple(found[name] for name in ("required", "found", "unit", "met")) == judged


def test_each_access_method_must_overrun_the_caches() -> None:
    plan, made = good(release=io.Release.R2_1)
    made.cache = []
    scatter = 2 * 9 * 10**9  # all that the rewrite moves
    assert not_met(plan, made, total_memory=scatter) == set()
    assert not_met(plan, made, total_memory=scatter + 1) == {"read from the file system"}


def test_an_access_method_that_is_not_planned_need_not_overrun_the_caches() -> None:
    plan, made = good(release=io.Release.R2_1, types=[io.Type.SHARED, io.Type.SEPARATE])
    made.cache = []
    moved = 2 * 16 * 10**9  # by the write, and by the read; there is no rewrite
    assert "read from the file system" not in not_met(plan, made, total_memory=moved)
    assert "read from the file system" in not_met(plan, made, total_memory=moved + 1)


def test_less_data_than_memory_is_a_caution() -> None:
    plan, made = good()
    assert result_of(plan, made, total_memory=MOVED)["cautions"] == []
    result = result_of(plan, made, total_memory=2 * MOVED)
    assert result["valid"]
    assert result["cautions"] == [{"code": "less than memory", "facts": {"written_percent": 50.0}}]


@given(st.integers(2**23, 2**50))
def test_the_time_for_the_memory_divides_as_written(memory: int) -> None:
    plan, made = good(30)
    text = io.make_result(plan, made, total_memory=memory).protocol
    (line,) = (line for line in text.splitlines() if line.startswith("total memory / b_eff_io"))
    _, divided, minutes = line.split(" = ")
    megabytes, rate = (part.split() for part in divided.split(" / "))
    assert (megabytes[1], rate[1], minutes.split()[1]) == ("MB", "MB/s", "min")
    exact = float(megabytes[0]) / float(rate[0]) / 60
    assert float(minutes.split()[0]) == pytest.approx(exact, rel=1e-3, abs=0.051)
    assert float(megabytes[0]) * 1e6 == pytest.approx(memory, abs=1e3)


# --- disk or memory ---------------------------------------------------------------------


def medium_of(plan: Any, made: Any) -> tuple[str, int | None]:
    """Code and percent of what is told of the read."""
    medium = result_of(plan, made)["medium"]
    return medium["code"], next(map(round, medium["facts"].values()), None)


@pytest.mark.parametrize(
    ("resident", "from_disk", "medium"),
    [
        (0, 86 * 10**9, ("read from the file system", 100)),
        (100, 0, ("read from memory", 100)),
        (None, 43 * 10**9, ("read from both", 50)),
        (25, None, ("read from both", 25)),
        (4, 80 * 10**9, ("read from both", 7)),
        (0, 100 * 10**9, ("read from the file system", 100)),
        (0, None, ("read from the file system", 100)),
        (None, None, ("origin not reported", None)),
        (None, 0, ("origin not reported", None)),
    ],
)
def test_one_statement_says_disk_or_memory(
    resident: int | None, from_disk: int | None, medium: tuple[str, int | None]
) -> None:
    plan, made = good()
    made.cache = [io.cache(resident, read_from_disk=from_disk)]
    assert medium_of(plan, made) == medium
    result = result_of(plan, made)
    is_caution = medium[0] != "read from the file system"
    assert (result["medium"] in result["cautions"]) == is_caution


def test_a_file_system_in_memory_is_memory_whatever_the_counters_say() -> None:
    plan, made = good()
    made.file_system = io.file_system(in_memory=True)
    assert medium_of(plan, made) == ("files in memory", None)


READ = 86 * 10**9
"""Bytes that the made-up run reads."""
SHARES = st.none() | st.sampled_from([0.0, 0.04, 0.05, 0.5, 0.949, 0.95, 1.0, 1.7])


@pytest.mark.parametrize(
    ("seen_by", "resident", "by_devices", "medium"),
    [
        (io.SeenBy.DEVICES, 0, READ, ("read from the file system", 100)),
        (io.SeenBy.DEVICES, 0, 0, ("read from memory", 100)),  # of another file's pages
        (io.SeenBy.DEVICES, 100, READ, ("read from memory", 100)),  # others read meanwhile
        (io.SeenBy.DEVICES, None, READ // 2, ("read from both", 50)),
        (io.SeenBy.DEVICES, 0, None, ("read from the file system", 100)),
        (io.SeenBy.PAGE_CACHES, 0, 0, ("read from the file system", 100)),
        (io.SeenBy.NOTHING, 0, None, ("caches not counted", None)),
        (io.SeenBy.NOTHING, None, None, ("caches not counted", None)),
        (io.SeenBy.NOTHING, 100, None, ("read from memory", 100)),
        (io.SeenBy.NOTHING, 10, None, ("read from both", 10)),
    ],
)
def test_what_lies_below_says_disk_or_memory(
    seen_by: int, resident: int | None, by_devices: int | None, medium: tuple[str, int | None]
) -> None:
    plan, made = good()
    made.file_system = io.file_system(reads_seen_by=seen_by)
    made.cache = [io.cache(resident, read_by_devices=by_devices)]
    assert medium_of(plan, made) == medium


def test_of_a_read_that_was_ended_the_devices_say_nothing() -> None:
    plan, made = good()
    made.file_system = io.file_system(reads_seen_by=io.SeenBy.DEVICES)
    made.cache = [io.cache(0, partition=p, read_by_devices=b) for p, b in ((0, 9), (1, None))]
    assert medium_of(plan, made) == ("read from the file system", 100)


@given(
    st.sampled_from(list(io.SeenBy)),
    st.booleans(),
    st.lists(st.tuples(SHARES, SHARES, SHARES), max_size=2),
    st.sampled_from([4, MOVED, MOVED + 1]),
    st.none() | st.sampled_from([MOVED // 20, MOVED]),
)
def test_both_implementations_say_the_same_of_a_read(
    seen_by: int,
    in_memory: bool,
    partitions: list[tuple[float | None, float | None, float | None]],
    total_memory: int,
    cache: int | None,
) -> None:
    plan, made = good()
    made.file_system = io.file_system(cache=cache, in_memory=in_memory, reads_seen_by=seen_by)
    made.cache = [
        io.cache(
            None if resident is None else round(1000 * resident),
            partition=number,
            file_bytes=1000,
            read_from_disk=None if from_disk is None else round(READ * from_disk / 2),
            read_by_devices=None if by_devices is None else round(READ * by_devices / 2),
        )
        for number, (resident, from_disk, by_devices) in enumerate(partitions)
    ]
    result = io.make_result(plan, made, total_memory=total_memory)
    document = check_document("made up", result.json)
    paths = {finding.path for finding in verify(document).findings}
    assert not [path for path in paths if path.startswith(("medium", "criteria", "cautions"))]
    share = disk_share(as_b_eff_io(document))
    met = {one["code"]: one["met"] for one in document.fields["criteria"]}[
        "read from the file system"
    ]
    assert not (met and share is not None and share < 0.95)


# --- protocol ---------------------------------------------------------------------------


def test_the_protocol_shows_stops_failures_and_criteria() -> None:
    def fail(step: Any) -> str | None:
        bad = step.verb == Verb.CALLS and step.pattern == 21
        return "MPI_ERR_QUOTA: too much" if bad else None

    plan, made = fake_run(machine={"fail": fail}, max_data=500 * MB)
    result = io.make_result(plan, made)
    text = result.protocol
    assert "MPI_ERR_QUOTA: too much" in text
    assert "no error: 0 failed" in text
    assert "not available on 4" in text
    assert text.endswith(result.last_lines)
    assert "nan" not in text
    assert "inf" not in text.replace("info", "")


def test_a_file_that_cannot_be_opened_is_named_with_the_reason() -> None:
    """Its patterns are not failed but skipped, so nothing else would tell it."""

    def fail(step: Any) -> str | None:
        lost = step.verb == Verb.OPEN and step.type == io.Type.SEPARATE
        return "MPI_ERR_NO_SPACE: full" if lost else None

    plan, made = fake_run(machine={"fail": fail})
    told = [one for one in result_of(plan, made)["cautions"] if one["code"] == "failed file"]
    assert told[0]["facts"]["type"] == "separate"
    assert told[0]["facts"]["error"].endswith("MPI_ERR_NO_SPACE: full")
    assert len(told) == len(plan.partitions)


def test_the_protocol_of_a_run_that_was_stopped_at_once() -> None:
    plan, made = fake_run(machine={"stop_at": 0.0})
    made.stopped_by = "signal 15"
    text = io.make_result(plan, made).protocol
    assert ": signal 15" in text
    assert "not measured" in text


def test_figures_by_units_best_type_and_wellformed_are_in_result_and_protocol() -> None:
    plan, made = good()
    data = result_of(plan, made)
    assert data["procedure"] == "cold"
    partition = data["partitions"][-1]
    read = [
        s
        for s in made.samples
        if s.partition == 1 and s.access == io.Access.READ and 9 < s.pattern < 17
    ]
    units = {p.number: p.time_units for p in plan.patterns}
    by_units = sum(units[s.pattern] * s.bytes / s.time for s in read) / 12 / 1e6
    assert partition["weighted_MBps"]["read"][1] == pytest.approx(by_units)
    text = io.make_result(plan, made).protocol
    types = partition["types"]["read"]
    best = ["scatter", "shared", "separate", "segmented", "seg-coll"][types.index(max(types))]
    assert f"best: {best}" in text
    assert "procedure cold: " in text
    rows = [line.split() for line in text.splitlines() if "1032" in line and "PEs" not in line]
    assert ["write", "1032"] in [row[:2] for row in rows]


def test_total_memory_over_the_value_is_in_honest_units() -> None:
    plan, made = good()
    data = result_of(plan, made, total_memory=65536 * MB)
    value = data["summary"]["b_eff_io_MBps"]
    assert data["summary"]["total_memory_write_min"] == pytest.approx(65536 * MB / 1e6 / value / 60)
    assert data["summary"]["percent_of_memory"] == pytest.approx(
        100 * 2 * 43 * 10**9 / (65536 * MB)
    )


def test_hints_tell_what_the_library_made_of_them() -> None:
    plan, made = good()
    wanted = {"cb_nodes": "4", "x": "1", "y": "2"}
    accepted = {"cb_nodes": "4", "x": "0"}
    made.hints = [io.hint(0, io.Access.WRITE, io.Type.SHARED, 13, wanted, accepted)]
    text = io.make_result(plan, made).protocol
    line = "write of 2 processes, shared, pattern 13: cb_nodes=4 (accepted) x=1 (became 0) y=2 (not"
    assert line in text
