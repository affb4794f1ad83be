"""All that is checked of results, the verdict on each, and what makes a result no evidence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from beff.definition.subject import apart, load_sound_document, value_name
from beff.definition.verify import verify
from beff.judge.analysis import Steadiness, analysis_of, disturbed_text, others_had
from beff.judge.conditions import Use, differences, unusable, wrong_data
from beff.judge.earlier import check_earlier
from beff.judge.expectations import Expectations, check_expectations, met_by, not_handed_in
from beff.judge.finding import NOTHING, RULES, USUAL, Checked, Finding, HostRules, Verdict
from beff.judge.hardware import check_hardware, check_load, check_wires, explained
from beff.judge.hosts import check_hosts
from beff.judge.limit import limit_of
from beff.result.b_pairs_result import ImportedPairs
from beff.result.bounds import not_yet
from beff.result.load import Document
from beff.result.result_parts import ImportedHead

_WITHOUT_SAMPLES = dict.fromkeys(("samples", "types", "passes", "patterns"))
"""What a finding of one of many results need not hold."""


@dataclass(frozen=True)
class Basis:
    """By what results are judged: what is expected, earlier results, accepted ones, and rules."""

    expected: Expectations | None = None
    earlier: Sequence[Document] | None = None
    accepted: Sequence[Document] = ()
    rules: HostRules = USUAL


@dataclass(frozen=True)
class Judged:
    """The findings on one result by itself, and what judging it beside others needs.

    One that is not `used` is neither judged nor compared; nothing that is `doubted` is good. `met`
    are the numbers of the expectations that it is of.
    """

    document: Document
    findings: tuple[Finding, ...]
    used: bool
    doubted: bool
    met: frozenset[int]


_BY_ITSELF = Basis()
"""Nothing is given."""


def judge_results(results: Sequence[Document], basis: Basis = _BY_ITSELF) -> Checked:
    """Check each result alone, against what is expected, and against earlier ones.

    Nothing is called good by a result that is in doubt, and no figure is taken from a partial or
    wrong one. Raises ResultError when nothing can be recomputed from its samples.
    """
    return judged_together([judge_alone(one, basis) for one in results], basis)


def judged_together(judged: Sequence[Judged], basis: Basis) -> Checked:
    """Join the findings on each result, and add those on what is missing among them.

    Whole ones are compared with the earlier results; the hosts of maps stand against each other
    instead.
    """
    findings = [each for one in judged for each in one.findings]
    if basis.expected is not None:
        findings += not_handed_in(basis.expected, {number for one in judged for number in one.met})
    if (earlier := basis.earlier) is not None:
        usable = [one for one in judged if one.used and one.document.benchmark != "b_pairs"]
        findings += check_earlier([one.document for one in usable if not one.doubted], earlier)
        doubted = check_earlier([one.document for one in usable if one.doubted], earlier)
        findings += map(_without_good, doubted)
    return Checked(findings)


def judge_file(path: Path, basis: Basis) -> Judged:
    """Check the result in a file, of many, without whose samples it cannot be compared later.

    Raises ResultError, also when nothing can be recomputed from the samples.
    """
    judged = judge_alone(load_sound_document(path), basis)
    if basis.earlier is not None:
        return judged
    result = judged.document.result.model_copy(update=_WITHOUT_SAMPLES)
    return replace(judged, document=Document(judged.document.source, {}, result))


def judge_alone(result: Document, basis: Basis) -> Judged:
    """Check a result, and say what differs from the accepted one of its kind.

    Raises ResultError when nothing can be recomputed from its samples.
    """
    is_map = result.benchmark == "b_pairs"
    # a map of a run that was ended by a host that does not answer names it
    used = is_map or not any(unusable([result]))
    expected, accepted = basis.expected, basis.accepted
    reasons = _doubts(result, accepted)
    doubts = [Finding(code, result.benchmark, Verdict.UNKNOWN, RULES, of) for code, of in reasons]
    is_disturbed = any(one.code == "disturbed" for one in doubts)
    findings: list[Finding] = []
    if used:
        if is_disturbed:
            basis = replace(basis, expected=None, earlier=basis.earlier if is_map else ())
        if limit := limit_of(result):
            findings.append(limit)
        alone = _by_itself(result, basis, doubted=bool(doubts))
        findings += map(_without_good, alone) if doubts else alone
    elif wrong := wrong_data(result.result):
        doubts.append(Finding("wrong data", "data", Verdict.BAD, RULES, {"errors": wrong}))
    findings += doubts
    of = result.benchmark, result.result.environment.processes
    alike = [one for one in accepted if (one.benchmark, one.result.environment.processes) == of]
    changed = differences(alike[:1], [result], Use.REMARK) if alike else ()
    findings += [Finding("since", "since", None, facts={"what": what}) for what in changed]
    of_result = tuple(replace(one, source=result.source) for one in findings)
    met = met_by(result, expected) if used and expected is not None else frozenset[int]()
    return Judged(result, of_result, used and not is_disturbed, bool(doubts), met)


def _by_itself(result: Document, basis: Basis, *, doubted: bool) -> list[Finding]:
    hosts = check_hosts(result, basis.rules, basis.earlier)
    findings = [*explained(hosts, result), *check_hardware(result)]
    findings += [*check_wires(result), *check_load(result)]
    if basis.expected is not None:
        findings += check_expectations(result, basis.expected)
    if basis.earlier is not None or any(one.verdict is not None for one in findings):
        return findings
    if result.benchmark == "b_pairs":
        nothing = Finding("no host judged", result.benchmark, Verdict.UNKNOWN, NOTHING)
    else:
        is_quiet = analysis_of(result).steadiness == Steadiness.QUIET
        known = ["quiet"] * is_quiet + ["of a known limit"] * bool(limit_of(result))
        facts = {} if doubted else {"sound": ["valid", "verified", *known]}
        about = value_name(result.result)
        about = about if doubted else f"speed of {about}"
        nothing = Finding("nothing to check by", about, Verdict.UNKNOWN, NOTHING, facts)
    return [*findings, nothing]


def _without_good(finding: Finding) -> Finding:
    """Make a good verdict inconclusive, as the figures are in doubt."""
    if finding.verdict != Verdict.GOOD:
        return finding
    return replace(finding, verdict=Verdict.UNKNOWN, doubted=True)


def _doubts(
    document: Document, accepted: Sequence[Document]
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
        doubts: dict[str, tuple[object, dict[str, Any]]] = {
            "partial": (not result.complete, {}),
            "not yet": (why := not_yet(document.started_at), {"why": why}),
            "not valid": (not result.valid, {"result": result.model_copy(update=_WITHOUT_SAMPLES)}),
            "simulated": (result.environment.simulated, {}),
            "oversubscribed": (result.environment.oversubscribed, {}),
        }
        yield from ((code, facts) for code, (is_so, facts) in doubts.items() if is_so)
    if (share := others_had(document)) is not None:
        yield "disturbed", {"share": share, "others": disturbed_text([share])}
    if why := analysis_of(document).why_apart:
        yield "apart", {"why": why}
    for copied in apart(accepted, [document])[1][:1]:
        yield "measured before", {"file": Path(copied.source).name}
