"""`beff accept`, and `beff check` by what was accepted or by a folder of earlier results."""

import shutil
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.checks import loaded
from support.reports import run_beff

from beff.cli.app import main
from store_support import OFFICIAL, bytes_of, result_of


def written(path: Path, speed: float, day: int) -> Path:
    started_at = f"2026-03-{day:02}T00:00:00Z"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(bytes_of(result_of(plan=OFFICIAL, speed=speed, started_at=started_at)))
    return path


def test_by_the_spread_of_its_runs(tmp_path: Path) -> None:
    results, folder = tmp_path / "results", tmp_path / "accepted"
    for day, speed in enumerate((1.0, 1.01, 0.99, 1.02, 0.98), start=1):
        written(results / f"{day}.json", speed, day)
    assert main(["accept", str(results), "--as", str(folder)]) == 0
    (one,) = yaml.safe_load((folder / "acceptance.yaml").read_text("utf-8"))["expectations"]
    value, *tolerance, _ = one["reference"]["b_eff_MBps"]
    # the geometric mean of the speeds is 0.9999
    known = result_of(plan=OFFICIAL, speed=1.0)["summary"]["b_eff_MBps"]
    assert value == pytest.approx(0.9999 * known, rel=1e-5)
    # s of ln(speed) is 0.0158 with 4 degrees of freedom: 4.907 * 0.0158 * sqrt(1.2) = 0.0850
    assert tolerance == pytest.approx([-0.0815, 0.0887], abs=5e-4)
    slow, today = (written(tmp_path / f"{speed}.json", speed, 9) for speed in (0.7, 1.005))
    assert main(["check", str(today), "--accepted", str(folder)]) == 0
    for by in (("--accepted", folder), ("--baseline", results)):
        assert main(["check", str(slow), *map(str, by)]) == 1


def test_a_result_that_was_changed_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "accepted"
    first = written(tmp_path / "first.json", 1.0, 1)
    assert main(["accept", str(first), "--as", str(folder), "--tolerance", "10%"]) == 0
    written(folder / "results" / "first.json", 0.9, 1)
    done = run_beff("check", first, "--accepted", folder)
    assert done.returncode == 2
    assert str(folder / "results" / "first.json") in done.stderr


CHANGES: list[Callable[[dict[str, Any]], object]] = [
    lambda entry: entry["reference"]["b_eff_MBps"].__setitem__(0, 1.0),
    lambda entry: entry["reference"]["rings_MBps"].__setitem__(1, -0.5),
    lambda entry: entry["reference"].pop("latency_us"),
    lambda entry: entry.pop("processes"),
    lambda entry: entry.update(optional=True),
    lambda entry: entry.update(benchmark="b_pairs"),
]


@pytest.mark.parametrize("tolerance", [["--tolerance", "10%"], []], ids=["tolerance", "runs"])
def test_every_figure_follows_from_what_was_accepted(tolerance: list[str], tmp_path: Path) -> None:
    """Each change is found by one of the two ways to name it, and by the other for other runs."""
    given, folder = tmp_path / "given", tmp_path / "accepted"
    for number, speed in enumerate((1.0, 1.02, 0.97), start=1):
        written(given / f"{number}.json", speed, number)
    assert main(["accept", str(given), "--as", str(folder), *tolerance]) == 0
    later = str(written(tmp_path / "later.json", 0.99, 9))
    assert main(["check", later, "--accepted", str(folder)]) == 0
    file = folder / "acceptance.yaml"
    good = file.read_text("utf-8")
    ways = cycle((["--accepted", str(folder)], ["--expect", str(file)]))
    for change, by in zip(CHANGES, ways if tolerance else islice(ways, 1, None), strict=False):
        content = yaml.safe_load(good)
        change(content["expectations"][0])
        file.write_text(yaml.safe_dump(content), encoding="utf-8")
        done = run_beff("check", later, *by)
        assert done.returncode == 2
        assert "is not what the results that were accepted give" in done.stderr


@pytest.mark.parametrize("tolerance", [(), ("--tolerance", "10%")])
def test_a_disturbed_run_is_not_accepted(tolerance: tuple[str, ...], tmp_path: Path) -> None:
    fields = loaded(result_of(plan=OFFICIAL, speed=1.0), elapsed_ms="1000", others_ms="460")
    result, folder = tmp_path / "a.json", tmp_path / "accepted"
    result.write_bytes(bytes_of(fields))
    done = run_beff("accept", result, "--as", folder, *tolerance)
    assert done.returncode == 3
    assert "others had 46 % of the cores" in done.stderr
    assert not folder.exists()
    other = written(tmp_path / "b.json", 0.5, 2)
    checked, compared = run_beff("check", result), run_beff("compare", result, other)
    assert "next: measure again, alone" in checked.stdout
    for judged in (checked, compared):
        assert judged.returncode == 3
        assert judged.stdout.startswith("inconclusive: others had 46 % of the cores in the run")


def test_two_at_once_share_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = written(tmp_path / "1.json", 1.0, 1), written(tmp_path / "2.json", 1.1, 2)
    folder = tmp_path / "accepted"
    command = ["--as", str(folder), "--tolerance", "10%"]
    copy = shutil.copyfile

    def slow_copy(source: Path, target: Path) -> None:
        monkeypatch.setattr(shutil, "copyfile", copy)
        assert main(["accept", str(second), *command]) == 0
        copy(source, target)

    monkeypatch.setattr(shutil, "copyfile", slow_copy)
    assert main(["accept", str(first), *command]) == 1
    assert f"{folder} cannot be written" in capsys.readouterr().err
    assert [file.name for file in (folder / "results").iterdir()] == ["2.json"]
    assert {file.name for file in tmp_path.iterdir()} == {"1.json", "2.json", "accepted"}
