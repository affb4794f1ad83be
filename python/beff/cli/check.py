"""`beff check`."""
# ruff: noqa: PLC0415 - YAML comes with an extra, and only some checks need it

import json
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from beff.cli.common import exit_codes
from beff.cli.common.files import name_left_out
from beff.cli.common.help_text import Group
from beff.cli.common.options import (
    Kind,
    OverwriteOption,
    Quantity,
    argument,
    flag,
    option,
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

SlowOption = Annotated[
    Quantity | None,
    option(
        "--slow",
        Kind("PERCENT", partial(parse_percent, least=LEAST_SLOW)),
        "A host is slow if its messages take this much longer than the median host's, or than"
        " they did.",
        default=f"{SLOW:.0%}, {SLOW_SINCE:.0%} beside a baseline",
        group=Group.JUDGED,
    ),
]
TopologyOption = Annotated[
    Path | None,
    option(
        "--topology",
        "FILE",
        "Slurm's topology.conf or topology.yaml: hosts are compared with those behind their"
        " switch.",
        default="as the launcher says, else by the map",
        group=Group.JUDGED,
    ),
]


def check(  # noqa: PLR0917 - one parameter per option of the command
    results: Annotated[
        list[Path], argument("RESULT...", "Result files, or folders of them, with all inside.")
    ],
    expect: Annotated[
        Path | None,
        option(
            "--expect",
            "FILE",
            "YAML file with expected figures and tolerances.",
            group=Group.JUDGED,
        ),
    ] = None,
    accepted: Annotated[
        Path | None,
        option("--accepted", "NAME", "Folder of beff accept.", group=Group.JUDGED),
    ] = None,
    baseline: Annotated[
        list[Path] | None,
        option(
            "--baseline",
            "RESULT...",
            "Earlier results, files or folders: figures and hosts are compared with these.",
            group=Group.JUDGED,
        ),
    ] = None,
    as_json: Annotated[
        bool, flag("--json", "Print one JSON object instead.", group=Group.WRITTEN)
    ] = False,
    junit: Annotated[
        Path | None, option("--junit", "FILE", "Also write a JUnit file.", group=Group.WRITTEN)
    ] = None,
    openmetrics: Annotated[
        Path | None,
        option(
            "--openmetrics",
            "FILE",
            "Also write figures and verdicts for Prometheus.",
            group=Group.WRITTEN,
        ),
    ] = None,
    good: Annotated[
        Path | None,
        option("--good", "FILE", "Write the names of good hosts, one a line.", group=Group.WRITTEN),
    ] = None,
    bad: Annotated[
        Path | None,
        option("--bad", "FILE", "Write the names of bad hosts, one a line.", group=Group.WRITTEN),
    ] = None,
    slow: SlowOption = None,
    topology: TopologyOption = None,
    overwrite: OverwriteOption = False,
    show_all: Annotated[bool, flag("--all", "Show all that is good, too.")] = False,
) -> int:
    """Judge whether results are good, and which host or link is not.

    Each result is checked against its hardware, and its hosts against each other; against
    expected figures and earlier results where they are given. A result is inconclusive if it is
    partial, not valid, noisy, oversubscribed, simulated or imported, does not verify, or has
    nothing to check it by.

    \b
    Examples:
      beff check results/b_eff_64p.json --expect cluster.expect.yaml
      beff check results --accepted acceptance-2026
      beff check results --baseline earlier --junit check.xml --bad slow_hosts
      beff check results --openmetrics /var/lib/node_exporter/beff.prom --overwrite
    """  # noqa: D301 - \b keeps the lines of the examples apart
    given = {"--junit": junit, "--openmetrics": openmetrics, "--good": good, "--bad": bad}
    targets = {name: path for name, path in given.items() if path is not None}
    if expect is not None and accepted is not None:
        raise WrongUsageError(f"--expect {expect}: give it or --accepted, not both")
    for name, target in targets.items():
        require_free(target, overwrite=overwrite, option=name)
    expected = None if expect is None else expectations_of(expect)
    kept: list[Document] = []
    if accepted is not None:
        expected, kept = acceptance_of(accepted)
    earlier = None if baseline is None else load_sound(baseline, left_out=name_left_out)
    hosts = HostRules(value_of(slow), None if topology is None else topology_of(topology))
    files = judge_files(results, expected, hosts, kept, earlier)
    read = [*(one.source for one in files), *(run.source for run in earlier or ())]
    check_apart(targets, [*map(Path, read), *([expect] if expect else [])])
    checked = all_checked(files, expected, earlier)
    if junit is not None:
        write_atomically(junit, junit_text(checked), overwrite=True)
    if openmetrics is not None:
        named = [load_document(Path(one)) for one in latest(one.measured for one in files)]
        write_atomically(openmetrics, openmetrics_text(checked, named), overwrite=True)
    of_files = [one.hosts for one in files]
    shared = shared_names(of_files)
    lists = {
        "--good": listed(checked.good_hosts, of_files),
        "--bad": listed(checked.bad_hosts, of_files),
    }
    if shared and targets.keys() & lists.keys():
        warn(f"beff: {shared_text(shared)}")
    write_host_lists(targets, lists, judged=checked.judged_hosts)
    if as_json:
        print(json.dumps({"verdict": checked.verdict.value, **asdict(checked)}, indent=1))
    else:
        print_checked(checked, all_good=show_all)
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
