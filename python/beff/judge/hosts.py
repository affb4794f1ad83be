"""The hosts of a result of b_pairs among each other, as an operator reads it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import exp
from typing import Any

from beff.judge.conditions import Use, differences, unusable
from beff.judge.finding import (
    EARLIER_MAPS,
    OTHERS,
    USUAL,
    Checked,
    Finding,
    HostRules,
    Verdict,
    together,
)
from beff.maps.findings import (
    SLOW,
    GroupFinding,
    PairJudgement,
    Status,
    UplinkFinding,
)
from beff.maps.judge_pairs import judge_pairs
from beff.maps.pair_map import FEWEST_UNITS, PairMap, pair_map
from beff.maps.told import unseen_by
from beff.maps.topology import Switches, Topology
from beff.result.bounds import moment_of
from beff.result.host_list import fold_host_list
from beff.result.imported_pairs import ImportedPairs, MapResult
from beff.result.load import Document, as_map
from beff.verify.analysis import analysis_of
from beff.verify.common.wires import disturbed_hosts
from beff.verify.subject import apart

_VERDICTS = {
    Status.NO_ANSWER: Verdict.BAD,
    Status.SLOW: Verdict.BAD,
    Status.SUSPECT: Verdict.UNKNOWN,
    Status.GOOD: Verdict.GOOD,
}
_MOST_NAMED = 8


def findings_of(
    pairs: PairMap, found: PairJudgement, unseen: Sequence[str] = ()
) -> Iterator[Finding]:
    """Yield what an operator acts on, the worst first; then what could have been seen.

    `unseen` says how else a unit may be slow that would not be seen.
    """
    if pairs.stood_in is not None:
        number, round_ = pairs.stood_in
        yield _finding(found, "run stood", "run", Verdict.UNKNOWN, number=number, round=round_)
    yield from _of_units(found)
    for link in found.links:
        ends = link.first, link.second
        way = _slow_way(pairs, *map(pairs.names.index, ends))
        about = f"link {link.first} - {link.second}"
        code, verdict = link.status.value, _VERDICTS[link.status]
        facts = {"evidence": link.evidence, "ends": ends, "slow_way": way}
        yield _finding(found, code, about, verdict, **facts)
    yield from _of_common(pairs, found)
    yield from _of_groups(found)
    for uplink in found.uplinks:
        taper = len(uplink.names) / (uplink.crossing * uplink.share)
        ratios = {"own_share": uplink.share, "taper": taper}
        code, verdict = f"{uplink.status.value} uplink", _VERDICTS[uplink.status]
        code = code if uplink.has_like else "unlike uplink"
        about, crossing = _beyond(uplink), uplink.crossing
        yield _finding(found, code, about, verdict, crossing=crossing, **ratios)
    for between in found.ways:
        ends = fold_host_list(between.names), fold_host_list(between.others)
        about = f"pairs between {ends[0]} and {ends[1]}"
        code, verdict = f"{between.status.value} way", _VERDICTS[between.status]
        yield _finding(found, code, about, verdict, longer_times=between.factor)
    for one in found.misplaced:
        where = {"said": one.said, "seen": one.seen, "longer_times": one.factor}
        yield _finding(found, "misplaced", f"{found.unit} {one.name}", Verdict.UNKNOWN, **where)
    for sentence in found.of_all:
        yield _finding(found, "units differ", pairs.plural, Verdict.UNKNOWN, how=sentence)
    yield from _of_rest(pairs, found, unseen)


def _finding(
    found: PairJudgement, code: str, about: str, verdict: Verdict, **facts: Any
) -> Finding:
    return Finding(code, about, verdict, EARLIER_MAPS if found.is_since else OTHERS, facts)


def _of_units(found: PairJudgement) -> Iterator[Finding]:
    order = list(_VERDICTS)
    worst_first = sorted(
        (unit for unit in found.units if _VERDICTS.get(unit.status, Verdict.GOOD) != Verdict.GOOD),
        key=lambda unit: (
            order.index(unit.status),
            -max((entry.factor for entry in unit.evidence), default=0.0),
        ),
    )
    for unit in worst_first:
        about, verdict = f"{found.unit} {unit.name}", _VERDICTS[unit.status]
        finding = _finding(found, unit.status.value, about, verdict, evidence=unit.evidence)
        yield replace(finding, hosts=(unit.name,) if found.unit == "host" else ())


def _slow_way(pairs: PairMap, one: int, other: int) -> tuple[str, str, float] | None:
    """Return the ends of the slow direction of a link, and by how much; None without retests."""
    mine = (pairs.retest_first == one) & (pairs.retest_second == other)
    there, back = pairs.retests["there"][mine], pairs.retests["back"][mine]
    if not there.size:
        return None
    apart = float(sorted(there - back)[there.size // 2])
    if not abs(apart) > SLOW:
        return None
    start, end = (one, other) if apart > 0 else (other, one)
    return pairs.names[start], pairs.names[end], exp(abs(apart))


def _of_common(pairs: PairMap, found: PairJudgement) -> Iterator[Finding]:
    """Yield that all take longer than before, as far as this is sure."""
    if found.common:
        sure = [one for one in found.common if one.status == Status.SLOW]
        them = f"{'all' if all(one.are_all for one in found.common) else 'most'} {pairs.plural}"
        code, verdict = ("slower", Verdict.BAD) if sure else ("perhaps slower", Verdict.UNKNOWN)
        yield _finding(found, code, them, verdict, common=sure or found.common)


def _of_groups(found: PairJudgement) -> Iterator[Finding]:
    """Yield those that are not as they should be, and of the others that they are there.

    A group that is far in long messages is not named again where its uplink is.
    """
    narrow = [uplink.names for uplink in found.uplinks if uplink.status != Status.GOOD]
    groups = [one for one in found.groups if one.kind == "small" or one.names not in narrow]
    for group in groups:
        if group.status in {Status.SUSPECT, Status.SLOW}:
            code, verdict = f"{group.status.value} group", _VERDICTS[group.status]
            code = code if group.kind == "small" else "far group"
            yield _finding(found, code, _beyond(group), verdict, longer_times=group.factor)
    usual = [group for group in groups if group.status == Status.GOOD]
    if usual:
        names = [_called(group) for group in usual[:_MOST_NAMED]]
        more = f" and {len(usual) - _MOST_NAMED} more" if len(usual) > _MOST_NAMED else ""
        of_all = f"pairs between groups: {', '.join(names)}{more}"
        about = _beyond(usual[0]) if len(usual) == 1 else of_all
        factors = [group.factor for group in usual]
        facts = {"least_times": min(factors), "most_times": max(factors)}
        yield _finding(found, "topology", about, Verdict.GOOD, **facts)


def _beyond(way: GroupFinding | UplinkFinding) -> str:
    return f"pairs between {_called(way)} and the others"


def _called(way: GroupFinding | UplinkFinding) -> str:
    folded = fold_host_list(way.names)
    return folded if way.switch is None else f"{way.switch} ({folded})"


def _of_rest(pairs: PairMap, found: PairJudgement, unseen: Sequence[str]) -> Iterator[Finding]:
    untried = [unit.name for unit in found.with_status(Status.NOT_TRIED)]
    if untried:
        about = f"{pairs.plural} {fold_host_list(untried)}"
        code = "not tried, or in no earlier map" if found.is_since else "not tried"
        yield _finding(found, code, about, Verdict.UNKNOWN)
    if found.doubt or found.shows_nothing:
        code = "map shows nothing" if found.shows_nothing else "map calls none slow"
        why = found.doubt or "its times differ too much"
        yield _finding(found, code, pairs.plural, Verdict.UNKNOWN, unit=found.unit, why=why)
    elif found.with_status(Status.GOOD) and not found.is_open and found.seen is not None:
        slow = len(found.with_status(Status.SLOW))
        than = "before" if found.is_since else f"the median {found.unit}"
        facts = {"slow": slow, "than": than, "seen": found.seen, "units": pairs.plural}
        facts["unseen"] = unseen
        yield _finding(found, "seen", pairs.plural, Verdict.GOOD, **facts)


_MOST_BEFORE = 5
"""The newest ones: what was usual a year ago need not be so now."""


def check_hosts(
    result: Document,
    rules: HostRules = USUAL,
    earlier: Sequence[Document] | None = None,
) -> Checked:
    """Judge hosts (or processes of one host) and links by each other; nothing without a map.

    Beside earlier maps of the same hosts, by themselves. Raises ResultError where the topology does
    not have a host.
    """
    if not isinstance(result.result, MapResult):
        return Checked()
    names = [host.name for host in result.result.environment.hosts]
    pairs = pair_map(result.result)
    foreign = result.result if isinstance(result.result, ImportedPairs) else None
    before = [] if earlier is None else _maps_before(result, earlier)
    found = judged_map(result, rules, before)
    findings = tuple(findings_of(pairs, found, () if foreign is None else [*unseen_by(foreign)]))
    if foreign is not None:
        of = foreign.imported
        facts = {"source": of.source, "format": of.format, "lacks": of.not_known}
        findings = (*findings, Finding("imported map", "this map", None, OTHERS, facts))
    if found.why_not is not None:
        note = Finding("not judged", "", None, facts={"why": found.why_not})
        note = replace(note, source=result.source)
        silent = [names[unit] for unit in pairs.silent if found.unit == "host"]
        return Checked((*findings, note), dict.fromkeys(silent, Verdict.BAD))
    if earlier is not None and not before:
        without = Finding("no earlier map", pairs.plural, Verdict.UNKNOWN, EARLIER_MAPS)
        findings = (without, *findings)
    if found.unit != "host":
        return Checked(findings)
    by_unit = dict(zip(pairs.names, names, strict=True))
    return together([Checked(findings), _of_hosts(by_unit, found)])


def judged_map(
    map_of: Document, rules: HostRules = USUAL, before: Sequence[PairMap] = ()
) -> PairJudgement:
    """Return what a map says of its units, beside earlier ones where there are any.

    Nobody is slow by it whose wires had errors meanwhile. Raises ResultError where the topology
    lacks a host.
    """
    result = as_map(map_of)
    pairs = pair_map(result)
    switches = switches_of(result, pairs, rules.topology)
    found = _judged(pairs, rules.slow, switches, tuple(before), doubt_of(map_of))
    if pairs.is_foreign:
        return found
    busy = {one.host for one in disturbed_hosts(result)}
    return found.without_slow({pairs.names[host] for host in busy if found.unit == "host"})


_judged = lru_cache(maxsize=8)(judge_pairs)


def doubt_of(map_of: Document) -> str | None:
    """Say why nobody is slow by a map: who waits for a core, or for other programs, is not.

    Nor is anybody by one of which the times of a pair differ too much.
    """
    if getattr(as_map(map_of).environment, "oversubscribed", False):
        return "it was measured with more processes than cores"
    found = analysis_of(map_of)
    return found.why_noisy or found.why_apart


def _maps_before(result: Document, earlier: Sequence[Document]) -> list[PairMap]:
    """Return earlier maps that have all hosts of a result, oldest first; else the most alike."""
    others, _ = apart([run for run in earlier if run.benchmark == result.benchmark], [result])
    runs = [
        run
        for run in sorted(others, key=_began)
        if measured_alike(result, run) and not list(unusable([run])) and not doubt_of(run)
    ]
    maps = [pair_map(as_map(run)) for run in runs]
    names = {*pair_map(as_map(result)).names}
    shared = [len(names & {*one.names}) for one in maps]
    whole = [one for one, count in zip(maps, shared, strict=True) if count == len(names)]
    if whole:
        return whole[-_MOST_BEFORE:]
    most = max(shared, default=0)
    return [maps[shared.index(most)]] if most >= FEWEST_UNITS else []


def _began(run: Document) -> float:
    """Return when a map was measured; one that does not say so counts as older than others."""
    moment = as_map(run).environment.started_at
    return 0.0 if moment is None else moment_of(moment).timestamp()


def measured_alike(one: Document, other: Document) -> bool:
    """Whether the conditions of a map are the same, and the processes on each host of both."""
    hosts, others = (
        {host.name: host.processes for host in as_map(run).environment.hosts}
        for run in (one, other)
    )
    alike = all(hosts[name] == others[name] for name in hosts.keys() & others.keys())
    return alike and not differences([one], [other], Use.MAP)


def switches_of(
    result: MapResult, pairs: PairMap, topology: Topology | None
) -> tuple[Switches, ...] | None:
    """Return the switches above each host: by the topology given, or as the launcher said."""
    if pairs.unit != "host":
        return None
    if topology is not None:
        return topology.of([host.node or host.name for host in result.environment.hosts])
    said = [host.switches for host in result.environment.hosts]
    known = [tuple(switches.split(".")) for switches in said if switches]
    return tuple(known) if len(known) == len(said) else None


def _of_hosts(names: Mapping[str, str], found: PairJudgement) -> Checked:
    """Return what is said of each host, and of the pairs between it and the others.

    `names` are those of the hosts, by those of the units.
    """
    ways: tuple[GroupFinding | UplinkFinding, ...] = (*found.groups, *found.uplinks)
    behind = dict.fromkeys(name for way in ways if way.status != Status.GOOD for name in way.names)
    behind |= dict.fromkeys(name for way in found.ways for name in (*way.names, *way.others))
    verdicts = _VERDICTS | ({Status.GOOD: Verdict.UNKNOWN} if found.is_open else {})
    order = Status.SLOW, Status.NO_ANSWER, Status.SUSPECT, Status.GOOD
    said = [(one.name, verdicts[status]) for status in order for one in found.with_status(status)]
    said += [(name, Verdict.UNKNOWN) for name in behind]
    untried = {names[one.name] for one in found.with_status(Status.NOT_TRIED)}
    said = [one for one in said if one[1] != Verdict.GOOD or names[one[0]] not in untried]
    worst = together(Checked((), {names[name]: verdict}) for name, verdict in said)
    near = {names[name] for name in found.together}
    apart = (names[one.name] for one in found.with_status(Status.GOOD))
    return replace(worst, apart_hosts=tuple(one for one in apart if one not in {*near, *untried}))
