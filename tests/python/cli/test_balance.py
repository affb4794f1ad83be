"""`beff show --hpl` and `--rmax`: R_max of outputs of HPL and HPCC, and the balance table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.linpack import hpcc_output, hpl_output, linpack_run
from support.reports import B_EFF, B_EFF_3_1, B_EFF_IO, DATA, STORED, document_of, run_beff, written

from beff.definition.balance import balance_of, linpack_gflops
from beff.definition.verify import verify
from beff.importers.linpack import parse_linpack
from beff.report.tables.balance import balance_table, systems_of
from beff.result.errors import BeffError
from beff.result.load import as_b_eff, as_b_eff_io, load_document
from beff.result.result_parts import RMax
from beff.result.strict_json import packed, read_bytes
from beff.verify.common.summary_figures import with_rmax
from beff.verify.subject import load_subject

GIVEN = RMax(gflops=12.5, origin="given", source=None)


# --- output of Linpack ---


def parsed(text: str) -> RMax:
    return parse_linpack("folder/HPL.out", "HPL.out", text)


@pytest.mark.parametrize("behind", [" ( 1.156e+01)", "\t11.56", "\r", "   "])
def test_columns_behind_the_rate(behind: str) -> None:
    """HPL of GPU vendors prints what each GPU has behind the total; the total counts."""
    first, *rest = linpack_run().split("\n")
    assert parsed(hpl_output("\n".join([first + behind, *rest]))).gflops == 23.11


def test_output_of_hpl() -> None:
    rmax = parsed(hpl_output(linpack_run()))
    assert rmax == RMax(
        gflops=float(f"{linpack_gflops(29184, 717.06):.3e}"),
        origin="hpl",
        source="HPL.out",
        n=29184,
        nb=192,
        p=2,
        q=2,
        time_s=717.06,
        residual=0.0024559,
    )
    assert rmax.gflops == 23.11  # 2/3 · 29184³ flop in 717.06 s, by hand


def test_output_of_hpcc() -> None:
    assert parsed(hpcc_output(linpack_run())).gflops == 23.11


def test_fastest_of_several_runs() -> None:
    runs = [linpack_run(time_s=time) for time in (800.0, 717.06, 900.0)]
    assert parsed(hpl_output(*runs)).time_s == 717.06


def test_three_residuals_of_old_releases() -> None:
    assert parsed(hpl_output(linpack_run(residuals=3))).gflops == 23.11


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no run of Linpack"),
        (hpl_output(), "no run of Linpack"),
        (hpl_output(linpack_run(residuals=0)), "no line with its residual"),
        (hpl_output(linpack_run(verdict="FAILED")), "FAILED"),
        (hpl_output(linpack_run(), linpack_run(verdict="FAILED")), "FAILED"),
        (hpl_output(linpack_run(residuals=0), linpack_run()), "no line with its residual"),
        (hpl_output(linpack_run(gflops=99.0)), "contradict"),
        (hpl_output(linpack_run(gflops=0.0)), "impossible"),
    ],
)
def test_outputs_that_do_not_count(text: str, words: str) -> None:
    with pytest.raises(BeffError, match=words):
        parsed(text)


@given(
    st.tuples(
        st.integers(0, 600), st.integers(0, 600), st.sampled_from(["", "9", "nan", "-", "\n"])
    )
)
def test_a_damaged_output_gives_a_number_or_a_sentence(change: tuple[int, int, str]) -> None:
    text = hpl_output(linpack_run())
    first, last = sorted(change[:2])
    try:
        rmax = parsed(text[:first] + change[2] + text[last:])
    except BeffError as problem:
        sentence = str(problem)
    else:
        sentence = ""
        assert rmax.gflops > 0
    assert "\n" not in sentence


# --- results ---


def test_balance_by_hand() -> None:
    # 2000 MB/s over 4 GFLOP/s: half a byte per flop
    assert balance_of(2000.0, 4.0) == 0.5
    assert balance_of(None, 4.0) is None
    assert balance_of(2000.0, None) is None


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_nothing_else_changes_and_verify_accepts_it(path: Path) -> None:
    document = load_document(path)
    before = json.loads(json.dumps(document.fields))
    added = with_rmax(document, GIVEN)
    assert document.fields == before
    assert verify(added).findings == ()
    fields = json.loads(json.dumps(added.fields))
    assert fields.pop("rmax")["gflops"] == 12.5
    value = before["summary"][f"{before['benchmark']}_MBps"]
    expected = None if value is None else value * 1e6 / 12.5e9
    assert fields["summary"].pop("balance_bytes_per_flop") == pytest.approx(expected)
    assert fields["summary"].pop("rmax_gflops") == 12.5
    before["summary"].pop("balance_bytes_per_flop", None)
    before["summary"].pop("rmax_gflops", None)
    assert fields == before


@pytest.mark.parametrize("path", [B_EFF, B_EFF_IO], ids=lambda path: path.stem)
@pytest.mark.parametrize(
    "place",
    [("summary", "balance_bytes_per_flop"), ("summary", "rmax_gflops"), ("rmax", "gflops")],
)
def test_a_changed_balance_is_found(path: Path, place: tuple[str, str], tmp_path: Path) -> None:
    fields = json.loads(json.dumps(with_rmax(load_document(path), GIVEN).fields))
    if fields[place[0]][place[1]] is None:
        pytest.skip("the stored run has no value")
    fields[place[0]][place[1]] *= 1.0001
    findings = verify(load_document(written(tmp_path, "changed.json", fields))).findings
    assert findings


# --- the table ---


def changed(folder: Path, path: Path, name: str, **environment: Any) -> Path:
    document = document_of(path)
    document["environment"].update(environment)
    return written(folder, f"{name}.json", document)


def test_results_of_one_run_stand_in_one_row(tmp_path: Path) -> None:
    common = {"host_list": "m", "processes": 2}
    files = [
        changed(tmp_path, B_EFF, "first", **common),
        changed(tmp_path, B_EFF, "second", **common),
        changed(tmp_path, B_EFF_3_1, "other", host_list="n", processes=4),
    ]
    documents = [load_document(path) for path in files]
    io_document = load_document(changed(tmp_path, B_EFF_IO, "files", **common))
    systems = systems_of(
        [(path.stem, as_b_eff(d)) for path, d in zip(files, documents, strict=True)],
        [("files", as_b_eff_io(io_document))],
    )
    assert [(s.label, s.b_eff is not None, s.b_eff_io is not None) for s in systems] == [
        ("first", True, True),
        ("second", True, False),
        ("other", True, False),
    ]


def test_each_of_two_results_has_its_verdict(tmp_path: Path) -> None:
    common = {"host_list": "m", "processes": 2}
    files = [
        changed(tmp_path, DATA / "b_eff_2p_valid.json", "good", **common),
        changed(tmp_path, B_EFF_IO, "short", **common),
    ]
    subject = load_subject(files)
    shown = [balance_table(subject.b_eff(), io).rows[0][0] for io in (subject.b_eff_io(), [])]
    assert shown == ["good, b_eff VALID, b_eff_io NOT VALID", "good, VALID"]


# --- the command ---


def content(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_nothing_is_written_unless_it_is_named(tmp_path: Path) -> None:
    hpl = tmp_path / "HPL.out"
    hpl.write_text(hpl_output(linpack_run(p=1, q=2)), encoding="utf-8")
    results = tmp_path / "results"
    results.mkdir()
    for name, stored in (("b_eff", B_EFF), ("b_eff_io", B_EFF_IO)):
        written(results, f"{name}.json", document_of(stored))
    before = content(tmp_path)
    shown = run_beff("show", results, "--hpl", hpl)
    assert shown.returncode == 0, shown.stderr
    assert "N = 29184, NB = 192, P x Q = 1 x 2" in " ".join(shown.stdout.split())
    assert content(tmp_path) == before
    made = tmp_path / "made.json"
    both = run_beff("show", results, "--hpl", hpl, "-o", made)
    assert both.returncode == 2
    assert f"--output {made}: holds one result, and these are 2" in both.stderr
    answer = run_beff("show", results / "b_eff.json", "--hpl", hpl, "-o", made)
    assert answer.returncode == 0, answer.stderr
    assert content(results) == {path: before[path] for path in content(results)}


def test_packed_results_get_packed_files(tmp_path: Path) -> None:
    named = tmp_path / "named.json.gz"
    assert run_beff("show", B_EFF, "--rmax", "5", "-o", named).returncode == 0
    assert named.read_bytes() == packed(read_bytes(named))
    assert verify(load_document(named)).agrees


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--rmax", "0"], 2, "--rmax 0"),
        (["--rmax", "much"], 2, "--rmax much"),
        (["--rmax", "nan"], 2, "--rmax nan"),
        (["--rmax", "1e99"], 2, "--rmax 1e99"),
        (["--rmax", "1", "--hpl", "x"], 2, "give one of them"),
        (["--hpl", "missing.out"], 2, "no such file"),
    ],
)
def test_wrong_usage(options: list[str], code: int, words: str, tmp_path: Path) -> None:
    path = written(tmp_path, "b_eff.json", document_of(B_EFF))
    answer = run_beff("show", path, *options)
    assert answer.returncode == code
    assert words in answer.stderr
    assert len(answer.stderr.strip().splitlines()) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["b_eff.json"]
