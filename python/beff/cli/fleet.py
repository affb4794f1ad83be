"""`beff nodes --fleet`: what all maps of a folder say of every host."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Protocol

from beff.cli.check import CODES
from beff.cli.common.files import name_left_out
from beff.cli.common.headline_text import print_headline
from beff.cli.common.rich_tables import print_line, print_table, print_whole
from beff.cli.common.say import warn
from beff.cli.host_lists import drain_commands, hosts_of, listed, write_host_lists
from beff.fleet.states import HostState, State
from beff.judge.finding import Checked, HostRules, Verdict, together, with_hosts
from beff.judge.fleet import JudgedFleet, judge_fleet
from beff.judge.hardware import BESIDE_TIMES
from beff.maps.network_text import network_sentences
from beff.report.fleet_files import FLEET_ENDINGS, write_fleet
from beff.report.parts.checked import folded, headline_of
from beff.report.parts.findings import line_of
from beff.report.parts.headline import Headline
from beff.report.tables.fleet import fleet_table
from beff.result.errors import ResultError, WrongUsageError
from beff.result.load import Document, as_b_pairs
from beff.result.places import is_folder
from beff.result.result_files import read_results
from beff.store.side_by_side import many_at_once
from beff.verify.common.checks import expand_host_list, is_host_list
from beff.verify.subject import load_sound_document
from beff.verify.verify import require_verified

_LEFT_TO_THE_FLEET = {
    "suspect",
    "seen",
    "units differ",
    "not judged",
    "not tried",
    "no host judged",
}
"""What one map alone does not know."""
_MOST_ROWS = 40
"""Of more hosts the good ones are left to --all."""
_MOST_DAYS, _MOST_HOSTS = 36500, 10**6


@dataclass(frozen=True)
class FleetAsked:
    """The folder of maps, after how many days a host is due, and for which hosts to answer.

    With `all` everything is shown, with a table of the hosts.
    """

    folder: Path
    days: int
    hosts: frozenset[str] | None
    all: bool


class _Given(Protocol):
    @property
    def fleet(self) -> Path | None: ...
    @property
    def days(self) -> int: ...
    @property
    def show(self) -> bool: ...
    @property
    def hosts(self) -> str | None: ...
    @property
    def due(self) -> Path | None: ...
    @property
    def output(self) -> Path | None: ...
    @property
    def show_all(self) -> bool: ...
    @property
    def baseline(self) -> list[Path] | None: ...


def fleet_asked(given: _Given) -> FleetAsked | None:
    """Return which fleet is meant; None without one. Raises WrongUsageError."""
    needs = {
        "--show": given.show,
        "--hosts": given.hosts is not None,
        "--due": given.due is not None,
        "--output": given.output is not None,
    }
    if given.fleet is None:
        for name in (name for name, is_given in needs.items() if is_given):
            raise WrongUsageError(f"{name}: give --fleet DIR as well, a folder of maps")
        return None
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
    hosts = None if given.hosts is None else frozenset(expand_host_list(given.hosts, _MOST_HOSTS))
    return FleetAsked(given.fleet, given.days, hosts, given.show_all)


def answer_by_fleet(
    asked: FleetAsked,
    rules: HostRules,
    targets: Mapping[str, Path],
    tonight: tuple[Document, Checked] | None = None,
) -> int:
    """Say what is known of the hosts of a fleet, write the files, and return the code.

    Of the map just measured its links, ways, network and hardware are said as well. The lists hold
    all hosts, whichever were asked for. Raises ResultError where there is none and no other map can
    be used.
    """
    try:
        fleet, whole = judged_fleet(asked.folder, asked.days, rules, tonight)
    except ResultError as problem:
        if tonight is None:
            raise
        print_headline(Headline(Verdict.UNKNOWN, "inconclusive", (str(problem),)), "")
        return CODES[Verdict.UNKNOWN]
    for sentence in fleet.left_out:
        warn(f"beff: {sentence}; it is left out")
    checked = whole if asked.hosts is None else fleet.about(asked.hosts)
    shown, results = fleet.hosts(asked.hosts), [hosts_of(one) for one in fleet.maps]
    drain = drain_commands(checked, results)
    headline = headline_of(checked, drain)
    if asked.all:
        print_headline(replace(headline, lines=(), command=""), "")
        for found in (*folded(checked.judgements), *checked.remarks):
            print_line(line_of(found))
        if shown:
            print_table(fleet_table(fleet, shown))
        for sentence in () if tonight is None else network_sentences(as_b_pairs(tonight[0])):
            print_line(sentence)
        for command in drain:
            print_whole(command)
    else:
        print_headline(headline, _more(asked))
        if tonight is None:
            _print_hosts(fleet, shown)
    lists = {"--good": whole.good_hosts, "--bad": whole.bad_hosts, "--due": fleet.due}
    named = {name: listed(hosts, results) for name, hosts in lists.items()}
    write_host_lists(targets, named, judged=True)
    if "--output" in targets:
        write_fleet(fleet, shown, targets["--output"])
    return CODES[checked.verdict]


def judged_fleet(
    folder: Path, days: int, rules: HostRules, tonight: tuple[Document, Checked] | None = None
) -> tuple[JudgedFleet, Checked]:
    """Judge all hosts by the maps of a folder; with the map just measured, what it says as well.

    Raises ResultError where no map can be used.
    """
    maps = read_results([folder], _load_verified, left_out=name_left_out, many=many_at_once)
    if tonight is not None and all(one.source != tonight[0].source for one in maps):
        maps.append(tonight[0])
    fleet = judge_fleet(maps, datetime.now(timezone.utc), days, rules)
    return fleet, together([fleet.checked, _of_tonight(tonight)])


def _print_hosts(fleet: JudgedFleet, hosts: Sequence[HostState]) -> None:
    """Print a row for each host; of many only for those that are not good."""
    shown = hosts
    if len(hosts) > _MOST_ROWS:
        shown = [one for one in hosts if one.word(fleet.days) != State.GOOD]
    if shown:
        print_table(fleet_table(fleet, shown))


def _more(asked: FleetAsked) -> str:
    """Return the command that shows all without measuring."""
    words = ["beff", "nodes", "--fleet", str(asked.folder), "--show", "--all"]
    return shlex.join(words)


def _load_verified(path: Path) -> Document:
    document = load_sound_document(path)
    require_verified(document)
    return document


def _of_tonight(tonight: tuple[Document, Checked] | None) -> Checked:
    """Return what the last map says by itself, but for what the fleet knows better."""
    if tonight is None:
        return Checked()
    found = (
        one
        for one in tonight[1].findings
        if one.code not in _LEFT_TO_THE_FLEET and not (one.hosts and one.against in BESIDE_TIMES)
    )
    return with_hosts(
        one if one.verdict == Verdict.BAD else replace(one, hosts=()) for one in found
    )
