"""What the hosts say beside the times: their hardware, their wires, and who else had their time."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from statistics import median_high, median_low
from typing import Any

import numpy as np

from beff.judge.analysis import disturbed_hosts, load_reason
from beff.judge.finding import Finding, Verdict
from beff.maps.network import ACTIVE, hosts_by_rate, network_rate_MBps, usual_rate_MBps
from beff.maps.pair_map import Floats
from beff.result.b_pairs_result import BPairsResult
from beff.result.contract import AnyResult
from beff.result.host_list import expand_host_list
from beff.result.load import Document
from beff.result.numbers import BYTES_PER_MB, percent, rate
from beff.result.result_parts import ImportedHead, Wires

_HARDWARE, _LOAD, _WIRES = "hardware", "the load", "the wires"
"""What results are checked against."""
BESIDE_TIMES = {_HARDWARE, _WIRES}
"""A host can be bad by these however fast it is."""


def check_hardware(document: Document) -> Iterator[Finding]:
    """Yield hosts whose network differs from that of the most."""
    result = document.result
    if not isinstance(result, BPairsResult) or result.roofs is None:
        return
    hosts, nodes = result.roofs.hosts, result.environment.nodes
    rates = hosts_by_rate(hosts)
    is_known_of_most = usual_rate_MBps(hosts) > 0
    del rates[0.0]
    of_most = next((one for one, often in rates.items() if 2 * often > rates.total()), None)
    usual = max(rates, default=0.0) if of_most is None else of_most

    def finding(code: str, verdict: Verdict = Verdict.UNKNOWN, **facts: Any) -> Finding:
        names = tuple(expand_host_list(group.hosts, len(result.environment.hosts)))
        return Finding(code, f"host {group.hosts}", verdict, _HARDWARE, facts, names)

    for group in hosts:
        speed = network_rate_MBps(group)
        facts: dict[str, Any] = {"own_MBps": speed, "usual_MBps": usual}
        ports = [port for port in group.network if port.kind == "infiniband"]
        is_up = any(port.state in {*ACTIVE, "unknown"} for port in ports)
        if ports and not is_up and nodes > 1:
            states = ", ".join(f"{port.name} {port.state}" for port in ports)
            yield finding("InfiniBand down", ports=states)
        elif not speed and is_known_of_most:
            yield finding("rate not known", usual_MBps=usual)
        if 0 < speed < usual and of_most is None:
            yield finding("slower than the fastest", **facts)
        elif 0 < speed < usual:
            yield finding("slower network", Verdict.BAD, **facts)
        for device in group.pcie_below_maximum:
            yield finding("PCIe below maximum", device=device)


def check_load(document: Document) -> Iterator[Finding]:
    """Yield the hosts of which others had the time: busy, which says nothing of the hosts.

    A map of which many are busy is called noisy as a whole.
    """
    result = document.result
    is_map = isinstance(result, BPairsResult)
    if isinstance(result, ImportedHead) or (is_map and load_reason(result)):
        return
    for host, (_, sentence) in disturbed_hosts(result).items():
        name, facts = result.environment.hosts[host].name, {"with": sentence}
        yield Finding("busy", f"host {name}", Verdict.UNKNOWN, _LOAD, facts, (name,))


def explained(findings: Iterable[Finding], document: Document) -> Iterator[Finding]:
    """Put what ports counted of a host that is not good, or of an end of such a link, beside it."""
    traffic = carried(document.result)
    names = [host.name for host in getattr(document.result.environment, "hosts", ())]
    counts = [] if traffic is None else counts_of(traffic)
    for finding in findings:
        hosts = finding.hosts or finding.facts.get("ends", ())
        beside = [(names[host], what) for host, what in counts if names[host] in hosts]
        more = {"counts": beside} if beside and finding.verdict != Verdict.GOOD else {}
        yield replace(finding, facts={**finding.facts, **more})


def check_wires(document: Document) -> Iterator[Finding]:
    """Remark on what carried the messages, and yield the hosts for which it is the wrong wire."""
    result, traffic = document.result, carried(document.result)
    if isinstance(result, ImportedHead) or traffic is None:
        return
    names = [host.name for host in result.environment.hosts]
    settings = settings_text(result.environment.environment_variables_of_mpi)
    slower = slower_wire(traffic)
    of_job = bool(2 * len(slower) > np.count_nonzero(traffic.main >= 0))
    for host, what in slower[:of_job]:
        facts = {"hosts": len(slower), "of": len(names), "host": names[host], "what": what}
        facts["settings"] = settings
        yield Finding("slower wire of the job", "hosts", Verdict.BAD, _WIRES, facts)
    # what most hosts do is set by the job; else who differs from the others stands out
    bad = [] if of_job else [*slower, *less_by_usual_ports(traffic)]
    for code, verdict, hosts in (
        ("other wire", Verdict.BAD, bad),
        ("errors of wires", Verdict.UNKNOWN, counts_of(traffic)),
    ):
        for name, what in ((names[host], what) for host, what in hosts):
            yield Finding(code, f"host {name}", verdict, _WIRES, {"what": what}, (name,))
    facts = {"wires": wires_text(traffic), "settings": settings}
    yield Finding("wires", "", None, _WIRES, facts)


# --- which wire carried the messages -----------------------------------------------------------


CARRIES_LESS = 0.25
"""A host of which a port carries less by this share of its messages stands out from the others."""
MANY_AGAIN, TIMES_AGAIN = 100, 10
"""A host that sent so many TCP segments again, and so many times as many as others, stands out."""
FASTER = {"rdma": 2, "ethernet": 1, "loopback": 0}
SEEN = 0.5
"""A part of the payload is carried by ports that counted at least this share of it."""
CARRIES = 0.1
"""A port is in use by a host when it counted at least this share of what left the host."""
MOST_ELSE = 0.02
"""What counts less beside the payload is housekeeping: launchers, files, acknowledgements."""
TRANSPORTS = (
    *("UCX_", "FI_", "OMPI_MCA_btl", "OMPI_MCA_pml", "OMPI_MCA_mtl"),
    *("MPICH_OFI_", "I_MPI_FABRICS", "I_MPI_OFI_"),
)
"""How variables begin that choose how messages travel."""


class Carried:
    """What was carried, by port and host; the payload is 0 where it is not known.

    `share` is what a port carried of the messages of a host; other traffic may be in it. `used` are
    the ports that counted a good part of what their host sent to others, `main` is the one that
    carried most, -1 where the ports counted too little. `sent` is NaN where a host lacks the port,
    and 0 of one that leads to no other host.
    """

    def __init__(self, wires: Wires) -> None:
        self.ports, self.knows_payload = wires.ports, wires.payload_bytes is not None
        self.retransmits = [count or 0 for count in wires.retransmits]
        self.payload = _known(wires.payload_bytes, self.retransmits)
        self.inside = int(_known(wires.inside_bytes, self.retransmits).sum())
        leaves = np.array([port.leaves_host for port in self.ports])[:, None]
        self.sent = np.array([port.sent_bytes for port in self.ports], dtype=np.float64) * leaves
        sent, payload = np.nan_to_num(self.sent), self.payload
        self.share = np.minimum(1.0, sent / np.where(payload > 0, payload, np.inf))
        self.used = self.share >= CARRIES
        is_seen = (payload > 0) & (sent.sum(axis=0) >= SEEN * payload)
        self.main = np.where(is_seen, sent.argmax(axis=0), -1)
        self.rates = np.array([_known(port.bytes_per_s, self.retransmits) for port in self.ports])


def _known(column: list[int | None] | None, hosts: list[int]) -> Floats:
    """Return a number for each host, 0 where it is not known."""
    return np.array([count or 0 for count in column or [0] * len(hosts)], dtype=np.float64)


def carried(result: AnyResult) -> Carried | None:
    """Return what ports counted; None without a port."""
    wires: Wires | None = getattr(result, "wires", None)
    return None if wires is None or not wires.ports else Carried(wires)


def wires_text(traffic: Carried) -> str:
    """Say what carried the messages of all hosts together."""
    by_loop = sum(port.total for port in traffic.ports if not port.leaves_host)
    left = sum(port.total for port in traffic.ports if port.leaves_host)
    looped = f"{bytes_text(by_loop)} went through lo"
    if not traffic.knows_payload:
        text = f"{bytes_text(left)} left, messages and files: {_shares(traffic, left)}"
        return f"{text if left else 'nothing left the host'}{f'; {looped}' if by_loop else ''}"
    inside, payload = traffic.inside, traffic.payload.sum()
    unseen = payload if left < SEEN * payload else 0
    is_tcp = 0 < SEEN * (inside + unseen) <= by_loop
    if is_tcp and unseen == payload:
        return f"{looped}: TCP inside of one machine"
    if payload == 0:
        return "nothing left the host: shared memory"
    if unseen:
        text = (
            f"of {bytes_text(payload)} the ports counted {bytes_text(left)}:"
            " what carried it is not known"
        )
    else:
        text = _shares(traffic, left)
    return f"{text}; {looped}: TCP inside of hosts" if is_tcp else text


def _shares(traffic: Carried, left: int) -> str:
    """Say which share each port has in what left."""
    used = [one for one in traffic.ports if one.leaves_host and one.total >= MOST_ELSE * left > 0]
    used.sort(key=lambda port: -port.total)
    parts = [f"{100 * port.total / left:.0f} % by {port.name}" for port in used]
    if traffic.knows_payload:
        parts[0] = parts[0].replace(" by ", " left by ", 1)
    return ", ".join(parts)


def slower_wire(traffic: Carried) -> list[tuple[int, str]]:
    """Return the hosts whose messages left by another kind of port than an active faster one.

    A port of a better kind of which the rate is known to be lower is none.
    """
    sentences, kinds = [], np.array([FASTER[port.kind] for port in traffic.ports])
    active = np.array([_known(port.active, traffic.retransmits) > 0 for port in traffic.ports])
    for host in np.flatnonzero(traffic.main >= 0).tolist():
        main, rates = traffic.main[host], traffic.rates[:, host]
        is_slower = (rates > 0) & (rates < rates[main])
        faster = np.flatnonzero((kinds > kinds[main]) & active[:, host] & ~is_slower)
        if faster.size and traffic.share[faster, host].sum() < 1 - CARRIES_LESS:
            left = f"{bytes_text(traffic.sent[main, host])} left by {traffic.ports[main].name}"
            sentences.append((host, f"{left} although {traffic.ports[faster[0]].name} is active"))
    return sentences


def less_by_usual_ports(traffic: Carried) -> list[tuple[int, str]]:
    """Return the hosts of which a port carried clearly less than that of most hosts does.

    One rail of two that is idle, or a part that takes another way. Who has no port of that name is
    not compared.
    """
    sentence_of: dict[int, str] = {}
    for port, counter in enumerate(traffic.ports):
        hosts = np.flatnonzero((traffic.main >= 0) & ~np.isnan(traffic.sent[port]))
        if 2 * len(hosts) <= (traffic.main >= 0).sum() or not counter.leaves_host:
            continue
        shares = traffic.share[port]
        usual = median_high(shares[hosts])
        for host in hosts[usual - shares[hosts] > CARRIES_LESS].tolist():
            others = "".join(
                f", {traffic.ports[other].name} {percent(traffic.share[other, host])}"
                for other in np.flatnonzero(traffic.used[:, host])
                if other != port
            )
            most = f"(most hosts: {percent(usual)})"
            text = f"{counter.name} carried {percent(shares[host])} of its messages {most}{others}"
            sentence_of.setdefault(host, text)
    return list(sentence_of.items())


def counts_of(traffic: Carried) -> list[tuple[int, str]]:
    """Return the hosts of which ports counted errors, then those with clearly more sent again.

    Of TCP segments, beside the host in the middle.
    """
    middle = median_low(traffic.retransmits)
    errors = [
        (host, f"{count} errors at {port.name}")
        for port in traffic.ports
        for host, count in enumerate(port.errors)
        if count
    ]
    return errors + [
        (host, f"{count} TCP segments sent again (the median host {middle})")
        for host, count in enumerate(traffic.retransmits)
        if count >= max(MANY_AGAIN, TIMES_AGAIN * middle)
    ]


def far_text(traffic: Carried, processes: list[int]) -> str | None:
    """Say how many of each host's processes are not bound beside a port that carries."""
    near = known = 0
    for host, count in enumerate(processes):
        ports = [traffic.ports[port] for port in np.flatnonzero(traffic.used[:, host])]
        beside = {
            one.numa_node and one.numa_node[host]: _known(one.near_processes, processes)[host]
            for one in ports
        }
        if beside and None not in beside:
            near, known = near + int(sum(beside.values())), known + count
    if near >= known:
        return None
    return (
        f"{known - near} of {known} processes are not bound to the NUMA node of a port that carries"
    )


def settings_text(variables: Mapping[str, str]) -> str:
    """Return the variables that choose how messages travel, to stand behind a sentence."""
    return "".join(
        f"; {name}={value}" for name, value in variables.items() if name.startswith(TRANSPORTS)
    )


def bytes_text(count: float) -> str:
    """Return a number of bytes in three digits."""
    return rate(count / BYTES_PER_MB).removesuffix("/s")


def rate_of_ports_MBps(traffic: Carried) -> float | None:  # noqa: N802 - the unit
    """Return what the ports in use of a host carry, least of all hosts; None where not known."""
    if not traffic.used.any() or (traffic.used & (traffic.rates == 0)).any():
        return None
    rates = (traffic.rates * traffic.used).sum(axis=0)
    return float(rates[rates > 0].min()) / BYTES_PER_MB
