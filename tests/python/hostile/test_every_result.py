"""Results of every origin through the commands that read results, in the formats, by turns.

Commands, formats and files are not listed but found, so that a new one is tested, too. An answer is
a report, or one sentence with an exit code; a fault of the command is none.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from support.commands import NO_READERS, PICTURES, READERS, TEXTS, run, written
from support.examples import EXAMPLES, SHORT, short_result
from support.prints import PRINTS
from support.repeated import b_eff_io_runs, b_eff_runs
from support.reports import DATA, ROOT
from support.schema_bounds import at_bounds

from beff.cli.app import PLACES
from beff.cli.common import exit_codes
from beff.report.compare_files import ENDINGS

THOROUGH = "BEFF_FUZZ_CASES" in os.environ
"""Whether `make fuzz` is running, which draws every result in every format."""
CASES = int(os.environ.get("BEFF_FUZZ_CASES", "300")) // 100
"""Results that are generated; `make fuzz` sets it to 100."""
PUBLISHED = ROOT.parent / "shared" / "data"
"""Prints that were published and are no part of the project, for `make fuzz`; not everybody has
them. The results beside them are of an earlier schema."""

SMALL = [*EXAMPLES, DATA / "b_eff_io_stopped.json"]
"""One of each kind."""
# --- the files ---


def _recovered(file: Path, folder: Path) -> list[Path]:
    run("show", file, "--output", folder / "recovered.json", "--overwrite")
    return list(folder.glob("*.json"))


def _unpacked(file: Path, folder: Path) -> list[Path]:
    """The first run of a session."""
    name, kind, _ = file.name.split(".")
    runs = b_eff_runs(name) if kind == "npz" else b_eff_io_runs(name)
    target = folder / f"{name}.json"
    target.write_text(json.dumps(runs[0].fields), encoding="utf-8")
    return [target]


def _imported(file: Path, folder: Path) -> list[Path]:
    run("import", file, "--output", folder / f"{file.stem}.json")
    return list(folder.glob("*.json"))


RESULTS_OF: dict[str, Callable[[Path, Path], list[Path]]] = {
    ".json": lambda file, _: [file],
    ".jsonl": _recovered,
    ".xz": _unpacked,
    ".sum": _imported,
}
"""Ending of a file → how it becomes results."""
NO_RESULTS = {".md", ".py", ".pyc"}


def _stored() -> list[Path]:
    places = (SHORT.parent, DATA, *([PUBLISHED] if THOROUGH else []))
    found = [file for place in places for file in sorted(place.rglob("*")) if file.is_file()]
    found = [file for file in found if file.suffix != ".json" or PUBLISHED not in file.parents]
    left_out = () if THOROUGH else ("b_eff_shared.npz",)  # as b_eff_priority, and takes as long
    return [file for file in found if file.suffix not in NO_RESULTS and file.stem not in left_out]


FILES = [*_stored(), *(Path(f"{name}.sum") for name in PRINTS)]


def results(file: Path, folder: Path) -> list[Path]:
    """What a file holds, as result files; a made-up print is written first."""
    if not file.is_absolute():
        file = folder / file
        file.write_text(PRINTS[file.stem], encoding="utf-8")
    return RESULTS_OF[file.suffix](file, folder)


def test_the_ending_of_every_file_is_known() -> None:
    assert {file.suffix for file in FILES} <= set(RESULTS_OF)
    assert {".json", ".jsonl", ".xz", ".sum"} == set(RESULTS_OF)


def through(readers: Iterable[str], file: Path, folder: Path, endings: list[str]) -> None:
    for name in readers:
        for line in READERS[name](file, folder, endings):
            run(*line)


def test_every_command_is_known() -> None:
    """Whoever adds a command says here how it reads a result, or that it reads none."""
    assert set(READERS).isdisjoint(NO_READERS)
    assert set(READERS) | NO_READERS == set(PLACES)


# --- the tests ---


def formats_for(file: Path) -> list[str]:
    """Two of the texts, and of every second file one of the formats that draw, which take turns."""
    if THOROUGH:
        return [*TEXTS, *PICTURES]
    number = FILES.index(file)
    turn, is_second = divmod(number, 2)
    texts = [TEXTS[(2 * number + one) % len(TEXTS)] for one in (0, 1)]
    return [*texts, *([PICTURES[turn % len(PICTURES)]] if is_second else [])]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_file(file: Path, tmp_path: Path) -> None:
    """Through the command that writes files, and of the others through every second by turns."""
    found = results(file, tmp_path)
    assert found
    endings = formats_for(file)
    others = [name for name in READERS if name != "show"]
    chosen = others if THOROUGH else others[FILES.index(file) % 2 :: 2]
    for result in found:
        through(["show", *chosen], result, tmp_path, endings)
        for ending in set(endings) & set(PICTURES):
            assert (tmp_path / f"report{ending}").stat().st_size > 0


@pytest.fixture
def everything(tmp_path: Path) -> list[Path]:
    """All results that are stored as such, and one of a print."""
    stored = [file for file in FILES if file.suffix == ".json"]
    return [*stored, *results(Path("32_byte.sum"), tmp_path)]


def test_all_files_in_onereport(everything: list[Path], tmp_path: Path) -> None:
    for ending in (*TEXTS, *PICTURES) if THOROUGH else TEXTS:
        target = tmp_path / f"all{ending}"
        code, said = run("show", *everything, "-o", target, "--overwrite")
        assert code == exit_codes.OK, said


def test_all_files_in_one_list(everything: list[Path], tmp_path: Path) -> None:
    folder, site = tmp_path / "list", tmp_path / "site"
    assert run("list", "init", folder)[0] == exit_codes.OK
    run("list", "add", *everything, "--list", folder)
    assert run("list", "build", folder, "--output-dir", site)[0] == exit_codes.OK
    assert (site / "index.html").stat().st_size > 0


@pytest.mark.parametrize("file", SMALL, ids=lambda file: file.stem)
def test_a_diagram_that_is_not_there(file: Path, tmp_path: Path) -> None:
    line = ("show", file, "-o", tmp_path / "figure.svg", "--figure", "no such diagram")
    assert run(*line)[0] == exit_codes.WRONG_USAGE


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_picture_of_a_comparison(ending: str, tmp_path: Path) -> None:
    (printed,) = results(Path("32_byte.sum"), tmp_path)
    for file in (printed, DATA / "b_eff_2p_one_method.json"):
        target = tmp_path / f"changes{ending}"
        line = ("compare", file, file, "--force", "-o", target, "--overwrite")
        assert run(*line)[0] == exit_codes.NOT_VALID
        assert target.stat().st_size > 0


@pytest.mark.parametrize("end", [1, 2])
def test_damaged_files_are_refused(end: int, tmp_path: Path) -> None:
    """One is cut off, one breaks the schema."""
    text = json.dumps(short_result() | {"methods": ["Telepathy, of course"]})
    file = tmp_path / "damaged.json"
    file.write_text(text[: len(text) * end // 2], encoding="utf-8")
    for line in written(file, tmp_path, [*TEXTS, *PICTURES]):
        assert run(*line)[0] == exit_codes.WRONG_USAGE
    through(READERS, file, tmp_path, [])


generated = given(
    fields=at_bounds([json.loads(file.read_text(encoding="utf-8")) for file in SMALL])
)


@settings(max_examples=CASES, suppress_health_check=list(HealthCheck))
@generated
def test_results_at_the_bounds_of_the_schema(
    fields: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("bounds")
    file = folder / "result.json"
    file.write_text(json.dumps(fields), encoding="utf-8")
    through(READERS, file, folder, TEXTS)


@settings(max_examples=max(2, CASES // 2), suppress_health_check=list(HealthCheck))
@generated
def test_pictures_of_results_at_the_bounds(
    fields: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("bounds")
    file = folder / "result.json"
    file.write_text(json.dumps(fields), encoding="utf-8")
    for line in written(file, folder, PICTURES):
        run(*line)
