"""`beff today` as a user starts it, with stand-ins for the programs and made-up days before."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from support.fleet_folder import map_fields
from support.programs.programs import Programs, write_script
from support.reports import DATA, document_of, run_beff
from support.runs import environment

from beff.definition.recover import merged, recover
from beff.definition.verify import derived_fields
from beff.result.journal_file import read_journal
from beff.result.load import as_b_eff, check_document
from beff.today.kept import cluster_name

DAY_S = 86400.0
QUIET = (1.0, 1.004, 0.996, 1.002, 0.998, 1.001)
"""What days differ by."""
_COPIES = """\
import os, shutil, sys
if sys.argv[1:] == ["--version"]:
    sys.exit(print("b_eff 9.9.9 (test)"))
prefix = sys.argv[sys.argv.index("--output") + 1]
if os.environ["FAKE_RESULT"] == "none" or f"/{os.environ.get('FAKE_FAILS_AT')}/" in prefix:
    sys.exit("b_eff: something broke")
made = os.environ["FAKE_MAP" if sys.argv[0].endswith("b_pairs") else "FAKE_RESULT"]
shutil.copy(made, prefix + ".json")
"""


@cache
def measured(kind: str = "good", times: float = 1.0) -> str:
    """A result whose loops took so many times as long; `partial`, `wrong`, or of four hosts."""
    if kind == "partial":
        journal = DATA / "b_eff_2p_killed.journal.jsonl"
        return json.dumps(recover(str(journal), read_journal(journal)))
    name = "b_eff_4p_definition_3.1" if kind == "four" else "b_eff_2p_one_method"
    fields = document_of(DATA / f"{name}.json")
    samples, account, environment = fields["samples"], fields["accounting"], fields["environment"]
    for column in ("time_max_s", "time_avg_s", "time_min_s"):
        samples[column] = [times * time_s for time_s in samples[column]]
    account["elapsed_s"] += (times - 1) * account["loops_s"]
    environment["wall_s"] += (times - 1) * account["loops_s"]
    account["loops_s"] *= times
    if kind == "four":
        hosts = [{"name": f"n{host}", "processes": 1} for host in range(1, 5)]
        environment |= {"hosts": hosts, "host_list": "n[1-4]", "nodes": 4, "placement": "0 1 2 3"}
        environment["oversubscribed"] = False
    result = as_b_eff(check_document(kind, fields))
    fields = merged(fields, derived_fields(result))
    if kind == "wrong":
        fields["summary"]["b_eff_MBps"] *= 2
    return json.dumps(fields)


class Machine:
    """A machine with stand-ins, and its history."""

    def __init__(self, programs: Programs, folder: Path) -> None:
        self.programs, self.folder = programs, folder
        write_script(programs.folder / "b_eff", _COPIES)
        write_script(programs.folder / "b_pairs", _COPIES)
        self.history = folder / "history"

    def today(
        self, *options: str, kind: str = "good", times: float = 1.0, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Measure results of this kind, whose loops take so many times as long."""
        result = self.folder / "result.json"
        if kind != "none":
            result.write_text(measured(kind, times), encoding="utf-8")
        words = ("today", *self.programs.options(), "--history", str(self.history), "-n", "2")
        variables["FAKE_RESULT"] = "none" if kind == "none" else str(result)
        with patch.dict(os.environ, environment(), clear=True):
            return run_beff(*words, *options, folder=self.folder, **variables)

    def said(
        self, *options: str, kind: str = "good", times: float = 1.0, **variables: str
    ) -> tuple[int, str, dict[str, Any]]:
        """Code, line and object of a day."""
        done = self.today("--json", *options, kind=kind, times=times, **variables)
        assert done.stdout, done.stderr
        found = json.loads(done.stdout)
        return done.returncode, found["line"], found

    @property
    def runs(self) -> Path:
        return self.history / cluster_name() / "runs"

    def lived(self, values: Sequence[float], **changed: tuple[str, str]) -> None:
        """Make days before, with three runs each, so many times as fast as today; and `changed`."""
        for place, value in enumerate(values):
            text = measured("good", 1 / value)
            for number in (1, 2, 3):
                fields = json.loads(text)
                began = datetime.fromisoformat(fields["environment"]["started_at"])
                began -= timedelta(days=len(values) - place)
                at = (began + timedelta(seconds=10 * number)).strftime("%Y-%m-%dT%H:%M:%SZ")
                fields["environment"] |= {"started_at": at, "finished_at": at}
                folder = self.runs / f"day{place}" / str(number)
                folder.mkdir(parents=True)
                said = json.dumps(fields)
                for before, after in changed.values():
                    said = said.replace(before, after)
                (folder / "b_eff_2p.json.gz").write_bytes(gzip.compress(said.encode()))


@pytest.fixture
def machine(programs: Programs, tmp_path: Path) -> Machine:
    return Machine(programs, tmp_path)


def test_it_is_slower_since_two_days(machine: Machine) -> None:
    machine.lived([*QUIET, 0.8, 0.8])
    code, line, found = machine.said(times=1.25)
    assert code == 1
    (day,) = found["days"]
    assert day["verdict"] == "slower"
    assert day["days_before"] == 6
    assert -0.22 < day["figures"][0]["change"] < -0.18
    assert line.startswith("slower since ")
    done = machine.today(times=1.25)
    answer, command = done.stdout.splitlines()
    assert answer.startswith("slower since ")
    assert command.startswith("next: beff compare ")


def test_an_update_is_compared_and_said(machine: Machine) -> None:
    machine.lived(QUIET, program=('"git_commit": "', '"git_commit": "7'))
    code, line, found = machine.said(times=1.25)
    assert code == 1
    assert line.startswith("slower since ")
    (why,) = found["changed"]
    assert why.startswith("program: ")
    assert line.endswith(why)
    assert machine.said(times=1.25)[2]["changed"] == []


def test_what_differs_starts_another_series_and_says_why(machine: Machine) -> None:
    model = json.loads(measured())["environment"]["cpu"]["model"]
    machine.lived(QUIET, processor=(f'"{model}"', '"another"'))
    code, line, found = machine.said()
    assert code == 0
    assert line.startswith("kept as the first day: ")
    (why,) = found["another_series"]
    assert why.startswith("processor: another before, ")
    assert machine.said()[2]["another_series"] == []


def test_other_hosts_continue_it_and_are_named(machine: Machine) -> None:
    hosts = json.loads(measured())["environment"]["host_list"]
    machine.lived(QUIET, hosts=(f'"{hosts}"', '"elsewhere"'))
    code, line, _ = machine.said()
    assert code == 0
    assert line.endswith(f"; on {hosts}, the last time on elsewhere")


def test_files_are_measured_as_well(machine: Machine) -> None:
    code, line, found = machine.said("--path", str(machine.folder), "--within", "1s")
    assert {day["benchmark"] for day in found["days"]} == {"b_eff", "b_eff_io"}
    assert "; files: kept as the first day: " in line
    assert code == 0


@pytest.mark.parametrize(("slow", "code"), [(False, 0), (True, 1)])
def test_four_hosts_have_a_map(machine: Machine, slow: bool, code: int) -> None:
    made = machine.folder / "map.json"
    names = tuple(f"n{host}" for host in range(1, 6))
    made.write_text(json.dumps(map_fields(names, 0.0, {"n3": 2.0} if slow else {})))
    found = machine.said("-n", "4", kind="four", FAKE_MAP=str(made))
    assert found[0] == code, found
    assert found[2]["bad_hosts"] == ["n3"] * code
    assert found[1].endswith("; slow: host n3") == bool(code)
    assert len(list(machine.history.glob("*/maps/*/b_pairs_4p.json"))) == 1


@pytest.mark.parametrize(("kind", "code"), [("none", 1), ("partial", 3), ("wrong", 1)])
def test_what_fails_is_no_day(machine: Machine, kind: str, code: int) -> None:
    done = machine.today(kind=kind)
    assert done.returncode == code, done.stderr
    assert done.stderr.strip()
    assert done.stdout.startswith("inconclusive: ") == (code == 3)
    assert list(machine.history.glob("*/runs/**/*.gz")) == []


def test_what_was_measured_before_a_failure_is_kept_and_said(machine: Machine) -> None:
    done = machine.today(FAKE_FAILS_AT="3")
    assert done.returncode == 1
    assert "something broke" in done.stderr
    assert done.stdout.startswith("kept as the first day: ")
    assert len(list(machine.runs.glob("**/*.gz"))) == 2
    assert len(machine.said()[2]["days"][0]["figures"][0]["repetitions"]) == 3


@pytest.mark.parametrize(
    "options",
    [
        ("-n", "2,4"),
        ("--within", "soon"),
        ("--threshold", "0%"),
        ("--threshold", "200%"),
        ("--path", "nowhere"),
        ("--history", "programs/b_eff"),
    ],
)
def test_what_cannot_be_meant_is_refused(machine: Machine, options: tuple[str, str]) -> None:
    done = machine.today(*options)
    assert done.returncode in {1, 2}
    assert options[0].replace("-n", "--processes") in done.stderr
    assert done.stdout == ""
