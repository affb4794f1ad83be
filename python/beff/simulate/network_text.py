"""A network in one text, as `--network` has it: `fat-tree:16x4x4,1GB/s,1us`."""

import re
from dataclasses import dataclass, replace

from beff.model.errors import NetworkError
from beff.model.quantities import parse_bandwidth, parse_latency
from beff.simulate.networks import NETWORKS, Links, Network, describe
from beff.simulate.platform import Platform

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
                f"--network {self.network.name}:{given}: give the number of hosts alone, such as"
                f" {self.network.name}:16"
            )
        return describe(self.network, self.size[0] if self.size else processes, None, self.links)


def parse_network(text: str) -> NetworkText:
    """Read NAME[:SIZE][,BANDWIDTH][,LATENCY][,backbone=BANDWIDTH]. Raises NetworkError."""
    first, *others = text.split(",")
    name, _, size = first.partition(":")
    network = NETWORKS.get(name)
    if network is None:
        raise NetworkError(f"--network {text}: '{name}' is none of {', '.join(NETWORKS)}")
    if size and not re.fullmatch(r"[1-9]\d{0,6}(x[1-9]\d{0,6})*", size, re.ASCII):
        raise NetworkError(f"--network {text}: '{size}' must be whole numbers from 1, such as 16x4")
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
            raise NetworkError(f"--network {text}: '{item}' {problem}") from None
    if backbone is not None and name != "two-switch":
        raise NetworkError(f"--network {text}: has no backbone, which belongs to two-switch")
    links = Links(bandwidth, latency, bandwidth, latency)
    if backbone is not None:
        links = replace(links, backbone_bandwidth=backbone)
    numbers = tuple(map(int, size.split("x"))) if size else None
    return NetworkText(network, numbers, links)
