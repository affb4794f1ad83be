"""The hosts of a result of b_pairs among each other, as an operator reads it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from math import exp
from typing import Any

from beff.definition.subject import apart, by_key
from beff.judge.analysis import analysis_of, disturbed_hosts
from beff.judge.conditions import Use, differences, unusable
from beff.judge.finding import EARLIER_MAPS, OTHERS, USUAL, Checked, Finding, HostRules, Verdict
from beff.maps.findings import SLOW, CommonFinding, PairJudgement, Status, WayFinding
from beff.maps.judge_pairs import judge_pairs
from beff.maps.pair_map import FEWEST_UNITS, PairMap, pair_map, unseen_by
from beff.maps.topology import Switches, Topology
from beff.result.b_pairs_result import ImportedPairs, MapResult
from beff.result.host_list import fold_host_list
from beff.result.load import Document, as_map

_VERDICTS = {Status.GOOD: Verdict.GOOD, Status.SLOW: Verdict.BAD, Status.NO_ANSWER: Verdict.BAD}
"""Nothing is concluded from any other status."""
_MOST_NAMED = 8


def findings_of(
    pairs: PairMap, judged: PairJudgement, unseen: Sequence[str] = ()
) -> Iterator[Finding]:
    """Yield what an operator acts on, the worst first; then what the map would have shown.

    `unseen` says how else a unit may be slow that would not be seen.
    """
    if pairs.stood_in is not None:
        number, round_ = pairs.stood_in
        yield _finding(judged, "run stood", "run", number=number, round=round_)
    for status in (Status.NO_ANSWER, Status.SLOW, Status.SUSPECT):
        worst_first = sorted(
            judged.with_status(status),
            key=lambda unit: -max((entry.factor for entry in unit.evidence), default=0.0),
        )
        for unit in worst_first:
            facts = dict[str, Any](evidence=unit.evidence, hosts=[unit.name])
            yield _finding(judged, status.value, f"{judged.unit} {unit.name}", status, **facts)
    for link in judged.links:
        ends = link.first, link.second
        way = _slow_way(pairs, *map(pairs.names.index, ends))
        about = f"link {link.first} - {link.second}"
        facts = dict[str, Any](evidence=link.evidence, ends=ends, slow_way=way)
        yield _finding(judged, link.status.value, about, link.status, **facts)
    are_all = all(one.are_all for one in judged.common)
    them = f"{'all' if are_all else 'most'} {pairs.plural}"
    good = tuple(one.name for one in judged.with_status(Status.GOOD))
    left_open = good if judged.is_open else ()
    yield from (replace(one, behind=left_open) for one in all_slower(judged.common, them))
    yield from _of_ways(judged)
    for one in judged.misplaced:
        facts = dict[str, Any](stated=one.stated, seen=one.seen, longer_times=one.factor)
        yield _finding(judged, "misplaced", f"{judged.unit} {one.name}", **facts)
    for sentence in judged.of_all:
        yield _finding(judged, "units differ", pairs.plural, behind=left_open, how=sentence)
    yield from _of_rest(pairs, judged, good, unseen)


def _finding(
    judged: PairJudgement, code: str, about: str, status: Status | None = None, **facts: Any
) -> Finding:
    """Return a finding of a map; units among what is given are no facts of it."""
    hosts, behind, apart = (tuple(facts.pop(name, ())) for name in ("hosts", "behind", "apart"))
    against = EARLIER_MAPS if judged.is_since else OTHERS
    verdict = Verdict.UNKNOWN if status is None else _VERDICTS.get(status, Verdict.UNKNOWN)
    return Finding(code, about, verdict, against, facts, hosts, behind=behind, apart=apart)


def _slow_way(pairs: PairMap, first: int, second: int) -> tuple[str, str, float] | None:
    """Return the ends of the slow direction of a link, and by how much; None without retests."""
    mine = (pairs.retest_first == first) & (pairs.retest_second == second)
    there, back = pairs.retests["there"][mine], pairs.retests["back"][mine]
    if not there.size:
        return None
    apart = float(sorted(there - back)[there.size // 2])
    if not abs(apart) > SLOW:
        return None
    start, end = (first, second) if apart > 0 else (second, first)
    return pairs.names[start], pairs.names[end], exp(abs(apart))


def all_slower(common: Sequence[CommonFinding], them: str) -> Iterator[Finding]:
    """Yield that all of `them` take longer than before, as far as this is sure."""
    if common:
        sure = [one for one in common if one.status == Status.SLOW]
        code, verdict = ("slower", Verdict.BAD) if sure else ("perhaps slower", Verdict.UNKNOWN)
        yield Finding(code, them, verdict, EARLIER_MAPS, {"common": sure or common})


def _of_ways(judged: PairJudgement) -> Iterator[Finding]:
    """Yield those that are not as they should be, and in front of uplinks that groups are there.

    A group that is far in long messages is not named again where its uplink is.
    """
    is_uplink = {one: one.what.endswith("uplink") for one in judged.ways}
    narrow = [one.names for one in judged.ways if is_uplink[one] and one.status != Status.GOOD]
    usual = [one for one in judged.ways if (one.what, one.status) == ("group", Status.GOOD)]
    listed = [one for one in judged.ways if one not in usual]
    listed = [one for one in listed if one.what != "far group" or one.names not in narrow]
    yield from (_of_way(judged, one) for one in listed if one.what.endswith("group"))
    if usual:
        names = [_called(group) for group in usual[:_MOST_NAMED]]
        more = f" and {len(usual) - _MOST_NAMED} more" if len(usual) > _MOST_NAMED else ""
        ends = f"{names[0]} and the others" if len(usual) == 1 else f"groups: {', '.join(names)}"
        factors = [group.factor for group in usual]
        facts = {"least_times": min(factors), "most_times": max(factors)}
        yield _finding(judged, "topology", f"pairs between {ends}{more}", Status.GOOD, **facts)
    yield from (_of_way(judged, one) for one in listed if not one.what.endswith("group"))


def _of_way(judged: PairJudgement, way: WayFinding) -> Finding:
    code = way.what if " " in way.what else f"{way.status.value} {way.what}"
    other = fold_host_list(way.others) if way.others else "the others"
    taper = way.factor * len(way.names) / way.crossing if way.crossing else 0.0
    facts = {"longer_times": way.factor, "crossing": way.crossing, "own_share": 1 / way.factor}
    about = f"pairs between {_called(way)} and {other}"
    behind = (*way.names, *way.others) if way.status != Status.GOOD else ()
    return _finding(judged, code, about, way.status, **facts, taper=taper, behind=behind)


def _called(way: WayFinding) -> str:
    folded = fold_host_list(way.names)
    return folded if way.switch is None or way.others else f"{way.switch} ({folded})"


def _of_rest(
    pairs: PairMap, judged: PairJudgement, good: tuple[str, ...], unseen: Sequence[str]
) -> Iterator[Finding]:
    if untried := [unit.name for unit in judged.with_status(Status.NOT_TRIED)]:
        about = f"{pairs.plural} {fold_host_list(untried)}"
        code = "not tried, or in no earlier map" if judged.is_since else "not tried"
        yield _finding(judged, code, about)
    if judged.doubt or judged.shows_nothing:
        code = "map shows nothing" if judged.shows_nothing else "map calls none slow"
        why = judged.doubt or "its times differ too much"
        yield _finding(judged, code, pairs.plural, unit=judged.unit, why=why, behind=good)
    elif good and not judged.is_open and judged.seen is not None:
        slow = len(judged.with_status(Status.SLOW))
        than = "before" if judged.is_since else f"the median {judged.unit}"
        facts = {"slow": slow, "than": than, "seen": judged.seen, "units": pairs.plural}
        facts |= {"unseen": unseen, "apart": [one for one in good if one not in judged.together]}
        yield _finding(judged, "seen", pairs.plural, Status.GOOD, **facts, hosts=good)


_MOST_BEFORE = 5
"""The newest ones: what was usual a year ago need not be so now."""


def check_hosts(
    result: Document, rules: HostRules = USUAL, earlier: Sequence[Document] | None = None
) -> Checked:
    """Judge hosts (or processes of one host) and links by each other; nothing without a map.

    Beside earlier maps of the same hosts, by themselves. Raises ResultError where the topology does
    not have a host.
    """
    if not isinstance(result.result, MapResult):
        return Checked()
    pairs = pair_map(result.result)
    foreign = result.result if isinstance(result.result, ImportedPairs) else None
    before = [] if earlier is None else _maps_before(result, earlier)
    judged = judged_map(result, rules, before)
    findings = [*findings_of(pairs, judged, () if foreign is None else [*unseen_by(foreign)])]
    if foreign is not None:
        of = foreign.imported
        facts = {"source": of.source, "format": of.format, "lacks": of.not_known}
        findings.append(Finding("imported map", "this map", None, OTHERS, facts))
    if judged.why_not is not None:
        facts = {"why": judged.why_not}
        findings.append(Finding("not judged", "", None, facts=facts, source=result.source))
    elif earlier is not None and not before:
        findings.insert(0, Finding("no earlier map", pairs.plural, Verdict.UNKNOWN, EARLIER_MAPS))
    names = [host.name for host in result.result.environment.hosts]
    name_of = dict(zip(pairs.names, names, strict=True)) if judged.unit == "host" else {}

    def named(units: Sequence[str]) -> tuple[str, ...]:
        return tuple(name_of[unit] for unit in units if unit in name_of)

    return Checked(
        replace(one, hosts=named(one.hosts), behind=named(one.behind), apart=named(one.apart))
        for one in findings
    )


def judged_map(
    map_of: Document, rules: HostRules = USUAL, before: Sequence[PairMap] = ()
) -> PairJudgement:
    """Return what a map says of its units, beside earlier ones where there are any.

    Nobody is slow by it whose wires had errors meanwhile. Raises ResultError where the topology
    lacks a host.
    """
    result = as_map(map_of)
    pairs = pair_map(result)
    switches = switches_of(result, rules.topology)
    judged = _judged(pairs, rules.slow, switches, tuple(before), doubt_of(map_of))
    if pairs.is_foreign:
        return judged
    busy = disturbed_hosts(result) if judged.unit == "host" else ()
    return judged.without_slow({pairs.names[host] for host in busy})


_judged = lru_cache(maxsize=8)(judge_pairs)


def doubt_of(map_of: Document) -> str | None:
    """Say why nobody is slow by a map: who waits for a core, or for other programs, is not.

    Nor is anybody by one of which the times of a pair differ too much.
    """
    if getattr(as_map(map_of).environment, "oversubscribed", False):
        return "it was measured with more processes than cores"
    return analysis_of(map_of).why_noisy or analysis_of(map_of).why_apart


def began(run: Document) -> float:
    """Return when, in s; a map that does not say so counts as older than others."""
    return run.started_at.timestamp() if as_map(run).environment.started_at else 0.0


def _maps_before(result: Document, earlier: Sequence[Document]) -> list[PairMap]:
    """Return earlier maps that have all hosts of a result, oldest first; else the most alike."""
    others, _ = apart([run for run in earlier if run.benchmark == result.benchmark], [result])
    maps = [
        pair_map(as_map(run))
        for run in sorted(others, key=began)
        if measured_alike(result, run) and not list(unusable([run])) and not doubt_of(run)
    ]
    names = {*pair_map(as_map(result)).names}
    by_shared = by_key((len(names & {*one.names}), one) for one in maps)
    most = max(by_shared, default=0)
    if most == len(names):
        return by_shared[most][-_MOST_BEFORE:]
    return by_shared[most][:1] if most >= FEWEST_UNITS else []


def measured_alike(run_a: Document, run_b: Document) -> bool:
    """Whether the conditions of a map are the same, and the processes on each host of both."""
    hosts, others = (
        {host.name: host.processes for host in as_map(run).environment.hosts}
        for run in (run_a, run_b)
    )
    alike = all(hosts[name] == others[name] for name in hosts.keys() & others.keys())
    return alike and not differences([run_a], [run_b], Use.MAP)


def switches_of(result: MapResult, topology: Topology | None) -> tuple[Switches, ...] | None:
    """Return the switches above each host: by the topology given, or as the launcher said."""
    if result.plan.unit != "host":
        return None
    if topology is not None:
        return topology.of([host.node or host.name for host in result.environment.hosts])
    hosts = result.environment.hosts
    known = [tuple(host.switches.split(".")) for host in hosts if host.switches]
    return tuple(known) if len(known) == len(hosts) else None
