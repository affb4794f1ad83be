"""The contract: the models, the schema made from them, and what both say of a document."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from support.examples import B_EFF_IMPORTED, EXAMPLES, short_result
from support.io_results import make_io_result
from support.reports import STORED, document_of

from beff.result.contract import json_schema_text
from beff.result.errors import ResultError
from beff.result.load import check_document
from scripted_machine import run

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
