"""Pages and pictures under a limit of the address space, as batch queues set it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.reports import DATA, ROOT

GIB_IN_KIB = 1 << 20


def written(target: Path, limit_gib: int) -> subprocess.CompletedProcess[str]:
    command = f'ulimit -v {limit_gib * GIB_IN_KIB}; exec "$@"'
    words = [
        sys.executable,
        "-m",
        "beff",
        "show",
        str(DATA / "b_eff_2p_valid.json"),
        "-o",
        str(target),
    ]
    return subprocess.run(
        ["bash", "-c", command, "bash", *words],
        env={
            "PYTHONPATH": str(ROOT / "python"),
            "PATH": "/usr/bin:/bin",
            "HOME": str(target.parent),
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("limit_gib", [4, 64])
def test_a_page_without_pictures_says_why(tmp_path: Path, limit_gib: int) -> None:
    page = tmp_path / "page.html"
    done = written(page, limit_gib)
    text = page.read_text(encoding="utf-8")
    has_pictures = 'id="picture"' in text
    assert done.returncode == 0
    assert has_pictures is ("ulimit -v" not in text)
    assert has_pictures is ("ulimit -v" not in done.stderr)
    assert "Traceback" not in done.stderr


def test_a_picture_that_cannot_be_drawn_is_one_sentence(tmp_path: Path) -> None:
    done = written(tmp_path / "page.png", 4)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert "ulimit -v" in done.stderr
    assert list(tmp_path.iterdir()) == []
