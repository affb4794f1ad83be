"""Which runs of the two sides belong together: copies, counterparts, and what is to be said."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone

from beff.judge.conditions import Use, differences, unusable
from beff.judge.evidence import Times
from beff.result.load import Document
from beff.result.numbers import counted
from beff.result.result_parts import ImportedHead
from beff.verify.subject import samples_of


def on_both_sides(a: Sequence[Document], b: Sequence[Document]) -> tuple[str, ...]:
    """Return one sentence for each run of B that stands in A, too."""
    sources = {samples_of(run): run.source for run in a}
    return tuple(
        f"{sources[samples_of(run)]} of A and {run.source} of B hold the same samples"
        for run in b
        if samples_of(run) in sources
    )


@dataclass(frozen=True)
class Sides:
    """Repeated runs of one benchmark with one number of processes, on both sides.

    `history` are other runs of the machine. All are in order of time.
    """

    a: tuple[Document, ...]
    b: tuple[Document, ...]
    history: tuple[Document, ...] = ()

    @property
    def benchmark(self) -> str:
        """That of all runs."""
        return self.a[0].benchmark

    @property
    def processes(self) -> int:
        """Number of processes, of side A where the sides differ."""
        return _processes(self.a[0])

    @property
    def times(self) -> Times:
        """When runs started, in seconds.

        Not known where that of some run is not, or has no time zone as those of a print, and so no
        order with others.
        """
        a, b, history = ([start_of(run) for run in runs] for runs in (self.a, self.b, self.history))
        known = [start for start in (*a, *b, *history) if start is not None]
        mixed = len({run.is_imported for run in (*self.a, *self.b)}) > 1
        if mixed or len(known) < len(a) + len(b) + len(history):
            return Times([0.0] * len(a), [0.0] * len(b), are_known=False)
        return Times(known[: len(a)], known[len(a) :][: len(b)], known[len(a) + len(b) :])

    @property
    def one_after_the_other(self) -> bool:
        """Whether all runs of one side are known to have started before all of the other."""
        times = self.times
        if not times.are_known:
            return False
        return max(times.a) < min(times.b) or max(times.b) < min(times.a)

    @property
    def name(self) -> str:
        """Benchmark and number of processes."""
        return _named((self.benchmark, self.processes))


@dataclass(frozen=True)
class Matching:
    """What belongs together, and one sentence for each group of runs that has no counterpart."""

    matched: tuple[Sides, ...]
    unmatched: tuple[str, ...]


_Key = tuple[str, int]
_PRINTED = "%a %b %d %H:%M:%S %Y"
"""How the original programs print a time: Tue Nov 23 18:13:10 2004."""


def match_sides(a: Sequence[Document], b: Sequence[Document]) -> Matching:
    """Match the runs of both sides by benchmark and number of processes.

    One group on each side of the same benchmark belong together although the processes differ.
    """
    groups_a, groups_b = _groups(a), _groups(b)
    benchmarks = {run.benchmark for run in (*a, *b)}
    if len(groups_a) == len(groups_b) == len(benchmarks) == 1:
        return Matching((Sides(*groups_a.values(), *groups_b.values()),), ())
    matched = [Sides(groups_a[key], groups_b[key]) for key in groups_a if key in groups_b]
    unmatched = [
        f"{_named(key)}: only in {side}, {counted(len(groups[key]), 'run')}"
        for side, groups, others in (("A", groups_a, groups_b), ("B", groups_b, groups_a))
        for key in groups
        if key not in others
    ]
    return Matching(tuple(matched), tuple(unmatched))


def _groups(documents: Sequence[Document]) -> dict[_Key, tuple[Document, ...]]:
    """Return the runs by benchmark and number of processes, in that order, each in time order."""
    in_time = sorted(documents, key=lambda run: (start_of(run) or 0.0, run.source))
    keys = sorted({(run.benchmark, _processes(run)) for run in documents})
    return {
        key: tuple(run for run in in_time if (run.benchmark, _processes(run)) == key)
        for key in keys
    }


def with_history(sides: Sides, others: Sequence[Document]) -> Sides:
    """Add those of other runs that are usable and were measured in the same way as the sides.

    Imported runs have no history, and are none: their times are of no time zone.
    """
    alike = [
        run
        for run in others
        if run.benchmark == sides.benchmark
        and not any(one.is_imported for one in (run, *sides.a, *sides.b))
        and not list(unusable([run]))
        and not differences(sides.a, [run], Use.SAME | Use.HISTORY)
    ]
    return replace(sides, history=tuple(sorted(alike, key=lambda run: start_of(run) or 0.0)))


def start_of(run: Document) -> float | None:
    """Return when a run started, in seconds; None where it is not known.

    That of an imported result is as printed, without a time zone.
    """
    if not isinstance(run.result, ImportedHead):
        return run.started_at.timestamp()
    imported = run.result.imported
    try:
        printed = datetime.strptime(imported.date or "", _PRINTED)
    except ValueError:
        return None
    return printed.replace(tzinfo=timezone.utc).timestamp()


def _processes(document: Document) -> int:
    return document.result.environment.processes


def _named(key: _Key) -> str:
    benchmark, processes = key
    return f"{benchmark} with {counted(processes, 'process')}"
