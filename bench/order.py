#!/usr/bin/env python3
"""Order ranks on simulated networks whose hosts were given out by chance, and measure both orders.

One ring and a 3-D halo, patterns 5 and 48 of b_eff, at the longest messages; `--matrix PRESET`:
what b_pairs measures of that, on six networks with groups. Prints a table in Markdown; exit code 1
where an order makes one slower by more than the noise.
Usage: .venv/bin/python bench/order.py [SEEDS] [--matrix halo:2d]   (needs SimGrid)
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
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
GROUPED = (
    "two leaves of 8, 8:1, 2 processes each",
    "thin backbone, 24 hosts",
    "four leaves of 4, 4:1",
    "two hosts a link, 8 links",
    "leaves of 3, 5 and 9, 2:1",
    "one uplink of four at a quarter",
)
"""Where an order has something to gain, by the map."""


def as_b_eff_sends(preset: str, ranks: int) -> Sent:
    """Return the bytes of a preset as b_eff sends them: to each neighbour one message."""
    matrix = matrix_of(preset, ranks)
    sent = matrix.message_bytes.astype(np.float64)
    return Sent(ranks, matrix.sender, matrix.receiver, sent)


def by_b_eff(folder: Path, case: Case, hosts: list[str]) -> dict[str, float]:
    """Return the bandwidth of each kind at the longest messages, in MB/s."""
    patterns = ",".join(str(pattern) for _, pattern in KINDS.values())
    run = run_b_eff(folder, case.platform(), hosts, "--patterns", patterns, "--sizes", "20")
    of = {each["id"]: each["bandwidth_by_size_MBps"][-1] for each in run["patterns"]}
    return {name: float(of[pattern]) for name, (_, pattern) in KINDS.items()}


@dataclass(frozen=True)
class Messages:
    """What each kind sends on so many ranks, and how fast it is on hosts in the order of ranks."""

    sent: dict[str, Callable[[int], Sent]]
    measured: Callable[[Path, Case, list[str]], dict[str, float]]


def of_b_eff() -> Messages:
    """Return one ring and the halo of b_eff."""
    return Messages(
        {kind: partial(as_b_eff_sends, text) for kind, (text, _) in KINDS.items()}, by_b_eff
    )


def of_matrix(preset: str) -> Messages:
    """Return the messages of `b_pairs --matrix PRESET`, as many as it sends."""

    def measured(folder: Path, case: Case, hosts: list[str]) -> dict[str, float]:
        run = run_b_pairs(folder, case.platform(), hosts, options=("--matrix", preset))
        return {preset: float(run["summary"]["matrix_MBps"])}

    return Messages({preset: lambda ranks: Sent.of(matrix_of(preset, ranks))}, measured)


def main() -> None:
    """Print the table, a row for each network, and seed by which its hosts are given out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seeds", type=int, nargs="?", default=1, help="of each network")
    parser.add_argument("--matrix", metavar="PRESET", help="of b_pairs, instead of ring and halo")
    given = parser.parse_args()
    seeds = range(given.seeds)
    messages = of_matrix(given.matrix) if given.matrix else of_b_eff()
    head = "".join(f" {kind} predicted | measured |" for kind in messages.sent)
    print(f"| network | seed |{head} |\n|{'---|' * (3 + 2 * len(messages.sent))}")
    worse = False
    for case in CASES:
        if case.noise or (given.matrix and case.name not in GROUPED):
            continue
        for seed in seeds:
            names = list(case.platform().hosts)
            random.Random(seed).shuffle(names)
            hosts = [name for name in names for _ in range(case.per_host)]
            cells, least = cells_of(case, hosts, messages)
            worse |= least < 1 - NOISE
            said = "**slower**" if least < 1 - NOISE else ""
            print(f"| {case.name} | {seed} | {' | '.join(cells)} | {said} |", flush=True)
    if worse:
        sys.exit(1)


def cells_of(case: Case, hosts: list[str], messages: Messages) -> tuple[list[str], float]:
    """Return predicted and measured gain of each kind of messages, and the least that is measured.

    Where all together gain less than the noise, the order is kept, as the command does.
    """
    with tempfile.TemporaryDirectory(prefix="beff-order-") as name:
        folder = Path(name)
        map_ = check_document("b_pairs", run_b_pairs(folder, case.platform(), hosts))
        assert isinstance(map_.result, BPairsResult)
        ways = ways_of(map_.result)
        now = np.array(map_.result.environment.placement)
        sent = {kind: made(len(now)) for kind, made in messages.sent.items()}
        found = better_order(ways, together(list(sent.values())), now)
        times = {
            kind: [narrowest(ways, each, on).seconds for on in (now, found)]
            for kind, each in sent.items()
        }
        before, after = (sum(both[place] for both in times.values()) for place in (0, 1))
        if before / after - 1 <= NOISE:
            return ["kept", ""] * len(sent), 1.0
        was = messages.measured(folder, case, hosts)
        is_ = messages.measured(folder, case, [ways.names[host] for host in found])
    gains = {kind: is_[kind] / was[kind] for kind in sent}
    cells = [
        text
        for kind, both in times.items()
        for text in (f"{both[0] / both[1]:.2f}", f"{gains[kind]:.2f}")
    ]
    return cells, min(gains.values())


if __name__ == "__main__":
    main()
