"""What all tests share: where the built programs and the test module are."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "build" / "openmpi" / "tests" / "core" / "binding"))

# Most tests run more processes than there are cores. MPICH's keep a core busy while they wait, so
# that a barrier of 4 on 2 cores takes 8 ms; with these they give way, and it takes 0.03 ms.
os.environ.setdefault("MPIR_CVAR_CH4_PROGRESS_THROTTLE", "1")
os.environ.setdefault("MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT", "1")
