"""All that is checked of results, the verdict on each, and what makes a result no evidence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from beff.judge.compare import CompareSettings, compare
from beff.judge.comparison import outcome, rests_on
from beff.judge.conditions import Use, differences, unusable, wrong_data
from beff.judge.expectations import (
    Expectations,
    check_expectations,
    met_by,
    not_handed_in,
)
from beff.judge.finding import (
    NOTHING,
    RULES,
    USUAL,
    Checked,
    Finding,
    HostRules,
    Verdict,
    together,
)
from beff.judge.hardware import check_hardware, check_load, check_wires, explained
from beff.result.load import Document
from beff.result.numbers import counted
from beff.result.result_parts import ImportedHead
from beff.twin.limit import limit_of, map_of_same_hosts
from beff.verify.analysis import analysis_of
from beff.verify.subject import apart, once, samples_of
from beff.verify.verify import verify

_NOTHING = "nothing was checked: give --expect or --baseline, or a result of b_pairs"
_NOTHING_OF_MAP = "no host or link was judged"
_EARLIER = "earlier results"


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
    judged = [judge_alone(one, expected, hosts, earlier, results) for one in results]
    both = list(zip(results, judged, strict=True))
    return judged_together(judged, expected, both, earlier)


def judged_together(
    judged: Sequence["Judged"],
    expected: Expectations | None,
    documents: Sequence[tuple[Document, "Judged"]],
    earlier: Sequence[Document] | None,
) -> Checked:
    """Join what was found of each result, and say what none of them shows.

    The `documents` are compared with earlier ones where there are any.
    """
    parts = [part for one in judged for part in one.parts]
    if expected is not None:
        parts.append(not_handed_in(expected, {number for one in judged for number in one.met}))
    if earlier is not None:
        parts += compared(documents, earlier)
    return together(parts)


@dataclass(frozen=True)
class Judged:
    """What is found of one result alone: first what limits it, then all else.

    One that is not `used` is neither judged nor compared; nothing that is `doubted` is good. `met`
    are the numbers of the expectations that it is of.
    """

    parts: tuple[Checked, ...]
    used: bool = True
    doubted: bool = True
    met: frozenset[int] = frozenset()


def judge_alone(
    result: Document,
    expected: Expectations | None,
    hosts: HostRules,
    earlier: Sequence[Document] | None = None,
    others: Sequence[Document] = (),
) -> Judged:
    """Check a result; maps of pairs among the others may show what limits it.

    Raises ResultError when nothing can be recomputed from its samples.
    """
    # a map of a run that was ended by a host that does not answer names it
    if result.benchmark != "b_pairs" and any(unusable([result])):
        return Judged((Checked(()), Checked(tuple(_not_usable(result)))), used=False)
    reasons = (*doubts(result), *_measured_before(result, expected))
    own = _by_itself(result, expected, earlier, hosts)
    if not own.findings and earlier is None:
        sentence = _NOTHING_OF_MAP if result.benchmark == "b_pairs" else _NOTHING
        own = replace(own, findings=(_open(result, NOTHING, sentence),))
    doubted = Checked(tuple(_open(result, RULES, reason) for reason in reasons))
    return Judged(
        (
            said_of_limits(result, map_of_same_hosts(result, others)),
            _without_good(own) if reasons else own,
            doubted,
        ),
        doubted=bool(reasons),
        met=frozenset() if expected is None else met_by(result, expected),
    )


def compared(
    results: Sequence[tuple[Document, Judged]], earlier: Sequence[Document]
) -> list[Checked]:
    """Compare results with earlier ones; the hosts of maps stand against each other instead."""
    usable = [
        (result, judged)
        for result, judged in results
        if judged.used and result.benchmark != "b_pairs"
    ]
    trusted = [result for result, judged in usable if not judged.doubted]
    doubted = [result for result, judged in usable if judged.doubted]
    return [check_earlier(trusted, earlier), _without_good(check_earlier(doubted, earlier))]


def _by_itself(
    result: Document,
    expected: Expectations | None,
    earlier: Sequence[Document] | None,
    rules: HostRules,
) -> Checked:
    # NumPy takes a third of the start of a command; what does not judge does without.
    from beff.judge.hosts import check_hosts  # noqa: PLC0415

    hosts = check_hosts(result, rules, earlier)
    hosts = replace(hosts, findings=explained(hosts.findings, result))
    parts = [hosts, check_hardware(result), check_wires(result), check_load(result)]
    if expected is not None:
        parts.append(check_expectations(result, expected))
    return together(parts)


def said_of_limits(result: Document, pairs: Document | None) -> Checked:
    """Say of a run of b_eff what limits it, by a map of the same hosts that is checked as well."""
    limit = limit_of(result, pairs)
    return Checked((), notes=() if limit is None else (f"{result.source}: {limit.sentence}",))


def _not_usable(result: Document) -> list[Finding]:
    """Wrong data is bad; what is only partial is no evidence."""
    wrong = wrong_data(result.result)
    found = [_open(result, RULES, reason) for reason in doubts(result)]
    if wrong:
        sentence = f"it was measured with wrong data: {wrong} errors found"
        found.append(Finding(result.source, RULES, "data", Verdict.BAD, sentence))
    return found


def _measured_before(result: Document, expected: Expectations | None) -> Iterator[str]:
    """Say so where the samples are those of an accepted result, which show nothing about today."""
    for one in () if expected is None else expected.results:
        if one.samples == samples_of(result):
            yield f"nothing was measured: its samples are those of {one.file}, which was accepted"


def _open(result: Document, against: str, sentence: str) -> Finding:
    return Finding(result.source, against, result.benchmark, Verdict.UNKNOWN, sentence)


def _without_good(checked: Checked) -> Checked:
    """Leave open what was found good: the figures are in doubt."""
    findings = tuple(
        replace(found, verdict=Verdict.UNKNOWN) if found.verdict == Verdict.GOOD else found
        for found in checked.findings
    )
    still_open = (*checked.open_hosts, *checked.good_hosts)
    return replace(checked, findings=findings, good_hosts=(), open_hosts=still_open)


def doubts(document: Document) -> Iterator[str]:
    """Return one sentence for each reason.

    Raises ResultError when nothing can be recomputed from the samples.
    """
    result = document.result
    if isinstance(result, ImportedHead):
        yield "it was imported from a print, which does not say how it was measured"
        return
    wrong = verify(document).findings
    if wrong:
        more = f", and {counted(len(wrong) - 1, 'more disagreement')}" if len(wrong) > 1 else ""
        yield f"it does not verify: {wrong[0]}{more}"
    if not result.complete:
        yield "it is partial: the run did not measure everything"
    if not result.valid:
        unmet = [criterion.code for criterion in result.criteria if not criterion.met]
        yield f"it is not valid{': ' if unmet else ''}{', '.join(unmet)}"
    if result.environment.simulated:
        yield "its times are simulated"
    if result.environment.oversubscribed:
        yield "it was measured with more processes than cores"
    noise = analysis_of(document).why_noisy
    if noise is not None:
        yield f"it is noisy: {noise}"


def check_earlier(results: Sequence[Document], earlier: Sequence[Document]) -> Checked:
    """Compare the results that were measured in one way with the earlier ones of that way."""
    groups: list[list[Document]] = []
    for result in results:
        fitting = (group for group in groups if not _why_not(group, result))
        group = next(fitting, None)
        if group is None:
            groups.append([result])
        else:
            group.append(result)
    return Checked(tuple(_finding(group, earlier) for group in groups))


def _finding(group: list[Document], earlier: Sequence[Document]) -> Finding:
    checked, copies = once(group)
    benchmark, processes = group[0].benchmark, group[0].result.environment.processes
    others, own = apart([run for run in earlier if run.benchmark == benchmark], group)
    reasons = [_why_not(group, run) for run in others]
    alike, _ = once([run for run, why in zip(others, reasons, strict=True) if not why])
    verdict = Verdict.UNKNOWN
    if alike:
        report = compare(alike, checked, CompareSettings())
        sentence = f"{counted(len(alike), 'earlier result')} (A), {len(checked)} checked (B): "
        sentence += "; ".join(
            (outcome(report), *report.refusals, *map(rests_on, report.comparisons))
        )
        if report.slower:
            verdict = Verdict.BAD
        elif report.comparisons and report.not_slower:
            verdict = Verdict.GOOD
    elif others:
        nearest = min(reasons, key=len)
        sentence = f"of {counted(len(others), 'earlier result')} none was measured in the same way"
        sentence += f": {'; '.join(nearest)}"
    else:
        sentence = f"there are no {_EARLIER} of {benchmark}"
    if own:
        named = ", ".join(run.source for run in own)
        copies = (*copies, f"left out, as the same samples are checked: {named}")
    sentence = "; ".join((sentence.removesuffix("."), *copies))
    source = ", ".join(run.source for run in group)
    about = f"{benchmark} with {processes} processes"
    return Finding(source, _EARLIER, about, verdict, sentence)


def _why_not(group: Sequence[Document], run: Document) -> list[str]:
    """Say why a run was not measured in the same way as a group."""
    benchmark = group[0].benchmark
    if run.benchmark != benchmark:
        return [f"{run.source} is of {run.benchmark}"]
    to_compare = group if group[0].is_imported else group[:1]  # measured: has all conditions
    return [*unusable([run]), *differences(to_compare, [run], Use.SAME | Use.HISTORY)]


def since_acceptance(kept: Sequence[Document], results: Sequence[Document]) -> Iterator[str]:
    """Say for each result what differs from the accepted one of its benchmark and processes."""
    for result in results:
        of = result.benchmark, result.result.environment.processes
        alike = (one for one in kept if (one.benchmark, one.result.environment.processes) == of)
        for one in islice(alike, 1):
            yield from (f"since: {each}" for each in differences([one], [result], Use.REMARK))
