"""Making a list, putting a result in its place, and what a reviewer of submissions has to know."""

import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import yaml

from beff.judge.limit import copy_factor
from beff.judge.runs import LARGEST_BYTES
from beff.launch.engine import repository
from beff.list.folder import (
    HARDWARE,
    KNOWN,
    LINK,
    NO_NAME,
    RESULTS,
    SETTINGS,
    SYSTEMS,
    Measured,
    Objection,
    System,
    read_list,
    read_measured,
    slug_of,
)
from beff.list.hardware import Hardware, differences, parsed, read_hardware
from beff.list.site import Row, sized, used_share, why_not
from beff.result.armour import read_bytes
from beff.result.b_eff_result import why_alone
from beff.result.errors import BeffError, ResultError, TargetError, WrongUsageError, one_line
from beff.result.numbers import counted
from beff.result.places import is_folder, is_link, is_taken, packed

_NEW = Path(__file__).parent / "new"
_FILES = {"README.md": "README.md", "github.yml": ".github/workflows/list.yml"}


def init(folder: Path, title: str) -> None:
    """Make a list in a folder that is new, empty or a fresh repository. Raises BeffError."""
    quoted = yaml.safe_dump(title, allow_unicode=True, default_style='"', width=1000).strip()
    origin = repository()
    beff = f"beff: {origin}" if origin else "# beff: git+https://forge.example/beff@COMMIT"
    try:
        if not is_folder(folder):
            folder.mkdir(parents=True)
        if any(path.name != ".git" for path in folder.iterdir()):
            raise TargetError(f"{folder}: is not empty; name a new folder")
        for source, target in _FILES.items():
            (folder / target).parent.mkdir(parents=True, exist_ok=True)
            (folder / target).write_bytes((_NEW / source).read_bytes())
        settings = (_NEW / SETTINGS).read_text("utf-8").replace("BEFF", beff, 1)
        (folder / SETTINGS).write_text(settings.replace("TITLE", quoted, 1), "utf-8")
    except OSError as problem:
        raise BeffError(f"{folder}: cannot be written ({problem.strerror})") from None


_HALF = 0.5
"""Of its machine, what a run of b_eff uses at least to count where no reader asks else."""


class NotTakenError(ResultError):
    """A result of a definition of its own kind, or with the samples of another of the list."""


@dataclass(frozen=True)
class Added:
    """Where a result was put, whether it counts, and where its system's hardware differs."""

    path: Path
    new: bool
    place: str
    differences: tuple[str, ...]


def add(folder: Path, result: Path, system: str | None, there: list[Measured]) -> Added:
    """Verify a result and put it into a list, and to those that are there. Raises BeffError.

    Without a name the system's follows from the hosts'. What no list takes raises NotTakenError,
    and what does not verify DisagreementError.
    """
    measured = read_measured(result)
    row, name = measured.row, system or measured.machine.name or ""
    slug, when = slug_of(name), row["measured_at"].replace(":", "")
    file = f"{row['benchmark']}_{row['processes']}p_{when}_{row['sha256'][:8]}.json.gz"
    path = f"{SYSTEMS}/{slug}/{RESULTS}/{file}"
    if row["benchmark"] == "b_eff" and (why := why_alone(row["definition"])):
        raise NotTakenError(f"{why}, and stands in no list", result)
    for other in there:
        if other.path != path and (factor := copy_factor(measured.rates, other.rates)):
            raise NotTakenError(f"is the measurement of {other.path}, times {factor:.6g}", result)
    new = not is_taken(folder / path)
    stated = folder / SYSTEMS / slug / HARDWARE
    try:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        if new:
            (folder / path).write_bytes(packed(read_bytes(result, LARGEST_BYTES)))
            there.append(replace(measured, path=path))
        if not is_taken(stated):
            known = measured.machine.model_copy(update={"name": name}).model_dump(exclude_none=True)
            text = yaml.safe_dump(known, sort_keys=False, allow_unicode=True, width=100)
            stated.write_text(text, "utf-8")
    except OSError as problem:
        raise BeffError(f"{folder / path}: cannot be written ({problem.strerror})") from None
    hardware = read_hardware(stated)
    own = [each for each in there if each.path.startswith(f"{SYSTEMS}/{slug}/")]
    place = _place(row, sized(System(slug, hardware, tuple(own))))
    return Added(folder / path, new, place, tuple(differences(hardware, measured.machine)))


def _place(row: Row, system: Hardware) -> str:
    """Say what a result used, and whether it counts."""
    share = used_share(row["nodes"], row["processes"], system)
    part = "an unknown part" if share is None else f"{100 * min(share, 1):.0f} %"
    size = f"{counted(row['processes'], 'process')} on {counted(row['nodes'], 'node')}"
    why = why_not(row)
    if not why and row["benchmark"] == "b_eff" and share is not None and share < _HALF:
        why = "b_eff counts from half of the machine on"
    counts = f"does not count: {why}" if why else "counts"
    return f"used {size}, {part} of the machine; {counts}"


_LIMIT_S = 60
_oddity = partial(Objection, refused=False)


def check(folder: Path, since: str | None = None) -> tuple[int, list[Objection]]:
    """Look at a list, or at what changed since a commit beside all of it.

    Returns how many results were looked at, and what was found. Raises BeffError where there is no
    list, and WrongUsageError where there is no such commit.
    """
    listed = read_list(folder)
    objections = [*listed.refused]
    for path, (other, factor) in listed.copies().items():
        objections.append(_oddity(path, f"has the measurement of {other}, times {factor:.6g}"))
    for system in listed.systems:
        objections += _of_system(system)
    paths = {one.path for system in listed.systems for one in system.results}
    if since is not None:
        base = _git(folder, "merge-base", since, "HEAD").decode().strip()  # where they parted
        changed = _changed(folder, base)
        objections += _history(folder, base, changed)
        objections = [one for one in objections if one.path in changed]
        paths &= changed.keys()
    return len(paths), list(dict.fromkeys(objections))


def _git(folder: Path, *arguments: str) -> bytes:
    """Return what git says of the repository of a folder. Raises WrongUsageError."""
    command = ["git", "-C", str(folder), *arguments]
    try:
        return subprocess.run(command, capture_output=True, timeout=_LIMIT_S, check=True).stdout
    except FileNotFoundError:
        raise WrongUsageError("git is not installed") from None
    except subprocess.TimeoutExpired:
        raise WrongUsageError(f"git {arguments[0]} takes too long") from None
    except subprocess.CalledProcessError as problem:
        reason = problem.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise WrongUsageError(f"git {arguments[0]}: {reason}") from None


def _changed(folder: Path, base: str) -> dict[str, str]:
    """Return what happened to files since a commit: A added, M modified, D deleted."""
    changes = _git(folder, "diff", "--name-status", "--no-renames", "--relative", "-z", base)
    status = _names(changes)
    new = _names(_git(folder, "ls-files", "--others", "--exclude-standard", "-z"))
    changed = dict(zip(status[1::2], status[::2], strict=False))
    return changed | {path: "A" for path in new if path}


def _names(output: bytes) -> list[str]:
    """Return what git names, as the list shows names of files."""
    return [one_line(os.fsdecode(name)) for name in output.split(b"\0")]


def _of_system(system: System) -> Iterator[Objection]:
    before = None
    for result in sorted(system.results, key=lambda result: str(result.row["measured_at"])):
        if why := why_not(result.row):
            yield _oddity(result.path, f"does not count: {why}")
        for difference in differences(system.hardware, result.machine):
            yield _oddity(result.path, f"hardware: {difference}")
        cpus = result.machine.cpus
        if before is not None and before != cpus:
            yield _oddity(result.path, f"hardware: the CPU is {cpus}, and was {before}")
        before = cpus


def _history(folder: Path, base: str, changed: dict[str, str]) -> Iterator[Objection]:
    """Yield what there is to say of a change itself; new results are judged by what they are."""
    for path, status in changed.items():
        word = {"A": "is new", "D": "is removed"}.get(status, "is changed")
        if status != "D" and is_link(folder / path):
            yield Objection(path, LINK)
        elif not KNOWN.fullmatch(path) and status != "D" and path.startswith(f"{SYSTEMS}/"):
            yield Objection(path, NO_NAME)
        elif not KNOWN.fullmatch(path):
            yield _oddity(path, f"{word}, and is not a result or system; look at it yourself")
        elif status == "M" and path.endswith(f"/{HARDWARE}"):
            yield from _hardware_changes(folder, base, path)
        elif status != "A":
            yield _oddity(path, f"{word}, and was in the list")


def _hardware_changes(folder: Path, base: str, path: str) -> Iterator[Objection]:
    try:
        said = _git(folder, "show", f"{base}:./{path}").decode("utf-8", "replace")
        old, new = parsed(Hardware, path, said), read_hardware(folder / path)
    except BeffError:
        return  # said of the file itself, or nothing to compare with
    for name in Hardware.model_fields:
        then, now = getattr(old, name), getattr(new, name)
        if then != now:
            words = ("not given" if value is None else value for value in (then, now))
            yield _oddity(path, "{} was {}, and is {}".format(name, *words))
