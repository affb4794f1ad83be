"""Journals whose lines hold other types than a result has: one sentence."""

import copy
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from support.changes import deep_copy
from support.commands import run
from support.damage import damaged_documents
from support.reports import B_EFF, B_EFF_IO, DATA

from beff.cli.common import exit_codes
from golden.network import Network

Row = dict[str, Any]
OTHER_TYPES = (5, "x", [1], {}, None, 1e300)


def stored(name: str) -> list[Row]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[:40]]


JOURNALS = {
    "b_eff": stored("b_eff_2p_killed.journal.jsonl"),
    "b_eff_io": stored("b_eff_io_stopped.journal.jsonl"),
    "b_pairs": [json.loads(line) for line in Network(hosts=4).b_pairs()[1].splitlines()[:40]],
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
        file = tmp_path / "case.journal.jsonl"
        file.write_text("".join(f"{json.dumps(line)}\n" for line in damaged), encoding="utf-8")
        code, said = run("show", file)
        if code == exit_codes.WRONG_USAGE:
            refused += 1
            assert said.count("\n") == 1, said
    assert refused > 10


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


# --- a folder with a file that cannot be used: it is named, and the rest is used ---

BROKEN = {
    "empty": b"",
    "cut off": B_EFF.read_bytes()[:5_000],
    "an array": b"[1, 2]",
    "no text": b"\xff\xfe\x00",
    "of a later version": json.dumps(
        {**json.loads(B_EFF.read_bytes()), "schema_version": 9}
    ).encode(),
    "without samples": b'{"schema_version": 1, "benchmark": "b_eff"}',
    "of patterns that are not there": B_EFF.read_bytes().replace(b'"id":0', b'"id":98', 1),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_the_rest_is_used(kind: str, tmp_path: Path) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    shutil.copy(B_EFF, folder / "good.json")
    shutil.copy(B_EFF_IO, folder / "other.json")
    alone = {}
    commands = {
        ("show",): (),
        ("check",): (),
        ("compare",): (folder, "--force"),
        ("show", "-o", tmp_path / "x.txt", "--overwrite"): (),
    }
    for command, more in commands.items():
        alone[command] = run(*command, folder, *more)
    broken = folder / "broken.json"
    broken.write_bytes(BROKEN[kind])
    for command, more in commands.items():
        code, said = run(*command, folder, *more)
        named = [line for line in said.splitlines() if str(broken) in line]
        assert len(named) >= 1, said
        assert all(line.endswith("; it is left out") for line in named)
        rest = [line for line in said.splitlines() if line not in named]
        assert (code, rest) == (alone[command][0], alone[command][1].splitlines())
