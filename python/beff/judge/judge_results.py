"""All that is checked of results, the verdict on each, and what makes a result no evidence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from beff.definition.verify import verify
from beff.judge.conditions import Use, differences, unusable, wrong_data
from beff.judge.expectations import (
    Expectations,
    check_expectations,
    met_by,
    not_handed_in,
)
from beff.judge.finding import (
    EARLIER_RESULTS,
    NOTHING,
    OF_WORD,
    RULES,
    USUAL,
    Checked,
    Finding,
    HostRules,
    Verdict,
    together,
)
from beff.judge.hardware import check_hardware, check_load, check_wires, explained
from beff.judge.limit import limit_of
from beff.judge.sides import days_beside, kind_of
from beff.result.bounds import not_yet
from beff.result.environment import Host
from beff.result.imported_pairs import ImportedPairs
from beff.result.load import Document
from beff.result.result_parts import ImportedHead
from beff.verify.analysis import Steadiness, analysis_of, disturbed_text, others_had
from beff.verify.subject import apart, marks_of, once


@dataclass(frozen=True)
class Judged:
    """What is found of one result alone, and what of it is needed beside others.

    One that is not `used` is neither judged nor compared; nothing that is `doubted` is good. `met`
    are the numbers of the expectations that it is of. `size` are the numbers of processes and
    nodes, None where these are not known, and `ended` is empty where that is not. The document may
    be left out where many are judged.
    """

    source: str
    benchmark: str
    checked: Checked
    used: bool
    doubted: bool
    met: frozenset[int]
    hosts: Sequence[Host]
    size: tuple[int, int | None]
    ended: str
    document: Document | None


def judge_results(
    results: Sequence[Document],
    expected: Expectations | None,
    earlier: Sequence[Document] | None,
    hosts: HostRules = USUAL,
) -> Checked:
    """Check each result alone, against what is expected, and against earlier ones.

    Nothing is called good by a result that is in doubt, and no figure is taken from a partial or
    wrong one. Raises ResultError when nothing can be recomputed from its samples.
    """
    judged = [judge_alone(one, expected, hosts, earlier) for one in results]
    return judged_together(judged, expected, earlier)


def judged_together(
    judged: Sequence[Judged], expected: Expectations | None, earlier: Sequence[Document] | None
) -> Checked:
    """Join what was found of each result, and say what none of them shows.

    Those of which the document was kept are compared with the earlier results; the hosts of maps
    stand against each other instead.
    """
    parts = [one.checked for one in judged]
    if expected is not None:
        parts.append(not_handed_in(expected, {number for one in judged for number in one.met}))
    if earlier is not None:
        usable = [one for one in judged if one.used and one.benchmark != "b_pairs"]
        trusted, doubted = (
            [one.document for one in usable if one.document and one.doubted is doubted]
            for doubted in (False, True)
        )
        parts += [check_earlier(trusted, earlier), _without_good(check_earlier(doubted, earlier))]
    return together(parts)


def judge_alone(
    result: Document,
    expected: Expectations | None,
    rules: HostRules,
    earlier: Sequence[Document] | None = None,
    accepted: Sequence[Document] = (),
) -> Judged:
    """Check a result, and say what differs from the `accepted` one of its kind.

    Raises ResultError when nothing can be recomputed from its samples.
    """
    # a map of a run that was ended by a host that does not answer names it
    used = result.benchmark == "b_pairs" or not any(unusable([result]))
    doubts = [
        Finding(code, result.benchmark, Verdict.UNKNOWN, RULES, facts)
        for code, facts in _doubts(result, expected, accepted)
    ]
    is_disturbed = any(one.code == "disturbed" for one in doubts)
    if used:
        of_map = result.benchmark == "b_pairs"
        by = (None, earlier if of_map else ()) if is_disturbed else (expected, earlier)
        own = _by_itself(result, *by, rules, doubted=bool(doubts))
        own = _without_good(own) if doubts else own
        if limit := limit_of(result):
            shown = Finding("limit", "", None, facts={"limit": limit})
            own = replace(own, findings=(shown, *own.findings))
    else:
        own = Checked()
        if wrong := wrong_data(result.result):
            facts = {"errors": wrong}
            doubts.append(Finding("wrong data", "data", Verdict.BAD, RULES, facts))
    findings = (*own.findings, *doubts, *_since(accepted, result))
    named = tuple(replace(one, source=result.source) for one in findings)
    environment = result.result.environment
    return Judged(
        result.source,
        result.benchmark,
        replace(own, findings=named),
        used=used and not is_disturbed,
        doubted=bool(doubts),
        met=met_by(result, expected) if used and expected is not None else frozenset(),
        hosts=getattr(environment, "hosts", ()),
        size=(environment.processes, getattr(environment, "nodes", None)),
        ended=getattr(environment, "finished_at", None) or "",
        document=result,
    )


def _by_itself(
    result: Document,
    expected: Expectations | None,
    earlier: Sequence[Document] | None,
    rules: HostRules,
    *,
    doubted: bool,
) -> Checked:
    # NumPy takes a third of the start of a command; what does not judge does without.
    from beff.judge.hosts import check_hosts  # noqa: PLC0415

    hosts = check_hosts(result, rules, earlier)
    hosts = replace(hosts, findings=tuple(explained(hosts.findings, result)))
    parts = [hosts, check_hardware(result), check_wires(result), check_load(result)]
    if expected is not None:
        parts.append(check_expectations(result, expected))
    found = together(parts)
    if found.judgements or earlier is not None:
        return found
    if result.benchmark == "b_pairs":
        nothing = Finding("no host judged", result.benchmark, Verdict.UNKNOWN, NOTHING)
    else:
        is_quiet = analysis_of(result).steadiness == Steadiness.QUIET
        known = ["quiet"] * is_quiet + ["of a known limit"] * bool(limit_of(result))
        facts = {} if doubted else {"sound": ["valid", "verified", *known]}
        about = result.benchmark if doubted else f"speed of {result.benchmark}"
        nothing = Finding("nothing to check by", about, Verdict.UNKNOWN, NOTHING, facts)
    return replace(found, findings=(*found.findings, nothing))


def _without_good(checked: Checked) -> Checked:
    """Leave open what was found good: the figures are in doubt."""
    open_for = {Verdict.GOOD: Verdict.UNKNOWN}
    findings = (
        replace(one, verdict=Verdict.UNKNOWN, doubted=True) if one.verdict == Verdict.GOOD else one
        for one in checked.findings
    )
    hosts = {host: open_for.get(verdict, verdict) for host, verdict in checked.hosts.items()}
    return replace(checked, findings=tuple(findings), hosts=hosts)


def _doubts(
    document: Document, expected: Expectations | None, accepted: Sequence[Document]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield why a result is no evidence: a code and its facts for each reason.

    The samples of an accepted result show nothing about today. Raises ResultError when nothing can
    be recomputed from the samples.
    """
    result = document.result
    if isinstance(result, ImportedHead) and not isinstance(result, ImportedPairs):
        yield "imported", {}
    elif wrong := verify(document).findings:
        yield "not verified", {"first": wrong[0], "more": len(wrong) - 1}
    if not isinstance(result, ImportedHead):
        if not result.complete:
            yield "partial", {}
        if why := not_yet(document.started_at):
            yield "not yet", {"why": why}
        if not result.valid:
            yield "not valid", {"result": result}
        if result.environment.simulated:
            yield "simulated", {}
        if result.environment.oversubscribed:
            yield "oversubscribed", {}
    if (share := others_had(document)) is not None:
        yield "disturbed", {"share": share, "others": disturbed_text([share])}
    if why := analysis_of(document).why_apart:
        yield "apart", {"why": why}
    marks = marks_of(document)
    files = [one.file for one in (expected.results if expected else ()) if one.samples in marks]
    files += [Path(one.source).name for one in accepted if not marks.isdisjoint(marks_of(one))]
    for file in files[:1]:
        yield "measured before", {"file": file}


def check_earlier(results: Sequence[Document], earlier: Sequence[Document]) -> Checked:
    """Set each day of the results that were measured in one way beside earlier ones of that way."""
    groups: list[list[Document]] = []
    for result in results:
        group = next((group for group in groups if not _why_not(group, result)), None)
        if group is None:
            groups.append([result])
        else:
            group.append(result)
    return Checked(tuple(each for group in groups for each in _beside_earlier(group, earlier)))


def _beside_earlier(group: list[Document], earlier: Sequence[Document]) -> Iterator[Finding]:
    checked, copies = once(group)
    benchmark = group[0].benchmark
    others, own = apart([run for run in earlier if run.benchmark == benchmark], group)
    reasons = [_why_not(group, run) for run in others]
    alike, _ = once([run for run, why in zip(others, reasons, strict=True) if not why])
    about = kind_of(group[0])
    facts: dict[str, Any] = {
        **{"benchmark": benchmark, "earlier": len(alike or others), "copies": copies},
        "checked again": [run.source for run in own],
    }
    for day, runs in days_beside(checked, alike) if alike else ():
        verdict = OF_WORD[day.word]
        code, more = "compared with earlier", dict[str, Any](checked=len(runs), day=day)
        if day.word is None:
            code, more = "no earlier results alike", {"why": ["no figure was measured in all"]}
        source = ", ".join(run.source for run in (runs if len(runs) < len(checked) else group))
        yield Finding(code, about, verdict, EARLIER_RESULTS, facts | more, source=source)
    if not alike:
        code = "no earlier results"
        if others:
            code, facts["why"] = "no earlier results alike", min(reasons, key=len)
        source = ", ".join(run.source for run in group)
        yield Finding(code, about, Verdict.UNKNOWN, EARLIER_RESULTS, facts, source=source)


def _why_not(group: Sequence[Document], run: Document) -> list[str]:
    """Say why a run was not measured in the same way as a group."""
    benchmark = group[0].benchmark
    if run.benchmark != benchmark:
        return [f"{run.source} is of {run.benchmark}"]
    to_compare = group if group[0].is_imported else group[:1]  # measured: has all conditions
    return [*unusable([run]), *differences(to_compare, [run], Use.SAME | Use.HISTORY)]


def _since(accepted: Sequence[Document], result: Document) -> Iterator[Finding]:
    """Remark what differs from the accepted result of the same benchmark and processes."""
    of = result.benchmark, result.result.environment.processes
    alike = (one for one in accepted if (one.benchmark, one.result.environment.processes) == of)
    for one in islice(alike, 1):
        for what in differences([one], [result], Use.REMARK):
            yield Finding("since", "since", None, facts={"what": what})
