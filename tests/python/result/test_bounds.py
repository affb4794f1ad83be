"""The contract of result files, times of clocks, and lists with equal neighbours counted."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter, ValidationError
from support.examples import B_EFF_IMPORTED, EXAMPLES, short_result
from support.io_results import make_io_result
from support.reports import STORED, document_of
from support.results import make_result

from beff.result.bounds import Moment, OfHosts, expanded, moment_of, runs_text
from beff.result.contract import json_schema_text
from beff.result.errors import ResultError
from beff.result.load import check_document, read_results
from scripted_machine import run


def test_by_hand() -> None:
    assert runs_text([0] * 16 + [1] * 16 + [2]) == "0x16 1x16 2"
    assert expanded("4x2 3") == [4, 4, 3]
    column = "5x3 - 0 -x2 7"
    of_hosts = TypeAdapter(OfHosts).validate_python(column)
    assert of_hosts == [5, 5, 5, None, 0, None, None, 7]


@given(st.lists(st.integers(0, 3) | st.integers(0, 2**31), max_size=60))
def test_what_is_stored_is_what_was(numbers: list[int]) -> None:
    assert expanded(runs_text(numbers)) == numbers


@pytest.mark.parametrize("text", ["1x", "x1", "1  2", "1 ", "-1", "1,2", "5x3x2", "1x999999999"])
def test_what_is_none(text: str) -> None:
    with pytest.raises(ValueError, match="must be numbers"):
        expanded(text)
    with pytest.raises(ValidationError):
        TypeAdapter(OfHosts).validate_python(text)


@pytest.mark.parametrize("stored", [[0, 1], "-", "1x99999999", "1x9999999 1x9999999"])
def test_what_is_no_list_of_numbers(stored: object) -> None:
    with pytest.raises(ValueError, match=r"must be numbers|more than"):
        expanded(stored)


@pytest.mark.parametrize(
    ("moment", "taken"),
    [
        ("1970-04-11T23:47:16Z", True),
        ("2262-04-11T23:47:16.854775807-14:00", True),
        ("1969-12-31T23:59:59Z", False),
        ("2300-01-01T00:00:00Z", False),
        ("2026-02-30T00:00:00Z", False),
        ("2026-02-03T24:00:00Z", False),
        ("2026-02-03T00:00:00", False),
        ("2026-02-03", False),
    ],
)
def test_times_of_clocks(moment: str, taken: bool) -> None:
    """Programs count nanoseconds from 1970 in 64 bit: up to 2262."""
    if taken:
        assert TypeAdapter(Moment).validate_python(moment) == moment
        assert moment_of(moment).year == int(moment[:4])
    else:
        with pytest.raises(ValidationError):
            TypeAdapter(Moment).validate_python(moment)


@pytest.mark.parametrize("version", [1, 3, "2", None, True])
def test_other_schema_version(version: Any) -> None:
    with pytest.raises(ResultError, match=r"^r: has schema_version") as problem:
        check_document("r", {**make_result(), "schema_version": version})
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize(
    ("named", "read"),
    [
        ("a.json a.json", "a.json"),
        ("in/b.json ./in/../in/b.json", "in/b.json"),
        ("a.json link.json", "a.json"),
        ("in/b.json .", "in/b.json a.json"),
        (". in/b.json", "a.json in/b.json"),
        (". .", "a.json in/b.json"),
        ("in . in", "in/b.json a.json"),
    ],
)
def test_a_file_counts_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str, read: str
) -> None:
    """Whatever names it: itself, another spelling, a link, or the folders that it lies in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    for file in ("a.json", "in/b.json"):
        Path(file).write_text("{}", encoding="utf-8")
    Path("link.json").symlink_to("a.json")
    assert read_results(map(Path, named.split()), str) == read.split()


# --- the contract: the models, the schema made from them, and what both say of a document ---

VALIDATOR = Draft202012Validator(json.loads(json_schema_text()))
REMOVED = object()
imported = partial(document_of, B_EFF_IMPORTED)


@pytest.mark.parametrize("path", [*STORED, *EXAMPLES], ids=lambda path: path.stem)
def test_stored_results_keep_the_schema(path: Path) -> None:
    VALIDATOR.validate(document_of(path))
    check_document(path.name, document_of(path))


def test_what_the_measuring_programs_write_keeps_the_schema() -> None:
    VALIDATOR.validate(run(processes=5, repetitions=1).result)
    VALIDATOR.validate(make_io_result())


@pytest.mark.parametrize(
    ("make", "pointer", "value", "says"),
    [
        (short_result, "criteria", [], "criteria: "),
        (short_result, "digest/samples", "0000000x", "digest.samples: "),
        (short_result, "environment/memory_per_process_bytes", -1, "memory_per_process_bytes: "),
        (short_result, "message_sizes_bytes/20", REMOVED, "message_sizes_bytes: "),
        (short_result, "methods", ["Telepathy, of course"], "methods"),
        (short_result, "samples/time_max_s/0", "fast", "samples.time_max_s[0]: "),
        (short_result, "samples/time_max_s/0", REMOVED, "samples: time_max_s has"),
        (short_result, "samples/time_min_s/0", 1e11, "samples.time_min_s[0]: "),
        (short_result, "patterns/0/bandwidth_by_size_MBps/20", -1.0, "_by_size_MBps[20]: "),
        (
            short_result,
            "patterns/0/bandwidth_by_method_MBps",
            {"No method": 1.0},
            "_by_method_MBps",
        ),
        (short_result, "program/name", "x" * 1001, "program.name: "),
        (short_result, "summary/lmax_bytes", REMOVED, "summary: 'lmax_bytes' is missing"),
        (short_result, "summary/b_eff_MBps", 1e16, "summary.b_eff_MBps: "),
        (short_result, "environment", REMOVED, "'environment' is missing"),
        (short_result, "environment/processes", 2**31, "environment.processes: "),
        (short_result, "environment/nodes", True, "environment.nodes: "),
        (short_result, "environment/placement", "0x3", "environment: placement has 3 ent"),
        (short_result, "environment/hosts/0", REMOVED, "environment.hosts: "),
        (make_io_result, "samples/bandwidth_MBps/0", REMOVED, "samples: bandwidth_MBps has"),
        (make_io_result, "types/open_s/0", REMOVED, "types: open_s has"),
        (make_io_result, "partitions/0/access", {}, "partitions[0].access: "),
        (imported, "valid", True, "valid: "),
        (imported, "complete", True, "complete: "),
    ],
)
def test_damage(make: Callable[[], dict[str, Any]], pointer: str, value: Any, says: str) -> None:
    document = make()
    check_document("r", document)
    holder: Any = document
    *parents, last = (int(key) if key.isdecimal() else key for key in pointer.split("/"))
    for key in parents:
        holder = holder[key]
    if value is REMOVED:
        del holder[last]
    else:
        holder[last] = value
    with pytest.raises(ResultError) as refusal:
        check_document("r", document)
    (line,) = str(refusal.value).splitlines()
    assert "does not keep the schema at " in line
    assert says in line
