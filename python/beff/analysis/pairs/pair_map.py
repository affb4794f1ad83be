"""The map of pairs of a result as arrays: which units exchanged messages, and how long it took.

The engine measures rounds of disjoint pairs in two looks that lie far apart in time, at a short and
a long message; then some pairs again with nothing else under way (judging-hosts.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
KINDS = ("small", "large")
LOOKS = 2


@dataclass(frozen=True)
class PairMap:
    """Each pair and round is an entry; times are natural logarithms of ns, NaN if not measured.

    `times` and `retests` hold, for `small` and `large` messages, one row per look, of a retest one
    value. `names` are those of the units.
    """

    unit: str
    names: tuple[str, ...]
    small_bytes: int
    large_bytes: int
    first: Ints
    second: Ints
    times: dict[str, Floats]
    retest_first: Ints
    retest_second: Ints
    retests: dict[str, Floats]

    @property
    def units(self) -> int:
        """How many there are."""
        return len(self.names)

    @property
    def plural(self) -> str:
        """What the units are called."""
        return plural_of(self.unit)

    def bytes_of(self, kind: str) -> int:
        """Return the size of the messages."""
        return self.small_bytes if kind == "small" else self.large_bytes


def plural_of(unit: str) -> str:
    """Return what several units are called."""
    return "processes" if unit == "process" else "hosts"


def pair_map(fields: dict[str, Any], hosts: Sequence[str]) -> PairMap:
    """Return the map of a result's field `pairs`; `hosts` in the order of its list of hosts."""
    unit, units = fields["unit"], fields["units"]
    names = tuple(hosts[:units]) if unit == "host" else tuple(f"rank {u}" for u in range(units))
    again = fields["retests"]
    return PairMap(
        unit=unit,
        names=names,
        small_bytes=fields["small_bytes"],
        large_bytes=fields["large_bytes"],
        first=np.asarray(fields["first"], dtype=np.int64),
        second=np.asarray(fields["second"], dtype=np.int64),
        times={kind: np.array([_logs(look) for look in fields[f"{kind}_ns"]]) for kind in KINDS},
        retest_first=np.asarray(again["first"], dtype=np.int64),
        retest_second=np.asarray(again["second"], dtype=np.int64),
        retests={kind: _logs(again[f"{kind}_ns"]) for kind in KINDS},
    )


def _logs(column: Sequence[int | None]) -> Floats:
    logs: Floats = np.log([np.nan if ns is None or ns <= 0 else float(ns) for ns in column])
    return logs
