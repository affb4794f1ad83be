"""Times of clocks, and lists that are stored with equal neighbours counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from support.results import make_result

from beff.result.bounds import (
    Moment,
    OfHosts,
    expanded,
    moment_of,
    runs_text,
)
from beff.result.errors import ResultError
from beff.result.load import as_b_eff, load_document, read_results


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


@pytest.mark.parametrize("version", [1, 3, "2", None, True])
def test_other_schema_version(tmp_path: Path, version: Any) -> None:
    document = make_result()
    document["schema_version"] = version
    assert "has schema_version" in sentence(written(tmp_path, json.dumps(document)))


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
