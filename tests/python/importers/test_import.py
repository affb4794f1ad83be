"""`beff import`: printed results of the original programs, and what can be checked of them."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.commands import READERS, run
from support.printed import T3E, import_file, published_runs, sum_text
from support.prints import PRINTS
from support.reports import run_beff

from beff.definition.verify import verify
from beff.importers.printed import Printed
from beff.importers.table import IMPORTERS
from beff.report.formats import format_of, write_report
from beff.result.b_eff_io_result import BEffIoFigures
from beff.result.errors import BeffError, ResultError
from beff.result.load import Document, check_document, load_document
from beff.verify.subject import load_subject

RUNS = published_runs()
WITH_ROWS = next(run for run in RUNS if run.get("rows"))
SLIDE = """\
weighted average bandwidth for write   :   21.530 MB/s on 16 processes
weighted average bandwidth for rewrite :   29.472 MB/s on 16 processes
weighted average bandwidth for read    :   93.602 MB/s on 16 processes
Total amount of data written/read with each access method: 17589.682 MBytes
= 26.8 percent of the total memory (65536 MBytes)
b_eff_io of these measurements =  59.552 MB/s on 16 processes with 128 MByte/PE and \
scheduled time=30.0 min on sn6715 hwwt3e 2.0.5.34 unicosmk CRAY T3E
"""
"""The summary that the papers print."""


def b_eff_io_figures(document: Document) -> BEffIoFigures:
    assert isinstance(document.result, BEffIoFigures)
    return document.result


def imported(folder: Path, text: str, definition: str | None = None) -> Document:
    path = folder / "printed.sum"
    path.write_text(text, encoding="utf-8")
    (document,) = import_file(path, definition)
    return document


def findings(document: Document) -> list[str]:
    return [str(finding) for finding in verify(document).findings]


# --- b_eff_io ---


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run["name"])
def test_published_results_agree_with_themselves(run: dict[str, Any], tmp_path: Path) -> None:
    document = imported(tmp_path, sum_text(run))
    assert findings(document) == []
    result = b_eff_io_figures(document)
    assert result.definition == "2.1"
    assert result.summary.b_eff_io_MBps == run["value"]
    assert result.summary.values["2.1"] == run["value"]
    assert result.summary.processes == run["processes"]
    stored = document.fields["partitions"][0]["types"]
    for access, cells in run["totals"].items():
        assert stored[access] == cells


def test_all_of_the_print_is_there(tmp_path: Path) -> None:
    document = imported(tmp_path, sum_text(WITH_ROWS))
    result = b_eff_io_figures(document)
    assert (result.valid, result.complete) == (False, False)
    assert result.imported is not None
    assert result.imported.program_version == "2.1"
    assert result.imported.date == "Tue Nov 23 18:13:10 2004"
    assert result.environment.host_list == "node0.example.org"
    assert result.environment.memory_per_process_bytes == 256 * 2**20
    assert result.schedule.time_s == 10
    assert result.schedule.m_part_bytes == 2 * 2**20
    assert result.summary.bytes_per_access["read"] == round(1307.399 * 2**20)
    assert any("30 min -- NOT reached" in str(caution.facts) for caution in result.cautions)
    chunks = {pattern.number: pattern.l_bytes for pattern in result.patterns}
    kinds = {pattern.number: pattern.type for pattern in result.patterns}
    found: dict[tuple[str, int, int | None], float | None] = {
        (key.access, kinds[key.pattern], chunks[key.pattern]): value
        for key, value in zip(result.samples.keys, result.samples.bandwidth_MBps, strict=True)
        if key.pattern != 2
    }
    expected = {
        (access, kind, int(chunk)): value
        for access, rows in WITH_ROWS["rows"].items()
        for chunk, cells in rows.items()
        for kind, value in enumerate(cells)
    }
    assert found == expected


def test_release_1_of_the_papers(tmp_path: Path) -> None:
    """25 % write, 25 % rewrite, 50 % read: 59.552, by which the release is recognised."""
    document = imported(tmp_path, SLIDE)
    assert findings(document) == []
    result = b_eff_io_figures(document)
    assert result.definition == "1"
    assert result.summary.b_eff_io_MBps == 59.552
    assert result.schedule.time_s == 1800
    # the papers count 65536 MByte, the whole machine; 16 processes have 2048 MByte
    assert result.environment.total_memory_bytes == 16 * 128 * 2**20


def test_several_numbers_of_processes(tmp_path: Path) -> None:
    small = {**WITH_ROWS, "processes": 2, "value": WITH_ROWS["value"]}
    document = imported(tmp_path, sum_text(small, WITH_ROWS))
    result = b_eff_io_figures(document)
    assert [partition.processes for partition in result.partitions] == [2, 4]
    assert findings(document) == []


def test_scheduled_time_is_that_of_all_partitions(tmp_path: Path) -> None:
    """A line with a value has T of its partition, in minutes and rounded: 0.2 for 10 s."""
    small = {**WITH_ROWS, "processes": 2}
    text = sum_text(small, WITH_ROWS, seconds=20)
    assert "-N 2,4 T=20," in text

    def scheduled(text: str, definition: str | None = None) -> float:
        return b_eff_io_figures(imported(tmp_path, text, definition)).schedule.time_s

    assert scheduled(text) == 20
    assert scheduled(text.replace("-N 2,4", "-N  2, 4")) == 20
    # before release 2 each partition was scheduled T
    assert scheduled(text.replace("Revision 2.1", "Revision 1.3")) == 40
    assert scheduled(text.replace("-N 2,4 T=20", "other")) == pytest.approx(24)


def test_unknown_release_is_asked_for(tmp_path: Path) -> None:
    text = sum_text(WITH_ROWS, revision=None)
    with pytest.raises(BeffError, match="--definition"):
        imported(tmp_path, text)
    assert imported(tmp_path, text, "2.1").fields["definition"] == "2.1"
    with pytest.raises(BeffError, match="none of b_eff_io"):
        imported(tmp_path, text, "3.5")


# --- b_eff ---


def test_several_last_lines_are_several_results(tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text(f"{T3E}\n{T3E.replace('256 PEs', '255 PEs')}\n", encoding="utf-8")
    answer = run_beff("import", lines, "-o", tmp_path / "t3e.json")
    assert answer.returncode == 1  # 255 x 37.928 is another number
    assert "t3e_1.json: imported; " in answer.stdout
    assert "t3e_2.json: summary.b_eff_MBps is 9709.549" in answer.stdout


def test_a_shortened_run_is_marked(tmp_path: Path) -> None:
    document = imported(tmp_path, T3E.replace("b_eff =", "b_effSHORT ="))
    assert any("b_effSHORT" in str(caution) for caution in document.fields["cautions"])


# --- what verify finds ---


def change(document: Document, *path: str | int, factor: float) -> Document:
    fields = json.loads(json.dumps(document.fields))
    place = fields
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] *= factor
    return check_document("changed", fields)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (T3E, ("summary", "b_eff_MBps")),
        (T3E, ("summary", "b_eff_per_process_MBps")),
        (T3E, ("summary", "total_memory_exchange_s")),
        (sum_text(WITH_ROWS), ("partitions", 0, "access", "read")),
        (sum_text(WITH_ROWS), ("partitions", 0, "values", "2.1")),
        (sum_text(WITH_ROWS), ("summary", "b_eff_io_MBps")),
        (SLIDE, ("partitions", 0, "values", "1")),
        (SLIDE, ("summary", "total_memory_write_min")),
    ],
)
def test_a_changed_figure_is_found(text: str, path: tuple[str | int, ...], tmp_path: Path) -> None:
    document = imported(tmp_path, text)
    assert findings(document) == []
    assert findings(change(document, *path, factor=1.001))


@pytest.mark.parametrize("field", ["valid", "complete"])
def test_an_imported_result_is_never_valid(field: str, tmp_path: Path) -> None:
    fields = {**imported(tmp_path, T3E).fields, field: True}
    with pytest.raises(BeffError, match=field):
        check_document("changed", fields)


def test_unknown_counts_stay_empty_in_csv(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    fields = imported(tmp_path, sum_text(WITH_ROWS)).fields
    path.write_text(json.dumps(fields), encoding="utf-8")
    target = tmp_path / "rows.csv"
    chosen = format_of(target)
    assert chosen is not None
    write_report(chosen, load_subject([path]), target, overwrite=False)
    rows = target.read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + len(fields["samples"]["pattern"])
    header = rows[0].split(",")
    assert rows[1].split(",")[header.index("time_s")] == ""
    assert float(rows[1].split(",")[header.index("bandwidth_MBps")]) > 0


# --- refusals ---


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "can be imported"),
        ("some words", "can be imported"),
        ("Plan of b_eff, definition 3.5, for 2 processes\n" + T3E, "written by this program"),
        (T3E.replace("9709.549", "0.000"), "without a value"),
        (T3E.replace("128 MB/PE", "99999999999999 MB/PE"), "impossible"),
    ],
)
def test_other_files_are_refused(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "x.sum"
    path.write_text(text, encoding="utf-8")
    answer = run_beff("import", path)
    assert answer.returncode == 2
    assert words in answer.stderr
    assert len(answer.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "x.json").exists()


@pytest.mark.parametrize("name", PRINTS)
def test_every_command_takes_what_a_print_lacks(name: str, tmp_path: Path) -> None:
    printed, result = tmp_path / "x.sum", tmp_path / "x.json"
    printed.write_text(PRINTS[name], encoding="utf-8")
    run("import", printed, "-o", result)
    for lines in READERS.values():
        for line in lines(result, tmp_path, [".md", ".csv"]):
            run(*line)


ERRORS = ", with 3 ERRORS --!--!--!--"


@pytest.mark.parametrize(
    ("behind", "nodename"),
    [
        (ERRORS, ""),
        (f" on sn6715 hwwt3e 2.0.4.71 unicosmk{ERRORS}", "hwwt3e"),
        (f"{ERRORS}\n on sn6715 hwwt3e 2.0.4.71 unicosmk", "hwwt3e"),
    ],
)
def test_a_partition_with_errors_is_kept_and_named(
    behind: str, nodename: str, tmp_path: Path
) -> None:
    """What b_eff_io 2.1 prints behind the value of a partition that had errors."""
    text = sum_text(WITH_ROWS | {"processes": 2}, WITH_ROWS | {"processes": 8})
    text = re.sub(r"(?m)^ *hostname *:.*$", "", text)  # which would be believed
    end = [found.end() for found in re.finditer(r"scheduled\s+time= *\S+ *min", text)][-1]
    rest = text[end:].partition("\n")[2]
    path = tmp_path / "errors.sum"
    path.write_text(f"{text[:end]}{behind}\n{rest}", encoding="utf-8")
    (document,) = import_file(path, "1")
    assert [one["processes"] for one in document.fields["partitions"]] == [2, 8]
    said = [one for one in document.fields["cautions"] if one["code"] != "printed criterion"]
    assert said[1:] == [{"code": "printed errors", "facts": {"errors": 3, "processes": 8}}]
    if nodename:
        assert document.fields["environment"]["uname"]["nodename"] == nodename


LONG_LINES = {
    "digits": T3E.replace("256", "9" * 5_000),
    "digits of a value": T3E.replace("9709.549", "9" * 5_000),
    "digits of b_eff_io": sum_text(WITH_ROWS).replace("MByte/PE", "9" * 5_000 + " MByte/PE"),
    "names of the program": T3E + "b_eff" * 40_000,
    "releases": T3E + "b_eff version " * 15_000,
    "blanks": T3E + "b_eff version" + " " * 200_000 + "x",
    "blanks behind a value": sum_text(WITH_ROWS).replace(" min", f" min{' ' * 200_000}x"),
    "commas behind a value": sum_text(WITH_ROWS).replace(" min", f" min{', with 3 ' * 20_000}"),
    "values": "".join(sum_text(WITH_ROWS | {"processes": n})[-400:] for n in range(2, 500)),
    "tables": "\n".join(["accumulated |" + " 1" * 3 + " MB" + " 1.0" * 6] * 3_000) + T3E,
    "options": "-N " + "1," * 100_000 + "\n" + sum_text(WITH_ROWS),
}


@pytest.mark.parametrize("name", LONG_LINES)
def test_long_lines_and_numbers_take_no_time(name: str, tmp_path: Path) -> None:
    path = tmp_path / "long.sum"
    path.write_text(LONG_LINES[name], encoding="utf-8")
    begin = process_time()
    with suppress(ResultError):
        import_file(path, None)
    assert process_time() - begin < 2.0


def test_import_never_overwrites_unasked(tmp_path: Path) -> None:
    path = tmp_path / "t3e.sum"
    path.write_text(T3E, encoding="utf-8")
    (tmp_path / "t3e.json").write_text("precious", encoding="utf-8")
    assert run_beff("import", path).returncode == 2
    assert (tmp_path / "t3e.json").read_text(encoding="utf-8") == "precious"
    assert run_beff("import", path, "--overwrite").returncode == 0


def test_results_are_packed_where_their_name_says_so(tmp_path: Path) -> None:
    one, two = tmp_path / "one.sum", tmp_path / "two.sum"
    one.write_text(T3E, encoding="utf-8")
    two.write_text(f"{T3E}\n{T3E}\n", encoding="utf-8")
    assert run_beff("import", one, "-o", tmp_path / "x.json.gz").returncode == 0
    assert run_beff("import", two, "-o", tmp_path / "y.json.gz").returncode == 0
    for name in ("x", "y_1", "y_2"):
        assert load_document(tmp_path / f"{name}.json.gz").is_imported


def test_one_output_for_several_files_is_wrong_usage(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.sum", "b.sum")]
    for file in files:
        file.write_text(SLIDE, encoding="utf-8")
    answer = run_beff("import", *files, "-o", tmp_path / "x.json")
    assert answer.returncode == 2
    assert "--output" in answer.stderr


def mutated(text: str) -> st.SearchStrategy[str]:
    """The text with pieces cut out, doubled or replaced."""
    place = st.integers(0, len(text))
    piece = st.sampled_from(
        ["", "-", "0", "9" * 30, "9" * 5_000, ERRORS, "1e5", "\x00", "PEs", "\n", "NaN", ".", "<b>"]
    )

    def cut(change: tuple[int, int, str]) -> str:
        first, last = sorted(change[:2])
        return text[:first] + change[2] + text[last:]

    return st.tuples(place, place, piece).map(cut)


@settings(max_examples=max(150, int(os.environ.get("BEFF_FUZZ_CASES", "0"))))
@given(st.one_of(mutated(T3E), mutated(SLIDE), mutated(sum_text(WITH_ROWS))))
def test_damaged_prints_give_a_result_or_a_sentence(text: str) -> None:
    problem = ""
    try:
        for importer in IMPORTERS:
            if importer.recognises(text):
                for fields in importer.read(Printed("x.sum", "x.sum", text)):
                    verify(check_document("x.sum", fields))
    except BeffError as refusal:
        problem = str(refusal)
    assert "\n" not in problem
