"""`beff run --quick`, with stand-ins for the programs and the launcher."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.programs.programs import Programs
from support.results import make_result
from support.runs import beff_run, engine_arguments

from beff.cli.measuring.benchmarks import accepts
from beff.cli.measuring.options import RunOptions
from beff.judge.conditions import Use, differences
from beff.result.load import as_b_eff, check_document


def test_both_programs_get_short_options(programs: Programs, tmp_path: Path) -> None:
    done = beff_run(programs, tmp_path, "--quick", "--processes", "2", "--output-dir", "out")
    assert done.returncode == 0, done.stderr
    assert "never valid" in done.stdout
    short = engine_arguments(tmp_path / "out/b_eff_2p")
    for option, value in (
        ("--memory-per-process", "64MiB"),
        ("--loop-time", "500us"),
        ("--time-limit", "60s"),
    ):
        assert short[short.index(option) + 1] == value
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


@pytest.mark.parametrize(
    ("unmet", "accepted"), [(["loop time"], True), ([], True), (["loop time", "data"], False)]
)
def test_short_loops_alone_do_not_fail_it(unmet: list[str], accepted: bool) -> None:
    fields = make_result()
    for criterion in fields["criteria"]:
        criterion["met"] = criterion["code"] not in unmet
    result = as_b_eff(check_document("a.json", fields))
    quick = RunOptions(quick=True)
    assert accepts(quick, result) == accepted
    partial = as_b_eff(check_document("a.json", {**fields, "complete": False}))
    assert not accepts(quick, partial)


def test_a_quick_run_does_not_compare_with_a_valid_one() -> None:
    valid, quick = make_result(), make_result()
    quick["options"] = {**quick["options"], "loop_time_s": 0.0005}
    documents = [check_document("a.json", valid)], [check_document("b.json", quick)]
    found = differences(*documents, Use.SAME)
    assert [text.partition(":")[0] for text in found] == ["loop time"]
