"""What tests of the companion share; maps come from the machines of bench/slow_hosts."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[3] / "bench"))
