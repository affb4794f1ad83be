"""What the hardware of the hosts of a result of b_pairs allows (the field `roofs`)."""

from collections.abc import Iterator

from beff.analysis.b_pairs.roofs import (
    ACTIVE,
    hosts_by_rate,
    network_rate_MBps,
    usual_rate_MBps,
)
from beff.analysis.check.finding import Checked, Finding, Verdict
from beff.analysis.common.checks import expand_host_list
from beff.model.b_pairs_result import BPairsResult, HostHardware, Roofs
from beff.model.load import Document
from beff.model.numbers import rate

AGAINST = "hardware"


def check_hardware(document: Document) -> Checked:
    """Return hosts whose network differs from that of the most."""
    result, source = document.result, document.source
    if not isinstance(result, BPairsResult) or result.roofs is None:
        return Checked(())
    findings = []
    hosts: dict[Verdict, list[str]] = {Verdict.BAD: [], Verdict.UNKNOWN: []}
    for group, finding in _differences(source, result, result.roofs):
        findings.append(finding)
        hosts[finding.verdict] += expand_host_list(group.hosts, len(result.environment.hosts))
    bad, undecided = tuple(hosts[Verdict.BAD]), tuple(hosts[Verdict.UNKNOWN])
    return Checked(tuple(findings), (), bad, undecided)


def _differences(
    source: str, result: BPairsResult, roofs: Roofs
) -> Iterator[tuple[HostHardware, Finding]]:
    rates = hosts_by_rate(roofs.hosts)
    is_known_of_most = usual_rate_MBps(roofs.hosts) > 0
    del rates[0.0]
    of_most = next((one for one, often in rates.items() if 2 * often > rates.total()), None)
    usual = max(rates, default=0.0) if of_most is None else of_most
    for group in roofs.hosts:
        about, own = f"host {group.hosts}", network_rate_MBps(group)
        down = _infiniband_down(group) if result.environment.nodes > 1 else ""
        if down:
            sentence = f"none of its InfiniBand ports is active: {down}"
            yield group, Finding(source, AGAINST, about, Verdict.UNKNOWN, sentence)
        elif not own and is_known_of_most:
            sentence = f"the rate of its network is not known, others have {rate(usual)}"
            yield group, Finding(source, AGAINST, about, Verdict.UNKNOWN, sentence)
        if 0 < own < usual:
            verdict = Verdict.UNKNOWN if of_most is None else Verdict.BAD
            sentence = f"network of {rate(own)}, others have {rate(usual)}"
            if of_most is None:
                sentence += "; no rate is that of more than half of the hosts"
            yield group, Finding(source, AGAINST, about, verdict, sentence)
        for device in group.pcie_below_maximum:
            sentence = f"PCIe below its maximum: {device}"
            yield group, Finding(source, AGAINST, about, Verdict.UNKNOWN, sentence)


def _infiniband_down(group: HostHardware) -> str:
    """Name the ports of InfiniBand with their states, if there are any and all are down."""
    ports = [port for port in group.network if port.kind == "infiniband"]
    is_down = all(port.state not in {*ACTIVE, "unknown"} for port in ports)
    return ", ".join(f"{port.name} {port.state}" for port in ports) if is_down else ""
