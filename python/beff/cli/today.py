"""`beff today`: short runs of a day, one after the other, each of which is kept as it ends."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Annotated

from beff.cli.common import exit_codes, options
from beff.cli.common.files import make_folder, name_left_out
from beff.cli.common.say import say, warn
from beff.cli.common.terminal import print_lines, print_table
from beff.cli.fleet import judged_fleet
from beff.cli.measuring.benchmarks import B_EFF, B_EFF_IO, B_PAIRS, RunOptions, start_of, words_for
from beff.cli.measuring.outcome import document_of, exit_code_of, showing
from beff.cli.measuring.request import (
    FEWEST_HOSTS,
    check_files_folder,
    engine_paths,
    require_cores,
    targets_of,
)
from beff.definition.verify import require_verified
from beff.judge import kept
from beff.judge.analysis import disturbed_text, others_had
from beff.judge.change import THRESHOLD, Word, level
from beff.judge.finding import FLEET_DAYS, USUAL, Checked
from beff.judge.judge_results import judge_results
from beff.judge.runs import Run
from beff.judge.series import FIGURES, JudgedDay, first_day, standing_after
from beff.launch.allocation import default_processes
from beff.launch.campaign import Left, made
from beff.launch.target import Target
from beff.result.errors import BeffError, ResultError, WrongUsageError
from beff.result.host_list import fold_host_list
from beff.result.load import Document, as_b_eff
from beff.result.numbers import bound, change, counted, format_duration, percent
from beff.show.parts.day_text import amount, day_fields, headline_of_days, next_command
from beff.show.parts.findings import line_of
from beff.show.tables.table import Table, table

_OF_WORD: dict[Word | None, int] = {Word.SLOWER: exit_codes.FAILED, Word.OPEN: exit_codes.NOT_VALID}
_ONCE = ("--repetitions", "1")
"""Of b_eff: a day alternates runs that are as short as they can be."""


@dataclass(frozen=True, kw_only=True)
class _Options(options.LaunchOptions):
    within: Annotated[options.Duration, options.MEASURED] = options.Quantity(180.0, "3min")
    """Begin no repetition that would end later."""
    path: Annotated[options.Folder | None, options.MEASURED] = None
    """Measure files there as well, by b_eff_io."""
    threshold: Annotated[options.Percent, options.JUDGED] = options.Quantity(
        THRESHOLD, f"{THRESHOLD:.0%}"
    )
    """Smallest loss that matters."""
    history: Annotated[options.Folder | None, options.JUDGED] = None
    """Folder in which runs and maps are kept.  [default: $BEFF_HISTORY, else beff/history among the
    data of the user]"""
    anew: Annotated[bool, options.JUDGED] = False
    """Begin a new series, after a change that is meant to stay."""
    show_all: Annotated[bool, options.ALL, options.WRITTEN] = False
    """Show every figure, host and file."""
    as_json: Annotated[bool, options.JSON, options.WRITTEN] = False
    """Print one JSON object instead."""
    processes: Annotated[options.Count | None, options.NUMBER] = None
    """Processes.  [default: the physical cores, in a job as many as it has]"""


def today(given: _Options) -> int:
    """Find out whether this machine is as fast as on the days before.

    Makes runs as beff run --quick does, compares them with the days before, and stops as soon as it
    is sure. A day is slower if it has lost more than --threshold, and more than days and runs
    differ by; at most one day in a hundred is called so by chance. Days are compared if they have
    the same number of hosts and processes on the same kind of hosts; a changed program, MPI library
    or kernel is named. With four hosts or more b_pairs names the slow ones.

    Examples:
      beff today
      salloc -N 4 beff today --history /shared/beff
      beff today --within 10min --path /scratch/me
      beff today --json

    Exit codes:
      0  as fast as on the days before, or the first day
      1  slower, or a host is; or nothing could be measured
      3  inconclusive
    """
    if not 0 < given.threshold < 1:
        raise WrongUsageError(f"--threshold {given.threshold}: must be above 0% and below 100%")
    session = _Session(given)
    session.measure()
    days, codes = session.days, session.codes
    if not days:
        if session.disturbed:
            codes.append(exit_codes.NOT_VALID)
            session.why = disturbed_text(session.disturbed)
        line = f"inconclusive: {session.why}" if session.why else ""
        if given.as_json:
            print(json.dumps({"line": line, "days": []}, indent=1))
        elif line:
            say(line, *["next: measure again, alone"] * bool(session.disturbed))
        return exit_codes.worst(codes) or exit_codes.FAILED
    checked = None if session.map is None else session.judged_hosts(session.map)
    bad = () if checked is None else checked.bad_hosts
    slow = f"{'host' if len(bad) == 1 else 'hosts'} {fold_host_list(sorted(bad))}" if bad else ""
    another, changed = ([*chain(*each)] for each in zip(*session.changes.values(), strict=True))
    line = headline_of_days(days, slow, another, changed)
    codes += [_OF_WORD.get(day.word, exit_codes.OK) for day in days.values()]
    codes += [exit_codes.FAILED] * bool(bad)
    if given.as_json:
        fields = {
            "line": line,
            "days": [day_fields(*day) for day in days.items()],
            "series": dict(session.repetitions[0].alike),
            "another_series": another,
            "changed": changed,
            "bad_hosts": None if checked is None else list(bad),
            "results": [one.source for one in session.repetitions],
        }
        print(json.dumps(fields, indent=1))
        return exit_codes.worst(codes)
    say(line)
    if given.show_all:
        print_table(_figures_table(days))
        print_lines(session.sentences(checked))
    if command := next_command([*days.values()], session.maps, slow):
        print_lines([f"next: {command}"])
    return exit_codes.worst(codes)


def _figures_table(days: Mapping[str, JudgedDay]) -> Table:
    """Return a row for each figure: today, before, change, interval, and what would be seen."""
    rows = []
    for benchmark, day in days.items():
        judged = {row.figure.name: row for row in day.figures}
        for figure in FIGURES[benchmark]:
            if logs := day.day.logs.get(figure.name):
                beside: tuple[str | None, ...] = (None,) * 5
                if row := judged.get(figure.name):
                    low, middle, high = row.shares
                    interval = f"{bound(low)} to {bound(high)}"
                    before = amount(figure, row.change.a)
                    beside = before, change(middle), interval, percent(row.seen), row.word.value
                rows.append((figure.name, len(logs), amount(figure, level(logs)), *beside))
    return table("today", rows)


class _Session:
    """The runs of a call: what measures, where all is kept, what the day is, and a map.

    Of runs that were `disturbed`, which count as none, there is what others had of the cores. Of
    each benchmark `changes` say why it begins another series, and what is other than on the day
    before; `why` says why there is no day; `codes` are those of what went wrong.
    """

    def __init__(self, given: _Options) -> None:
        """Find the programs and make the folders. Raises BeffError."""
        check_files_folder(given.path)
        self._given = given
        names = [B_EFF] + [B_EFF_IO] * (given.path is not None)
        engine_paths(given.engine, [*names, B_PAIRS])  # refuses a program that is one of them
        self._targets = targets_of(given, names)
        self._processes = given.processes or default_processes(self._targets[B_EFF].cores)
        require_cores(given, self._targets.values(), [self._processes])
        cluster = kept.history_folder(given.history) / kept.cluster_name()
        self._runs = make_folder(cluster / "runs", option="--history")
        self._call = make_folder(None, self._runs, "--history")
        self.maps = cluster / "maps"
        self.map: Document | None = None
        self.days: dict[str, JudgedDay] = {}
        self.disturbed: list[float] = []
        self.changes: dict[str, list[tuple[str, ...]]] = {}
        self.why, self.codes = "", list[int]()
        self.repetitions: list[Run] = []

    def measure(self) -> None:
        """Measure until it is enough, at most for the time, or until something went wrong."""
        within_s, earlier = self._given.within, kept.kept_in(self._runs, name_left_out)
        began, aside_s, most = time.monotonic(), 0.0, 0
        for number in count(1):
            for benchmark in self._targets:
                document = self._measured(benchmark, number)
                run = None if document is None else self._kept(document)
                if document is None or run is None:
                    return
                if benchmark == B_EFF and number == 1:
                    aside = time.monotonic()
                    self.map = self._map_of(document)
                    aside_s = time.monotonic() - aside
                if run.load is None:
                    self.repetitions.append(run)
                else:
                    self.disturbed.append(run.load)
            elapsed_s = time.monotonic() - began
            took_s = (elapsed_s - aside_s) / number
            most = most or kept.planned(within_s - aside_s, took_s)
            left = 0 if elapsed_s + took_s > within_s else most - number
            enough = [self._judge(benchmark, earlier, left, most) for benchmark in self._targets]
            if left <= 0 or all(enough):
                return

    def _judge(self, benchmark: str, earlier: Sequence[Run], left: int, most: int) -> bool:
        """Judge the day so far; return whether it has enough repetitions."""
        if not (runs := [one for one in self.repetitions if one.benchmark == benchmark]):
            return False
        series, *self.changes[benchmark] = kept.series_with(runs[-1], [*earlier, *runs])
        *before, day = kept.days_of(series)
        standing = standing_after(first_day(benchmark, self._given.threshold), before)
        self.days[benchmark], is_enough = kept.judged_so_far(standing, day, left, most)
        return is_enough

    def _measured(self, benchmark: str, number: int) -> Document | None:
        """Make a short run; None where it failed or was stopped, which is said."""
        folder = self._call / str(number)
        files = self._given.path or folder
        words = words_for(benchmark, RunOptions(quick=True), files, self._processes)
        words += _ONCE if benchmark == B_EFF else ()
        title = f"today: run {number}, at most {format_duration(self._given.within)}"
        left = self._run(self._targets[benchmark], benchmark, folder, words, title)
        return left.document if self.codes[-1] == exit_codes.OK else None

    def _map_of(self, document: Document) -> Document | None:
        """Map four hosts or more, also by a run that was cut off; a day goes on without a map."""
        if as_b_eff(document).environment.nodes < FEWEST_HOSTS:
            return None
        folder, title = self.maps / self._call.name, "today: map of the hosts"
        try:
            program = targets_of(self._given, [B_PAIRS])[B_PAIRS]
            return document_of(self._run(program, B_PAIRS, folder, [], title))
        except BeffError as problem:
            warn(f"beff: {problem}; there is no map of the hosts")
            self.codes.append(exit_codes.FAILED)
            return None

    def _run(
        self, target: Target, benchmark: str, folder: Path, words: list[str], title: str
    ) -> Left:
        """Make a run, and note its exit code."""
        make_folder(folder, option="--history")
        start = start_of(benchmark, target, folder, self._processes, words)
        left = made(start, lambda _: showing(title))
        self.codes.append(exit_code_of(left, lambda _: True))
        return left

    def _kept(self, document: Document) -> Run | None:
        """Keep a result; None of one that is of no use, which is said."""
        try:
            require_verified(document)
            return kept.keep(document, self._call, anew=self._given.anew)
        except ResultError as problem:
            warn(f"beff: {problem}")
        is_whole = document.result.complete
        self.codes.append(exit_codes.FAILED if is_whole else exit_codes.NOT_VALID)
        if not is_whole:
            self.why = "a run did not measure everything in its time"
            if (share := others_had(document)) is not None:
                self.why += f"; other work takes {percent(share)} of the cores"
        return None

    def judged_hosts(self, document: Document) -> Checked:
        """Judge hosts by the map just measured and those before, as `beff nodes --fleet` does."""
        alone = judge_results([document])
        try:
            return judged_fleet(self.maps, FLEET_DAYS, USUAL, (document, alone), name_left_out)[1]
        except ResultError:
            return alone

    def sentences(self, checked: Checked | None) -> Iterator[str]:
        """Say what was found of the hosts, what days share, and what is kept."""
        first = self.repetitions[0]
        yield from map(line_of, (*checked.judgements, *checked.remarks) if checked else ())
        yield f"alike: {', '.join(f'{name} {value}' for name, value in first.alike.items())}"
        yield f"hosts: {first.hosts}"
        yield f"kept: {self._call}, {counted(len(self.repetitions), 'result')}"
