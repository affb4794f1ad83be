"""Which runs of the two sides belong together: copies, counterparts, and what is to be said."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import pairwise

from beff.analysis.compare.statistics import Sessions, sessions_of
from beff.analysis.copies import samples_of
from beff.analysis.steadiness import cautions_of
from beff.model.load import Document
from beff.model.numbers import counted


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
    """Repeated runs of one benchmark with one number of processes, on both sides."""

    a: tuple[Document, ...]
    b: tuple[Document, ...]

    @property
    def benchmark(self) -> str:
        """`b_eff` or `b_eff_io`."""
        return self.a[0].benchmark

    @property
    def processes(self) -> int:
        """Number of processes, of side A where the sides differ."""
        return _processes(self.a[0])

    @property
    def times(self) -> tuple[list[float], list[float]] | None:
        """When the runs of both sides started, in seconds.

        None where that of some run is not known, or has no time zone as those of a print, and so
        no order with others.
        """
        if len({run.is_imported for run in (*self.a, *self.b)}) > 1:
            return None
        a, b = _start_times(self.a), _start_times(self.b)
        return None if a is None or b is None else (a, b)

    @property
    def alternated(self) -> bool | None:
        """Whether the sides changed often enough in time to have met the same conditions."""
        return None if self.times is None else _alternated(*self.times)

    @property
    def one_after_the_other(self) -> bool:
        """Whether all runs of one side are known to have started before all of the other."""
        if self.times is None:
            return False
        a, b = self.times
        return max(a) < min(b) or max(b) < min(a)

    @property
    def sessions(self) -> Sessions:
        """The runs grouped by gaps in time."""
        a, b = self.times or (None, None)
        return sessions_of(a, b, (len(self.a), len(self.b)))

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
    """Return the runs by benchmark and number of processes, in that order."""
    keys = sorted({(run.benchmark, _processes(run)) for run in documents})
    return {
        key: tuple(run for run in documents if (run.benchmark, _processes(run)) == key)
        for key in keys
    }


def _start_times(runs: Sequence[Document]) -> list[float] | None:
    """Return when runs started, in seconds; None where one is not known.

    Those of imported results are as printed, without a time zone.
    """
    times = [_printed_time(run) if run.is_imported else _started_at(run) for run in runs]
    known = [time for time in times if time is not None]
    return known if len(known) == len(times) else None


def _started_at(run: Document) -> float:
    started = str(run.fields["environment"]["started_at"])
    return _seconds(datetime.fromisoformat(started.replace("Z", "+00:00")))


def _printed_time(run: Document) -> float | None:
    try:
        return _seconds(datetime.strptime(run.fields["imported"]["date"] or "", _PRINTED))
    except ValueError:
        return None


def _seconds(time: datetime) -> float:
    return (time if time.tzinfo else time.replace(tzinfo=timezone.utc)).timestamp()


def _alternated(a: Sequence[float], b: Sequence[float]) -> bool:
    """Whether the runs in order of time change sides at least half as often as in a random order.

    In a random order of n and n runs that is n times in the mean. Runs of both sides that started
    at once are as good as alternated.
    """
    if set(a) & set(b):
        return True
    sides = [side for _, side in sorted([(t, "A") for t in a] + [(t, "B") for t in b])]
    changes = sum(left != right for left, right in pairwise(sides))
    return changes >= max(2.0, min(len(a), len(b)) / 2)


def _processes(document: Document) -> int:
    return int(document.fields["environment"]["processes"])


def _named(key: _Key) -> str:
    benchmark, processes = key
    return f"{benchmark} with {processes} processes"


def cautions_of_sides(a: Sequence[Document], b: Sequence[Document]) -> tuple[str, ...]:
    """Return one sentence for each caution. Raises ResultError as `cautions_of` does."""
    runs: dict[str, tuple[list[str], list[str]]] = {}
    for side, documents in enumerate((a, b)):
        for document in documents:
            for caution in cautions_of(document):
                runs.setdefault(caution, ([], []))[side].append(document.source)
    return tuple(
        f"{_where(*sources, len(a), len(b))}: {caution}" for caution, sources in runs.items()
    )


def _where(in_a: list[str], in_b: list[str], runs_a: int, runs_b: int) -> str:
    if len(in_a) + len(in_b) == 1:
        return (in_a or in_b)[0]
    counts = ((len(in_a), runs_a, "A"), (len(in_b), runs_b, "B"))
    return ", ".join(f"{found} of {runs} runs of {side}" for found, runs, side in counts if found)
