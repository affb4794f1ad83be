"""Plain figures over time, of any benchmark: what `beff import` makes of a table of them.

The file is no result: no other command takes it, so it is never valid and has no value b_eff.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from beff.result import bounds as t
from beff.result.armour import json_object, read_text
from beff.result.contract import first_violation
from beff.result.errors import ResultError
from beff.result.load import LeftOut, files_of, in_silence
from beff.result.numbers import counted
from beff.result.places import GZIP_SUFFIX, write_result

ENDING = ".figures.json"
_VERSION = 1
_HIGHER_UNITS = ("iops", "bps")
_LOWER_UNITS = frozenset({"ns", "us", "µs", "ms", "s", "min", "h"})


def better_of(unit: str) -> Literal["higher", "lower"] | None:
    """Return which figures of a unit are better: lower times, higher rates; None of any other."""
    if unit in _LOWER_UNITS:
        return "lower"
    is_rate = unit.endswith("/s") or unit.lower().endswith(_HIGHER_UNITS)
    return "higher" if is_rate else None


class PlainRows(t.Columns):
    """Measurements: the figure, the host or system where one is named, when, and the value."""

    figure: t.Column[t.Name]
    host: t.Column[t.HostName]
    unit: t.Column[t.Name]
    better: t.Column[Literal["higher", "lower"]]
    when: t.Column[t.Moment]
    value: t.Column[Annotated[float, Field(gt=0, le=t.LARGEST_FIGURE)]]
    repetition: t.Column[Annotated[int, Field(ge=0)]]


class PlainFigures(t.Record):
    """What a file holds; `source` is the name of the table that it was made of."""

    figures_version: Literal[1]
    source: t.Name
    measured: PlainRows


@dataclass(frozen=True)
class Measured:
    """A series of one or several files, in order of time; `starts` are in seconds."""

    figure: str
    host: str
    unit: str
    better: str
    starts: Sequence[float]
    values: Sequence[float]

    @property
    def key(self) -> tuple[str, ...]:
        """What is equal in all files that it is of."""
        return self.figure, self.host, self.unit, self.better

    @property
    def title(self) -> str:
        """What it is of."""
        return f"{self.figure}, {self.host}" if self.host else self.figure


def is_figures(path: Path) -> bool:
    """Whether a file of this name holds plain figures."""
    return path.name.removesuffix(GZIP_SUFFIX).endswith(ENDING)


def parted(paths: Iterable[Path]) -> tuple[list[Path], list[Path]]:
    """Return those paths that may hold results, and all files of plain figures.

    A folder with nothing but plain figures is none of the former. Raises ResultError.
    """
    others, plain = [], []
    for path in paths:
        files = files_of(path)
        figures = [file for file in files if is_figures(file)]
        plain += figures
        if not figures or len(figures) < len(files):
            others.append(path)
    return others, list(dict.fromkeys(plain))


def load_figures(path: Path, left_out: LeftOut = in_silence) -> PlainFigures:
    """Read a file of plain figures, but for those that are not yet: these are left out.

    Raises ResultError naming the first place that is wrong.
    """
    fields = json_object(str(path), read_text(path))
    try:
        read = PlainFigures.model_validate(fields)
    except ValidationError as problem:
        wrong = f"holds no plain figures as beff import makes them: {first_violation(problem)}"
        raise ResultError(wrong, path) from None
    ahead = [t.not_yet(t.moment_of(when)) for when in read.measured.when]
    if whys := [why for why in ahead if why is not None]:
        left_out(ResultError(f"holds {counted(len(whys), 'figure')} {whys[0]}", path))
    kept = [row for row, why in enumerate(ahead) if why is None]
    return read.model_copy(update={"measured": read.measured.chosen(kept)})


def write_figures(
    path: Path, source: str, measured: dict[str, list[Any]], *, overwrite: bool
) -> None:
    """Write a file of plain figures in one step. Raises BeffError."""
    fields = {"figures_version": _VERSION, "source": source, "measured": measured}
    write_result(path, fields, overwrite=overwrite)


def joined(files: Iterable[PlainFigures]) -> Iterator[Measured]:
    """Yield the series of all files in order of their names; equal measurements count once."""
    series_of: dict[tuple[str, str, str, str], set[tuple[float, int, float]]] = {}
    for row in (row for file in files for row in file.measured.rows()):
        of_series = series_of.setdefault((row.figure, row.host, row.unit, row.better), set())
        of_series.add((t.moment_of(row.when).timestamp(), row.repetition, row.value))
    for series, rows in sorted(series_of.items()):
        in_time = sorted(rows)
        yield Measured(*series, [row[0] for row in in_time], [row[2] for row in in_time])
