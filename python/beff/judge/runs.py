"""Runs as series need them, and the history of a system: comparable runs in the order of time."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import partial
from pathlib import Path

from beff.definition.subject import grouped, samples_of, value_name
from beff.definition.verify import require_verified
from beff.judge.analysis import others_had, stamps
from beff.judge.benchmarks import ASSUMED_NOISE, Quantity
from beff.judge.conditions import Use, key_of
from beff.judge.earlier import figure_of
from beff.judge.series import ASSUMED, FIGURES, VALUE_OF, Step, steps_of
from beff.result.armour import read_bytes
from beff.result.b_eff_io_result import BEffIoResult
from beff.result.b_eff_result import RULES, BEffResult
from beff.result.bounds import not_yet
from beff.result.errors import ResultError
from beff.result.load import Document, ForeignFileError, LeftOut, files_of, load_document
from beff.result.many import many_at_once
from beff.result.numbers import counted, format_size
from beff.result.plain_figures import PlainFigures, joined


@dataclass(frozen=True)
class Point:
    """A value of plain figures, and when it was measured; it counts, and has no stamps."""

    when: datetime
    value: float
    counts = True
    stamps = ""


@dataclass(frozen=True)
class Run:
    """A measured result of a benchmark that has a value.

    `alike` are the conditions that all runs of a series share, `others` those that may change in
    one, by name and as they are printed. `figures` are those of FIGURES. `samples` is what copies
    of a run have in common, `load` the share of the cores that others had, None of a quiet run.
    Where its call, which has a `folder`, began a series `anew`, none before it counts.
    """

    source: str
    benchmark: str
    title: str
    when: datetime
    alike: Mapping[str, str]
    others: Mapping[str, str]
    figures: Mapping[Quantity, float]
    hosts: str
    status: str
    stamps: str
    load: float | None
    simulated: bool
    has_rmax: bool
    samples: str
    sha256: str = ""
    anew: bool = False
    folder: str = ""

    @property
    def counts(self) -> bool:
        """Whether it is valid, and nothing disturbed it."""
        return self.status == "valid" and self.load is None

    @property
    def value(self) -> float:
        """The value of its benchmark, in MB/s; 0 where there is none."""
        return self.figures.get(VALUE_OF[self.benchmark], 0.0)


def with_samples(document: Document) -> BEffResult | BEffIoResult:
    """Return a result that has a value and its samples. Raises ResultError for another."""
    if isinstance(document.result, BEffResult | BEffIoResult):
        return document.result
    if document.benchmark == "b_pairs":
        raise ForeignFileError("is a map of pairs, which has no value to be kept", document.source)
    raise ResultError(
        "is imported from the print of another program; only results with their samples are kept",
        document.source,
    )


def run_of(document: Document, sha256: str = "") -> Run:
    """Return what series need of a result. Raises ResultError for one that has no place in any."""
    result, benchmark = with_samples(document), document.benchmark
    values = {one: getattr(result.summary, one.field) for one in FIGURES[benchmark]}
    figures = {one: value for one, value in values.items() if value is not None and value > 0}
    status = ("valid" if result.valid else "invalid") if result.complete else "partial"
    return Run(
        source=document.source,
        benchmark=benchmark,
        title=_title(result),
        when=document.started_at.astimezone(timezone.utc),
        alike=key_of(document),
        others=key_of(document, Use.REMARK),
        figures=figures,
        hosts=result.environment.host_list,
        status=status,
        stamps=stamps(document),
        load=others_had(document),
        simulated=result.environment.simulated,
        has_rmax=getattr(result.summary, "rmax_gflops", None) is not None,
        samples=samples_of(document),
        sha256=sha256,
    )


def _title(result: BEffResult | BEffIoResult) -> str:
    """Name the series of a result."""
    environment = result.environment
    procedure = f" ({result.procedure})" if isinstance(result, BEffIoResult) else ""
    more = [format_size(environment.memory_per_process_bytes) + " per process"]
    if isinstance(result, BEffResult) and RULES[result.definition].any_repetitions:
        more.append(counted(result.options["repetitions"], "repetition"))
    if environment.buffers is not None:
        more.append(f"buffers on {environment.buffers.memory}")
    return (
        f"{value_name(result)} {result.definition.rpartition('-')[2]}{procedure},"
        f" {counted(environment.processes, 'process')} on {counted(environment.nodes, 'node')},"
        f" {', '.join(more)}"
    )


@dataclass(frozen=True)
class Series:
    """Values under the same conditions, oldest first, and the steps between those that count."""

    title: str
    figure: Quantity
    points: Sequence[Point | Run]
    steps: tuple[Step, ...]


def plain_histories(files: Iterable[PlainFigures]) -> list[Series]:
    """Return the series of files of plain figures."""
    at = partial(datetime.fromtimestamp, tz=timezone.utc)
    return [
        _series(one.title, figure_of(one), [*map(Point, map(at, one.starts), one.values)], ASSUMED)
        for one in joined(files)
    ]


def series_of(runs: Iterable[Run]) -> list[Series]:
    """Return the series of the runs of one system: measured on a machine, and with a value."""
    groups: dict[tuple[tuple[str, str], ...], list[Run]] = {}
    for run in sorted(runs, key=lambda run: (run.when, run.sha256)):
        if run.value and not run.simulated:
            key = ("benchmark", run.benchmark), *sorted(run.alike.items())
            groups.setdefault(key, []).append(run)
    return [
        _series(last.title, VALUE_OF[last.benchmark], of, ASSUMED_NOISE[last.benchmark])
        for of in (groups[key] for key in sorted(groups))
        for last in of[-1:]
    ]


def _series(title: str, figure: Quantity, points: Sequence[Point | Run], assumed: float) -> Series:
    places = [place for place, point in enumerate(points) if point.counts]
    starts = [points[place].when.timestamp() for place in places]
    steps = steps_of(figure, starts, [points[place].value for place in places], assumed)
    in_place = (replace(step, index=places[step.index]) for step in steps)
    return Series(title, figure, points, tuple(in_place))


LARGEST_BYTES = 32 << 20
"""Of a result file, unpacked."""


def read_runs(paths: Sequence[Path], left_out: LeftOut) -> list[Run]:
    """Read the runs of files and folders, each once. Raises ResultError where one is unreadable.

    Of valid ones every figure is recomputed from the samples; others are no evidence, whatever they
    say. What was never meant to be a run, as a map of pairs, is left out by a ForeignFileError.
    """
    files = dict.fromkeys(file for path in paths for file in files_of(path, left_out))
    read = [*many_at_once(_read_run, [*files], bounded=True)]
    groups = grouped(
        (one for one in read if isinstance(one, Run)),
        lambda run: {run.samples},
        lambda run: run.has_rmax,
    )
    for problem in read:
        if isinstance(problem, ResultError):
            left_out(problem)
    for kept, *copies in groups:
        for copy in copies:
            left_out(ResultError(f"holds the same samples as {kept.source}", copy.source))
    return [group[0] for group in groups]


def _read_run(path: Path) -> Run:
    """Read one result. Raises ResultError."""
    digest = hashlib.sha256(read_bytes(path, LARGEST_BYTES)).hexdigest()
    document = load_document(path)
    if not document.is_imported and (why := not_yet(document.started_at)):
        raise ResultError(f"was {why}", path)
    if document.result.valid:
        require_verified(document)
    return run_of(document, digest)
