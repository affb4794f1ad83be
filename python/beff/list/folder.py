"""The folder of a list: systems/NAME/system.yaml, systems/NAME/results/*.json[.gz], list.yaml.

Nothing else is truth. What cannot be used harms its own row only.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from beff.definition.verify import require_verified
from beff.judge.conditions import memory_of
from beff.judge.limit import beyond_its_way, bounds_of, copy_factor, is_possible, rates_of
from beff.judge.runs import LARGEST_BYTES, with_samples
from beff.list.hardware import Hardware, hardware_of, parsed, read_hardware
from beff.result.armour import NAME_LENGTH, TEXT_LENGTH, read_bytes, read_text
from beff.result.b_eff_io_result import BEffIoResult
from beff.result.b_eff_result import BEffResult, why_alone
from beff.result.errors import BeffError, RefusedError, ResultError, WrongUsageError, one_line
from beff.result.load import Document, load_document
from beff.result.many import many_at_once
from beff.result.numbers import counted, duration
from beff.result.places import is_file, is_link
from beff.show.formats import summary_object

FIGURES: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("figures.json").read_text("utf-8")
)
"""What can have a weight: where it is in `beff show --json` or a system.yaml, and what it means.

Runs are chosen by the figure of the name `by`; a figure that is not `shown` has a column in the
page where it has a weight.
"""
_KEYS = {figure["key"] for figure in FIGURES}
Address = Annotated[str, Field(max_length=TEXT_LENGTH, pattern="^https://[^ ]+$")]
Weights = dict[str, Annotated[float, Field(ge=0, le=10)]]
Presets = Annotated[dict[str, Weights], Field(min_length=1, max_length=12)]


class Settings(BaseModel):
    """What a list.yaml may say; weights are by the keys of FIGURES."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    title: Annotated[str, Field(min_length=1, max_length=NAME_LENGTH)] = "b_eff list"
    repository: Address | None = None
    beff: Annotated[str, Field(max_length=TEXT_LENGTH, pattern="^[^ ]+$")] | None = None
    """from where the list's CI installs beff, as pip takes it"""
    published: bool = True
    """whether historic systems are shown"""
    presets: Presets = {"communication": {"b_eff": 1.0}}

    @field_validator("presets")
    @classmethod
    def _known(cls, value: dict[str, Weights]) -> dict[str, Weights]:
        for weights in value.values():
            unknown = sorted(weights.keys() - _KEYS)
            if unknown or not any(weights.values()):
                said = f"knows no '{unknown[0]}'" if unknown else "needs a weight above 0"
                raise ValueError(f"{said}; figures are {', '.join(sorted(_KEYS))}")
        return value


SETTINGS, SYSTEMS, HARDWARE, RESULTS = "list.yaml", "systems", "system.yaml", "results"
_SLUG = "[a-z0-9][a-z0-9-]{0,79}"
_FOLDER = re.compile(rf"{SYSTEMS}/{_SLUG}(/{RESULTS})?")
KNOWN = re.compile(
    rf"{SYSTEMS}/{_SLUG}/({HARDWARE}|{RESULTS}/[A-Za-z0-9][A-Za-z0-9._-]{{0,150}}\.json(\.gz)?)"
)
"""Names of files that a list has; below `systems` there are no others."""
_LONGEST_ROW = 100_000
"""Characters of all that a list shows of a result."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 .,:()/+&'_-]*")
"""Names of systems: letters of other alphabets look like these."""
NO_NAME = "is not the name of a file of a list: systems/NAME/system.yaml, or results/NAME.json[.gz]"
LINK = "is a link; a list holds the files themselves"


class ListError(WrongUsageError):
    """A folder that is no list, or does not hold what was asked for."""


@dataclass(frozen=True)
class Objection:
    """Why a file of a list must not be used, or, where it is not `refused`, needs an answer."""

    path: str
    sentence: str
    refused: bool = True

    def __str__(self) -> str:
        return f"{self.path}: {'refused' if self.refused else 'odd'}: {self.sentence}"


@dataclass(frozen=True)
class Measured:
    """A result: its path in the list, and its `row_of` once every figure followed.

    `rates` are what copies of a measurement have in common, whatever factor lies between them.
    """

    path: str
    row: dict[str, Any]
    machine: Hardware
    rates: tuple[float, ...]

    @property
    def site_path(self) -> str:
        """Its path in the site."""
        _, slug, results, file = self.path.split("/")
        return f"{results}/{slug}/{file}"


@dataclass(frozen=True)
class System:
    """A system with its results by their names; the name of its hardware is never empty."""

    slug: str
    hardware: Hardware
    results: tuple[Measured, ...]


@dataclass(frozen=True)
class ResultList:
    """A whole list, and all that cannot be used of it."""

    settings: Settings
    systems: tuple[System, ...]
    refused: tuple[Objection, ...]

    def copies(self) -> dict[str, tuple[str, float]]:
        """Return the paths of results that are one measurement: another, and times how much."""
        alike: dict[object, list[Measured]] = {}
        for result in (result for system in self.systems for result in system.results):
            kind = (result.row["benchmark"], result.rates[:1], len(result.rates))
            alike.setdefault(kind, []).append(result)
        copies: dict[str, tuple[str, float]] = {}
        for group in alike.values():
            for result, other in combinations(group, 2):
                if factor := copy_factor(result.rates, other.rates):
                    copies.setdefault(other.path, (result.path, 1 / factor))
                    copies.setdefault(result.path, (other.path, factor))
        return copies


def slug_of(name: str) -> str:
    """Return the name of the folder of a system. Raises ListError for a name that is not plain."""
    if _NAME.fullmatch(name) is None or len(name) > NAME_LENGTH:
        raise ListError(
            f"the name '{name}' is not plain; use letters and digits of ASCII, blanks, .,:()/+&'_-"
        )
    return re.sub(r"[^a-z0-9]+", "-", name.lower())[:80].strip("-")


def read_list(folder: Path) -> ResultList:
    """Read a list, and recompute every figure of its results. Raises BeffError."""
    if not is_file(folder / SETTINGS):
        raise ListError(f"is not a list; `beff list init {folder}` makes one", folder)
    for name in (SETTINGS, SYSTEMS):
        if is_link(folder / name):
            raise ResultError(LINK, folder / name)
    path = folder / SETTINGS
    try:
        settings = parsed(Settings, str(path), read_text(path), levels=3)
    except RefusedError as problem:
        raise ListError(problem.reason.removeprefix(f"{path}: "), path) from None
    refused: list[Objection] = []
    paths = list(_files(folder, refused))
    files = [path for path in paths if path.parent.name == RESULTS]
    results: dict[str, list[Measured]] = {path.relative_to(folder).parts[1]: [] for path in paths}
    for path, read in zip(files, many_at_once(read_measured, files, bounded=True), strict=True):
        shown = path.relative_to(folder)
        if isinstance(read, ResultError):
            refused.append(Objection(shown.as_posix(), read.reason))
        else:
            results[shown.parts[1]].append(replace(read, path=shown.as_posix()))
    systems = [_system(folder, slug, own, refused) for slug, own in sorted(results.items())]
    return ResultList(settings, tuple(systems), tuple(refused))


def _files(folder: Path, refused: list[Objection]) -> Iterator[Path]:
    """Yield what has the name of a file of a list, and refuse all else below the systems."""

    def refuse(path: Path | str, why: str) -> None:
        refused.append(Objection(one_line(Path(path).relative_to(folder).as_posix()), why))

    def unreadable(problem: OSError) -> None:
        if not isinstance(problem, FileNotFoundError):  # a new list has no systems
            refuse(problem.filename, f"cannot be read ({problem.strerror})")

    for place, folders, names in os.walk(folder / SYSTEMS, onerror=unreadable):
        inside = Path(place).relative_to(folder).as_posix()
        ours = [name for name in folders if _FOLDER.fullmatch(f"{inside}/{name}")]
        entered = [name for name in ours if not is_link(Path(place, name))]
        for name in sorted({*folders, *names} - {*entered}):
            path = Path(place, name)
            if is_link(path):
                refuse(path, LINK)
            elif name in names and KNOWN.fullmatch(f"{inside}/{name}"):
                yield path
            else:
                refuse(path, NO_NAME)
        folders[:] = sorted(entered)


def read_measured(path: Path) -> Measured:
    """Read a result and recompute its figures. Raises ResultError for one that cannot count."""
    content = read_bytes(path, LARGEST_BYTES)
    document = load_document(path)
    require_verified(document)
    row = row_of(document, hashlib.sha256(content).hexdigest())
    if len(json.dumps(row)) > _LONGEST_ROW:
        raise ResultError(f"holds texts of more than {_LONGEST_ROW} characters", path)
    if beyond := beyond_its_way(document):
        raise ResultError(f"cannot be true: {beyond}", path)
    return Measured(str(path), row, hardware_of(document), rates_of(document))


def row_of(document: Document, sha256: str) -> dict[str, Any]:
    """Return what `beff show --json` prints of a measured result, with what a list adds.

    `processes` are all, `why` says why it alone counts in no ranking. Raises ResultError for a map
    of pairs, an imported result, and a figure beyond any machine.
    """
    result, row, schedule = with_samples(document), summary_object(document), None
    for figure in row["figures"]:
        name, value = figure["name"].partition(".")[0], figure["value"]
        if not is_possible(name, value):
            low, high = bounds_of(name)
            raise ResultError(
                f"{name} is {value:.3g}, beyond any machine (from {low:g} to {high:g})",
                document.source,
            )
    if isinstance(result, BEffIoResult):
        sizes = counted(len(result.partitions), "size")
        schedule = f"{sizes} in {duration(result.schedule.time_s)}"
    row |= {"processes": result.environment.processes, "sha256": sha256}
    return row | {"schedule": schedule, "why": _why_not(result)}


def _why_not(result: BEffResult | BEffIoResult) -> str:
    """Say in few words why a result alone counts in no ranking; nothing where it may."""
    if result.environment.simulated:
        return "simulated"
    if (memory := memory_of(result)) != "host":
        return f"buffers on {memory}"
    if isinstance(result, BEffResult):
        if why_alone(result.definition):
            return f"definition {result.definition}"
        if (order := result.options.get("random_order", "uniform")) != "uniform":
            return f"random rings of release {order}"
    if not result.complete:
        return "not complete"
    return "" if result.valid else "not valid"


def _system(folder: Path, slug: str, results: list[Measured], refused: list[Objection]) -> System:
    path, hardware = f"{SYSTEMS}/{slug}/{HARDWARE}", Hardware(name=slug)
    try:
        stated = hardware if is_link(folder / path) else read_hardware(folder / path)
        if (wanted := slug_of(stated.name or slug)) != slug:
            raise ListError(f"the name '{stated.name}' belongs into the folder {wanted}")
        hardware = stated.model_copy(update={"name": stated.name or slug})
    except BeffError as problem:
        refused.append(Objection(path, problem.reason))
    return System(slug, hardware, tuple(results))
