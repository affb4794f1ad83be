"""`beff store` as a black box."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from beff.cli.app import main
from store_support import OFFICIAL, bytes_of, result_of

DATA = Path(__file__).resolve().parents[1] / "data"
SHORT = str(DATA / "b_eff_io_short.json")


@pytest.fixture(autouse=True)
def _database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BEFF_DATABASE", str(tmp_path / "store.sqlite3"))


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    capsys.readouterr()
    assert main(["store", *arguments]) == code
    captured = capsys.readouterr()
    return captured.out + captured.err


def write(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    return str(path)


def test_adding_tells_what_became_of_each_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = write(tmp_path / "good.json", bytes_of(result_of(plan=OFFICIAL)))
    cut = write(tmp_path / "cut.json", bytes_of(result_of())[:1000])
    text = said(capsys, "add", good, cut, SHORT, code=1)
    assert f"{good}: stored as entry 1 of system 'node'" in text
    assert f"{cut}: is damaged JSON" in text
    assert f"{SHORT}: is invalid, so it is kept out of rankings (not met: scheduled time" in text
    assert "is already entry 1" in said(capsys, "add", good)


def test_a_changed_file_is_refused_and_names_the_way_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = result_of()
    first = write(tmp_path / "first.json", bytes_of(document))
    document["environment"]["uname"]["release"] = "another kernel"
    changed = write(tmp_path / "changed.json", bytes_of(document))
    said(capsys, "add", first)
    assert "--replace takes the new file instead" in said(capsys, "add", changed, code=1)
    assert "replaced entry 1" in said(capsys, "add", changed, "--replace")


@pytest.mark.skipif(os.name != "posix", reason="limits the size of files as POSIX does")
def test_nothing_is_said_to_be_stored_before_it_is(tmp_path: Path) -> None:
    """On a disk that is full: the database may not grow any more."""
    database = tmp_path / "store.sqlite3"
    small = write(tmp_path / "small.json", bytes_of(result_of()))
    assert main(["store", "add", small, "--database", str(database)]) == 0
    good = write(tmp_path / "good.json", bytes_of(result_of(plan=OFFICIAL)))
    added = subprocess.run(
        [sys.executable, "-m", "beff", "store", "add", good, "--database", str(database)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert added.returncode == 1
    assert "stored as" not in added.stdout
    assert "cannot be used" in added.stderr
    assert "Traceback" not in added.stderr


def test_refusing(capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "add", SHORT)
    assert "withdraw it first" in said(capsys, "refuse", "1", "no", code=1)
    said(capsys, "publish", "--withdraw", "1")
    assert "entry 1: b_eff_io" in said(capsys, "waiting")
    assert "is refused" in said(capsys, "refuse", "1", "which machine?")
    assert "nothing waits" in said(capsys, "waiting")
    assert "refused" in said(capsys, "list", "--all")


def test_giving_and_sharing(capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "add", "--published")
    said(capsys, "tokens", "--new", "one")
    said(capsys, "tokens", "--new", "chief", "--operator")
    assert "operator" in said(capsys, "tokens")
    assert "is of 'one'" in said(capsys, "give", "IBM SP", "one")
    assert "is shared with 'one'" in said(capsys, "give", "IBM SP", "one", "--share")
    assert "no token 'two'" in said(capsys, "give", "IBM SP", "two", code=1)
    assert "one" in said(capsys, "list", "--systems")


def test_list_leaves_out_what_is_not_ranked(capsys: pytest.CaptureFixture[str]) -> None:
    assert "23 new entries" in said(capsys, "add", "--published", SHORT)
    text = said(capsys, "list")
    assert "NEC SX-5/8B" in text
    assert "invalid" not in text.replace("1 invalid or partial results", "")
    assert "1 invalid or partial results are kept out of rankings and not shown" in text
    assert "invalid" in said(capsys, "list", "--all")
    rows = json.loads(said(capsys, "list", "--json", "--system", "NEC SX-4/32"))
    assert [row["b_eff_MBps"] for row in rows] == [2622, 5766, 9670]
    table = list(csv.DictReader(io.StringIO(said(capsys, "list", "--csv", "--all"))))
    assert len(table) == 24
    assert {row["status"] for row in table} == {"historic", "invalid"}
    assert "1344" in said(capsys, "list", "--systems")


def test_hardware_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hardware = write(tmp_path / "x.yaml", b"name: Example [bold]\ninterconnect: Ethernet\n")
    text = said(capsys, "add", SHORT, "--hardware", hardware)
    assert f"{hardware}: hardware of system 'Example [bold]'" in text
    assert "stored as entry 1 of system 'Example [bold]'" in text
    assert "Ethernet" in said(capsys, "show", "1")
    assert "[bold]" in said(capsys, "list", "--systems")


def test_export_writes_the_same_bytes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = bytes_of(result_of()).replace(b"\n", b"\r\n")
    said(capsys, "add", write(tmp_path / "a.json", content))
    sha256 = hashlib.sha256(content).hexdigest()
    text = said(capsys, "export", sha256[:10], "-o", str(tmp_path))
    exported = tmp_path / "b_eff_4p_1.json"
    assert text == f"{exported}: SHA-256 {sha256}\n"
    assert exported.read_bytes() == content
    assert "exists" in said(capsys, "export", "1", "-o", str(tmp_path), code=1)
    said(capsys, "export", "1", "-o", str(tmp_path), "--overwrite")


def test_a_published_figure_has_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "add", "--published")
    assert "published figure without a result file" in said(capsys, "export", "1", code=1)


def test_show_and_remove(capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "add", SHORT)
    (shown,) = json.loads(said(capsys, "show", "1", "--json"))
    assert shown["sha256"] == hashlib.sha256(Path(SHORT).read_bytes()).hexdigest()
    assert "removed entry 1 of system 'node' (b_eff_io)" in said(capsys, "remove", "1", "1")
    assert "there is no entry 1" in said(capsys, "show", "1", code=1)


def test_trend_marks_the_change(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = []
    for day, speed in enumerate([1.0, 1.01, 0.99, 0.8, 0.79, 0.81], start=1):
        document = result_of(plan=OFFICIAL, speed=speed, started_at=f"2026-03-{day:02}T00:00:00Z")
        files.append(write(tmp_path / f"{day}.json", bytes_of(document)))
    said(capsys, "add", *files)
    text = said(capsys, "trend", "node")
    marked = [line for line in text.splitlines() if "before" in line]
    assert len(marked) == 1
    assert "2026-03-04" in marked[0]
    assert "-20.0 %: median" in marked[0]
    (series,) = json.loads(said(capsys, "trend", "node", "--json"))
    assert [point["entry"] for point in series["change_points"]] == [4]
    assert "no valid run" in said(capsys, "trend", "node", "--benchmark", "b_eff_io")


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("add",), 2, "name result files"),
        (("add", "missing.json"), 1, "missing.json: cannot be read (No such file"),
        (("add", "--hardware", "missing.yaml"), 1, "missing.yaml: there is no such file"),
        (("list", "--benchmark", "hpl"), 2, "--benchmark hpl: must be b_eff or b_eff_io"),
        (("list", "--database", "mysql://x/y"), 1, "--database mysql://x/y"),
        (("trend", "nowhere"), 1, "there is no system 'nowhere'"),
        ((), 2, "Missing command"),
    ],
)
def test_wrong_usage(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], code: int, sentence: str
) -> None:
    text = said(capsys, *arguments, code=code)
    assert sentence in text
    assert "Traceback" not in text
