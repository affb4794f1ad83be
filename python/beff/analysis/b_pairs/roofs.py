"""What the hardware allows: rates of hosts, and whether the record can be true."""

from collections import Counter
from collections.abc import Sequence

from beff.analysis.common.checks import expand_host_list, hosts_in_list
from beff.analysis.common.verification import Recheck
from beff.model.b_pairs_result import BPairsResult, HostHardware

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


def check_roofs(result: BPairsResult, check: Recheck) -> None:
    """Check that each host is in one group, that groups differ, that rates are of active ports."""
    if result.roofs is None:
        return
    names = sorted(host.name for host in result.environment.hosts)
    groups = result.roofs.hosts
    listed = [n for group in groups for n in expand_host_list(group.hosts, len(names))]
    check.compare(["roofs", "hosts"], sorted(listed), names if groups else [])
    for index, group in enumerate(groups):
        path: list[str | int] = ["roofs", "hosts", index]
        same = [i for i, other in enumerate(groups[:index]) if _equal(group, other)]
        check.require(not same, [*path, "hosts"], group.hosts, "a group with other hardware")
        for number, port in enumerate(group.network):
            plausible = port.rate_MBps is None or (port.rate_MBps > 0 and port.state in ACTIVE)
            place = [*path, "network", number, "rate_MBps"]
            check.require(plausible, place, port.rate_MBps, f"null in state {port.state}")


def _equal(one: HostHardware, other: HostHardware) -> bool:
    return one.network == other.network and one.pcie_below_maximum == other.pcie_below_maximum
