"""Results of b_eff_io that contradict themselves: verification names the place."""

from typing import Any

import pytest
from support.changes import Path, findings, first_path, put
from support.io_results import MIB, SPACE, IoRun, make_io_result


def test_less_data_than_memory_is_told() -> None:
    document = make_io_result(IoRun(memory_per_process=64 * 1024 * MIB))
    [told] = [one for one in document["cautions"] if one["code"] == "less than memory"]
    told["facts"]["written_percent"] += 1
    assert first_path(document).endswith("facts.written_percent")
    document["cautions"].remove(told)
    assert first_path(document) == "cautions"


def test_a_sample_left_out() -> None:
    document = make_io_result()
    for column in document["samples"].values():
        del column[30]
    assert first_path(document) == "samples.pattern[30]"
    assert "pattern 31, access write" in str(findings(document)[0])


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
        (("partitions", 1, "processes"), 5, "partitions[1]"),
        (("partitions", 0, "processes"), 4, "partitions[0]"),
        (("partitions", 0, "processes"), 3, "partitions[0]"),
        (("partitions", 0, "segment_scale"), 0.5, "partitions[0].segment_bytes"),
        (("schedule", "m_part_bytes"), 15 * MIB, "schedule.m_part_bytes"),
        (("schedule", "m_part_bytes"), 15 * MIB + 8, "schedule.m_part_bytes"),
        (("schedule", "time_s"), 5.0, "schedule.time_s"),
        (("options", "partitions"), [1, 2, 4], "partitions"),
        (("options", "max_data_bytes"), 4000 * MIB, "schedule.max_data_bytes"),
        (("options", "max_chunk_bytes"), 2 * MIB, "schedule.m_part_bytes"),
        (("options", "release"), "2.1", "definition"),
        (("type_names", 3, "type"), 2, "type_names[3]"),
        (("type_names", 4, "type"), 3, "type_names[4]"),
        (("type_names", 4, "type"), 7, "type_names[4]"),
        (("samples", "pattern", 5), 47, "samples.pattern[5]"),
        (("samples", "partition", 5), 2, "samples.pattern[5]"),
        (("samples", "time_s", 5), 1e-300, "samples.time_s[5]"),
        (("types", "type", 2), 5, "types.type[2]"),
        (("digest", "samples"), "0123456789abcdef", "digest.samples"),
        (("digest", "types"), "0123456789abcdef", "digest.types"),
    ],
)  # fmt: skip
def test_contradictions_name_their_place(path: Path, value: Any, named: str) -> None:
    document = make_io_result()
    put(document, path, value)
    assert first_path(document).startswith(named)


def test_m_part_comes_from_the_memory_of_one_process() -> None:
    document = make_io_result(IoRun(plan={"max_chunk": 3 * MIB}))
    document["options"]["max_chunk_bytes"] = None
    assert first_path(document) == "schedule.m_part_bytes"  # 512 MiB a process ask for 4 MiB
