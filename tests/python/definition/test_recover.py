"""Recovering results from journals."""

import fcntl
import json
from pathlib import Path
from typing import Any

import pytest
from support.reports import beside
from support.results import SHORT, Plan, journal_lines, make_result

from beff.cli.app import main
from beff.definition.compare import Recheck
from beff.definition.recover import recover
from beff.definition.verify import verify
from beff.result.journal_file import read_journal
from beff.result.load import check_document, load_document
from beff.result.strict_json import packed

LOOPS = 1008


def journal_file(folder: Path, text: str) -> Path:
    path = folder / "run.journal.jsonl"
    path.write_text(text, encoding="utf-8")
    return path


def recovered(path: Path) -> dict[str, Any]:
    fields = recover(str(path), read_journal(path))
    assert verify(check_document("recovered", fields)).findings == ()
    return fields


@pytest.mark.parametrize("loops", [0, 1, 500, LOOPS - 1])
def test_a_run_cut_off_after_some_loops(tmp_path: Path, loops: int) -> None:
    path = journal_file(tmp_path, "\n".join(journal_lines(loops=loops)) + "\n")
    fields = recovered(path)
    assert len(fields["samples"]["size"]) == loops
    assert fields["complete"] is False
    assert fields["valid"] is False
    assert fields["criteria"][0]["found"] == loops
    assert fields["cautions"][0]["code"] == "recovered"


def test_the_figures_are_those_of_the_whole_run(tmp_path: Path) -> None:
    path = journal_file(tmp_path, "\n".join(journal_lines(Plan())) + "\n")
    fields = recovered(path)
    whole = make_result(Plan())
    for part in ("samples", "digest", "options", "methods", "message_sizes_bytes", "program"):
        assert fields[part] == whole[part]
    assert fields["summary"] == pytest.approx(whole["summary"])
    check = Recheck([])
    check.compare(["patterns"], fields["patterns"], whole["patterns"])
    assert check.findings == []
    assert check.figures > 46 * 21
    assert fields["complete"] is True
    assert fields["valid"] is False  # the outcome of the data check is lost


def test_a_run_that_ended_by_itself(tmp_path: Path) -> None:
    path = journal_file(tmp_path, "\n".join(journal_lines(loops=9, end="stopped")) + "\n")
    assert recovered(path)["cautions"][0]["facts"]["end"] == "stopped"


def test_a_last_line_cut_in_the_middle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = journal_lines(loops=10)
    path = journal_file(tmp_path, "\n".join(lines)[:-30])
    assert main(["show", str(path), "-o", beside(path)]) == 0
    told = capsys.readouterr()
    assert "cut in the middle" in told.err
    assert f" 9 of {LOOPS} loops" in told.out
    assert len(load_document(tmp_path / "run.json").fields["samples"]["size"]) == 9


def _header(**changes: Any) -> str:
    fields = {**json.loads(journal_lines(loops=0)[0]), **changes}
    return json.dumps(fields)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            _header(benchmark="b_new") + '\n{"sample": {}}\n',
            "journals of b_new are not supported by this version of beff",
        ),
        (_header(result={}) + "\n", "line 1: is JSON, but not a result of b_eff"),
        (_header(benchmark="b_pairs") + "\n", "line 1: holds no result of b_pairs"),
        (_header() + '\n{"sam\n{"end": "x"}\n', "line 2 is damaged"),
        (_header() + '\n{"other": 1}\n', "line 2 is neither a sample nor the end"),
        (_header() + '\n{"sample": {"size": 1}}\n', "line 2: sample: 'pattern' is missing"),
        (_header() + '\n{"end": "x"}\n{"end": "x"}\n', "line 3 stands behind the end"),
    ],
)
def test_what_is_no_journal(
    tmp_path: Path, text: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(journal_file(tmp_path, text))]) == 2
    told = capsys.readouterr().err
    assert says in told
    assert told.count("\n") == 1
    assert not (tmp_path / "run.json").exists()


def test_samples_that_make_no_sense(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = journal_lines(SHORT, loops=3)
    lines[2] = lines[2].replace('"pattern": 1', '"pattern": 47')
    assert main(["show", str(journal_file(tmp_path, "\n".join(lines) + "\n"))]) == 2
    assert "samples.pattern[1] is pattern 47" in capsys.readouterr().err


def test_a_result_is_packed_where_its_name_says_so(tmp_path: Path) -> None:
    journal = journal_file(tmp_path, "\n".join(journal_lines(loops=10)) + "\n")
    plain, file = tmp_path / "x.json", tmp_path / "x.json.gz"
    assert main(["show", str(journal), "-o", str(plain)]) == 0
    assert main(["show", str(journal), "-o", str(file)]) == 0
    assert file.read_bytes() == packed(plain.read_bytes())


def test_a_run_is_refused_while_it_holds_its_roll(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = journal_file(tmp_path, "\n".join(journal_lines(loops=3)) + "\n")
    with (tmp_path / "run.roll").open("w") as roll:
        fcntl.flock(roll, fcntl.LOCK_EX)
        assert main(["show", str(path), "-o", str(tmp_path / "other.json")]) == 1
        assert "still under way" in capsys.readouterr().err
    assert list(tmp_path.glob("*.json")) == []
    assert main(["show", str(path), "-o", beside(path)]) == 0
