"""A folder that keeps what a machine gave at its acceptance: results, expectations, conditions.

`acceptance.yaml` in it is a file for `beff check --expect` as well; `results` holds the results as
they were measured, so that everything can be recomputed, compared and drawn years later.
"""

import hashlib
import shutil
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NoReturn

import yaml

from beff.analysis.check.expectations import Expectations, buffers_of, message_of, unit_of
from beff.analysis.check.expectations_file import load_expectations
from beff.analysis.subject import load_sound, once
from beff.analysis.verify import require_verified
from beff.model.errors import ResultError, TargetError, WrongUsageError
from beff.model.load import Document, load_document
from beff.model.places import is_folder, is_taken
from beff.model.write import made_beside
from beff.store.history import FEWEST_RUNS, expectations
from beff.store.reading_files import read_files

FILE, RESULTS = "acceptance.yaml", "results"


def accept(results: Sequence[Path], folder: Path, tolerance: float | None, on: date) -> list[str]:
    """Make the folder, and return a sentence for each copy of a run and each series too short.

    The tolerance is a share; without, figures may lie as far off as one more run of their series
    would. Every figure is recomputed first, and what is not valid is refused: nothing is made then.
    Maps of pairs are kept with the others. Raises ResultError, WrongUsageError, TargetError and
    BeffError.
    """
    if is_taken(folder):
        raise TargetError(f"--as {folder}: exists; what was accepted is kept, so take another name")
    documents, copies = once(load_sound(results, left_out=_refuse))
    kept = {Path(document.source): document for document in documents}
    for document in documents:
        if document.benchmark == "b_pairs":  # which no reading takes
            require_verified(document)
            if not document.fields["valid"]:
                raise ResultError(f"{document.source}: is not valid; nothing was accepted")
    figures = [file for file, document in kept.items() if document.benchmark != "b_pairs"]
    readings = read_files(figures, recompute=figures)
    for reading in readings:
        if reading.entry is None:
            raise ResultError(f"{reading.path}: {reading.found}; nothing was accepted")
        if reading.entry.status != "valid":
            why = reading.entry.not_met or reading.entry.status
            raise ResultError(f"{reading.path}: is not valid ({why}); nothing was accepted")
    entries = [reading.entry for reading in readings if reading.entry is not None]
    found, too_few = expectations(entries, tolerance)
    if tolerance is not None:
        found += _of_networks(documents, tolerance)
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
    _write(folder, content, named)
    return [*copies, *(f"{sentence}; no figure of it is expected" for sentence in too_few)]


_OF_NETWORKS = ("bisection_MBps", "host_MBps", "host_both_ways_MBps", "host_messages_per_s")
_OF_MATRICES = ("matrix_MBps",)


def _of_networks(documents: Sequence[Document], tolerance: float) -> Iterator[dict[str, Any]]:
    """Yield what results of b_pairs that measured a network, or a matrix, let one expect."""
    for document in documents:
        if document.benchmark != "b_pairs":
            continue
        matrix = document.fields["plan"].get("matrix")
        of_matrix = (
            {} if matrix is None else {"matrix": matrix["digest"], "method": matrix["method"]}
        )
        conditions = (
            ({"message_bytes": message_of(document.fields)}, _OF_NETWORKS),
            (of_matrix, _OF_MATRICES),
        )
        environment = document.fields["environment"]
        memory = buffers_of(document.fields)
        for condition, names in conditions:
            known = {name: document.fields["summary"].get(name) for name in names}
            references = {
                name: [float(f"{value:.6g}"), -tolerance, None, unit_of(name)]
                for name, value in known.items()
                if value is not None
            }
            if references:
                yield {
                    "benchmark": "b_pairs",
                    "definition": document.fields["definition"],
                    "processes": environment["processes"],
                    "nodes": environment["nodes"],
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
    environment, program = document.fields["environment"], document.fields["program"]
    return {
        "file": name,
        "sha256": _sha256(Path(document.source)),
        "program": f"{program['name']} {program['version']} ({program['git_commit']})",
        "mpi": environment["mpi"]["library"],
        "kernel": environment["uname"]["release"],
        "hosts": environment["host_list"],
        "processes": environment["processes"],
    }


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _write(folder: Path, content: dict[str, Any], files: dict[str, Path]) -> None:
    """Make the folder in one step. Raises BeffError."""
    with made_beside(folder) as place:
        being_made = place / "made"
        (being_made / RESULTS).mkdir(parents=True)
        for name, file in files.items():
            shutil.copyfile(file, being_made / RESULTS / name)
        text = yaml.safe_dump(content, sort_keys=False, default_flow_style=None, width=100)
        (being_made / FILE).write_text(text, encoding="utf-8")
        being_made.rename(folder)


def read_acceptance(folder: Path) -> tuple[Expectations, list[Document]]:
    """Read what was accepted. Raises ResultError, also where a result is not the one accepted."""
    if not is_folder(folder):
        raise ResultError(f"--accepted {folder}: is no folder that beff accept has made")
    expected = load_expectations(folder / FILE)
    if expected.accepted is None:
        raise ResultError(f"{folder / FILE}: does not say when it was 'accepted'")
    kept = []
    for one in expected.results:
        path = folder / RESULTS / one.file
        kept.append(load_document(path))
        if _sha256(path) != one.sha256:
            raise ResultError(f"{path}: is not the file that was accepted; its hash is another")
    return expected, kept
