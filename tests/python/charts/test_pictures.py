"""The formats .pdf, .png and .svg of `beff show -o`."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader
from support.reports import B_EFF_IO, STOPPED_IO, document_of, run_beff, written


@pytest.mark.parametrize(
    ("ending", "start"), [("pdf", b"%PDF-"), ("png", b"\x89PNG"), ("svg", b"<svg")]
)
def test_the_ending_chooses_the_picture(ending: str, start: bytes, tmp_path: Path) -> None:
    target = tmp_path / f"report.{ending}"
    done = run_beff("show", STOPPED_IO, "-o", target)
    assert done.returncode == 0, done.stderr
    assert "1 result: the chart" in done.stdout
    assert target.read_bytes().startswith(start)
    assert list(tmp_path.iterdir()) == [target]


def test_a_single_diagram_is_chosen_by_its_key(tmp_path: Path) -> None:
    target = tmp_path / "types.svg"
    done = run_beff("show", B_EFF_IO, "-o", target, "--figure", "io_types_0")
    assert done.returncode == 0, done.stderr
    texts = set(ElementTree.fromstring(target.read_text(encoding="utf-8")).itertext())
    assert "pattern type" in texts
    assert "chunk size" not in texts
    target = tmp_path / "types.pdf"
    done = run_beff("show", B_EFF_IO, "-o", target, "--figure", "io_types_0")
    assert len(PdfReader(target).pages) == 1


def test_tables_have_no_single_diagrams(tmp_path: Path) -> None:
    done = run_beff("show", STOPPED_IO, "-o", tmp_path / "a.md", "--figure", "io_types_0")
    assert done.returncode == 2
    assert "a.md" in done.stderr
    assert ".pdf, .png, .svg" in done.stderr


def test_a_result_without_a_measurement_has_no_picture(tmp_path: Path) -> None:
    document = document_of(STOPPED_IO)
    for table in ("samples", "types"):
        document[table]["bandwidth_MBps"] = [None] * len(document[table]["bandwidth_MBps"])
    source = written(tmp_path, "nothing.json", document)
    done = run_beff("show", source, "-o", tmp_path / "a.pdf")
    assert done.returncode == 1
    assert done.stderr.startswith(f"beff: {source}: ")
    assert done.stderr.count("\n") == 1
