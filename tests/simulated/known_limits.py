"""Simulated machines of which it is known what limits b_eff, for the tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

from beff.result.load import check_document
from beff.twin.limit import Limit, limit_of
from beff.twin.networks import NETWORKS, Links, describe
from beff.twin.platform import Platform, described, place
from simulated.support import leaves, mesh, run_b_eff, run_b_pairs, star

RATE = 125e6
"""Bandwidth of a usual link in byte/s."""
LATENCY = 1e-6
_LINKS = Links(
    bandwidth=RATE, latency=LATENCY, backbone_bandwidth=2 * RATE, backbone_latency=LATENCY
)


@dataclass(frozen=True)
class Machine:
    """A platform, and the names of the roofs that are right; `None` among them: none is.

    `per_host` processes run on each host, host after host or dealt out in turn.
    """

    name: str
    platform: Callable[[], Platform]
    right: tuple[str | None, ...]
    per_host: int = 1
    rule: str = "block"
    memory_bytes: int = 128 * 2**20


def _star(hosts: int, slow: dict[int, float] | None = None) -> Callable[[], Platform]:
    return lambda: star(hosts, bandwidth=RATE, latency=LATENCY, slow=slow)


def _tapered(size: int, count: int, taper: float) -> Callable[[], Platform]:
    uplinks = (size * RATE / taper,) * count
    return lambda: leaves((size,) * count, bandwidth=RATE, uplinks=uplinks)


def _one_thin_uplink() -> Platform:
    return leaves((4,) * 4, bandwidth=RATE, uplinks=(RATE, *(4 * RATE,) * 3))


def _preset(
    name: str, hosts: int | None, shape: tuple[int, ...] | None, links: Links = _LINKS
) -> Callable[[], Platform]:
    return lambda: describe(NETWORKS[name], hosts, shape, links)


def _one_host(*, shared: bool) -> Platform:
    """One host whose processes share a link of 5 GB/s, or each have it for themselves."""
    policy = "SHARED" if shared else "FATPIPE"
    body = (
        '<zone id="world" routing="Full">\n<host id="n0" speed="1Gf"/>\n'
        f'<link id="loop" bandwidth="5GBps" latency="200ns" sharing_policy="{policy}"/>\n'
        '<route src="n0" dst="n0"><link_ctn id="loop"/></route>\n</zone>\n'
    )
    return described("host", "one host", body, ("n0",))


def _rails(hosts: int) -> Platform:
    """Hosts on two switches, with a link to each; which two use follows from their numbers."""
    names = tuple(f"n{host}" for host in range(hosts))
    machines = "".join(f'<host id="{name}" speed="1Gf"/>\n' for name in names)
    links = "".join(
        f'<link id="l{host}_{rail}" bandwidth="{RATE!r}Bps" latency="{LATENCY!r}s"'
        ' sharing_policy="SPLITDUPLEX"/>\n'
        for host in range(hosts)
        for rail in range(2)
    )
    loop = '<link id="loop" bandwidth="5GBps" latency="200ns" sharing_policy="FATPIPE"/>\n'
    loops = "".join(
        f'<route src="{name}" dst="{name}"><link_ctn id="loop"/></route>\n' for name in names
    )
    routes = "".join(
        f'<route src="n{a}" dst="n{b}" symmetrical="NO">'
        f'<link_ctn id="l{a}_{(a * b) % 2}" direction="UP"/>'
        f'<link_ctn id="l{b}_{(a * b) % 2}" direction="DOWN"/></route>\n'
        for a, b in permutations(range(hosts), 2)
    )
    body = f'<zone id="world" routing="Full">\n{machines}{links}{loop}{loops}{routes}</zone>\n'
    return described("rails", f"{hosts} hosts with two rails", body, names)


_FAR = Links(bandwidth=12.5e9, latency=500e-6, backbone_bandwidth=12.5e9, backbone_latency=500e-6)
_SITES = [
    Links(bandwidth=RATE, latency=LATENCY, backbone_bandwidth=4e9, backbone_latency=apart_s)
    for apart_s in (3e-3, 10e-3)
]
_THIN = Links(bandwidth=RATE, latency=LATENCY, backbone_bandwidth=RATE, backbone_latency=LATENCY)
UPLINK, LINKS_BETWEEN, PORT = "uplink", "links of the network", "port rate"
MACHINES = (
    Machine("one switch", _star(8), (PORT,)),
    Machine("one switch, 16 hosts", _star(16), (PORT,)),
    Machine("one switch, 2 processes a host", _star(8), (PORT, None), per_host=2),
    Machine("one switch, 4 a host in turn", _star(4), (PORT, None), per_host=4, rule="cyclic"),
    Machine("leaves of 4, uplinks 1:1", _tapered(4, 4, 1), (PORT,)),
    Machine("leaves of 4, uplinks 2:1", _tapered(4, 4, 2), (UPLINK,)),
    Machine("leaves of 4, uplinks 4:1", _tapered(4, 4, 4), (UPLINK,)),
    Machine("leaves of 8, uplinks 2:1", _tapered(8, 4, 2), (UPLINK,)),
    Machine("leaves of 4, 2:1, 2 a host", _tapered(4, 4, 2), (UPLINK, None), per_host=2),
    Machine("two switches, backbone 1:4", _preset("two-switch", 8, None, _THIN), (UPLINK,)),
    Machine("two switches, backbone 1:8", _preset("two-switch", 16, None, _THIN), (UPLINK,)),
    Machine("torus 4x4x2", _preset("torus", None, (4, 4, 2)), (LINKS_BETWEEN,)),
    Machine("torus 16x1x1", _preset("torus", None, (16, 1, 1)), (LINKS_BETWEEN,)),
    Machine("dragonfly", _preset("dragonfly", None, (2, 2, 4, 2)), (LINKS_BETWEEN, UPLINK, None)),
    Machine("latency 1 ms", _preset("flat", 8, None, _FAR), ("latency",)),
    Machine("latency 1 ms, two switches", _preset("two-switch", 8, None, _FAR), ("latency",)),
    Machine(
        "two sites, 3 ms apart", _preset("two-switch", 16, None, _SITES[0]), (PORT, "latency", None)
    ),
    Machine(
        "two sites, 10 ms apart", _preset("two-switch", 16, None, _SITES[1]), ("latency", None)
    ),
    Machine(
        "fat tree 4x4, 2 spines", _preset("fat-tree", None, (4, 4, 2)), (UPLINK, LINKS_BETWEEN)
    ),
    Machine(
        "fat tree 4x4, 4 spines", _preset("fat-tree", None, (4, 4, 4)), (PORT, LINKS_BETWEEN, None)
    ),
    Machine("one uplink of 4 at 1/4", _one_thin_uplink, (UPLINK,)),
    Machine("three hosts", _star(3), (PORT, None)),
    Machine("two hosts, 4 processes each", _star(2), (PORT, None), per_host=4),
    Machine("one host x 2", _star(8, {3: 1 / 2}), ("slow host",)),
    Machine("one host x 4 of 16", _star(16, {11: 1 / 4}), ("slow host",)),
    Machine("two hosts x 2 of 16", _star(16, {2: 1 / 2, 9: 1 / 2}), ("slow host",)),
    Machine("one host x 1.3", _star(8, {3: 1 / 1.3}), ("slow host", PORT)),
    Machine(
        "cables, one of 6 x 4",
        lambda: mesh(4, bandwidth=RATE, slow={(1, 2): 1 / 4}),
        ("slow link",),
    ),
    Machine(
        "cables, one of 28 x 2", lambda: mesh(8, bandwidth=RATE, slow={(2, 5): 1 / 2}), (None,)
    ),
    Machine("cables", lambda: mesh(8, bandwidth=RATE, slow={}), (None,)),
    Machine("two rails", lambda: _rails(8), (PORT, None)),
    Machine(
        "one host, memory shared", lambda: _one_host(shared=True), ("memory copies",), per_host=8
    ),
    Machine("one host, memory for each", lambda: _one_host(shared=False), (None,), per_host=8),
)


def measured_on(machine: Machine, folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the results of b_eff and b_pairs on a machine."""
    platform = machine.platform()
    processes = machine.per_host * len(platform.hosts)
    hosts = place(platform, processes, machine.rule, machine.per_host, seed=1)
    return (
        run_b_eff(folder, platform, hosts, "--patterns", "0-39", memory_bytes=machine.memory_bytes),
        run_b_pairs(folder, platform, hosts),
    )


def said_of(machine: Machine, folder: Path) -> Limit:
    """Measure, and return what is said of it; of one host that may be nothing."""
    b_eff, b_pairs = measured_on(machine, folder)
    limit = limit_of(check_document("b_eff", b_eff), check_document("b_pairs", b_pairs))
    assert limit is not None or b_eff["environment"]["nodes"] == 1
    return limit or Limit(None, "nothing is said of one host whose copies are not known")
