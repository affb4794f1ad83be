"""What an emulated network looks like, and the commands that make it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

ADDRESSES = "10.77.0"
"""First three parts of all addresses; they exist inside a cell only."""


SECOND_ADDRESSES = "10.78.0"


@dataclass(frozen=True)
class Network:
    """Hosts on one switch or, with a backbone, two halves on two switches.

    Rates are in Mbit/s on the wire, in each direction; `slow` gives single hosts, by index, another
    rate than `link_mbit`. So much as `burst` passes at once after a pause. With `second_mbit` each
    host has a second port, eth1, on a switch of its own; messages of the hosts in `astray` to the
    addresses of the first network leave by it. With `one_kernel` they are known as containers on
    this machine; else each has a boot id as machines have.
    """

    hosts: int
    link_mbit: float
    backbone_mbit: float | None = None
    slow: Mapping[int, float] = field(default_factory=dict, hash=False)
    mtu: int = 1500
    second_mbit: float | None = None
    astray: frozenset[int] = frozenset()
    one_kernel: bool = False
    burst: str = "64kb"

    @property
    def host_names(self) -> list[str]:
        return [f"n{index}" for index in range(self.hosts)]

    @property
    def switch_names(self) -> list[str]:
        first = ["sw0"] if self.backbone_mbit is None else ["sw0", "sw1"]
        return first if self.second_mbit is None else [*first, "second"]

    def address(self, host: int) -> str:
        return f"{ADDRESSES}.{host + 1}"

    def switch_of(self, host: int) -> str:
        """The switch a host is plugged into: the first half goes to the first."""
        halves = 1 if self.backbone_mbit is None else 2
        return self.switch_names[host * halves // self.hosts]

    def rate(self, host: int) -> float:
        return self.slow.get(host, self.link_mbit)

    def hosts_file(self) -> str:
        """Content of /etc/hosts."""
        rows = [f"{self.address(host)} {name}" for host, name in enumerate(self.host_names)]
        return "\n".join(["127.0.0.1 localhost", *rows, ""])

    def payload_MBps(self, mbit: float) -> float:  # noqa: N802 - the unit
        """Payload of full TCP segments over a link of this rate, in 10^6 byte/s.

        Of a packet of `mtu` byte, 52 are IP and TCP headers with time stamps; the Ethernet header
        of 14 byte counts against the rate.
        """
        return mbit / 8 * (self.mtu - 52) / (self.mtu + 14)


def shaping(device: str, mbit: float, burst: str) -> str:
    """Command that limits what leaves a device; the usual queue is so long that nothing is lost."""
    return f"tc qdisc replace dev {device} root tbf rate {mbit}mbit burst {burst} limit 4mb"


def on(pid: int, command: str) -> str:
    """The command as it is run in the network namespace of a process."""
    return f"nsenter --target {pid} --net {command}"


def construction(network: Network, pids: Mapping[str, int]) -> list[str]:
    """Commands, run in the cell, that make the network; `pids` are the holders of all names."""
    lines = []
    for switch in network.switch_names:
        lines.append(on(pids[switch], "ip link add br0 type bridge"))
        lines.append(on(pids[switch], f"ip link set br0 mtu {network.mtu} up"))
    for host, name in enumerate(network.host_names):
        switch = pids[network.switch_of(host)]
        lines += _cable(network.mtu, ("eth0", pids[name]), (f"p{host}", switch))
        lines.append(on(pids[name], f"ip addr add {network.address(host)}/24 dev eth0"))
        lines.append(on(switch, f"ip link set p{host} master br0"))
        lines.append(on(pids[name], shaping("eth0", network.rate(host), network.burst)))
        lines.append(on(switch, shaping(f"p{host}", network.rate(host), network.burst)))
        if network.second_mbit is not None:
            lines += _second_port(network, host, pids)
    if network.backbone_mbit is not None:
        first, second = (pids[name] for name in network.switch_names[:2])
        lines += _cable(network.mtu, ("up0", first), ("up1", second))
        for device, switch in (("up0", first), ("up1", second)):
            lines.append(on(switch, f"ip link set {device} master br0"))
            lines.append(on(switch, shaping(device, network.backbone_mbit, network.burst)))
    return lines


def _second_port(network: Network, host: int, pids: Mapping[str, int]) -> list[str]:
    own, switch = pids[network.host_names[host]], pids["second"]
    lines = _cable(network.mtu, ("eth1", own), (f"q{host}", switch))
    lines.append(on(own, f"ip addr add {SECOND_ADDRESSES}.{host + 1}/24 dev eth1"))
    lines.append(on(switch, f"ip link set q{host} master br0"))
    lines.append(on(own, shaping("eth1", network.second_mbit or 0, network.burst)))
    lines.append(on(switch, shaping(f"q{host}", network.second_mbit or 0, network.burst)))
    if host in network.astray:
        source = f"src {network.address(host)}"
        lines.append(on(own, f"ip route del {ADDRESSES}.0/24 dev eth0"))
        lines.append(on(own, f"ip route add {ADDRESSES}.0/24 dev eth1 {source}"))
    return lines


def _cable(mtu: int, one: tuple[str, int], other: tuple[str, int]) -> list[str]:
    (name, pid), (peer, peer_pid) = one, other
    return [
        f"ip link add {name} netns {pid} type veth peer name {peer} netns {peer_pid}",
        on(pid, f"ip link set {name} mtu {mtu} up"),
        on(peer_pid, f"ip link set {peer} mtu {mtu} up"),
    ]
