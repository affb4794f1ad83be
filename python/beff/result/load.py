"""From paths to checked results and journals: the only way in for every command."""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from pydantic import ValidationError

from beff.result.armour import json_object, parse_json, read_text
from beff.result.b_eff_io_result import BEffIoResult
from beff.result.b_eff_result import BEffResult
from beff.result.b_pairs_result import BPairsResult, MapResult
from beff.result.bounds import Count, Name, Record, Row, moment_of
from beff.result.contract import BENCHMARKS, SCHEMA_VERSION, AnyResult, first_violation, model_of
from beff.result.errors import ResultError
from beff.result.places import is_file, is_folder, unreadable
from beff.result.result_parts import ImportedHead, MeasuredHead

Result = TypeVar("Result", BEffResult, BEffIoResult, BPairsResult)
Read = TypeVar("Read")
SUFFIXES = (".json", ".json.gz")
"""Of files of results, as measured or packed."""
LeftOut = Callable[[ResultError], object]
Many = Callable[[Callable[[Path], Any], Sequence[Path]], Iterable[Any]]
"""Does something with each of many files, in order, as `map` does."""


class ForeignFileError(ResultError):
    """A JSON file that was never meant to be a result."""


class JournalError(ResultError):
    """The journal of a run in place of its result."""


class SchemaError(ResultError):
    """A result that does not keep the schema."""


@dataclass(frozen=True, eq=False)
class Document:
    """A result file that keeps the contract.

    `fields` is its JSON object as read, where numbers of a column of `samples` are an array;
    `result` is the same typed. Neither is ever changed, so what follows from a document may be
    kept by it.
    """

    source: str
    fields: dict[str, Any]
    result: AnyResult

    @property
    def benchmark(self) -> str:
        """`b_eff`, `b_eff_io` or `b_pairs`."""
        return self.result.benchmark

    @property
    def is_imported(self) -> bool:
        """Whether another program measured it and `beff import` took its figures over."""
        return isinstance(self.result, ImportedHead)

    @property
    def started_at(self) -> datetime:
        """When the run started, of a measured result."""
        return moment_of(self.fields["environment"]["started_at"])


def check_document(source: str, fields: dict[str, Any]) -> Document:
    """Accept a JSON object as a result. Raises ResultError naming the first place that is wrong."""
    version = fields.get("schema_version")
    if version is None and "benchmark" not in fields:
        raise ForeignFileError("is JSON, but not a result of b_eff, b_eff_io or b_pairs", source)
    if isinstance(version, bool) or version != SCHEMA_VERSION:
        raise ResultError(
            f"has schema_version {version!r}, this version of beff reads"
            f" {SCHEMA_VERSION}; use the version of beff that belongs to the file",
            source,
        )
    wrong = f"benchmark: is none of {', '.join(BENCHMARKS)}"
    if (model := model_of(fields)) is not None:
        try:
            return Document(source, fields, model.model_validate(fields))
        except ValidationError as problem:
            wrong = first_violation(problem)
    raise SchemaError(f"does not keep the schema at {wrong}", source)


def load_document(path: Path) -> Document:
    """Read the result file of any benchmark and check it against the schema. Raises ResultError."""
    text = read_text(path)
    if _JOURNAL.match(text):
        raise JournalError(
            f"is the journal of a run, not its result; `beff show {path} -o NAME.json` makes a"
            " partial result of it",
            path,
        )
    return check_document(str(path), json_object(str(path), text))


_JOURNAL = re.compile(r'\s*\{\s*"journal"\s*:')


def _typed(document: Document, kind: type[Result]) -> Result:
    """Return a result of a kind. Raises ResultError for another one and for an imported one."""
    if isinstance(document.result, kind):
        return document.result
    (benchmark,) = get_args(kind.model_fields["benchmark"].annotation)
    what = "is imported, and what is needed is not printed"
    if document.benchmark != benchmark:
        what = f"is a result of {document.benchmark}, but one of {benchmark} is needed"
    raise ResultError(what, document.source)


as_b_eff = partial(_typed, kind=BEffResult)
as_b_eff_io = partial(_typed, kind=BEffIoResult)
as_b_pairs = partial(_typed, kind=BPairsResult)


def as_map(document: Document) -> MapResult:
    """Return a map of pairs, whoever measured it. Raises ResultError for another result."""
    return document.result if isinstance(document.result, MapResult) else as_b_pairs(document)


def in_silence(_: ResultError) -> None:
    """Leave a file out without a word."""


def files_of(path: Path, left_out: LeftOut = in_silence) -> list[Path]:
    """Return a file itself; of a folder, what may be results in it and in the folders in it.

    Hidden files and folders, and links to folders, are left out, and so are folders in it that
    cannot be read: `left_out` is called with why. Raises ResultError where it cannot itself.
    """
    if not is_folder(path):
        return [path]

    def refuse(problem: OSError) -> None:
        why = unreadable(problem.filename, problem)
        if Path(problem.filename) == path:
            raise why from None
        left_out(why)

    def may_be_read(file: Path) -> bool:
        try:
            return is_file(file)
        except ResultError:  # reading it says why
            return True

    files = []
    for place, folders, names in os.walk(path, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        kept = (name for name in names if name.endswith(SUFFIXES) and not name.startswith("."))
        files += [Path(place) / name for name in sorted(kept)]
    return list(filter(may_be_read, files))


def with_stem_ending(path: Path, ending: str) -> Path:
    """Return the path of a result file with more before .json, or before .json.gz."""
    suffix = next((one for one in SUFFIXES if path.name.endswith(one)), path.suffix)
    return path.with_name(f"{path.name.removesuffix(suffix)}{ending}{suffix}")


def no_result(path: Path, problems: Sequence[ResultError] = ()) -> ResultError:
    """Return what to raise where a folder holds no result, or none that can be used."""
    if problems:
        return ResultError(f"holds no result that can be used ({problems[0]})", path)
    return ResultError("holds no result; results are files in .json or .json.gz", path)


def read_results(
    paths: Iterable[Path],
    load: Callable[[Path], Read],
    *,
    left_out: LeftOut = in_silence,
    many: Many = map,
) -> list[Read]:
    """Return what `load` makes of results in the order given; a folder stands for all in it.

    A file that is named twice counts once. JSON files of a folder that are no results are left out.
    `left_out` is called with why files of a folder cannot be used. Raises ResultError when a file
    that is named is missing, damaged or of another schema version, and when a folder holds no
    result.
    """

    def tried(file: Path) -> Read | ResultError:
        try:
            return load(file)
        except ResultError as problem:
            return problem

    places = [(path, files_of(path, left_out)) for path in paths]
    outcomes: dict[str, Read | ResultError] = {}
    for path, files in places:
        real = [os.path.realpath(file) for file in files]  # which takes links in a circle, too
        new: dict[str, Path] = {}
        for place, file in zip(real, files, strict=True):
            if place not in outcomes:
                new.setdefault(place, file)
        for place, outcome in zip(new, many(tried, list(new.values())), strict=True):
            outcomes[place] = outcome
        every = [outcomes[place] for place in real]
        problems = [problem for problem in every if isinstance(problem, ResultError)]
        meant = [problem for problem in problems if not isinstance(problem, ForeignFileError)]
        if problems and not is_folder(path):
            raise problems[0]
        if len(problems) == len(every):
            raise no_result(path, meant)
        for problem in meant:
            if any(problem is outcomes[place] for place in new):
                left_out(problem)
    return [one for one in outcomes.values() if not isinstance(one, ResultError)]


class _Header(Record):
    journal: Literal[1]
    benchmark: Name
    loops: Count
    result: dict[str, Any]


_KINDS = {
    "b_eff": ("trial", "not_measured", "sample", "notes"),
    "b_eff_io": ("sample", "type", "notes"),
    "b_pairs": ("trial", "round", "retest", "roofs", "alone", "step", "fill"),
}
"""Benchmark → what its lines may hold."""


@dataclass(frozen=True)
class Journal:
    """A whole journal.

    `header` is a result without samples, in which `loops` were planned; `paths` are the folders of
    files that it names. `rows` are what the lines hold, by kind and in their order: what is tried
    (`trial`) and of it what is `not_measured`, each `sample`, the files that b_eff_io closed
    (`type`), what was found out on the way (`notes`); of b_pairs `round`, `retest`, `roofs`, pairs
    `alone`, each `step` of a bisection and each number of processes (`fill`). `end` is what the run
    wrote when it ended normally, None for a run that was killed; `cut_line` says that the last line
    was only partly written.
    """

    benchmark: str
    loops: int
    header: dict[str, Any]
    paths: list[str]
    rows: dict[str, list[Row]]
    end: str | None
    cut_line: bool


def read_journal(path: Path) -> Journal:
    """Read a journal; a last line that was cut in the middle is left out and noted.

    Raises ResultError, with the line, when the file is no journal or is damaged elsewhere. What
    rows hold is checked in the result that is made of them.
    """
    first, *lines = read_text(path).split("\n")
    try:
        head = _Header.model_validate(parse_json(first))
    except ValueError:
        raise ResultError("is not the journal of a benchmark run", path) from None
    benchmark = head.benchmark
    if benchmark not in _KINDS:
        raise ResultError(
            f"journals of {benchmark} are not supported by this version of beff", path
        )
    place = f"{path}: line 1"
    document = check_document(place, head.result)
    result = document.result
    if not isinstance(result, MeasuredHead) or document.benchmark != benchmark:
        raise ResultError(f"holds no result of {benchmark}", place)
    paths = result.environment.filesystem.paths if isinstance(result, BEffIoResult) else []
    rows: dict[str, list[Any]] = {kind: [] for kind in (*_KINDS[benchmark], "end")}
    unfinished = lines.pop() if lines else ""
    for number, line in enumerate(lines, start=2):
        place = f"{path}: line {number}"
        try:
            entry = parse_json(line)
        except ValueError:
            raise ResultError(f"{place} is damaged") from None
        if rows["end"]:
            raise ResultError(f"{place} stands behind the end of the run")
        kinds = {*entry} & {*rows} if isinstance(entry, dict) else ()
        if not kinds:
            raise ResultError(f"{place} is neither a sample nor the end of the run")
        for kind in kinds:
            if not isinstance(entry[kind], str if kind == "end" else dict):
                raise ResultError(f"{place} is damaged")
            rows[kind].append(entry[kind])
    end = next(iter(rows.pop("end")), None)
    return Journal(
        benchmark, head.loops, document.fields, paths, rows, end, cut_line=unfinished != ""
    )
