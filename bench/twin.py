#!/usr/bin/env python3
"""Predict b_eff of other placements on simulated networks, and simulate them.

Prints the table of bench/RESULTS.md in Markdown, and counts predictions that were off by
more than their interval. `--random N` takes N networks of groups drawn by chance instead, with
noise.
Usage: bench/twin.py [--random N] [--from SEED]   (needs SimGrid)
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, log
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from common import options_of, skip_without_simgrid, table

from beff.result.b_eff_result import BEffResult
from beff.result.load import Document, check_document
from beff.twin.networks import NETWORKS, Links, describe
from beff.twin.platform import Platform
from beff.twin.self_test import self_test
from beff.twin.twin import twin_of
from simulated.support import leaves, run_b_eff, run_b_pairs, star

RATE = 1.25e9
LOOPS = ("--loop-time", "60us")
"""In one short iteration half is how processes leave a barrier one after another."""
_LINKS = Links(bandwidth=RATE, latency=1e-6, backbone_bandwidth=RATE, backbone_latency=2e-6)


def preset(name: str, *shape: int, backbone: float = 1) -> Platform:
    """Return a network of `beff twin simulate`; one number is that of hosts."""
    hosts, sizes = (shape[0], None) if len(shape) == 1 else (None, shape)
    links = replace(_LINKS, backbone_bandwidth=backbone * RATE)
    return describe(NETWORKS[name], hosts, sizes, links)


def leaf(sizes: Sequence[int], *uplinks: float, slow: dict[int, float] | None = None) -> Platform:
    """Return leaves; uplinks in rates of hosts, one for all or one for each."""
    each = uplinks * len(sizes) if len(uplinks) == 1 else uplinks
    return leaves(
        sizes,
        bandwidth=RATE,
        uplinks=[RATE * up for up in each],
        latency=1e-6,
        uplink_latency=1e-6,
        slow=slow,
    )


@dataclass(frozen=True)
class Case:
    """A network, processes of a host, and the deviation of times in percent."""

    name: str
    platform: Callable[[], Platform]
    per_host: int = 1
    noise: float = 0.0
    seed: int = 1


HALF = dict.fromkeys(range(8), 0.5)
CASES = (
    Case("flat, 16 hosts", lambda: star(16, bandwidth=RATE, latency=1e-6)),
    Case("flat, 8 hosts, 2 processes each", lambda: preset("flat", 8), 2),
    Case("flat, 8 hosts, 4 processes each", lambda: preset("flat", 8), 4),
    Case("two leaves of 8, 8:1, 2 processes each", lambda: preset("two-switch", 16), 2),
    Case("two leaves of 8, 1:1", lambda: leaf([8, 8], 8)),
    Case(
        "two leaves of 8, 2:1, 2 processes each",
        lambda: preset("two-switch", 16, backbone=4),
        2,
    ),
    Case("thin backbone, 24 hosts", lambda: preset("two-switch", 24)),
    Case("four leaves of 4, 4:1", lambda: leaf([4] * 4, 1)),
    Case("fat tree 4x4, 1 spine", lambda: preset("fat-tree", 4, 4, 1)),
    Case("fat tree 4x4, 2 spines", lambda: preset("fat-tree", 4, 4, 2)),
    Case("fat tree 4x4, 4 spines", lambda: preset("fat-tree", 4, 4, 4)),
    Case("torus 4x4x2", lambda: preset("torus", 4, 4, 2)),
    Case("dragonfly 2x2x4x2", lambda: preset("dragonfly", 2, 2, 4, 2)),
    Case("two hosts a link, 8 links", lambda: leaf([2] * 8, 1)),
    Case("leaves of 3, 5 and 9, 2:1", lambda: leaf([3, 5, 9], 1.5, 2.5, 4.5)),
    Case("one uplink of four at a quarter", lambda: leaf([4] * 4, 1, 4, 4, 4)),
    Case(
        "half of 16 hosts at half rate", lambda: star(16, bandwidth=RATE, latency=1e-6, slow=HALF)
    ),
    Case("one host of 16 at a quarter", lambda: leaf([8, 8], 4, slow={5: 0.25})),
    Case("two leaves of 8, 2:1, 3 % noise", lambda: leaf([8, 8], 4), noise=3),
)


def drawn(seed: int) -> Case:
    """Draw 2 to 6 groups of 2 to 8 hosts, uplinks for 0.3 to 1.5 of them, noise to 5 %."""
    chance = random.Random(seed)
    sizes = [chance.randint(2, 8) for _ in range(chance.randint(2, 6))]
    taper = chance.choice([None, chance.uniform(0.3, 1.5)])
    ups = [size * (taper or chance.uniform(0.3, 1.5)) for size in sizes]
    slow = {0: chance.uniform(0.3, 0.9)} if chance.random() < 0.3 else None
    noise = chance.choice([0.0, 1.0, 3.0, 5.0])
    taken = "" if slow is None else f", n0 at {slow[0]:.2f}"
    name = f"{sizes}, uplinks {[round(up, 1) for up in ups]}{taken}, {noise:g} % noise"
    return Case(name, lambda: leaf(sizes, *ups, slow=slow), 1, noise, seed)


def placements(hosts: Sequence[str], per_host: int) -> dict[str, list[str]]:
    """Return hosts as measured, dealt out so that neighbours are far, and shuffled."""
    block = [host for host in hosts for _ in range(per_host)]
    far = [hosts[(i // 2) + (i % 2) * ((len(hosts) + 1) // 2)] for i in range(len(hosts))]
    shuffled = random.Random(7).sample(block, len(block))
    return {"block": block, "dealt": far * per_host, "shuffled": shuffled}


def with_noise(fields: dict[str, Any], case: Case) -> Document:
    """Return a result whose times have noise; nothing that follows from them is made anew."""
    chance = np.random.default_rng(case.seed)

    def longer(count: int) -> Any:
        return np.exp(case.noise / 100 * chance.standard_normal(count))

    if fields["benchmark"] == "b_eff":
        taken = fields["samples"]["time_max_s"]
        fields["samples"]["time_max_s"] = (np.array(taken) * longer(len(taken))).tolist()
    else:
        for kind in ("small_ns", "large_ns"):
            fields["passes"][kind] = [
                [_longer(column, longer) for column in rounds] for rounds in fields["passes"][kind]
            ]
    return check_document(fields["benchmark"], fields)


def _longer(column: str, longer: Callable[[int], Any]) -> str:
    times = column.split()
    return " ".join(
        str(round(int(ns) * f)) for ns, f in zip(times, longer(len(times)), strict=True)
    )


def value_of(fields: dict[str, Any]) -> float:
    """Return b_eff in MB/s."""
    return float(fields["summary"]["b_eff_MBps"])


@dataclass(frozen=True)
class Row:
    """What was predicted and simulated of a placement, in MB/s; how far off one may be."""

    placement: str
    predicted: float
    low: float
    high: float
    simulated: float
    passed: bool

    @property
    def off(self) -> float:
        """Simulated beyond predicted, as a share."""
        return self.simulated / self.predicted - 1

    @property
    def is_within(self) -> bool:
        """Whether the interval holds what was simulated."""
        return self.low <= self.simulated <= self.high


def rows_of(case: Case) -> tuple[str, list[Row]]:
    """Return what the self-test says, and a row for each placement."""
    platform = case.platform()
    placed = placements(platform.hosts, case.per_host)
    with tempfile.TemporaryDirectory(prefix="beff-twin-") as name:
        folder = Path(name)
        plain = run_b_eff(folder, platform, placed["block"], "--patterns", "0-39", *LOOPS)
        pairs = run_b_pairs(folder, platform, placed["block"])
        document = with_noise(plain, case) if case.noise else check_document("b_eff", plain)
        map_ = with_noise(pairs, case) if case.noise else check_document("b_pairs", pairs)
        twin = twin_of(document, map_)
        assert isinstance(document.result, BEffResult)
        test = self_test(twin, document.result)
        rows = []
        number = {host: place for place, host in enumerate(twin.ways.names)}
        for rule, hosts in placed.items():
            simulated = value_of(
                plain
                if rule == "block"
                else run_b_eff(folder, platform, hosts, "--patterns", "0-35", *LOOPS)
            )
            on = [number[host] for host in hosts]
            predicted, seen = twin.value(on), twin.value(on, seen=True)
            low, high = seen * exp(-test.width), predicted * exp(test.width)
            rows.append(Row(rule, predicted, low, high, simulated, test.passed))
    return test.words.partition(": ")[2], rows


cases: list[Case] = []
"""Known to forked workers; a case cannot be sent to them."""


def rows_of_number(number: int) -> tuple[str, list[Row]]:
    """Return the same of a case by its number."""
    return rows_of(cases[number])


def rows(counts: Counter[str]) -> Iterator[list[str]]:
    """Yield a row for each network, and count predictions and refusals."""
    with get_context("fork").Pool(2) as pool:
        for case, (words, found) in zip(
            cases, pool.imap(rows_of_number, range(len(cases))), strict=True
        ):
            cells = []
            for row in found:
                wrong = row.passed and not row.is_within
                counts["offered"] += row.passed
                counts["outside"] += wrong
                mark = " **outside**" if wrong else ""
                cells.append(
                    f"{row.predicted:.0f}, {row.simulated:.0f} ({100 * row.off:+.1f} %{mark})"
                )
            counts["refused"] += not found[0].passed
            width = f"offered, ± {100 * log(found[0].high / found[0].predicted):.0f} %"
            said = width if found[0].passed else "refused"
            yield [case.name, f"{said}: {words}", *cells]


def main() -> None:
    """Print the table."""
    parser = options_of(__doc__)
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    skip_without_simgrid()
    only = "4:1" if given.short else given.only
    cases[:] = [drawn(seed) for seed in range(given.first, given.first + given.random)] or [
        case for case in CASES if only in case.name
    ]
    counts = Counter[str]()
    table(["network", "self-test", "block", "dealt", "shuffled"], rows(counts))
    print(", ".join(f"{counts[name]} {name}" for name in ("offered", "outside", "refused")))


if __name__ == "__main__":
    main()
