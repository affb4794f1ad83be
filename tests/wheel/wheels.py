"""Where the wheels are that `make test-wheel` tests."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = os.environ.get("BEFF_WHEELS", "")
PROCESSORS = ("x86_64", "aarch64")
NATIVE = platform.machine()
needs_wheels = pytest.mark.skipif(
    not FOLDER, reason="BEFF_WHEELS names no folder of wheels; make test-wheel does"
)


def wheel_for(processor: str) -> Path:
    """Return the one wheel for this kind of processor."""
    (wheel,) = Path(FOLDER).glob(f"beff-*-py3-none-manylinux*_{processor}.whl")
    return wheel
