"""`beff today`."""

import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from beff.cli.common import exit_codes
from beff.cli.common.files import make_folder
from beff.cli.common.help_text import Group
from beff.cli.common.options import (
    DURATION,
    PERCENT,
    Quantity,
    build_option,
    flag,
    launcher_option,
    option,
    parse_process_counts,
    taking,
)
from beff.cli.common.rich_tables import print_line, print_table
from beff.cli.common.say import say
from beff.cli.fleet import judged_fleet
from beff.cli.measuring.benchmarks import B_EFF, B_EFF_IO, B_PAIRS
from beff.cli.measuring.options import program_option
from beff.cli.measuring.repetitions import Found, Place, measure_day
from beff.cli.measuring.request import check_files_folder, engine_paths
from beff.judge.change import THRESHOLD
from beff.judge.day_rule import Word
from beff.judge.finding import FLEET_DAYS, USUAL, Checked
from beff.judge.judge_results import judge_results
from beff.launch.target import Target, default_processes, find_target
from beff.report.parts.findings import line_of
from beff.result.errors import ResultError, WrongUsageError
from beff.result.host_list import fold_host_list
from beff.result.load import Document
from beff.result.numbers import counted
from beff.today.kept import cluster_name, history_folder
from beff.today.line import as_fields, figures_table, headline, next_command
from beff.verify.analysis import disturbed_text

_OF_WORD = {
    Word.SLOWER: exit_codes.FAILED,
    Word.OPEN: exit_codes.NOT_VALID,
    Word.FASTER: exit_codes.OK,
    Word.AS_FAST: exit_codes.OK,
    None: exit_codes.OK,
}


@dataclass(frozen=True, kw_only=True)
class _Options:
    within: Quantity = option(
        DURATION,
        "Begin no repetition that would end later.",
        default=DURATION.of("3min"),
        group=Group.MEASURED,
    )
    path: Path | None = option(
        "DIR", "Measure files there as well, by b_eff_io.", group=Group.MEASURED
    )
    threshold: Quantity = option(
        PERCENT,
        "Smallest loss that matters.",
        default=PERCENT.of(f"{THRESHOLD:.0%}"),
        group=Group.JUDGED,
    )
    history: Path | None = option(
        "DIR",
        "Folder in which all is kept.",
        otherwise="$BEFF_HISTORY, else beff/history among the data of the user",
        group=Group.JUDGED,
    )
    anew: bool = flag(
        "Begin a series anew, as after a change that is meant to stay.", group=Group.JUDGED
    )
    show_all: bool = flag("Show every figure, host and file.", names="--all", group=Group.WRITTEN)
    as_json: bool = flag("Print one JSON object instead.", names="--json", group=Group.WRITTEN)
    processes: str | None = option(
        "N",
        "Processes.",
        names="--processes -n",
        otherwise="the physical cores, in a job as many as it has",
        group=Group.PROCESSES,
    )
    engine: Path | None = program_option()
    launcher: str | None = launcher_option()
    mpi: str | None = build_option()


@taking(_Options)
def today(given: _Options) -> int:
    """Find out whether this machine is as fast as on the days before.

    Measures short runs, compares them with the days that are kept, and stops as soon as it is sure.
    A day is slower if it has lost more than --threshold, and the loss is beyond what days and runs
    differ by; at most one day in a hundred is called so by chance. Days compare if they have the
    same number of hosts and processes on the same kind of hosts; a program, MPI library or kernel
    that changed is said. With four hosts or more b_pairs names
    the slow ones.

    Examples:
      beff today
      salloc -N 4 beff today --history /shared/beff
      beff today --within 10min --path /scratch/me
      beff today --json
    """
    if not 0 < given.threshold.value < 1:
        raise WrongUsageError(f"--threshold {given.threshold}: must be above 0% and below 100%")
    place = _place(given)
    found = measure_day(place, given.within.value, given.threshold.value, anew=given.anew)
    if not found.days:
        if found.disturbed:
            found.codes.append(exit_codes.NOT_VALID)
            found.why = disturbed_text(found.disturbed)
        if given.as_json:
            print(json.dumps({"line": f"inconclusive: {found.why}", "days": []}, indent=1))
        elif found.why:
            say(f"inconclusive: {found.why}")
        if found.disturbed and not given.as_json:
            say("next: measure again, alone")
        return exit_codes.worst(found.codes) or exit_codes.FAILED
    checked = None if found.map is None else _checked(place.maps, found.map)
    bad = () if checked is None else checked.bad_hosts
    slow = f"{'host' if len(bad) == 1 else 'hosts'} {fold_host_list(sorted(bad))}" if bad else ""
    line = headline(found.days, slow, found.another, found.changed)
    codes = [*found.codes, *(_OF_WORD[day.word] for day in found.days.values())]
    codes += [exit_codes.FAILED] * bool(bad)
    if given.as_json:
        print(json.dumps(_fields(line, found, checked, place), indent=1))
        return exit_codes.worst(codes)
    say(line)
    if given.show_all:
        _print_all(found, checked, place)
    command = next_command(list(found.days.values()), place.maps, slow)
    if command is not None:
        print_line(f"next: {command}")
    return exit_codes.worst(codes)


def _place(given: _Options) -> Place:
    """Find what measures and make the folders. Raises BeffError."""
    check_files_folder(given.path)
    count, *more = parse_process_counts(given.processes) if given.processes else [0]
    if more:
        raise WrongUsageError(f"--processes {given.processes}: give one number")
    benchmarks = [B_EFF] + [B_EFF_IO] * (given.path is not None)
    chosen = engine_paths(given.engine, [*benchmarks, B_PAIRS])

    def target(name: str) -> Target:
        return find_target(name, chosen[name], given.launcher, given.mpi)

    targets = {name: target(name) for name in benchmarks}
    cluster = history_folder(given.history) / cluster_name()
    runs = make_folder(cluster / "runs", option="--history")
    return Place(
        targets,
        partial(target, B_PAIRS),
        count or default_processes(targets[B_EFF].cores),
        given.path,
        runs,
        make_folder(None, runs, "--history"),
        cluster / "maps",
    )


def _checked(maps: Path, document: Document) -> Checked:
    """Judge the hosts by the map just measured and those before, as `beff nodes --fleet` does."""
    alone = judge_results([document], None, None, USUAL)
    try:
        return judged_fleet(maps, FLEET_DAYS, USUAL, (document, alone))[1]
    except ResultError:
        return alone


def _print_all(found: Found, checked: Checked | None, place: Place) -> None:
    print_table(figures_table(list(found.days.values())))
    for one in () if checked is None else (*checked.judgements, *checked.remarks):
        print_line(line_of(one))
    first = found.repetitions[0]
    print_line("alike: " + ", ".join(f"{name} {value}" for name, value in first.alike.items()))
    print_line(f"hosts: {first.hosts}")
    print_line(f"kept: {place.call}, {counted(len(found.repetitions), 'result')}")


def _fields(line: str, found: Found, checked: Checked | None, place: Place) -> dict[str, Any]:
    first = found.repetitions[0]
    return {
        "line": line,
        "days": [as_fields(day) for day in found.days.values()],
        "series": dict(first.alike),
        "another_series": list(found.another),
        "changed": list(found.changed),
        "bad_hosts": None if checked is None else list(checked.bad_hosts),
        "results": [f"{place.call}/{one.file}" for one in found.repetitions],
    }
