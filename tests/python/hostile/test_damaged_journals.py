"""Journals whose lines hold other types than a result has: one sentence with line and field."""

import copy
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from support.commands import run
from support.copies import deep_copy
from support.damage import damaged_documents
from support.machines.flat import flat
from support.machines.result import make_map
from support.reports import DATA

from beff.cli.common import exit_codes

Row = dict[str, Any]
OTHER_TYPES = (5, "x", [1], {}, None, 1e300)


def stored(name: str) -> list[Row]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[:40]]


def of_pairs() -> list[Row]:
    """The journal of a map of pairs, with a line of each kind."""
    whole = make_map(flat(4, slow={3: 2.0}))
    passes, retests = whole["passes"], whole["retests"]
    header = {
        **deep_copy(whole),
        "passes": {kind: [] for kind in passes},
        "retests": {name: [] for name in retests},
    }
    first = {"journal": 1, "benchmark": "b_pairs", "loops": 3, "result": header}
    kinds = sorted(passes)
    rounds = [
        {"round": {"pass": number, "round": place, **dict(zip(kinds, times, strict=True))}}
        for number, both in enumerate(zip(*(passes[kind] for kind in kinds), strict=True))
        for place, times in enumerate(zip(*both, strict=True))
    ]
    rows = (dict(zip(retests, row, strict=True)) for row in zip(*retests.values(), strict=True))
    return [first, *rounds, *({"retest": row} for row in rows)]


JOURNALS = {
    "b_eff": stored("b_eff_2p_killed.journal.jsonl"),
    "b_eff_io": stored("b_eff_io_stopped.journal.jsonl"),
    "b_pairs": of_pairs(),
}


def places(lines: list[Row]) -> Iterator[list[Any]]:
    """Yield the way to each field of the header, two deep, and of one line of each kind."""
    result = lines[0]["result"]
    for name, value in result.items():
        yield [0, "result", name]
        inside = value if isinstance(value, dict) else {}
        yield from ([0, "result", name, inner] for inner in inside)
    seen = set()
    for number, line in enumerate(lines[1:], start=1):
        for kind, row in line.items():
            if kind not in seen and isinstance(row, dict):
                seen.add(kind)
                yield [number, kind]
                yield from ([number, kind, name] for name in row)


def recovered(lines: list[Row], folder: Path) -> tuple[int, str]:
    file = folder / "case.journal.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return run("show", file)


@pytest.mark.parametrize("name", JOURNALS)
def test_the_journals_that_are_damaged_are_sound(name: str, tmp_path: Path) -> None:
    code, said = recovered(JOURNALS[name], tmp_path)
    assert code == exit_codes.OK, said


@pytest.mark.parametrize("turn", [0, 3])
@pytest.mark.parametrize("name", JOURNALS)
def test_wrong_types_are_one_sentence(name: str, turn: int, tmp_path: Path) -> None:
    """At each place two of the types, which take turns."""
    lines = JOURNALS[name]
    refused = 0
    for number, way in enumerate(places(lines)):
        other = OTHER_TYPES[(number + turn) % len(OTHER_TYPES)]
        damaged = copy.copy(lines)
        damaged[way[0]] = deep_copy(lines[way[0]])
        table: Any = damaged[way[0]]
        for step in way[1:-1]:
            table = table[step]
        table[way[-1]] = other
        code, said = recovered(damaged, tmp_path)
        if code == exit_codes.WRONG_USAGE:
            refused += 1
            assert said.count("\n") == 1, said
            assert f"line {way[0] + 1}" in said or "journal" in said.partition(":")[2], (way, said)
    assert refused > 10


@pytest.mark.parametrize(
    ("name", "place", "value", "says"),
    [
        ("b_eff", (0, "cautions"), 5, "line 1: does not keep the schema at cautions"),
        ("b_eff_io", (0, "data_check"), [], "line 1: does not keep the schema at data_check"),
        ("b_pairs", (0, "environment", "wall_s"), [1], "line 1: does not keep the schema at env"),
        ("b_pairs", (0, "environment", "filesystem"), {"paths": 5}, "line 1: environment.filesyst"),
        ("b_eff", (3, "sample", "time_max_s"), "1", "line 4: sample.time_max_s: "),
        ("b_eff", (3, "sample", "slowest_rank"), 0.5, "line 4: sample.slowest_rank: "),
        ("b_eff_io", (2, "sample", "access"), "wipe", "line 3: sample.access: "),
        ("b_eff_io", (1, "notes", "partition"), "0", "line 2: notes.partition: "),
        ("b_eff_io", (1, "notes", "segment_cut"), [], "line 2: notes.segment_cut: "),
        ("b_pairs", (1, "round", "pass"), "0", "line 2: round.pass: "),
        ("b_pairs", (1, "round"), [1], "line 2: round: "),
        ("b_pairs", (2, "end"), 7, "line 3: end: "),
        ("b_eff", (2, "round"), {}, "line 3 is neither a sample nor the end"),
    ],
)
def test_line_and_field_are_named(
    name: str, place: tuple[Any, ...], value: Any, says: str, tmp_path: Path
) -> None:
    lines = deep_copy(JOURNALS[name])
    line, *way = place
    if way == ["round"] and name == "b_eff":
        lines[line] = {}
    table = lines[line]["result"] if line == 0 else lines[line]
    for step in way[:-1]:
        table = table[step]
    table[way[-1]] = value
    code, said = recovered(lines, tmp_path)
    assert (code, said.count("\n")) == (exit_codes.WRONG_USAGE, 1), said
    assert says in said


CASES = int(os.environ.get("BEFF_FUZZ_CASES", "50"))


@pytest.mark.timeout(0)
@settings(max_examples=CASES, suppress_health_check=list(HealthCheck), database=None)
@given(content=damaged_documents([json.dumps(lines) for lines in JOURNALS.values()]))
def test_damaged_journals_get_an_answer(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp() / "damaged_journals"
    folder.mkdir(exist_ok=True)
    file = folder / "case.journal.jsonl"
    try:
        lines = json.loads(content)
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        file.write_text(text, encoding="utf-8")
    except (ValueError, TypeError, RecursionError):
        file.write_bytes(content.replace(b'}, {"', b'}\n{"'))
    code, said = run("show", file)
    assert code in {exit_codes.OK, exit_codes.FAILED, exit_codes.WRONG_USAGE}, said
