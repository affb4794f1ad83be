"""Networks described in one text, each a preset: their table, and reading the text."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from beff.launch.platform import MOST_HOSTS, Platform, described
from beff.result.errors import NetworkError
from beff.result.numbers import format_bandwidth, format_latency, parse_bandwidth, parse_latency


@dataclass(frozen=True)
class Links:
    """The links of a network: byte/s and seconds, per link and direction.

    The loopback carries messages between two processes of a host; the backbone joins the two
    switches of a two-switch network.
    """

    bandwidth: float
    latency: float
    backbone_bandwidth: float
    backbone_latency: float
    loopback_bandwidth: float = 10e9
    loopback_latency: float = 200e-9


@dataclass(frozen=True)
class Network:
    """One kind of network.

    `shape` names the numbers of its size, none for a network that its hosts alone describe; `hosts`
    counts the hosts of a shape; `body` writes the XML inside <platform> for hosts, shape and links;
    `remark` says in words what the links alone do not; `check` raises NetworkError for hosts and
    shape that the network, or SimGrid, does not have.
    """

    name: str
    body: Callable[[int, tuple[int, ...], Links], str]
    shape: tuple[str, ...] = ()
    hosts: Callable[[tuple[int, ...]], int] = math.prod
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
    if count > MOST_HOSTS:
        given = f"--simulate {network.name}:{'x'.join(map(str, shape or (count,)))}"
        raise NetworkError(f"{given}: a network has at most {MOST_HOSTS} hosts")
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
        return hosts or 0
    if shape is None or len(shape) != len(network.shape):
        given = "" if shape is None else f":{'x'.join(map(str, shape))}"
        raise NetworkError(
            f"--simulate {network.name}{given}: needs {len(network.shape)} numbers,"
            f" {' x '.join(network.shape)}, for example {network.name}:{network.example}"
        )
    return network.hosts(shape)


def cluster(hosts: range, links: Links, *, name: str = "c", extra: str = "") -> str:
    """Write the <cluster> of hosts n<first> ... with a link in each direction to their switch.

    `extra` holds further attributes, such as the topology.
    """
    attributes = f" {extra}" if extra else ""
    return (
        f'<cluster id="{name}" prefix="n" suffix="" radical="{hosts.start}-{hosts.stop - 1}"'
        f' speed="1Gf" bw="{_bandwidth(links.bandwidth)}" lat="{_latency(links.latency)}"'
        f' loopback_bw="{_bandwidth(links.loopback_bandwidth)}"'
        f' loopback_lat="{_latency(links.loopback_latency)}"{attributes}/>\n'
    )


def _bandwidth(bytes_per_s: float) -> str:
    """Write a bandwidth as SimGrid reads it."""
    return f"{bytes_per_s!r}Bps"


def _latency(seconds: float) -> str:
    """Write a latency as SimGrid reads it."""
    return f"{seconds!r}s"


def _two_switch_body(hosts: int, _shape: tuple[int, ...], links: Links) -> str:
    half = hosts // 2
    backbone = (
        f'<link id="backbone" bandwidth="{_bandwidth(links.backbone_bandwidth)}"'
        f' latency="{_latency(links.backbone_latency)}" sharing_policy="SPLITDUPLEX"/>\n'
    )
    return (
        '<zone id="world" routing="Full">\n'
        + cluster(range(half), links, name="s0", extra='router_id="r0"')
        + cluster(range(half, hosts), links, name="s1", extra='router_id="r1"')
        + backbone
        + _route(0, 1, "UP")
        + _route(1, 0, "DOWN")
        + "</zone>\n"
    )


def _route(source: int, destination: int, direction: str) -> str:
    return (
        f'<zoneRoute src="s{source}" dst="s{destination}" gw_src="r{source}"'
        f' gw_dst="r{destination}" symmetrical="NO">'
        f'<link_ctn id="backbone" direction="{direction}"/></zoneRoute>\n'
    )


def _two_switch_check(hosts: int, _shape: tuple[int, ...]) -> None:
    if hosts % 2:
        raise NetworkError(
            f"--simulate two-switch:{hosts}: each switch has half of the hosts; give an even number"
        )


def _two_switch_remark(links: Links) -> str:
    return (
        f", backbone {format_bandwidth(links.backbone_bandwidth)} and"
        f" {format_latency(links.backbone_latency)}"
    )


def _fat_tree_body(hosts: int, shape: tuple[int, ...], links: Links) -> str:
    leaf_hosts, leaves, spines = shape
    # levels; children of a switch, level by level; parents; parallel links
    topology = f"2;{leaf_hosts},{leaves};1,{spines};1,1"
    return cluster(range(hosts), links, extra=f'topology="FAT_TREE" topo_parameters="{topology}"')


def _torus_body(hosts: int, shape: tuple[int, ...], links: Links) -> str:
    # SimGrid makes the link of an extent of 1 twice and stops.
    extents = ",".join(str(extent) for extent in shape if extent > 1)
    return cluster(range(hosts), links, extra=f'topology="TORUS" topo_parameters="{extents}"')


def _torus_check(hosts: int, shape: tuple[int, ...]) -> None:
    if hosts == 1:
        raise NetworkError(f"--simulate torus:{'x'.join(map(str, shape))}: has at least two hosts")


def _dragonfly_body(hosts: int, shape: tuple[int, ...], links: Links) -> str:
    groups, chassis, blades, nodes = shape
    # each number of switches with the number of parallel links between two of them
    topology = f"{groups},1;{chassis},1;{blades},1;{nodes}"
    return cluster(range(hosts), links, extra=f'topology="DRAGONFLY" topo_parameters="{topology}"')


def _dragonfly_check(_hosts: int, shape: tuple[int, ...]) -> None:
    groups, _, blades, _ = shape
    if groups > blades:
        raise NetworkError(
            f"--simulate dragonfly:{'x'.join(map(str, shape))}: SimGrid crashes with more groups"
            f" ({groups}) than blades per chassis ({blades}); give at least {groups} blades"
        )


_NETWORKS = (
    # one switch that never blocks
    Network("flat", lambda hosts, _shape, links: cluster(range(hosts), links)),
    # two switches with half of the hosts each, joined by a backbone
    Network("two-switch", _two_switch_body, check=_two_switch_check, remark=_two_switch_remark),
    # leaf switches, each joined to every spine switch by one link
    Network(
        "fat-tree",
        _fat_tree_body,
        ("hosts per leaf", "leaves", "spines"),
        lambda shape: shape[0] * shape[1],
    ),
    # three-dimensional, with a host at each crossing
    Network("torus", _torus_body, ("x", "y", "z"), check=_torus_check),
    # groups of chassis of blades, all joined to all on each level
    Network(
        "dragonfly",
        _dragonfly_body,
        ("groups", "chassis", "blades", "nodes"),
        check=_dragonfly_check,
    ),
)
NETWORKS = {network.name: network for network in _NETWORKS}


DEFAULT_BANDWIDTH, DEFAULT_LATENCY = "12.5GB/s", "500ns"
_BACKBONE = "backbone="


@dataclass(frozen=True)
class NetworkText:
    """What a text says: a network, its numbers as far as they are given, and its links."""

    network: Network
    size: tuple[int, ...] | None
    links: Links

    def platform(self, processes: int) -> Platform:
        """Return the platform; by default with a host for each process. Raises NetworkError."""
        if self.network.shape:
            return describe(self.network, None, self.size, self.links)
        if self.size is not None and len(self.size) != 1:
            given = "x".join(map(str, self.size))
            raise NetworkError(
                f"--simulate {self.network.name}:{given}: give the number of hosts alone, such as"
                f" {self.network.name}:16"
            )
        return describe(self.network, self.size[0] if self.size else processes, None, self.links)


def parse_network(text: str) -> NetworkText:
    """Read NAME[:SIZE][,BANDWIDTH][,LATENCY][,backbone=BANDWIDTH]. Raises NetworkError."""
    first, *others = text.split(",")
    name, _, size = first.partition(":")
    network = NETWORKS.get(name)
    if network is None:
        raise NetworkError(f"--simulate {text}: '{name}' is none of {', '.join(NETWORKS)}")
    if size and not re.fullmatch(r"[1-9]\d{0,6}(x[1-9]\d{0,6})*", size, re.ASCII):
        raise NetworkError(
            f"--simulate {text}: '{size}' must be whole numbers from 1, such as 16x4"
        )
    bandwidth, latency = parse_bandwidth(DEFAULT_BANDWIDTH), parse_latency(DEFAULT_LATENCY)
    backbone = None
    for item in others:
        try:
            if item.startswith(_BACKBONE):
                backbone = parse_bandwidth(item.removeprefix(_BACKBONE))
            elif item.endswith("/s"):
                bandwidth = parse_bandwidth(item)
            else:
                latency = parse_latency(item)
        except ValueError as problem:
            raise NetworkError(f"--simulate {text}: '{item}' {problem}") from None
    if backbone is not None and name != "two-switch":
        raise NetworkError(f"--simulate {text}: has no backbone, which belongs to two-switch")
    links = Links(bandwidth, latency, bandwidth, latency)
    if backbone is not None:
        links = replace(links, backbone_bandwidth=backbone)
    numbers = tuple(map(int, size.split("x"))) if size else None
    return NetworkText(network, numbers, links)
