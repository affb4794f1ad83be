"""The hosts of a result of b_pairs among each other."""

from collections.abc import Iterator
from dataclasses import replace
from math import exp

from beff.analysis.b_pairs.findings import (
    SLOW,
    Evidence,
    GroupFinding,
    PairJudgement,
    Seen,
    Status,
)
from beff.analysis.b_pairs.judge import judge_pairs
from beff.analysis.b_pairs.pair_map import PairMap, pair_map
from beff.analysis.check.finding import Checked, Finding, Verdict, together
from beff.analysis.common.checks import fold_host_list
from beff.model.b_pairs_result import BPairsResult
from beff.model.load import Document
from beff.model.numbers import format_size

AGAINST = "the others"
_VERDICTS = {
    Status.NO_ANSWER: Verdict.BAD,
    Status.SLOW: Verdict.BAD,
    Status.SUSPECT: Verdict.UNKNOWN,
}
_SIZES = {"small": "short", "large": "long"}


def check_hosts(result: Document, slow: float = SLOW) -> Checked:
    """Judge hosts (or processes of one host) and links by each other; nothing without a map."""
    if not isinstance(result.result, BPairsResult):
        return Checked(())
    environment = result.result.environment
    pairs = pair_map(result.fields)
    found = judge_pairs(pairs, slow)
    if found.why_not is not None:
        only = tuple(findings_of(result.source, pairs, found))
        bad = [environment.hosts[unit].name for unit in pairs.silent if found.unit == "host"]
        note = f"{result.source}: {found.why_not}"
        return Checked(only, bad_hosts=tuple(bad), notes=(note,))
    findings = list(findings_of(result.source, pairs, found))
    if environment.oversubscribed:  # who waits for a core is not slow
        findings = [_open_if_slow(finding) for finding in findings]
    if found.unit != "host":
        return Checked(tuple(findings))
    by_host = _sorted_hosts([host.name for host in environment.hosts], found)
    if environment.oversubscribed:
        silent = tuple(environment.hosts[unit].name for unit in pairs.silent)
        by_host = Checked(
            (), bad_hosts=silent, open_hosts=(*by_host.good_hosts, *by_host.bad_hosts)
        )
    return together([Checked(tuple(findings)), by_host])


def _open_if_slow(finding: Finding) -> Finding:
    is_slow = finding.sentence.startswith(Status.SLOW.value)
    return replace(finding, verdict=Verdict.UNKNOWN) if is_slow else finding


def _sorted_hosts(hosts: list[str], found: PairJudgement) -> Checked:
    """Return the hosts by what is said of them, and of the pairs between them and the others."""
    names = {unit.name: host for host, unit in zip(hosts, found.units, strict=True)}
    behind = [names[name] for group in found.groups if not group.is_usual for name in group.names]
    good, slow, silent, suspects, untried = (
        [names[unit.name] for unit in found.with_status(status)]
        for status in (
            Status.GOOD,
            Status.SLOW,
            Status.NO_ANSWER,
            Status.SUSPECT,
            Status.NOT_TRIED,
        )
    )
    if found.kinds_of_units:
        behind += good
    good = [host for host in good if host not in untried]
    apart = {*good} - {names[name] for name in found.together}
    by_status = tuple(good), (*slow, *silent), (*suspects, *behind)
    return Checked((), *by_status, apart_hosts=tuple(host for host in good if host in apart))


def findings_of(source: str, pairs: PairMap, found: PairJudgement) -> Iterator[Finding]:
    """Yield what an operator acts on: hosts, links, groups; then what could have been seen."""
    worst_first = sorted(
        (unit for unit in found.units if unit.status in _VERDICTS),
        key=lambda unit: (
            list(_VERDICTS).index(unit.status),
            -max((entry.factor for entry in unit.evidence), default=0.0),
        ),
    )
    if pairs.stood_in is not None:
        number, round_ = pairs.stood_in
        sentence = (
            f"round {round_} of pass {number} did not end within the limit, and no host or link"
            " stands out"
        )
        yield Finding(source, AGAINST, "run", Verdict.UNKNOWN, sentence)
    for unit in worst_first:
        about = f"{found.unit} {unit.name}"
        sentence = sentence_of(unit.status, unit.evidence)
        yield Finding(source, AGAINST, about, _VERDICTS[unit.status], sentence)
    for link in found.links:
        sentence = sentence_of(link.status, link.evidence)
        ends = pairs.names.index(link.first), pairs.names.index(link.second)
        direction = _direction(pairs, *ends)
        about = f"link {link.first} - {link.second}"
        yield Finding(source, AGAINST, about, _VERDICTS[link.status], sentence + direction)
    for group in found.groups:
        yield _of_group(source, group)
    for sentence in found.kinds_of_units:
        yield Finding(source, AGAINST, pairs.plural, Verdict.UNKNOWN, sentence)
    untried = [unit.name for unit in found.with_status(Status.NOT_TRIED)]
    if untried:
        about = f"{pairs.plural} {fold_host_list(untried)}"
        yield Finding(source, AGAINST, about, Verdict.UNKNOWN, "not tried")
    if found.with_status(Status.GOOD) and not found.kinds_of_units and found.seen is not None:
        yield Finding(source, AGAINST, pairs.plural, Verdict.GOOD, seen_text(found, found.seen))


def seen_text(found: PairJudgement, seen: Seen) -> str:
    """Say what a map could show."""
    slow = len(found.with_status(Status.SLOW))
    units = "processes" if found.unit == "process" else "hosts"
    first = f"{slow} found slow" if slow else "none found slow"
    slowest = f"; slowest {'other ' if slow else ''}{seen.slowest}, {seen.factor:.2f} x the middle"
    return (
        f"{first}{slowest if seen.slowest else ''}; a {found.unit} slower by less than"
        f" {seen.limit:.2f} would not be seen here; {seen.units[0]} of {seen.units[1]} {units},"
        f" {seen.links[0]} of {seen.links[1]} links tried"
    )


def sentence_of(status: Status, evidence: tuple[Evidence, ...]) -> str:
    """Say why something has its status."""
    reasons = "; ".join(map(_one, evidence))
    return f"{status.value}: {reasons}" if reasons else f"{status.value} within the limit"


def _direction(pairs: PairMap, one: int, other: int) -> str:
    """Say which direction of a link is the slow one, where retests show it."""
    mine = (pairs.retest_first == one) & (pairs.retest_second == other)
    there, back = pairs.retests["there"][mine], pairs.retests["back"][mine]
    if not there.size:
        return ""
    apart = float(sorted(there - back)[there.size // 2])
    if not abs(apart) > SLOW:
        return ""
    start, end = (one, other) if apart > 0 else (other, one)
    return (
        f"; from {pairs.names[start]} to {pairs.names[end]} {exp(abs(apart)):.2f} times as long"
        " as back"
    )


def _of_group(source: str, group: GroupFinding) -> Finding:
    names = fold_host_list(group.names)
    longer = f"{_SIZES[group.kind]} messages take {group.factor:.2g} times as long"
    if group.is_usual:
        sentence = f"{longer} to the others as inside: topology"
        return Finding(source, AGAINST, f"group {names}", Verdict.GOOD, sentence)
    sentence = f"{longer} as inside the group: uplink or topology"
    about = f"pairs between {names} and the others"
    return Finding(source, AGAINST, about, Verdict.UNKNOWN, sentence)


def _one(entry: Evidence) -> str:
    alone = "" if entry.alone is None else f", {entry.alone:.2f} times alone"
    return (
        f"{_SIZES[entry.kind]} messages ({format_size(entry.bytes)}) take {entry.factor:.2f} times"
        f" as long in {entry.slow} of {entry.of} rounds{alone}: {entry.reason}"
    )
