"""What `beff run` says and does at its end: answers, the page, numberings, a valid run of I/O."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from beff.cli.common.answer_text import print_answers, print_labelled
from beff.cli.common.files import say_without_pictures
from beff.cli.common.rich_tables import print_line, print_table
from beff.cli.common.verified import verify_file
from beff.cli.measuring.benchmarks import B_EFF_IO, IoWanted, Run
from beff.launch.numbering import Numbering, numberings_of
from beff.report.tables.table import Column, Table, mbps
from beff.result.places import is_taken
from beff.result.result_parts import Environment, Figure
from beff.verify.b_eff_io.schedule import default_partitions, shortest_valid_time_s
from beff.verify.common.summary_figures import main_value


def report_runs(runs: list[Run]) -> bool:
    """Print the answer of each result, what does not verify, and where the files are.

    Returns whether every result was verified.
    """
    measured = [(run, run.measured.document) for run in runs if run.measured is not None]
    print_answers([document for _, document in measured], ways_on=False)
    verified = True
    for run, _ in measured:
        for remark in numbering_remarks(run):
            print_line(f"{run.title}: {remark}")
        verified = verify_file(run.result_file, only_failures=True) and verified
    for benchmark in dict.fromkeys(run.benchmark.name for run in runs):
        compared = numbering_table([run for run in runs if run.benchmark.name == benchmark])
        if compared is not None:
            print_table(compared)
    for folder in dict.fromkeys(run.prefix.parent for run, _ in measured):
        print_labelled("results", str(folder))
    return verified


def require_report() -> None:
    """Find out before measuring whether a page can be drawn. Raises ModuleNotFoundError."""
    import beff.report.page.html_file  # noqa: F401, PLC0415 - of an extra that only this needs


def write_page(runs: Sequence[Run], folder: Path) -> Path | None:
    """Write the page of all results into the folder; None without any. Raises BeffError."""
    from beff.report.formats import format_of, write_report  # noqa: PLC0415 - as above
    from beff.verify.subject import load_subject  # noqa: PLC0415

    files = [run.result_file for run in runs if run.measured is not None]
    if not files:
        return None
    target = _free(folder)
    chosen = format_of(target)
    assert chosen is not None
    write_report(chosen, load_subject(files), target, overwrite=False)
    say_without_pictures(target)
    return target


def _free(folder: Path) -> Path:
    """Return a name that no file has: an earlier report is never replaced unasked."""
    target, number = folder / "report.html", 1
    while is_taken(target):
        number += 1
        target = folder / f"report-{number}.html"
    return target


_MOST_RANKS = 16
"""Ranks whose nodes are named where the order is not that asked for."""


def is_on_one_node(run: Run) -> bool:
    """Whether a run left a result and all its processes were on one node."""
    return run.measured is not None and run.measured.result.environment.nodes == 1


def is_as_asked(run: Run) -> bool:
    """Whether the processes were numbered as asked; true where nobody asked or nobody knows."""
    if run.numbering is None or run.measured is None:
        return True
    return run.numbering in numberings_of(run.measured.result.environment.placement)


def numbering_remarks(run: Run) -> Iterator[str]:
    """Say of a run with a result what became of --numbering."""
    if run.numbering is None or run.measured is None:
        return
    environment = run.measured.result.environment
    asked = run.numbering.value
    if environment.nodes == 1:
        yield (
            f"numbering: all {environment.processes} processes are on one node, where sequential"
            " and round-robin are the same"
        )
    elif environment.nodes == environment.processes:
        yield ("numbering: every node has one process, so sequential and round-robin are the same")
    elif is_as_asked(run):
        yield f"numbering: {asked}, as asked"
    else:
        shown = " ".join(map(str, environment.placement[:_MOST_RANKS]))
        more = " …" if environment.processes > _MOST_RANKS else ""
        yield (
            f"numbering: NOT {asked}: the launcher did not do what --numbering asked for; the"
            f" nodes of rank 0, 1 … are {shown}{more}"
        )


def numbering_table(runs: list[Run]) -> Table | None:
    """Return the values of runs with both numberings and their ratio; None without such runs."""
    pairs = list(_pairs(runs))
    if not pairs:
        return None
    rows = []
    for sequential, round_robin in pairs:
        first, second = _value(sequential), _value(round_robin)
        ratio = first / second if first and second else None
        rows.append((sequential.processes, first, second, ratio))
    return Table(
        "numbering",
        f"{runs[0].benchmark.name} by the numbering of the processes",
        (
            Column("processes"),
            *(mbps(each.value) for each in Numbering),
            Column("ratio"),
        ),
        tuple(rows),
        tuple(_notes(pairs)),
    )


def _notes(pairs: Iterable[tuple[Run, Run]]) -> Iterator[str]:
    """Say what else than the numbering differs between the runs of a pair."""
    for sequential, round_robin in pairs:
        name = f"{sequential.benchmark.name} with {sequential.processes} processes"
        if not (is_as_asked(sequential) and is_as_asked(round_robin)):
            yield (
                f"{name}: the launcher did not number as asked, so the ratio is not that of the two"
                " numberings"
            )
        elif _per_host(sequential) != _per_host(round_robin):
            yield (
                f"{name}: the runs differ also in how many processes each node has"
                f" (sequential {_per_node(sequential)}; round-robin {_per_node(round_robin)})"
            )


def _pairs(runs: Iterable[Run]) -> Iterator[tuple[Run, Run]]:
    measured = {(run.processes, run.numbering): run for run in runs if run.measured is not None}
    for processes in dict.fromkeys(count for count, _ in measured):
        both = [measured.get((processes, each)) for each in Numbering]
        if both[0] is not None and both[1] is not None:
            yield both[0], both[1]


def _value(run: Run) -> Figure:
    return None if run.measured is None else main_value(run.measured.result)


def _environment(run: Run) -> Environment | None:
    return None if run.measured is None else run.measured.result.environment


def _per_host(run: Run) -> dict[str, int]:
    environment = _environment(run)
    return {} if environment is None else {h.name: h.processes for h in environment.hosts}


def _per_node(run: Run) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(_per_host(run).items()))


_KEPT = (
    *("procedure", "filesystem_note", "numbering", "memory_per_process", "engine", "launcher"),
    *("mpi", "stall_limit", "expect", "report"),
)
"""Fields of RunOptions that a longer run takes over."""
_LEFT_OUT = frozenset(
    {"--max-segment", "--pointer", "--rewrite", "--time-limit", "--types", "--verify"}
)
"""Options behind '--' that make a run not valid; their defaults do not."""


def valid_run(wanted: IoWanted, counts: list[int]) -> str | None:
    """Return the command of a valid run where this one, measured, is too short, else None.

    It keeps what was given, but for what bounds the run.
    """
    passed_on = _by_option(wanted.given.engine_options or [])
    needed_s = max(_needed_s(dict(passed_on), count) for count in counts)
    if wanted.time_s is not None and wanted.time_s >= needed_s:
        return None
    words = ["beff", "run", "--benchmark", B_EFF_IO.name, "-n", ",".join(map(str, counts))]
    words += ["--path", str(wanted.files_below), "--time", f"{needed_s // 60}min"]
    for name in _KEPT:
        value = getattr(wanted.given, name)
        if value is not None and value is not False:
            words.append(f"--{name.replace('_', '-')}")
            words += [] if value is True else [str(value)]
    kept = [option for option in passed_on if option[0] not in _LEFT_OUT]
    if kept:
        words += ["--", *(word for name, values in kept for word in (name, *values))]
    return shlex.join(words)


def _by_option(words: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Return options behind '--', each with its values, which may stand behind '='."""
    found: list[tuple[str, list[str]]] = []
    for word in words:
        name, equals, value = word.partition("=")
        if word.startswith("-"):
            found.append((name, [value] if equals else []))
        else:
            found[-1][1].append(word)
    return found


def _needed_s(options: dict[str, list[str]], processes: int) -> int:
    """T that a run with these options of the program needs."""
    release = options.get("--release", ["1"])[0]
    given = options.get("--partitions")
    sizes = default_partitions(processes) if given is None else given[0].split(",")
    return shortest_valid_time_s(release, len(sizes))
