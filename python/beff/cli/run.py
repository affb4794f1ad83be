"""`beff run`, and what it does at its end: answers, page, numberings, a valid run of I/O."""

import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from beff.cli.common import exit_codes
from beff.cli.common.files import say_without_pictures, verified
from beff.cli.common.say import say
from beff.cli.common.terminal import print_answers, print_labelled, print_lines, print_table
from beff.cli.measuring.benchmarks import RunOptions, accepts
from beff.cli.measuring.outcome import exit_code_of, shown
from beff.cli.measuring.request import QUICK_REMARK, simulated_starts, starts_of
from beff.definition.subject import main_value
from beff.launch.campaign import Left, Start, measure
from beff.launch.launcher import Numbering, numberings_of
from beff.result.contract import MeasuredResult
from beff.result.load import Document
from beff.result.numbers import counted
from beff.result.places import is_taken, made_whole, require_free
from beff.show.tables.table import table


def run(given: RunOptions) -> int:
    """Measure b_eff and b_eff_io and show the answer.

    In a job of four hosts or more it runs b_pairs as well, which names slow hosts.

    Without --time, b_eff_io makes a short run that is never valid. With --quick, that of b_eff is
    short, too, and valid among quick runs.

    With --simulate, the program runs in SimGrid's SMPI; its result is never valid.

    Ctrl-C ends the measurement with a partial result. With --expect, the results are judged at the
    end as beff check does.

    Examples:
      beff run
      beff run -n 2,4,8 --output-dir results/scaling
      beff run --quick --output-dir weekly/2026-11-24
      beff run --benchmark b_eff_io --path /scratch/me --time 30min
      beff run --benchmark b_eff -- --definition 3.1 --time-limit 5min
      beff run --simulate fat-tree:16x4x4,12.5GB/s,1us -n 64

    Exit codes:
      0  measured and valid, or simulated; a default I/O run that is only too short counts as valid
      1  failed, does not verify, or bad by --expect
      3  measured, but partial or not valid, inconclusive by --expect, or not numbered as asked; of
         several runs, the worst counts
    """
    from beff.cli.check import expected_by  # noqa: PLC0415 - judging takes long to load

    expected, _ = expected_by(None, given.expect)
    if given.report:  # find out before measuring whether a page can be drawn
        import vl_convert  # noqa: F401, PLC0415 - of an extra that only this needs
    starts = starts_of(given) if given.simulate is None else simulated_starts(given)
    for path in (path for start in starts for path in start.files):
        require_free(path, overwrite=given.overwrite)
    runs, codes = list[Left](), list[int]()
    for left in measure(starts, shown):
        runs.append(left)
        codes.append(exit_code_of(left, partial(accepts, given)))
    documents = [run.document for run in runs if run.document is not None]
    codes += report_runs(runs, documents)
    if given.quick:
        print_labelled("quick", QUICK_REMARK)
    if expected is not None:
        from beff.cli.judged import answer  # noqa: PLC0415 - as above
        from beff.judge.judge_results import Basis, judge_results  # noqa: PLC0415

        codes.append(answer(judge_results(documents, Basis(expected)), "beff check"))
    if given.report and documents:
        print_labelled("report", str(_write_page([Path(one.source) for one in documents])))
    return exit_codes.worst(codes)


def report_runs(runs: Sequence[Left], documents: Sequence[Document]) -> list[int]:
    """Print the answer of each result, what does not verify, and where the files are.

    Returns the codes of the results that do not verify.
    """
    folders = dict.fromkeys(str(Path(one.source).parent) for one in documents)
    print_answers(documents, shlex.join(["beff", "show", "--all", *folders]))
    measured = [(run.start, run.result) for run in runs if run.result is not None]
    codes = []
    for start, result in measured:
        if start.numbering is not None:
            print_lines([f"{start.title}: numbering: {numbering_remark(result, start.numbering)}"])
        agrees, lines = verified(start.file(".json"))
        if not agrees:
            say(*lines)
            codes.append(exit_codes.FAILED)
    for benchmark in dict.fromkeys(start.benchmark for start, _ in measured):
        print_numberings(benchmark, [one for one in measured if one[0].benchmark == benchmark])
    for folder in dict.fromkeys(start.prefix.parent for start, _ in measured):
        print_labelled("results", str(folder))
    return codes


def _write_page(files: Sequence[Path]) -> Path:
    """Write the page of results into the folder of the first. Raises BeffError."""
    from beff.definition.subject import load_subject  # noqa: PLC0415
    from beff.show.formats import write_page  # noqa: PLC0415 - as above

    folder, number = files[0].parent, 1
    target = folder / "report.html"
    while is_taken(target):  # an earlier report is never replaced unasked
        number += 1
        target = folder / f"report-{number}.html"
    with made_whole(target) as made:
        write_page(load_subject(files), made)
    say_without_pictures(target)
    return target


_MOST_RANKS = 16
"""Ranks whose nodes are named where the order is not that asked for."""


def numbering_remark(result: MeasuredResult, wanted: Numbering) -> str:
    """Say what became of --numbering."""
    environment = result.environment
    if environment.nodes in (1, environment.processes):
        where = f"{environment.processes} processes on {counted(environment.nodes, 'node')}"
        return f"with {where}, sequential and round-robin are the same"
    if wanted in numberings_of(environment.placement):
        return f"{wanted.value}, as asked"
    shown = " ".join(map(str, environment.placement[:_MOST_RANKS]))
    more = " …" if environment.processes > _MOST_RANKS else ""
    return (
        f"NOT {wanted.value}: the launcher did not do what --numbering asked for; the nodes of rank"
        f" 0, 1 … are {shown}{more}"
    )


def print_numberings(benchmark: str, runs: Sequence[tuple[Start, MeasuredResult]]) -> None:
    """Print the values of runs with both numberings, as asked, and their ratio."""
    rows = []
    runs = [one for one in runs if one[0].numbering in numberings_of(one[1].environment.placement)]
    for count in dict.fromkeys(start.processes for start, _ in runs):
        results = {one.numbering: result for one, result in runs if one.processes == count}
        values = [main_value(results[each]) for each in Numbering if each in results]
        if len(values) == len(Numbering):
            first, second = values
            rows.append((count, first, second, first / second if first and second else None))
    if rows:
        names = [each.value for each in Numbering]
        print_table(table("numbering", rows, benchmark=benchmark, numberings=names))
