"""Where `make wheel` builds the wheels that are tested."""

import platform
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "dist"
PROCESSORS = ("x86_64", "aarch64")
NATIVE = platform.machine()
needs_wheels = pytest.mark.skipif(
    not list(FOLDER.glob("*.whl")), reason="build/dist holds no wheel; make wheel builds them"
)


def wheel_for(processor: str) -> Path:
    """Return the one wheel for this kind of processor."""
    (wheel,) = FOLDER.glob(f"beff-*-py3-none-manylinux*_{processor}.whl")
    return wheel
