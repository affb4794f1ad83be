"""What each system shows in a ranking: its usual runs of each benchmark, how far they differ."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import inf
from operator import attrgetter
from typing import Any

from beff.list.figures import ACCESSES, FIGURES, IO_KEYS, WHOLE, SystemFigure, used_share
from beff.result.b_eff_result import why_alone
from beff.store.entry import Entry
from beff.store.hardware import Hardware
from beff.store.plausibility import is_possible

LEAST_SHARES = {"half": 0.5, "whole": WHOLE, "any": 0.0}
"""Of its machine, what a run of b_eff must have used to count: half, unless a reader asks else."""
HISTORIC = "historic"
NEWEST = 5
"""So many runs at most show what is usual."""
_FIELDS = {figure.key: figure.field for figure in FIGURES}
Figures = tuple[float | None, ...]
_NO_FIGURES: Figures = (None,) * len(FIGURES)
_STATUS = {"invalid": "not valid", "partial": "not complete"}


def why_not(entry: Entry, io_release: str) -> str:
    """Say in few words why a result counts in no ranking of a list; nothing where it may."""
    return _of_no_use(entry) or _of_another_release(entry, io_release)


def _of_no_use(entry: Entry) -> str:
    if entry.simulated:
        return "simulated"
    if entry.buffers:
        return f"buffers on {entry.buffers}"
    if entry.benchmark == "b_eff" and why_alone(entry.definition or "3.5"):
        return f"definition {entry.definition}"
    if entry.random_order:
        return f"random rings of release {entry.random_order}"
    return _STATUS.get(entry.status, "")


def _of_another_release(entry: Entry, io_release: str) -> str:
    """Say so of a run of b_eff_io that has a value, and not the one that the list ranks by."""
    lacks = entry.benchmark == "b_eff_io" and entry.io_value_MBps is not None
    return f"not by release {io_release}" if lacks and _value(entry, io_release) is None else ""


@dataclass(frozen=True)
class Usual:
    """The usual of the runs of a system under the same conditions, and their range.

    `value` is that of its benchmark by which runs of several sizes are chosen.
    `figures`, `low` and `high` (the worst and the best) stand in the order of FIGURES; those of the
    other benchmark are None. `accesses` are write, rewrite and read of that run. `runs` counts all.
    A run that does not count has no figures, and `why` says so in few words; one of b_eff_io has
    those by the release that the list does not rank by.
    """

    entry: Entry
    value: float
    share: float | None
    year: int | None
    runs: int
    figures: Figures
    low: Figures
    high: Figures
    accesses: Figures
    why: str = ""

    @property
    def group(self) -> str:
        """What it can be ranked among: historic, cold or original; nothing for b_eff of today."""
        if self.entry.status == "historic":
            return HISTORIC
        return self.entry.procedure or ""


@dataclass(frozen=True)
class Standing:
    """A system in a ranking: its figures, and the runs that they are of.

    `low` and `high` are its worst and best figure over comparable runs; they equal `figures`
    where there is a single run.
    """

    id: int
    figures: Figures
    low: Figures
    high: Figures
    b_eff: Usual | None
    io: Usual | None

    @property
    def used(self) -> list[Usual]:
        """The runs that its figures are of."""
        return [usual for usual in (self.b_eff, self.io) if usual is not None]

    @property
    def runs(self) -> dict[str, int]:
        """How many runs there are like those of each benchmark; figures as printed have none."""
        return {one.entry.benchmark: one.runs for one in self.used if one.group != HISTORIC}

    def figure(self, key: str) -> float | None:
        """Return the figure of a key."""
        return self.figures[_PLACES[key]]

    def why(self, figure: SystemFigure) -> str:
        """Say why the run that a figure would be of does not count; nothing where none is there."""
        part = {"b_eff": self.b_eff, "b_eff_io": self.io}.get(figure.benchmark or "")
        return part.why if part is not None else ""


_PLACES = {figure.key: place for place, figure in enumerate(FIGURES)}


def usual_runs(hardware: Hardware, entries: Iterable[Entry], io_release: str) -> list[Usual]:
    """Return the usual run of each benchmark and each number of processes and nodes.

    That is the one in the middle by value of the newest five, three or one: an odd number, so that
    equal systems win half each, however many runs they have. Historic figures, procedures of
    b_eff_io, and runs without its value by the list's release are never mixed with others.
    """
    groups: dict[Any, list[Entry]] = {}
    for entry in sorted(entries, key=_age, reverse=True):
        if not _of_no_use(entry) and _order(entry, io_release):
            why = _of_another_release(entry, io_release)
            groups.setdefault((why, _conditions(entry)), []).append(entry)
    return [_usual(hardware, runs, why, io_release) for (why, _), runs in groups.items()]


def set_aside(hardware: Hardware, entries: Iterable[Entry], usual: Iterable[Usual]) -> list[Usual]:
    """Return the newest run of each benchmark and procedure of which none counts, and why."""
    counted = {(one.entry.benchmark, one.entry.procedure) for one in usual if one.group != HISTORIC}
    found: dict[Any, Entry] = {}
    for entry in sorted(entries, key=_age, reverse=True):
        if _of_no_use(entry) and (entry.benchmark, entry.procedure) not in counted:
            found.setdefault((entry.benchmark, entry.procedure), entry)
    return [
        Usual(
            entry,
            *(0.0, _rounded(used_share(entry, hardware)), entry.year, 0),
            *(_NO_FIGURES, _NO_FIGURES, _NO_FIGURES, (None,) * len(ACCESSES)),
            _of_no_use(entry),
        )
        for entry in found.values()
    ]


_conditions: Callable[[Entry], Any] = attrgetter(
    "benchmark", "status", "procedure", "processes", "nodes"
)


def _value(entry: Entry, io_release: str) -> float | None:
    """Return the value by which a list chooses runs."""
    key = "b_eff" if entry.benchmark == "b_eff" else IO_KEYS[io_release]
    value: float | None = getattr(entry, _FIELDS[key])
    return value


def _order(entry: Entry, io_release: str) -> float:
    return _value(entry, io_release) or entry.value_MBps or 0.0


def _age(entry: Entry) -> tuple[float, str]:
    """Return what orders runs by time; historic figures, which have none, come first."""
    return (entry.measured_at.timestamp() if entry.measured_at else -inf, entry.sha256 or "")


def _usual(hardware: Hardware, runs: list[Entry], why: str, io_release: str) -> Usual:
    newest = runs[:NEWEST]
    odd = newest[: len(newest) - (len(newest) + 1) % 2]
    usual = sorted(odd, key=lambda one: _order(one, io_release))[len(odd) // 2]
    rows = [_range(figure, usual, newest, hardware) for figure in FIGURES]
    figures, low, high = zip(*rows, strict=True)
    return Usual(
        usual,
        _value(usual, io_release) or 0.0,
        _rounded(used_share(usual, hardware)),
        max((run.year for run in runs if run.year), default=None),
        len(runs),
        *(figures, low, high),
        tuple(getattr(usual, name) for name in ACCESSES),
        why,
    )


def _range(figure: SystemFigure, usual: Entry, runs: list[Entry], hardware: Hardware) -> Figures:
    """Return a figure of the usual run, and the worst and the best of runs like it."""
    own = figure.benchmark == usual.benchmark
    values = [figure.of(run, hardware) for run in (usual, *runs)] if own else []
    known = sorted(
        (value for value in values if value and is_possible(figure.field, value)),
        reverse=figure.less_is_better,
    )
    return tuple(map(_rounded, (values[0], known[0], known[-1]))) if known else (None, None, None)


def _rounded(value: float | None) -> float | None:
    """Return a figure with six digits, with which the page in the browser ranks, too."""
    return None if value is None else float(f"{value:.6g}")


def standing_of(
    number: int, hardware: Hardware, usual: Iterable[Usual], group: str, used: str = "half"
) -> Standing | None:
    """Return what a system has to show in a group; None where it has nothing.

    `group` is historic or a procedure of b_eff_io, `used` a key of LEAST_SHARES. Of b_eff the
    highest usual run counts among those that used as much of the machine; where its size is
    unknown all did, but for the whole. Of b_eff_io the highest of all counts, since full I/O
    bandwidth may need fewer processes. Where none counts, one that does not stands in its place
    without figures.
    """
    least = LEAST_SHARES[used]
    own = [one for one in usual if one.group == group or (not one.group and group != HISTORIC)]
    b_eff, io = (
        max(some, key=lambda one: (not one.why, one.value), default=None)
        for some in (
            [_if_large(one, least) for one in own if one.entry.benchmark == "b_eff"],
            [one for one in own if one.entry.benchmark == "b_eff_io"],
        )
    )
    if b_eff is None and io is None:
        return None
    parts = {"b_eff": b_eff, "b_eff_io": io}

    def row(name: str) -> Figures:
        """Return the figures of the parts; without a benchmark is what the hardware says."""
        return tuple(
            getattr(parts[figure.benchmark], name, _NO_FIGURES)[place]
            if figure.benchmark
            else hardware.rmax_gflops
            for place, figure in enumerate(FIGURES)
        )

    return Standing(number, row("figures"), row("low"), row("high"), b_eff, io)


def _if_large(usual: Usual, least: float) -> Usual:
    """Return a run of b_eff, without its figures where it used too little of the machine."""
    if usual.why or (least < WHOLE if usual.share is None else usual.share >= least):
        return usual
    why = "size not known" if usual.share is None else "on a part only"
    return replace(usual, figures=_NO_FIGURES, low=_NO_FIGURES, high=_NO_FIGURES, why=why)
