"""Runs b_eff in SimGrid's SMPI on networks whose speed the tests choose, also host by host.

network = star(8, bandwidth=125e6, latency=50e-6, slow={3: 0.25})
result = run_b_eff(folder, network, network.hosts, "--patterns", "0-35")
"""

from __future__ import annotations

import functools
import json
import shutil
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest

from beff.definition.verify import verify
from beff.launch.campaign import Left, made
from beff.launch.networks import Links
from beff.launch.platform import Platform, described, from_file
from beff.launch.programs import find_or_build_engine, find_smpirun
from beff.launch.simulation import Programs, SimulationPlan, result_of, start_of
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
    """The program for SMPI, built when its sources have changed."""
    return find_or_build_engine(None, benchmark)


def run_b_eff(
    folder: Path,
    platform: Platform,
    hosts: Sequence[str],
    *options: str,
    model: str = "exact",
    memory_bytes: int = MEMORY_BYTES,
    check_data: bool = False,
    seed: int = 1,
) -> dict[str, Any]:
    """Run b_eff with one process on each of `hosts`, in rank order; return its verified result.

    Without other options all patterns are measured by MPI_Sendrecv and the non-blocking method,
    one iteration each.
    """
    simulation = SimulationPlan(
        platform=platform,
        hosts=tuple(hosts),
        placement="block",
        model=model,
        folded=not check_data,
    )
    prefix = folder / "b_eff"
    run_simulation(
        simulation,
        prefix,
        *("--memory-per-process", f"{memory_bytes}B", "--seed", str(seed), "--quiet"),
        *([] if check_data else ["--no-check"]),
        *ONE_ITERATION,
        *("--methods", "sendrecv,nonblocking", "--overwrite"),
        *options,
    )
    path = Path(f"{prefix}.json")
    assert verify(load_document(path)).findings == ()
    result: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return result


def run_b_pairs(
    folder: Path,
    platform: Platform,
    hosts: Sequence[str] | None = None,
    options: Sequence[str] = (),
) -> dict[str, Any]:
    """Run b_pairs, three passes, with one process on each host; return its verified result.

    With `hosts` there is a process on each of these, in rank order.
    """
    simulation = SimulationPlan(
        platform=platform,
        hosts=tuple(platform.hosts if hosts is None else hosts),
        placement="block",
        model="exact",
        folded=True,
    )
    prefix = folder / "b_pairs"
    memory = ("--memory-per-process", f"{MEMORY_BYTES}B")
    usual = (*memory, "--seed", "1", "--duration", "1us", "--quiet", "--overwrite")
    run_simulation(simulation, prefix, *usual, *options, benchmark="b_pairs")
    path = Path(f"{prefix}.json")
    assert verify(load_document(path)).findings == ()
    result: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return result


def run_simulation(
    simulation: SimulationPlan, prefix: Path, *options: str, benchmark: str = "b_eff"
) -> Left:
    """Run a program with exactly these options."""
    programs = Programs(find_smpirun(), engine(benchmark))
    start = start_of(simulation, benchmark, programs, prefix, options)
    left = made(start, lambda _: nullcontext(lambda _: None))
    assert result_of(left)
    return left


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


def mesh(hosts: int, *, bandwidth: float, slow: Mapping[tuple[int, int], float]) -> Platform:
    """Hosts n0, n1, ... each with a cable of its own to each other, 50 us long, shared both ways.

    `slow` multiplies the bandwidth of single cables, the smaller number first.
    """
    names = _names(hosts)
    pairs = list(combinations(range(hosts), 2))
    machines = "".join(f'<host id="{name}" speed="1Gf"/>\n' for name in names)
    links = "".join(
        f'<link id="c{a}_{b}" bandwidth="{bandwidth * slow.get((a, b), 1.0)!r}Bps" latency="50us"'
        ' sharing_policy="FATPIPE"/>\n'
        for a, b in pairs
    )
    routes = "".join(
        f'<route src="n{a}" dst="n{b}"><link_ctn id="c{a}_{b}"/></route>\n' for a, b in pairs
    )
    loops = "".join(
        f'<route src="{name}" dst="{name}"><link_ctn id="loop"/></route>\n' for name in names
    )
    loop = '<link id="loop" bandwidth="5GBps" latency="1us" sharing_policy="FATPIPE"/>\n'
    body = f'<zone id="world" routing="Full">\n{machines}{loop}{links}{loops}{routes}</zone>\n'
    return described("mesh", f"mesh of {hosts} hosts", body, names)


def leaves(
    sizes: Sequence[int],
    *,
    bandwidth: float,
    uplinks: Sequence[float],
    latency: float = 50e-6,
    uplink_latency: float = 50e-6,
    slow: Mapping[int, float] | None = None,
) -> Platform:
    """Hosts n0, n1, ... on leaf switches, each of which has one link to a root of any speed.

    bandwidth is that of hosts in byte/s, `uplinks` that of the leaves; latency of links of hosts in
    seconds. `slow` multiplies the bandwidth of single hosts' links.
    """
    zones, ups, routes, first = "", "", "", 0
    for leaf, (size, speed) in enumerate(zip(sizes, uplinks, strict=True)):
        hosts = range(first, first + size)
        zones += _star_zone(f"leaf{leaf}", hosts, _host_links(hosts, bandwidth, latency, slow))
        ups += f'<link id="up{leaf}" bandwidth="{speed!r}Bps" latency="{uplink_latency!r}s"'
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


def star_with_jitter(
    folder: Path,
    profiles: Sequence[Sequence[tuple[float, float]]],
    *,
    latency: float,
    loop_after_s: float,
) -> Platform:
    """A star whose links change their bandwidth with time, in both directions alike.

    `profiles` has for each host the times in seconds, from 0 ascending, and the byte/s from then
    on; after the last of them and another `loop_after_s` the course begins anew. The files go into
    `folder`.
    """
    links = ""
    for host, profile in enumerate(profiles):
        course = "".join(f"{time!r} {speed!r}\n" for time, speed in profile)
        for way in ("up", "down"):
            (folder / f"l{host}_{way}.bw").write_text(f"{course}LOOPAFTER {loop_after_s!r}\n")
        links += "".join(
            f'<link id="l{host}_{way}" bandwidth="{profile[0][1]!r}Bps" latency="{latency!r}s"'
            f' bandwidth_file="l{host}_{way}.bw"/>\n'
            for way in ("up", "down")
        )
    hosts = len(profiles)
    text = described("star", "", _star_zone("world", range(hosts), links), _names(hosts)).xml
    path = folder / "star.xml"
    path.write_text(text, encoding="utf-8")
    return from_file(path)


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
