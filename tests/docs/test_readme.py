"""The commands of the tutorial, in the state that those before left, and what they show."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from support.programs.programs import Programs
from support.repeated import b_eff_runs
from support.reports import run_beff

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
VALID = ROOT / "tests" / "data" / "b_eff_2p_valid.json"
SAID = {"run": {0, 3}, "check": {0, 1, 3}, "compare": {0, 3}}
"""Exit codes that tell a stranger no command of the page is wrong; of others 0 alone."""

_BEFF = """\
#!/bin/sh
command=$1; shift
case $command in run|doctor) set -- {stand_ins} "$@";; esac
"{python}" -m beff "$command" "$@"
code=$?
echo "$command $code" >> {log}
exit $code
"""


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)


def section(page: str, heading: str) -> str:
    return page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


PAGES = {
    "tutorial": (
        blocks(TUTORIAL, "sh"),
        {"doctor", "run", "verify", "show", "compare", "check"},
        {"first.html", "both.html"},
    ),
}


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_the_page_work_in_their_order(
    page: str, programs: Programs, tmp_path: Path
) -> None:
    scripts, commands, files = PAGES[page]
    log = tmp_path / "log"
    beff = tmp_path / "bin" / "beff"
    beff.parent.mkdir()
    stand_ins = shlex.join(programs.options())
    beff.write_text(_BEFF.format(stand_ins=stand_ins, python=sys.executable, log=log))
    beff.chmod(0o755)
    known = {name: value for name, value in os.environ.items() if not name.startswith("SLURM_")}
    path = f"{beff.parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", "\n".join(scripts).replace("1 2 3 4 5", "1 2")],  # runs of each side
        cwd=tmp_path,
        env={**known, "PATH": path, "PYTHONPATH": str(ROOT / "python"), "FAKE_ENGINE": "good"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    codes = [line.split() for line in log.read_text().splitlines()]
    assert [(c, code) for c, code in codes if int(code) not in SAID.get(c, {0})] == [], done
    assert {command for command, _ in codes} == commands
    assert [name for name in files if not (tmp_path / name).exists()] == []


def squeezed(text: str) -> str:
    return " ".join(text.split())


def shown(*arguments: str) -> str:
    return squeezed(run_beff(*arguments).stdout)


def lines_of(heading: str, place: int = 0) -> list[str]:
    lines = map(squeezed, blocks(section(TUTORIAL, heading), "text")[place].splitlines())
    return [line for line in lines if line]


def test_the_tutorial_shows_the_recorded_report(tmp_path: Path) -> None:
    target = tmp_path / "first.txt"
    shown("show", str(VALID), "-o", str(target))
    text = squeezed(target.read_text(encoding="utf-8"))
    assert [line for line in lines_of("Read the report") if line not in text] == []


def test_the_tutorial_shows_the_answer_of_the_recorded_run() -> None:
    *answer, more, last = lines_of("First run")
    assert (more, last) == ("more: beff show --all results/first", "results results/first")
    assert shown("show", str(VALID)) == f"{' '.join(answer)} more: --all"


def test_the_tutorial_shows_the_recorded_check(tmp_path: Path) -> None:
    (expect,) = re.findall(r"<<'END'\n(.*?)^END$", TUTORIAL, re.DOTALL | re.MULTILINE)
    file = tmp_path / "machine.expect.yaml"
    file.write_text(expect)
    text = shown("check", str(VALID), "--expect", str(file), "--all")
    assert [line for line in lines_of("Check") if line not in text] == []


@pytest.mark.parametrize(("place", "runs"), [(0, 5), (1, 20)])
def test_the_tutorial_shows_recorded_comparisons(tmp_path: Path, place: int, runs: int) -> None:
    for side, session in (("quiet", "b_eff_priority"), ("busy", "b_eff_shared")):
        for number, run in enumerate(b_eff_runs(session)[:runs]):
            (tmp_path / side).mkdir(exist_ok=True)
            (tmp_path / side / f"{number}.json").write_text(json.dumps(run.fields))
    text = shown("compare", str(tmp_path / "quiet"), str(tmp_path / "busy"), "--all")
    assert [line for line in lines_of("Compare", place) if line not in text] == []
