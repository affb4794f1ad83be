"""Reading of result files: every kind of damage has its own sentence."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from support.io_results import make_io_result
from support.results import journal_lines, make_result

from beff.result.errors import ResultError
from beff.result.load import as_b_eff, as_b_eff_io, check_document, load_document
from beff.result.result_files import read_results
from beff.result.strict_json import packed, read_bytes


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "r.json"
    path.write_text(text, encoding="utf-8")
    return path


def sentence(path: Path) -> str:
    with pytest.raises(ResultError) as problem:
        as_b_eff(load_document(path))
    text = str(problem.value)
    assert text.startswith(f"{path}: ")
    assert "\n" not in text
    return text


def test_a_good_file(tmp_path: Path) -> None:
    document = make_result()
    result = load_document(written(tmp_path, json.dumps(document))).result
    assert result.summary.b_eff_MBps == document["summary"]["b_eff_MBps"]
    assert len(result.samples) == len(document["samples"]["time_max_s"])


def test_unknown_fields_are_ignored(tmp_path: Path) -> None:
    document = make_result()
    document["novelty"] = {"a": 1}
    document["environment"]["mpi"]["novelty"] = 2
    document["patterns"][0]["novelty"] = [3]
    assert load_document(written(tmp_path, json.dumps(document))).result.definition == "3.5"


def test_folder(tmp_path: Path) -> None:
    assert "is a folder" in sentence(tmp_path)


def test_binary(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_bytes(b"\xff\xfe\x00\x01")
    assert "not a text file" in sentence(path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        ("b_eff = 12 MB/s", "is not JSON"),
        ('{"a": 1,, }', "is damaged JSON"),
        ("[1, 2]", "not an object"),
        ('{"a": 1}', "not a result of b_eff, b_eff_io or b_pairs"),
        ('{"a": NaN}', "holds NaN"),
        ('{"a": -Infinity}', "holds -Infinity"),
        ('{"a": "\\ud800"}', "holds half a character"),
        ('{"\\udfff": 1}', "holds half a character"),
        ('{"a": 1e999}', "holds 1e999"),
        ('{"a": 18446744073709551616}', "holds 18446744073709551616, which is not a number"),
        ('{"a": 1' + 100 * "0" + "}", "holds 1000000000000000000000000..., which"),
    ],
)
def test_what_is_no_result(tmp_path: Path, text: str, says: str) -> None:
    assert says in sentence(written(tmp_path, text))


@pytest.mark.parametrize("version", [1, 3, "2", None, True])
def test_other_schema_version(tmp_path: Path, version: Any) -> None:
    document = make_result()
    document["schema_version"] = version
    assert "has schema_version" in sentence(written(tmp_path, json.dumps(document)))


def test_result_of_the_other_benchmark(tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps(make_io_result()))
    assert "one of b_eff is needed" in sentence(path)
    document = load_document(path)
    assert document.benchmark == "b_eff_io"
    assert as_b_eff_io(document).pointer == "shared"
    with pytest.raises(ResultError, match="one of b_eff_io is needed"):
        as_b_eff_io(check_document("r", make_result()))


@pytest.mark.parametrize("loops", [0, 3])
def test_a_journal_is_no_result(tmp_path: Path, loops: int) -> None:
    path = written(tmp_path, "\n".join(journal_lines(loops=loops)) + "\n")
    says = sentence(path)
    assert "`beff show " in says


def test_a_packed_file(tmp_path: Path) -> None:
    path = tmp_path / "r.json.gz"
    content = packed(json.dumps(make_result()).encode())
    path.write_bytes(content)
    assert load_document(path).result.benchmark == "b_eff"
    path.write_bytes(content[:-9])
    assert "is damaged" in sentence(path)
    path.write_bytes(b"{}")
    assert "cannot be unpacked" in sentence(path)


def test_what_has_no_end(tmp_path: Path) -> None:
    """Each in one sentence, at once, and with little memory."""
    pipe, loop, bomb = tmp_path / "pipe", tmp_path / "loop", tmp_path / "r.json.gz"
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    bomb.write_bytes(packed(bytes(1 << 22)))
    assert "is no regular file" in sentence(pipe)
    assert "is no regular file" in sentence(Path("/dev/zero"))
    assert "cannot be read" in sentence(loop)
    with pytest.raises(ResultError, match="larger than the 1 MiB"):
        read_bytes(bomb, 1 << 20)
    for text in ("[" * 100_000, '{"a": ' + "9" * 5000 + "}", '{"a":' * 100_000):
        assert "no result would hold" in sentence(written(tmp_path, text))


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
