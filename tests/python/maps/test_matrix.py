"""Matrices of messages: what files say, and presets by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.matrices import MARKET, ODD, WRONG

from beff.maps import matrix
from beff.maps.matrix import MessageMatrix, of_rows, preset_matrix, read_matrix
from beff.result.errors import WrongUsageError


def rows_of(matrix: MessageMatrix) -> list[tuple[int, ...]]:
    columns = (matrix.sender, matrix.receiver, matrix.message_bytes, matrix.count)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("1,0,20,3\n\n0 1 10 # ten\n0\t1 10\n", [(0, 1, 10, 2), (1, 0, 20, 3)]),
        ("0 0 5\n0 1 0\n1 0 7 0\n1 1 9", [(0, 0, 5, 1), (1, 1, 9, 1)]),
        (
            f"{MARKET} integer general\n% of ranks\n2 2 2\n2 1 8\n1 1 4\n",
            [(0, 0, 4, 1), (1, 0, 8, 1)],
        ),
        (
            f"{MARKET} real symmetric\n2 2 2\n2 1 4.096e3\n2 2 8.0\n",
            [(0, 1, 4096, 1), (1, 0, 4096, 1), (1, 1, 8, 1)],
        ),
    ],
)
def test_files(tmp_path: Path, text: str, rows: list[tuple[int, ...]]) -> None:
    file = tmp_path / "matrix"
    file.write_text(text, encoding="utf-8")
    assert rows_of(read_matrix(file, 2)) == rows
    assert read_matrix(file).processes == 2


@pytest.mark.parametrize(("content", "size"), ODD)
def test_odd_files(tmp_path: Path, content: bytes, size: int | None) -> None:
    file = tmp_path / "matrix"
    file.write_bytes(content)
    if size is None:
        with pytest.raises(WrongUsageError):
            read_matrix(file, 2)
    else:
        assert rows_of(read_matrix(file, 2)) == [(0, 1, size, 1)]


def test_a_file_of_too_many_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "matrix"
    file.write_text("0 1 1\n1 0 1\n0 1 2\n", encoding="utf-8")
    monkeypatch.setattr(matrix, "MOST_ROWS", 3)
    assert read_matrix(file).processes == 2
    monkeypatch.setattr(matrix, "MOST_ROWS", 2)
    with pytest.raises(WrongUsageError, match="more than 2 messages"):
        read_matrix(file)


@pytest.mark.parametrize(("text", "says"), WRONG)
def test_wrong_files(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "matrix"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(WrongUsageError, match=says):
        read_matrix(file, 2)


def receivers(preset: str, processes: int) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(processes)]
    for sender, receiver, _, count in rows_of(preset_matrix(preset, processes, 1, 7)):
        found[sender] += [receiver] * count
    return found


@pytest.mark.parametrize(
    ("preset", "processes", "expected"),
    [
        ("halo:2d", 4, [[1, 1, 2, 2], [0, 0, 3, 3], [0, 0, 3, 3], [1, 1, 2, 2]]),
        ("halo:3d", 3, [[1, 2], [0, 2], [0, 1]]),
        ("alltoall", 3, [[1, 2], [0, 2], [0, 1]]),
        ("transpose", 6, [[], [3], [1], [4], [2], []]),
        ("nearest:2", 4, [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]),
        ("nearest:1", 5, [[1, 4], [0, 2], [1, 3], [2, 4], [0, 3]]),
    ],
)
def test_presets_by_hand(preset: str, processes: int, expected: list[list[int]]) -> None:
    assert receivers(preset, processes) == expected


@given(st.integers(2, 40), st.data())
def test_each_process_has_k_other_experts(processes: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, processes - 1))
    for rank, chosen in enumerate(receivers(f"moe:{k}", processes)):
        assert len(set(chosen) - {rank}) == len(chosen) == k


@pytest.mark.parametrize(
    ("preset", "says"),
    [
        ("halo:4d", "is no preset"),
        ("moe:0", "is no preset"),
        ("moe:4", "K is at most 3"),
        ("nearest:3", "K is at most 2"),
        ("transpose:2", "is no preset"),
    ],
)
def test_wrong_presets(preset: str, says: str) -> None:
    with pytest.raises(WrongUsageError, match=says):
        preset_matrix(preset, 4, 1, 0)


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 2, *[st.integers(0, 9)] * 2)), st.randoms())
def test_the_order_of_rows_does_not_count(rows: list[tuple[int, ...]], random: object) -> None:
    def matrix() -> MessageMatrix:
        columns = zip(*rows, strict=True) if rows else [()] * 4
        return of_rows(5, *(np.array(column, dtype=np.int64) for column in columns))

    one = matrix()
    random.shuffle(rows)  # type: ignore[attr-defined]
    other = matrix()
    assert rows_of(one) == rows_of(other)
    assert one.digest() == other.digest()
