"""`beff import`: printed results of the original programs, and what can be checked of them."""

import json
import os
import re
from contextlib import suppress
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import SUM, T3E, import_file, on_both
from support.reports import B_EFF, ROOT, run_beff

from beff.definition.verify import verify
from beff.imports.originals import IMPORTERS
from beff.imports.printed import Printed
from beff.imports.published import parse_linpack
from beff.result.armour import read_bytes
from beff.result.b_eff_io_result import BEffIoFigures
from beff.result.errors import BeffError, ResultError
from beff.result.load import Document, check_document, load_document
from beff.result.places import packed
from beff.result.result_parts import RMax

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


def test_scheduled_time_is_that_of_all_partitions(tmp_path: Path) -> None:
    """A line with a value has T of its partition, in minutes and rounded: 0.2 for 10 s."""
    text = on_both(2, 4)
    assert "-N 2,4 T=20," in text

    def scheduled(text: str, definition: str | None = None) -> float:
        return b_eff_io_figures(imported(tmp_path, text, definition)).schedule.time_s

    assert scheduled(text) == 20
    assert scheduled(text.replace("-N 2,4", "-N  2, 4")) == 20
    # before release 2 each partition was scheduled T
    assert scheduled(text.replace("Revision 2.1", "Revision 1.3")) == 40
    assert scheduled(text.replace("-N 2,4 T=20", "other")) == pytest.approx(24)


def test_unknown_release_is_asked_for(tmp_path: Path) -> None:
    text = SUM.partition("\n")[2]
    with pytest.raises(BeffError, match="--definition"):
        imported(tmp_path, text)
    assert imported(tmp_path, text, "2.1").fields["definition"] == "2.1"
    with pytest.raises(BeffError, match="none of b_eff_io"):
        imported(tmp_path, text, "3.5")


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
        (SUM, ("partitions", 0, "access", "read")),
        (SUM, ("partitions", 0, "values", "2.1")),
        (SUM, ("summary", "b_eff_io_MBps")),
        (SLIDE, ("partitions", 0, "values", "1")),
        (SLIDE, ("summary", "total_memory_write_min")),
    ],
)
def test_a_changed_figure_is_found(text: str, path: tuple[str | int, ...], tmp_path: Path) -> None:
    document = imported(tmp_path, text)
    assert findings(document) == []
    assert findings(change(document, *path, factor=1.001))


# --- refusals ---


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "can be imported"),
        ("some words", "can be imported"),
        ("Plan of b_eff, definition 3.5, for 2 processes\n" + T3E, "written by this program"),
        (T3E.replace("b_eff =", "b_eff short ="), "written by this program"),
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
    text = on_both(2, 8)
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


LONG = {
    "digits": T3E.replace("256", "9" * 5_000),
    "digits of a value": T3E.replace("9709.549", "9" * 5_000),
    "releases": T3E + "b_eff version " * 15_000,
    "blanks": T3E + "b_eff version" + " " * 200_000 + "x",
    "commas behind a value": SUM.replace(" min", f" min{', with 3 ' * 20_000}"),
    "tables": "\n".join(["accumulated |" + " 1" * 3 + " MB" + " 1.0" * 6] * 3_000) + T3E,
    "options": "-N " + "1," * 100_000 + "\n" + SUM,
}


@pytest.mark.parametrize("name", LONG)
def test_long_lines_and_numbers_take_no_time(name: str, tmp_path: Path) -> None:
    begin = process_time()
    with suppress(ResultError):
        imported(tmp_path, LONG[name])
    assert process_time() - begin < 2.0


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
@given(st.one_of(mutated(T3E), mutated(SLIDE), mutated(SUM)))
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


# --- output of Linpack ---

HPL = (ROOT / "tests/golden/given/hpl.txt").read_text("utf-8")
ROW, RULE, RESIDUAL = HPL.splitlines()[6:9]
RUN = f"{ROW}\n{RULE}\n{RESIDUAL}\n"
SLOWER = RUN.replace("717.06", "800.00").replace("2.311e+01", "2.071e+01")
FAILED = RUN.replace("PASSED", "FAILED")
BEFORE = "WALL   500   500 128 128   1   2     0.09 PASSED    0.023  0.00\n"
"""What another part of HPCC prints."""


def parsed(text: str) -> RMax:
    return parse_linpack("folder/HPL.out", "HPL.out", text)


def test_output_of_hpl() -> None:
    """2/3 · 29184³ flop in 717.06 s."""
    settings = {"n": 29184, "nb": 192, "p": 2, "q": 2, "time_s": 717.06, "residual": 0.0024559}
    assert parsed(HPL) == RMax(gflops=23.11, origin="hpl", source="HPL.out", **settings)


@pytest.mark.parametrize(
    "text",
    [
        f"{BEFORE}Begin of HPL section.\n{RUN}HPL_Tflops=0.0231\nHPL_N=29184\n",
        HPL.replace(RUN, SLOWER + RUN + SLOWER),
        HPL.replace(RESIDUAL, "\n".join([RESIDUAL] * 3)),  # of old releases
        # HPL of GPU vendors prints what each GPU has behind the total
        *(HPL.replace(ROW, ROW + end) for end in (" ( 1.156e+01)", "\t11.56", "\r", "   ")),
    ],
)
def test_the_total_of_the_fastest_run_counts(text: str) -> None:
    assert parsed(text).gflops == 23.11


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no run of Linpack"),
        (HPL.replace(RUN, ""), "no run of Linpack"),
        (HPL.replace(RESIDUAL, ""), "no line with its residual"),
        (HPL.replace(RUN, FAILED), "FAILED"),
        (HPL.replace(RUN, RUN + FAILED), "FAILED"),
        *((HPL.replace("0.0024559", residual), "FAILED") for residual in ("nan", "inf", "-inf")),
        (HPL.replace(RUN, f"{ROW}\n{RULE}\n{RUN}"), "no line with its residual"),
        (HPL.replace("2.311e+01", "9.900e+01"), "contradict"),
        (HPL.replace("2.311e+01", "0.000e+00"), "impossible"),
    ],
)
def test_outputs_that_do_not_count(text: str, words: str) -> None:
    with pytest.raises(BeffError, match=words):
        parsed(text)


# --- packed files ---


def test_packed_results_get_packed_files(tmp_path: Path) -> None:
    named = tmp_path / "named.json.gz"
    assert run_beff("show", B_EFF, "--rmax", "5", "-o", named).returncode == 0
    assert named.read_bytes() == packed(read_bytes(named))
    assert verify(load_document(named)).agrees
