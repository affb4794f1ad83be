"""Format .csv: every sample, with its bandwidth found again."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from support.reports import B_EFF, B_EFF_IO, DATA, document_of, written

from beff.report.csv_file import write_csv
from beff.verify.subject import load_subject


def rows_of(files: list[Path], folder: Path) -> list[dict[str, str]]:
    target = folder / "samples.csv"
    write_csv(load_subject(files), target)
    with target.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_row_for_every_sample_of_b_eff(tmp_path: Path) -> None:
    document = document_of(B_EFF)
    samples = document["samples"]
    rows = rows_of([B_EFF], tmp_path)
    assert len(rows) == len(samples["pattern"])
    for index, row in enumerate(rows):
        assert (
            int(row["message_size_bytes"])
            == (document["message_sizes_bytes"][samples["size"][index]])
        )
        assert float(row["time_max_s"]) == samples["time_max_s"][index]
        assert int(row["slowest_rank"]) == samples["slowest_rank"][index]
        moved = int(row["message_size_bytes"]) * int(row["messages"]) * int(row["loop_length"])
        assert float(row["bandwidth_MBps"]) == pytest.approx(
            moved / float(row["time_max_s"]) / 1e6, rel=1e-12
        )
        assert row["slowest_host"] == document["environment"]["hosts"][0]["name"]
    assert "transferred_bytes" not in rows[0]


def test_best_sample_of_a_pattern_is_its_figure(tmp_path: Path) -> None:
    document = document_of(B_EFF)
    first = document["patterns"][0]
    of_pattern = [row for row in rows_of([B_EFF], tmp_path) if int(row["pattern"]) == first["id"]]
    for size, expected in zip(
        document["message_sizes_bytes"], first["bandwidth_by_size_MBps"], strict=True
    ):
        values = [
            float(row["bandwidth_MBps"])
            for row in of_pattern
            if int(row["message_size_bytes"]) == size
        ]
        assert max(values) == pytest.approx(expected, rel=1e-12)


def test_both_benchmarks_share_a_table(tmp_path: Path) -> None:
    rows = rows_of([DATA / "b_eff_2p_valid.json", B_EFF, B_EFF_IO], tmp_path)
    kinds = {(row["benchmark"], row["valid"]) for row in rows}
    assert kinds == {("b_eff", "true"), ("b_eff", "false"), ("b_eff_io", "false")}
    assert {row["transferred_bytes"] == "" for row in rows if row["benchmark"] == "b_eff"} == {True}


def test_a_name_cannot_become_a_formula(tmp_path: Path) -> None:
    document = document_of(B_EFF)
    document["environment"]["hosts"][0]["name"] = '=HYPERLINK("http://example.org","x")'
    rows = rows_of([written(tmp_path, "evil.json", document)], tmp_path)
    assert rows[0]["slowest_host"].startswith("'=")
