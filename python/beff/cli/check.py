"""`beff check`."""
# ruff: noqa: PLC0415 - YAML comes with an extra, and only some checks need it; judging is loaded when it judges

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
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
from beff.cli.common.rich_tables import print_headline, print_line
from beff.cli.common.say import warn
from beff.cli.host_lists import listed, shared_names, shared_text, write_host_lists
from beff.judge.expectations import Expectations
from beff.judge.finding import Checked, HostRules, Verdict, together
from beff.maps.findings import SLOW, SLOW_SINCE
from beff.maps.topology import read_topology
from beff.report.parts.checked import folded, headline_of
from beff.report.parts.findings import line_of
from beff.result.errors import WrongUsageError
from beff.result.load import Document, load_document
from beff.result.numbers import parse_percent
from beff.result.plain_figures import load_figures, parted
from beff.result.result_files import read_results
from beff.result.write import check_apart, require_free, write_atomically
from beff.store.side_by_side import many_at_once
from beff.verify.subject import load_sound, load_sound_document

if TYPE_CHECKING:
    from beff.judge.judge_results import Judged

CODES = {
    Verdict.GOOD: exit_codes.OK,
    Verdict.BAD: exit_codes.FAILED,
    Verdict.UNKNOWN: exit_codes.NOT_VALID,
}
LEAST_SLOW = 0.02
_STYLES: dict[Verdict | None, str] = {Verdict.UNKNOWN: "yellow", Verdict.BAD: "red"}

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
    openmetrics: Path | None = option(
        "FILE", "Also write figures and verdicts for Prometheus.", group=Group.WRITTEN
    )
    good: Path | None = option(
        "FILE", "Write the names of good hosts, one a line.", group=Group.WRITTEN
    )
    bad: Path | None = option(
        "FILE", "Write the names of bad hosts, one a line.", group=Group.WRITTEN
    )
    slow: Quantity | None = slow_option()
    topology: Path | None = topology_option()
    overwrite: bool = overwrite_flag()
    show_all: bool = flag("Show all that was found.", names="--all")


@taking(_Options)
def check(given: _Options) -> int:
    """Judge whether results are good, and which host or link is not.

    Each result is checked against its hardware, and its hosts against each other; against
    expected figures and earlier results where they are given. A result is inconclusive if it is
    partial, not valid, noisy, oversubscribed, simulated or imported, does not verify, or has
    nothing to check it by. Of figures of other benchmarks, from beff import, the last day is judged
    beside all days before it.

    Examples:
      beff check results/b_eff_64p.json --expect cluster.expect.yaml
      beff check results --accepted acceptance-2026
      beff check results --baseline earlier --bad slow_hosts
      beff check figures.figures.json
      beff check results --openmetrics /var/lib/node_exporter/beff.prom --overwrite
    """
    from beff.judge.judge_results import judged_together
    from beff.judge.series import check_figures
    from beff.report.check_files import checked_json, latest, openmetrics_text

    names = ("openmetrics", "good", "bad")
    targets = {f"--{name}": path for name in names if (path := getattr(given, name)) is not None}
    if given.expect is not None and given.accepted is not None:
        raise WrongUsageError(f"--expect {given.expect}: give it or --accepted, not both")
    for name, target in targets.items():
        require_free(target, overwrite=given.overwrite, option=name)
    expected = None if given.expect is None else expectations_of(given.expect)
    kept: list[Document] = []
    if given.accepted is not None:
        from beff.store.acceptance import read_acceptance

        expected, kept = read_acceptance(given.accepted)
    before, plain_earlier = parted(given.baseline or ())
    earlier = None
    if given.baseline is not None:
        earlier = load_sound(before, left_out=name_left_out)
    hosts = HostRules(
        value_of(given.slow), None if given.topology is None else read_topology(given.topology)
    )
    paths, plain = parted(given.results)
    files = _judged(paths, expected, hosts, kept, earlier)
    read = [*(one.source for one in files), *(run.source for run in earlier or ())]
    read += map(str, (*plain, *plain_earlier))
    check_apart(targets, [*map(Path, read), *([given.expect] if given.expect else [])])
    checked = judged_together(files, expected, earlier)
    if plain:
        read_plain = partial(load_figures, left_out=name_left_out)
        named = [(str(path), read_plain(path)) for path in plain]
        figures = check_figures(named, [*map(read_plain, plain_earlier)])
        checked = together([checked, figures])
    if given.openmetrics is not None:
        newest = [load_document(Path(one)) for one in latest(files)]
        write_atomically(given.openmetrics, openmetrics_text(checked, newest), overwrite=True)
    of_files = [one.hosts for one in files]
    shared = shared_names(of_files)
    lists = {
        "--good": listed(checked.good_hosts, of_files),
        "--bad": listed(checked.bad_hosts, of_files),
    }
    if shared and targets.keys() & lists.keys():
        warn(f"beff: {shared_text(shared)}")
    write_host_lists(targets, lists, judged=bool(checked.hosts))
    if given.as_json:
        print(json.dumps(checked_json(checked), indent=1))
    else:
        print_checked(checked, "--all", show_all=given.show_all)
    return CODES[checked.verdict]


def _judged(
    paths: list[Path],
    expected: Expectations | None,
    rules: HostRules,
    accepted: list[Document],
    earlier: list[Document] | None,
) -> "list[Judged]":
    """Judge each result of files and folders alone; little is kept of it, so that many can be."""
    from beff.judge.judge_results import judge_alone

    def judged(file: Path) -> "Judged":
        found = judge_alone(load_sound_document(file), expected, rules, earlier, accepted)
        return replace(found, document=None) if earlier is None else found

    # whole documents are compared here, and would take longer to be handed over than to be read
    many = many_at_once if earlier is None else map
    return read_results(paths, judged, left_out=name_left_out, many=many)


def check_measured(measured: Sequence[Document], expected: Expectations) -> int:
    """Check what was measured, print it, and return the exit code."""
    from beff.judge.judge_results import judge_results

    checked = judge_results(measured, expected, None)
    print_checked(checked, "beff check")
    return CODES[checked.verdict]


def expectations_of(path: Path) -> Expectations:
    """Read a file of expectations; that of an acceptance with its results. Raises ResultError."""
    from beff.judge.expectations import load_expectations
    from beff.store.acceptance import is_acceptance, read_acceptance

    return read_acceptance(path.parent)[0] if is_acceptance(path) else load_expectations(path)


def print_checked(checked: Checked, more: str, *, show_all: bool = False) -> None:
    """Print the headline; with `show_all` also by result what was found, the worst first.

    `more` is what shows all.
    """
    headline = headline_of(checked)
    if not show_all:
        print_headline(headline, more)
        return
    print_headline(replace(headline, lines=()), "")
    for source in dict.fromkeys(found.source for found in checked.judgements):
        print_line(source)
        mine = folded(found for found in checked.judgements if found.source == source)
        order = [Verdict.BAD, Verdict.UNKNOWN, Verdict.GOOD]
        for found in sorted(mine, key=lambda found: order.index(found.verdict or Verdict.GOOD)):
            print_line(f"  {line_of(found)}", _STYLES.get(found.verdict, ""))
    for remark in checked.remarks:
        print_line(line_of(remark))
