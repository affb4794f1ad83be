"""A folder that keeps what a machine gave at its acceptance: results, expectations, conditions.

`acceptance.yaml` in it is a file for `beff check --expect` as well; `results` holds the results as
they were measured, so that everything can be recomputed, compared and drawn years later.
"""

import hashlib
import shutil
from collections.abc import Sequence
from datetime import date
from math import exp, expm1, log, log1p
from pathlib import Path
from statistics import median
from typing import Any, NoReturn

import yaml

from beff.definition.subject import by_key, load_sound, load_sound_document, once
from beff.definition.verify import require_verified
from beff.judge.analysis import MOST_APART, require_quiet
from beff.judge.change import MEASURED_FROM, THRESHOLD, change_by_sides, level, sessions_of
from beff.judge.conditions import expected_of
from beff.judge.expectations import Expectations, load_expectations
from beff.judge.runs import Run, run_of, series_of
from beff.result.errors import ResultError, TargetError, WrongUsageError
from beff.result.load import Document
from beff.result.numbers import unit_of
from beff.result.places import is_folder, is_taken, made_whole

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

    def refuse(problem: ResultError) -> NoReturn:
        raise problem

    documents, copies = once(load_sound(results, left_out=refuse))
    _require_valid(documents)
    for document in documents:
        require_quiet(document, min(tolerance or MOST_APART, MOST_APART))
    expected, too_few = expectations(documents, tolerance)
    if not expected:
        raise WrongUsageError(
            f"--as {folder}: no {FEWEST_RUNS} runs under equal conditions show how much runs"
            " differ; say it by --tolerance, such as 10%"
        )
    names = [Path(one.source).name for one in documents]
    if len({*names}) < len(names):
        names = [f"{number}-{name}" for number, name in enumerate(names, start=1)]
    named = dict(zip(names, documents, strict=True))
    content = {
        "system": folder.name,
        "accepted": on,
        "tolerance": tolerance,
        "expectations": expected,
        "results": [_kept(*each) for each in named.items()],
    }
    with made_whole(folder) as being_made:
        (being_made / RESULTS).mkdir(parents=True)
        for name, document in named.items():
            shutil.copyfile(document.source, being_made / RESULTS / name)
        text = yaml.safe_dump(content, sort_keys=False, default_flow_style=None, width=100)
        (being_made / FILE).write_text(text, encoding="utf-8")
    return [*copies, *(f"{sentence}; no figure of it is expected" for sentence in too_few)]


def _require_valid(documents: Sequence[Document]) -> None:
    """Recompute every figure. Raises ResultError for what does not verify or is not valid."""
    for document in documents:
        require_verified(document)
        if not document.result.valid:
            unmet = [one.code for one in document.result.criteria if not one.met]
            raise ResultError(
                f"is not valid ({', '.join(unmet)}); only what is, is accepted", document.source
            )


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
    }


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


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
    for entry in expected.results:
        path = folder / RESULTS / entry.file
        document = load_sound_document(path)
        if _sha256(path) != entry.sha256:
            raise ResultError("is not the file that was accepted; its hash is another", path)
        kept.append(document)
    _require_valid(kept)
    again, _ = expectations(kept, expected.tolerance)
    follows = Expectations.model_validate({"expectations": again})
    if follows.expectations != expected.expectations:
        raise ResultError(
            "is not what the results that were accepted give; get the file back as beff accept has"
            " made it",
            folder / FILE,
        )
    return expected, kept


FEWEST_RUNS = 3
_FIGURES = {
    "b_eff": ("b_eff_MBps", "rings_MBps", "random_MBps", "at_lmax_MBps", "latency_us"),
    "b_eff_io": ("b_eff_io_MBps", "write_MBps", "rewrite_MBps", "read_MBps"),
    "b_pairs": ("bisection_MBps", "host_MBps", "host_both_ways_MBps", "host_messages_per_s"),
}


def expectations(
    documents: Sequence[Document], tolerance: float | None
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return expectations as a file has them, and what was left out and why.

    Of each series the runs since its last step count. Without a tolerance, a share, as many as
    FEWEST_RUNS must show how far one more may lie off; what b_pairs measures of a network is
    expected by a tolerance alone.
    """
    by_source = {document.source: document for document in documents}
    of_maps = [[one] for one in documents if one.benchmark == "b_pairs" and tolerance is not None]
    series = series_of(run_of(one) for one in documents if one.benchmark != "b_pairs")
    of_runs = [
        [by_source[run.source] for run in one.points[begin:] if isinstance(run, Run)]
        for one in series
        for begin in [one.steps[-1].index if one.steps else 0]
    ]
    expected: list[dict[str, Any]] = []
    left_out = []
    for runs in (*of_runs, *of_maps):
        last = runs[-1]
        if tolerance is None and len(runs) < FEWEST_RUNS:
            name = f"{last.benchmark} with {last.result.environment.processes} processes"
            left_out.append(f"{name}: {len(runs)} runs since the last step are too few")
        elif references := _references(runs, tolerance):
            stated = {
                one.expected: one.value_in(last.result) for one in expected_of(last.benchmark)
            }
            usual = (None, "host")  # buffers lie there where nothing is stated
            known = {name: value for name, value in stated.items() if value not in usual}
            expected.append({"benchmark": last.benchmark, **known, "reference": references})
    return expected, left_out


def _references(runs: Sequence[Document], tolerance: float | None) -> dict[str, list[Any]]:
    """Return value and tolerances of each figure that all runs have."""
    sessions = sessions_of([run.started_at.timestamp() for run in runs])
    known = {
        name: values
        for name in _FIGURES[runs[0].benchmark]
        if all(values := [getattr(run.result.summary, name) for run in runs])
    }
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
    days = [level(day) for day in by_key(zip(sessions, logs, strict=True)).values()]
    by = change_by_sides(days if len(days) > MEASURED_FROM else logs, [0.0])
    return by.a, max(by.half_width(1 - 2 * _ERROR / figures), log1p(THRESHOLD))
