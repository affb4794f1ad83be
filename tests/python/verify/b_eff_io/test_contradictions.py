"""Results of b_eff_io that contradict themselves: verification names the place."""

from typing import Any

import pytest
from support.changes import Path, findings, first_path, put
from support.io_results import FAILED_PATTERN, MAX_DATA, MIB, SPACE, IoRun, make_io_result


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
    [told] = [one for one in document["cautions"] if one["code"] == "less than memory"]
    told["facts"]["written_percent"] += 1
    assert first_path(document).endswith("facts.written_percent")
    document["cautions"].remove(told)
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
    document["cautions"] = [
        one for one in document["cautions"] if one["code"] != "stopped by space"
    ]
    assert first_path(document) == "cautions"


def test_memory_cannot_pass_for_a_disk() -> None:
    document = make_io_result()
    assert document["medium"] == {"code": "read from both", "facts": {"cached_percent": 75}}
    document["cautions"].remove(document["medium"])
    assert first_path(document) == "cautions"
    document["medium"]["facts"]["cached_percent"] = 5.0
    assert first_path(document) == "medium.facts.cached_percent"


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        (("environment", "total_memory_bytes"), 1, "environment.total_memory_bytes"),
        (("environment", "host_list"), "node[1-2]", "environment.host_list"),
        (("elapsed_s",), 5.0, "environment.wall_s"),
        (("partitions", 1, "processes"), 5, "partitions[1].processes"),
        (("partitions", 0, "processes"), 4, "partitions[1].processes"),
        (("partitions", 0, "processes"), 3, "partitions[0]"),
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
        (("type_names", 4, "type"), 7, "type_names[4].type"),
        (("samples", "pattern", 5), 47, "samples.pattern[5]"),
        (("samples", "partition", 5), 2, "samples.partition[5]"),
        (("samples", "loop_s", 5), 1.0, "samples.loop_s[5]"),
        (("samples", "time_s", 5), 1e-300, "samples.time_s[5]"),
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
