#!/usr/bin/env python3
"""Predict matrices of messages on simulated networks, and measure them there.

Prints the table of docs/how-to/matrix.md in Markdown, and counts predictions that were off by more
than their interval.
Usage: .venv/bin/python bench/matrix.py [--only NAME]   (needs SimGrid)
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from math import exp
from pathlib import Path

from twin import CASES, LOOPS, ROOT, Case

sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "python")]

from beff.analysis.b_pairs.matrix import preset_matrix  # noqa: E402
from beff.analysis.twin.matrix_time import matrix_time  # noqa: E402
from beff.analysis.twin.self_test import self_test  # noqa: E402
from beff.analysis.twin.twin import twin_of  # noqa: E402
from beff.model.b_eff_result import BEffResult  # noqa: E402
from beff.model.load import check_document  # noqa: E402
from simulated.support import run_b_eff, run_b_pairs  # noqa: E402

PRESETS = ("halo:2d", "moe:3", "alltoall")
MESSAGE_BYTES = 2**20


def cells_of(case: Case) -> tuple[str, list[str], int]:
    """Return what the self-test says, a cell for each preset, and how many are off by too much."""
    platform = case.platform()
    hosts = [host for host in platform.hosts for _ in range(case.per_host)]
    cells, outside = [], 0
    with tempfile.TemporaryDirectory(prefix="beff-matrix-") as name:
        folder = Path(name)
        plain = run_b_eff(folder, platform, hosts, "--patterns", "0-39", *LOOPS)
        document = check_document("b_eff", plain)
        assert isinstance(document.result, BEffResult)
        for preset in PRESETS:
            size = ("--message-size", f"{MESSAGE_BYTES}B")
            fields = run_b_pairs(folder, platform, hosts, ("--matrix", preset, *size))
            twin = twin_of(document, check_document("b_pairs", fields))
            test = self_test(twin, document.result)
            matrix = preset_matrix(preset, len(hosts), MESSAGE_BYTES, fields["options"]["seed"])
            found, longest = matrix_time(twin, matrix), matrix_time(twin, matrix, seen=True)
            took_s = fields["summary"]["matrix_us"] * 1e-6
            low, high = found.seconds * exp(-test.width), longest.seconds * exp(test.width)
            wrong = test.passed and not low <= took_s <= high
            outside += wrong
            off = 100 * (took_s / found.seconds - 1)
            mark = " **outside**" if wrong else ""
            cells.append(f"{1e3 * found.seconds:.2f}, {1e3 * took_s:.2f} ({off:+.1f} %{mark})")
    return "offered" if test.passed else "refused", cells, outside


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="networks whose name has this in it")
    given = parser.parse_args()
    print(f"| network | prediction | {' | '.join(PRESETS)} |\n|---|---|{'---|' * len(PRESETS)}")
    offered = outside = 0
    for case in CASES:
        if given.only in case.name and not case.noise:
            said, cells, wrong = cells_of(case)
            offered += len(cells) * (said == "offered")
            outside += wrong
            print(f"| {case.name} | {said} | {' | '.join(cells)} |", flush=True)
    print(f"\n{offered} offered, {outside} of them outside")


if __name__ == "__main__":
    main()
