"""Results that the measuring program itself wrote: both implementations must agree on them."""

import json
from pathlib import Path

import pytest

from beff.result.journal_file import read_journal
from beff.result.load import as_b_eff, check_document, load_document
from beff.verify.recover import recover
from beff.verify.verify import verify

DATA = Path(__file__).resolve().parents[2] / "data"
RESULTS = sorted(DATA.glob("b_eff_*p_*.json"))
IO_RESULTS = sorted(DATA.glob("b_eff_io_*.json"))


def test_there_are_stored_results() -> None:
    assert len(RESULTS) >= 2
    assert len(IO_RESULTS) >= 2


@pytest.mark.parametrize("path", [*RESULTS, *IO_RESULTS], ids=lambda path: path.name)
def test_a_stored_result_agrees(path: Path) -> None:
    verification = verify(load_document(path))
    assert verification.findings == ()
    assert verification.figures > (500 if path in IO_RESULTS else 1000)


def test_its_figures_are_no_null() -> None:
    result = as_b_eff(load_document(DATA / "b_eff_2p_one_method.json"))
    assert result.summary.b_eff_MBps is not None
    assert result.summary.b_eff_MBps > 0
    assert result.summary.balance_bytes_per_flop == pytest.approx(
        result.summary.b_eff_MBps * 1e6 / 50e9
    )


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.name)
def test_one_changed_digit_is_found(path: Path) -> None:
    fields = json.loads(path.read_text(encoding="utf-8"))
    fields["samples"]["time_avg_s"][99] = float(str(fields["samples"]["time_avg_s"][99])[:-1])
    findings = verify(check_document("changed", fields)).findings
    assert "digest.samples" in [finding.path for finding in findings]


def test_the_journal_of_a_killed_run() -> None:
    journal = read_journal(DATA / "b_eff_2p_killed.journal.jsonl")
    assert journal.cut_line
    fields = recover("journal", journal)
    assert len(fields["samples"]["size"]) == 117
    assert verify(check_document("recovered", fields)).findings == ()
