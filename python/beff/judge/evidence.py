"""What runs of two sides are evidence of: more than their scatter, or more than days differ."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain, pairwise
from math import log1p
from typing import TypeVar

from beff.judge.change import (
    MEASURED_FROM,
    THRESHOLD,
    Change,
    Logs,
    change_by_parts,
    change_by_sides,
    confidence_of,
)
from beff.judge.day_rule import KNOWN_FROM, LONGEST_S, alternated, levels, sessions_of
from beff.judge.series import Day, FigureOfDay, Standing, step_places

T = TypeVar("T")


class Basis(str, Enum):
    """What a verdict rests on."""

    DAYS = "days"
    RUNS = "runs"
    ASSUMED = "assumed noise"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Times:
    """When runs of both sides and of a history started, in seconds, each in order of time."""

    a: Sequence[float]
    b: Sequence[float]
    history: Sequence[float] = ()
    are_known: bool = True


@dataclass(frozen=True)
class Evidence:
    """The number of the session of each run of both sides and of a history, in order of time.

    Logarithms of a figure are given in the same order. `alternated` says whether the sides
    alternated in time, None where that is not known. `steps` are the sessions of the history that
    come first after one of its steps. With `between_days` only what exceeds the differences between
    days counts.
    """

    a: tuple[int, ...]
    b: tuple[int, ...]
    history: tuple[int, ...] = ()
    alternated: bool | None = None
    steps: frozenset[int] = frozenset()
    between_days: bool = False

    @property
    def sessions(self) -> int:
        """How many there are."""
        return len({*self.a, *self.b, *self.history})

    @property
    def are_shared(self) -> bool:
        """Whether both sides ran in every session of theirs: then its level cancels out."""
        return set(self.a) == set(self.b)

    @property
    def are_side_by_side(self) -> bool:
        """Whether sides that share a session are not known to have alternated."""
        return bool(set(self.a) & set(self.b)) and not self.alternated

    @property
    def degrees_of_runs(self) -> int:
        """How many independent differences between runs of the same side there are."""
        return len(self.a) + len(self.b) - 2 - self._lost

    @property
    def days_are_known(self) -> bool:
        """Whether there are enough sessions to know how much days differ."""
        parts = [set(self.a), set(self.b), *self._between_steps(sorted(set(self.history)))]
        degrees = sum(len(part) - 1 for part in parts)
        return self.sessions >= KNOWN_FROM and degrees >= MEASURED_FROM

    @property
    def basis(self) -> Basis:
        """What decides; days play no part where both sides ran in many of them."""
        runs = self.degrees_of_runs >= MEASURED_FROM
        enough = not self.between_days or len(set(self.a)) >= KNOWN_FROM
        if runs and self.are_shared and enough:
            return Basis.RUNS
        if self.days_are_known:
            return Basis.DAYS
        if self.between_days:
            return Basis.NOTHING
        return Basis.RUNS if runs else Basis.ASSUMED

    def change(self, a: Logs, b: Logs, history: Logs, assumed: float) -> Change:
        """Return the change as that on which the verdict rests shows it.

        `assumed` is a standard deviation, the least that is believed where the runs show none.
        """
        if self.basis == Basis.DAYS:
            return self.by_days(a, b, history)
        return self.by_runs(a, b, assumed)

    def by_runs(self, a: Logs, b: Logs, assumed: float) -> Change:
        """Return the change beside the scatter of the runs.

        Where both sides ran in every session, runs are compared with their session's level.
        """
        if self._lost:
            of_a, of_b = levels(self.a, a), levels(self.b, b)
            middle = {session: (of_a[session] + of_b[session]) / 2 for session in of_a}
            whole = sum(middle.values()) / len(middle)
            a, b = (
                [value - middle[session] + whole for session, value in zip(at, side, strict=True)]
                for at, side in ((self.a, a), (self.b, b))
            )
        return change_by_sides(
            a, b, assumed=assumed, lost=self._lost, side_by_side=self.are_side_by_side
        )

    def by_days(self, a: Logs, b: Logs, history: Logs) -> Change:
        """Return the change beside the differences between sessions.

        Those of all have as many runs as that of the sides with the fewest, as far as they have
        them: more would make days look more alike than those that are compared.
        """
        fewest = min(chain(Counter(self.a).values(), Counter(self.b).values()))
        *sides, earlier = (
            list(levels(sessions, logs, fewest).values())
            for sessions, logs in ((self.a, a), (self.b, b), (self.history, history))
        )
        return change_by_parts(
            list(levels(self.a, a).values()),
            list(levels(self.b, b).values()),
            [*sides, *self._between_steps(earlier)],
        )

    def _between_steps(self, of_history: Sequence[T]) -> list[Sequence[T]]:
        """Part what the sessions of the history have, in their order, at its steps."""
        sessions = sorted(set(self.history))
        cuts = [place for place, session in enumerate(sessions) if session in self.steps]
        bounds = pairwise([0, *cuts, len(sessions)])
        return [of_history[begin:end] for begin, end in bounds if end > begin]

    @property
    def _lost(self) -> int:
        """Degrees of freedom that go into the levels of sessions."""
        return len(set(self.a)) - 1 if self.are_shared else 0


def evidence_of(times: Times, history: Logs = (), *, between_days: bool = False) -> Evidence:
    """Group runs by sessions; `history` are the values of its runs, which show its steps.

    All of both sides are one session, and no history counts, where times are not known.
    """
    runs = len(times.a), len(times.b)
    if not times.are_known:
        return Evidence((0,) * runs[0], (0,) * runs[1], between_days=between_days)
    numbers = sessions_of([*times.a, *times.b, *times.history])
    of_a, of_b = numbers[: runs[0]], numbers[runs[0] : sum(runs)]
    of_history = numbers[sum(runs) :]
    by_session = levels(of_history, history)
    days = [Day(session, {"": (own,)}) for session, own in by_session.items()]
    places = step_places(days, lambda: Standing((FigureOfDay("", ""),)))
    return Evidence(
        tuple(of_a),
        tuple(of_b),
        tuple(of_history),
        alternated(times.a, times.b),
        frozenset(list(by_session)[place] for place in places),
        between_days,
    )


def one_more(logs: Logs, starts: Sequence[float], figures: int) -> tuple[float, float]:
    """Return the level of runs, and how far from it one more may lie that is as fast.

    Logarithms of runs that started at these times, in seconds and in order; the run is made in a
    session of its own, and with so many `figures` of it one lies farther below in ERROR_RATE of
    cases at most. It may lie as far off as the threshold in any case.
    """
    times = Times(starts, [starts[-1] + 2 * LONGEST_S])
    found = evidence_of(times).change(logs, [0.0], (), 0.0)
    return found.a, max(found.half_width(confidence_of(figures)), log1p(THRESHOLD))
