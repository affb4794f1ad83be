"""Two sides of runs in, a report out: the figures of all runs, and what they say of each change."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import cached_property, partial
from itertools import groupby
from math import expm1, log
from statistics import median

from beff.definition.subject import apart, by_key, marks_of, once
from beff.judge import series
from beff.judge.analysis import disturbed_text, others_had
from beff.judge.benchmarks import ASSUMED_NOISE, DECIDING, VALUES, Quantity, compared_figures
from beff.judge.change import (
    ERROR,
    THRESHOLD,
    JudgedFigure,
    Word,
    alternated,
    change_by_runs,
    fenced,
    judged_figure,
    sessions_of,
)
from beff.judge.conditions import Use, differences, not_given, unusable, why_unlike
from beff.result.load import Document
from beff.result.numbers import change, counted
from beff.result.result_parts import ImportedHead

_NAMED = 5
"""Figures without a counterpart that are named; of more, their number."""
_PRINTED = "%a %b %d %H:%M:%S %Y"
"""How the original programs print a time: Tue Nov 23 18:13:10 2004."""
_ERROR_OF_RUNS = 0.02
"""Probability that any figure of runs as fast is called slower, at most; it is less."""
Side = tuple[Document, ...]
Notes = Mapping[str, Sequence[str]]
"""Sentences, by what they are about."""


@dataclass(frozen=True)
class Comparison:
    """The comparison of one benchmark with one number of processes, runs in order of time.

    `day` is B as a day beside A, with the figures that decide; `tables` are those of all figures.
    Of the `notes`, `differences` are what should have been the same and was not, `remarks` what may
    explain a change, `far_off` which runs lie far off the others of their side, `not_compared` what
    some run lacks.
    """

    a: Side
    b: Side
    history: Side
    day: series.JudgedDay
    tables: Mapping[str, tuple[JudgedFigure, ...]]
    notes: Notes

    @property
    def name(self) -> str:
        """Benchmark and number of processes."""
        return kind_of(self.a[0])

    @property
    def values(self) -> tuple[JudgedFigure, ...]:
        """The values, without which nothing is decided; none where not all runs measured any."""
        return self.tables.get(VALUES, ())

    @cached_property
    def starts(self) -> tuple[list[float], list[float]]:
        """When the runs of A and B started, in s; two empty lists where that is not known."""
        starts = _starts_of((*self.a, *self.b))
        return starts[: len(self.a)], starts[len(self.a) :]

    @property
    def alternated(self) -> bool | None:
        """Whether A and B alternated in time; None where that is not known."""
        return alternated(*self.starts) if self.starts[0] else None

    @property
    def one_after_the_other(self) -> bool:
        """Whether all runs of one side are known to have started before all of the other."""
        a, b = self.starts
        return bool(a) and (max(a) < min(b) or max(b) < min(a))


@dataclass(frozen=True)
class Report:
    """All comparisons between the two sides.

    `threshold` is a share. Of the `notes`, `refusals` say what cannot be compared and why,
    `unpaired` which runs of one side have no counterpart, `copies` which runs hold the samples of
    another, `cautions` what is to be said of single runs, `disturbed` by what all runs of a side
    were: then all is open.
    """

    threshold: float
    comparisons: tuple[Comparison, ...]
    notes: Notes

    @property
    def is_whole(self) -> bool:
        """Whether everything that belongs together was compared by the values that decide."""
        return not self.notes["refusals"] and all(one.values for one in self.comparisons)

    @property
    def word(self) -> Word:
        """The worst of all comparisons; nothing is decided of what was disturbed."""
        words = {one.day.word or Word.OPEN for one in self.comparisons if one.values}
        if self.notes["disturbed"] or not words:
            return Word.OPEN
        word = min(words, key=list(Word).index)
        return Word.OPEN if word is not Word.SLOWER and not self.is_whole else word


def compare(
    a: Sequence[Document],
    b: Sequence[Document],
    history: Sequence[Document] = (),
    *,
    threshold: float = THRESHOLD,
    assumed: float | None = None,
    force: bool = False,
) -> Report:
    """Compare repeated runs with sound structure; each side holds at least one.

    Of the `history` those runs count that were measured in the same way and are on neither side.
    The `threshold` is the smallest loss that matters, as a share; `assumed` is what a figure
    differs by from run to run, and from day to day, where too few show it, None for that of the
    benchmark. With `force`, results are compared that should not be.
    """
    (once_a, copies_a), (once_b, copies_b) = once(a), once(b)
    disturbed, left_out = list[str](), list[str]()
    if not force:
        once_a = _quiet_of(once_a, "A", disturbed, left_out)
        once_b = _quiet_of(once_b, "B", disturbed, left_out)
    earlier, _ = apart(once(history)[0], (*once_a, *once_b))
    matched, unmatched = _matched(once_a, once_b)
    known = [(sides, why_not(*sides)) for sides in matched]
    refusals = [f"{kind_of(sides[0][0])}: {reason}" for sides, why in known for reason in why]
    noise = ASSUMED_NOISE if assumed is None else dict.fromkeys(ASSUMED_NOISE, assumed)
    begin = partial(series.Standing, limit=threshold)
    comparisons = [
        _comparison(*sides, earlier, why, partial(begin, assumed=noise[sides[0][0].benchmark]))
        for sides, why in known
        if force or not why
    ]
    notes = {
        "refusals": unmatched if not matched else () if force else refusals,
        "unpaired": unmatched,
        "copies": [*copies_a, *copies_b, *_on_both_sides(once_a, once_b)],
        "cautions": left_out,
        "disturbed": disturbed,
    }
    return Report(threshold, tuple(comparisons), notes)


def _quiet_of(runs: Side, side: str, disturbed: list[str], left_out: list[str]) -> Side:
    """Return the runs of a side by which it is judged; note whether all are disturbed, or which."""
    shares = [(run.source, share) for run in runs if (share := others_had(run)) is not None]
    if len(shares) == len(runs):
        disturbed.append(disturbed_text([share for _, share in shares], f" of {side}"))
        return runs
    left_out += [f"{source}: left out, as {disturbed_text([share])}" for source, share in shares]
    return tuple(run for run in runs if others_had(run) is None)


def _on_both_sides(a: Side, b: Side) -> Iterator[str]:
    """Yield one sentence for each run of B that stands in A, too."""
    source_of = {mark: run.source for run in a for mark in marks_of(run)}
    for run in b:
        if shared := [source_of[mark] for mark in marks_of(run) if mark in source_of]:
            yield f"{shared[0]} of A and {run.source} of B hold the same samples"


def _matched(a: Side, b: Side) -> tuple[list[tuple[Side, Side]], tuple[str, ...]]:
    """Match the runs of both sides by benchmark and number of processes.

    One group on each side of the same benchmark belong together although the processes differ. Each
    group without a counterpart is a sentence.
    """
    groups_a, groups_b = _groups(a), _groups(b)
    if len(groups_a) == len(groups_b) == len({run.benchmark for run in (*a, *b)}) == 1:
        return list(zip(groups_a.values(), groups_b.values(), strict=True)), ()
    matched = [(groups_a[key], groups_b[key]) for key in groups_a if key in groups_b]
    return matched, tuple(
        f"{kind_of(groups[key][0])}: only in {side}, {counted(len(groups[key]), 'run')}"
        for side, groups, others in (("A", groups_a, groups_b), ("B", groups_b, groups_a))
        for key in groups
        if key not in others
    )


def _groups(runs: Side) -> dict[tuple[str, int], Side]:
    """Return the runs by benchmark and number of processes, in that order, each in time order."""

    def kind(run: Document) -> tuple[str, int]:
        return run.benchmark, run.result.environment.processes

    in_order = sorted(runs, key=lambda run: (*kind(run), start_of(run) or 0.0, run.source))
    return {key: tuple(of) for key, of in groupby(in_order, kind)}


def kind_of(run: Document) -> str:
    """Return benchmark and number of processes as one text."""
    return f"{run.benchmark} with {counted(run.result.environment.processes, 'process')}"


def why_not(a: Sequence[Document], b: Sequence[Document]) -> list[str]:
    """Return why results of one benchmark are not compared without force; else nothing."""
    runs = (*a, *b)
    if reasons := [*unusable(runs), *differences(a, b, Use.SAME)]:
        return reasons
    common = deciding([compared_figures(run.result) for run in runs])
    has_value = any(one.table == VALUES for one in common)
    return [] if has_value else ["no value was measured in all runs"]


def _comparison(
    a: Side, b: Side, earlier: Side, reasons: Sequence[str], begin: Callable[..., series.Standing]
) -> Comparison:
    """Compare two sides, beside those of earlier runs that were measured as A.

    Imported runs have no history, and are none: their times are of no time zone.
    """
    known = [] if any(run.is_imported for run in (*a, *b)) else earlier
    alike = (run for run in known if not run.is_imported and not why_unlike(a, run))
    history = tuple(sorted(alike, key=lambda run: run.started_at))
    before, now, others = runs_of(a, b, history)
    measured = [figures for _, figures in (*before, *now)]
    every = dict.fromkeys(quantity for run in measured for quantity in run)
    common = [quantity for quantity in every if all(quantity in run for run in measured)]
    day = judged_beside(before, now, others, partial(begin, deciding(measured)))
    tables: dict[str, tuple[JudgedFigure, ...]] = {}
    for name, of_table in by_key((quantity.table, quantity) for quantity in common).items():
        if name in DECIDING:
            tables[name] = tuple(one for one in day.figures if one.figure.table == name)
        else:
            hints = partial(begin, dict.fromkeys(of_table, ERROR / len(of_table)))
            tables[name] = judged_beside(before, now, others, hints).figures
    notes = {
        "differences": reasons,
        "remarks": differences(a, b, Use.REMARK),
        "far_off": [*_far_off(a, b, common)] if day.by_runs else [],
        "not_compared": [*_not_compared((*a, *b), list(every), common)],
    }
    return Comparison(a, b, history, day, tables, notes)


def _far_off(a: Side, b: Side, common: Sequence[Quantity]) -> Iterator[str]:
    """Say which runs are drawn in by their value."""
    for value in [one for one in common if one.table == VALUES][:1]:
        logs = [[log(compared_figures(run.result)[value]) for run in side] for side in (a, b)]
        within, _ = fenced(logs)
        for side, before_fence, kept, runs in zip("AB", logs, within, (a, b), strict=True):
            for run, before, after in zip(runs, before_fence, kept, strict=True):
                if before != after:
                    far = change(expm1(before - median(before_fence)))
                    yield f"{run.source}: {value.name} {far} from the median of {side}"


def _not_compared(
    runs: Side, every: Sequence[Quantity], common: Sequence[Quantity]
) -> Iterator[str]:
    """Say which conditions and figures some run does not have, so that nobody misses them."""
    if names := not_given(runs):
        yield f"not known of every run, so not checked to be the same: {', '.join(names)}"
    for table, of_table in by_key((quantity.table, quantity) for quantity in every).items():
        if missing := [quantity.name for quantity in of_table if quantity not in common]:
            named = "; ".join(missing[:_NAMED]) + ("; ..." if missing[_NAMED:] else "")
            yield f"{table}: {len(missing)} of {len(of_table)} are not in every run: {named}"


# --- sides as runs, or as days ---


def start_of(run: Document) -> float | None:
    """Return when a run started, in seconds; None where it is not known.

    That of an imported result is as printed, without a time zone.
    """
    if not isinstance(run.result, ImportedHead):
        return run.started_at.timestamp()
    try:
        printed = datetime.strptime(run.result.imported.date or "", _PRINTED)
    except ValueError:
        return None
    return printed.replace(tzinfo=timezone.utc).timestamp()


def _starts_of(runs: Sequence[Document]) -> list[float]:
    """Return when runs started, in seconds.

    Empty where that of some run is not known, or has no time zone as those of a print, and so no
    order with others.
    """
    mixed = len({run.is_imported for run in runs}) > 1
    known = [start for run in runs if (start := start_of(run)) is not None]
    return [] if mixed or len(known) < len(runs) else known


def runs_of(*sides: Sequence[Document]) -> list[series.Runs]:
    """Return the runs of sides; where times are not known, a session in which none alternated."""
    every = [run for side in sides for run in side]
    starts = _starts_of(every) or [float(place) for place, side in enumerate(sides) for _ in side]
    runs = iter(zip(starts, (compared_figures(run.result) for run in every), strict=True))
    return [[next(runs) for _ in side] for side in sides]


def deciding(
    runs: Sequence[Mapping[Quantity, float]], error: float = ERROR
) -> dict[Quantity, float]:
    """Return the figures that decide, the value first, as all runs have them, and their errors.

    That any is wrongly called slower has the probability `error`, of which the value has OF_VALUE.
    """
    first, *others = runs
    common = [
        one for one in first if one.table in DECIDING and all(one in figures for figures in others)
    ]
    of_other = (1 - series.OF_VALUE) * error / max(len(common) - 1, 1)
    return {one: of_other if place else series.OF_VALUE * error for place, one in enumerate(common)}


def judged_beside(
    a: series.Runs, b: series.Runs, others: series.Runs, begin: Callable[[], series.Standing]
) -> series.JudgedDay:
    """Judge B, as a whole, beside A, by the figures of a standing, which all runs have.

    Where both ran in every session its level cancels out, and runs are compared. All figures share
    an error then, and the whole interval of a loss lies beyond the limit, as runs next to each
    other are more alike than they seem. Else days are compared, and those of `others` show how much
    days differ, too.
    """
    rule, (of_a, of_b) = begin(), sessions_of_sides(a, b)
    errors = rule.errors
    if {*of_a} == {*of_b}:
        before, today = (series.Day(side[0][0], series.logs_of(side, errors)) for side in (a, b))
        in_turn = alternated(*([start for start, _ in side] for side in (a, b)))
        judged = []
        for figure in errors:
            logs = before.logs[figure.name], today.logs[figure.name]
            moved = change_by_runs(*logs, of_a, of_b, assumed=rule.assumed, alternated=in_turn)
            equal = _ERROR_OF_RUNS / len(errors)
            judged.append(judged_figure(figure, moved, equal, rule.limit, beyond=True))
        return series.JudgedDay(today, (before,), tuple(judged), by_runs=True)
    earlier, of_others = (
        series.standing_after(begin(), series.days_of(side, errors)) for side in (a, others)
    )
    return earlier.judged(*series.days_of(b, errors), others=of_others.parts)


def sessions_of_sides(a: series.Runs, b: series.Runs) -> tuple[list[int], list[int]]:
    """Return the session of each run of both sides."""
    numbers = sessions_of([start for start, _ in (*a, *b)])
    return numbers[: len(a)], numbers[len(a) :]
