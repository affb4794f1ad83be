"""The rules by which others tell slow hosts from a table, each in a few lines: README.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from slow_hosts.networks import Floats

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
