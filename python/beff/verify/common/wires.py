"""What the hosts counted: which wire carried the messages, and who else had their time."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import median_high, median_low

from beff.result.b_eff_io_result import IoEnvironment
from beff.result.b_pairs_result import BPairsResult
from beff.result.bounds import hosts_in, numbers_of_hosts
from beff.result.contract import AnyResult
from beff.result.numbers import BYTES_PER_MB, percent
from beff.result.result_parts import ImportedHead, Load, Wires

CARRIES_LESS = 0.25
"""A host of which a port carries less by this share of its messages stands out from the others."""
MANY_AGAIN, TIMES_AGAIN = 100, 10
"""A host that sent so many TCP segments again, and so many times as many as others, stands out."""
FASTER = {"rdma": 2, "ethernet": 1, "loopback": 0}
SEEN = 0.5
"""A part of the payload is carried by ports that counted at least this share of it."""
CARRIES = 0.1
"""A port is in use by a host when it counted at least this share of what left the host."""
IDLE = 0.01
"""A port that counted less of the payload carried nothing of it."""
MOST_ELSE = 0.02
"""What counts less beside the payload is housekeeping: launchers, files, acknowledgements."""
TRANSPORTS = (
    *("UCX_", "FI_", "OMPI_MCA_btl", "OMPI_MCA_pml", "OMPI_MCA_mtl"),
    *("MPICH_OFI_", "I_MPI_FABRICS", "I_MPI_OFI_"),
)
"""How variables begin that choose how messages travel."""

Numbers = list[int | None]
"""Of each host; None where it is not known, or the host has no such port."""


@dataclass(frozen=True)
class PortUse:
    """What a port carried on each host."""

    name: str
    kind: str
    active: Numbers
    bytes_per_s: Numbers
    numa_node: Numbers
    near_processes: Numbers
    sent: Numbers
    errors: Numbers

    @property
    def leaves_host(self) -> bool:
        """Whether what it sends leaves the host."""
        return self.kind != "loopback"

    @property
    def total(self) -> int:
        """All bytes that it sent."""
        return sum(filter(None, self.sent))


@dataclass(frozen=True)
class Carried:
    """What was carried, by port and host; the payload is None where it is not known."""

    ports: tuple[PortUse, ...]
    payload: list[int] | None
    inside: list[int]
    retransmits: list[int]

    def sent(self, port: int, host: int) -> int:
        """Return the bytes that left a host by a port."""
        of_port = self.ports[port]
        return (of_port.sent[host] or 0) if of_port.leaves_host else 0

    def uses(self, port: int, host: int) -> bool:
        """Whether a port counted a good part of what its host sent to others."""
        payload = 0 if self.payload is None else self.payload[host]
        return payload > 0 and self.sent(port, host) >= CARRIES * payload

    def main(self, host: int) -> int | None:
        """Return the port that carried most of a host; None where its ports counted too little."""
        sent = [self.sent(port, host) for port in range(len(self.ports))]
        payload = 0 if self.payload is None else self.payload[host]
        seen = payload > 0 and sum(sent) >= SEEN * payload
        return sent.index(max(sent)) if seen else None


def carried(wires: Wires | None) -> Carried | None:
    """Return what was counted; None without a port."""
    if wires is None or not wires.ports:
        return None
    none = f"-x{hosts_in(wires.retransmits)}"
    ports = (
        PortUse(
            port.name,
            port.kind,
            active=numbers_of_hosts(port.active),
            bytes_per_s=numbers_of_hosts(port.bytes_per_s or none),
            numa_node=numbers_of_hosts(port.numa_node or none),
            near_processes=numbers_of_hosts(port.near_processes or none),
            sent=numbers_of_hosts(port.sent_bytes),
            errors=numbers_of_hosts(port.errors),
        )
        for port in wires.ports
    )
    payload = wires.payload_bytes
    return Carried(
        tuple(ports),
        None if payload is None else _counts(payload),
        _counts(wires.inside_bytes or none),
        _counts(wires.retransmits),
    )


def _counts(column: str) -> list[int]:
    return [number or 0 for number in numbers_of_hosts(column)]


def wires_text(found: Carried) -> str:
    """Say what carried the messages of all hosts together."""
    inside = sum(found.inside)
    by_loop = sum(port.total for port in found.ports if not port.leaves_host)
    left = sum(port.total for port in found.ports if port.leaves_host)
    looped = f"{bytes_text(by_loop)} went through lo"
    if found.payload is None:
        text = f"{bytes_text(left)} left, messages and files: {_shares(found, left)}"
        return f"{text if left else 'nothing left the host'}{f'; {looped}' if by_loop else ''}"
    payload = sum(found.payload)
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
        text = _shares(found, left)
    return f"{text}; {looped}: TCP inside of hosts" if is_tcp else text


def _shares(found: Carried, left: int) -> str:
    """Say which share each port has in what left."""
    used = [port for port in found.ports if port.leaves_host and port.total >= MOST_ELSE * left > 0]
    used.sort(key=lambda port: -port.total)
    parts = [f"{100 * port.total / left:.0f} % by {port.name}" for port in used]
    if found.payload is not None:
        parts[0] = parts[0].replace(" by ", " left by ", 1)
    return ", ".join(parts)


def slower_wire(found: Carried) -> list[tuple[int, str]]:
    """Return the hosts whose messages left by another kind of port than an active faster one."""
    return [
        (
            host,
            f"{bytes_text(found.sent(port, host))} left by {found.ports[port].name}"
            f" although {found.ports[faster[0]].name} is active",
        )
        for host in range(len(found.retransmits))
        if (port := found.main(host)) is not None
        and (faster := list(_faster(found, host, port)))
        and sum(_share(found, one, host) for one in faster) < 1 - CARRIES_LESS
    ]


def _faster(found: Carried, host: int, used: int) -> Iterator[int]:
    """Yield the active ports of a better kind, but those of which the rate is known to be lower."""
    mine = found.ports[used]
    for place, port in enumerate(found.ports):
        rates = [one.bytes_per_s[host] or 0 for one in (port, mine)]
        is_lower = min(rates) > 0 and rates[0] < rates[1]
        if FASTER[port.kind] > FASTER[mine.kind] and port.active[host] and not is_lower:
            yield place


def less_by_usual_ports(found: Carried) -> list[tuple[int, str]]:
    """Return the hosts of which a port carried clearly less than that of most hosts does.

    One rail of two that is idle, or a part that takes another way. Who has no port of that name is
    not compared.
    """
    hosts = [host for host in range(len(found.retransmits)) if found.main(host) is not None]
    said: dict[int, str] = {}
    for port, one in enumerate(found.ports):
        shares = {host: _share(found, port, host) for host in hosts if one.sent[host] is not None}
        if 2 * len(shares) <= len(hosts) or not one.leaves_host:
            continue
        usual = median_high(shares.values())
        for host, share in shares.items():
            if usual - share > CARRIES_LESS:
                said.setdefault(host, _less(found, port, host, usual))
    return list(said.items())


def _less(found: Carried, port: int, host: int, usual: float) -> str:
    by = {
        found.ports[other].name: _share(found, other, host)
        for other in range(len(found.ports))
        if other != port and found.uses(other, host)
    }
    others = "".join(f", {name} {percent(share)}" for name, share in by.items())
    own = percent(_share(found, port, host))
    most = f"(most hosts: {percent(usual)})"
    return f"{found.ports[port].name} carried {own} of its messages {most}{others}"


def _share(found: Carried, port: int, host: int) -> float:
    """Return what a port carried of the messages of a host; other traffic may be in it."""
    payload = (found.payload or [0])[host]
    return min(1.0, found.sent(port, host) / payload) if payload else 0.0


def errors_of(found: Carried) -> list[tuple[int, str]]:
    """Return the hosts of which ports counted errors during the run."""
    return [
        (host, f"{errors} errors at {port.name}")
        for port in found.ports
        for host, errors in enumerate(port.errors)
        if errors
    ]


def again(found: Carried) -> list[tuple[int, str]]:
    """Return the hosts that sent clearly more segments again than the host in the middle."""
    middle = median_low(found.retransmits)
    return [
        (host, f"{count} TCP segments sent again (the median host {middle})")
        for host, count in enumerate(found.retransmits)
        if count >= max(MANY_AGAIN, TIMES_AGAIN * middle)
    ]


def idle_text(found: Carried) -> str | None:
    """Say how many of the active RDMA ports of hosts that send by such are idle."""
    idle = busy = 0
    for host in range(len(found.retransmits)):
        rdma = [
            port
            for port, one in enumerate(found.ports)
            if one.kind == "rdma" and one.active[host] and found.payload
        ]
        if any(found.uses(port, host) for port in rdma):
            least = IDLE * (found.payload or [0])[host]
            silent = sum(found.sent(port, host) < least for port in rdma)
            idle, busy = idle + silent, busy + len(rdma) - silent
    if not idle:
        return None
    return f"{idle} of {idle + busy} active RDMA ports carried nothing of the messages"


def far_text(found: Carried, processes: list[int]) -> str | None:
    """Say how many of each host's processes are not bound beside a port that carries."""
    near = known = 0
    for host, count in enumerate(processes):
        beside = {
            one.numa_node[host]: one.near_processes[host] or 0
            for port, one in enumerate(found.ports)
            if found.uses(port, host)
        }
        if beside and None not in beside:
            near, known = near + sum(beside.values()), known + count
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
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count:.0f} byte"


DISTURBS = 0.05
"""A larger share of the time makes a run noisy; the same as in core/record/counters.cpp."""
_STARVES = 0.5
"""On a quiet host with many processes some one waits for a core, but not half of the time."""
_MOST_BUSY = 0.25
"""Of a map pairs between other hosts are judged where no larger share of them is busy."""
_WORDS = {
    "others_ms": "other programs had {} of the time of a process",
    "stolen_ms": "the hypervisor took {} of the time of a process",
    "throttled_ms": "a quota kept processes from running for {} of the time",
    "waited_ms": "some process waited for a core {} of the time",
}


@dataclass(frozen=True)
class Disturbed:
    """A host, by its index, that did not have its time; the largest share, and all in words."""

    host: int
    share: float
    sentence: str


def disturbed_hosts(result: AnyResult) -> Iterator[Disturbed]:
    """Yield the hosts for which more than DISTURBS of the time went to others.

    Pressure is there as soon as one of many processes waits: it counts from _STARVES on, in maps of
    pairs alone, which have times of each host. Other programs do not count where a daemon of FUSE
    works for the run.
    """
    if isinstance(result, ImportedHead) or result.load is None:
        return
    columns = {name: numbers_of_hosts(column) for name, column in result.load.columns()}
    most = dict.fromkeys(_WORDS, DISTURBS) | {"waited_ms": _STARVES}
    if not others_are_counted(result):
        del most["others_ms"]
    if not isinstance(result, BPairsResult):
        del most["waited_ms"]
    for host, elapsed_ms in enumerate(columns["elapsed_ms"]):
        shares = {name: (columns[name][host] or 0) / elapsed_ms for name in most if elapsed_ms}
        found = {name: share for name, share in shares.items() if share > most[name]}
        if found:
            words = (_WORDS[name].format(percent(share, 0)) for name, share in found.items())
            yield Disturbed(host, max(found.values()), ", ".join(words))


def others_are_counted(result: AnyResult) -> bool:
    """Whether it is known what other programs had: not where a daemon of FUSE works for the run."""
    if isinstance(result, ImportedHead) or result.load is None:
        return False
    of = result.environment
    return not (isinstance(of, IoEnvironment) and of.filesystem.kind.startswith("fuse"))


def load_reason(result: AnyResult) -> str | None:
    """Say of the host that had the least of its time what took it; None where all had theirs.

    Of a map few hosts are their own matter.
    """
    found = list(disturbed_hosts(result))
    if isinstance(result, ImportedHead) or not found:
        return None
    if isinstance(result, BPairsResult) and len(found) <= _MOST_BUSY * result.environment.nodes:
        return None
    worst = max(found, key=lambda one: one.share)
    sentence = f"{worst.sentence} on {result.environment.hosts[worst.host].name}"
    return sentence if len(found) == 1 else f"{sentence}, one of {len(found)} such hosts"


def most_load(result: AnyResult) -> float | None:
    """Return the largest share of the time of a process that others had; None where not counted."""
    if isinstance(result, ImportedHead) or result.load is None:
        return None
    columns = {name: numbers_of_hosts(column) for name, column in result.load.columns()}
    names = ("others_ms", "stolen_ms", "throttled_ms")
    shares = [
        (columns[name][host] or 0) / elapsed_ms
        for host, elapsed_ms in enumerate(columns["elapsed_ms"])
        for name in names
        if elapsed_ms
    ]
    return max(shares, default=None)


def load_text(load: Load) -> str:
    """Say the largest share of each kind among the hosts."""
    columns = {name: numbers_of_hosts(column) for name, column in load.columns()}
    words = {
        "others_ms": "other programs had {}",
        "stolen_ms": "the hypervisor {}",
        "throttled_ms": "a quota held up for {}",
        "waited_ms": "some process waited for a core for {}",
    }
    said = []
    for name, text in words.items():
        pairs = zip(columns[name], columns["elapsed_ms"], strict=True)
        shares = [part / whole for part, whole in pairs if part is not None and whole]
        if shares:
            said.append(text.format(percent(max(shares), 1)))
    return f"of the time {', '.join(said)}, on the host with the most" if said else "not known"


def rate_of_ports_MBps(found: Carried) -> float | None:  # noqa: N802 - the unit
    """Return what the ports in use of a host carry, least of all hosts; None where not known."""
    rates = []
    for host in range(len(found.retransmits)):
        used = [one.bytes_per_s[host] for p, one in enumerate(found.ports) if found.uses(p, host)]
        if used:
            rates.append(None if None in used else sum(filter(None, used)) / BYTES_PER_MB)
    return None if None in rates else min(filter(None, rates), default=None)
