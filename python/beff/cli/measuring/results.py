"""What `beff run` says and does at its end: answers, the page, numberings, a valid run of I/O."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from beff.cli.common.answer_text import print_answers, print_labelled
from beff.cli.common.files import say_without_pictures, verify_file
from beff.cli.common.rich_tables import print_line, print_table
from beff.cli.measuring.benchmarks import B_EFF_IO, by_option, valid_time_s
from beff.cli.measuring.options import RunOptions
from beff.launch.campaign import Left
from beff.launch.numbering import Numbering, numberings_of
from beff.report.tables.table import Column, Table, mbps
from beff.result.contract import MeasuredResult
from beff.result.places import is_taken
from beff.verify.common.summary_figures import main_value


def report_runs(runs: Sequence[Left]) -> bool:
    """Print the answer of each result, what does not verify, and where the files are.

    Returns whether every result was verified.
    """
    measured_ones = [run.document for run in runs if run.document is not None]
    folders = dict.fromkeys(str(Path(one.source).parent) for one in measured_ones)
    more = shlex.join(["beff", "show", "--all", *folders])
    print_answers(measured_ones, more, ways_on=False)
    measured = [(run.start, run.result) for run in runs if run.result is not None]
    verified = True
    for start, result in measured:
        if start.numbering is not None:
            print_line(f"{start.title}: numbering: {numbering_remark(result, start.numbering)}")
        verified = verify_file(start.file(".json"), only_failures=True) and verified
    for benchmark in dict.fromkeys(run.start.benchmark for run in runs):
        compared = numbering_table(
            benchmark,
            {
                (start.processes, start.numbering): result
                for start, result in measured
                if start.benchmark == benchmark
            },
        )
        if compared is not None:
            print_table(compared)
    for folder in dict.fromkeys(start.prefix.parent for start, _ in measured):
        print_labelled("results", str(folder))
    return verified


def require_report() -> None:
    """Find out before measuring whether a page can be drawn. Raises ModuleNotFoundError."""
    import beff.report.page.html_file  # noqa: F401, PLC0415 - of an extra that only this needs


def write_page(runs: Sequence[Left], folder: Path) -> Path | None:
    """Write the page of all results into the folder; None without any. Raises BeffError."""
    from beff.report.formats import format_of, write_report  # noqa: PLC0415 - as above
    from beff.verify.subject import load_subject  # noqa: PLC0415

    files = [run.start.file(".json") for run in runs if run.document is not None]
    if not files:
        return None
    target, number = folder / "report.html", 1
    while is_taken(target):  # an earlier report is never replaced unasked
        number += 1
        target = folder / f"report-{number}.html"
    chosen = format_of(target)
    assert chosen is not None
    write_report(chosen, load_subject(files), target, overwrite=False)
    say_without_pictures(target)
    return target


_MOST_RANKS = 16
"""Ranks whose nodes are named where the order is not that asked for."""


def is_numbered(result: MeasuredResult, numbering: Numbering) -> bool:
    """Whether the processes were numbered so."""
    return numbering in numberings_of(result.environment.placement)


def numbering_remark(result: MeasuredResult, asked: Numbering) -> str:
    """Say what became of --numbering."""
    environment = result.environment
    if environment.nodes == 1:
        return (
            f"all {environment.processes} processes are on one node, where sequential and"
            " round-robin are the same"
        )
    if environment.nodes == environment.processes:
        return "every node has one process, so sequential and round-robin are the same"
    if is_numbered(result, asked):
        return f"{asked.value}, as asked"
    shown = " ".join(map(str, environment.placement[:_MOST_RANKS]))
    more = " …" if environment.processes > _MOST_RANKS else ""
    return (
        f"NOT {asked.value}: the launcher did not do what --numbering asked for; the nodes of rank"
        f" 0, 1 … are {shown}{more}"
    )


def numbering_table(
    benchmark: str, results: Mapping[tuple[int, Numbering | None], MeasuredResult]
) -> Table | None:
    """Return the values of runs with both numberings and their ratio; None without such runs."""
    rows, notes = [], []
    for processes in dict.fromkeys(count for count, _ in results):
        both = {
            each: results[processes, each] for each in Numbering if (processes, each) in results
        }
        if len(both) < len(Numbering):
            continue
        first, second = map(main_value, both.values())
        rows.append((processes, first, second, first / second if first and second else None))
        name = f"{benchmark} with {processes} processes"
        hosts = [
            ", ".join(sorted(f"{host.name} {host.processes}" for host in each.environment.hosts))
            for each in both.values()
        ]
        if not all(is_numbered(result, asked) for asked, result in both.items()):
            notes.append(
                f"{name}: the launcher did not number as asked, so the ratio is not that of the two"
                " numberings"
            )
        elif hosts[0] != hosts[1]:
            notes.append(
                f"{name}: the runs differ also in how many processes each node has (sequential"
                f" {hosts[0]}; round-robin {hosts[1]})"
            )
    if not rows:
        return None
    columns = (Column("processes"), *(mbps(each.value) for each in Numbering), Column("ratio"))
    title = f"{benchmark} by the numbering of the processes"
    return Table("numbering", title, columns, tuple(rows), tuple(notes))


_KEPT = (
    *("procedure", "filesystem_note", "numbering", "memory_per_process", "engine", "launcher"),
    *("mpi", "stall_limit", "expect", "report"),
)
"""Fields of RunOptions that a longer run takes over."""
_LEFT_OUT = frozenset(
    {"--max-segment", "--pointer", "--rewrite", "--time-limit", "--types", "--verify"}
)
"""Options behind '--' that make a run not valid; their defaults do not."""


def valid_run(given: RunOptions, files: Path, counts: Sequence[int]) -> str | None:
    """Return the command of a valid run where this one, measured, is too short, else None.

    It keeps what was given, but for what bounds the run. The files were measured in `files`.
    """
    passed_on = by_option(given.engine_options or [])
    needed_s = max(valid_time_s(count, dict(passed_on)) for count in counts)
    if given.time is not None and given.time.value >= needed_s:
        return None
    words = ["beff", "run", "--benchmark", B_EFF_IO, "-n", ",".join(map(str, counts))]
    words += ["--path", str(files), "--time", f"{needed_s // 60}min"]
    for name in _KEPT:
        value = getattr(given, name)
        if value is not None and value is not False:
            words.append(f"--{name.replace('_', '-')}")
            words += [] if value is True else [str(value)]
    kept = [option for option in passed_on if option[0] not in _LEFT_OUT]
    if kept:
        words += ["--", *(word for name, values in kept for word in (name, *values))]
    return shlex.join(words)
