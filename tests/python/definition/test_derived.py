"""All results that are stored or made for tests: they derive as they say, and each change shows."""

import copy
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from support.changes import Fields, Path, findings, first_path, get, is_caught, put
from support.checks import on_devices
from support.io_results import MIB, make_io_result
from support.machines.measure import flat
from support.machines.result import make_map
from support.results import Plan, make_result

from beff.definition.b_eff_plan import plan_of
from beff.definition.common import compared
from beff.definition.verify import derived_fields, verify
from beff.result.b_eff_result import BEffResult
from beff.result.load import check_document
from golden.inputs import FILES

WRONG = {"changed.json", "changed_sample.json", "changed_io.json", "changed_map.json"}
NO_DIGEST = {
    *(("samples", name) for name in ("bandwidth_MBps", "ideal_s", "stop", "error")),
    *(("types", name) for name in ("bandwidth_MBps", "error")),
}
OTHER_WORDS = {"write": "read", "rewrite": "read", "read": "write", "measured": "failed"}
GIVEN = {("summary", "rmax_gflops")}
"""What a result takes from its options, where it has some."""


@cache
def text_of(name: str) -> str:
    content = FILES[name]()
    return json.dumps(content if isinstance(content, dict) else json.loads(content))


RESULTS = [
    name for name in FILES if name.endswith(".json") and name not in WRONG and "days/" not in name
]


def cells(value: Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from cells(part, (*path, key))
    else:
        yield path


def others(cell: Any) -> list[Any]:
    """What may stand in the place of a cell."""
    if isinstance(cell, bool):
        return [not cell]
    if isinstance(cell, int | float):
        return [cell * (1 + 1e-8) if isinstance(cell, float) else cell + 1, None]
    return [1.0] if cell is None else [f"{cell}x", None]


@pytest.mark.parametrize("name", RESULTS)
def test_each_derived_cell_that_is_changed_is_found(name: str) -> None:
    document = check_document(name, json.loads(text_of(name)))
    assert verify(document).findings == ()
    fields, derived = copy.deepcopy(document.fields), derived_fields(document.result)
    for path in cells(derived):
        around, cell = get(fields, path[:-1]), get(derived, path)
        stored = around[path[-1]] if isinstance(around, list) else around.get(path[-1])
        for other in others(cell) if cell or cell is None else [1.0]:
            around[path[-1]] = other
            assert any(compared([*path[:-1]], around, get(derived, path[:-1]))), (path, other)
            around[path[-1]] = stored


RAW = ("samples", "types", "passes")
"""Tables of which a digest is made, in any of the results."""


@pytest.mark.parametrize("name", RESULTS)
def test_a_raw_cell_that_is_changed_is_found(name: str) -> None:
    """By the digest, or as its row is none of the plan; one cell of each column."""
    fields: Fields = json.loads(text_of(name))
    columns = [
        column
        for table in RAW
        for key, column in fields.get(table, {}).items()
        if (table, key) not in NO_DIGEST and column and "imported" not in fields
    ]
    assert columns or "imported" in fields
    for number, column in enumerate(columns):
        place = 7919 * number % len(column)
        stored = column[place]
        column[place] = changed(stored)
        assert is_caught(fields), (name, number)
        column[place] = stored


def changed(cell: Any) -> Any:
    """Return another cell of the type, of rounds of pairs the last time of the last round."""
    if isinstance(cell, list):
        return [*cell[:-1], changed(cell[-1])]
    if isinstance(cell, str):
        return OTHER_WORDS.get(cell) or re.sub(r"\d+$", lambda last: str(int(last[0]) + 1), cell)
    return cell + 1 if isinstance(cell, int) else cell * (1 + 1e-8)


@pytest.mark.parametrize("name", RESULTS)
def test_no_figure_follows_from_another(name: str) -> None:
    fields: Fields = json.loads(text_of(name))
    derived = derived_fields(check_document(name, fields).result)
    figures = [path for path in cells(derived) if isinstance(get(derived, path), float)]
    for path in figures:
        if path not in GIVEN and path[0] not in ("schedule", "cautions"):
            put(fields, path, 1.5 * get(fields, path))
    again = derived_fields(check_document(name, fields).result)
    del again["digest"], derived["digest"]  # of b_eff_io also of times from opening to closing
    assert again == derived


# --- good files pass, every changed number is found ---


def test_a_pattern_that_no_method_measures_is_a_criterion_not_met() -> None:
    document = make_result(Plan(measured=0))
    document["patterns"] = [pattern for pattern in document["patterns"] if pattern["id"] == 39]
    document["methods"] = ["alltoallv"]
    assert findings(document)


@pytest.mark.parametrize(
    ("make", "path", "value", "named"),
    [
        (make_result, "environment.hosts.0.processes", 5, "environment"),
        (make_result, "environment.hosts.0.name", "node9", "environment.host_list[0]"),
        (make_result, "environment.host_list", "node[1-2]", "environment.host_list"),
        (make_result, "environment.total_memory_bytes", 1, "environment.total_memory_bytes"),
        (make_result, "options.seed", None, "options.seed"),
        (make_result, "options", {}, "options.sizes"),
        (make_result, "options.sizes", [0, 21], "options.sizes"),
        (
            make_result,
            "options.memory_per_process_bytes",
            1,
            "environment.memory_per_process_bytes",
        ),
        (make_result, "options.rmax_gflops", 3.0, "summary.rmax_gflops"),
        (make_result, "options.seed", 12346, "patterns[6].seed"),
        (make_result, "options.repetitions", 2, "complete"),
        (make_result, "options.definition", "3.1", "definition"),
        (make_result, "options.methods", ["alltoallv"], "methods"),
        (make_result, "options.loop_time_s", 1e-3, "criteria[5].met"),
        (make_io_result, "environment.total_memory_bytes", 1, "environment.total_memory_bytes"),
        (make_io_result, "environment.host_list", "node[1-2]", "environment.host_list"),
        (make_io_result, "partitions.1.processes", 5, "partitions[1]"),
        (make_io_result, "partitions.0.processes", 4, "partitions[0]"),
        (make_io_result, "partitions.0.processes", 3, "partitions[0]"),
        (make_io_result, "partitions.0.segment_scale", 0.5, "partitions[0].segment_bytes"),
        (make_io_result, "schedule.m_part_bytes", 15 * MIB, "schedule.m_part_bytes"),
        (make_io_result, "schedule.m_part_bytes", 15 * MIB + 8, "schedule.m_part_bytes"),
        (make_io_result, "schedule.time_s", 5.0, "schedule.time_s"),
        (make_io_result, "options.partitions", [1, 2, 4], "partitions"),
        (make_io_result, "options.max_data_bytes", 4000 * MIB, "schedule.max_data_bytes"),
        (make_io_result, "options.max_chunk_bytes", 2 * MIB, "schedule.m_part_bytes"),
        (make_io_result, "options.release", "2.1", "definition"),
        (make_io_result, "type_names.3.type", 2, "type_names[3]"),
        (make_io_result, "type_names.4.type", 3, "type_names[4]"),
        (make_io_result, "type_names.4.type", 7, "type_names[4]"),
    ],
)
def test_contradictions_name_their_place(
    make: Callable[[], Fields], path: str, value: Any, named: str
) -> None:
    document = make()
    put(document, tuple(int(key) if key.isdecimal() else key for key in path.split(".")), value)
    assert first_path(document).startswith(named)


def test_a_silent_unit_that_does_not_exist_is_no_retest() -> None:
    document = make_map(flat(4))
    assert findings(document) == ()
    document["no_answer"] = {"pass": 0, "round": 0, "silent": [4], "waiting": []}
    assert first_path(document) == "no_answer"
    document["no_answer"] = {"pass": 0, "round": 0, "silent": [], "waiting": [[3, 9]]}
    assert first_path(document) == "no_answer"


@pytest.mark.parametrize("cut", [lambda column: column[:2], lambda column: [*column, []]])
def test_a_map_that_says_complete_has_three_whole_passes(
    cut: Callable[[list[list[str]]], list[list[str]]],
) -> None:
    document = make_map(flat(4))
    assert document["complete"]
    assert document["valid"]
    document["passes"] = {kind: cut(column) for kind, column in document["passes"].items()}
    paths = [finding.path for finding in findings(document)]
    assert "valid" in paths
    assert any(path.startswith("criteria") and path.endswith(".met") for path in paths)


def test_criteria_of_newer_versions_are_left_alone() -> None:
    document = make_result()
    document["criteria"].append(
        {"code": "new", "required": 1, "found": 1, "unit": "count", "met": True}
    )
    assert findings(document) == ()


def test_a_sample_left_out() -> None:
    document = make_io_result()
    for column in document["samples"].values():
        del column[30]
    assert first_path(document) == "samples.pattern[30]"
    assert "(0, 31, 'write')" in str(findings(document)[0])


def test_memory_cannot_pass_for_a_disk() -> None:
    document = make_io_result()
    assert document["medium"] == {"code": "read from both", "facts": {"cached_percent": 75}}
    document["cautions"].remove(document["medium"])
    assert first_path(document) == "cautions"
    document["medium"]["facts"]["cached_percent"] = 5.0
    assert first_path(document) == "medium.facts.cached_percent"


# --- buffers on devices: judged, shown, never measured in the way of others ---

MIB = 1 << 20


@pytest.mark.parametrize("confirmed", [False, True])
@pytest.mark.parametrize("shown", [False, True])
def test_only_devices_that_were_confirmed_and_are_there_are_valid(
    confirmed: bool, shown: bool
) -> None:
    fields = on_devices(make_result(Plan()), confirmed=confirmed, on_pci_bus=shown)
    derived = derived_fields(BEffResult.model_validate(fields))
    (criterion,) = [c for c in derived["criteria"] if c["code"] == "device buffers confirmed"]
    assert criterion["met"] == derived["valid"] == (confirmed and shown)


def test_a_method_that_was_tried_in_vain_is_not_missing() -> None:
    fields = make_result(Plan(methods=("sendrecv", "put_fence")))
    samples = fields["samples"]
    kept = [row for row, method in enumerate(samples["method"]) if method == 0]
    fields["samples"] = {name: [cells[row] for row in kept] for name, cells in samples.items()}
    assert plan_of(check_document("less.json", fields).result).loops > len(kept)  # type: ignore[arg-type]
    facts = {"method": "put_fence", "why": "MPI_Win_create: no window"}
    fields["cautions"].append({"code": "method not measured", "facts": facts})
    assert plan_of(check_document("tried.json", fields).result).loops == len(kept)  # type: ignore[arg-type]
