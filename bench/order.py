#!/usr/bin/env python3
"""Order ranks on simulated networks whose hosts were given out by chance, and measure both orders.

One ring and a 3-D halo, patterns 5 and 48 of b_eff, at the longest messages. Prints a table in
Markdown; exit code 1 where an order makes one slower by more than the noise.
Usage: bench/order.py [SEEDS]   (needs SimGrid)
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from common import options_of, skip_without_simgrid, table
from twin import CASES, Case

from beff.maps.matrix import matrix_of
from beff.result.b_pairs_result import BPairsResult
from beff.result.load import check_document
from beff.twin.order import Sent, better_order, narrowest, together
from beff.twin.ways import ways_of
from simulated.support import run_b_eff, run_b_pairs

KINDS = {"one ring": ("nearest:1", 5), "3-D halo": ("halo:3d", 48)}
NOISE = 0.03


def as_b_eff_sends(preset: str, ranks: int) -> Sent:
    """Return the bytes of a preset as b_eff sends them: to each neighbour one message."""
    matrix = matrix_of(preset, ranks)
    sent = matrix.message_bytes.astype(np.float64)
    return Sent(ranks, matrix.sender, matrix.receiver, sent)


def measured(folder: Path, case: Case, hosts: list[str]) -> list[float]:
    """Return the bandwidth of each kind at the longest messages, in MB/s."""
    patterns = ",".join(str(pattern) for _, pattern in KINDS.values())
    run = run_b_eff(folder, case.platform(), hosts, "--patterns", patterns, "--sizes", "20")
    of = {pattern["id"]: pattern["bandwidth_by_size_MBps"][-1] for pattern in run["patterns"]}
    return [float(of[pattern]) for _, pattern in KINDS.values()]


def gains_of(case: Case, hosts: list[str]) -> list[tuple[float, float]]:
    """Return how many times as fast each kind becomes, predicted and measured.

    Empty where all together gain less than the noise: the order is kept, as the command does.
    """
    with tempfile.TemporaryDirectory(prefix="beff-order-") as name:
        folder = Path(name)
        document = check_document("b_pairs", run_b_pairs(folder, case.platform(), hosts))
        assert isinstance(document.result, BPairsResult)
        ways = ways_of(document.result)
        now = np.array(document.result.environment.placement)
        sent = [as_b_eff_sends(preset, len(now)) for preset, _ in KINDS.values()]
        better = better_order(ways, together(sent), now)
        times = [[narrowest(ways, one, on).seconds for on in (now, better)] for one in sent]
        before, after = (sum(both[place] for both in times) for place in (0, 1))
        if before / after - 1 <= NOISE:
            return []
        was = measured(folder, case, hosts)
        became = measured(folder, case, [ways.names[host] for host in better])
    pairs = zip(times, was, became, strict=True)
    return [(both[0] / both[1], fast / slow) for both, slow, fast in pairs]


def rows(cases: list[Case], seeds: int, slower: list[str]) -> Iterator[list[str]]:
    """Yield a row for each network and seed by which its hosts are given out."""
    for case in cases:
        for seed in range(seeds):
            names = list(case.platform().hosts)
            random.Random(seed).shuffle(names)
            gains = gains_of(case, [name for name in names for _ in range(case.per_host)])
            if any(gain < 1 - NOISE for _, gain in gains):
                slower.append(case.name)
            cells = [f"{ratio:.2f}" for both in gains for ratio in both]
            yield [case.name, str(seed), *(cells or ["kept"])]


def main() -> None:
    """Print the table."""
    parser = options_of(__doc__)
    parser.add_argument("seeds", type=int, nargs="?", default=1, help="of each network")
    given = parser.parse_args()
    skip_without_simgrid()
    cases = [case for case in CASES if not case.noise and (not given.short or "4:1" in case.name)]
    heads = [f"{kind} {word}" for kind in KINDS for word in ("predicted", "measured")]
    slower: list[str] = []
    table(["network", "seed", *heads], rows(cases, given.seeds, slower))
    if slower:
        sys.exit(f"slower: {', '.join(slower)}")


if __name__ == "__main__":
    main()
