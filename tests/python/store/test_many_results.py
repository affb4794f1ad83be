"""Many results at once: in order, and in several processes."""

from __future__ import annotations

import json
import os
import signal
import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.machines.flat import flat
from support.machines.result import make_map
from support.results import SHORT, Plan, make_result

from beff.cli.app import main
from beff.definition.digest import columns_digest, fnv1a64
from beff.store import side_by_side

MANY = 9
VERIFIED = [*(f"b{number}" for number in range(MANY)), "map"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of results, a map of pairs, JSON that is no result, and a damaged file."""
    results = tmp_path / "results"
    results.mkdir()
    for number in range(MANY):
        write(results / f"b{number}.json", run(number))
    write(results / "map.json", make_map(flat(4)))
    write(results / "other.json", {"a": 1})
    (results / "torn.json").write_text(json.dumps(run(1))[:5000], "utf-8")
    return results


def run(number: int) -> dict[str, Any]:
    fields = make_result(Plan(**{**SHORT.__dict__, "slower": 1 + number / 10}))
    fields["environment"]["started_at"] = f"2026-11-22T1{number}:00:00+01:00"
    fields["environment"]["finished_at"] = f"2026-11-22T1{number}:01:00+01:00"
    return fields


def write(path: Path, fields: dict[str, Any]) -> None:
    path.write_text(json.dumps(fields), "utf-8")


def names_in(told: str) -> list[str]:
    return [Path(line.split()[-1]).name for line in told.splitlines() if ".json" in line]


def test_many_results_are_a_table_newest_first(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(folder)]) == 0
    told = capsys.readouterr()
    runs = [name for name in names_in(told.out) if name != "map.json"]
    assert runs == [f"b{number}.json" for number in reversed(range(MANY))]
    assert "2026-11-22 17:00:00" in told.out  # in UTC
    assert told.err.count("torn.json") == 1
    assert "other.json" not in told.out + told.err


def test_few_results_and_all_of_them_on_demand_are_shown_in_full(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", "--all", str(folder)]) == 0
    assert capsys.readouterr().out.count("NOT VALID: ") >= MANY
    for name in ("b4.json", "b5.json", "map.json", "torn.json", "other.json"):
        (folder / name).unlink()
    assert main(["show", str(folder)]) == 0
    assert capsys.readouterr().out.count("NOT VALID: ") == MANY - 2


def test_a_folder_without_results_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(MANY):
        write(tmp_path / f"{number}.json", {"a": number})
    assert main(["show", str(tmp_path)]) == 2
    assert "holds no result" in capsys.readouterr().err


def test_verify_prints_in_order_whichever_process_is_first(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = run(4)
    wrong["summary"]["b_eff_MBps"] *= 2
    write(folder / "b4.json", wrong)
    assert main(["verify", str(folder)]) == 2  # for the damaged one
    told = capsys.readouterr()
    said = [line.split(": ")[0] for line in told.out.splitlines()]
    assert said == [str(folder / f"{name}.json") for name in VERIFIED]
    assert "b4.json: summary.b_eff_MBps is " in told.out
    assert told.out.count(": verified, ") == MANY
    assert told.err.count("torn.json") == 1


def test_check_says_the_same_of_many_as_of_each(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "torn.json").unlink()
    files = [folder / f"b{number}.json" for number in range(MANY)]
    alone = []
    for file in files:
        assert main(["check", str(file), "--json"]) == 3
        alone += json.loads(capsys.readouterr().out)["findings"]
    assert main(["check", *map(str, files), "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["findings"] == alone


def test_a_killed_process_costs_its_file_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_by_side, "cores", lambda: 2)
    parent = os.getpid()

    def act(number: int) -> int:
        assert os.getpid() != parent
        if number in (3, 17):
            os.kill(os.getpid(), signal.SIGKILL)
        return number * number

    made = list(side_by_side.side_by_side(act, range(40)))
    assert [one for one in made if not isinstance(one, side_by_side.Lost)] == [
        n * n for n in range(40) if n not in (3, 17)
    ]
    assert [place for place, one in enumerate(made) if one is side_by_side.LOST] == [3, 17]


def test_few_things_and_one_core_need_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    own = [os.getpid()]
    assert list(side_by_side.side_by_side(lambda _: os.getpid(), range(3))) == own * 3
    monkeypatch.setattr(side_by_side, "cores", lambda: 1)
    assert list(side_by_side.side_by_side(lambda _: os.getpid(), range(9))) == own * 9


def byte_by_byte(data: bytes) -> int:
    state = 0xCBF29CE484222325
    for byte in data:
        state = (state ^ byte) * 0x100000001B3 % 2**64
    return state


@given(st.binary(max_size=300), st.sampled_from((0, 1, 109, 32760, 32768, 65531)))
def test_the_digest_is_that_of_byte_after_byte(data: bytes, before: int) -> None:
    long = bytes(range(256)) * (before // 256) + data
    assert fnv1a64(long) == byte_by_byte(long)


def test_columns_are_hashed_as_64_bits_each() -> None:
    columns = {"whole": [1, -2, 2**64 - 1], "real": [0.5, -1e300], "mixed": [1, 0.5], "text": ["é"]}
    data = (
        b"whole" + struct.pack("<qqQ", 1, -2, 2**64 - 1) + b"real" + struct.pack("<dd", 0.5, -1e300)
    )
    data += b"mixed" + struct.pack("<qd", 1, 0.5) + b"text" + "é".encode()
    assert columns_digest(columns.items()) == f"{byte_by_byte(data):016x}"  # type: ignore[arg-type]
