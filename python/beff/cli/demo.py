"""The made-up machine of `beff nodes --demo`: maps of a fleet with one slow host."""

import tempfile
from datetime import datetime, timedelta, timezone
from itertools import combinations
from pathlib import Path

import numpy as np

from beff.imports.pairs import read
from beff.imports.printed import Printed
from beff.result.places import write_result

_HOSTS, _NIGHTS, _IDLE = 64, 8, 24
_DAYS_APART = 3
_SLOW, _FACTOR = 17, 1.29
_NOISE = 0.01
_PASSES = 4
_TIMES_S = {8: 1.9e-6, 1 << 20: 9.1e-5}
"""What a message takes, by its length in byte."""


def made_up_maps() -> Path:
    """Write maps of some nights, each of the hosts that were idle, and return the folder.

    The last night was the one before now; the slow host became slow in the fifth of eight. The
    times are the same whenever this is called.
    """
    folder, random = Path(tempfile.mkdtemp(prefix="beff-demo-")), np.random.default_rng(_SLOW)
    for night in range(_NIGHTS):
        is_slow = night >= _NIGHTS // 2
        idle = random.choice(np.arange(1, _HOSTS + 1), _IDLE, replace=False).tolist()
        hosts = sorted({*idle, _SLOW} if night in {0, _NIGHTS // 2, _NIGHTS - 1} else idle)
        when = datetime.now(timezone.utc) - timedelta(
            days=_DAYS_APART * (_NIGHTS - 1 - night), hours=6
        )
        lines = ["from,to,bytes,seconds,when,round"]
        for turn, (first, second) in enumerate([*combinations(hosts, 2)] * _PASSES):
            factor = _FACTOR if is_slow and _SLOW in (first, second) else 1.0
            for size, time_s in _TIMES_S.items():
                took_s = time_s * factor * random.lognormal(0.0, _NOISE)
                lines.append(f"n{first},n{second},{size},{took_s},{when:%Y-%m-%dT%H:%M:%SZ},{turn}")
        name = f"{when:%Y-%m-%d}"
        fields = read(Printed(f"{name}.csv", f"{name}.csv", "\n".join(lines)))[0]
        write_result(folder / f"{name}.json", fields, overwrite=False)
    return folder
