"""`beff nodes --fleet`: what all maps of a folder say of every host."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

from beff.cli.check import CODES
from beff.cli.common.files import name_left_out
from beff.cli.common.rich_tables import print_headline, print_line, print_table, print_whole
from beff.cli.common.say import warn
from beff.cli.host_lists import drain_commands, hosts_of, listed, still_bad, write_host_lists
from beff.definition.verify import require_verified
from beff.fleet.states import HostState, State
from beff.judge.finding import (
    EARLIER_MAPS,
    FLEET_DAYS,
    Checked,
    Finding,
    HostRules,
    Verdict,
    together,
    with_hosts,
)
from beff.judge.fleet import JudgedFleet, judge_fleet
from beff.judge.hardware import BESIDE_TIMES
from beff.maps.network_text import network_sentences
from beff.report.fleet_files import fleet_table, write_fleet
from beff.report.parts.checked import folded, headline_of
from beff.report.parts.findings import line_of
from beff.report.parts.headline import Headline
from beff.result.errors import ResultError
from beff.result.host_list import expand_host_list, fold_host_list
from beff.result.load import Document, as_b_pairs
from beff.result.numbers import counted
from beff.result.result_files import LeftOut, read_results
from beff.store.side_by_side import many_at_once
from beff.verify.subject import load_sound_document

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


def answer_by_fleet(
    folder: Path,
    rules: HostRules,
    targets: Mapping[str, Path],
    tonight: tuple[Document, Checked] | None = None,
    *,
    days: int = FLEET_DAYS,
    of: str | None = None,
    show_all: bool = False,
) -> int:
    """Say what is known of the hosts of a fleet, write the files, and return the code.

    `folder` has the maps, after so many `days` a host is due, `of` lists the hosts to answer for.
    Of the map just measured its links, ways, network and hardware are said as well. The lists hold
    all hosts, whichever were asked for. Raises ResultError where there is none and no other map can
    be used.
    """
    asked = None if of is None else frozenset(expand_host_list(of))
    problems = list[ResultError]()

    def note(problem: ResultError) -> None:
        problems.append(problem)
        name_left_out(problem)

    try:
        fleet, whole = judged_fleet(folder, days, rules, tonight, left_out=note)
    except ResultError as why:
        if tonight is None:
            raise
        print_headline(Headline(Verdict.UNKNOWN, "inconclusive", (str(why),)), "")
        return CODES[Verdict.UNKNOWN]
    for sentence in fleet.left_out:
        warn(f"beff: {sentence}; it is left out")
    shown, results = fleet.hosts(asked), [hosts_of(one) for one in fleet.maps]
    _write_lists(targets, fleet, whole, are_all=not problems)
    if "--output" in targets:
        write_fleet(fleet, shown, targets["--output"])
    checked = whole if asked is None else fleet.about(asked)
    if problems:
        about = counted(len(problems), "map")
        unread = Finding("cannot be read", about, Verdict.UNKNOWN, EARLIER_MAPS)
        checked = together([Checked((unread,)), checked])
    drain = drain_commands(checked, results)
    headline = headline_of(checked, drain)
    if show_all:
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
        words = ["beff", "nodes", "--fleet", str(folder), "--show", "--all"]
        print_headline(headline, shlex.join(words))
        if tonight is None:
            _print_hosts(fleet, shown)
    return CODES[checked.verdict]


def _write_lists(
    targets: Mapping[str, Path], fleet: JudgedFleet, found: Checked, *, are_all: bool
) -> None:
    """Write the lists; who is bad stays so until a map of the fleet measures the host.

    Where not all maps can be read, nobody leaves the list of bad hosts.
    """
    results = [hosts_of(one) for one in fleet.maps]
    lists = {"--good": found.good_hosts, "--bad": found.bad_hosts, "--due": fleet.due}
    named = {name: listed(hosts, results) for name, hosts in lists.items()}
    known = listed([one.name for one in fleet.fleet.hosts], results)
    kept = still_bad(targets.get("--bad"), known if are_all else named["--bad"])
    named["--bad"] = (*named["--bad"], *(name for name in kept if name not in named["--bad"]))
    named["--good"] = tuple(name for name in named["--good"] if name not in kept)
    if kept:
        warn(f"beff: no map shows that {fold_host_list(kept)} is good: it stays a bad host")
    write_host_lists(targets, named, judged=True)


def judged_fleet(
    folder: Path,
    days: int,
    rules: HostRules,
    tonight: tuple[Document, Checked] | None = None,
    left_out: LeftOut = name_left_out,
) -> tuple[JudgedFleet, Checked]:
    """Judge all hosts by the maps of a folder; with the map just measured, what it says as well.

    Raises ResultError where no map can be used.
    """
    maps = read_results([folder], _load_verified, left_out=left_out, many=many_at_once)
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
