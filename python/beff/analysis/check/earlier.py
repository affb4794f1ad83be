"""Results against earlier ones that were measured in the same way."""

from collections.abc import Sequence

from beff.analysis.check.finding import Checked, Finding, Verdict
from beff.analysis.compare.benchmarks import BENCHMARKS
from beff.analysis.compare.compare import CompareSettings, compare
from beff.analysis.compare.conditions import differences, unusable
from beff.analysis.compare.report import Report, noise_sentences, outcome
from beff.analysis.compare.sides import apart, once
from beff.model.load import Document
from beff.model.numbers import counted


def check_earlier(
    results: Sequence[Document], earlier: Sequence[Document], against: str
) -> Checked:
    """Compare the results that were measured in one way with the earlier ones of that way."""
    groups: list[list[Document]] = []
    for result in results:
        fitting = (group for group in groups if not _why_not(group, result))
        group = next(fitting, None)
        if group is None:
            groups.append([result])
        else:
            group.append(result)
    return Checked(tuple(_finding(group, earlier, against) for group in groups))


def _finding(group: list[Document], earlier: Sequence[Document], against: str) -> Finding:
    checked, copies = once(group)
    benchmark, processes = group[0].benchmark, group[0].fields["environment"]["processes"]
    others, own = apart([run for run in earlier if run.benchmark == benchmark], group)
    reasons = [_why_not(group, run) for run in others]
    alike, _ = once([run for run, why in zip(others, reasons, strict=True) if not why])
    verdict = Verdict.UNKNOWN
    if alike:
        report = compare(alike, checked, CompareSettings())
        verdict, sentence = _verdict(report), _sentence(report, len(alike), len(checked))
    elif others:
        nearest = min(reasons, key=len)
        sentence = f"of {counted(len(others), 'earlier result')} none was measured in the same way"
        sentence += f": {'; '.join(nearest)}"
    else:
        sentence = f"there are no {against} of {benchmark}"
    if own:
        named = ", ".join(run.source for run in own)
        copies = (*copies, f"left out, as the same samples are checked: {named}")
    sentence = "; ".join((sentence.removesuffix("."), *copies))
    source = ", ".join(run.source for run in group)
    about = f"{benchmark} with {processes} processes"
    return Finding(source, against, about, verdict, sentence)


def _sentence(report: Report, earlier: int, checked: int) -> str:
    """Say how a comparison ended; where it is inconclusive, why and what would help."""
    sentence = f"{counted(earlier, 'earlier result')} (A), {checked} checked (B): {outcome(report)}"
    if _verdict(report) != Verdict.UNKNOWN:
        return sentence
    noise = (next(noise_sentences(comparison), "") for comparison in report.comparisons)
    return ". ".join(filter(None, (sentence, *report.refusals, *noise)))


def _why_not(group: Sequence[Document], run: Document) -> list[str]:
    """Say why a run was not measured in the same way as a group."""
    benchmark = group[0].benchmark
    if run.benchmark != benchmark:
        return [f"{run.source} is of {run.benchmark}"]
    told = group if group[0].is_imported else group[:1]  # what was measured has all conditions
    return [*unusable([run]), *differences(told, [run], BENCHMARKS[benchmark].conditions)]


def _verdict(report: Report) -> Verdict:
    if report.slower:
        return Verdict.BAD
    return Verdict.GOOD if report.comparisons and report.not_slower else Verdict.UNKNOWN
