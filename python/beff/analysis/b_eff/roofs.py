"""What the hardware allows: figures as shares of it, and whether the record can be true."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from beff.analysis.common.checks import expand_host_list
from beff.analysis.verification import Recheck
from beff.model.b_eff_result import BEffResult, HostHardware
from beff.model.numbers import percent, rate
from beff.model.result_parts import Figure

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
        hosts[network_rate_MBps(group)] += len(expand_host_list(group.hosts, 10**6))
    return hosts


def usual_rate_MBps(groups: Sequence[HostHardware]) -> float:  # noqa: N802 - the unit
    """Return the rate that most hosts have, the higher one of two that are as frequent."""
    hosts = hosts_by_rate(groups)
    return max(hosts, key=lambda rate: (hosts[rate], rate), default=0.0)


def roof_fields(result: BEffResult, at_lmax_MBps: Figure) -> dict[str, Any]:  # noqa: N803 - the unit
    """Return the derived part of the field `roofs`; nothing where there is no such field."""
    roofs, environment = result.roofs, result.environment
    if roofs is None:
        return {}
    nodes, processes = len(environment.hosts), environment.processes
    through_memory = roofs.copy_MBps_per_process if nodes == 1 else None
    alone = nodes > 1 and processes == nodes
    network = max(map(network_rate_MBps, roofs.hosts), default=0.0) if alone else 0.0

    def share(roof: Figure) -> Figure:
        return at_lmax_MBps / processes / roof if at_lmax_MBps and roof else None

    return {"roofs": {"share_of_copy": share(through_memory), "share_of_network": share(network)}}


@dataclass(frozen=True)
class RoofShare:
    """What is reached at L_max of what the hardware allows: through what, the figures, a share."""

    way: str
    figures: str
    share: float

    @property
    def sentence(self) -> str:
        """The figures and the share, and what a share above 1 means."""
        above = ": more than the hardware allows, so one of the two figures is wrong"
        return f"{self.figures} ({percent(self.share)}){above if self.share > 1 else ''}"


def roof_share(result: BEffResult) -> RoofShare | None:
    """Return the share by the samples' figure; None where no roof is known for L_max."""
    at_lmax = result.summary.at_lmax_MBps
    roofs, shares = result.roofs, roof_fields(result, at_lmax).get("roofs")
    if roofs is None or shares is None or at_lmax is None:
        return None
    each = rate(at_lmax / result.environment.processes)
    if shares["share_of_copy"] is not None:
        roof = rate(roofs.copy_MBps_per_process)
        figures = f"each process moves {each} of {roof} that a copy reaches"
        return RoofShare("memory", figures, shares["share_of_copy"])
    if shares["share_of_network"] is not None:
        roof = rate(max(map(network_rate_MBps, roofs.hosts)))
        figures = f"each host sends {each} of {roof}"
        return RoofShare("the network", figures, shares["share_of_network"])
    return None


def check_roofs(result: BEffResult, check: Recheck) -> None:
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
            told = port.rate_MBps is None or (port.rate_MBps > 0 and port.state in ACTIVE)
            place = [*path, "network", number, "rate_MBps"]
            check.require(told, place, port.rate_MBps, f"null in state {port.state}")


def _equal(one: HostHardware, other: HostHardware) -> bool:
    return one.network == other.network and one.pcie_below_maximum == other.pcie_below_maximum
