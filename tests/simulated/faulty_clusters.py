"""Simulated clusters of which it is known who is slow, for the tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from beff.judge.finding import Checked, Verdict
from beff.judge.hosts import check_hosts
from beff.launch.platform import Platform
from beff.result.load import check_document
from simulated.support import leaves, mesh, run_b_pairs, star, star_with_jitter

RATE = 125e6
"""Bandwidth of a usual link in byte/s."""
LATENCY = 50e-6
"""Of each link, in seconds."""
HOP = 1.25
"""By how much the way by another switch lengthens short messages."""


@dataclass(frozen=True)
class Case:
    """A cluster, and what `beff check` is to say of its hosts."""

    name: str
    network: Platform
    named: tuple[str, ...]
    verdict: Verdict


def cases(hosts: int) -> Iterator[Case]:
    """Return one cluster for each fault; `hosts` is a multiple of 4 and at least 8."""

    def around_a_switch(slow: dict[int, float]) -> Platform:
        return star(hosts, bandwidth=RATE, latency=LATENCY, slow=slow)

    def on_leaves(first_uplink: float) -> Platform:
        size = hosts // 4
        quick = size * RATE
        uplinks = (first_uplink * quick, quick, quick, quick)
        return leaves((size,) * 4, bandwidth=RATE, uplinks=uplinks)

    third = tuple(range(1, hosts, 3))[: hosts // 3]
    leaf = f"pairs between n[0-{hosts // 4 - 1}] and the others"
    yield Case("nothing slow", around_a_switch({}), (), Verdict.GOOD)
    yield Case("one x 2", around_a_switch({3: 1 / 2}), ("host n3",), Verdict.BAD)
    yield Case("one x 1.3", around_a_switch({3: 1 / 1.3}), ("host n3",), Verdict.BAD)
    of_third = tuple(f"host n{host}" for host in third)
    are_two_kinds = len(third) > 2  # several that are slow in long messages alone: another port
    yield Case(
        "a third x 2",
        around_a_switch(dict.fromkeys(third, 1 / 2)),
        (*of_third, "hosts") if are_two_kinds else of_third,
        Verdict.UNKNOWN if are_two_kinds else Verdict.BAD,
    )
    cables = mesh(hosts, bandwidth=RATE, slow={(2, 5): 1 / 2})
    yield Case("one link x 2", cables, ("link n2 - n5",), Verdict.BAD)
    yield Case("uplinks quick enough", on_leaves(1), (), Verdict.GOOD)
    yield Case("uplink of a quarter x 4", on_leaves(1 / 4), (leaf,), Verdict.UNKNOWN)


def switched_cases(hosts: int) -> Iterator[Case]:
    """Return clusters with several switches; `hosts` is a multiple of 8.

    Short messages between hosts of two leaves take `HOP` times as long as within one.
    """
    half, fewer, last = hosts // 2, hosts * 5 // 16, hosts - 1

    def on_leaves(
        *sizes: int, taper: float = 1, first_uplink: float = 1, slow: dict[int, float] | None = None
    ) -> Platform:
        uplinks = [max(size / taper, 1) * RATE for size in sizes]
        uplinks[0] *= first_uplink
        late = (HOP - 1) * LATENCY
        return leaves(sizes, bandwidth=RATE, uplinks=uplinks, uplink_latency=late, slow=slow)

    yield Case("two leaves", on_leaves(half, half), (), Verdict.GOOD)
    slow_host = on_leaves(half, half, slow={3: 1 / 1.5})
    yield Case("two leaves, one x 1.5", slow_host, ("host n3",), Verdict.BAD)
    yield Case("two unequal leaves", on_leaves(hosts - fewer, fewer), (), Verdict.GOOD)
    alone = on_leaves(last, 1)
    yield Case("one alone on its leaf", alone, (f"host n{last}",), Verdict.UNKNOWN)
    four = (hosts // 4,) * 4
    yield Case("four leaves, uplinks 2:1", on_leaves(*four, taper=2), (), Verdict.GOOD)
    slow_uplink = on_leaves(*four, taper=2, first_uplink=1 / 2)
    leaf = f"pairs between n[0-{hosts // 4 - 1}] and the others"
    yield Case("four leaves, uplinks 2:1, one x 2", slow_uplink, (leaf,), Verdict.UNKNOWN)


BUSY_HOSTS = 32
BUSY_SHARES = (0.3, 0.5)
BUSY_PERIODS_S = (0.2, 0.5, 1.0)


def busy_host(folder: Path, share: float, period_s: float) -> Platform:
    """Return a star in which host n3 has half the rate for that share of each period."""
    profiles = [[(0.0, RATE)]] * BUSY_HOSTS
    profiles[3] = [(0.0, RATE), ((1 - share) * period_s, RATE / 2)]
    return star_with_jitter(folder, profiles, latency=LATENCY, loop_after_s=share * period_s)


def judged(folder: Path, network: Platform) -> tuple[Checked, tuple[str, ...]]:
    """Measure the map of pairs; what is said of it, and of whom anything but good."""
    result = run_b_pairs(folder, network)
    checked = check_hosts(check_document("simulated", result))
    bad = (finding.about for finding in checked.findings if finding.verdict != Verdict.GOOD)
    return checked, tuple(bad)
