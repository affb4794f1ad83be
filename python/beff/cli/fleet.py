"""`beff nodes --fleet`: what all maps of a folder say of every host."""

import shlex
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from beff.cli import judged
from beff.cli.common.files import name_left_out
from beff.cli.common.say import warn
from beff.cli.common.terminal import print_headline, print_table
from beff.definition.subject import load_sound_document
from beff.definition.verify import require_verified
from beff.judge.finding import EARLIER_MAPS, Checked, Finding, HostRules, Verdict
from beff.judge.fleet import JudgedFleet, judge_fleet
from beff.judge.hardware import BESIDE_TIMES
from beff.maps.fleet import State
from beff.maps.network import network_sentences
from beff.result.errors import ResultError
from beff.result.host_list import expand_host_list, fold_host_list
from beff.result.load import Document, LeftOut, as_b_pairs, read_results
from beff.result.many import many_at_once
from beff.result.numbers import counted
from beff.show.judged_files import fleet_table, write_fleet
from beff.show.parts.sentences import Headline

_LEFT_TO_THE_FLEET = "suspect", "seen", "units differ", "not judged", "not tried", "no host judged"
"""What one map alone does not know."""
Tonight = tuple[Document, Checked]
"""The map that was just measured, and what it says by itself."""
_MOST_ROWS = 40
"""Of more hosts the good ones are left to --all."""


def answer_by_fleet(
    given: Any, rules: HostRules, targets: Mapping[str, Path], tonight: Tonight | None = None
) -> int:
    """Say what is known of the hosts of a fleet, write the files, and return the code.

    The options are those of `beff nodes`. Of the map just measured its links, ways, network and
    hardware are said as well. The lists hold all hosts, whichever were asked for. Raises
    ResultError where there is none and no other map can be used.
    """
    folder, show_all = given.fleet, given.show_all
    wanted = None if given.hosts is None else frozenset(expand_host_list(given.hosts))
    problems = list[ResultError]()
    try:
        fleet, whole = judged_fleet(folder, given.days, rules, tonight, problems.append)
    except ResultError as why:
        if tonight is None:
            raise
        print_headline(Headline(Verdict.UNKNOWN, "inconclusive", (str(why),)), "")
        return judged.CODES[Verdict.UNKNOWN]
    finally:
        for problem in problems:
            name_left_out(problem)
    warn(*(f"beff: {sentence}; it is left out" for sentence in fleet.left_out))
    names = judged.Names(fleet.maps)
    good, bad, due = map(names.listed, (whole.good_hosts, whole.bad_hosts, fleet.due))
    # who is bad stays so until a map measures the host; where a map cannot be read, nobody leaves
    known = bad if problems else names.listed(one.name for one in fleet.fleet.hosts)
    kept = []
    with suppress(OSError, UnicodeDecodeError, KeyError):
        listed = targets["--bad"].read_text(encoding="utf-8").split()
        kept = [name for name in listed if name not in known]
    if kept:
        warn(f"beff: no map shows that {fold_host_list(kept)} is good: it stays a bad host")
    good = tuple(name for name in good if name not in kept)
    lists = {"--good": good, "--bad": (*bad, *kept), "--due": due}
    judged.write_host_lists(targets, lists, judged=True)
    shown = fleet.hosts(wanted)
    if "--output" in targets:
        write_fleet(fleet, shown, targets["--output"])
        warn(f"{targets['--output']}: {counted(len(shown), 'host')}")
    checked = whole if wanted is None else fleet.about(wanted)
    if problems:
        about = counted(len(problems), "map")
        unread = Finding("cannot be read", about, Verdict.UNKNOWN, EARLIER_MAPS)
        checked = Checked((unread, *checked))
    more = shlex.join(["beff", "nodes", "--fleet", str(folder), "--show", "--all"])
    network = () if tonight is None else network_sentences(as_b_pairs(tonight[0]))
    drain = names.drain_commands(checked)
    code = judged.answer(checked, more, drain, network, show_all=show_all)
    if not show_all and len(shown) > _MOST_ROWS:
        shown = [one for one in shown if one.word(fleet.days) != State.GOOD]
    if shown and (show_all or tonight is None):
        print_table(fleet_table(fleet, shown))
    return code


def judged_fleet(
    folder: Path, days: int, rules: HostRules, tonight: Tonight | None, left_out: LeftOut
) -> tuple[JudgedFleet, Checked]:
    """Judge all hosts by the maps of a folder; with the map just measured, what it says as well.

    Raises ResultError where no map can be used.
    """

    def load(path: Path) -> Document:
        return require_verified(load_sound_document(path))

    maps = read_results([folder], load, left_out=left_out, many=many_at_once)
    if tonight is not None and all(one.source != tonight[0].source for one in maps):
        maps.append(tonight[0])
    fleet = judge_fleet(maps, datetime.now(timezone.utc), days, rules)
    of_map = (
        replace(one, hosts=one.hosts if one.verdict == Verdict.BAD else (), behind=())
        for one in (() if tonight is None else tonight[1])
        if one.code not in _LEFT_TO_THE_FLEET and not (one.hosts and one.against in BESIDE_TIMES)
    )
    return fleet, Checked((*fleet.checked, *of_map))
