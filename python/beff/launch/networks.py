"""Simulated networks, by one text or a file, and which process runs on which host."""

import hashlib
import math
import random
import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

from beff.result.armour import read_text
from beff.result.errors import NetworkError, ResultError
from beff.result.numbers import (
    counted,
    format_bandwidth,
    format_latency,
    parse_bandwidth,
    parse_latency,
)

MOST_HOSTS = 1_000_000
LARGEST_BYTES = 64 << 20
"""Of a file about a simulated network."""


@dataclass(frozen=True)
class Platform:
    """A network and its hosts.

    `hosts` in the order in which processes are placed; `file` is None for a described network,
    whose text is in `xml`; `sha256` is over the XML text.
    """

    name: str
    description: str
    xml: str
    hosts: tuple[str, ...]
    sha256: str
    file: Path | None = None


def described(name: str, description: str, body: str, hosts: tuple[str, ...]) -> Platform:
    """Return the platform of a described network; `body` stands inside <platform>."""
    xml = (
        "<?xml version='1.0'?>\n"
        '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
        f'<platform version="4.1">\n{body}</platform>\n'
    )
    return Platform(name, description, xml, hosts, hashlib.sha256(xml.encode()).hexdigest())


def from_file(path: Path) -> Platform:
    """Read a platform file of SimGrid. Raises NetworkError."""
    try:
        text = read_text(path, LARGEST_BYTES)
        root = ET.fromstring(text)
    except ResultError as problem:
        raise NetworkError(f"--simulate {problem}") from None
    except (ET.ParseError, ValueError, LookupError):
        raise NetworkError(f"--simulate {path}: is not XML, as a SimGrid platform is") from None
    if root.tag != "platform":
        raise NetworkError(f"--simulate {path}: is XML, but its root is not <platform>")
    hosts = tuple(name for element in root.iter() for name in _hosts_of(element, path))
    if not hosts:
        raise NetworkError(
            f"--simulate {path}: names no <host>, <peer> or <cluster>; a platform made by a program"
            " cannot be used here"
        )
    if len(hosts) > MOST_HOSTS:
        raise NetworkError(f"--simulate {path}: names more than {MOST_HOSTS} hosts")
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Platform(path.stem, f"platform file {path.name}", text, hosts, digest, path.absolute())


def _hosts_of(element: ET.Element, path: Path) -> list[str]:
    if element.tag in ("host", "peer"):
        return [element.get("id", "")]
    if element.tag not in ("cluster", "cabinet"):
        return []
    prefix, suffix, radical = (element.get(key, "") for key in ("prefix", "suffix", "radical"))
    numbers: list[int] = []
    try:
        for first, _, last in (part.partition("-") for part in radical.split(",")):
            low, high = int(first), int(last or first)
            if high - low >= MOST_HOSTS - len(numbers):
                raise ValueError
            numbers += range(low, high + 1)
    except ValueError:
        raise NetworkError(
            f"--simulate {path}: the radical '{radical[:40]}' of a cluster is no list such as"
            f" 0-63,70 of at most {MOST_HOSTS} hosts"
        ) from None
    return [f"{prefix}{number}{suffix}" for number in numbers]


MOST_PROCESSES = 1_000_000
"""Of a simulation, whose processes are threads of one."""


RULES = ("block", "cyclic", "random")


def place(platform: Platform, processes: int, placement: str, seed: int) -> list[str]:
    """Return the host of each rank. Raises NetworkError.

    `placement` is one of RULES, with the number of processes per host as in `block:4`, or the path
    of a file with the host of each rank, one a line. Without a number, processes share hosts only
    where there are more of them than hosts.
    """
    rule, _, number = placement.partition(":")
    is_rule = placement in RULES or (rule in RULES and number != "")
    if is_rule and number and not re.fullmatch(r"[1-9]\d{0,6}", number, re.ASCII):
        raise NetworkError(f"--placement {placement}: must be like {rule}:4")
    if processes > MOST_PROCESSES:
        raise NetworkError(f"--processes {processes}: at most {MOST_PROCESSES} are simulated")
    if not is_rule:
        return _from_file(Path(placement), platform, processes)
    hosts = len(platform.hosts)
    most = int(number or -(-processes // hosts))
    used = -(-processes // most)
    if used > hosts:
        raise NetworkError(
            f"--placement {placement}: {processes} processes need {used} hosts, but"
            f" {platform.name} has {hosts}; leave the number out or give at least"
            f" {-(-processes // hosts)}"
        )
    indices = [rank % used if rule == "cyclic" else rank // most for rank in range(processes)]
    if rule == "random":
        random.Random(seed).shuffle(indices)
    return [platform.hosts[index] for index in indices]


def _from_file(path: Path, platform: Platform, processes: int) -> list[str]:
    try:
        lines = read_text(path, LARGEST_BYTES).split()
    except ResultError as problem:
        raise NetworkError(
            f"--placement {path}: is neither {', '.join(RULES)} nor a readable file with the host"
            f" of each rank, one a line ({problem.reason})"
        ) from None
    if len(lines) < processes:
        raise NetworkError(
            f"--placement {path}: names {len(lines)} hosts for {processes} processes; give a line"
            " for each"
        )
    known = set(platform.hosts)
    if unknown := [name for name in lines[:processes] if name not in known]:
        raise NetworkError(
            f"--placement {path}: {unknown[0]} is not a host of {platform.name}; its hosts are"
            f" {platform.hosts[0]} to {platform.hosts[-1]}"
        )
    return lines[:processes]


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

    `shape` names the numbers of its size; the product of the first `factors` is that of hosts.
    `topology` is SimGrid's name of it, empty where the hosts alone describe it, and `parameters`
    what it is told: {0} is the first number, {long} those above 1.
    """

    name: str
    shape: tuple[str, ...] = ("hosts",)
    topology: str = ""
    parameters: str = ""
    factors: int | None = None


def describe(network: Network, shape: tuple[int, ...], links: Links) -> Platform:
    """Return the platform of a network with the numbers of its shape. Raises NetworkError."""
    name, numbers, needed = network.name, "x".join(map(str, shape)), len(network.shape)
    count, why = math.prod(shape[: network.factors]), ""
    if len(shape) != needed:
        why = (
            f"needs {counted(needed, 'number')}, {' x '.join(network.shape)}, for example"
            f" {name}:{'x'.join('4' * needed)}"
        )
    elif count > MOST_HOSTS:
        why = f"a network has at most {MOST_HOSTS} hosts"
    elif name == _TWO_SWITCH and count % 2:
        why = "each switch has half of the hosts; give an even number"
    elif name == "torus" and count == 1:
        why = "has at least two hosts"
    elif name == "dragonfly" and shape[0] > shape[2]:
        why = (
            f"SimGrid crashes with more groups ({shape[0]}) than blades per chassis ({shape[2]});"
            f" give at least {shape[0]} blades"
        )
    if why:
        raise NetworkError(f"--simulate {name}{':' if shape else ''}{numbers}: {why}")
    description = (
        f"{name} of {count} hosts{f', shape {numbers}' if network.topology else ''}, links"
        f" {format_bandwidth(links.bandwidth)} and {format_latency(links.latency)}"
    )
    extents = ",".join(str(one) for one in shape if one > 1)
    parameters = network.parameters.format(*shape, long=extents)
    extra = f' topology="{network.topology}" topo_parameters="{parameters}"'
    body = _cluster(range(count), links, extra=extra if network.topology else "")
    if name == _TWO_SWITCH:
        description += (
            f", backbone {format_bandwidth(links.backbone_bandwidth)} and"
            f" {format_latency(links.backbone_latency)}"
        )
        body = _two_switch_body(count, links)
    names = tuple(f"n{number}" for number in range(count))
    return described(f"{name}-{numbers}", description, body, names)


def _cluster(hosts: range, links: Links, *, name: str = "c", extra: str = "") -> str:
    """Write the <cluster> of hosts n<first> ... with a link in each direction to their switch."""
    return (
        f'<cluster id="{name}" prefix="n" suffix="" radical="{hosts.start}-{hosts.stop - 1}"'
        f' speed="1Gf" bw="{links.bandwidth!r}Bps" lat="{links.latency!r}s"'
        f' loopback_bw="{links.loopback_bandwidth!r}Bps"'
        f' loopback_lat="{links.loopback_latency!r}s"{extra}/>\n'
    )


def _two_switch_body(hosts: int, links: Links) -> str:
    half = hosts // 2
    routes = (
        f'<zoneRoute src="s{a}" dst="s{b}" gw_src="r{a}" gw_dst="r{b}" symmetrical="NO">'
        f'<link_ctn id="backbone" direction="{direction}"/></zoneRoute>\n'
        for a, b, direction in ((0, 1, "UP"), (1, 0, "DOWN"))
    )
    return (
        '<zone id="world" routing="Full">\n'
        + _cluster(range(half), links, name="s0", extra=' router_id="r0"')
        + _cluster(range(half, hosts), links, name="s1", extra=' router_id="r1"')
        + f'<link id="backbone" bandwidth="{links.backbone_bandwidth!r}Bps"'
        f' latency="{links.backbone_latency!r}s" sharing_policy="SPLITDUPLEX"/>\n'
        + "".join(routes)
        + "</zone>\n"
    )


_TWO_SWITCH = "two-switch"
_NETWORKS = (
    Network("flat"),  # one switch that never blocks
    Network(_TWO_SWITCH),  # with half of the hosts each, joined by a backbone
    # leaf switches, each joined to every spine switch by one link; SimGrid is told levels, children
    # of a switch, level by level, parents and parallel links
    Network(
        "fat-tree",
        ("hosts per leaf", "leaves", "spines"),
        "FAT_TREE",
        "2;{0},{1};1,{2};1,1",
        factors=2,
    ),
    # three-dimensional, with a host at each crossing; SimGrid makes the link of an extent of 1
    # twice and stops
    Network("torus", ("x", "y", "z"), "TORUS", "{long}"),
    # groups of chassis of blades, all joined to all on each level; each number of switches stands
    # with that of parallel links between two of them
    Network(
        "dragonfly", ("groups", "chassis", "blades", "nodes"), "DRAGONFLY", "{0},1;{1},1;{2},1;{3}"
    ),
)
NETWORKS = {network.name: network for network in _NETWORKS}


_BACKBONE = "backbone="


def parse_network(text: str, processes: int) -> Platform:
    """Read NAME[:SIZE][,BANDWIDTH][,LATENCY][,backbone=BANDWIDTH]. Raises NetworkError.

    By default there is a host for each process.
    """
    first, *others = text.split(",")
    name, _, size = first.partition(":")
    network = NETWORKS.get(name)
    if network is None:
        raise NetworkError(f"--simulate {text}: '{name}' is none of {', '.join(NETWORKS)}")
    if size and not re.fullmatch(r"[1-9]\d{0,6}(x[1-9]\d{0,6})*", size, re.ASCII):
        raise NetworkError(
            f"--simulate {text}: '{size}' must be whole numbers from 1, such as 16x4"
        )
    bandwidth, latency, backbone = parse_bandwidth("12.5GB/s"), parse_latency("500ns"), None
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
    if backbone is not None and name != _TWO_SWITCH:
        raise NetworkError(f"--simulate {text}: has no backbone, which belongs to two-switch")
    links = Links(bandwidth, latency, backbone or bandwidth, latency)
    usual = (processes,) if len(network.shape) == 1 else ()
    return describe(network, tuple(map(int, size.split("x"))) if size else usual, links)
