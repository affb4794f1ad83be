"""Two sides of runs in, a report out: the figures of all runs, and what they say of each change."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import expm1, log
from statistics import median

from beff.judge.benchmarks import DECIDING, VALUES, Quantity, compared_figures
from beff.judge.change import THRESHOLD, fenced
from beff.judge.conditions import Use, differences, not_given, unusable
from beff.judge.day_rule import ERROR, Word
from beff.judge.series import JudgedDay, JudgedFigure
from beff.judge.sides import (
    Sides,
    alike,
    deciding,
    judged_as,
    kind_of,
    match_sides,
)
from beff.result.load import Document
from beff.result.numbers import change
from beff.verify.analysis import disturbed_text, others_had
from beff.verify.subject import apart, marks_of, once

_NAMED = 5
"""Figures without a counterpart that are named; of more, their number."""


@dataclass(frozen=True)
class CompareSettings:
    """What the user decides.

    `threshold` is the smallest loss that matters, as a share. `assumed_noise` is the standard
    deviation of a figure from run to run, and from day to day, as a share, taken where too few show
    it; None for that of the benchmark. With `force`, results are compared that should not be.
    """

    threshold: float = THRESHOLD
    assumed_noise: float | None = None
    force: bool = False


@dataclass(frozen=True)
class ComparedTable:
    """Figures of one kind; those of a table that decides are part of the verdict."""

    name: str
    rows: tuple[JudgedFigure, ...]

    @property
    def decides(self) -> bool:
        """Whether its rows decide."""
        return self.name in DECIDING


@dataclass(frozen=True)
class Comparison:
    """The comparison of one benchmark with one number of processes.

    `day` is B as a day beside A, with the figures that decide. `differences` are what should have
    been the same and was not, `remarks` what may explain a change, `far_off` which runs lie far off
    the others of their side, `not_compared` what some run lacks.
    """

    sides: Sides
    day: JudgedDay
    tables: tuple[ComparedTable, ...]
    differences: tuple[str, ...]
    remarks: tuple[str, ...]
    far_off: tuple[str, ...]
    not_compared: tuple[str, ...]

    @property
    def name(self) -> str:
        """Benchmark and number of processes."""
        return kind_of(self.sides.a[0])

    @property
    def values(self) -> tuple[JudgedFigure, ...]:
        """The values, without which nothing is decided; none where not all runs measured any."""
        return next((table.rows for table in self.tables if table.name == VALUES), ())

    @property
    def beside_values(self) -> tuple[ComparedTable, ...]:
        """All other tables."""
        return tuple(table for table in self.tables if table.name != VALUES)


@dataclass(frozen=True)
class Report:
    """All comparisons between the two sides.

    `threshold` is a share. `refusals` say what cannot be compared and why, `unpaired` which runs of
    one side have no counterpart, `copies` which runs hold the samples of another, `cautions` what
    is to be said of single runs, `disturbed` by what all runs of a side were: then all is open.
    """

    threshold: float
    comparisons: tuple[Comparison, ...]
    refusals: tuple[str, ...]
    unpaired: tuple[str, ...]
    copies: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    disturbed: tuple[str, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether everything that belongs together was compared by the values that decide."""
        return not self.refusals and all(one.values for one in self.comparisons)

    @property
    def word(self) -> Word:
        """The worst of all comparisons; nothing is decided of what was disturbed."""
        words = {one.day.word or Word.OPEN for one in self.comparisons if one.values}
        if self.disturbed or not words:
            return Word.OPEN
        word = min(words, key=list(Word).index)
        return Word.OPEN if word is not Word.SLOWER and not self.is_whole else word


def compare(
    a: Sequence[Document],
    b: Sequence[Document],
    settings: CompareSettings,
    history: Sequence[Document] = (),
) -> Report:
    """Compare repeated runs with sound structure; each side holds at least one.

    Of the `history` those runs count that were measured in the same way and are on neither side.
    """
    (once_a, copies_a), (once_b, copies_b) = once(a), once(b)
    disturbed, left_out = list[str](), list[str]()
    if not settings.force:
        once_a = _quiet_of(once_a, "A", disturbed, left_out)
        once_b = _quiet_of(once_b, "B", disturbed, left_out)
    earlier, _ = apart(once(history)[0], (*once_a, *once_b))
    matched, unmatched = match_sides(once_a, once_b)
    reasons = [_reasons(sides) for sides in matched]
    known = list(zip(matched, reasons, strict=True))
    refusals = [f"{kind_of(sides.a[0])}: {reason}" for sides, why in known for reason in why]
    return Report(
        threshold=settings.threshold,
        comparisons=tuple(
            _comparison(replace(sides, history=alike(sides, earlier)), settings, tuple(why))
            for sides, why in known
            if settings.force or not why
        ),
        refusals=unmatched if not matched else () if settings.force else tuple(refusals),
        unpaired=unmatched,
        copies=(*copies_a, *copies_b, *_on_both_sides(once_a, once_b)),
        cautions=tuple(left_out),
        disturbed=tuple(disturbed),
    )


def _quiet_of(
    runs: Sequence[Document], side: str, disturbed: list[str], left_out: list[str]
) -> tuple[Document, ...]:
    """Return the runs of a side by which it is judged; note whether all are disturbed, or which."""
    shares = [others_had(run) for run in runs]
    known = [share for share in shares if share is not None]
    if known and len(known) == len(runs):
        disturbed.append(disturbed_text(known, f" of {side}"))
        return tuple(runs)
    pairs = list(zip(runs, shares, strict=True))
    left_out += [
        f"{run.source}: left out, as {disturbed_text([share])}" for run, share in pairs if share
    ]
    return tuple(run for run, share in pairs if share is None)


def _on_both_sides(a: Sequence[Document], b: Sequence[Document]) -> Iterator[str]:
    """Yield one sentence for each run of B that stands in A, too."""
    source_of = {mark: run.source for run in a for mark in marks_of(run)}
    for run in b:
        shared = [mark for mark in marks_of(run) if mark in source_of]
        if shared:
            yield f"{source_of[shared[0]]} of A and {run.source} of B hold the same samples"


def why_not(a: Document, b: Document) -> list[str]:
    """Return why results of one benchmark are not compared without force; else nothing."""
    return _reasons(Sides((a,), (b,)))


def _reasons(sides: Sides) -> list[str]:
    runs = (*sides.a, *sides.b)
    reasons = [*unusable(runs), *differences(sides.a, sides.b, Use.SAME)]
    if not reasons and not any(one.table == VALUES for one in deciding(runs)):
        return ["no value was measured in all runs"]
    return reasons


def _comparison(sides: Sides, settings: CompareSettings, reasons: tuple[str, ...]) -> Comparison:
    runs = (*sides.a, *sides.b)
    measured = [compared_figures(run.result) for run in runs]
    every = dict.fromkeys(quantity for run in measured for quantity in run)
    common = [quantity for quantity in every if all(quantity in run for run in measured)]
    asked = settings.threshold, settings.assumed_noise
    day = sides.judged(deciding(runs), *asked)
    judged = {one.figure.name: one for one in day.figures}
    tables = []
    for name in dict.fromkeys(quantity.table for quantity in common):
        of_table = [quantity for quantity in common if quantity.table == name]
        if name in DECIDING:
            rows = tuple(judged[one.name] for one in of_table if one.name in judged)
        else:
            hints = {one: judged_as(one, ERROR / len(of_table)) for one in of_table}
            rows = sides.judged(hints, *asked).figures
        tables.append(ComparedTable(name, rows))
    return Comparison(
        sides,
        day,
        tuple(tables),
        differences=reasons,
        remarks=tuple(differences(sides.a, sides.b, Use.REMARK)),
        far_off=tuple(_far_off(sides, common)) if day.by_runs else (),
        not_compared=tuple(_not_compared(sides, list(every), common)),
    )


def _far_off(sides: Sides, common: Sequence[Quantity]) -> Iterator[str]:
    """Say which runs are drawn in by their value."""
    for value in [one for one in common if one.table == VALUES][:1]:
        logs = [
            [log(compared_figures(run.result)[value]) for run in side]
            for side in (sides.a, sides.b)
        ]
        for side, own, kept, runs in zip("AB", logs, fenced(logs), (sides.a, sides.b), strict=True):
            for run, before, after in zip(runs, own, kept, strict=True):
                if before != after:
                    far = change(expm1(before - median(own)))
                    yield f"{run.source}: {value.name} {far} from the median of {side}"


def _not_compared(
    sides: Sides, every: Sequence[Quantity], common: Sequence[Quantity]
) -> Iterator[str]:
    """Say which conditions and figures some run does not have, so that nobody misses them."""
    names = not_given((*sides.a, *sides.b))
    if names:
        yield f"not known of every run, so not checked to be the same: {', '.join(names)}"
    for table in dict.fromkeys(quantity.table for quantity in every):
        of_table = [quantity for quantity in every if quantity.table == table]
        missing = [quantity.name for quantity in of_table if quantity not in common]
        if missing:
            named = "; ".join(missing[:_NAMED]) + ("; ..." if missing[_NAMED:] else "")
            yield f"{table}: {len(missing)} of {len(of_table)} are not in every run: {named}"
