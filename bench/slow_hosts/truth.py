"""What is true of a machine, what a detector says of it and what it must; the rules of others."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from slow_hosts.networks import Floats

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


Table = np.ndarray[Any, Any]


def times_of(table: Table, size: int) -> list[Floats]:
    """Return the times of each host at a size of messages, both ways at once."""
    one = table[(table["bytes"] == size) & (table["ways"] == 2)]
    hosts = int(max(table["from"].max(), table["to"].max())) + 1
    return [one["seconds"][(one["from"] == h) | (one["to"] == h)] for h in range(hosts)]


def _at_each_size(is_slow: Callable[[list[Floats]], Any]) -> Callable[[Table], set[int]]:
    """Return the rule that names whoever is slow at a size."""

    def named(table: Table) -> set[int]:
        slow = [np.flatnonzero(is_slow(times_of(table, n))) for n in np.unique(table["bytes"])]
        return {host for hosts in slow for host in hosts.tolist()}

    return named


def _mad(times: list[Floats]) -> Any:
    """Beyond the median of the hosts by more than three scaled median absolute deviations."""
    levels = np.array([np.median(own) for own in times])
    off = levels - np.median(levels)
    return off > 3 * 1.4826 * np.median(np.abs(off))


def _of_mean(times: list[Floats]) -> Any:
    """Below 93 % of the mean rate of all hosts."""
    rates = np.array([np.mean(1 / own) for own in times])
    return rates < 0.93 * rates.mean()


def _sigma(times: list[Floats]) -> Any:
    """Beyond the mean of the hosts by more than one standard deviation."""
    levels = np.array([own.mean() for own in times])
    return levels > levels.mean() + levels.std()


def _floor(times: list[Floats]) -> Any:
    """Below 70 % of the rate of the host in the middle."""
    rates = np.array([np.median(1 / own) for own in times])
    return rates < 0.7 * np.median(rates)


PEERS = {
    "median + 3 MAD": _at_each_size(_mad),
    "93 % of mean": _at_each_size(_of_mean),
    "one sigma": _at_each_size(_sigma),
    "floor of 30 %": _at_each_size(_floor),
}
"""The rules by their names: of a table the hosts that are named."""
