"""Chromium for tests: started once for each file of tests, and skipped where there is none."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from needed import needed

ROOT = Path(__file__).resolve().parents[1]
FETCH_S = 240
PATIENCE_MS = 240_000
"""For what takes a moment where nothing else runs."""

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser. While it runs, so does Playwright's event loop: no other can be started."""
    program = needed("chromium", "chromium-browser")
    # Chromium's sandbox refuses to start for root.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=program, args=arguments, timeout=PATIENCE_MS
        )
        yield started
        started.close()


def complaints_of(page: Page, own: str) -> list[str]:
    """The list of what a page will complain of: errors, and requests that do not begin as `own`."""
    found: list[str] = []
    page.on("console", lambda said: said.type in ("error", "warning") and found.append(said.text))
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("request", lambda asked: asked.url.startswith(own) or found.append(asked.url))
    return found


def fetched(name: str) -> Path:
    """The script of a package that npm brings; skips where it does not."""
    needed("npm")
    command = [ROOT / "tools" / "fetch_npm", name]
    done = subprocess.run(command, capture_output=True, text=True, timeout=FETCH_S, check=False)
    if done.returncode != 0:
        pytest.skip(
            f"{name} cannot be fetched from the registry of npm: {done.stderr.strip()[-200:]}"
        )
    return ROOT / done.stdout.strip()


@pytest.fixture(scope="module")
def axe() -> str:
    """The text of axe-core, which looks for what shuts people out."""
    return fetched("axe-core").read_text(encoding="utf-8")
