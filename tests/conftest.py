"""What all tests share: where the built programs and the test module are."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "build" / "openmpi" / "tests" / "core" / "binding"))
