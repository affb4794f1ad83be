"""`beff today` as a user starts it, with stand-ins for the programs and made-up days before."""

import json
import os
import subprocess
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from support.programs.programs import Programs, write_script
from support.reports import run_beff
from support.results import Plan, make_result
from support.runs import environment

from beff.judge.kept import cluster_name

_COPIES = """\
import os, shutil, sys
if sys.argv[1:] == ["--version"]:
    sys.exit(print("b_eff 9.9.9 (test)"))
prefix = sys.argv[sys.argv.index("--output") + 1]
if os.environ["FAKE_RESULT"] == "none" or f"/{os.environ.get('FAKE_FAILS_AT')}/" in prefix:
    sys.exit("b_eff: something broke")
shutil.copy(os.environ["FAKE_RESULT"], prefix + ".json")
"""


@cache
def measured(kind: str = "good", times: float = 1.0) -> str:
    """A result whose loops took so many times as long; `partial`, or `wrong`."""
    plan = Plan(processes=2, slower=times, measured=500 if kind == "partial" else None)
    fields = make_result(plan)
    if kind == "wrong":
        fields["summary"]["b_eff_MBps"] *= 2
    return json.dumps(fields)


class Machine:
    """A machine with stand-ins, and its history."""

    def __init__(self, programs: Programs, folder: Path) -> None:
        self.programs, self.folder = programs, folder
        write_script(programs.folder / "b_eff", _COPIES)
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


@pytest.fixture
def machine(programs: Programs, tmp_path: Path) -> Machine:
    return Machine(programs, tmp_path)


def test_files_are_measured_as_well(machine: Machine) -> None:
    code, line, found = machine.said("--path", str(machine.folder), "--within", "1s")
    assert {day["benchmark"] for day in found["days"]} == {"b_eff", "b_eff_io"}
    assert "; b_eff_io of 30 s, NOT VALID: kept as the first day: " in line
    assert code == 0


@pytest.mark.parametrize(("kind", "code"), [("none", 1), ("partial", 3), ("wrong", 1)])
def test_what_fails_is_no_day(machine: Machine, kind: str, code: int) -> None:
    done = machine.today(kind=kind)
    assert done.returncode == code, done.stderr
    assert done.stderr.strip()
    assert done.stdout.startswith("inconclusive: ") == (code == 3)
    assert machine.said(kind=kind)[:2] == (code, done.stdout.partition("\n")[0])
    assert list(machine.history.glob("*/runs/**/*.gz")) == []


def test_what_was_measured_before_a_failure_is_kept_and_said(machine: Machine) -> None:
    done = machine.today(FAKE_FAILS_AT="3")
    assert done.returncode == 1
    assert "something broke" in done.stderr
    assert done.stdout.startswith("b_eff short: kept as the first day: ")
    assert len(list(machine.runs.glob("**/*.gz"))) == 2
    assert len(machine.said()[2]["days"][0]["figures"][0]["repetitions"]) == 3
