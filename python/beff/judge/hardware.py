"""What the hosts say beside the times: their hardware, their wires, and who else had their time."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from beff.judge.finding import Checked, Finding, Verdict, with_hosts
from beff.maps.network import ACTIVE, hosts_by_rate, network_rate_MBps, usual_rate_MBps
from beff.result.b_pairs_result import BPairsResult, HostHardware
from beff.result.host_list import expand_host_list
from beff.result.load import Document
from beff.result.result_parts import ImportedHead
from beff.verify.common.wires import (
    again,
    carried,
    disturbed_hosts,
    errors_of,
    less_by_usual_ports,
    load_reason,
    settings_text,
    slower_wire,
    wires_text,
)

_HARDWARE, _LOAD, _WIRES = "hardware", "the load", "the wires"
"""What results are checked against."""
BESIDE_TIMES = {_HARDWARE, _WIRES}
"""What hosts are bad for whatever they took."""


def check_hardware(document: Document) -> Checked:
    """Return hosts whose network differs from that of the most."""
    return with_hosts(_of_hardware(document))


def _of_hardware(document: Document) -> Iterator[Finding]:
    result = document.result
    if not isinstance(result, BPairsResult) or result.roofs is None:
        return
    hosts, nodes = result.roofs.hosts, result.environment.nodes
    rates = hosts_by_rate(hosts)
    is_known_of_most = usual_rate_MBps(hosts) > 0
    del rates[0.0]
    of_most = next((one for one, often in rates.items() if 2 * often > rates.total()), None)
    usual = max(rates, default=0.0) if of_most is None else of_most

    def found(code: str, verdict: Verdict = Verdict.UNKNOWN, **facts: Any) -> Finding:
        named = tuple(expand_host_list(group.hosts, len(result.environment.hosts)))
        return Finding(code, f"host {group.hosts}", verdict, _HARDWARE, facts, named)

    for group in hosts:
        own, down = network_rate_MBps(group), _infiniband_down(group) if nodes > 1 else ""
        if down:
            yield found("InfiniBand down", ports=down)
        elif not own and is_known_of_most:
            yield found("rate not known", usual_MBps=usual)
        if 0 < own < usual and of_most is None:
            yield found("slower than the fastest", own_MBps=own, usual_MBps=usual)
        elif 0 < own < usual:
            yield found("slower network", Verdict.BAD, own_MBps=own, usual_MBps=usual)
        for device in group.pcie_below_maximum:
            yield found("PCIe below maximum", device=device)


def _infiniband_down(group: HostHardware) -> str:
    """Name the ports of InfiniBand with their states, if there are any and all are down."""
    ports = [port for port in group.network if port.kind == "infiniband"]
    is_down = all(port.state not in {*ACTIVE, "unknown"} for port in ports)
    return ", ".join(f"{port.name} {port.state}" for port in ports) if is_down else ""


def check_load(document: Document) -> Checked:
    """Return the hosts of which others had the time: busy, which says nothing of the hosts.

    A map of which many are busy is called noisy as a whole.
    """
    result = document.result
    if isinstance(result, ImportedHead):
        return Checked()
    names = [host.name for host in result.environment.hosts]
    busy = with_hosts(
        Finding("busy", f"host {name}", Verdict.UNKNOWN, _LOAD, {"with": one.sentence}, (name,))
        for one in disturbed_hosts(result)
        for name in [names[one.host]]
    )
    is_noisy = isinstance(result, BPairsResult) and load_reason(result)
    return replace(busy, findings=()) if is_noisy else busy


def explained(findings: Iterable[Finding], document: Document) -> Iterator[Finding]:
    """Put what ports counted of a host that is not good, or of an end of such a link, beside it."""
    result = document.result
    found = None if isinstance(result, ImportedHead) else carried(result.wires)
    counts: list[tuple[str, str]] = []
    if not isinstance(result, ImportedHead) and found is not None:
        names = [host.name for host in result.environment.hosts]
        counts = [(names[host], what) for host, what in (*errors_of(found), *again(found))]
    for finding in findings:
        hosts = finding.hosts or finding.facts.get("ends", ())
        beside = [(name, what) for name, what in counts if name in hosts]
        yield replace(finding, facts={**finding.facts, "counts": beside}) if beside else finding


def check_wires(document: Document) -> Checked:
    """Remark on what carried the messages, and return the hosts for which it is the wrong wire."""
    return with_hosts(_of_wires(document))


def _of_wires(document: Document) -> Iterator[Finding]:
    result = document.result
    found = None if isinstance(result, ImportedHead) else carried(result.wires)
    if isinstance(result, ImportedHead) or found is None:
        return
    names = [host.name for host in result.environment.hosts]
    settings = settings_text(result.environment.environment_variables_of_mpi)
    slower = slower_wire(found)
    carrying = sum(found.main(host) is not None for host in range(len(names)))
    of_job = 2 * len(slower) > carrying
    for host, what in slower[:of_job]:
        facts = {"hosts": len(slower), "of": len(names), "host": names[host], "what": what}
        facts["settings"] = settings
        yield Finding("slower wire of the job", "hosts", Verdict.BAD, _WIRES, facts)
    # what most hosts do is set by the job; else who differs from the others stands out
    bad = [] if of_job else [*slower, *less_by_usual_ports(found)]
    for code, verdict, hosts in (
        ("other wire", Verdict.BAD, bad),
        ("errors of wires", Verdict.UNKNOWN, [*errors_of(found), *again(found)]),
    ):
        for host, what in hosts:
            name = names[host]
            yield Finding(code, f"host {name}", verdict, _WIRES, {"what": what}, (name,))
    facts = {"wires": wires_text(found), "settings": settings}
    yield Finding("wires", "", None, _WIRES, facts)
