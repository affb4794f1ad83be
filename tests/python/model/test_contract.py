"""The contract: the models, the schema made from them, and what both say of a document."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from support.io_results import make_io_result
from support.reports import ROOT, STORED, document_of
from support.results import make_result
from support.schema_bounds import sites, values_near_bounds

from beff.model.contract import json_schema_text
from beff.model.errors import ResultError
from beff.model.load import check_document
from scripted_machine import run

SCHEMA_FILE = ROOT / "schema" / "result.schema.json"
EXAMPLES = sorted((ROOT / "schema" / "examples" / "valid").iterdir())
VALIDATOR = Draft202012Validator(json.loads(SCHEMA_FILE.read_text(encoding="utf-8")))
Change = Callable[[dict[str, Any]], None]


def test_the_schema_is_what_the_models_give() -> None:
    assert SCHEMA_FILE.read_text(encoding="utf-8") == json_schema_text(), "run `make schema`"


@pytest.mark.parametrize("path", [*STORED, *EXAMPLES], ids=lambda path: path.stem)
def test_stored_results_keep_the_schema(path: Path) -> None:
    VALIDATOR.validate(document_of(path))
    check_document(path.name, document_of(path))


def test_a_figure_of_what_cannot_be_a_method_is_refused() -> None:
    document = make_result()
    assert VALIDATOR.is_valid(document)
    document["patterns"][0]["bandwidth_by_method_MBps"]["No method"] = 1.0
    assert not VALIDATOR.is_valid(document)
    with pytest.raises(ResultError, match="bandwidth_by_method_MBps"):
        check_document("r", document)


def test_what_the_measuring_programs_write_keeps_the_schema() -> None:
    VALIDATOR.validate(json.loads(run(processes=5, repetitions=1).result_json()))
    VALIDATOR.validate(make_io_result())


def _pop(path: str, name: str) -> Change:
    def change(document: dict[str, Any]) -> None:
        document[path][name].pop()

    return change


def _set(value: Any, *path: str | int) -> Change:
    def change(document: dict[str, Any]) -> None:
        holder: Any = document
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("make", "change", "says"),
    [
        (make_result, _pop("samples", "time_max_s"), "samples: time_max_s has"),
        (make_io_result, _pop("samples", "bandwidth_MBps"), "samples: bandwidth_MBps has"),
        (make_io_result, _pop("types", "open_s"), "types: open_s has"),
        (make_result, _set("0x3", "environment", "placement"), "environment: placement has 3 ent"),
        (make_result, _pop("environment", "hosts"), "environment.hosts: "),
        (make_result, _set(2**31, "environment", "processes"), "environment.processes: "),
        (make_result, _set("x" * 1001, "program", "name"), "program.name: "),
        (make_result, _set(1e11, "samples", "time_min_s", 0), "samples.time_min_s[0]: "),
        (make_result, _set(1e16, "summary", "b_eff_MBps"), "summary.b_eff_MBps: "),
        (make_result, _set(100, "patterns", 0, "id"), "patterns[0].id: "),
        (make_result, _set(True, "environment", "nodes"), "environment.nodes: "),
        (make_result, _set(["sendrecv"] * 2, "methods"), "methods: "),
        (make_io_result, _set(20, "type_names", 0, "type"), "type_names[0].type: "),
        (make_io_result, _set(100, "samples", "pattern", 0), "samples.pattern[0]: "),
        (make_io_result, _set({}, "partitions", 0, "access"), "partitions[0].access: "),
    ],
)
def test_bounds(make: Callable[[], dict[str, Any]], change: Change, says: str) -> None:
    document = make()
    change(document)
    with pytest.raises(ResultError) as refusal:
        check_document("r", document)
    assert f"does not keep the schema at {says}" in str(refusal.value)


@settings(max_examples=150)
@given(data=st.data())
def test_the_schema_accepts_what_the_models_accept(data: st.DataObject) -> None:
    """The models ask for more, such as equal lengths, which a schema cannot say."""
    documents = [document_of(path) for path in EXAMPLES]
    changed = copy.deepcopy(data.draw(st.sampled_from(documents)))
    found = sites(changed)
    site = data.draw(st.sampled_from(sorted(found)))
    holder, key = found[site][0]
    holder[key] = data.draw(st.sampled_from(values_near_bounds(site, found[site])))
    try:
        check_document("changed", changed)
    except ResultError:
        return
    VALIDATOR.validate(changed)
