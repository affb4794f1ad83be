"""The hosts of a result of b_pairs among each other."""

from collections.abc import Mapping, Sequence

from beff.analysis.analysis import analysis_of
from beff.analysis.b_pairs.findings import GroupFinding, PairJudgement, Status, UplinkFinding
from beff.analysis.b_pairs.judge_pairs import judge_pairs
from beff.analysis.b_pairs.pair_map import FEWEST_UNITS, PairMap, pair_map
from beff.analysis.b_pairs.topology import Switches, Topology
from beff.analysis.check.finding import USUAL, Checked, Finding, HostRules, Verdict, together
from beff.analysis.check.host_findings import BEFORE, findings_of
from beff.analysis.common.load import disturbed_hosts
from beff.analysis.compare.conditions import Use, differences, unusable
from beff.analysis.subject import apart
from beff.model.b_pairs_result import BPairsResult
from beff.model.load import Document, as_b_pairs

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
    found = judge_pairs(pairs, rules.slow, switches, before, _doubt(result))
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
