"""Verification of b_eff_io: the measuring program's results pass, every changed number is found."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.io_results import MIB, SHORT, IoRun, Verb, broken, io, make_io_result

from beff.analysis.finding import Finding
from beff.analysis.verify import verify
from beff.model.errors import ResultError
from beff.model.load import check_document

Path = tuple[str | int, ...]


def _calls(pattern: int, access: Any = None) -> Callable[[Any], bool]:
    return lambda step: (
        step.verb == Verb.CALLS and step.pattern == pattern and access in (None, step.access)
    )


def _step(verb: Any, kind: int, access: Any) -> Callable[[Any], bool]:
    return lambda step: step.verb == verb and int(step.type) == kind and step.access == access


def _sync_of(pattern: int) -> Callable[[Any], bool]:
    return lambda step: step.verb == Verb.FINISH and step.pattern == pattern


OFFICIAL = IoRun(time_s=1800.0, machine={"decision_s": 0.1})
MAX_SEGMENT = IoRun(plan={"max_segment": 20 * MIB})
MAX_DATA = IoRun(plan={"max_data": 900 * MIB})
SPACE = IoRun(processes=1, machine={"capacity": 200 * MIB})
FAILED_PATTERN = IoRun(machine=broken("MPI_ERR_IO", _calls(21)))
STOPPED = IoRun(machine={"stop_at": 0.7})
STOPPED_IN_REWRITE = IoRun(machine={"stop_at": 1.6})
SLOW_READ = IoRun(machine={"read_rate": 1e8})
GOOD = {
    "short": SHORT,
    "official": OFFICIAL,
    "official 0.5": IoRun(
        time_s=1200.0, plan={"release": io.Release.R0_5}, machine=OFFICIAL.machine
    ),
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
    "failed rewrite": IoRun(machine=broken("MPI_ERR_IO", _calls(21, io.Access.REWRITE))),
    "failed chunk size": IoRun(
        processes=1, machine=broken("MPI_ERR_IO", lambda o: _calls(4)(o) or _calls(12)(o))
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


def findings(document: dict[str, Any]) -> tuple[Finding, ...]:
    return verify(check_document("result", document)).findings


def first_path(document: dict[str, Any]) -> str:
    return findings(document)[0].path


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


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Paths of all numbers, booleans, nulls and of the words that a column is made of."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from leaves(part, (*path, index))
    elif not isinstance(value, str) or words(path):
        yield path


def words(path: Path) -> list[str]:
    """What a text at this place may be; empty for prose."""
    column = path[-1] if isinstance(path[-1], str) else path[-2]
    return {
        "access": ["write", "rewrite", "read"],
        "status": ["measured", "failed", "skipped"],
        "stop": ["once", "time", "count", "space", "max-data", "error", "stopped"],
        "rewrite": ["all", "scatter"],
        "segment_cut": ["none", "max-segment", "space", "max-data"],
        "definition": ["0.5", "1", "2.1"],
        "pointer": ["shared", "individual"],
    }.get(str(column), [])


def get(document: Any, path: Path) -> Any:
    for key in path:
        document = document[key]
    return document


def put(document: Any, path: Path, value: Any) -> None:
    get(document, path[:-1])[path[-1]] = value


def is_caught(document: dict[str, Any]) -> bool:
    try:
        return bool(findings(document))
    except ResultError:
        return True


def changed(path: Path, old: Any) -> list[Any]:
    if isinstance(old, bool):
        return [not old]
    if isinstance(old, int):
        return [old + 1, old - 1, 2 * old + 3, 2**64 + old]
    if isinstance(old, float):
        return [old * (1 + 1e-6) + 1e-12, old * 0.9 - 1e-12, old * 1000 + 1.0, 1e300]
    if old is None:
        return [1.0, *words(path)]
    return [word for word in words(path) if word != old]


SECTIONS = (
    "samples", "types", "patterns", "partitions", "schedule", "summary", "type_names", "criteria",
    "data_check", "digest", "definition", "pointer", "valid", "complete",
)  # fmt: skip
FREE: set[Path] = {("schedule", "reserve_bytes"), ("schedule", "seed"), ("data_check", "mode")}
"""Settings that no figure depends on."""
CHANGED = {"whole": SHORT, "stopped": STOPPED, "failed": FAILED_PATTERN, "slow": SLOW_READ}
LEAVES = {
    name: {
        section: [
            path for path in leaves(make_io_result(wanted)[section], (section,)) if path not in FREE
        ]
        for section in SECTIONS
        if section != "digest"
    }
    for name, wanted in CHANGED.items()
}


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_any_change_is_caught(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(list(LEAVES)), label="file")
    section = data.draw(st.sampled_from(list(LEAVES[name])), label="section")
    path = data.draw(st.sampled_from(LEAVES[name][section]), label="path")
    document = make_io_result(CHANGED[name])
    value = data.draw(st.sampled_from(changed(path, get(document, path))), label="value")
    put(document, path, value)
    assert is_caught(document)


@pytest.mark.parametrize("section", ["summary", "schedule", "criteria", "data_check", "type_names"])
def test_every_change_in_the_short_sections_is_caught(section: str) -> None:
    good = make_io_result()
    for path in LEAVES["whole"][section]:
        for value in changed(path, get(good, path)):
            document = make_io_result()
            put(document, path, value)
            assert is_caught(document), (path, value)


@pytest.mark.parametrize("number", [0, 2, 5, 10, 16, 26, 33, 41])
def test_every_field_of_a_pattern_is_caught(number: int) -> None:
    for field in make_io_result()["patterns"][number]:
        for value in changed((field,), make_io_result()["patterns"][number][field]):
            document = make_io_result()
            document["patterns"][number][field] = value
            assert is_caught(document), (field, value)


@pytest.mark.parametrize("table", ["samples", "types"])
def test_every_raw_column_has_a_digest(table: str) -> None:
    derived = {"ideal_s", "stop", "error", "bandwidth_MBps"}
    for column, cells in make_io_result()[table].items():
        if column not in derived:
            document = make_io_result()
            document[table][column][17] = changed((column,), cells[17])[0]
            assert f"digest.{table}" in {f.path for f in findings(document)} or column in (
                "partition", "pattern", "type",
            ), column  # fmt: skip


def test_a_number_in_a_criterion_is_caught() -> None:
    for index, criterion in enumerate(make_io_result(MAX_DATA)["criteria"]):
        for field in ("required", "found"):
            from_numbers = criterion[field] if field == "found" else criterion[field].split(" (")[0]
            if not criterion["numbers"]:
                continue
            for match in re.finditer(r"\d+", from_numbers):
                document = make_io_result(MAX_DATA)
                text = criterion[field]
                text = text[: match.start()] + "7" + text[match.start() :]
                document["criteria"][index][field] = text
                assert first_path(document) == f"criteria[{index}].{field}"
            for place, number in enumerate(criterion["numbers"]):
                document = make_io_result(MAX_DATA)
                document["criteria"][index]["numbers"][place][field] = (number[field] or 0) + 1
                assert first_path(document) == f"criteria[{index}].numbers[{place}].{field}"


# --- contradictions ---------------------------------------------------------------------


def sample(document: dict[str, Any], pattern: int, access: str, partition: int = 0) -> int:
    """Index of a sample."""
    s = document["samples"]
    keys = list(zip(s["partition"], s["pattern"], s["access"], strict=True))
    return keys.index((partition, pattern, access))


def test_a_sample_that_moved_more_than_its_calls() -> None:
    document = make_io_result()
    index = sample(document, 12, "write")
    document["samples"]["bytes"][index] += 32768
    assert first_path(document) == f"samples.bytes[{index}]"


def test_a_rewrite_that_repeats_less_than_was_written() -> None:
    document = make_io_result()
    index = sample(document, 12, "rewrite")
    s = document["samples"]
    s["bytes"][index] -= s["bytes"][index] // s["repetitions"][index]
    s["repetitions"][index] -= 1
    written = s["repetitions"][sample(document, 12, "write")]
    finding = findings(document)[0]
    assert (finding.path, finding.expected) == (f"samples.repetitions[{index}]", written)


@pytest.mark.parametrize("access", ["rewrite", "read"])
def test_a_rewrite_or_read_that_was_cut(access: str) -> None:
    document = make_io_result()
    index = sample(document, 12, access)
    document["samples"]["stop"][index] = "time"
    assert first_path(document) == f"samples.stop[{index}]"
    document["samples"]["stop"][index] = "count"
    document["samples"]["repetitions"][index] //= 3
    assert f"samples.repetitions[{index}]" in {finding.path for finding in findings(document)}


def test_less_data_than_memory_is_told() -> None:
    document = make_io_result(IoRun(memory_per_process=64 * 1024 * MIB))
    [told] = [text for text in document["cautions"] if "less than the memory" in text]
    document["cautions"].remove(told)
    assert first_path(document) == "cautions"
    document["cautions"].append(told.replace(".", "7."))
    assert first_path(document) == "cautions"


def test_repetitions_of_types_3_and_4_follow_from_types_0_to_2() -> None:
    document = make_io_result()
    for access in ("write", "rewrite", "read"):
        s, index = document["samples"], sample(document, 29, access)
        s["bytes"][index] += s["bytes"][index] // s["repetitions"][index]
        s["repetitions"][index] += 1
    assert first_path(document) == f"samples.repetitions[{sample(document, 29, 'write')}]"


def test_a_read_of_what_was_not_written() -> None:
    document = make_io_result(FAILED_PATTERN)
    index = sample(document, 21, "read", partition=1)
    assert document["samples"]["status"][index] == "skipped"
    document["samples"]["status"][index] = "failed"
    document["samples"]["stop"][index] = "error"
    assert first_path(document) == f"samples.status[{index}]"


def test_a_sample_left_out() -> None:
    document = make_io_result()
    for column in document["samples"].values():
        del column[30]
    assert first_path(document) == "samples.pattern[30]"
    assert "pattern 31 in the write" in str(findings(document)[0])


def test_a_sample_given_twice() -> None:
    document = make_io_result()
    for column in document["samples"].values():
        column.insert(30, column[30])
    assert first_path(document) == "samples.pattern[31]"


def test_a_type_left_out() -> None:
    document = make_io_result()
    for column in document["types"].values():
        column.pop()
    assert "types.type" in {finding.path for finding in findings(document)}


def test_a_failed_pattern_makes_its_type_fail() -> None:
    document = make_io_result(FAILED_PATTERN)
    index = document["types"]["status"].index("failed")
    document["types"]["status"][index] = "measured"
    document["types"]["error"][index] = None
    assert f"types.status[{index}]" in {finding.path for finding in findings(document)}


def test_cautions_name_the_patterns_that_were_cut() -> None:
    document = make_io_result(SPACE)
    document["cautions"] = [text for text in document["cautions"] if "stopped by space" not in text]
    assert first_path(document) == "cautions"


def test_memory_cannot_pass_for_a_disk() -> None:
    document = make_io_result()
    assert "75 % of the data came from the nodes' page caches" in document["medium"]
    document["cautions"].remove(document["medium"])
    assert first_path(document) == "cautions"
    document["medium"] = document["medium"].replace("75", "5")
    assert first_path(document) == "medium"


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        (("environment", "total_memory_bytes"), 1, "environment.total_memory_bytes"),
        (("environment", "host_list"), "node[1-2]", "environment.host_list"),
        (("elapsed_s",), 5.0, "environment.wall_s"),
        (("partitions", 1, "processes"), 5, "partitions[1].processes"),
        (("partitions", 0, "processes"), 4, "partitions[1].processes"),
        (("partitions", 0, "processes"), 3, "partitions[0]"),
        (("partitions", 0, "segment_cut"), "max-segment", "partitions[0].segment_cut"),
        (("partitions", 0, "segment_scale"), 0.5, "samples.repetitions"),
        (("schedule", "m_part_bytes"), 15 * MIB, "schedule.m_part_bytes"),
        (("schedule", "m_part_bytes"), 15 * MIB + 8, "schedule.m_part_bytes"),
        (("schedule", "time_s"), 5.0, "options.time_s"),
        (("options", "partitions"), [1, 2, 4], "partitions"),
        (("options", "max_data_bytes"), 4000 * MIB, "options.max_data_bytes"),
        (("options", "max_chunk_bytes"), 2 * MIB, "schedule.m_part_bytes"),
        (("options", "release"), "2.1", "options.release"),
        (("type_names", 3, "type"), 2, "type_names[3].type"),
        (("type_names", 4, "type"), 3, "type_names[4].type"),
        (("samples", "pattern", 5), 47, "samples.pattern[5]"),
        (("samples", "partition", 5), 2, "samples.partition[5]"),
        (("samples", "loop_s", 5), 1.0, "samples.loop_s[5]"),
        (("samples", "time_s", 5), 1e-300, "samples.time_s[5]"),
        (("samples", "decisions", 5), 10**6, "samples.decisions[5]"),
        (("samples", "error", 5), "broken", "samples.error[5]"),
        (("samples", "stop", 5), "count", "samples.stop[5]"),
        (("samples", "stop", 5), "max-data", "samples.stop[5]"),
        (("types", "type", 2), 5, "types.type[2]"),
        (("types", "error", 2), "broken", "types.error[2]"),
        (("data_check", "wrong_chunks"), 431, "data_check.wrong_chunks"),
        (("data_check", "first_error"), "p0-scatter", "data_check.first_error"),
        (("data_check", "mode"), "none", "data_check.chunks_checked"),
        (("digest", "samples"), "0123456789abcdef", "digest.samples"),
        (("digest", "types"), "0123456789abcdef", "digest.types"),
    ],
)  # fmt: skip
def test_contradictions_name_their_place(path: Path, value: Any, named: str) -> None:
    document = make_io_result()
    put(document, path, value)
    assert first_path(document).startswith(named)


def test_a_criterion_taken_away() -> None:
    document = make_io_result()
    del document["criteria"][5]
    assert "with the criterion 'data'" in str(findings(document)[0])


def test_a_bound_of_data_that_was_not_kept() -> None:
    document = make_io_result(MAX_DATA)
    written = document["summary"]["bytes_per_access"]["write"]
    for place in ("schedule", "options"):
        document[place]["max_data_bytes"] = written - 1
    assert first_path(document) == "schedule.max_data_bytes"


def test_m_part_comes_from_the_memory_of_one_process() -> None:
    document = make_io_result(IoRun(plan={"max_chunk": 3 * MIB}))
    document["options"]["max_chunk_bytes"] = None
    assert first_path(document) == "schedule.m_part_bytes"  # 512 MiB a process ask for 4 MiB


def test_rounding_beyond_the_tolerance_only() -> None:
    document = make_io_result()
    document["summary"]["b_eff_io_MBps"] *= 1 + 1e-12
    assert findings(document) == ()
    document["summary"]["b_eff_io_MBps"] *= 1 + 1e-8
    assert first_path(document) == "summary.b_eff_io_MBps"


def test_documents_survive_a_round_trip() -> None:
    assert findings(json.loads(json.dumps(make_io_result(), indent=1))) == ()
