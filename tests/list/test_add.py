"""What `beff list add` says of a result, and what it refuses."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from support.io_results import IoRun, io, make_io_result

from beff.cli.app import main
from store_support import OFFICIAL, added, bytes_of, result_of


def test_release_2_1_alone_is_refused(
    mixed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "list"
    shutil.copytree(mixed, folder, ignore=shutil.ignore_patterns("site"))
    only = make_io_result(IoRun(plan={"release": io.Release.R2_1}))
    both = make_io_result(IoRun(plan={"release": io.Release.R2_1, "rewrite": io.RewriteSet.ALL}))
    assert added(folder, "New", only) == 1
    assert "--release 1" in capsys.readouterr().err
    assert not (folder / "systems" / "new").exists()
    assert added(folder, "New", both) == 0
    results = folder / "systems" / "new" / "results"
    for file in results.iterdir():
        file.unlink()
    (results / "only.json").write_bytes(bytes_of(only))
    capsys.readouterr()
    assert main(["list", "check", str(folder)]) == 1
    assert re.search(r"only\.json: refused: .*--release 1", capsys.readouterr().out)
    assert main(["list", "build", str(folder), "--output-dir", str(tmp_path / "site")]) == 0
    rows = json.loads((tmp_path / "site" / "api" / "systems.json").read_text("utf-8"))
    said = [row["not_counted"] for row in rows if row["system"] == "new"]
    assert said == ["b_eff_io: not by release 1"]


@pytest.mark.parametrize(
    ("name", "document", "words"),
    [
        ("Once", result_of(plan=OFFICIAL, speed=2.1), ["100 %", "b_eff", "2 runs"]),
        ("New", result_of(plan=OFFICIAL), ["2 processes on 1 node", "counts", "1 run"]),
        ("New", result_of(), ["100 %", "not valid", "repetitions: 1, needs 3"]),
        ("Part", result_of(plan=OFFICIAL), ["3 %", "on a part only"]),
    ],
)
def test_add_says_what_will_be_shown(  # noqa: PLR0917 - fixtures and parameters
    mixed: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    document: dict[str, Any],
    words: list[str],
) -> None:
    folder = tmp_path / "list"
    shutil.copytree(mixed, folder, ignore=shutil.ignore_patterns("site"))
    assert added(folder, name, document) == 0
    said = capsys.readouterr().out
    assert [word for word in words if word not in said] == []
