"""`beff run --quick`, with stand-ins for the programs and the launcher."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support.programs.programs import Programs
from support.results import Plan, make_result
from support.runs import beff_run, engine_arguments

from beff.cli.measuring.benchmarks import accepts
from beff.cli.measuring.options import RunOptions
from beff.judge.conditions import Use, differences
from beff.result.load import as_b_eff, check_document


def test_both_programs_get_short_options(programs: Programs, tmp_path: Path) -> None:
    done = beff_run(programs, tmp_path, "--quick", "--processes", "2", "--output-dir", "out")
    assert "short-1" in done.stdout, done.stderr
    short = engine_arguments(tmp_path / "out/b_eff_2p")
    assert short[short.index("--definition") + 1] == "short-1"
    assert "--memory-per-process" not in short
    files = engine_arguments(tmp_path / "out/b_eff_io_2p")
    assert files[files.index("--memory-per-process") + 1] == "64MiB"
    assert files[files.index("--time") + 1] == "30s"


@pytest.mark.parametrize(
    "more",
    [
        ["--time", "1min"],
        ["--memory-per-process", "1GiB"],
        ["--max-data", "1GiB"],
        ["--benchmark", "b_eff", "--", "--loop-time", "1ms"],
    ],
)
def test_what_would_make_quick_runs_differ_is_refused(
    programs: Programs, tmp_path: Path, more: list[str]
) -> None:
    done = beff_run(programs, tmp_path, "--quick", "--output-dir", "out", *more)
    assert done.returncode == 2
    assert "--quick sets" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("repetitions", [1, 3])
def test_a_quick_run_is_accepted_if_it_is_valid(repetitions: int) -> None:
    quick = RunOptions(quick=True)
    plan = Plan(definition="short-1", repetitions=repetitions)
    assert accepts(quick, as_b_eff(check_document("a.json", make_result(plan))))
    partial = make_result(replace(plan, measured=100))
    assert not accepts(quick, as_b_eff(check_document("a.json", partial)))


def test_a_quick_run_does_not_compare_with_a_valid_one() -> None:
    valid, quick = make_result(Plan()), make_result(Plan(definition="short-1"))
    documents = [check_document("a.json", valid)], [check_document("b.json", quick)]
    found = differences(*documents, Use.SAME)
    assert found[0].partition(":")[0] == "definition"
