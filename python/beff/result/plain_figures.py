"""Plain figures over time, of any benchmark: what `beff import` makes of a table of them.

The file is no result: no other command takes it, so it is never valid and has no value b_eff.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, model_validator

from beff.result.bounds import LARGEST_FIGURE, HostName, Moment, Name, NotEmpty, moment_of, not_yet
from beff.result.contract import violation_words
from beff.result.errors import ResultError
from beff.result.numbers import counted
from beff.result.plain_text import cleaned
from beff.result.record import Record, require_length
from beff.result.result_files import LeftOut, files_of, in_silence
from beff.result.strict_json import GZIP_SUFFIX, json_object, read_text
from beff.result.write import write_result

ENDING = ".figures.json"
_VERSION = 1
_COLUMNS = ("when", "values", "repetitions")
_HIGHER_UNITS = ("iops", "bps")
_LOWER_UNITS = frozenset({"ns", "us", "µs", "ms", "s", "min", "h"})


def better_of(unit: str) -> Literal["higher", "lower"] | None:
    """Return which figures of a unit are better: lower times, higher rates; None of any other."""
    if unit in _LOWER_UNITS:
        return "lower"
    is_rate = unit.endswith("/s") or unit.lower().endswith(_HIGHER_UNITS)
    return "higher" if is_rate else None


class PlainSeries(Record):
    """A figure, the host or system where one is named, its values, and when each was measured."""

    figure: Name
    host: HostName
    unit: Name
    better: Literal["higher", "lower"]
    when: NotEmpty[Moment]
    values: NotEmpty[Annotated[float, Field(gt=0, le=LARGEST_FIGURE)]]
    repetitions: NotEmpty[Annotated[int, Field(ge=0)]]

    @model_validator(mode="after")
    def _columns_agree(self) -> "PlainSeries":
        for name in ("values", "repetitions"):
            require_length(name, len(getattr(self, name)), "when", len(self.when))
        return self


class PlainFigures(Record):
    """What a file holds; `source` is the name of the table that it was made of."""

    figures_version: Literal[1]
    source: Name
    series: NotEmpty[PlainSeries]


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
        own = [file for file in files if is_figures(file)]
        plain += own
        if not own or len(own) < len(files):
            others.append(path)
    return others, list(dict.fromkeys(plain))


def load_figures(path: Path, left_out: LeftOut = in_silence) -> PlainFigures:
    """Read a file of plain figures, but for those that are not yet: these are left out.

    Raises ResultError naming the first place that is wrong.
    """
    fields = json_object(str(path), read_text(path))
    try:
        found = PlainFigures.model_validate(cleaned(fields))
    except RecursionError:
        raise ResultError("is nested too deeply", path) from None
    except ValidationError as problem:
        first = problem.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ResultError(
            f"holds no plain figures as beff import makes them: {place}: {violation_words(first)}",
            path,
        ) from None
    ahead = [when for one in found.series for when in one.when if not_yet(moment_of(when))]
    if not ahead:
        return found
    left_out(
        ResultError(f"holds {counted(len(ahead), 'figure')} {not_yet(moment_of(ahead[0]))}", path)
    )
    series = (_without(one, {*ahead}) for one in found.series)
    return found.model_copy(update={"series": [one for one in series if one.when]})


def _without(series: PlainSeries, ahead: set[str]) -> PlainSeries:
    kept = [place for place, when in enumerate(series.when) if when not in ahead]
    columns = {name: [getattr(series, name)[place] for place in kept] for name in _COLUMNS}
    return series.model_copy(update=columns)


def write_figures(
    path: Path, source: str, series: Sequence[dict[str, Any]], *, overwrite: bool
) -> None:
    """Write a file of plain figures in one step. Raises BeffError."""
    fields = {"figures_version": _VERSION, "source": source, "series": series}
    write_result(path, fields, overwrite=overwrite)


def joined(files: Iterable[PlainFigures]) -> Iterator[Measured]:
    """Yield the series of all files in order of their names; equal measurements count once."""
    found: dict[tuple[str, str, str, str], dict[tuple[float, int, float], None]] = {}
    for one in (one for file in files for one in file.series):
        key = (one.figure, one.host, one.unit, str(one.better))
        starts = [moment_of(when).timestamp() for when in one.when]
        rows = zip(starts, one.repetitions, one.values, strict=True)
        found.setdefault(key, {}).update(dict.fromkeys(rows))
    for own, measured in sorted(found.items()):
        in_time = sorted(measured)
        yield Measured(*own, [row[0] for row in in_time], [row[2] for row in in_time])
