"""Where the network is known exactly, b_eff must measure what follows from it."""

import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.random_rings import random_order

from beff.launch.networks import NETWORKS, describe, place
from beff.result.bounds import expanded
from simulated.support import LINKS, MPI_HEADER_BYTES, engine, needs_simgrid, run_b_eff

Law = Callable[[int], float]
"""Seconds of an iteration for a message size in byte."""


@dataclass(frozen=True)
class Route:
    """Latency in seconds of a route, and byte/s of its narrowest link, shared by `flows`."""

    latency: float
    bandwidth: float
    flows: int = 1

    def message(self, size: int) -> float:
        """Seconds of one message while the other flows of the link send one as well."""
        return self.latency + self.flows * (size + MPI_HEADER_BYTES) / self.bandwidth


def one_after_the_other(route: Route, messages: int) -> Law:
    """MPI_Sendrecv: each message starts when the one before has arrived."""
    return lambda size: messages * route.message(size)


def all_at_once(route: Route, messages: int) -> Law:
    """Non-blocking: a process's messages share the route from the start."""
    shared = Route(route.latency, route.bandwidth, route.flows * messages)
    return shared.message


def deviation(result: dict[str, Any], pattern: int, method: str, law: Law) -> float:
    """Largest relative deviation of slowest and fastest process from the law, over all sizes."""
    samples, sizes = result["samples"], result["message_sizes_bytes"]
    wanted = result["methods"].index(method)
    found = [
        abs(time / samples["loop_length"][i] / law(sizes[samples["size"][i]]) - 1)
        for i, key in enumerate(zip(samples["pattern"], samples["method"], strict=True))
        if key == (pattern, wanted)
        for time in (samples["time_max_s"][i], samples["time_min_s"][i])
    ]
    assert len(found) == 2 * len(sizes), f"pattern {pattern} was not measured by {method}"
    return max(found)


def time_at(result: dict[str, Any], pattern: int, method: str, size: int = -1) -> float:
    """Seconds per iteration, slowest process, for a size by its index (the last one: L_max)."""
    samples = result["samples"]
    index = range(len(result["message_sizes_bytes"]))[size]
    wanted = (pattern, index, result["methods"].index(method))
    columns = zip(samples["pattern"], samples["size"], samples["method"], strict=True)
    place = list(columns).index(wanted)
    return float(samples["time_max_s"][place] / samples["loop_length"][place])


pytestmark = needs_simgrid

TOLERANCE = 1e-3
TWO_LINKS = Route(2 * LINKS.latency, LINKS.bandwidth)
BEST_BISECTION, WORST_BISECTION, PING_PONG = 37, 38, 39


def flat(folder: Path, hosts: int, *options: str) -> dict[str, Any]:
    network = describe(NETWORKS["flat"], (hosts,), LINKS)
    return run_b_eff(folder, network, network.hosts, *options)


@pytest.mark.parametrize("hosts", [2, 3, 4, 7, 8, 16])
def test_rings_on_one_switch(tmp_path: Path, hosts: int) -> None:
    """Rings, random rings and the worst cycle: all processes send and receive alike."""
    result = flat(tmp_path, hosts, "--patterns", "0-36")
    alike = 0
    for pattern in result["patterns"]:
        rings = expanded(pattern["ring_sizes"])
        if len({min(size, 3) for size in rings}) > 1:
            continue  # processes in rings of two have one neighbour only, the others two
        alike += 1
        messages = 1 if rings[0] == 2 else 2
        sendrecv = one_after_the_other(TWO_LINKS, messages)
        nonblocking = all_at_once(TWO_LINKS, messages)
        assert deviation(result, pattern["id"], "sendrecv", sendrecv) < TOLERANCE
        assert deviation(result, pattern["id"], "nonblocking", nonblocking) < TOLERANCE
    assert alike >= 36


@pytest.mark.parametrize("hosts", [2, 8])
def test_pairs_on_one_switch(tmp_path: Path, hosts: int) -> None:
    """A message there, then one back; links carry both ways at once without loss."""
    result = flat(tmp_path, hosts, "--patterns", "37-39")
    for pattern in (BEST_BISECTION, WORST_BISECTION):
        assert deviation(result, pattern, "sendrecv", one_after_the_other(TWO_LINKS, 2)) < TOLERANCE
        assert deviation(result, pattern, "nonblocking", all_at_once(TWO_LINKS, 1)) < TOLERANCE
    assert deviation(result, PING_PONG, "sendrecv", one_after_the_other(TWO_LINKS, 2)) < TOLERANCE


def test_cyclic_grids_on_one_switch(tmp_path: Path) -> None:
    """27 processes make 3 x 3 x 3 and 9 x 3: each has two messages per direction."""
    result = flat(tmp_path, 27, "--patterns", "42-48", "--sizes", "0-20")
    directions = {42: 1, 43: 1, 44: 2, 45: 1, 46: 1, 47: 1, 48: 3}
    assert [pattern["id"] for pattern in result["patterns"]] == sorted(directions)
    for pattern, count in directions.items():
        messages = 2 * count
        sendrecv = one_after_the_other(TWO_LINKS, messages)
        assert deviation(result, pattern, "sendrecv", sendrecv) < TOLERANCE
        nonblocking = all_at_once(TWO_LINKS, messages)
        assert deviation(result, pattern, "nonblocking", nonblocking) < TOLERANCE


@pytest.mark.parametrize("hosts", [8, 16])
def test_pairs_across_a_backbone(tmp_path: Path, hosts: int) -> None:
    network = describe(NETWORKS["two-switch"], (hosts,), LINKS)
    result = run_b_eff(tmp_path, network, network.hosts, "--patterns", "37,38")
    across = Route(
        2 * LINKS.latency + LINKS.backbone_latency, LINKS.backbone_bandwidth, flows=hosts // 2
    )
    for pattern, route in ((WORST_BISECTION, across), (BEST_BISECTION, TWO_LINKS)):
        assert deviation(result, pattern, "sendrecv", one_after_the_other(route, 2)) < TOLERANCE
        assert deviation(result, pattern, "nonblocking", all_at_once(route, 1)) < TOLERANCE


@pytest.mark.parametrize("spines", [1, 4])
def test_pairs_through_a_fat_tree(tmp_path: Path, spines: int) -> None:
    """The worst bisection joins each leaf with one other: its hosts share the leaf's uplinks."""
    leaf_hosts = 4
    network = describe(NETWORKS["fat-tree"], (leaf_hosts, 4, spines), LINKS)
    result = run_b_eff(tmp_path, network, network.hosts, "--patterns", "37,38")
    four_links = Route(4 * LINKS.latency, LINKS.bandwidth, flows=leaf_hosts // spines)
    for pattern, route in ((WORST_BISECTION, four_links), (BEST_BISECTION, TWO_LINKS)):
        assert deviation(result, pattern, "sendrecv", one_after_the_other(route, 2)) < TOLERANCE
        assert deviation(result, pattern, "nonblocking", all_at_once(route, 1)) < TOLERANCE


def test_ring_of_a_torus(tmp_path: Path) -> None:
    """Three hosts in a circle of three links: each message takes a link of its own."""
    network = describe(NETWORKS["torus"], (3, 1, 1), LINKS)
    result = run_b_eff(tmp_path, network, network.hosts, "--patterns", "5")
    one_link = Route(LINKS.latency, LINKS.bandwidth)
    assert deviation(result, 5, "sendrecv", one_after_the_other(one_link, 2)) < TOLERANCE
    assert deviation(result, 5, "nonblocking", all_at_once(one_link, 1)) < TOLERANCE


def test_block_placement_against_cyclic(tmp_path: Path) -> None:
    """One ring over 4 hosts with 2 processes each.

    Filled host by host, each host's link carries one message a step; dealt out, it carries two.
    """
    network = describe(NETWORKS["flat"], (4,), LINKS)
    times = {}
    for rule in ("block", "cyclic"):
        hosts = place(network, 8, rule, seed=0)
        result = run_b_eff(tmp_path, network, hosts, "--patterns", "5")
        assert result["environment"]["nodes"] == 4
        times[rule] = time_at(result, 5, "sendrecv")
    size = result["message_sizes_bytes"][-1]
    two_flows = Route(TWO_LINKS.latency, TWO_LINKS.bandwidth, flows=2)
    predicted = two_flows.message(size) / TWO_LINKS.message(size)
    assert predicted == pytest.approx(1.988, abs=1e-3)
    assert times["cyclic"] / times["block"] == pytest.approx(predicted, rel=TOLERANCE)


def test_random_rings_suffer_from_a_thin_backbone(tmp_path: Path) -> None:
    """All messages of a ring at once: the backbone carries those between neighbours apart.

    The sequential ring crosses twice, which this backbone carries without loss; a random ring
    crosses more often. Without latency of its own the backbone shares fairly.
    """
    hosts = 16
    wide = 2 * LINKS.bandwidth
    links = LINKS.__class__(
        **{**LINKS.__dict__, "backbone_bandwidth": wide, "backbone_latency": 0.0}
    )
    network = describe(NETWORKS["two-switch"], (hosts,), links)
    result = run_b_eff(tmp_path, network, network.hosts, "--patterns", "5-35", seed=1)
    size = result["message_sizes_bytes"][-1] + MPI_HEADER_BYTES
    sequential = 2 * LINKS.latency + 2 * size / LINKS.bandwidth
    assert time_at(result, 5, "nonblocking") == pytest.approx(sequential, rel=TOLERANCE)
    slower = 0
    for pattern in result["patterns"][1:]:
        ring = random_order(pattern["seed"], hosts)
        sides = [rank < hosts // 2 for rank in ring]
        crossings = sum(sides[place] != sides[place - 1] for place in range(hosts))
        factor = max(1.0, crossings * LINKS.bandwidth / (2 * wide))
        predicted = 2 * LINKS.latency + factor * 2 * size / LINKS.bandwidth
        measured = time_at(result, pattern["id"], "nonblocking")
        assert measured == pytest.approx(predicted, rel=TOLERANCE), crossings
        slower += factor > 1
    assert slower >= 20
    assert result["summary"]["random_MBps"] is not None


@pytest.mark.parametrize("hosts", [4, 7])
def test_alltoallv_is_never_the_fastest(tmp_path: Path, hosts: int) -> None:
    """So it may be left out: every figure of the summary is the same without it."""
    without = flat(tmp_path, hosts)["summary"]
    whole = flat(tmp_path, hosts, "--methods", "sendrecv,alltoallv,nonblocking")["summary"]
    assert without["b_eff_MBps"] > 0
    for name, figure in without.items():
        assert whole[name] == (figure if figure is None else pytest.approx(figure, rel=1e-9)), name


def test_short_loops_show_what_long_ones_show(tmp_path: Path) -> None:
    """Processes enter a loop in the step of the pattern, not one after the other out of a barrier.

    That skew would make the short ones slower.
    """
    short, long = (
        flat(tmp_path, 8, "--patterns", "0-35", "--loop-time", time)["summary"]["b_eff_MBps"]
        for time in ("2500us", "10ms")
    )
    assert short == pytest.approx(long, rel=5e-4)


# --- many processes: the law still holds, and nothing of ours stands in the way ---


SHARED_BY_ALL = {
    "beff::(anonymous namespace)::reason_to_stop",
    "beff::(anonymous namespace)::launcher",
}
"""The wish to stop, set by a signal, and who started them are the same for all processes."""


@pytest.mark.parametrize("processes", [256, 1024])
def test_a_ring_of_many(tmp_path: Path, processes: int) -> None:
    """One ring, the two largest sizes, MPI_Sendrecv alone.

    MPI_Alltoallv would be n^2 messages in each iteration. Definition 3.1 fixes the loop length, 1
    or 2 here, so that no latency is measured first.
    """
    network = describe(NETWORKS["flat"], (processes,), LINKS)
    result = run_b_eff(
        tmp_path,
        network,
        network.hosts,
        *("--patterns", "5", "--sizes", "19,20", "--methods", "sendrecv", "--definition", "3.1"),
    )
    assert result["environment"]["nodes"] == processes
    placement = result["environment"]["placement"].split()
    assert [int(node) for node in placement] == list(range(processes))
    law = one_after_the_other(Route(2 * LINKS.latency, LINKS.bandwidth), 2)
    assert time_at(result, 5, "sendrecv", 20) == pytest.approx(law(2**20), rel=1e-3)
    assert result["samples"]["loop_length"] == [2, 1]


def test_the_engine_keeps_no_state_between_processes() -> None:
    """All simulated processes are threads of one: a variable of one would be that of all.

    Names of constants begin with k.
    """
    listed = subprocess.run(
        ["nm", "--demangle", "--defined-only", engine("b_eff")],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout
    writable = re.findall(r"^[0-9a-f]+ [dDbB] (beff::.*)$", listed, flags=re.MULTILINE)
    assert {"beff::kProgramVersion", *SHARED_BY_ALL} <= set(writable)
    assert {name for name in writable if not re.search(r"::k[A-Z]", name)} == SHARED_BY_ALL
