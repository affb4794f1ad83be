"""The hosts of a result among each other, by its map of pairs."""

from collections import Counter
from collections.abc import Iterator

from beff.analysis.check.finding import Checked, Finding, Verdict, together
from beff.analysis.common.checks import fold_host_list
from beff.analysis.pairs.findings import Evidence, GroupFinding, PairJudgement, Status
from beff.analysis.pairs.judge import judge_pairs
from beff.analysis.pairs.pair_map import LOOKS, pair_map, plural_of
from beff.model.load import Document

AGAINST = "the others"
_VERDICTS = {Status.SLOW: Verdict.BAD, Status.SUSPECT: Verdict.UNKNOWN}
_SIZES = {"small": "short", "large": "long"}


def check_hosts(result: Document) -> Checked:
    """Judge hosts (or processes of one host) and links by each other."""
    pairs = result.fields.get("pairs")
    if pairs is None:
        note = f"{result.source}: holds no map of pairs, so its hosts are not judged by each other"
        return Checked((), notes=(note,))
    if min(len(pairs["small_ns"]), len(pairs["large_ns"])) < LOOKS:
        return Checked((), notes=(f"{result.source}: the map of pairs has one look: too few",))
    hosts = [host["name"] for host in result.fields["environment"]["hosts"]]
    found = judge_pairs(pair_map(pairs, _apart(hosts)))
    if found.cannot_tell is not None:
        return Checked((), notes=(f"{result.source}: {found.cannot_tell}",))
    findings = tuple(_findings(result.source, found))
    if found.unit != "host":
        return Checked(findings)
    return together([Checked(findings), _sorted_hosts(hosts, found)])


def _sorted_hosts(hosts: list[str], found: PairJudgement) -> Checked:
    """Return the hosts by what is said of them, and of the pairs between them and the others."""
    names = {unit.name: host for host, unit in zip(hosts, found.units, strict=True)}
    behind = [names[name] for group in found.groups if not group.is_usual for name in group.names]
    good, bad, suspects, untried = (
        [names[unit.name] for unit in found.with_status(status)]
        for status in (Status.GOOD, Status.SLOW, Status.SUSPECT, Status.NOT_TRIED)
    )
    good = [host for host in good if host not in untried]
    return Checked((), tuple(good), tuple(bad), (*suspects, *behind))


def _apart(hosts: list[str]) -> list[str]:
    """Return names with the number of the host where several have the same."""
    often = Counter(hosts)
    return [f"{name} (host {i})" if often[name] > 1 else name for i, name in enumerate(hosts)]


def _findings(source: str, found: PairJudgement) -> Iterator[Finding]:
    plural = plural_of(found.unit)
    for unit in found.units:
        if unit.status in _VERDICTS:
            sentence = f"{unit.status.value}: {_why(unit.evidence)}"
            about = f"{found.unit} {unit.name}"
            yield Finding(source, AGAINST, about, _VERDICTS[unit.status], sentence)
    for link in found.links:
        sentence = f"{link.status.value}: {_why(link.evidence)}"
        about = f"link {link.first} - {link.second}"
        yield Finding(source, AGAINST, about, _VERDICTS[link.status], sentence)
    for group in found.groups:
        yield _of_group(source, group)
    good = len(found.with_status(Status.GOOD))
    untried = [unit.name for unit in found.with_status(Status.NOT_TRIED)]
    if untried:
        about = f"{plural} {fold_host_list(untried)}"
        yield Finding(source, AGAINST, about, Verdict.UNKNOWN, "not tried")
    if good:
        sentence = f"{good} of {len(found.units)} are as quick as most"
        yield Finding(source, AGAINST, plural, Verdict.GOOD, sentence)


def _of_group(source: str, group: GroupFinding) -> Finding:
    names = fold_host_list(group.names)
    longer = f"{_SIZES[group.kind]} messages take {group.factor:.2g} times as long"
    if group.is_usual:
        sentence = f"{longer} to the others as inside: topology"
        return Finding(source, AGAINST, f"group {names}", Verdict.GOOD, sentence)
    sentence = f"{longer} as inside the group: uplink or topology"
    about = f"pairs between {names} and the others"
    return Finding(source, AGAINST, about, Verdict.UNKNOWN, sentence)


def _why(evidence: tuple[Evidence, ...]) -> str:
    return "; ".join(map(_one, evidence))


def _one(entry: Evidence) -> str:
    looks = " and ".join(
        f"{factor:.2f} times as long in {slow} of {of} rounds"
        for factor, slow, of in zip(entry.factors, entry.slow_rounds, entry.rounds, strict=True)
    )
    alone = "" if entry.retest is None else f", {entry.retest:.2f} times alone"
    return f"{_SIZES[entry.kind]} messages ({entry.bytes} byte): {entry.reason}: {looks}{alone}"
