"""`beff check`."""
# ruff: noqa: PLC0415 - YAML comes with an extra, and only some checks need it

import json
import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from beff.analysis.b_pairs.findings import SLOW, SLOW_SINCE
from beff.analysis.b_pairs.topology import Topology
from beff.analysis.check.expectations import Expectations
from beff.analysis.check.finding import Checked, HostRules, Verdict
from beff.analysis.check.judge_results import judge_results
from beff.analysis.structure import load_sound
from beff.cli import exit_codes
from beff.cli.files import name_left_out
from beff.cli.host_lists import listed, shared_names, shared_text, write_host_lists
from beff.cli.options import Kind, OverwriteOption, Quantity, argument, flag, option, value_of
from beff.cli.rich_tables import print_line, print_table
from beff.cli.write_expect import write_expect as _write_expect
from beff.model.quantities import parse_percent
from beff.model.write import check_apart, require_free, write_atomically
from beff.report.check_files import junit_text, openmetrics_text
from beff.report.tables.table import Table, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from beff.cli.run_benchmarks import Run

_CODES = {
    Verdict.GOOD: exit_codes.OK,
    Verdict.BAD: exit_codes.FAILED,
    Verdict.UNKNOWN: exit_codes.NOT_VALID,
}
LEAST_SLOW = 0.02
_MARKS = {Verdict.GOOD: "", Verdict.UNKNOWN: "open", Verdict.BAD: "bad"}

SlowOption = Annotated[
    Quantity | None,
    option(
        "--slow",
        Kind("PERCENT", partial(parse_percent, least=LEAST_SLOW)),
        "A host is slow if its messages take this much longer than the median host's, or than"
        " they did.",
        default=f"{SLOW:.0%}, {SLOW_SINCE:.0%} beside a baseline",
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
    ),
]


def check(  # noqa: PLR0917 - one parameter per option of the command
    results: Annotated[
        list[Path], argument("RESULT...", "Result files, or folders of them, with all inside.")
    ],
    expect: Annotated[
        Path | None,
        option("--expect", "FILE", "YAML file with expected figures and tolerances."),
    ] = None,
    baseline: Annotated[
        Path | None,
        option(
            "--baseline",
            "RESULTS",
            "Earlier results, a file or folder: figures and hosts are compared with these.",
        ),
    ] = None,
    as_json: Annotated[bool, flag("--json", "Print one JSON object instead of a table.")] = False,
    junit: Annotated[Path | None, option("--junit", "FILE", "Also write a JUnit file.")] = None,
    openmetrics: Annotated[
        Path | None,
        option("--openmetrics", "FILE", "Also write figures and verdicts for Prometheus."),
    ] = None,
    good: Annotated[
        Path | None, option("--good", "FILE", "Write the names of good hosts, one a line.")
    ] = None,
    bad: Annotated[
        Path | None, option("--bad", "FILE", "Write the names of bad hosts, one a line.")
    ] = None,
    slow: SlowOption = None,
    topology: TopologyOption = None,
    write_expect: Annotated[
        Path | None,
        option(
            "--write-expect",
            "FILE",
            "Judge nothing; write the file for --expect: of each series of three or more equal runs"
            " since its last step the level, and how far one more run may lie from it.",
        ),
    ] = None,
    overwrite: OverwriteOption = False,
) -> int:
    """Judge whether results are good, and which host or link is not.

    Each result is checked against its hardware, and its hosts against each other; against
    expected figures and earlier results where they are given. A result is inconclusive if it is
    partial, not valid, noisy, oversubscribed, simulated or imported, does not verify, or has
    nothing to check it by.

    \b
    Examples:
      beff check results --write-expect cluster.expect.yaml
      beff check results/b_eff_64p.json --expect cluster.expect.yaml
      beff check results --baseline accepted --junit check.xml --bad slow_hosts
      beff check results --openmetrics /var/lib/node_exporter/beff.prom --overwrite
    """  # noqa: D301 - \b keeps the lines of the examples apart
    given = {"--junit": junit, "--openmetrics": openmetrics, "--good": good, "--bad": bad}
    targets = {name: path for name, path in given.items() if path is not None}
    if write_expect is not None:
        read_options = {"--expect": expect, "--baseline": baseline, "--slow": slow}
        read_options |= {"--topology": topology}
        used = [name for name, value in read_options.items() if value is not None]
        used += [*targets, *["--json"] * as_json]
        return _write_expect(results, write_expect, overwrite=overwrite, others=used)
    for name, target in targets.items():
        require_free(target, overwrite=overwrite, option=name)
    expected = None if expect is None else expectations_of(expect)
    runs = load_sound(results, left_out=name_left_out)
    earlier = [] if baseline is None else load_sound([baseline], left_out=name_left_out)
    read = [Path(run.source) for run in (*runs, *earlier)]
    check_apart(targets, [*read, *([expect] if expect else [])])
    hosts = HostRules(value_of(slow), None if topology is None else topology_of(topology))
    checked = judge_results(runs, expected, None if baseline is None else earlier, hosts)
    texts = {"--junit": junit_text(checked), "--openmetrics": openmetrics_text(checked, runs)}
    for name in texts.keys() & targets.keys():
        write_atomically(targets[name], texts[name], overwrite=True)
    shared = shared_names(runs)
    lists = {
        "--good": listed(checked.good_hosts, runs),
        "--bad": listed(checked.bad_hosts, runs),
    }
    if shared and targets.keys() & lists.keys():
        print(f"beff: {shared_text(shared)}", file=sys.stderr)
    write_host_lists(targets, lists, judged=checked.judged_hosts)
    if as_json:
        print(json.dumps({"verdict": checked.verdict.value, **asdict(checked)}, indent=1))
    else:
        print_checked(checked)
    return code_of(checked)


def check_runs(runs: "Sequence[Run]", expected: Expectations) -> int:
    """Check what was measured, print it, and return the exit code."""
    measured = [run.measured.document for run in runs if run.measured is not None]
    checked = judge_results(measured, expected, None)
    print_checked(checked)
    return code_of(checked)


def topology_of(path: Path) -> Topology:
    """Read a topology. Raises ResultError."""
    from beff.analysis.b_pairs.topology_file import read_topology

    return read_topology(path)


def expectations_of(path: Path) -> Expectations:
    """Read a file of expectations. Raises ResultError."""
    from beff.analysis.check.expectations_file import load_expectations

    return load_expectations(path)


def code_of(checked: Checked) -> int:
    """Return the exit code."""
    return _CODES[checked.verdict]


def print_checked(checked: Checked) -> None:
    """Print the verdict, then what was found."""
    print_line(f"verdict: {checked.words}")
    rows = tuple(
        (found.about, found.verdict.value, found.against, found.sentence, found.source)
        for found in checked.findings
    )
    columns = tuple(map(text, ("about", "is", "against", "because", "result")))
    marks = tuple(_MARKS[found.verdict] for found in checked.findings)
    if rows:
        print_table(Table("checked", "", columns, rows, marks=marks))
    for note in checked.notes:
        print_line(note)
