"""Many results at once: in order, and in several processes."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from support.machines.measure import flat
from support.machines.result import make_map
from support.reports import DATA, run_beff, written
from support.results import SHORT, Plan, make_result

from beff.result import many
from beff.result.errors import ResultError

JOURNAL = DATA / "b_eff_2p_killed.journal.jsonl"
MANY = 9
VERIFIED = [*(f"b{number}" for number in range(MANY)), "map"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of results, a map of pairs, JSON that is no result, and a damaged file."""
    results = tmp_path / "results"
    results.mkdir()
    for number in range(MANY):
        written(results, f"b{number}.json", run(number))
    written(results, "map.json", make_map(flat(4)))
    written(results, "other.json", {"a": 1})
    (results / "torn.json").write_text(json.dumps(run(1))[:5000], "utf-8")
    return results


def run(number: int) -> dict[str, Any]:
    fields = make_result(Plan(**{**SHORT.__dict__, "slower": 1 + number / 10}))
    fields["environment"]["started_at"] = f"2026-11-22T1{number}:00:00+01:00"
    fields["environment"]["finished_at"] = f"2026-11-22T1{number}:01:00+01:00"
    return fields


def test_verify_prints_in_order_whichever_process_is_first(folder: Path) -> None:
    wrong = run(4)
    wrong["summary"]["b_eff_MBps"] *= 2
    written(folder, "b4.json", wrong)
    done = run_beff("verify", folder)
    assert done.returncode == 2  # for the damaged one
    said = [line.split(": ")[0] for line in done.stdout.splitlines()]
    assert said == [str(folder / f"{name}.json") for name in VERIFIED]
    assert "b4.json: summary.b_eff_MBps is " in done.stdout
    assert done.stdout.count(": verified, ") == MANY
    assert done.stderr.count("torn.json") == 1


def test_a_killed_process_costs_its_file_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many, "cores", lambda: 2)
    parent = os.getpid()

    def act(file: Path) -> str:
        assert os.getpid() != parent
        if file.name in {"3", "17", "39"}:
            os.kill(os.getpid(), signal.SIGKILL)
        return file.name

    made = list(many.many_at_once(act, [Path(str(number)) for number in range(40)]))
    lost = [place for place, one in enumerate(made) if isinstance(one, ResultError)]
    assert lost == [3, 17, 39]
    assert all(made[n] == str(n) for n in range(40) if n not in lost)


def test_the_digest_of_an_earlier_version_is_not_checked(tmp_path: Path) -> None:
    """A hash of 64 bits; everything else is compared."""
    fields = run(1)
    fields["digest"] = {"algorithm": "fnv1a64", "samples": "0123456789abcdef"}
    for code, says in enumerate(("cannot be checked: the digest of the", "b_eff_MBps is ")):
        done = run_beff("verify", written(tmp_path, "earlier.json", fields))
        assert done.returncode == code
        assert says in done.stdout
        fields["summary"]["b_eff_MBps"] *= 2


def test_the_journal_of_an_earlier_version_gets_a_digest_of_this_one(tmp_path: Path) -> None:
    lines = JOURNAL.read_text(encoding="utf-8").replace('"crc32"', '"fnv1a64"')
    journal, file = tmp_path / JOURNAL.name, tmp_path / "recovered.json"
    journal.write_text(lines, encoding="utf-8")
    assert run_beff("show", journal, "-o", file).returncode == 0
    assert json.loads(file.read_text(encoding="utf-8"))["digest"]["algorithm"] == "crc32"
    assert run_beff("verify", file).returncode == 0
