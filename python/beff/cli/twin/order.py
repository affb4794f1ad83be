"""`beff twin order`."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

import numpy as np

from beff.cli.common import exit_codes
from beff.cli.common.files import make_folder
from beff.cli.common.options import argument, option, overwrite_flag, taking
from beff.cli.common.rich_tables import print_line
from beff.cli.twin.predict import print_refusal
from beff.launch.numbering import order_files
from beff.maps.matrix import matrix_of
from beff.result.b_eff_result import BEffResult
from beff.result.b_pairs_result import BPairsResult
from beff.result.errors import ResultError
from beff.result.load import Document
from beff.result.numbers import duration
from beff.result.write import require_free, write_atomically
from beff.twin.limit import map_of_same_hosts
from beff.twin.order import Narrowest, Sent, change_of
from beff.twin.self_test import MapTest, SelfTest, Test, self_test
from beff.twin.twin import twin_of
from beff.twin.ways import Ways, ways_of
from beff.verify.subject import load_sound

_USUAL = ("nearest:1", "halo:3d")
"""Rings, and a halo of three dimensions."""


@dataclass(frozen=True, kw_only=True)
class _Options:
    result: Path = argument("RESULT", "A result of b_pairs, or a folder with one.")
    matrix: str | None = option(
        "FILE|PRESET",
        "The messages of an iteration: from, to, bytes and, if not 1, count in a line.",
        otherwise="one ring, and a halo of three dimensions",
    )
    output_dir: Path | None = option("DIR", "Write the order for each launcher into this folder.")
    overwrite: bool = overwrite_flag()


@taking(_Options)
def order(given: _Options) -> int:
    """Find an order of ranks on hosts that lowers the time of given messages, from a map of pairs.

    By rates of hosts and by what groups of hosts share, as the map shows them. Prints the time of
    an iteration before and after, where it is narrowest, and the gain with an interval; "no gain"
    where that is not sure. The model is tested by a run of b_eff of the same hosts in the folder,
    else by all pairs of the map: where it does not explain them, no order is offered (code 3). Each
    host keeps its number of ranks.

    Examples:
      beff twin order results/monday
      beff twin order results/monday/b_pairs_64p.json --matrix halo:2d --output-dir order
      beff twin order results/monday --matrix messages.txt --output-dir order
    """
    found_in = load_sound([given.result])
    maps = [one for one in found_in if isinstance(one.result, BPairsResult)]
    if not maps:
        raise ResultError("holds no result of b_pairs; beff nodes measures one", given.result)
    document = max(maps, key=lambda one: one.started_at)
    found = document.result
    assert isinstance(found, BPairsResult)
    if found.environment.nodes < 2 or found.plan.unit != "host":
        raise ResultError("ran on one host, where nothing can be ordered", document.source)
    ways = ways_of(found)
    if np.isnan(ways.hosts).any():
        raise ResultError("has no long messages of some host", document.source)
    test = _tested(document, ways, found_in)
    print_line(f"self-test: {test.words}")
    if not test.passed:
        print_refusal(test, found.environment.processes)
        return exit_codes.NOT_VALID
    now = np.array(found.environment.placement)
    kinds = _USUAL if given.matrix is None else (given.matrix,)
    traffics = {kind: Sent.of(matrix_of(kind, len(now))) for kind in kinds}
    change = change_of(ways, traffics, now, test.width)
    for kind, (before, after) in change.times.items():
        print_line(f"{kind}: {_said(ways, before)} now, {_said(ways, after)} in the order found")
    if not change.is_offered:
        print_line(
            f"no gain: keep your order (the one found is {change.least:.2f} to {change.most:.2f}"
            " times as fast)"
        )
        return exit_codes.OK
    by = "" if isinstance(test, SelfTest) else f", by the map alone: {_NOT_TESTED}"
    faster = (
        f"{change.gain:.2f} times as fast ({change.least:.2f} to {change.most:.2f}) where it is"
        " narrowest"
    )
    print_line(f"gain: {faster if isfinite(change.gain) else 'all stays within hosts'}{by}")
    if given.output_dir is not None:
        make_folder(given.output_dir)
        files = order_files(ways.names, change.host_of.tolist())
        for file in files:
            require_free(
                given.output_dir / file.name, overwrite=given.overwrite, option="--output-dir"
            )
        for file in files:
            write_atomically(given.output_dir / file.name, file.text, overwrite=given.overwrite)
            print_line(f"{given.output_dir / file.name}: {file.use}")
    else:
        print_line("--output-dir DIR writes it for each launcher")
    return exit_codes.OK


_NOT_TESTED = "no run of b_eff of the same hosts in the folder tests whether it is understood"


def _tested(pairs: Document, ways: Ways, others: Sequence[Document]) -> Test:
    """Test the model by the newest run of the hosts of a map; without one by the map itself."""
    runs = [one for one in others if map_of_same_hosts(one, [pairs]) is not None]
    if not runs:
        return MapTest(ways.off)
    run = max(runs, key=lambda one: one.started_at)
    assert isinstance(run.result, BEffResult)
    return self_test(twin_of(run, pairs), run.result)


def _said(ways: Ways, found: Narrowest) -> str:
    if not found.seconds:
        return "nothing leaves its host"
    return f"{duration(found.seconds)} an iteration, {found.place.said(ways)} the narrowest"
