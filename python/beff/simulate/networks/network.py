"""What all described networks have in common."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from beff.model.quantities import format_bandwidth, format_latency
from beff.simulate.errors import NetworkError
from beff.simulate.platform import Platform, described


@dataclass(frozen=True)
class Links:
    """The links of a network: byte/s and seconds, per link and direction.

    The loopback carries messages between two processes of a host; the backbone joins the two
    switches of a two-switch network.
    """

    bandwidth: float
    latency: float
    loopback_bandwidth: float
    loopback_latency: float
    backbone_bandwidth: float
    backbone_latency: float


@dataclass(frozen=True)
class Network:
    """One kind of network.

    `shape` names the numbers of --shape, none for a network that only its hosts describe; `hosts`
    counts the hosts of a shape; `body` writes the XML inside <platform> for hosts, shape and links;
    `remark` says in words what the links alone do not; `check` raises NetworkError for hosts and
    shape that the network, or SimGrid, does not have.
    """

    name: str
    summary: str
    shape: tuple[str, ...]
    hosts: Callable[[tuple[int, ...]], int]
    body: Callable[[int, tuple[int, ...], Links], str]
    check: Callable[[int, tuple[int, ...]], None] = lambda _hosts, _shape: None
    remark: Callable[[Links], str] = lambda _links: ""

    @property
    def example(self) -> str:
        """A shape that can be written."""
        return "x".join(["4"] * len(self.shape))


def describe(
    network: Network, hosts: int | None, shape: tuple[int, ...] | None, links: Links
) -> Platform:
    """Return the platform of a network. Raises NetworkError.

    Without a shape the number of `hosts` must be given; with one it follows.
    """
    count = _count_hosts(network, hosts, shape)
    network.check(count, shape or ())
    size = "x".join(map(str, shape)) if shape else str(count)
    description = (
        f"{network.name} of {count} hosts{f', shape {size}' if shape else ''}, links"
        f" {format_bandwidth(links.bandwidth)} and {format_latency(links.latency)}"
        f"{network.remark(links)}"
    )
    body = network.body(count, shape or (), links)
    names = tuple(f"n{number}" for number in range(count))
    return described(f"{network.name}-{size}", description, body, names)


def _count_hosts(network: Network, hosts: int | None, shape: tuple[int, ...] | None) -> int:
    if not network.shape:
        if shape is not None:
            raise NetworkError(
                f"--shape {'x'.join(map(str, shape))}: a {network.name} network has no shape; give"
                " --hosts"
            )
        return hosts or 0
    if shape is None or len(shape) != len(network.shape):
        given = "" if shape is None else f"--shape {'x'.join(map(str, shape))}: "
        raise NetworkError(
            f"{given}a {network.name} network needs --shape with {len(network.shape)} numbers,"
            f" {' x '.join(network.shape)}, for example {network.example}"
        )
    count = network.hosts(shape)
    if hosts is not None and hosts != count:
        raise NetworkError(
            f"--hosts {hosts}: --shape {'x'.join(map(str, shape))} makes {count} hosts; leave"
            " --hosts out or change one of them"
        )
    return count


def cluster(hosts: range, links: Links, *, name: str = "c", extra: str = "") -> str:
    """Write the <cluster> of hosts n<first> ... with a link in each direction to their switch.

    `extra` holds further attributes, such as the topology.
    """
    attributes = f" {extra}" if extra else ""
    return (
        f'<cluster id="{name}" prefix="n" suffix="" radical="{hosts.start}-{hosts.stop - 1}"'
        f' speed="1Gf" bw="{bandwidth(links.bandwidth)}" lat="{latency(links.latency)}"'
        f' loopback_bw="{bandwidth(links.loopback_bandwidth)}"'
        f' loopback_lat="{latency(links.loopback_latency)}"{attributes}/>\n'
    )


def bandwidth(bytes_per_s: float) -> str:
    """Write a bandwidth as SimGrid reads it."""
    return f"{bytes_per_s!r}Bps"


def latency(seconds: float) -> str:
    """Write a latency as SimGrid reads it."""
    return f"{seconds!r}s"


def product(shape: tuple[int, ...]) -> int:
    """Hosts of a shape each of whose numbers multiplies them."""
    return math.prod(shape)
