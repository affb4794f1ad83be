"""The folder of a list: systems/NAME/system.yaml, systems/NAME/results/*.json[.gz], list.yaml.

    list.yaml                  title, default weights, presets: `Settings`
    systems/NAME/system.yaml   hardware, as people state it
    systems/NAME/results/      results as measured, whole or packed by gzip
    systems/NAME/published.json   figures of papers, whose samples are not kept
    editions/2026-11.yaml      the SHA-256 of the results of an edition

Nothing else is truth. What cannot be read harms its own row only.
"""

import os
import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    field_validator,
)

from beff.list.editions import hashes_of
from beff.list.figures import DEFAULT_WEIGHTS, FIGURES, LARGEST_WEIGHT
from beff.list.standings import Usual, set_aside, usual_runs
from beff.result.contract import violation_words
from beff.result.errors import BeffError, RefusedError, ResultError, WrongUsageError
from beff.result.places import is_file, is_folder, is_link
from beff.result.plain_text import NAME_LENGTH, TEXT_LENGTH, one_line
from beff.result.plain_yaml import plain_yaml
from beff.result.strict_json import read_bytes, read_text
from beff.store.entry import COLUMNS, Entry
from beff.store.hardware import Hardware, read_hardware
from beff.store.plausibility import is_possible
from beff.store.reading_files import Reading, read_files

Weights = dict[str, Annotated[float, Field(ge=0, le=LARGEST_WEIGHT)]]
_KEYS = {figure.key for figure in FIGURES}


_TEXT = BeforeValidator(lambda value: str(value) if type(value) in (int, float) else value)
"""The text of a release, which YAML takes for a number."""


class Settings(BaseModel):
    """What a list.yaml may say; weights are by the keys of the criteria.

    `io_release` is that of b_eff_io by which the list ranks: of it is the weight `io`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    title: Annotated[str, Field(min_length=1, max_length=NAME_LENGTH)] = "b_eff list"
    repository: Annotated[str, Field(max_length=TEXT_LENGTH, pattern="^https://[^ ]+$")] | None = (
        None
    )
    beff: Annotated[str, Field(max_length=TEXT_LENGTH, pattern="^[^ ]+$")] | None = Field(
        default=None, description="from where the list's CI installs beff, as pip takes it"
    )
    io_release: Annotated[Literal["1", "2.1"], _TEXT] = "1"
    weights: Weights = DEFAULT_WEIGHTS
    presets: Annotated[dict[str, Weights], Field(min_length=1, max_length=12)] = {
        "communication": {"b_eff": 1.0},
        "I/O": {"io": 1.0},
        "balance": {"balance": 1.0},
        "latency": {"latency": 1.0},
    }

    @field_validator("weights", "presets")
    @classmethod
    def _criteria(cls, value: dict[str, Any]) -> dict[str, Any]:
        for weights in [one for one in value.values() if isinstance(one, dict)] or [value]:
            unknown = sorted(set(weights) - _KEYS)
            if unknown or not any(weights.values()):
                known = ", ".join(sorted(_KEYS))
                said = f"knows no '{unknown[0]}'" if unknown else "needs a weight above 0"
                raise ValueError(f"{said}; criteria are {known}")
        return value


def read_settings(path: Path) -> Settings:
    """Read a list.yaml. Raises BeffError naming the field that is wrong."""
    try:
        return Settings.model_validate(plain_yaml(str(path), read_text(path), levels=3))
    except RefusedError as problem:
        raise ListError(problem.reason, path) from None
    except ValidationError as problem:
        first = problem.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ListError(f"{place} {violation_words(first)}", path) from None


SETTINGS, SYSTEMS, HARDWARE, RESULTS, PUBLISHED, EDITIONS = (
    *("list.yaml", "systems", "system.yaml", "results", "published.json", "editions"),
)
SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")
"""Names of folders of systems; they stand in addresses."""
FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,150}\.json(\.gz)?")
KNOWN = re.compile(
    rf"{SYSTEMS}/{SLUG.pattern}/({HARDWARE}|{PUBLISHED}|{RESULTS}/{FILE_NAME.pattern})", re.ASCII
)
"""Names of files that a list has; below `systems` there are no others."""
NO_NAME = "is not the name of a file of a list: systems/NAME/system.yaml, or results/NAME.json[.gz]"
_ENTRIES = TypeAdapter(list[Entry])
_LARGEST_PUBLISHED = 1 << 20


class ListError(WrongUsageError):
    """A folder that is no list, or does not hold what was asked for."""


@dataclass(frozen=True)
class Broken:
    """A file or folder of a list that cannot be used, and why; the path is that in the list."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


@dataclass(frozen=True)
class ListedSystem:
    """A system with its results and figures; `hardware.name` is never empty.

    `sized` is the hardware with the size of the largest run where nobody stated it. `usual` has
    runs that are shown though they do not count, too. `io_release` is that of the list.
    """

    slug: str
    io_release: str
    hardware: Hardware
    sized: Hardware
    entries: tuple[Entry, ...]
    usual: tuple[Usual, ...]
    broken: tuple[Broken, ...]

    @property
    def name(self) -> str:
        """The name for people."""
        return self.hardware.name or self.slug


@dataclass(frozen=True)
class ResultList:
    """A whole list; `broken` has what belongs to no system, `editions` SHA-256 by name."""

    settings: Settings
    systems: tuple[ListedSystem, ...]
    broken: tuple[Broken, ...]
    editions: dict[str, frozenset[str]]

    def hashes(self) -> set[str]:
        """Return the SHA-256 of all results as measured."""
        return {one.sha256 for system in self.systems for one in system.entries if one.sha256}

    def of(self, hashes: Container[str]) -> "ResultList":
        """Return the list with these results, and the published figures, alone."""
        systems = tuple(
            _listed(
                system.slug,
                system.io_release,
                system.hardware,
                [one for one in system.entries if not one.sha256 or one.sha256 in hashes],
                (),
            )
            for system in self.systems
        )
        return ResultList(self.settings, systems, (), {})

    def all_broken(self) -> list[Broken]:
        """Return all that cannot be used."""
        return [*self.broken, *(one for system in self.systems for one in system.broken)]


def slug_of(name: str) -> str:
    """Return the name of the folder of a system. Raises ListError for a name without letters."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:80].strip("-")
    if not slug:
        raise ListError(f"'{name}': the name of a system needs a letter or digit of ASCII")
    return slug


def require_list(folder: Path) -> None:
    """Raise ListError unless a folder is a list."""
    if not is_file(folder / SETTINGS) or not is_folder(folder / SYSTEMS):
        raise ListError(f"is not a list; `beff list init {folder}` makes one", folder)


def read_list(folder: Path, recompute: Callable[[str], bool] = lambda _: False) -> ResultList:
    """Read a list. Raises BeffError.

    The figures of results whose paths in the list `recompute` wants are recomputed.
    """
    require_list(folder)
    for name in (SETTINGS, SYSTEMS):
        _require_no_link(folder / name)
    settings = read_settings(folder / SETTINGS)
    broken, slugs = [], []
    for path in _inside(folder / SYSTEMS):
        shown = _inside_list(folder, path)
        if is_link(path) or not is_folder(path):
            broken.append(Broken(shown, "is not the folder of a system"))
        elif SLUG.fullmatch(path.name) is None:
            reason = "cannot be the name of a system's folder"
            broken.append(Broken(shown, f"{reason}: use small letters, digits and hyphens"))
        else:
            slugs.append(path.name)
    files = {slug: result_files(folder, slug) for slug in slugs}
    paths = [path for some in files.values() for path in some]
    wanted = {path for path in paths if recompute(_inside_list(folder, path))}
    readings = iter(read_files(paths, wanted))
    systems = tuple(
        _system(folder, slug, settings.io_release, [next(readings) for _ in files[slug]])
        for slug in slugs
    )
    listed = ResultList(settings, systems, (), {})
    found = _editions(folder, listed.hashes(), broken)
    return ResultList(settings, systems, tuple(broken), found)


def _editions(folder: Path, there: set[str], broken: list[Broken]) -> dict[str, frozenset[str]]:
    found = {}
    for path in _inside(folder / EDITIONS):
        try:
            _require_no_link(path)
            found[path.stem] = hashes_of(path)
        except ResultError as problem:
            broken.append(_broken(folder, path, problem))
            continue
        gone = len(found[path.stem] - there)
        if gone:
            reason = f"names {gone} result{'s' if gone > 1 else ''} that the list does not have"
            broken.append(Broken(_inside_list(folder, path), reason))
    return found


def result_files(folder: Path, slug: str) -> list[Path]:
    """Return the files of results of a system."""
    inside = _inside(folder / SYSTEMS / slug / RESULTS)
    return [path for path in inside if FILE_NAME.fullmatch(path.name)]


def _inside(folder: Path) -> list[Path]:
    try:
        return [] if is_link(folder) else sorted(folder.iterdir())
    except (OSError, ResultError):
        return []


def _strange(folder: Path, place: Path) -> list[Broken]:
    """Return what lies in the folder of a system and has none of the names that a list knows."""
    found = []
    for path in (*_inside(place), *_inside(place / RESULTS)):
        shown = _inside_list(folder, path)
        if path.name == RESULTS and path.parent == place:
            if is_link(path) or not is_folder(path):
                found.append(Broken(shown, "is not a folder of results"))
        elif KNOWN.fullmatch(shown) is None:
            found.append(Broken(shown, NO_NAME))
    return found


def _require_no_link(path: Path) -> None:
    """Refuse a link, which could bring a file of elsewhere into the list. Raises ResultError."""
    if is_link(path):
        raise ResultError("is a link; a list holds the files themselves", path)


def read_system(folder: Path, slug: str) -> ListedSystem:
    """Read one system of a list."""
    release = read_settings(folder / SETTINGS).io_release
    return _system(folder, slug, release, read_files(result_files(folder, slug), set()))


def _system(folder: Path, slug: str, io_release: str, readings: Sequence[Reading]) -> ListedSystem:
    place = folder / SYSTEMS / slug
    broken = _strange(folder, place)
    hardware = Hardware()
    try:
        _require_no_link(place / HARDWARE)
        hardware = read_hardware(place / HARDWARE)
    except BeffError as problem:
        broken.append(_broken(folder, place / HARDWARE, problem))
    entries: list[Entry] = []
    for reading in readings:
        entry = reading.entry
        if entry is None:
            broken.append(Broken(_inside_list(folder, reading.path), str(reading.found)))
        else:
            entries.append(entry)
    if os.path.lexists(place / PUBLISHED):
        try:
            _require_no_link(place / PUBLISHED)
            entries += read_published(place / PUBLISHED)
        except ResultError as problem:
            broken.append(_broken(folder, place / PUBLISHED, problem))
    named = hardware.model_copy(update={"name": hardware.name or slug})
    return _listed(slug, io_release, named, entries, tuple(broken))


def _listed(
    slug: str,
    io_release: str,
    named: Hardware,
    entries: Sequence[Entry],
    broken: tuple[Broken, ...],
) -> ListedSystem:
    learned = {}
    for name in ("nodes", "cores"):
        sizes = [getattr(entry.machine, name, None) for entry in entries]
        if getattr(named, name) is None:
            learned[name] = max(filter(None, sizes), default=None)
    sized = named.model_copy(update=learned)
    usual = usual_runs(sized, entries, io_release)
    shown = (*usual, *set_aside(sized, entries, usual))
    return ListedSystem(slug, io_release, named, sized, tuple(entries), shown, broken)


def read_published(path: Path) -> list[Entry]:
    """Read figures of papers. Raises ResultError."""
    try:
        entries = _ENTRIES.validate_json(read_bytes(path, _LARGEST_PUBLISHED))
    except ValidationError:
        entries = []
    is_published = all(
        entry.status == "historic"
        and not (entry.file or entry.simulated)
        and all(is_possible(name, getattr(entry, name)) for name in COLUMNS)
        for entry in entries
    )
    if not entries or not is_published:
        raise ResultError("is not a list of published figures as `beff list init` makes it", path)
    return entries


def published_text(entries: list[Entry]) -> str:
    """Return the content of a file of published figures."""
    text = _ENTRIES.dump_json(entries, indent=1, exclude_none=True, exclude_defaults=True)
    return f"{text.decode()}\n"


def _inside_list(folder: Path, path: Path) -> str:
    return one_line(path.relative_to(folder).as_posix())


def _broken(folder: Path, path: Path, problem: BeffError) -> Broken:
    return Broken(_inside_list(folder, path), problem.reason)
