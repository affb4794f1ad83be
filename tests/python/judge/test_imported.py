"""Comparing what the original programs printed: each print is one run."""

from __future__ import annotations

from typing import Any

import pytest
from support.printed import T3E, b_eff_summary, published_runs, scaled, sum_text, with_32_byte
from support.reports import B_EFF, B_EFF_IO, document_of

from beff.importers.printed import Printed
from beff.importers.table import IMPORTERS
from beff.judge.compare import CompareSettings, Report, compare
from beff.judge.day_rule import Word
from beff.report.parts.comparison import order_sentences
from beff.result.load import Document, check_document, load_document

RUN = next(run for run in published_runs() if run.get("rows"))
NOISE = (1.0, 1.01, 0.99)


def imported(text: str, name: str = "old.sum") -> Document:
    importer = next(importer for importer in IMPORTERS if importer.recognises(text))
    (fields,) = importer.read(Printed(name, name, text))
    return check_document(name, fields)


def side(factor: float, minutes: tuple[int, ...] = (1, 2, 3)) -> list[Document]:
    """Three prints of b_eff_io with bandwidths around a factor, printed at these minutes."""
    return [
        imported(
            sum_text(scaled(RUN, factor * noise), date=f"Tue Nov 23 18:{minute:02}:10 2004"),
            f"{factor}-{minute}.sum",
        )
        for noise, minute in zip(NOISE, minutes, strict=True)
    ]


def labels(report: Report, table: str) -> set[str]:
    (comparison,) = report.comparisons
    return {
        row.figure.name for found in comparison.tables if found.name == table for row in found.rows
    }


def test_three_runs_a_side_as_they_were_published() -> None:
    """List-less against list-based I/O: a quarter slower, and every pattern is a quarter slower."""
    report = compare(side(1.0), side(0.75), CompareSettings())
    assert report.word is Word.SLOWER
    (comparison,) = report.comparisons
    value = comparison.day.figures[0]
    assert value.change.noise == pytest.approx(0.01, rel=0.01)
    assert comparison.day.by_runs
    assert value.shares[1] == pytest.approx(-0.25, abs=1e-3)
    rows = [row for table in comparison.tables if table.name == "patterns" for row in table.rows]
    assert len(rows) == 3 * (5 * 7 + 1)  # types times chunk sizes, and pattern 2
    in_table = [row for row in rows if not row.figure.name.startswith("pattern 2 ")]
    for row in in_table:  # three decimals are printed
        a, b = row.figure.of_log(row.change.a), row.figure.of_log(row.change.b)
        assert b == pytest.approx(0.75 * a, abs=1e-3)
    assert compare(side(0.75), side(1.0), CompareSettings()).word is Word.FASTER


def test_what_a_print_does_not_tell_is_named() -> None:
    (comparison,) = compare(side(1.0), side(1.0), CompareSettings()).comparisons
    assert comparison.differences == ()
    (sentence,) = comparison.not_compared
    assert "hints" in sentence
    assert "what the bandwidth is of" in sentence
    assert "largest chunk" not in sentence  # it is printed


def test_what_is_printed_must_be_the_same() -> None:
    longer = imported(sum_text(RUN).replace(" T=10,", " T=20,"))
    report = compare(side(1.0), [longer], CompareSettings())
    assert report.comparisons == ()
    assert [refusal.split(": ")[1] for refusal in report.refusals] == ["scheduled time"]
    forced = compare(side(1.0), [longer], CompareSettings(force=True))
    assert len(forced.comparisons) == 1


def test_the_order_in_time_as_far_as_it_is_printed() -> None:
    def alternated(a: list[Document], b: list[Document]) -> Any:
        (comparison,) = compare(a, b, CompareSettings(force=True)).comparisons
        return comparison.sides.alternated, " ".join(order_sentences(comparison))

    after, said = alternated(side(1.0, (1, 2, 3)), side(1.0, (11, 12, 13)))
    assert after is False
    assert "one after the other" in said
    assert alternated(side(1.0, (1, 11, 21)), side(1.0, (2, 12, 22)))[0] is True
    undated = [imported(sum_text(scaled(RUN, noise), date="yesterday")) for noise in NOISE]
    unknown, said = alternated(side(1.0), undated)
    assert unknown is None
    assert " alternated " in said
    assert alternated(side(1.0), [load_document(B_EFF_IO)])[0] is None


def test_prints_stand_beside_results_of_ours() -> None:
    """The rows of the printed table are named alike."""
    printed = imported(sum_text(with_32_byte({**RUN, "processes": 2})))
    report = compare([printed], [load_document(B_EFF_IO)], CompareSettings(force=True))
    assert labels(report, "patterns") >= {
        "scatter, 1024 byte, write, 2 processes",
        "seg-coll, 1048584 byte, read, 2 processes",
    }
    (comparison,) = report.comparisons
    assert any("32 byte" in sentence for sentence in comparison.not_compared)


def test_last_lines_of_b_eff() -> None:
    ours = document_of(B_EFF)
    printed = imported(b_eff_summary(ours))
    report = compare([printed], [load_document(B_EFF)], CompareSettings(force=True))
    assert labels(report, "values") == {"b_eff", "b_eff at L_max", "latency"}
    (comparison,) = report.comparisons
    assert all(abs(row.shares[1]) < 2e-3 for row in comparison.tables[0].rows)
    unknown, *tables = comparison.not_compared
    assert "repetitions" in unknown
    assert "values: 2 of 5 are not in every run: rings; random rings" in tables
    (only,) = compare([imported(T3E)], [imported(T3E)], CompareSettings()).comparisons
    assert {row.figure.name for row in only.tables[0].rows} == {"b_eff"}
