"""Runs b_eff in SimGrid's SMPI on networks whose speed the tests choose, also host by host.

network = star(8, bandwidth=125e6, latency=50e-6, slow={3: 0.25})
result = run_b_eff(folder, network, network.hosts, "--patterns", "0-35")
"""

import functools
import json
import shutil
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from beff.definition.verify import verify
from beff.launch.campaign import made
from beff.launch.networks import Links, Platform, described
from beff.launch.simulation import SimulationPlan, find_simulated_engine, find_smpirun, start_of
from beff.result.load import load_document

ROOT = Path(__file__).resolve().parents[2]
MPI_HEADER_BYTES = 16
"""What SMPI adds to each message on the wire."""
ONE_ITERATION = ("--loop-time", "1us", "--repetitions", "1", "--time-limit", "1000000h")
"""Every repetition of an exact simulation is the same, so one iteration is enough."""
LINKS = Links(
    bandwidth=125e6,
    latency=50e-6,
    loopback_bandwidth=5e9,
    loopback_latency=1e-6,
    backbone_bandwidth=50e6,
    backbone_latency=200e-6,
)
MEMORY_BYTES = 128 * 2**20
"""L_max is 1 MiB."""

needs_simgrid = pytest.mark.skipif(
    shutil.which("smpirun") is None or shutil.which("smpicxx") is None,
    reason="SimGrid with SMPI is not installed (Debian: libsimgrid-dev)",
)


@functools.cache
def engine(benchmark: str) -> Path:
    """The program for SMPI, which `make test-all` builds."""
    return find_simulated_engine(None, benchmark)


def run_b_eff(
    folder: Path,
    platform: Platform,
    hosts: Sequence[str],
    *options: str,
    seed: int = 1,
) -> dict[str, Any]:
    """Run b_eff with one process on each of `hosts`, in rank order; return its verified result.

    Without other options all patterns are measured by MPI_Sendrecv and the non-blocking method,
    one iteration each.
    """
    usual = (*ONE_ITERATION, "--no-check", "--methods", "sendrecv,nonblocking")
    words = ("--memory-per-process", f"{MEMORY_BYTES}B", "--seed", str(seed), *usual, *options)
    return _measured("b_eff", folder, platform, hosts, words)


def run_b_pairs(
    folder: Path,
    platform: Platform,
    hosts: Sequence[str] | None = None,
    options: Sequence[str] = (),
) -> dict[str, Any]:
    """Run b_pairs, three passes, with one process on each host; return its verified result.

    With `hosts` there is a process on each of these, in rank order.
    """
    usual = ("--memory-per-process", f"{MEMORY_BYTES}B", "--seed", "1", "--duration", "1us")
    return _measured("b_pairs", folder, platform, hosts or platform.hosts, (*usual, *options))


def _measured(
    benchmark: str, folder: Path, platform: Platform, hosts: Sequence[str], options: Sequence[str]
) -> dict[str, Any]:
    simulation = SimulationPlan(platform, tuple(hosts), placement="block", model="exact")
    prefix = folder / benchmark
    words = (*options, "--quiet", "--overwrite")
    start = start_of(simulation, benchmark, (find_smpirun(), engine(benchmark)), prefix, words)
    assert made(start, lambda _: nullcontext(lambda _: None)).result
    path = Path(f"{prefix}.json")
    assert verify(load_document(path)).findings == ()
    result: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return result


def star(
    hosts: int,
    *,
    bandwidth: float,
    latency: float,
    slow: Mapping[int, float] | None = None,
) -> Platform:
    """Hosts n0, n1, ... around one switch, each with a link of its own in each direction.

    bandwidth in byte/s, latency in seconds; `slow` multiplies the bandwidth of single hosts' links.
    """
    zone = _star_zone("world", range(hosts), _host_links(range(hosts), bandwidth, latency, slow))
    return described("star", f"star of {hosts} hosts", zone, _names(hosts))


def leaves(sizes: Sequence[int], *, bandwidth: float, uplinks: Sequence[float]) -> Platform:
    """Hosts n0, n1, ... on leaf switches, each of which has one link to a root of any speed.

    bandwidth is that of hosts in byte/s, `uplinks` that of the leaves; all links are 50 us long.
    """
    zones, ups, routes, first = "", "", "", 0
    for leaf, (size, speed) in enumerate(zip(sizes, uplinks, strict=True)):
        hosts = range(first, first + size)
        zones += _star_zone(f"leaf{leaf}", hosts, _host_links(hosts, bandwidth, 50e-6, None))
        ups += f'<link id="up{leaf}" bandwidth="{speed!r}Bps" latency="50us"'
        ups += ' sharing_policy="SPLITDUPLEX"/>\n'
        first += size
    for a, b in permutations(range(len(sizes)), 2):
        routes += (
            f'<zoneRoute src="leaf{a}" dst="leaf{b}" gw_src="leaf{a}_switch"'
            f' gw_dst="leaf{b}_switch" symmetrical="NO"><link_ctn id="up{a}" direction="UP"/>'
            f'<link_ctn id="up{b}" direction="DOWN"/></zoneRoute>\n'
        )
    body = f'<zone id="world" routing="Full">\n{zones}{ups}{routes}</zone>\n'
    return described("leaves", f"{len(sizes)} leaf switches", body, _names(first))


def _host_links(
    hosts: Sequence[int], bandwidth: float, latency: float, slow: Mapping[int, float] | None
) -> str:
    """The links l0_up, l0_down, ... of hosts; `slow` multiplies the bandwidth of single hosts'."""
    factors = slow or {}
    return "".join(
        f'<link id="l{host}_{way}" bandwidth="{bandwidth * factors.get(host, 1.0)!r}Bps"'
        f' latency="{latency!r}s"/>\n'
        for host in hosts
        for way in ("up", "down")
    )


def _star_zone(name: str, hosts: Sequence[int], links: str) -> str:
    """Hosts around a switch, and their links."""
    machines = "".join(f'<host id="n{host}" speed="1Gf"/>\n' for host in hosts)
    ways = "".join(
        f'<host_link id="n{host}" up="l{host}_up" down="l{host}_down"/>\n' for host in hosts
    )
    return (
        f'<zone id="{name}" routing="Cluster">\n'
        f'{machines}{links}{ways}<router id="{name}_switch"/>\n</zone>\n'
    )


def _names(hosts: int) -> tuple[str, ...]:
    return tuple(f"n{host}" for host in range(hosts))
