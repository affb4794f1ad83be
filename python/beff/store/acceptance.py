"""A folder that keeps what a machine gave at its acceptance: results, expectations, conditions.

`acceptance.yaml` in it is a file for `beff check --expect` as well; `results` holds the results as
they were measured, so that everything can be recomputed, compared and drawn years later.
"""

import hashlib
import math
import shutil
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import zip_longest
from math import exp, expm1, log, log1p
from pathlib import Path
from statistics import median
from typing import Any, NoReturn

import yaml

from beff.definition.verify import require_verified
from beff.judge.change import MEASURED_FROM, THRESHOLD, change_by_sides, level
from beff.judge.conditions import memory_of, message_of
from beff.judge.day_rule import sessions_of
from beff.judge.expectations import (
    Expectations,
    Reference,
    load_expectations,
    read_expectations,
)
from beff.result.b_pairs_result import BPairsResult
from beff.result.errors import ResultError, TargetError, WrongUsageError
from beff.result.load import Document
from beff.result.numbers import unit_of
from beff.result.places import is_folder, is_taken
from beff.result.write import made_whole
from beff.store.entry import Entry, entry_of
from beff.store.trend import series_of
from beff.verify.analysis import MOST_APART, require_quiet
from beff.verify.subject import load_sound, load_sound_document, once, samples_of

FILE, RESULTS = "acceptance.yaml", "results"


def accept(results: Sequence[Path], folder: Path, tolerance: float | None, on: date) -> list[str]:
    """Make the folder, and return a sentence for each copy of a run and each series too short.

    The tolerance is a share; without, figures may lie as far off as one more run of their series
    would. Every figure is recomputed first, and what is not valid is refused: nothing is made then.
    Maps of pairs are kept with the others. Raises DisturbedError for a run that shows no level,
    ResultError, WrongUsageError, TargetError and BeffError.
    """
    if is_taken(folder):
        raise TargetError(f"--as {folder}: exists; what was accepted is kept, so take another name")
    documents, copies = once(load_sound(results, left_out=_refuse))
    for document in documents:
        require_quiet(document, min(tolerance or MOST_APART, MOST_APART))
    kept = {Path(document.source): document for document in documents}
    found, too_few = _expected_of(documents, tolerance)
    if not found:
        raise WrongUsageError(
            f"--as {folder}: no {FEWEST_RUNS} runs under equal conditions show how much runs"
            " differ; say it by --tolerance, such as 10%"
        )
    named = _names(list(kept))
    content = {
        "system": folder.name,
        "accepted": on,
        "expectations": found,
        "results": [_kept(name, kept[file]) for name, file in named.items()],
    }
    with made_whole(folder) as being_made:
        (being_made / RESULTS).mkdir(parents=True)
        for name, file in named.items():
            shutil.copyfile(file, being_made / RESULTS / name)
        text = yaml.safe_dump(content, sort_keys=False, default_flow_style=None, width=100)
        (being_made / FILE).write_text(text, encoding="utf-8")
    return [*copies, *(f"{sentence}; no figure of it is expected" for sentence in too_few)]


def _expected_of(
    documents: Sequence[Document], tolerance: float | None
) -> tuple[list[dict[str, Any]], list[str]]:
    """Recompute every figure; return what it lets one expect, and which series are too short.

    Raises ResultError for what does not verify or is not valid.
    """
    entries = []
    for document in documents:
        require_verified(document)
        if not document.result.valid:
            unmet = [one.code for one in document.result.criteria if not one.met]
            raise ResultError(
                f"is not valid ({', '.join(unmet)}); only what is, is accepted", document.source
            )
        if document.benchmark != "b_pairs":
            entries.append(entry_of(document, ""))
    found, too_few = expectations(entries, tolerance)
    if tolerance is not None:
        found += _of_networks(documents, tolerance)
    return found, too_few


_OF_NETWORKS = ("bisection_MBps", "host_MBps", "host_both_ways_MBps", "host_messages_per_s")


def _of_networks(documents: Sequence[Document], tolerance: float) -> Iterator[dict[str, Any]]:
    """Yield what results of b_pairs that measured a network let one expect."""
    for document in documents:
        result = document.result
        if not isinstance(result, BPairsResult):
            continue
        condition = {"message_bytes": message_of(result)}
        if result.plan.bisection is not None:
            condition["bisection_processes"] = result.plan.bisection.processes
        memory = memory_of(result)
        known = {name: getattr(result.summary, name) for name in _OF_NETWORKS}
        references = {
            name: [float(f"{value:.6g}"), -tolerance, None, unit_of(name)]
            for name, value in known.items()
            if value is not None
        }
        if references:
            yield {
                "benchmark": "b_pairs",
                "definition": result.definition,
                "processes": result.environment.processes,
                "nodes": result.environment.nodes,
                **condition,
                **({} if memory == "host" else {"buffers": memory}),
                "reference": references,
            }


def _refuse(problem: ResultError) -> NoReturn:
    raise problem


def _names(files: Sequence[Path]) -> dict[str, Path]:
    """Return a name for each file: its own, with a number where several have it."""
    found: dict[str, Path] = {}
    for file in files:
        name, number = file.name, 1
        while name in found:
            number += 1
            stem, _, ending = file.name.partition(".")
            name = f"{stem}-{number}.{ending}"
        found[name] = file
    return found


def _kept(name: str, document: Document) -> dict[str, Any]:
    """Return what git shows of a kept result: its content, and where it was measured."""
    environment, program = document.fields["environment"], document.result.program
    return {
        "file": name,
        "sha256": _sha256(Path(document.source)),
        "program": f"{program.name} {program.version} ({program.git_commit})",
        "mpi": environment["mpi"]["library"],
        "kernel": environment["uname"]["release"],
        "hosts": environment["host_list"],
        "processes": environment["processes"],
        "samples": samples_of(document),
    }


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def is_acceptance(path: Path) -> bool:
    """Whether a file is that of an acceptance, with its results beside it. Raises ResultError."""
    return path.name == FILE and is_folder(path.parent / RESULTS)


def read_acceptance(folder: Path) -> tuple[Expectations, list[Document]]:
    """Read what was accepted, and recompute it.

    Raises ResultError, also where a result is not the one accepted, or a figure does not follow.
    """
    if not is_folder(folder):
        raise ResultError(f"--accepted {folder}: is no folder that beff accept has made")
    expected = load_expectations(folder / FILE)
    if expected.accepted is None:
        raise ResultError("does not say when it was 'accepted'", folder / FILE)
    kept = []
    for one in expected.results:
        path = folder / RESULTS / one.file
        document = load_sound_document(path)
        if _sha256(path) != one.sha256:
            raise ResultError("is not the file that was accepted; its hash is another", path)
        one.samples = samples_of(document)
        kept.append(document)
    _require_same(folder / FILE, expected, kept)
    return expected, kept


_SAME = 2e-3
"""Of a figure, as a share; rounding makes a tolerance of 5 % differ by so much."""


def _require_same(path: Path, expected: Expectations, kept: Sequence[Document]) -> None:
    """Refuse a figure that does not follow from the results kept. Raises ResultError."""
    found, _ = _expected_of(kept, _tolerance_of(expected))
    follows = read_expectations(str(path), {"expectations": found})
    for said, right in zip_longest(_named_figures(expected), _named_figures(follows)):
        if said is None or right is None or said[0] != right[0] or not _is_same(said[1], right[1]):
            raise ResultError(
                f"{_shown(said)}, but what was accepted gives {_shown(right)}; get the"
                " file back as beff accept has made it",
                path,
            )


def _tolerance_of(expected: Expectations) -> float | None:
    """Return the --tolerance that was given; None where the runs showed it, with two bounds."""
    figures = [bounds for one in expected.expectations for bounds in one.reference.values()]
    if any(None not in (lower, upper) for _, lower, upper, _ in figures):
        return None
    return max((abs(lower or upper or 0.0) for _, lower, upper, _ in figures), default=None)


_Named = tuple[tuple[str, str], Reference]
"""Conditions and name of a figure, and the figure."""


def _named_figures(expected: Expectations) -> list[_Named]:
    return [
        ((one.model_dump_json(exclude={"reference"}, exclude_defaults=True), name), figure)
        for one in expected.expectations
        for name, figure in one.reference.items()
    ]


def _shown(figure: _Named | None) -> str:
    return "nothing more" if figure is None else f"{figure[0][1]} {list(figure[1])}"


def _is_same(one: Reference, other: Reference) -> bool:
    """Whether values and bounds are."""
    pairs = zip(one[:3], other[:3], strict=True)
    return all(
        mine is theirs
        if mine is None or theirs is None
        else math.isclose(mine, theirs, rel_tol=_SAME)
        for mine, theirs in pairs
    )


FEWEST_RUNS = 3
_B_EFF = ("b_eff_MBps", "rings_MBps", "random_MBps", "at_lmax_MBps", "latency_us")
_FIGURES = {
    "b_eff": dict(zip(_B_EFF, _B_EFF, strict=True)),
    "b_eff_io": {
        "io_value_MBps": "b_eff_io_MBps",
        "io_write_MBps": "write_MBps",
        "io_rewrite_MBps": "rewrite_MBps",
        "io_read_MBps": "read_MBps",
    },
}
"""Benchmark → field of an entry → name of the figure in a summary."""


def expectations(
    entries: Iterable[Entry], tolerance: float | None
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return expectations as a file has them, and what was left out and why.

    Of each series the runs since its last step count. Without a tolerance, a share, as many as
    FEWEST_RUNS must show how far one more may lie off.
    """
    found: list[dict[str, Any]] = []
    left_out = []
    for series in series_of(entry for entry in entries if entry.status == "valid"):
        runs = series.entries[series.steps[-1].index if series.steps else 0 :]
        last = runs[-1]
        own: dict[str, Any] = {"procedure": last.procedure, "time_s": last.io_time_s}
        if last.benchmark == "b_eff":
            own = {"lmax_bytes": last.lmax_bytes}
        name = f"{last.benchmark} with {last.processes} processes"
        if tolerance is None and len(runs) < FEWEST_RUNS:
            left_out.append(f"{name}: {len(runs)} runs since the last step are too few")
            continue
        found.append(
            {
                "benchmark": last.benchmark,
                "definition": last.definition,
                **own,
                "processes": last.processes,
                "nodes": last.nodes,
                **({"buffers": last.buffers} if last.buffers else {}),
                "reference": _references(last.benchmark, runs, tolerance),
            }
        )
    return found, left_out


def _references(
    benchmark: str, runs: Sequence[Entry], tolerance: float | None
) -> dict[str, list[Any]]:
    """Return value and tolerances of each figure that all runs have."""
    sessions = sessions_of([run.measured_at.timestamp() for run in runs])
    columns = {
        name: [float(value) for run in runs if (value := getattr(run, column))]
        for column, name in _FIGURES[benchmark].items()
    }
    known = {name: values for name, values in columns.items() if len(values) == len(runs)}
    references = {}
    for name, values in known.items():
        if tolerance is not None:
            bounds = (None, tolerance) if name == "latency_us" else (-tolerance, None)
            references[name] = [float(f"{median(values):.6g}"), *bounds, unit_of(name)]
            continue
        middle, half = one_more([log(value) for value in values], sessions, len(known))
        value = float(f"{exp(middle):.6g}")
        references[name] = [value, round(expm1(-half), 4), round(expm1(half), 4), unit_of(name)]
    return references


_ERROR = 0.02
"""Probability that any figure of one more run that is as fast lies farther below."""


def one_more(logs: Sequence[float], sessions: Sequence[int], figures: int) -> tuple[float, float]:
    """Return the level of runs, and how far from it one more may lie: at least the threshold.

    Logarithms of one of so many `figures`. Days differ, too: where enough are known, these count.
    """
    days = [
        level([log for log, at in zip(logs, sessions, strict=True) if at == session])
        for session in sorted({*sessions})
    ]
    found = change_by_sides(days if len(days) > MEASURED_FROM else logs, [0.0])
    return found.a, max(found.half_width(1 - 2 * _ERROR / figures), log1p(THRESHOLD))
