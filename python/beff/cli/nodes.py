"""`beff nodes`."""
# ruff: noqa: PLC0415 - judging takes long to load, and --help needs none of it

import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from beff.cli.check import CODES, slow_option, topology_option
from beff.cli.common import exit_codes
from beff.cli.common.files import make_folder
from beff.cli.common.help_text import Group
from beff.cli.common.options import (
    Quantity,
    argument,
    build_option,
    flag,
    launcher_option,
    memory_option,
    memory_options,
    option,
    overwrite_flag,
    parse_process_counts,
    taking,
    value_of,
)
from beff.cli.common.rich_tables import print_headline, print_line, print_whole
from beff.cli.host_lists import (
    drain_commands,
    hosts_of,
    listed,
    shared_names,
    shared_text,
    write_host_lists,
)
from beff.cli.measuring.benchmarks import B_PAIRS, start_of
from beff.cli.measuring.options import output_dir_option, program_option
from beff.cli.measuring.outcome import document_of, exit_code_of, shown
from beff.cli.measuring.request import check_engine_options, engine_paths
from beff.judge.finding import FLEET_DAYS, Checked, HostRules, Verdict
from beff.launch.allocation import find_allocation
from beff.launch.campaign import ENDINGS, made
from beff.launch.target import FEWEST_PROCESSES, Target, default_processes, find_target
from beff.maps.network_text import network_sentences
from beff.maps.pair_map import FEWEST_UNITS
from beff.maps.topology import read_topology
from beff.report.fleet_files import FLEET_ENDINGS
from beff.report.parts.checked import folded, headline_of
from beff.report.parts.findings import line_of
from beff.result.errors import WrongUsageError
from beff.result.host_list import fold_host_list, is_host_list
from beff.result.load import Document, as_b_pairs
from beff.result.places import is_folder
from beff.result.result_files import files_of
from beff.result.write import check_apart, require_free
from beff.verify.subject import load_sound


@dataclass(frozen=True)
class _Options:
    processes: str | None = option(
        "N",
        "Processes.",
        names="--processes -n",
        otherwise="the tasks of the job, else one for each of its nodes",
        group=Group.PROCESSES,
    )
    slow: Quantity | None = slow_option()
    baseline: list[Path] | None = option(
        "RESULT...",
        "Earlier maps of these hosts, files or folders: each host is compared with itself.",
        group=Group.JUDGED,
    )
    fleet: Path | None = option(
        "DIR",
        "A folder of maps of whoever was there: this one is added, and all judge every host.",
        group=Group.JUDGED,
    )
    days: int = option(
        "N",
        "With --fleet: a host that was not measured for so many days is due.",
        default=FLEET_DAYS,
        group=Group.JUDGED,
    )
    show: bool = flag("With --fleet: measure nothing, say what is known.", group=Group.JUDGED)
    hosts: str | None = option(
        "LIST",
        "With --fleet: answer for these hosts, as n[1-3],n7.",
        otherwise="all",
        group=Group.JUDGED,
    )
    show_all: bool = flag("Show all that was found.", names="--all", group=Group.JUDGED)
    topology: Path | None = topology_option()
    good: Path | None = option(
        "FILE", "Write the hosts that are good together, one a line.", group=Group.WRITTEN
    )
    bad: Path | None = option(
        "FILE", "Write the bad hosts, one a line, for srun --exclude.", group=Group.WRITTEN
    )
    due: Path | None = option(
        "FILE", "With --fleet: write the hosts to measure next, one a line.", group=Group.WRITTEN
    )
    output: Path | None = option(
        "FILE",
        f"With --fleet: write what is known of each host: {', '.join(FLEET_ENDINGS)}.",
        names="--output -o",
        group=Group.WRITTEN,
    )
    memory_per_process: Quantity | None = memory_option()
    output_dir: Path | None = output_dir_option()
    engine: Path | None = program_option()
    launcher: str | None = launcher_option()
    mpi: str | None = build_option()
    overwrite: bool = overwrite_flag()
    engine_options: list[str] | None = argument(
        "-- ENGINE_OPTIONS...",
        "Options passed on to b_pairs; write them behind '--'.",
        default=None,
    )


@taking(_Options)
def nodes(given: _Options) -> int:
    """Find the hosts and links of a job that are slow or do not answer.

    Runs b_pairs, where each host exchanges messages with each other, and judges. It prints what a
    map like this could show, then slow hosts, links and groups, the largest set of hosts that is
    good together, and the command that drains the others.

    Examples:
      salloc -N 16 beff nodes
      beff nodes --baseline results/last_month
      beff nodes --fleet maps --bad bad_hosts --due due_hosts
      beff nodes --fleet maps --show --hosts n17
      beff nodes --fleet maps --show -o fleet.html
      beff nodes --bad bad_hosts -- --duration 5min
      beff nodes --slow 10% -- --map-per-host one --hang-limit 30s
      beff nodes -- --bisection --per-host 1,2,4,all
    """
    from beff.cli.fleet import answer_by_fleet
    from beff.judge.judge_results import judge_results

    topology = None if given.topology is None else read_topology(given.topology)
    rules = HostRules(value_of(given.slow), topology)
    earlier = None if given.baseline is None else load_sound(given.baseline)
    named = {"--good": given.good, "--bad": given.bad, "--due": given.due, "--output": given.output}
    targets = {name: path for name, path in named.items() if path is not None}
    _check_fleet(given)
    for name, target in targets.items():
        require_free(target, overwrite=given.overwrite, option=name)
    check_apart(targets, [] if given.fleet is None else files_of(given.fleet))
    asked: dict[str, Any] = {"days": given.days, "of": given.hosts, "show_all": given.show_all}
    if given.fleet is not None and given.show:
        return answer_by_fleet(given.fleet, rules, targets, **asked)
    options = given.engine_options or []
    check_engine_options(options, [B_PAIRS], "beff nodes")
    chosen = engine_paths(given.engine, [B_PAIRS])[B_PAIRS]
    program = find_target(B_PAIRS, chosen, given.launcher, given.mpi)
    count = _processes(given, program)
    folder = make_folder(given.output_dir, given.fleet)
    memory = memory_options(given.memory_per_process) + ["--overwrite"] * given.overwrite
    start = start_of(B_PAIRS, program, folder, count, [*memory, *options])
    of_run = {f"{ending} of the run": start.file(ending) for ending in ENDINGS}
    check_apart(of_run | targets, [])
    for path in of_run.values():
        require_free(path, overwrite=given.overwrite)
    left = made(start, shown)
    code = exit_code_of(left, lambda result: result.valid)
    document = document_of(left)
    if document is None:
        return code or exit_codes.FAILED
    checked = judge_results([document], None, earlier, rules)
    if given.fleet is not None:
        judged = answer_by_fleet(given.fleet, rules, targets, (document, checked), **asked)
    else:
        together = print_judged(document, checked, _more(given, document), show_all=given.show_all)
        lists = {"--good": together, "--bad": listed(checked.bad_hosts, [hosts_of(document)])}
        write_host_lists(targets, lists, judged=bool(checked.hosts))
        judged = CODES[checked.verdict]
    if given.fleet is not None or given.show_all:
        print_line(f"result: {document.source}")
    return exit_codes.worst([code, judged])


_MOST_DAYS = 36500


def _check_fleet(given: _Options) -> None:
    """Refuse what goes with a fleet alone, or not with one. Raises WrongUsageError."""
    needs = {
        "--show": given.show,
        "--hosts": given.hosts is not None,
        "--due": given.due is not None,
        "--output": given.output is not None,
    }
    if given.fleet is None:
        for name in (name for name, is_given in needs.items() if is_given):
            raise WrongUsageError(f"{name}: give --fleet DIR as well, a folder of maps")
        return
    if given.baseline is not None:
        raise WrongUsageError("--baseline: leave it out, as --fleet compares with all earlier maps")
    if not is_folder(given.fleet):
        raise WrongUsageError(f"--fleet {given.fleet}: is no folder; make one for the maps")
    if not 1 <= given.days <= _MOST_DAYS:
        raise WrongUsageError(f"--days {given.days}: must be a number from 1 to {_MOST_DAYS}")
    if given.hosts is not None and not is_host_list(given.hosts):
        raise WrongUsageError(f"--hosts {given.hosts}: must be a list of hosts, as n[1-3],n7")
    if given.output is not None and given.output.suffix.lower() not in FLEET_ENDINGS:
        raise WrongUsageError(
            f"--output {given.output}: the ending '{given.output.suffix}' is no format of a fleet;"
            f" end the name in one of {', '.join(FLEET_ENDINGS)}"
        )


def _processes(given: _Options, program: Target) -> int:
    """Return how many to start. Raises WrongUsageError where so few show nothing."""
    job = find_allocation()
    count = default_processes(program.cores)
    if job is not None and job.processes is None and job.nodes is not None:
        count = max(FEWEST_PROCESSES, job.nodes)
    if given.processes is not None:
        count, *more = parse_process_counts(given.processes)
        if more:
            raise WrongUsageError(f"--processes {given.processes}: give one number")
    if given.fleet is None and count < FEWEST_UNITS:
        raise WrongUsageError(
            f"--processes {count}: which is slow shows with {FEWEST_UNITS} hosts or more, or as"
            " many processes on one; b_eff measures the network of fewer"
        )
    return count


def _more(given: _Options, document: Document) -> str:
    """Return the command that shows all of the map that was measured."""
    words = ["beff", "check", document.source]
    if given.baseline is not None:
        words += ["--baseline", *map(str, given.baseline)]
    for name, value in (("--slow", given.slow), ("--topology", given.topology)):
        words += [] if value is None else [name, str(value)]
    return shlex.join([*words, "--all"])


def print_judged(
    document: Document, checked: Checked, more: str, *, show_all: bool = False
) -> tuple[str, ...]:
    """Print the headline, or all an operator acts on; return the hosts that are good together.

    `more` is the command that shows all.
    """
    result, hosts = as_b_pairs(document), hosts_of(document)
    is_of_hosts = result.plan.unit == "host"
    drain = drain_commands(checked, [hosts]) if is_of_hosts else []
    shared = shared_names([hosts]) if is_of_hosts else ()
    good = [host for host in checked.good_hosts if host not in checked.apart_hosts]
    together = listed(good, [hosts]) if is_of_hosts else ()
    headline = headline_of(checked, drain)
    if not show_all:
        print_headline(headline, "")
        if shared:
            print_line(shared_text(shared))
        # without a command nothing says where the result lies
        print_whole(f"more: {more}")
        return together
    print_headline(replace(headline, lines=(), command=""), "")
    seen = "seen", Verdict.GOOD
    findings = folded(checked.judgements)
    for found in sorted(findings, key=lambda found: (found.code, found.verdict) != seen):
        print_line(line_of(found))
    for sentence in (*map(line_of, checked.remarks), *network_sentences(result)):
        print_line(sentence)
    if not is_of_hosts:
        return ()
    if shared:
        print_line(shared_text(shared))
    nodes = result.environment.nodes
    if together or not checked.open_hosts:
        print_line(
            f"good together: {fold_host_list(together) or 'none'} ({len(together)} of {nodes})"
        )
    else:
        print_line(
            f"good together: not known, as {len(checked.open_hosts)} of {nodes} hosts are open"
        )
    for command in drain:
        print_whole(command)
    return together
