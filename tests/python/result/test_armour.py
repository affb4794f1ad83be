"""The way in for files of others: what is not beyond doubt is refused, in one sentence, soon."""

import json
import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import strategies as st
from support.commands import TEXTS, run
from support.reports import B_EFF, B_EFF_IO, document_of
from support.results import journal_lines, make_result
from support.texts import of_one_text

from beff.cli.common import exit_codes
from beff.result.armour import clean_text, json_object, parse_json, plain_yaml, read_bytes
from beff.result.errors import BeffError, RefusedError, ResultError, message, one_line
from beff.result.load import load_document
from beff.result.places import packed

HOSTILE = (
    "\x1b]0;title\x07\x1b[2J\x1b[HVALID 99 TB/s [red] \u202e reversed \u2066\x9b31m\u200b\x7f\ufeff"
)
texts = st.text(st.characters(exclude_categories=["C", "Z"]))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty; it was probably cut off"),
        ('{"a": 1', "ends in the middle of its JSON text"),
        ("b_eff = 12 MB/s", "is not JSON (expected value at line 1 column 1); beff import"),
        ('{"a": 1,, }', "is damaged JSON (key must be a string at line 1 column 9)"),
        ('{"a": 1} 2', "is damaged JSON"),
        ("[1, 2]", "not an object"),
        ('{"a": 1, "a": 2}', "gives the field 'a' twice"),
        ('{"a": 1, "\\u0061": 2}', "gives the field 'a' twice"),
        ('{"c": [{"b": {"a": [], "a" :[]}}]}', "gives the field 'a' twice"),
        ('{"a": NaN}', "is damaged JSON"),
        ('{"a": [-Infinity]}', "is damaged JSON"),
        ('{"a": [1, 1e999]}', "inf is not a number"),
        ('{"a": 9223372036854775808}', "9223372036854775808 is not a number in a result"),
        ('{"a": [0.5, -9223372036854775809]}', "is not a number"),
        ('{"a": 1' + 100 * "0" + "}", "(1000000000000000000000000 is not a number"),
        ('{"a": ' + "9" * 5000 + "}", "number out of range"),
        ('{"a": "\\ud800"}', "is damaged JSON"),
        ("[" * 100_000, "recursion limit"),
        ('{"a":' * 100_000, "recursion limit"),
    ],
)
def test_what_readers_differ_in_is_refused(text: str, says: str) -> None:
    with pytest.raises(ResultError) as problem:
        json_object("r.json", text)
    assert str(problem.value).startswith("r.json: ")
    assert says in str(problem.value)
    assert len(str(problem.value)) < 200


def test_what_is_no_file_with_an_end(tmp_path: Path) -> None:
    """Each in one sentence, at once, and with little memory."""
    pipe, loop, text = tmp_path / "pipe", tmp_path / "loop", tmp_path / "text"
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    text.write_bytes(b"\xff\xfe\x00\x01")
    good = packed(json.dumps(make_result()).encode())
    (tmp_path / "good.json.gz").write_bytes(good)
    assert load_document(tmp_path / "good.json.gz").benchmark == "b_eff"
    gz = {"cut": good[:-9], "more": good + b"x", "no": b"{}", "bomb": packed(bytes(1 << 22))}
    for name, content in gz.items():
        (tmp_path / f"{name}.gz").write_bytes(content)
    journal = tmp_path / "journal"
    journal.write_text("\n".join(journal_lines(loops=3)), encoding="utf-8")
    for path, says in {
        pipe: "is no regular file",
        Path("/dev/zero"): "is no regular file",
        loop: "cannot be read",
        tmp_path: "is a folder",
        tmp_path / "none": "there is no such file",
        tmp_path / ("a" * 300): "File name too long",
        Path("a\0b"): "is no name of a file",
        text: "is not a text file",
        tmp_path / "cut.gz": "is damaged",
        tmp_path / "more.gz": "is damaged",
        tmp_path / "no.gz": "cannot be unpacked",
        journal: "`beff show ",
    }.items():
        with pytest.raises(ResultError, match=says):
            load_document(path)
    with pytest.raises(ResultError, match="larger than the 1 MiB"):
        read_bytes(tmp_path / "bomb.gz", 1 << 20)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a: &b c\nd: *b", r"write out what \*b stands for \(line 1\)"),
        ("a: b\nc: *b", r"write out what \*b stands for \(line 2\)"),
        ("a: {<<: {b: c}}", r"nothing else \(line 1\)"),
        ("a: !!python/name:os.system x", r"nothing else \(line 1\)"),
        ("a: b\n---\nc: d", r"nothing else \(line 3\)"),
        ("a: 1\nb: 2\na: 3", r"gives the field 'a' twice; keep one of them \(line 3\)"),
        ("[a]: b", r"nothing else \(line 1\)"),
        ("a: {b: {c: d}}", r"nothing else \(line 1\)"),
        ("[" * 5_000, "s: "),
        ("{a: " * 5_000, "s: "),
        ("", "must hold fields, lists and words, and nothing else"),
        ("word", "must hold fields, lists and words, and nothing else"),
        ("a: 'b", "is not YAML, line 1"),
        ("a" * 30_000, "is longer than 20000 characters"),
    ],
)
def test_what_is_more_than_plain_yaml_is_refused(text: str, says: str) -> None:
    with pytest.raises(RefusedError, match=says):
        plain_yaml("s", text, levels=2, lists=True)
    with pytest.raises(RefusedError, match="lines of the form 'field: value'"):
        plain_yaml("s", "a: [b]", levels=3)


def test_words_of_yaml_stay_words() -> None:
    text = "a: NO\nb: 1:30\nc: 0x10\nd: '~'\ne: ~\nf: [2026-01-01, 007]\n"
    assert plain_yaml("s", text, levels=3, lists=True) == {
        **{"a": "NO", "b": "1:30", "c": "0x10", "d": "~", "e": None},
        "f": ["2026-01-01", "007"],
    }


def signs_of_control(text: str) -> set[str]:
    """All but ends of lines; U+00AD and the like are of the category Cf."""
    return {sign for sign in text if unicodedata.category(sign) in ("Cc", "Cf")} - {"\n"}


@pytest.mark.parametrize("source", [B_EFF, B_EFF_IO], ids=["b_eff", "b_eff_io"])
def test_no_output_holds_signs_of_control(source: Path, tmp_path: Path) -> None:
    name = f"{source.stem}{HOSTILE.replace('/', '')[:60]}.json"
    file = of_one_text(document_of(source), HOSTILE, tmp_path / name)
    shown = []
    for words in (
        ("show", "--all", file),
        ("show", "--history", file),
        ("compare", file, file, "--all", "--force"),
        ("check", file, "--all"),
        ("verify", file),
    ):
        shown.append(run(*words)[1])
    assert any("VALID 99 TB/s [red] ? reversed" in text for text in shown)
    for text in shown:  # which is no markup
        assert text.count("[red]") == text.count("99 TB")
    written = tmp_path / "written"
    written.mkdir()
    for ending in TEXTS:
        code, said = run("show", file, "-o", written / f"x{ending}", "--overwrite")
        assert code == exit_codes.OK, said
    run("check", file, "--openmetrics", written / "metrics.prom")
    texts = [path.read_text(encoding="utf-8") for path in written.rglob("*") if path.is_file()]
    assert len(texts) > len(TEXTS) - 1
    for text in (*shown, *texts):
        assert signs_of_control(text.replace("\t", " ")) == set()


@pytest.mark.parametrize(
    "change",
    [
        {"schema_version": "x" * 10**7},
        {"x" * 10**7: 1, "schema_version": [1]},
        {"options": {"x" * 10**7: 1}},
        {"environment": "\x1b[2J" * 10**6},
    ],
    ids=lambda change: next(iter(change))[:20],
)
def test_long_texts_are_not_echoed(change: dict[str, object], tmp_path: Path) -> None:
    fields = {**json.loads(B_EFF.read_text(encoding="utf-8")), **change}
    file = tmp_path / "long\x1b[2J\u202e.json"
    file.write_text(json.dumps(fields), encoding="utf-8")
    for command in ("verify", "show", "check"):
        code, said = run(command, file)
        assert code in {exit_codes.FAILED, exit_codes.WRONG_USAGE}
        assert "long?[2J?.json" in said
        assert len(said) < 5_000
        assert signs_of_control(said) == set()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("µ × 3 · é – 東", "µ × 3 · é – 東"),  # noqa: RUF001 - what it is about
        ("a\tb\nc\u00a0d\u2028e", "a?b?c d e"),
        ("\x1b[1m\u202e\u200d", "?[1m??"),
        ("\udcff.json", "\\xff.json"),
        ("\ud800", "?"),
    ],
)
def test_one_line(text: str, shown: str) -> None:
    assert one_line(text) == shown
    if not any("\ud800" <= sign <= "\udfff" for sign in text):
        assert parse_json(json.dumps({text: [1, [text], {"a": text}, None]})) == {
            shown: [1, [shown], {"a": shown}, None]
        }


def test_messages_keep_their_lines_and_end() -> None:
    assert [str(BeffError("a\nb\x1b[", of)) for of in (None, "c\nd")] == ["a\nb?[", "c?d: a\nb?["]
    assert len(message("x" * 10**6)) == 2_000
    assert clean_text(" e\u0301\x07 \u200bx\n" + "y" * 20, 10) == "é x yyyyy…"
