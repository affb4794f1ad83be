#!/usr/bin/env python3
"""Order ranks on simulated networks whose hosts were given out by chance, and measure both orders.

One ring and a 3-D halo, patterns 5 and 48 of b_eff, at the longest messages. Prints a table in
Markdown; exit code 1 where an order makes one slower by more than the noise.
Usage: .venv/bin/python bench/order.py [SEEDS]   (needs SimGrid)
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

import numpy as np
from twin import CASES, ROOT, Case

sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "python")]

from beff.analysis.b_pairs.matrix import matrix_of  # noqa: E402
from beff.analysis.twin.order import Sent, better_order, narrowest, together  # noqa: E402
from beff.analysis.twin.ways import ways_of  # noqa: E402
from beff.model.b_pairs_result import BPairsResult  # noqa: E402
from beff.model.load import check_document  # noqa: E402
from simulated.support import run_b_eff, run_b_pairs  # noqa: E402

KINDS = {"one ring": ("nearest:1", 5), "3-D halo": ("halo:3d", 48)}
NOISE = 0.03


def sent_of(preset: str, ranks: int) -> Sent:
    """Return the bytes of a preset as b_eff sends them: to each neighbour one message."""
    matrix = matrix_of(preset, ranks)
    sent = matrix.message_bytes.astype(np.float64)
    return Sent(ranks, matrix.sender, matrix.receiver, sent)


def measured(folder: Path, case: Case, hosts: list[str]) -> dict[str, float]:
    """Return the bandwidth of each kind at the longest messages, in MB/s."""
    patterns = ",".join(str(pattern) for _, pattern in KINDS.values())
    run = run_b_eff(folder, case.platform(), hosts, "--patterns", patterns, "--sizes", "20")
    of = {each["id"]: each["bandwidth_by_size_MBps"][-1] for each in run["patterns"]}
    return {name: float(of[pattern]) for name, (_, pattern) in KINDS.items()}


def main() -> None:
    """Print the table, a row for each network, and seed by which its hosts are given out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seeds", type=int, nargs="?", default=1, help="of each network")
    seeds = range(parser.parse_args().seeds)
    head = "".join(f" {kind} predicted | measured |" for kind in KINDS)
    print(f"| network | seed |{head} |\n|{'---|' * (3 + 2 * len(KINDS))}")
    worse = False
    for case in [case for case in CASES if not case.noise]:
        for seed in seeds:
            names = list(case.platform().hosts)
            random.Random(seed).shuffle(names)
            hosts = [name for name in names for _ in range(case.per_host)]
            cells, least = cells_of(case, hosts)
            worse |= least < 1 - NOISE
            said = "**slower**" if least < 1 - NOISE else ""
            print(f"| {case.name} | {seed} | {' | '.join(cells)} | {said} |", flush=True)
    if worse:
        sys.exit(1)


def cells_of(case: Case, hosts: list[str]) -> tuple[list[str], float]:
    """Return predicted and measured gain of each kind of messages, and the least that is measured.

    Where all together gain less than the noise, the order is kept, as the command does.
    """
    with tempfile.TemporaryDirectory(prefix="beff-order-") as name:
        folder = Path(name)
        map_ = check_document("b_pairs", run_b_pairs(folder, case.platform(), hosts))
        assert isinstance(map_.result, BPairsResult)
        ways = ways_of(map_.result, map_.fields)
        now = np.array(map_.result.environment.placement)
        sent = {kind: sent_of(text, len(now)) for kind, (text, _) in KINDS.items()}
        found = better_order(ways, together(list(sent.values())), now)
        times = {
            kind: [narrowest(ways, each, on).seconds for on in (now, found)]
            for kind, each in sent.items()
        }
        before, after = (sum(both[place] for both in times.values()) for place in (0, 1))
        if before / after - 1 <= NOISE:
            return ["kept", ""] * len(KINDS), 1.0
        was = measured(folder, case, hosts)
        is_ = measured(folder, case, [ways.names[host] for host in found])
    gains = {kind: is_[kind] / was[kind] for kind in KINDS}
    cells = [
        text
        for kind, both in times.items()
        for text in (f"{both[0] / both[1]:.2f}", f"{gains[kind]:.2f}")
    ]
    return cells, min(gains.values())


if __name__ == "__main__":
    main()
