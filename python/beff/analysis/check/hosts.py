"""The hosts of a result among each other, by its map of pairs."""

from collections.abc import Iterator

from beff.analysis.check.finding import Checked, Finding, Verdict
from beff.analysis.pairs.findings import Evidence, GroupFinding, PairJudgement, Status
from beff.analysis.pairs.judge import judge_pairs
from beff.analysis.pairs.pair_map import LOOKS, pair_map
from beff.model.load import Document

AGAINST = "the others"
_VERDICTS = {Status.SLOW: Verdict.BAD, Status.SUSPECT: Verdict.UNKNOWN}
_NAMED = 8


def check_hosts(result: Document) -> Checked:
    """Judge hosts (or processes of one host) and links by each other."""
    pairs = result.fields.get("pairs")
    if pairs is None:
        note = f"{result.source}: holds no map of pairs, so its hosts are not judged by each other"
        return Checked((), notes=(note,))
    if min(len(pairs["small_ns"]), len(pairs["large_ns"])) < LOOKS:
        return Checked((), notes=(f"{result.source}: the map of pairs has one look: too few",))
    hosts = [host["name"] for host in result.fields["environment"]["hosts"]]
    found = judge_pairs(pair_map(pairs, hosts))
    if found.cannot_tell is not None:
        return Checked((), notes=(f"{result.source}: {found.cannot_tell}",))
    findings = tuple(_findings(result.source, found))
    if found.unit != "host":
        return Checked(findings)
    good, bad = (
        tuple(unit.name for unit in found.with_status(status))
        for status in (Status.GOOD, Status.SLOW)
    )
    return Checked(findings, good, bad)


def _findings(source: str, found: PairJudgement) -> Iterator[Finding]:
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
        about = f"{found.unit}s {_list(untried)}"
        yield Finding(source, AGAINST, about, Verdict.UNKNOWN, "not tried")
    sentence = f"{good} of {len(found.units)} are as quick as the most"
    yield Finding(source, AGAINST, f"{found.unit}s", Verdict.GOOD, sentence)


def _of_group(source: str, group: GroupFinding) -> Finding:
    what = "topology" if group.is_usual else "uplink or topology"
    sentence = (
        f"{group.kind} messages between these and the others take {group.factor:.2g} times as long"
        f" as among these: {what}"
    )
    verdict = Verdict.GOOD if group.is_usual else Verdict.UNKNOWN
    return Finding(source, AGAINST, f"group {_list(list(group.names))}", verdict, sentence)


def _why(evidence: tuple[Evidence, ...]) -> str:
    return "; ".join(map(_one, evidence))


def _one(entry: Evidence) -> str:
    size = "short" if entry.kind == "small" else "long"
    looks = " and ".join(
        f"{factor:.2f} times as long in {slow} of {of} rounds"
        for factor, slow, of in zip(entry.factors, entry.slow_rounds, entry.rounds, strict=True)
    )
    alone = "" if entry.retest is None else f", {entry.retest:.2f} times alone"
    return f"{size} messages ({entry.bytes} byte): {entry.reason}: {looks}{alone}"


def _list(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
