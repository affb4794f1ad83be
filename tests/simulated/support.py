"""Runs b_eff in SimGrid's SMPI on networks whose speed the tests choose, also host by host.

network = star(8, bandwidth=125e6, latency=50e-6, slow={3: 0.25})
result = run_b_eff(folder, network, network.hosts, "--patterns", "0-35")
"""

from __future__ import annotations

import functools
import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from beff.analysis.verify import verify
from beff.launch.process import Ended
from beff.model.load import load_document
from beff.simulate.engine import find_or_build_engine
from beff.simulate.networks.network import Links
from beff.simulate.platform import Platform, described, from_file
from beff.simulate.simgrid import find_smpirun
from beff.simulate.simulation import Programs, Simulation, simulate

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
def engine() -> Path:
    """b_eff for SMPI, built when its sources have changed."""
    return find_or_build_engine(None)


def run_b_eff(
    folder: Path,
    platform: Platform,
    hosts: Sequence[str],
    *options: str,
    model: str = "exact",
    settings: Sequence[str] = (),
    memory_bytes: int = MEMORY_BYTES,
    check_data: bool = False,
    seed: int = 1,
) -> dict[str, Any]:
    """Run b_eff with one process on each of `hosts`, in rank order; return its verified result.

    Without other options all patterns are measured by MPI_Sendrecv and the non-blocking method,
    one iteration each. `settings` are further ones of SimGrid, as KEY:VALUE.
    """
    simulation = Simulation(
        platform=platform,
        hosts=tuple(hosts),
        placement="block",
        model=model,
        settings=tuple(settings),
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


def run_simulation(simulation: Simulation, prefix: Path, *options: str) -> Ended:
    """Run b_eff with exactly these options."""
    programs = Programs(find_smpirun(None), engine())
    return simulate(simulation, programs, prefix, list(options), lambda: None)


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
    factors = slow or {}
    links = "".join(
        f'<link id="l{host}_{way}" bandwidth="{bandwidth * factors.get(host, 1.0)!r}Bps"'
        f' latency="{latency!r}s"/>\n'
        for host in range(hosts)
        for way in ("up", "down")
    )
    return described("star", f"star of {hosts} hosts", _star_body(hosts, links), _names(hosts))


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
    text = described("star", "", _star_body(hosts, links), _names(hosts)).xml
    path = folder / "star.xml"
    path.write_text(text, encoding="utf-8")
    return from_file(path)


def _star_body(hosts: int, links: str) -> str:
    machines = "".join(f'<host id="n{host}" speed="1Gf"/>\n' for host in range(hosts))
    ways = "".join(
        f'<host_link id="n{host}" up="l{host}_up" down="l{host}_down"/>\n' for host in range(hosts)
    )
    return (
        '<zone id="world" routing="Cluster">\n'
        f'{machines}{links}{ways}<router id="switch"/>\n</zone>\n'
    )


def _names(hosts: int) -> tuple[str, ...]:
    return tuple(f"n{host}" for host in range(hosts))
