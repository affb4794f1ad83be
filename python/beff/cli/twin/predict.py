"""`beff twin predict`."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from pathlib import Path

import numpy as np

from beff.cli.common import exit_codes
from beff.cli.common.options import argument, option, overwrite_flag, taking
from beff.cli.common.rich_tables import print_line, print_table
from beff.report.tables.table import Column, Table, mbps, text
from beff.result.b_eff_result import BEffResult
from beff.result.errors import ResultError, WrongUsageError
from beff.result.load import Document
from beff.result.numbers import percent, rate
from beff.result.write import require_free, write_atomically
from beff.twin.groups import GroupedHosts, platform_text
from beff.twin.limit import map_of_same_hosts, pairs_beside
from beff.twin.placement import chosen_hosts, not_measured, placed
from beff.twin.self_test import MEDIAN, NINE_IN_TEN, SelfTest, Test, self_test
from beff.twin.traffic import short_s
from beff.twin.twin import TESTED, Twin, twin_of
from beff.verify.b_eff.definition import patterns_for
from beff.verify.b_eff.derive import measured_of
from beff.verify.subject import load_sound

_MOST_SHOWN = 6
_INSIDE, _INSIDE_S = 10e9, 200e-9
"""Of messages within a host where none was timed: those of the networks of beff twin simulate."""
_WIDE = 2.0
"""An uplink that nobody waited for has so many times the rate of its hosts."""


@dataclass(frozen=True, kw_only=True)
class _Options:
    result: Path = argument("RESULT", "Folder of b_eff and b_pairs, or its b_eff file.")
    placement: str | None = option(
        "block|cyclic|FILE",
        "Fill host after host, deal out in turn, or a file with each rank's host.",
        otherwise="block",
    )
    hosts: str | None = option(
        "LIST", "The hosts, such as n[0-7,12].", otherwise="all that were measured"
    )
    processes: int | None = option(
        "N", "Processes.", names="--processes -n", otherwise="as many as the hosts had", min=2
    )
    platform: Path | None = option(
        "FILE.xml", "Write the hosts as a platform for beff twin simulate."
    )
    overwrite: bool = overwrite_flag()


@taking(_Options)
def predict(given: _Options) -> int:
    """Predict b_eff of another placement, or of a part of the hosts, from a run and a map of pairs.

    Takes rates, groups of hosts and their uplinks from the map (b_pairs, as of beff nodes, on the
    same hosts with the same processes), then predicts rings and random rings of the run itself.
    Only where these agree is a prediction offered, with an interval; else it says which disagree.

    Examples:
      beff twin predict results/monday --placement cyclic
      beff twin predict results/monday --placement ranks_on_hosts.txt
      beff twin predict results/monday --hosts n[0-15]
      beff twin predict results/monday --platform monday.xml
    """
    asked = (given.placement, given.hosts, given.processes)
    if asked == (None, None, None) and given.platform is None:
        raise WrongUsageError(
            "nothing is asked for: give --placement, --hosts, --processes or --platform, for"
            " example --placement cyclic"
        )
    if given.platform is not None:
        require_free(given.platform, overwrite=given.overwrite, option="--platform")
    document, pairs = run_and_map(given.result)
    run = document.result
    assert isinstance(run, BEffResult)
    per_host = max(host.processes for host in run.environment.hosts)
    names = [host.name for host in run.environment.hosts]
    chosen = chosen_hosts(names, given.hosts)
    there = placed(
        names,
        chosen,
        per_host,
        given.processes or per_host * len(chosen),
        given.placement or "block",
    )
    twin = twin_of(document, pairs)
    test = self_test(twin, run)
    print_line(f"self-test: {test.words}")
    if not test.passed:
        print_refusal(test, run.environment.processes)
        return exit_codes.NOT_VALID
    if given.platform is not None:
        write_atomically(
            given.platform, platform_text(grouped_hosts(twin)), overwrite=given.overwrite
        )
        print_line(
            f"{given.platform}: beff twin simulate --platform {given.platform} --placement"
            f" cyclic:{per_host} -n {len(twin.placement)} gives a second opinion"
        )
        if any(np.isfinite(uplinks.carried).any() for uplinks in twin.ways.levels[1:]):
            print_line("it leaves out the narrow uplinks of groups of groups, which this one knows")
        if asked == (None, None, None):
            return exit_codes.OK
    reason = not_measured(names, there, per_host) or not_measured(names, twin.placement, per_host)
    if reason is not None:
        print_line(f"no prediction: {reason}; measure them with as many")
        return exit_codes.NOT_VALID
    try:
        _print_prediction(twin, test, there, run)
    except ResultError as problem:
        print_line(f"no prediction: {problem}")
        return exit_codes.NOT_VALID
    return exit_codes.OK


def run_and_map(path: Path) -> tuple[Document, Document]:
    """Return the newest run of b_eff with a map of its hosts beside it. Raises ResultError."""
    found = load_sound([path])
    runs = [one for one in found if isinstance(one.result, BEffResult)]
    runs.sort(key=lambda one: one.started_at, reverse=True)
    for run in runs:
        pairs = map_of_same_hosts(run, found) or pairs_beside(run)
        if pairs is not None:
            return run, pairs
    if not runs:
        raise ResultError("holds no run of b_eff with its samples", path)
    raise ResultError(
        "has no map of the same hosts and processes; measure it with beff nodes"
        f" --processes {runs[0].result.environment.processes} into the same folder",
        path,
    )


def print_refusal(test: Test, processes: int) -> None:
    """Say why nothing is predicted or ordered."""
    print_line(
        f"structure not understood: half must be within {percent(MEDIAN)}, nine in ten within"
        f" {percent(NINE_IN_TEN)}"
    )
    if isinstance(test, SelfTest):
        names = patterns_for(processes)
        said = [f"{names[p].name} {share:.2f}" for p, share in test.worst(_MOST_SHOWN)]
        print_line(f"measured / predicted, the farthest: {', '.join(said)}")
    print_line(test.advice)


def _print_prediction(twin: Twin, test: SelfTest, there: Sequence[int], run: BEffResult) -> None:
    value = twin.value(there)
    low = twin.value(there, seen=True) * exp(-test.width)
    print_line(
        f"b_eff predicted: {rate(value)} ({rate(low)} to {rate(value * exp(test.width))})"
        f" on {len(there)} processes"
    )
    own = measured_of(run).official.b_eff.both
    if own:
        print_line(
            f"b_eff measured: {rate(own)} on {run.environment.processes} processes; predicted is"
            f" {value / own:.2f} times that"
        )
    print_table(_changes(twin, there))


def _changes(twin: Twin, there: Sequence[int]) -> Table:
    """Return the patterns that change most, by what is predicted of both placements."""
    rows = []
    names = patterns_for(len(there))
    for pattern in TESTED:
        before, after = (
            float(twin.bandwidths(pattern, on)[-1]) / len(on) for on in (twin.placement, there)
        )
        place = twin.need(pattern, there).place
        reason = "stays within hosts" if place is None else place.said(twin.ways)
        rows.append(
            (abs(after / before - 1), (names[pattern].name, before, after, after / before, reason))
        )
    rows.sort(key=lambda row: -row[0])
    return Table(
        "predicted",
        "Patterns that change most, a process at the longest messages",
        (
            text("pattern"),
            mbps("as measured"),
            mbps("predicted"),
            Column("factor", write=lambda factor: f"{factor:.2f}"),
            text("narrowest there"),
        ),
        tuple(row for _, row in rows[:_MOST_SHOWN]),
    )


def grouped_hosts(twin: Twin) -> GroupedHosts:
    """Return what is known of a machine as a simulator takes it."""
    ways = twin.ways
    first, second = np.triu_indices(len(ways.names), 1)
    took, apart = short_s(ways, first, second), ways.groups[first] != ways.groups[second]
    near = float(np.median(took[~apart])) if (~apart).any() else float(np.median(took))
    far = float(np.median(took[apart])) if apart.any() else near
    widest = _WIDE * np.bincount(ways.groups, ways.hosts)
    carried = ways.levels[0].carried
    uplinks = np.where(np.isinf(carried), widest, carried)
    inside, inside_s = _INSIDE, _INSIDE_S
    if 1 in twin.inside_s:
        times = twin.inside_s[1]
        inside_s, inside = float(times[0]), float(twin.sizes[-1] / (times[-1] - times[0]))
    return GroupedHosts(
        names=ways.names,
        group_of=ways.groups.tolist(),
        rates=ways.hosts.tolist(),
        uplinks=uplinks.tolist(),
        latency_s=near,
        farther_s=max(0.0, far - near),
        inside=inside,
        inside_s=inside_s,
    )
