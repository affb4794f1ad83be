"""Results against earlier ones that were measured in the same way."""

from collections.abc import Sequence

from beff.analysis.check.finding import Checked, Finding, Verdict
from beff.analysis.compare.benchmarks import BENCHMARKS
from beff.analysis.compare.compare import Settings, compare
from beff.analysis.compare.conditions import differences, unusable
from beff.analysis.compare.copies import apart, once
from beff.analysis.compare.report import Report
from beff.analysis.compare.sentences import outcome
from beff.model.load import Document


def check_earlier(
    results: Sequence[Document], earlier: Sequence[Document], against: str
) -> Checked:
    """Compare the results of each benchmark and number of processes with the earlier ones."""
    groups: dict[tuple[str, int], list[Document]] = {}
    for result in results:
        key = result.benchmark, int(result.fields["environment"]["processes"])
        groups.setdefault(key, []).append(result)
    return Checked(
        tuple(_finding(name, group, earlier, against) for (name, _), group in groups.items())
    )


def _finding(
    benchmark: str, group: list[Document], earlier: Sequence[Document], against: str
) -> Finding:
    processes = group[0].fields["environment"]["processes"]
    about = f"{benchmark} with {processes} processes"
    others, own = apart(earlier, group)
    alike, _ = once([run for run in others if _is_alike(run, group[0])])
    source = ", ".join(run.source for run in group)
    if alike:
        report = compare(alike, group, Settings())
        verdict, sentence = _verdict(report), f"against {len(alike)} earlier: {outcome(report)}"
    elif others:
        sentence = f"none of {len(others)} earlier results was measured in the same way"
        verdict = Verdict.UNKNOWN
    else:
        verdict, sentence = Verdict.UNKNOWN, "there is no earlier result"
    if own:
        named = ", ".join(run.source for run in own)
        sentence += f"; left out, as the same samples are checked: {named}"
    return Finding(source, against, about, verdict, sentence)


def _is_alike(run: Document, result: Document) -> bool:
    if run.benchmark != result.benchmark or [*unusable([run])]:
        return False
    return not differences([result], [run], BENCHMARKS[run.benchmark].conditions)


def _verdict(report: Report) -> Verdict:
    if report.slower:
        return Verdict.BAD
    return Verdict.GOOD if report.comparisons and report.not_slower else Verdict.UNKNOWN
