"""Matrices of messages: the core beside the companion, and a run on a machine that is a script."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.matrices import MARKET, ODD, WRONG

from beff.cli.app import main
from beff.maps.matrix import MessageMatrix, preset_matrix, read_matrix
from beff.maps.network_text import network_sentences
from beff.result.errors import WrongUsageError
from beff.result.load import as_b_pairs, check_document, load_document
from beff.verify.verify import verify
from program_core import pairs as core
from scripted_machine import write_pairs

Row = tuple[int, int, int, int]
PRESETS = st.sampled_from(["halo:2d", "halo:3d", "alltoall", "moe", "transpose", "nearest"])


def rows_of(matrix: MessageMatrix) -> list[Row]:
    columns = (matrix.sender, matrix.receiver, matrix.message_bytes, matrix.count)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@given(PRESETS, st.integers(2, 40), st.integers(0, 2**53 - 1), st.data())
def test_presets_are_the_same_everywhere(
    preset: str, processes: int, seed: int, data: st.DataObject
) -> None:
    """Each process makes what it sends and what it receives; the companion makes all of it."""
    if preset in {"moe", "nearest"}:
        most = processes - 1 if preset == "moe" else processes // 2
        preset += f":{data.draw(st.integers(1, most))}"
    parts = [core.preset_rows(preset, processes, 8, seed, rank) for rank in range(processes)]
    sent = sorted(row for sends, _ in parts for row in sends)
    assert sorted(row for _, receives in parts for row in receives) == sent
    assert all(row[0] == rank for rank, (sends, _) in enumerate(parts) for row in sends)
    assert all(row[1] == rank for rank, (_, receives) in enumerate(parts) for row in receives)
    if sent:
        assert rows_of(preset_matrix(preset, processes, 8, seed)) == [*map(tuple, sent)]


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 2, *[st.integers(0, 99)] * 2), max_size=30))
def test_files_are_read_alike(tmp_path_factory: pytest.TempPathFactory, rows: list[Row]) -> None:
    text = "".join(f"{a}\t{b}, {size} {count} # {a}\n" for a, b, size, count in rows)
    market = "".join(f"{a + 1} {b + 1} {size}.0\n" for a, b, size, _ in rows)
    file = tmp_path_factory.mktemp("matrix") / "file"
    for content in (text, f"{MARKET} real symmetric\n%\n4 4 {len(rows)}\n{market}"):
        file.write_text(content, encoding="utf-8")
        try:
            expected = rows_of(read_matrix(file, 4))
        except WrongUsageError as problem:
            with pytest.raises(ValueError, match=re.escape(str(problem).removeprefix(str(file)))):
                core.matrix_rows(content, 4)
        else:
            assert [*map(tuple, core.matrix_rows(content, 4))] == expected


@pytest.mark.parametrize(("content", "size"), ODD)
def test_odd_files_are_read_alike(content: bytes, size: int | None) -> None:
    text = content.decode("latin-1")  # which the binding takes as UTF-8
    if size is None:
        with pytest.raises(ValueError, match="matrix: "):
            core.matrix_rows(text, 2)
    else:
        assert core.matrix_rows(text, 2) == [[0, 1, size, 1]]


@pytest.mark.parametrize(("text", "says"), WRONG)
def test_wrong_files(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=f"^matrix: {re.escape(says)}"):
        core.matrix_rows(text, 2)


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (f"12345678.{'0' * 400}", 12345678),
        (f"{'0' * 30}12", 12),
        ("12.", 12),
        ("1.5E+1", 15),
        ("100e-2", 1),
        ("1.5", None),
        ("9007199254740993.0", None),
        ("1e400", None),
        ("+1", None),
        ("inf", None),
        ("0x10", None),
        ("1_0", None),
        ("\u0661", None),
    ],
)
def test_values_of_a_matrix_market_file(value: str, read: int | None) -> None:
    """Digits, a point and digits, an exponent: a whole number below 2^53."""
    text = f"{MARKET} real general\n2 2 1\n1 2 {value}\n"
    if read is None:
        with pytest.raises(ValueError, match=re.escape(f"line 3: bytes is {value[:40]};")):
            core.matrix_rows(text, 2)
    else:
        assert core.matrix_rows(text, 2) == [[0, 1, read, 1]]


def test_blanks_are_those_of_ascii() -> None:
    assert core.matrix_rows("0\t1\v8\f2\r\n", 2) == [[0, 1, 8, 2]]
    for other in "\u00a0\u2003\x85\x1c":
        with pytest.raises(ValueError, match="line 1: has 1 numbers"):
            core.matrix_rows(f"0{other}1{other}8\n", 2)


def test_of_many_ranks_the_slowest_are_kept() -> None:
    """4096 of 5000: all but those that take 1 ns."""
    times = [1 if rank % 5 == 0 else rank for rank in range(5000)]
    left = core.kept_ranks(times)
    assert len(left) == 4096
    assert left == sorted(left)
    assert set(left) >= {rank for rank in range(5000) if rank % 5}


class Script:
    """Four hosts of one process each; nearest:1, so each has two partners. Host 2 is slow.

    An iteration takes 1 ms, in the third of the nine loops 0.5 ms; it takes 4 ms alone, of which
    the neighbours of host 2 wait 3 ms for it alone.
    """

    def __init__(self, wrong: int = 0) -> None:
        self.wrong = wrong
        self.lengths: list[int] = []

    def times(
        self, number: int, round_: int, pairs: list[tuple[int, int]], ways: str
    ) -> list[tuple[int | None, int | None]]:
        return [(1_000 if ways == "both" else None, 100_000) for _ in pairs]

    def sends(self, length: int) -> list[float]:
        self.lengths.append(length)
        one = 0.5e-3 if len(self.lengths) == 4 else 1e-3
        return [one * length * share for share in (0.9, 1.0, 1.0, 0.8)]

    def looks(self) -> list[tuple[float, float, float, int]]:
        waits = (4e-3, 4e-3, 1e-3, 2)
        return [(1e-3, 1e-3, 0.9e-3, 1), waits, (4e-3, 3.9e-3, 3.8e-3, 1), waits]

    def ending(self) -> tuple[list[tuple[int, int]], int]:
        return [(2 * 65536, 2 * 65536)] * 4, self.wrong

    def stops(self) -> bool:
        return False


def measured(folder: Path, wrong: int = 0) -> tuple[Script, Path]:
    """Write result and journal of a scripted run; return the script and the result."""
    script = Script(wrong)
    plan = {"processes": 4, "hosts": 4, "duration": 1.0, "matrix": "nearest:1"}
    return script, write_pairs(folder, script, **plan)


def test_a_matrix_by_hand(tmp_path: Path) -> None:
    """8 messages of 64 KiB in 0.5 ms: 1048.576 MB/s; loops last 3.5 ms, the mean of 2.5 and 5."""
    script, path = measured(tmp_path)
    assert script.lengths == [1, 4, 4, 4, 7, 4, 4, 4, 4, 4]
    document = load_document(path)
    assert verify(document).findings == ()
    result = document.fields
    assert result["summary"]["matrix_us"] == pytest.approx(500)
    assert result["summary"]["matrix_MBps"] == pytest.approx(1048.576)
    ranks = result["matrix"]["ranks"]
    assert ranks["ns"] == [450_000, 500_000, 500_000, 400_000]
    assert ranks["single_ns"] == [1_000_000, 4_000_000, 4_000_000, 4_000_000]
    assert ranks["last_from"] == [1, 2, 1, 2]
    (sentence,) = network_sentences(as_b_pairs(document))
    assert "nearest:1 by nonblocking, 1.05 GB/s: 512 KiB in 8 messages" in sentence
    assert "2 of 4 processes wait more than a quarter of it for h2 alone" in sentence


def test_show_matrix_and_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each of four hosts sends 64 KiB to two others."""
    _, path = measured(tmp_path)
    drawing, page = tmp_path / "m.svg", tmp_path / "page.html"
    assert main(["twin", "matrix", str(path), "-o", str(drawing)]) == 0
    shown = capsys.readouterr().out
    assert "nearest:1: 512 KiB in 8 messages" in shown
    assert "100 % of the bytes leave their host" in shown
    assert re.search(r"h3\s+128 KiB\s+128 KiB\s+0 B", shown)
    assert re.search(r"h0\s+h3\s+64 KiB\s+1\s+12.5 %", shown)
    assert "<svg" in drawing.read_text(encoding="utf-8")
    assert main(["report", str(path), "-o", str(page)]) == 0
    assert "Matrix nearest:1" in page.read_text(encoding="utf-8")


def test_a_journal_becomes_the_same_result(tmp_path: Path) -> None:
    _, path = measured(tmp_path)
    assert main(["recover", str(tmp_path / "run.journal.jsonl")]) == 0
    recovered = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    whole = json.loads(path.read_text(encoding="utf-8"))
    assert recovered["matrix"] == whole["matrix"]
    assert recovered["summary"] == whole["summary"]


def test_wrong_data_is_not_valid(tmp_path: Path) -> None:
    _, path = measured(tmp_path, wrong=1)
    document = load_document(path)
    assert verify(document).findings == ()
    assert not document.fields["valid"]
    (data,) = [one for one in document.fields["criteria"] if one["code"] == "data"]
    assert not data["met"]
    assert {"code": "wrong data", "facts": {"first": "rank 1, the script"}} in document.fields[
        "cautions"
    ]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"loops": {"length": [1], "ns": [1], "slowest_rank": [4]}}, "slowest_rank"),
        ({"rows": {"from": "0", "to": "1", "bytes": "1", "count": "1"}}, "matrix.rows"),
        ({"data_check": {"enabled": True, "messages_checked": 0, "wrong_messages": 1,
                         "first_error": None}}, "data_check"),
    ],
)  # fmt: skip
def test_what_cannot_be_true_is_found(
    tmp_path: Path, change: dict[str, object], place: str
) -> None:
    _, path = measured(tmp_path)
    fields = json.loads(path.read_text(encoding="utf-8"))
    fields["matrix"] |= change
    findings = verify(check_document("changed", fields)).findings
    assert any(place in str(found) for found in findings), findings
    fields["matrix"] = json.loads(path.read_text(encoding="utf-8"))["matrix"]
    fields["plan"]["matrix"]["bytes"] += 1
    findings = verify(check_document("changed", fields)).findings
    assert any("plan.matrix.bytes" in str(found) for found in findings), findings
