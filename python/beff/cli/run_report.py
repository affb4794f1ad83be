"""What `beff run` shows when the measuring is over."""

from pathlib import Path

from beff.analysis.cautions import cautions_of
from beff.cli.rich_tables import print_line, print_table
from beff.cli.run_benchmark import Benchmark, Measured, Run
from beff.cli.run_numbering import numbering_remarks, numbering_table
from beff.cli.verify import verify_file
from beff.model.journal import SUFFIX
from beff.report.tables.validity import stamps


def report_runs(runs: list[Run]) -> bool:
    """Print the tables and, for each result, criteria not met, cautions, verification and files.

    Returns whether every result was verified.
    """
    by_benchmark: dict[str, list[Run]] = {}
    for run in runs:
        by_benchmark.setdefault(run.benchmark.name, []).append(run)
    verified = [_report(of_one[0].benchmark, of_one) for of_one in by_benchmark.values()]
    return all(verified)


def _report(benchmark: Benchmark, runs: list[Run]) -> bool:
    measured = [(run, run.measured) for run in runs if run.measured is not None]
    if not measured:
        return True
    compared = numbering_table(runs)
    tables = benchmark.tables([found.document for _, found in measured])
    for table in [*tables, *([] if compared is None else [compared])]:
        print_table(table)
    verified = True
    for run, found in measured:
        print()
        for line in _remarks(run, found):
            print_line(line)
        verified = verify_file(run.result_file) and verified
    print()
    return verified


def _remarks(run: Run, found: Measured) -> list[str]:
    result = found.result
    lines = [f"{run.title} on {result.environment.host_list}: {stamps(found.document)}"]
    lines += [f"  {line}" for line in numbering_remarks(run)]
    lines += [f"  {line}" for line in run.benchmark.remarks(found.document)]
    lines += [
        f"  not met: {criterion.name}: {criterion.found}, required {criterion.required}"
        for criterion in result.criteria
        if not criterion.met
    ]
    lines += [f"  caution: {caution}" for caution in cautions_of(found.document)]
    for suffix, content in ((".txt", "protocol"), (".json", "result"), (SUFFIX, "journal")):
        path = Path(f"{run.prefix}{suffix}")
        if path.exists():
            lines.append(f"  {content}: {path}")
    return lines
