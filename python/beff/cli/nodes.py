"""`beff nodes`."""
# ruff: noqa: PLC0415 - judging takes long to load, and --help needs none of it

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

from beff.cli import judged
from beff.cli.common import exit_codes, options
from beff.cli.common.files import chosen_targets, make_folder, name_left_out
from beff.cli.common.say import warn
from beff.cli.common.terminal import print_lines
from beff.cli.measuring.benchmarks import B_PAIRS, start_of
from beff.cli.measuring.outcome import document_of, exit_code_of, shown
from beff.cli.measuring.request import check_engine_options, require_cores, targets_of
from beff.definition.subject import load_sound
from beff.judge.finding import FLEET_DAYS, Checked
from beff.launch.allocation import FEWEST_PROCESSES, default_processes, find_allocation
from beff.launch.campaign import ENDINGS, made
from beff.launch.target import Target
from beff.maps.network import network_sentences
from beff.maps.pair_map import FEWEST_UNITS
from beff.result.errors import WrongUsageError
from beff.result.host_list import fold_host_list, is_host_list
from beff.result.load import Document, as_b_pairs, files_of
from beff.result.places import check_apart, is_folder, require_free
from beff.show.judged_files import FLEET_ENDINGS


@dataclass(frozen=True, kw_only=True)
class _Options(options.LaunchOptions, options.ResultOptions, judged.RuleOptions):
    processes: Annotated[options.Count | None, options.NUMBER] = None
    """Processes.  [default: the tasks of the job, else one for each of its nodes]"""
    baseline: Annotated[options.Results | None, options.JUDGED] = None
    """Earlier maps of these hosts, files or folders: each host is compared with itself."""
    fleet: Annotated[options.Folder | None, options.JUDGED] = None
    """Folder of maps of changing sets of hosts: this map is added, and every host is judged by
    all."""
    days: Annotated[options.Whole, options.JUDGED] = FLEET_DAYS
    """With --fleet: a host that was not measured for this many days is due."""
    show: Annotated[bool, options.JUDGED] = False
    """With --fleet: measure nothing, show what is known."""
    demo: Annotated[bool, options.JUDGED] = False
    """Show a fleet that is made up, with one slow host, as --fleet DIR --show does."""
    hosts: Annotated[str | None, "LIST", options.JUDGED] = None
    """With --fleet: answer for these hosts, as n[1-3],n7.  [default: all]"""
    show_all: Annotated[bool, options.ALL, options.JUDGED] = False
    """Show all that was found."""
    good: Annotated[options.File | None, options.WRITTEN] = None
    """Write the hosts that are good together, one per line."""
    bad: Annotated[options.File | None, options.WRITTEN] = None
    """Write the bad hosts, one per line, for srun --exclude."""
    due: Annotated[options.File | None, options.WRITTEN] = None
    """With --fleet: write the hosts to measure next, one per line."""
    output: Annotated[options.File | None, options.OUTPUT] = None
    """With --fleet: write what is known of each host: .html, .svg, .png, .pdf, .csv, .json,
    .prom."""
    engine_options: options.EngineOptions | None = field(default=None, kw_only=False)
    """Options for b_pairs, after '--'."""


def nodes(given: _Options) -> int:
    """Find the hosts and links of a job that are slow or do not answer.

    Runs b_pairs, in which hosts exchange messages pair by pair, and prints slow hosts, links and
    groups, which faults would not have been seen, and the command that drains the bad hosts.

    Examples:
      salloc -N 16 beff nodes
      beff nodes --demo
      beff nodes --baseline results/last_month
      beff nodes --fleet maps --bad bad_hosts --due due_hosts
      beff nodes --fleet maps --show --hosts n17
      beff nodes --fleet maps --show -o fleet.html
      beff nodes --bad bad_hosts -- --duration 5min
      beff nodes --slow 10% -- --map-per-host one --hang-limit 30s
      beff nodes -- --bisection --per-host 1,2,4,all

    Exit codes:
      0  all hosts and links that were tried are good
      1  a host or link is slow or does not answer; or nothing could be measured
      3  inconclusive
    """
    from beff.cli.fleet import answer_by_fleet
    from beff.judge.judge_results import Basis, judge_results

    if given.demo:
        given = _of_demo(given)
    rules = judged.rules_of(given.slow, given.topology)
    earlier = None if given.baseline is None else load_sound(given.baseline, name_left_out)
    _check_fleet(given)
    targets = chosen_targets(given, "good", "bad", "due", "output", endings=FLEET_ENDINGS)
    check_apart(targets, [] if given.fleet is None else files_of(given.fleet))
    if given.fleet is not None and given.show:
        return answer_by_fleet(given, rules, targets)
    passed_on = given.engine_options or []
    check_engine_options(passed_on, [B_PAIRS], "beff nodes")
    program = targets_of(given, [B_PAIRS])[B_PAIRS]
    count = _processes(given, program)
    require_cores(given, [program], [count])
    folder = make_folder(given.output_dir, given.fleet)
    words = options.words_of(given, "memory_per_process", "overwrite")
    start = start_of(B_PAIRS, program, folder, count, [*words, *passed_on])
    of_run = {f"{ending} of the run": start.file(ending) for ending in ENDINGS}
    check_apart(of_run | targets, [])
    for path in of_run.values():
        require_free(path, overwrite=given.overwrite)
    left = made(start, shown)
    code = exit_code_of(left, lambda result: result.valid)
    if (document := document_of(left)) is None:
        return code or exit_codes.FAILED
    checked = judge_results([document], Basis(earlier=earlier, rules=rules))
    if given.fleet is not None:
        judged_code = answer_by_fleet(given, rules, targets, (document, checked))
    else:
        words = options.words_of(given, "baseline", "slow", "topology")
        more = shlex.join(["beff", "check", document.source, *words, "--all"])
        judged_code = answer_by_map(document, checked, more, targets, show_all=given.show_all)
    print_lines([f"result: {document.source}"])
    return exit_codes.worst([code, judged_code])


def answer_by_map(
    document: Document, checked: Checked, more: str, targets: Mapping[str, Path], *, show_all: bool
) -> int:
    """Say what a map shows, or all an operator acts on; write the lists, and return the code."""
    result, names, apart = as_b_pairs(document), judged.Names([document]), checked.apart_hosts
    names.warn_of_shared()
    together = names.listed(host for host in checked.good_hosts if host not in apart)
    sentences, drain = [*network_sentences(result)], list[str]()
    if result.plan.unit == "host":
        nodes, open_ones = result.environment.nodes, len(checked.open_hosts)
        good = f"{fold_host_list(together) or 'none'} ({len(together)} of {nodes})"
        if open_ones and not together:
            good = f"not known, as {open_ones} of {nodes} hosts are open"
        sentences.append(f"good together: {good}")
        drain = names.drain_commands(checked)
    code = judged.answer(checked, more, drain, sentences, show_all=show_all)
    lists = {"--good": together, "--bad": names.listed(checked.bad_hosts)}
    judged.write_host_lists(targets, lists, judged=bool(checked.hosts))
    return code


def _of_demo(given: _Options) -> _Options:
    """Return the options that show a made-up fleet, whose folder is named. Raises BeffError."""
    from beff.cli.demo import made_up_maps

    why = "--demo measures nothing, and has maps of its own; leave it out"
    options.refuse(options.named(given, "processes", "baseline", "fleet"), why)
    folder = made_up_maps()
    warn(f"made-up machine, nothing was measured: its maps are in {folder}")
    return replace(given, fleet=folder, show=True)


def _check_fleet(given: _Options) -> None:
    """Refuse what goes with a fleet alone, or not with one. Raises WrongUsageError."""
    if given.fleet is None:
        needs = options.named(given, "show", "hosts", "due", "output")
        why = "give --fleet DIR as well, a folder of maps"
        options.refuse((one.partition(" ")[0] for one in needs), why)
        return
    if given.baseline is not None:
        raise WrongUsageError("--baseline: leave it out, as --fleet compares with all earlier maps")
    if not is_folder(given.fleet):
        raise WrongUsageError(f"--fleet {given.fleet}: is no folder; make one for the maps")
    if given.hosts is not None and not is_host_list(given.hosts):
        raise WrongUsageError(f"--hosts {given.hosts}: must be a list of hosts, as n[1-3],n7")


def _processes(given: _Options, program: Target) -> int:
    """Return how many to start. Raises WrongUsageError where so few show nothing."""
    job, count = find_allocation(), default_processes(program.cores)
    if job is not None and job.processes is None and job.nodes is not None:
        count = max(FEWEST_PROCESSES, job.nodes)
    count = given.processes or count
    if given.fleet is None and count < FEWEST_UNITS:
        hosts = (job and job.nodes) or 1
        raise WrongUsageError(
            f"{f'--processes {count}: ' if given.processes else ''}beff nodes needs"
            f" {FEWEST_UNITS} hosts; here {'is' if hosts == 1 else 'are'} {hosts}: start it in a"
            f" larger job; --demo shows a made-up machine, and -n {FEWEST_UNITS} maps processes of"
            " a host with as many cores"
        )
    return count
