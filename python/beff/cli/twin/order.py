"""`beff twin order`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from beff.cli.common import exit_codes
from beff.cli.common.files import make_folder
from beff.cli.common.options import argument, option, overwrite_flag, taking
from beff.cli.common.rich_tables import print_line
from beff.cli.twin.predict import print_refusal
from beff.launch.numbering import order_files
from beff.maps.matrix import matrix_of
from beff.maps.schedule import Ints
from beff.result.b_eff_result import BEffResult
from beff.result.b_pairs_result import BPairsResult
from beff.result.errors import ResultError
from beff.result.load import Document
from beff.result.numbers import duration, percent
from beff.result.write import require_free, write_atomically
from beff.twin.limit import map_of_same_hosts
from beff.twin.order import Narrowest, Sent, better_order, narrowest, together
from beff.twin.self_test import SelfTest, self_test
from beff.twin.twin import twin_of
from beff.twin.ways import Ways, ways_of
from beff.verify.subject import load_sound

_USUAL = ("nearest:1", "halo:3d")
"""Rings, and a halo of three dimensions."""
_LEAST = 0.03
"""Less is no gain, however quiet the map is."""
_SIGMAS = 2.0


@dataclass(frozen=True, kw_only=True)
class _Options:
    result: Path = argument("RESULT", "A result of b_pairs, or a folder with one.")
    matrix: str | None = option(
        "FILE|PRESET",
        "The messages of an iteration, as b_pairs --matrix reads them.",
        otherwise="one ring, and a halo of three dimensions",
    )
    output_dir: Path | None = option("DIR", "Write the order for each launcher into this folder.")
    overwrite: bool = overwrite_flag()


@taking(_Options)
def order(given: _Options) -> int:
    """Find an order of ranks on hosts that lowers the time of given messages, from a map of pairs.

    By rates of hosts and by what groups of hosts share, as the map shows them. Prints the time of
    an iteration before and after, and where it is narrowest; "no gain" where the map is not sure
    enough of it. A run of b_eff of the same hosts in the folder tests this model: where it does not
    understand the network, no order is offered (code 3). Each host keeps its number of ranks.

    Examples:
      beff twin order results/monday
      beff twin order results/monday/b_pairs_64p.json --matrix halo:2d --output-dir order
      beff twin order results/monday --matrix messages.txt --output-dir order
    """
    found_in = load_sound([given.result])
    document = _map_in(given.result, found_in)
    found = document.result
    assert isinstance(found, BPairsResult)
    if found.environment.nodes < 2 or found.plan.unit != "host":
        raise ResultError("ran on one host, where nothing can be ordered", document.source)
    ways = ways_of(found)
    if np.isnan(ways.hosts).any():
        raise ResultError("has no long messages of some host", document.source)
    test = _tested(document, found_in)
    if test is not None:
        print_line(f"self-test: {test.words}")
        if not test.passed:
            print_refusal(test, found.environment.processes)
            return exit_codes.NOT_VALID
    now = np.array(found.environment.placement)
    kinds = _USUAL if given.matrix is None else (given.matrix,)
    traffics = {kind: Sent.of(matrix_of(kind, len(now))) for kind in kinds}
    change = _changed(ways, traffics, now)
    for kind, (before, after) in change.times.items():
        print_line(f"{kind}: {_said(ways, before)} now, {_said(ways, after)} in the order found")
    noise = max(_LEAST, _SIGMAS * ways.far.scatter)
    if change.gain <= noise or change.worst > noise:
        print_line(f"no gain: keep your order (gains below {percent(noise)} are within the noise)")
        return exit_codes.OK
    by = "" if test is not None else f", by the map alone: {_NOT_TESTED}"
    print_line(f"gain: {change.gain + 1:.2f} times as fast where it is narrowest{by}")
    if given.output_dir is not None:
        _write(given.output_dir, ways.names, change.host_of, overwrite=given.overwrite)
    else:
        print_line("--output-dir DIR writes it for each launcher")
    return exit_codes.OK


_NOT_TESTED = "no run of b_eff of the same hosts in the folder tests whether it is understood"


def _tested(pairs: Document, others: Sequence[Document]) -> SelfTest | None:
    """Test the model by the newest run of the hosts of a map; None without one."""
    runs = [one for one in others if map_of_same_hosts(one, [pairs]) is not None]
    if not runs:
        return None
    run = max(runs, key=lambda one: one.started_at)
    assert isinstance(run.result, BEffResult)
    return self_test(twin_of(run, pairs), run.result)


def _map_in(path: Path, found: Sequence[Document]) -> Document:
    maps = [one for one in found if isinstance(one.result, BPairsResult)]
    if not maps:
        raise ResultError("holds no result of b_pairs; beff nodes measures one", path)
    return max(maps, key=lambda one: one.started_at)


@dataclass(frozen=True)
class _Change:
    """An order, and the times of each kind of messages before and after."""

    host_of: Ints
    times: dict[str, tuple[Narrowest, Narrowest]]

    @property
    def gain(self) -> float:
        """By which share all are faster together."""
        before, after = (
            sum(both[place].seconds for both in self.times.values()) for place in (0, 1)
        )
        return before / after - 1

    @property
    def worst(self) -> float:
        """By which share the one that loses most is slower."""
        return max(after.seconds / before.seconds - 1 for before, after in self.times.values())


def _changed(ways: Ways, traffics: dict[str, Sent], now: Ints) -> _Change:
    host_of = better_order(ways, together(list(traffics.values())), now)
    return _Change(
        host_of,
        {
            kind: (narrowest(ways, sent, now), narrowest(ways, sent, host_of))
            for kind, sent in traffics.items()
        },
    )


def _said(ways: Ways, found: Narrowest) -> str:
    return f"{duration(found.seconds)} an iteration, {found.place.said(ways)} the narrowest"


def _write(folder: Path, names: Sequence[str], host_of: Ints, *, overwrite: bool) -> None:
    make_folder(folder)
    files = order_files(names, host_of.tolist())
    for file in files:
        require_free(folder / file.name, overwrite=overwrite, option="--output-dir")
    for file in files:
        write_atomically(folder / file.name, file.text, overwrite=overwrite)
        print_line(f"{folder / file.name}: {file.use}")
