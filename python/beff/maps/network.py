"""What the ports of hosts allow, and what some pairs of hosts reached alone."""

from collections import Counter
from collections.abc import Sequence

from beff.definition.b_pairs import rate_of, times_of
from beff.result.b_pairs_result import BPairsResult, HostHardware
from beff.result.host_list import hosts_in_list


def alone_one_way(result: BPairsResult, processes: int) -> list[float]:
    """Return MB/s one way of each pair of hosts_alone() by so many processes that was measured."""
    rows = result.per_host
    if rows is None:
        return []
    return [
        rate_of(result, processes, "one way", ns)
        for *row, text in zip(rows.processes, rows.traffic, rows.pairs, rows.ns, strict=True)
        if row == [processes, "one way", 1]
        for ns in times_of(text)
    ]


ACTIVE = {"active", "up"}
"""The states of a port in use."""


def network_rate_MBps(host: HostHardware) -> float:  # noqa: N802 - the unit
    """Add up the active ports: those of InfiniBand, if the host has any; 0 where not known."""
    rates = {"infiniband": 0.0, "ethernet": 0.0}
    for port in host.network:
        rates[port.kind] += port.rate_MBps or 0.0
    return rates["infiniband"] or rates["ethernet"]


def hosts_by_rate(groups: Sequence[HostHardware]) -> "Counter[float]":
    """Return how many hosts have each rate in MB/s; 0 stands for not known."""
    hosts: Counter[float] = Counter()
    for group in groups:
        hosts[network_rate_MBps(group)] += hosts_in_list(group.hosts)
    return hosts


def usual_rate_MBps(groups: Sequence[HostHardware]) -> float:  # noqa: N802 - the unit
    """Return the rate that most hosts have, the higher one of two that are as frequent."""
    hosts = hosts_by_rate(groups)
    return max(hosts, key=lambda rate: (hosts[rate], rate), default=0.0)
