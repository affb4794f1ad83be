"""YAML of fields, lists and words: what is more is refused before anything is made of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from beff.judge.expectations import load_expectations
from beff.maps.topology import read_topology
from beff.result.errors import RefusedError, ResultError
from beff.result.plain_yaml import plain_yaml

LEVELS = 9
BOMB = "a0: &a0 [x, x]\n" + "".join(
    f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]\n" for level in range(1, 12)
)
MERGED = "x:\n- &m0 {k: v}\n" + "".join(
    f"- &m{level} {{<<: [{', '.join([f'*m{level - 1}'] * 9)}]}}\n" for level in range(1, 12)
)


def test_words_stay_words() -> None:
    text = "a: NO\nb: 1:30\nc: 0x10\nd: '~'\ne: ~\nf: [2026-01-01, {g: 007}]\n"
    assert plain_yaml("s", text, levels=3, lists=True) == {
        **{"a": "NO", "b": "1:30", "c": "0x10", "d": "~", "e": None},
        "f": ["2026-01-01", {"g": "007"}],
    }


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a: &b c\nd: *b", r"write out what \*b stands for \(line 1\)"),
        ("a: b\nc: *b", r"write out what \*b stands for \(line 2\)"),
        ("a: {<<: {b: c}}", r"nothing else \(line 1\)"),
        ("a: !!python/name:os.system x", r"nothing else \(line 1\)"),
        ("a: b\n---\nc: d", r"nothing else \(line 3\)"),
        ("a: 1\nb: 2\na: 3", "gives the field 'a' twice"),
        ("[a]: b", r"nothing else \(line 1\)"),
        ("a: {b: {c: d}}", r"nothing else \(line 1\)"),
        ("[" * 5_000, "s: "),
        ("{a: " * 5_000, "s: "),
        ("", "must hold fields, lists and words, and nothing else$"),
        ("word", "must hold fields, lists and words, and nothing else"),
        ("a: 'b", "is not YAML, line 1"),
        ("a" * 30_000, "is longer than 20000 characters"),
    ],
)
def test_what_is_more_is_refused(text: str, says: str) -> None:
    with pytest.raises(RefusedError, match=says):
        plain_yaml("s", text, levels=2, lists=True)


def test_lists_are_taken_where_they_are_meant() -> None:
    with pytest.raises(RefusedError, match="lines of the form 'field: value'"):
        plain_yaml("s", "a: [b]", levels=3)


@pytest.mark.parametrize("read", [load_expectations, read_topology])
@pytest.mark.parametrize("text", [BOMB, MERGED, f"{BOMB}expectations: *a11\n"])
def test_what_would_grow_beyond_any_memory(read: object, text: str, tmp_path: Path) -> None:
    path = tmp_path / "bomb.yaml"
    path.write_text(text, encoding="utf-8")
    assert callable(read)
    with pytest.raises(ResultError, match=r"bomb.yaml: write out what \*.0 stands for"):
        read(path)


@pytest.mark.parametrize("lines", [1, 60, 5_000])
def test_hosts_are_counted_before_they_are_named(
    lines: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Equal lines would be unfolded again and again; only what fits is unfolded at all."""
    unfolded: list[str] = []
    monkeypatch.setattr(
        "beff.maps.topology.expand_host_list",
        lambda text: unfolded.append(text) or [text],
    )
    path = tmp_path / "topology.conf"
    path.write_text("SwitchName=a Nodes=n[1-999999]\n" * lines, encoding="utf-8")
    if lines == 1:
        assert read_topology(path).above == {"n[1-999999]": ("a",)}
        return
    with pytest.raises(ResultError, match="more than 1000000 hosts and switches"):
        read_topology(path)
    assert unfolded == []
