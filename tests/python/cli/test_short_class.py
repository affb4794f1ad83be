"""Results of definition short-1: judged among their own kind, and beside nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.results import Plan, make_result, model_s

from beff.cli.app import main
from scripted_machine import Order

SHORT = Plan(processes=2, definition="short-1")
OFFICIAL = Plan(processes=2)


def noisy_s(day: int, plan: Plan, order: Order) -> float:
    """As the model, and in each cell up to 2 % more or less than on other days."""
    seed = day * 7919 + order["pattern"] * 31 + order["repetition"] * 17 + order["size_bytes"]
    return model_s(plan, order) * (1 + (seed * 2654435761 % 1000 - 500) / 25_000)


def written(folder: Path, day: int, slower: float = 1.0, **changes: Any) -> Path:
    """Write the result of a day."""
    plan = replace(
        SHORT,
        seed=day,
        slower=slower,
        iteration_s=lambda plan, order: noisy_s(day, plan, order),
        **changes,
    )
    fields = make_result(plan)
    fields["environment"]["started_at"] = f"2026-11-{day:02}T03:00:00Z"
    fields["environment"]["finished_at"] = f"2026-11-{day:02}T03:01:00Z"
    file = folder / f"2026-11-{day:02}" / "b_eff_2p.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(fields), encoding="utf-8")
    return file


def other(folder: Path, plan: Plan) -> Path:
    file = folder / "other.json"
    file.write_text(json.dumps(make_result(plan)), encoding="utf-8")
    return file


@pytest.mark.parametrize(("slower", "code"), [(1.0, 0), (1.3, 1)])
def test_check_calls_it_good_or_bad_by_its_own_kind(
    tmp_path: Path, slower: float, code: int
) -> None:
    for day in range(1, 7):
        written(tmp_path, day)
    today = written(tmp_path, 8, slower)
    assert main(["check", str(today), "--baseline", str(tmp_path), "--json"]) == code


@pytest.mark.thorough
def test_history_marks_its_steps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for day in range(1, 13):
        written(tmp_path, day, 1.0 if day < 7 else 1.3)
    written(tmp_path, 14, repetitions=1)
    assert main(["show", "--history", str(tmp_path), "--json"]) == 0
    one, three = sorted(json.loads(capsys.readouterr().out), key=lambda it: len(it["runs"]))
    assert (one["key"]["definition"], len(one["runs"])) == ("short-1", 1)
    assert {run["status"] for run in three["runs"]} == {"valid"}
    (step,) = three["steps"]
    assert three["runs"][step["run"]]["measured_at"].startswith("2026-11-07")
    assert three["steps"][0]["verdict"] == "slower"


def test_nothing_compares_it_with_another_definition(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [written(tmp_path, 1), other(tmp_path, OFFICIAL)]
    assert main(["compare", *map(str, files)]) == 2
    assert "definition: short-1 in" in capsys.readouterr().out


def test_no_list_takes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "list"
    assert main(["list", "init", str(folder)]) == 0
    assert main(["list", "add", str(written(tmp_path, 1)), "--list", str(folder)]) == 1
    assert "short-1" in capsys.readouterr().err
    assert not list(folder.rglob("b_eff_2p*"))


def test_no_balance_is_made_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(written(tmp_path, 1)), "--rmax", "100"]) == 2
    assert "short-1" in capsys.readouterr().err


def test_it_stands_beside_no_paper(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(other(tmp_path, OFFICIAL)), "--published"]) == 0
    assert "Cray T3E" in capsys.readouterr().out
    assert main(["show", str(written(tmp_path, 1)), "--published"]) == 0
    assert "Cray T3E" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("b_eff short = 1619.471 MB/s = 809.736 * 2 PEs with 8 MB/PE on Linux vm\n", []),
        (
            "b_eff = 1619.471 MB/s = 809.736 * 2 PEs with 8 MB/PE on Linux vm\n",
            ["--definition", "short-1"],
        ),
    ],
)
def test_no_print_is_imported_as_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, options: list[str]
) -> None:
    (tmp_path / "printed.txt").write_text(text, encoding="utf-8")
    assert main(["import", str(tmp_path / "printed.txt"), *options]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert not (tmp_path / "printed.json").exists()


def test_verify_recomputes_it(tmp_path: Path) -> None:
    file = written(tmp_path, 1)
    assert main(["verify", str(file)]) == 0
    fields = json.loads(file.read_text(encoding="utf-8"))
    fields["options"]["loop_time_s"] = 2.5e-3
    file.write_text(json.dumps(fields), encoding="utf-8")
    assert main(["verify", str(file)]) == 1
