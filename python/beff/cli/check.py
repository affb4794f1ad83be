"""`beff check`."""
# ruff: noqa: PLC0415 - YAML comes with an extra, and only some checks need it

import json
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from beff.cli.common import exit_codes
from beff.cli.common.files import name_left_out
from beff.cli.common.help_text import Group
from beff.cli.common.options import (
    Kind,
    Quantity,
    argument,
    flag,
    option,
    overwrite_flag,
    taking,
    value_of,
)
from beff.cli.common.rich_tables import print_line
from beff.cli.common.say import warn
from beff.cli.host_lists import listed, shared_names, shared_text, write_host_lists
from beff.cli.judged_files import all_checked, judge_files
from beff.judge.expectations import Expectations
from beff.judge.finding import Checked, Finding, HostRules, Verdict
from beff.judge.judge_results import judge_results
from beff.maps.findings import SLOW, SLOW_SINCE
from beff.maps.topology import Topology
from beff.report.check_files import junit_text, latest, openmetrics_text
from beff.result.errors import WrongUsageError
from beff.result.load import Document, load_document
from beff.result.numbers import parse_percent
from beff.result.write import check_apart, require_free, write_atomically
from beff.verify.subject import load_sound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from beff.cli.measuring.benchmarks import Run

_CODES = {
    Verdict.GOOD: exit_codes.OK,
    Verdict.BAD: exit_codes.FAILED,
    Verdict.UNKNOWN: exit_codes.NOT_VALID,
}
LEAST_SLOW = 0.02
_STYLES = {Verdict.GOOD: "", Verdict.UNKNOWN: "yellow", Verdict.BAD: "red"}
_MOST_GOOD = 12

slow_option = partial(
    option,
    Kind("PERCENT", partial(parse_percent, least=LEAST_SLOW)),
    "A host is slow if its messages take this much longer than the median host's, or than"
    " they did.",
    otherwise=f"{SLOW:.0%}, {SLOW_SINCE:.0%} beside a baseline",
    group=Group.JUDGED,
)
topology_option = partial(
    option,
    "FILE",
    "Slurm's topology.conf or topology.yaml: hosts are compared with those behind their switch.",
    otherwise="as the launcher says, else by the map",
    group=Group.JUDGED,
)


@dataclass(frozen=True, kw_only=True)
class _Options:
    results: list[Path] = argument(
        "RESULT...", "Result files, or folders of them, with all inside."
    )
    expect: Path | None = option(
        "FILE", "YAML file with expected figures and tolerances.", group=Group.JUDGED
    )
    accepted: Path | None = option("NAME", "Folder of beff accept.", group=Group.JUDGED)
    baseline: list[Path] | None = option(
        "RESULT...",
        "Earlier results, files or folders: figures and hosts are compared with these.",
        group=Group.JUDGED,
    )
    as_json: bool = flag("Print one JSON object instead.", names="--json", group=Group.WRITTEN)
    junit: Path | None = option("FILE", "Also write a JUnit file.", group=Group.WRITTEN)
    openmetrics: Path | None = option(
        "FILE", "Also write figures and verdicts for Prometheus.", group=Group.WRITTEN
    )
    good: Path | None = option(
        "FILE", "Write the names of good hosts, one a line.", group=Group.WRITTEN
    )
    bad: Path | None = option(
        "FILE", "Write the names of bad hosts, one a line.", group=Group.WRITTEN
    )
    slow: Quantity = slow_option()
    topology: Path | None = topology_option()
    overwrite: bool = overwrite_flag()
    show_all: bool = flag("Show all that is good, too.", names="--all")


@taking(_Options)
def check(given: _Options) -> int:
    """Judge whether results are good, and which host or link is not.

    Each result is checked against its hardware, and its hosts against each other; against
    expected figures and earlier results where they are given. A result is inconclusive if it is
    partial, not valid, noisy, oversubscribed, simulated or imported, does not verify, or has
    nothing to check it by.

    Examples:
      beff check results/b_eff_64p.json --expect cluster.expect.yaml
      beff check results --accepted acceptance-2026
      beff check results --baseline earlier --junit check.xml --bad slow_hosts
      beff check results --openmetrics /var/lib/node_exporter/beff.prom --overwrite
    """
    names = ("junit", "openmetrics", "good", "bad")
    targets = {f"--{name}": path for name in names if (path := getattr(given, name)) is not None}
    if given.expect is not None and given.accepted is not None:
        raise WrongUsageError(f"--expect {given.expect}: give it or --accepted, not both")
    for name, target in targets.items():
        require_free(target, overwrite=given.overwrite, option=name)
    expected = None if given.expect is None else expectations_of(given.expect)
    kept: list[Document] = []
    if given.accepted is not None:
        expected, kept = acceptance_of(given.accepted)
    earlier = None if given.baseline is None else load_sound(given.baseline, left_out=name_left_out)
    hosts = HostRules(
        value_of(given.slow), None if given.topology is None else topology_of(given.topology)
    )
    files = judge_files(given.results, expected, hosts, kept, earlier)
    read = [*(one.source for one in files), *(run.source for run in earlier or ())]
    check_apart(targets, [*map(Path, read), *([given.expect] if given.expect else [])])
    checked = all_checked(files, expected, earlier)
    if given.junit is not None:
        write_atomically(given.junit, junit_text(checked), overwrite=True)
    if given.openmetrics is not None:
        named = [load_document(Path(one)) for one in latest(one.measured for one in files)]
        write_atomically(given.openmetrics, openmetrics_text(checked, named), overwrite=True)
    of_files = [one.hosts for one in files]
    shared = shared_names(of_files)
    lists = {
        "--good": listed(checked.good_hosts, of_files),
        "--bad": listed(checked.bad_hosts, of_files),
    }
    if shared and targets.keys() & lists.keys():
        warn(f"beff: {shared_text(shared)}")
    write_host_lists(targets, lists, judged=checked.judged_hosts)
    if given.as_json:
        print(json.dumps({"verdict": checked.verdict.value, **asdict(checked)}, indent=1))
    else:
        print_checked(checked, all_good=given.show_all)
    return code_of(checked)


def check_runs(runs: "Sequence[Run]", expected: Expectations) -> int:
    """Check what was measured, print it, and return the exit code."""
    measured = [run.measured.document for run in runs if run.measured is not None]
    checked = judge_results(measured, expected, None)
    print_checked(checked)
    return code_of(checked)


def topology_of(path: Path) -> Topology:
    """Read a topology. Raises ResultError."""
    from beff.maps.topology import read_topology

    return read_topology(path)


def expectations_of(path: Path) -> Expectations:
    """Read a file of expectations; that of an acceptance with its results. Raises ResultError."""
    from beff.judge.expectations import load_expectations
    from beff.store.acceptance import is_acceptance

    return acceptance_of(path.parent)[0] if is_acceptance(path) else load_expectations(path)


def acceptance_of(folder: Path) -> tuple[Expectations, list[Document]]:
    """Read what was accepted, and the results. Raises ResultError."""
    from beff.store.acceptance import read_acceptance

    return read_acceptance(folder)


def code_of(checked: Checked) -> int:
    """Return the exit code."""
    return _CODES[checked.verdict]


def print_checked(checked: Checked, *, all_good: bool = False) -> None:
    """Print the verdict, then by result what was found, the worst first.

    Of many good findings the first stand for all, but for `all_good`.
    """
    print_line(f"verdict: {checked.words}")
    for source in dict.fromkeys(found.source for found in checked.findings):
        print_line(source)
        mine = [found for found in checked.findings if found.source == source]
        good = [found for found in mine if found.verdict == Verdict.GOOD]
        shown = good if all_good or len(good) <= _MOST_GOOD + 1 else good[:_MOST_GOOD]
        for found in (*sorted((one for one in mine if one not in good), key=_worst_first), *shown):
            print_line(f"  {said_of(found)}", _STYLES[found.verdict])
        if len(shown) < len(good):
            print_line(f"  and {len(good) - len(shown)} more that are good; --all shows them")
    for note in checked.notes:
        print_line(note)


def said_of(found: Finding) -> str:
    """Say what was found; what is not good is marked."""
    mark = "" if found.verdict == Verdict.GOOD else f" ({found.verdict.value})"
    return f"{found.about}: {found.sentence}{mark}"


def _worst_first(found: Finding) -> bool:
    return found.verdict != Verdict.BAD
