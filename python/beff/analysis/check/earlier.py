"""Results against earlier ones that were measured in the same way."""

from collections.abc import Sequence

from beff.analysis.check.finding import Checked, Finding, Verdict
from beff.analysis.compare.benchmarks import BENCHMARKS
from beff.analysis.compare.compare import Settings, compare
from beff.analysis.compare.conditions import differences, unusable
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
    alike = [run for run in earlier if _is_alike(run, group[0])]
    source = ", ".join(run.source for run in group)
    if not alike:
        sentence = f"none of {len(earlier)} earlier results was measured in the same way"
        return Finding(source, against, about, Verdict.UNKNOWN, sentence)
    report = compare(alike, group, Settings())
    sentence = f"against {len(alike)} earlier: {outcome(report)}"
    return Finding(source, against, about, _verdict(report), sentence)


def _is_alike(run: Document, result: Document) -> bool:
    if run.benchmark != result.benchmark or [*unusable([run])]:
        return False
    return not differences([result], [run], BENCHMARKS[run.benchmark].conditions)


def _verdict(report: Report) -> Verdict:
    if report.slower:
        return Verdict.BAD
    return Verdict.GOOD if report.comparisons and report.not_slower else Verdict.UNKNOWN
