"""The list in Firefox: that it shows what it shows in Chromium, and answers to the keyboard."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from chromium import fetched

pytestmark = pytest.mark.thorough

SCRIPT = Path(__file__).with_name("firefox.mjs")


def test_the_list_in_firefox(site: Path) -> None:
    """Widths, accessibility, the console, and sliders moved by keys."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    node = shutil.which("node")
    if program is None or node is None:
        pytest.skip("firefox or node is not installed; tools/test_packages.txt names them")
    scripts = [fetched("puppeteer-core"), fetched("axe-core")]
    command = [node, SCRIPT, *scripts, program, f"{site.as_uri()}/"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=560, check=False)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["complaints"] == []
    assert seen["order"] == ["Cray T3E/900-512", "NEC SX-5/8B"]
    assert "per_process=10" in seen["address"]
