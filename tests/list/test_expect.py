"""`beff check --write-expect`, and a folder of results as a baseline of `beff check`."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from beff.cli.app import main
from store_support import OFFICIAL, bytes_of, result_of


def written(path: Path, speed: float, day: int) -> str:
    started_at = f"2026-03-{day:02}T00:00:00Z"
    path.write_bytes(bytes_of(result_of(plan=OFFICIAL, speed=speed, started_at=started_at)))
    return str(path)


def test_the_history_says_what_to_expect(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    speeds = (1.0, 1.01, 0.99, 1.02, 0.98)
    files = [written(folder / f"{n}.json", speed, n + 1) for n, speed in enumerate(speeds[:2])]
    expect = tmp_path / "x.yaml"
    assert main(["check", str(folder), "--write-expect", str(expect)]) == 2
    assert " no 3 valid runs " in capsys.readouterr().err
    for number, speed in enumerate(speeds[2:], start=2):
        files.append(written(folder / f"{number}.json", speed, number + 1))
    assert main(["check", str(folder), "--write-expect", str(expect)]) == 0
    assert main(["check", str(folder), "--write-expect", str(expect)]) == 2  # it exists
    assert main(["check", files[0], "--write-expect", str(tmp_path / "y"), "--json"]) == 2
    (one,) = yaml.safe_load(expect.read_text("utf-8"))["expectations"]
    value, lower, upper, unit = one["reference"]["b_eff_MBps"]
    summary = result_of(plan=OFFICIAL, speed=1.0)["summary"]
    assert value == pytest.approx(summary["b_eff_MBps"], rel=1e-4)
    # s of ln(speed) is 0.0158 with 4 degrees of freedom: 4.907 * 0.0158 * sqrt(1.2) = 0.0850
    assert lower == pytest.approx(-0.0815, abs=5e-4)
    assert upper == pytest.approx(0.0887, abs=5e-4)
    assert unit == "MB/s"
    assert one["reference"]["latency_us"][3] == "us"

    slow = written(tmp_path / "slow.json", 0.7, 9)
    assert main(["check", files[2], "--expect", str(expect)]) == 0
    assert main(["check", slow, "--expect", str(expect)]) == 1
    assert main(["check", slow, "--baseline", str(folder)]) == 1


def test_results_that_are_not_valid_tell_nothing(tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / f"{number}.json").write_bytes(bytes_of(result_of(speed=1 + number / 1000)))
    target = tmp_path / "expect.yaml"
    assert main(["check", str(tmp_path), "--write-expect", str(target)]) == 2
    assert not target.exists()
