"""Damaged result files: a message and an exit code, or a report; never a traceback or a hang."""

from __future__ import annotations

import io
import json
import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from html.parser import HTMLParser
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutation import damaged_documents

from beff.cli.app import main
from beff.report.formats import FORMATS

ROOT = Path(__file__).resolve().parents[2]
CASES = int(os.environ.get("BEFF_FUZZ_CASES", "20"))
"""`make fuzz` sets it to 10 000."""
LONGEST_S = 600
"""A case that takes longer counts as a hang."""

GOOD = [
    ROOT / "schema" / "examples" / "valid" / "b_eff_shortened.json",
    ROOT / "tests" / "data" / "b_eff_2p_one_method.json",
    ROOT / "tests" / "data" / "b_eff_io_short.json",
    ROOT / "tests" / "data" / "b_eff_io_stopped.json",
]
ENDINGS = sorted(entry.ending for entry in FORMATS)


class HangError(Exception):
    pass


@contextmanager
def bounded() -> Iterator[None]:
    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise HangError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, LONGEST_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def run(*arguments: str | Path) -> tuple[int, str]:
    """Run a command in this process; its exit code and all that it printed."""
    printed = io.StringIO()
    with bounded(), redirect_stdout(printed), redirect_stderr(printed):
        code = main([str(argument) for argument in arguments])
    return code, printed.getvalue()


class Scripts(HTMLParser):
    """What of a page could run."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "script":
            self.found.append(named.get("type") or "")
        handlers = [name for name in named if name.startswith("on")]
        if tag in ("img", "iframe", "object", "embed", "link", "base") or handlers:
            self.found.append(f"{tag} {handlers}")


def check_page(text: str) -> None:
    scripts = Scripts()
    scripts.feed(text)
    assert set(scripts.found) <= {"application/json", "module"}
    for data in re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', text, re.S):
        json.loads(data)


def check_answer(command: str, code: int, printed: str) -> None:
    assert code in (0, 1, 2, 3), command
    assert "Traceback" not in printed
    if code != 0:
        assert printed.strip(), f"{command} ended with {code} and without a message"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@settings(
    max_examples=CASES,
    suppress_health_check=list(HealthCheck),
    database=None,
)
@pytest.mark.timeout(0)
@given(
    content=damaged_documents([path.read_text(encoding="utf-8") for path in GOOD]),
    ending=st.sampled_from(ENDINGS),
    beside=st.sampled_from([None, *GOOD]),
)
def test_damaged_files_get_an_answer(
    content: bytes, ending: str, beside: Path | None, folder: Path
) -> None:
    file, target = folder / "case.json", folder / f"case_report{ending}"
    file.write_bytes(content)
    check_answer("verify", *run("verify", "--all", file))
    others = [] if beside is None else [beside]
    code, printed = run("report", file, *others, "-o", target, "--overwrite")
    check_answer("report", code, printed)
    if code == 0:
        assert target.stat().st_size > 0
        if ending == ".html":
            check_page(target.read_text(encoding="utf-8"))
    check_answer("compare", *run("compare", file, beside or GOOD[1], "--force"))


def test_a_pattern_missing_from_the_list_is_named(folder: Path) -> None:
    """Found by the cases: a sample of it would belong to nothing."""
    damaged = json.loads(GOOD[-1].read_text(encoding="utf-8"))
    del damaged["patterns"][1]
    file = folder / "case.json"
    file.write_text(json.dumps(damaged), encoding="utf-8")
    code, printed = run("report", file, "-o", folder / "missing.csv")
    assert code == 2
    assert "patterns is a list of 42 patterns, but should be the 43 patterns" in printed


def test_good_files_are_reported(folder: Path) -> None:
    """The cases start from files that all commands accept."""
    for path in GOOD:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        assert data["benchmark"] in path.name
        code, printed = run("report", path, "-o", folder / "good.html", "--overwrite")
        assert (code, "Traceback" in printed) == (0, False), printed
        check_page((folder / "good.html").read_text(encoding="utf-8"))
