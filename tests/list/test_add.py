"""By which release of b_eff_io a list ranks."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from support.io_results import IoRun, io, make_io_result

from beff.cli.app import main
from store_support import added


def official_io(**plan: Any) -> IoRun:
    """A valid run, long enough and with reads from the disk."""
    return IoRun(time_s=1800.0, machine={"decision_s": 0.1}, resident=0, plan=plan)


def ranks_by(folder: Path, io_release: str) -> None:
    settings = folder / "list.yaml"
    text, count = re.subn(
        r"io_release: 1\b", f"io_release: {io_release}", settings.read_text("utf-8")
    )
    assert count == 1
    settings.write_text(text, "utf-8")


@pytest.mark.parametrize(
    ("io_release", "of_one", "of_both"),
    [("1", "b_eff_io: not by release 1", None), ("2.1", None, None)],
)
def test_release_2_1_alone_is_taken(
    mixed: Path, tmp_path: Path, io_release: str, of_one: str | None, of_both: str | None
) -> None:
    """It has its column, and a rank where the list ranks by it."""
    folder = tmp_path / "list"
    shutil.copytree(mixed, folder, ignore=shutil.ignore_patterns("site"))
    ranks_by(folder, io_release)
    only = make_io_result(official_io(release=io.Release.R2_1))
    both = make_io_result(official_io(release=io.Release.R2_1, rewrite=io.RewriteSet.ALL))
    assert only["valid"]
    assert both["valid"]
    assert (added(folder, "One", only), added(folder, "Both", both)) == (0, 0)
    assert main(["list", "build", str(folder), "--output-dir", str(tmp_path / "site")]) == 0
    rows = json.loads((tmp_path / "site" / "api" / "systems.json").read_text("utf-8"))
    by_system = {row["system"]: row for row in rows}
    one, two = by_system["one"], by_system["both"]
    assert (one["not_counted"], two["not_counted"]) == (of_one, of_both)
    values = both["summary"]["values"]
    assert one["io_value_1_MBps"] is None
    assert two["io_value_1_MBps"] == pytest.approx(values["1"], rel=1e-5)
    for row, result in ((one, only), (two, both)):
        value = result["summary"]["values"]["2.1"]
        assert row["io_value_2_1_MBps"] == pytest.approx(value, rel=1e-5)


@pytest.mark.parametrize("io_release", ["2", "0.5", "yes", "[1]", "true", "1.0"])
def test_another_release_is_no_setting(mixed: Path, tmp_path: Path, io_release: str) -> None:
    folder = tmp_path / "list"
    shutil.copytree(mixed, folder, ignore=shutil.ignore_patterns("site"))
    ranks_by(folder, io_release)
    assert main(["list", "build", str(folder), "--output-dir", str(tmp_path / "site")]) == 2
