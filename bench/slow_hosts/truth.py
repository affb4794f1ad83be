"""What is true of a machine, what a detector says of it, and what it must say."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

Link = frozenset[Any]


@dataclass(frozen=True)
class Truth:
    """Faulty hosts, links, hosts on each other's switch; or an uplink, which has no name."""

    hosts: frozenset[Any] = frozenset()
    links: frozenset[Link] = frozenset()
    swapped: frozenset[Any] = frozenset()
    uplink: bool = False

    @property
    def is_clean(self) -> bool:
        """Whether nothing is faulty."""
        return not (self.hosts or self.links or self.swapped or self.uplink)


@dataclass(frozen=True)
class Said:
    """Who is named, who suspected, and the verdict on the whole: good, open or bad."""

    hosts: set[Any]
    suspects: set[Any] = field(default_factory=set)
    links: set[Link] = field(default_factory=set)
    swapped: set[Any] = field(default_factory=set)
    verdict: str = "good"
    unseen_below: float = math.inf
    """The factor that is printed as: a host slower than this would have been seen."""


def counted(truth: Truth, said: Said) -> Counter[str]:
    """Return what one map adds to its row's counts; links of a faulty host are no innocents."""
    own = {link for link in said.links if link & truth.hosts}
    innocents = said.hosts - truth.hosts or said.links - truth.links - own
    innocents = innocents or said.swapped - truth.swapped
    innocents = innocents or (truth.is_clean and said.verdict == "bad")
    parts = [(truth.hosts, said.hosts), (truth.links, said.links), (truth.swapped, said.swapped)]
    some = own or any(true & found for true, found in parts)
    every = some and all(true <= found for true, found in parts)
    one = "named" if every else "part" if some else said.verdict
    return Counter({"maps": 1, one: 1, "innocents": int(bool(innocents))})


@dataclass(frozen=True)
class Must:
    """Shares of a row's maps: `named` at least; `good`, `open` and those with innocents at most.

    `because` is the reason why what is said may be open.
    """

    named: float = 0.0
    good: float = 1.0
    open: float = 1.0
    innocents: float = 0.01
    because: str = ""

    def text(self) -> str:
        """Return it as it stands in the table."""
        words = [f"named ≥ {self.named:.0%}"] if self.named else []
        words += [f"good, open ≤ {self.open:.0%}"] if self.open < 1 else []
        words += [f"good ≤ {self.good:.1%}" if self.good else "never good"] if self.good < 1 else []
        words += [f"open: {self.because}"] if self.because else []
        return "; ".join(words).replace(".0%", "%").replace("%", " %")

    def broken(self, counts: Counter[str]) -> list[str]:
        """Return what of it the counts break."""
        least = counts["maps"] - self._most(1 - self.named, counts)
        over = [
            which
            for which in ("good", "open", "innocents")
            if counts[which] > self._most(getattr(self, which), counts)
        ]
        return over + ["named"] * (counts["named"] < least)

    @staticmethod
    def _most(share: float, counts: Counter[str]) -> int:
        return math.ceil(round(share * counts["maps"], 6))
