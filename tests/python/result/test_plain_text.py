"""Texts of files of others: nothing that a command writes moves a cursor or hides what it is."""

import json
import unicodedata
from pathlib import Path

import pytest
from support.commands import TEXTS, run
from support.reports import B_EFF, B_EFF_IO, document_of
from support.texts import of_one_text

from beff.cli.common import exit_codes
from beff.result.errors import BeffError
from beff.result.plain_text import cleaned, message, one_line

HOSTILE = "\x1b]0;title\x07\x1b[2J\x1b[HVALID 99 TB/s \u202e reversed \u2066\x9b31m\u200b\x7f\ufeff"


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
        ("check", file),
        ("verify", file),
    ):
        shown.append(run(*words)[1])
    assert any("VALID 99 TB/s ? reversed" in text for text in shown)
    written = tmp_path / "written"
    for ending in TEXTS:
        written.mkdir(exist_ok=True)
        code, said = run("show", file, "-o", written / f"x{ending}", "--overwrite")
        assert code == exit_codes.OK, said
    run("check", file, "--openmetrics", written / "metrics.prom")
    texts = [path.read_text(encoding="utf-8") for path in written.rglob("*") if path.is_file()]
    for text in (*shown, *texts):
        assert signs_of_control(text.replace("\t", " ")) == set()
    assert len(texts) > len(TEXTS) - 1


@pytest.mark.parametrize(
    "change",
    [
        {"schema_version": "x" * 10**7},
        {"benchmark": "x" * 10**7},
        {"x" * 10**7: 1, "schema_version": [1]},
        {"options": {"x" * 10**7: 1}},
        {"cautions": ["x" * 10**7]},
        {"environment": "\x1b[2J" * 10**6},
    ],
    ids=lambda change: next(iter(change))[:20],
)
def test_long_texts_are_not_echoed(change: dict[str, object], tmp_path: Path) -> None:
    fields = {**json.loads(B_EFF.read_text(encoding="utf-8")), **change}
    file = tmp_path / "long.json"
    file.write_text(json.dumps(fields), encoding="utf-8")
    for command in ("verify", "show", "check", "compare"):
        code, said = run(command, file, *([file] if command == "compare" else []))
        assert code in {exit_codes.FAILED, exit_codes.WRONG_USAGE}
        assert len(said) < 5_000
        assert signs_of_control(said) == set()


def test_names_of_files_in_messages(tmp_path: Path) -> None:
    file = tmp_path / "a\x1b[2J\u202e.json"
    file.write_text("{")
    code, said = run("verify", file)
    assert code == exit_codes.WRONG_USAGE
    assert "a?[2J?.json" in said


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
    assert cleaned({text: [1, [text], {"a": text}, None]}) == {
        shown: [1, [shown], {"a": shown}, None]
    }


def test_messages_keep_their_lines_and_end() -> None:
    assert str(BeffError("a\nb\x1b[2J")) == "a\nb?[2J"
    assert len(message("x" * 10**6)) == 2_000
