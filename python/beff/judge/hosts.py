"""The hosts of a result of b_pairs among each other, as an operator reads it."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import exp

from beff.judge.conditions import Use, differences, unusable
from beff.judge.finding import USUAL, Checked, Finding, HostRules, Verdict, together
from beff.maps.findings import (
    SIZES,
    SLOW,
    Evidence,
    GroupFinding,
    PairJudgement,
    Seen,
    Status,
    UplinkFinding,
)
from beff.maps.judge_pairs import judge_pairs
from beff.maps.pair_map import FEWEST_UNITS, PairMap, pair_map
from beff.maps.topology import Switches, Topology
from beff.result.b_pairs_result import BPairsResult
from beff.result.load import Document, as_b_pairs
from beff.result.numbers import counted, format_size
from beff.verify.analysis import analysis_of
from beff.verify.common.checks import fold_host_list
from beff.verify.common.wires import disturbed_hosts
from beff.verify.subject import apart

AGAINST, BEFORE = "the others", "earlier maps"
_VERDICTS = {
    Status.NO_ANSWER: Verdict.BAD,
    Status.SLOW: Verdict.BAD,
    Status.SUSPECT: Verdict.UNKNOWN,
    Status.GOOD: Verdict.GOOD,
}
_MOST_NAMED = 8


def findings_of(source: str, pairs: PairMap, found: PairJudgement) -> Iterator[Finding]:
    """Yield what an operator acts on, the worst first; then what could have been seen."""
    for about, verdict, sentence in (
        *_of_run(pairs),
        *_of_units(found),
        *_of_links(pairs, found),
        *_of_common(pairs, found),
        *_of_groups(found),
        *map(_of_uplink, found.uplinks),
        *((pairs.plural, Verdict.UNKNOWN, sentence) for sentence in found.of_all),
        *_of_rest(pairs, found),
    ):
        against = BEFORE if found.is_since else AGAINST
        yield Finding(source, against, about, verdict, sentence)


_Said = tuple[str, Verdict, str]


def _of_run(pairs: PairMap) -> Iterator[_Said]:
    if pairs.stood_in is not None:
        number, round_ = pairs.stood_in
        sentence = (
            f"round {round_} of pass {number} did not end within the limit, and no host or link"
            " stands out"
        )
        yield "run", Verdict.UNKNOWN, sentence


def _of_units(found: PairJudgement) -> Iterator[_Said]:
    order = list(_VERDICTS)
    worst_first = sorted(
        (unit for unit in found.units if _VERDICTS.get(unit.status, Verdict.GOOD) != Verdict.GOOD),
        key=lambda unit: (
            order.index(unit.status),
            -max((entry.factor for entry in unit.evidence), default=0.0),
        ),
    )
    for unit in worst_first:
        sentence = _why(unit.status, unit.evidence, is_since=found.is_since)
        yield f"{found.unit} {unit.name}", _VERDICTS[unit.status], sentence


def _of_links(pairs: PairMap, found: PairJudgement) -> Iterator[_Said]:
    for link in found.links:
        sentence = _why(link.status, link.evidence, is_since=found.is_since)
        sentence += _direction(pairs, pairs.names.index(link.first), pairs.names.index(link.second))
        yield f"link {link.first} - {link.second}", _VERDICTS[link.status], sentence


def _why(status: Status, evidence: Sequence[Evidence], *, is_since: bool) -> str:
    """Say why something has its status."""
    than = " as before" if is_since else ""
    reasons = "; ".join(_one(entry, than) for entry in evidence)
    return f"{status.value}: {reasons}" if reasons else f"{status.value} within the limit"


def _one(entry: Evidence, than: str) -> str:
    alone = "" if entry.alone is None else f", {entry.alone:.2f} times alone"
    return (
        f"{SIZES[entry.kind]} messages ({format_size(entry.bytes)}) take {entry.factor:.2f} times"
        f" as long{than} in {entry.slow} of {entry.of} rounds{alone}: {entry.reason}"
    )


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


def _of_common(pairs: PairMap, found: PairJudgement) -> Iterator[_Said]:
    """Yield that all take longer than before, as far as this is sure."""
    if found.common:
        sure = [one for one in found.common if one.status == Status.SLOW]
        them = f"{'all' if all(one.are_all for one in found.common) else 'most'} {pairs.plural}"
        kinds = ", ".join(
            f"{one.factor:.1f} times in {SIZES[one.kind]} messages ({format_size(one.bytes)})"
            for one in sure or found.common
        ).replace(" times", " times as long as before", 1)
        sentence = f"{them} take {kinds}"
        if not sure:
            count = counted(found.common[0].maps, "earlier map")
            sentence += f"; {count} cannot show whether that is usual"
        yield them, Verdict.BAD if sure else Verdict.UNKNOWN, sentence


def _of_groups(found: PairJudgement) -> Iterator[_Said]:
    """Yield those that are not as they should be, and of the others that they are there."""
    for group in found.groups:
        longer = f"short messages take {group.factor:.2f} times as long"
        words = {
            Status.SUSPECT: f"{longer} as inside: a slow uplink, or topology",
            Status.SLOW: f"{longer} as before",
        }
        if group.status in words:
            yield _beyond(group), _VERDICTS[group.status], words[group.status]
    usual = [group for group in found.groups if group.status == Status.GOOD]
    if usual:
        names = [_called(group) for group in usual[:_MOST_NAMED]]
        more = f" and {len(usual) - _MOST_NAMED} more" if len(usual) > _MOST_NAMED else ""
        of_all = f"pairs between groups: {', '.join(names)}{more}"
        least, most = (f"{end(group.factor for group in usual):.2f}" for end in (min, max))
        longer = least if least == most else f"{least} to {most}"
        sentence = f"short messages take {longer} times as long as inside: topology"
        yield _beyond(usual[0]) if len(usual) == 1 else of_all, Verdict.GOOD, sentence


def _of_uplink(uplink: UplinkFinding) -> _Said:
    gets = f"{uplink.crossing} pairs at once get {uplink.share:.2f} of what pairs inside get"
    taper = len(uplink.names) / (uplink.crossing * uplink.share)
    sentence = {
        Status.GOOD: f"{gets}: a taper of {taper:.1f}:1, or a slow uplink",
        Status.SUSPECT: f"{gets}, those of other groups more: a slow uplink",
        Status.SLOW: f"{uplink.crossing} pairs at once get {uplink.share:.2f} of what they got",
    }[uplink.status]
    return _beyond(uplink), _VERDICTS[uplink.status], sentence


def _beyond(way: GroupFinding | UplinkFinding) -> str:
    return f"pairs between {_called(way)} and the others"


def _called(way: GroupFinding | UplinkFinding) -> str:
    folded = fold_host_list(way.names)
    return folded if way.switch is None else f"{way.switch} ({folded})"


def _of_rest(pairs: PairMap, found: PairJudgement) -> Iterator[_Said]:
    untried = [unit.name for unit in found.with_status(Status.NOT_TRIED)]
    if untried:
        about = f"{pairs.plural} {fold_host_list(untried)}"
        not_tried = "not tried, or in no earlier map" if found.is_since else "not tried"
        yield about, Verdict.UNKNOWN, not_tried
    if found.doubt or found.shows_nothing:
        what = "shows nothing" if found.shows_nothing else f"calls no {found.unit} slow"
        why = found.doubt or "its times differ too much"
        yield pairs.plural, Verdict.UNKNOWN, f"this map {what}: {why}; measure again, alone"
    elif found.with_status(Status.GOOD) and not found.is_open and found.seen is not None:
        yield pairs.plural, Verdict.GOOD, _seen(pairs, found, found.seen)


def _seen(pairs: PairMap, found: PairJudgement, seen: Seen) -> str:
    """Say what a map could show."""
    slow = len(found.with_status(Status.SLOW))
    than = "before" if found.is_since else f"the median {found.unit}"
    at_times = (
        "at times only"
        if seen.at_times is None
        else f"in less than {seen.at_times:.0%} of its rounds"
    )
    parts = [
        f"{slow} found slow" if slow else "none found slow",
        f"the slowest {'other ' if slow else ''}takes {seen.factor:.2f} times as long as {than}"
        f" ({seen.slowest})",
        f"one that takes less than {seen.limit:.2f} times as long, or is slow {at_times}, would"
        " not be seen here",
        f"{seen.units[0]} of {seen.units[1]} {pairs.plural}, {seen.links[0]} of {seen.links[1]}"
        " links tried",
    ]
    return "; ".join(parts if seen.slowest else [parts[0], *parts[2:]])


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
    if not isinstance(result.result, BPairsResult):
        return Checked(())
    environment = result.result.environment
    pairs = pair_map(result.result)
    before = [] if earlier is None else _maps_before(result, earlier)
    switches = _switches(result.result, pairs, rules.topology)
    found = _judged(pairs, rules.slow, switches, tuple(before), _doubt(result))
    busy = {one.host for one in disturbed_hosts(result.result)}
    found = found.without_slow({pairs.names[host] for host in busy if found.unit == "host"})
    without: tuple[Finding, ...] = ()
    if earlier is not None and not before:
        sentence = "no earlier map of these hosts was measured in the same way, undisturbed"
        without = (Finding(result.source, BEFORE, pairs.plural, Verdict.UNKNOWN, sentence),)
    if found.why_not is not None:
        only = tuple(findings_of(result.source, pairs, found))
        bad = [environment.hosts[unit].name for unit in pairs.silent if found.unit == "host"]
        note = f"{result.source}: {found.why_not}"
        return Checked(only, bad_hosts=tuple(bad), notes=(note,))
    findings = Checked((*without, *findings_of(result.source, pairs, found)))
    if found.unit != "host":
        return findings
    names = (host.name for host in environment.hosts)
    return together([findings, _sorted_hosts(dict(zip(pairs.names, names, strict=True)), found)])


_judged = lru_cache(maxsize=8)(judge_pairs)


def _doubt(map_of: Document) -> str | None:
    """Say why nobody is slow by a map: who waits for a core, or for other programs, is not."""
    if as_b_pairs(map_of).environment.oversubscribed:
        return "it was measured with more processes than cores"
    return analysis_of(map_of).why_noisy


def _maps_before(result: Document, earlier: Sequence[Document]) -> list[PairMap]:
    """Return earlier maps that have all hosts of a result, oldest first; else the most alike."""
    others, _ = apart([run for run in earlier if run.benchmark == result.benchmark], [result])
    runs = [
        run
        for run in sorted(others, key=lambda run: run.started_at)
        if _measured_alike(result, run) and not list(unusable([run])) and not _doubt(run)
    ]
    maps = [pair_map(as_b_pairs(run)) for run in runs]
    names = {*pair_map(as_b_pairs(result)).names}
    shared = [len(names & {*one.names}) for one in maps]
    whole = [one for one, count in zip(maps, shared, strict=True) if count == len(names)]
    if whole:
        return whole[-_MOST_BEFORE:]
    most = max(shared, default=0)
    return [maps[shared.index(most)]] if most >= FEWEST_UNITS else []


def _measured_alike(one: Document, other: Document) -> bool:
    """Whether the conditions of a map are the same, and the processes on each host of both."""
    hosts, others = (
        {host.name: host.processes for host in as_b_pairs(run).environment.hosts}
        for run in (one, other)
    )
    alike = all(hosts[name] == others[name] for name in hosts.keys() & others.keys())
    return alike and not differences([one], [other], Use.MAP)


def _switches(
    result: BPairsResult, pairs: PairMap, topology: Topology | None
) -> tuple[Switches, ...] | None:
    """Return the switches above each host: by the topology given, or as the launcher said."""
    if pairs.unit != "host":
        return None
    if topology is not None:
        return topology.of([host.node or host.name for host in result.environment.hosts])
    said = [host.switches for host in result.environment.hosts]
    known = [tuple(switches.split(".")) for switches in said if switches]
    return tuple(known) if len(known) == len(said) else None


def _sorted_hosts(names: Mapping[str, str], found: PairJudgement) -> Checked:
    """Return the hosts by what is said of them, and of the pairs between them and the others.

    `names` are those of the hosts, by those of the units.
    """
    ways: tuple[GroupFinding | UplinkFinding, ...] = (*found.groups, *found.uplinks)
    slow_ways = [way for way in ways if way.status != Status.GOOD]
    behind = [names[name] for way in slow_ways for name in way.names]
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
    if found.is_open:
        behind += good
    good = [host for host in good if host not in untried]
    apart = {*good} - {names[name] for name in found.together}
    by_status = tuple(good), (*slow, *silent), (*suspects, *behind)
    return Checked((), *by_status, apart_hosts=tuple(host for host in good if host in apart))
