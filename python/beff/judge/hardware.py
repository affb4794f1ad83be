"""What the hosts say beside the times: their hardware, their wires, and who else had their time."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from beff.judge.finding import Checked, Finding, Verdict
from beff.maps.network import (
    ACTIVE,
    hosts_by_rate,
    network_rate_MBps,
    usual_rate_MBps,
)
from beff.result.b_pairs_result import BPairsResult, HostHardware, Roofs
from beff.result.load import Document
from beff.result.numbers import rate
from beff.result.result_parts import ImportedHead
from beff.verify.common.checks import expand_host_list
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

_HARDWARE, _LOAD, WIRES = "hardware", "the load", "the wires"
"""What results are checked against."""


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
            yield group, Finding(source, _HARDWARE, about, Verdict.UNKNOWN, sentence)
        elif not own and is_known_of_most:
            sentence = f"the rate of its network is not known, others have {rate(usual)}"
            yield group, Finding(source, _HARDWARE, about, Verdict.UNKNOWN, sentence)
        if 0 < own < usual:
            verdict = Verdict.UNKNOWN if of_most is None else Verdict.BAD
            sentence = f"network of {rate(own)}, others have {rate(usual)}"
            if of_most is None:
                sentence += "; no rate is that of more than half of the hosts"
            yield group, Finding(source, _HARDWARE, about, verdict, sentence)
        for device in group.pcie_below_maximum:
            sentence = f"PCIe below its maximum: {device}"
            yield group, Finding(source, _HARDWARE, about, Verdict.UNKNOWN, sentence)


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
        return Checked(())
    names = [host.name for host in result.environment.hosts]
    found = list(disturbed_hosts(result))
    findings = (
        Finding(
            document.source,
            _LOAD,
            f"host {names[one.host]}",
            Verdict.UNKNOWN,
            f"busy: {one.sentence}",
        )
        for one in found
        if not (isinstance(result, BPairsResult) and load_reason(result))
    )
    return Checked(tuple(findings), open_hosts=tuple(names[one.host] for one in found))


def explained(findings: Sequence[Finding], document: Document) -> tuple[Finding, ...]:
    """Put what ports counted of a host that is not good, or of an end of such a link, beside it."""
    result = document.result
    found = None if isinstance(result, ImportedHead) else carried(result.wires)
    if isinstance(result, ImportedHead) or found is None:
        return tuple(findings)
    names = [host.name for host in result.environment.hosts]
    counted = [(names[host], sentence) for host, sentence in (*errors_of(found), *again(found))]

    def beside(finding: Finding) -> Finding:
        kind, _, ends = finding.about.partition(" ")
        if finding.verdict == Verdict.GOOD or kind not in {"host", "link"}:
            return finding
        counts = [f"; {name} had {what}" for name, what in counted if name in ends.split(" - ")]
        return replace(finding, sentence=finding.sentence + "".join(counts))

    return tuple(map(beside, findings))


def check_wires(document: Document) -> Checked:
    """Return a note on what carried the messages, and hosts for which it is the wrong wire."""
    result = document.result
    found = None if isinstance(result, ImportedHead) else carried(result.wires)
    if isinstance(result, ImportedHead) or found is None:
        return Checked(())
    names = [host.name for host in result.environment.hosts]
    settings = settings_text(result.environment.environment_variables_of_mpi)
    slower = slower_wire(found)
    carrying = sum(found.main(host) is not None for host in range(len(names)))
    of_job = 2 * len(slower) > carrying
    # what most hosts do is set by the job; else who differs from the others stands out
    bad = [] if of_job else [*slower, *less_by_usual_ports(found)]
    undecided = [*errors_of(found), *again(found)]
    findings = [
        Finding(
            document.source,
            WIRES,
            "hosts",
            Verdict.BAD,
            f"a faster wire is not used by {len(slower)} of {len(names)} hosts: of {names[host]}"
            f" {sentence}{settings}",
        )
        for host, sentence in slower[:of_job]
    ]
    findings += [
        Finding(document.source, WIRES, f"host {names[host]}", Verdict.BAD, sentence)
        for host, sentence in bad
    ]
    findings += [
        Finding(document.source, WIRES, f"host {names[host]}", Verdict.UNKNOWN, sentence)
        for host, sentence in undecided
    ]
    bad_hosts = tuple(dict.fromkeys(names[host] for host, _ in bad))
    open_hosts = tuple(dict.fromkeys(names[host] for host, _ in undecided))
    note = f"{document.source}: {wires_text(found)}{settings}"
    return Checked(tuple(findings), (), bad_hosts, open_hosts, notes=(note,))
