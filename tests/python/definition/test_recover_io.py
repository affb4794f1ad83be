"""Recovering results of b_eff_io from journals."""

import copy
import fcntl
import json
import os
import pwd
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.io_results import SHORT, IoRun, make_io_result
from support.reports import beside

from beff.cli.app import main
from beff.definition.recover import recover
from beff.definition.verify import verify
from beff.result.journal_file import read_journal
from beff.result.load import check_document

NOTES = ("decision_cost_s", "segment_bytes", "segment_cut", "segment_scale")
UNKNOWN_MEDIUM = {"code": "origin not reported", "facts": {}}
BOUNDED = IoRun(processes=2, plan={"max_data": 1 << 30, "max_chunk": 2 << 20})


def rows(table: dict[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


def note(result: dict[str, Any], partition: int) -> str:
    values = {name: result["partitions"][partition][name] for name in NOTES}
    return json.dumps({"notes": {"partition": partition, **values}})


@cache
def journal_lines(wanted: IoRun = SHORT) -> list[str]:
    """What the engine would have written while it measured the result."""
    result = make_io_result(wanted)
    header = copy.deepcopy(result)
    for table in ("samples", "types"):
        header[table] = {name: [] for name in header[table]}
    for partition in header["partitions"]:
        partition.update(decision_cost_s=0.0, segment_bytes=0, segment_cut="none")
        partition.update(segment_scale=1.0)
    header.update(cache=[], medium=UNKNOWN_MEDIUM, cautions=[], elapsed_s=0.0)
    lines = [
        json.dumps(
            {
                "journal": 1,
                "benchmark": "b_eff_io",
                "loops": len(result["samples"]["pattern"]),
                "result": header,
            }
        )
    ]
    samples = rows(result["samples"])
    kind_of = {pattern["number"]: pattern["type"] for pattern in result["patterns"]}
    for row in rows(result["types"]):
        key = (row["partition"], row["access"], row["type"])
        lines += [
            json.dumps({"sample": sample})
            for sample in samples
            if (sample["partition"], sample["access"], kind_of[sample["pattern"]]) == key
        ]
        lines += [note(result, row["partition"]), json.dumps({"type": row})]
    return lines


def recovered(folder: Path, lines: list[str]) -> dict[str, Any]:
    path = folder / "run.journal.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    fields = recover(str(path), read_journal(path))
    assert verify(check_document("recovered", fields)).findings == ()
    return fields


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(wanted=st.sampled_from([SHORT, BOUNDED]), part=st.floats(0, 1))
def test_a_run_cut_off_anywhere_gives_a_result_that_verifies(
    tmp_path: Path, wanted: IoRun, part: float
) -> None:
    lines = journal_lines(wanted)
    kept = lines[: 1 + int(part * (len(lines) - 1))]
    fields = recovered(tmp_path, kept)
    measured = sum('"sample"' in line for line in kept[1:])
    assert len(fields["samples"]["pattern"]) == measured
    assert (fields["complete"], fields["valid"]) == (False, False)
    assert fields["cautions"][0]["facts"]["measured"] == measured


@pytest.mark.parametrize("wanted", [SHORT, BOUNDED])
def test_the_figures_are_those_of_the_whole_run(tmp_path: Path, wanted: IoRun) -> None:
    fields = recovered(tmp_path, journal_lines(wanted))
    whole = make_io_result(wanted)
    assert fields["digest"] == whole["digest"]
    assert fields["summary"]["values"] == pytest.approx(whole["summary"]["values"], rel=1e-12)
    for before, after in zip(whole["partitions"], fields["partitions"], strict=True):
        assert {name: after[name] for name in NOTES} == {name: before[name] for name in NOTES}


def test_the_command_writes_the_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "run.journal.jsonl"
    path.write_text("\n".join(journal_lines()[:40])[:-20], encoding="utf-8")
    assert main(["show", str(path), "-o", beside(path)]) == 0
    assert "partial result with" in capsys.readouterr().out
    assert main(["verify", str(tmp_path / "run.json")]) == 0


def test_notes_of_a_partition_that_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.journal.jsonl"
    result = make_io_result(SHORT)
    line = note(result, 0).replace('"partition": 0', '"partition": 9')
    path.write_text(f"{journal_lines()[0]}\n{line}\n", encoding="utf-8")
    assert main(["show", str(path), "-o", beside(path)]) == 2
    assert "notes of partition 9" in capsys.readouterr().err


FOLDER = "b_eff_io-0123456789abcdef"


def killed_run(folder: Path, **paths: str) -> tuple[Path, Path]:
    """The journal of a run that was killed, and the folder of its files."""
    place = folder / FOLDER
    place.mkdir()
    (place / "file").write_bytes(bytes(3 << 20))
    lines = journal_lines()
    header = json.loads(lines[0])
    header["result"]["environment"]["filesystem"]["paths"] = [paths.get("named", str(place))]
    journal = folder / "run.journal.jsonl"
    journal.write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n", encoding="utf-8")
    return journal, place


def test_files_of_a_killed_run_are_named_and_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal, place = killed_run(tmp_path)
    long_ago = place.stat().st_mtime - 7200
    os.utime(place / "file", (long_ago, long_ago))
    os.utime(place, (long_ago, long_ago))
    assert main(["show", str(journal), "-o", beside(journal)]) == 0
    said = capsys.readouterr().err
    user = pwd.getpwuid(os.getuid()).pw_name
    assert f"{place} of {user} holds 3 MiB, last written 2 h 00 min ago" in said
    assert f"beff show {journal} --remove-files" in said
    assert (place / "file").exists()


def test_files_of_a_killed_run_are_removed_when_asked(tmp_path: Path) -> None:
    journal, place = killed_run(tmp_path)
    assert main(["show", str(journal), "-o", beside(journal), "--remove-files"]) == 0
    assert not place.exists()
    assert (tmp_path / "run.json").exists()


def test_files_of_a_run_under_way_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal, place = killed_run(tmp_path)
    held = os.open(place, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert main(["show", str(journal), "-o", beside(journal), "--remove-files"]) == 1
    finally:
        os.close(held)
    assert "still under way" in capsys.readouterr().err
    assert (place / "file").exists()


def test_only_folders_of_runs_are_removed(tmp_path: Path) -> None:
    """A journal may come from anywhere and name anything."""
    other = tmp_path / "documents"
    other.mkdir()
    (other / "thesis").write_text("words", encoding="utf-8")
    link = tmp_path / "elsewhere" / FOLDER
    link.parent.mkdir()
    link.symlink_to(other)
    for number, named in enumerate((str(other), str(link), f"{link}/..", "/", "", "\0")):
        inner = tmp_path / str(number)
        inner.mkdir()
        journal, place = killed_run(inner, named=named)
        main(["show", str(journal), "-o", beside(journal), "--remove-files"])
        assert (other / "thesis").exists()
        assert place.exists()


def test_folders_within_the_folder_of_a_run_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal, place = killed_run(tmp_path)
    (place / "inner").mkdir()
    (place / "inner" / "thesis").write_text("words", encoding="utf-8")
    assert main(["show", str(journal), "-o", beside(journal), "--remove-files"]) == 1
    assert "cannot be removed" in capsys.readouterr().err
    assert (place / "inner" / "thesis").exists()
