"""What `beff run` shows when the measuring is over."""

import textwrap
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from beff.cli.tables import comparison_table, notes, output_console
from beff.cli.verify import verify_file
from beff.model.b_eff_result import BEffResult
from beff.model.journal import SUFFIX
from beff.model.published import published_results


@dataclass(frozen=True)
class Run:
    """One run of the engine: where its files are, its result if there is one, its exit code."""

    processes: int
    prefix: Path
    result: BEffResult | None
    exit_code: int
    stopped: bool

    @property
    def result_file(self) -> Path:
        """The result file."""
        return Path(f"{self.prefix}.json")


def report_runs(runs: list[Run]) -> bool:
    """Print the table and, for each result, criteria not met, cautions, verification and files.

    Returns whether every result was verified.
    """
    measured = [(run, run.result) for run in runs if run.result is not None]
    if not measured:
        return True
    console = output_console()
    published = published_results()
    console.print(comparison_table((result for _, result in measured), published))
    for line in notes(published):
        console.print(line, style="dim", markup=False)
    verified = True
    for run, result in measured:
        print()
        for line in _remarks(run, result):
            console.print(_wrapped(line, console), markup=False, soft_wrap=True)
        verified = verify_file(run.result_file) and verified
    return verified


def _wrapped(line: str, console: Console) -> str:
    """Break a sentence between words on a terminal; paths and piped output stay whole."""
    if not console.is_terminal:
        return line
    return textwrap.fill(
        line,
        console.width,
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _remarks(run: Run, result: BEffResult) -> list[str]:
    verdict = "valid" if result.valid else "not valid for comparison"
    lines = [f"b_eff with {run.processes} processes on {result.environment.host_list}: {verdict}"]
    lines += [
        f"  not met: {criterion.name}: {criterion.found}, required {criterion.required}"
        for criterion in result.criteria
        if not criterion.met
    ]
    lines += [f"  caution: {caution}" for caution in result.cautions]
    for suffix, content in ((".txt", "protocol"), (".json", "result"), (SUFFIX, "journal")):
        path = Path(f"{run.prefix}{suffix}")
        if path.exists():
            lines.append(f"  {content}: {path}")
    return lines
