"""What a reviewer has to know of a list, or of what changed in it: a sentence each."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from beff.list.folder import (
    HARDWARE,
    KNOWN,
    LINK,
    NO_NAME,
    SYSTEMS,
    Objection,
    System,
    read_list,
)
from beff.list.hardware import Hardware, differences, parse_hardware, read_hardware
from beff.list.rows import reasoned
from beff.result.errors import BeffError
from beff.result.places import is_link
from beff.result.plain_text import one_line

_LIMIT_S = 60


def check(folder: Path, since: str | None = None) -> tuple[int, list[Objection]]:
    """Look at a list, or at what changed since a commit beside all of it.

    Returns how many results were looked at, and what was found. Raises BeffError where there is no
    list, or no such commit.
    """
    listed = read_list(folder)
    found = [*listed.refused]
    for path, (other, factor) in listed.copies().items():
        sentence = f"has the measurement of {other}, times {factor:.6g}"
        found.append(Objection(path, sentence, refused=False))
    for system in listed.systems:
        found += _of_system(system)
    paths = {one.path for system in listed.systems for one in system.results}
    if since is not None:
        base = _git(folder, "merge-base", since, "HEAD").decode().strip()  # where they parted
        changed = _changed(folder, base)
        found += _history(folder, base, changed)
        found = [one for one in found if one.path in changed]
        paths &= changed.keys()
    return len(paths), list(dict.fromkeys(found))


def _git(folder: Path, *arguments: str) -> bytes:
    """Return what git says of the repository of a folder. Raises BeffError."""
    command = ["git", "-C", str(folder), *arguments]
    try:
        return subprocess.run(command, capture_output=True, timeout=_LIMIT_S, check=True).stdout
    except FileNotFoundError:
        raise BeffError("git is not installed") from None
    except subprocess.TimeoutExpired:
        raise BeffError(f"git {arguments[0]} takes too long") from None
    except subprocess.CalledProcessError as problem:
        reason = problem.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise BeffError(f"git {arguments[0]}: {reason}") from None


def _changed(folder: Path, base: str) -> dict[str, str]:
    """Return what happened to files since a commit: A added, M modified, D deleted."""
    changes = _git(folder, "diff", "--name-status", "--no-renames", "--relative", "-z", base)
    status = _names(changes)
    new = _names(_git(folder, "ls-files", "--others", "--exclude-standard", "-z"))
    changed = dict(zip(status[1::2], status[::2], strict=False))
    return changed | {path: "A" for path in new if path}


def _names(said: bytes) -> list[str]:
    """Return what git names, as the list shows names of files."""
    return [one_line(os.fsdecode(name)) for name in said.split(b"\0")]


def _of_system(system: System) -> Iterator[Objection]:
    before = None
    for one in sorted(system.results, key=lambda one: str(one.entry.measured_at)):
        if why := reasoned(one.entry):
            yield Objection(one.path, f"does not count: {why}", refused=False)
        for difference in differences(system.hardware, one.machine):
            yield Objection(one.path, f"hardware: {difference}", refused=False)
        cpus = one.machine.cpus
        if before is not None and before != cpus:
            sentence = f"hardware: the CPU is {cpus}, and was {before}"
            yield Objection(one.path, sentence, refused=False)
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
            sentence = f"{word}, and is not a result or system; look at it yourself"
            yield Objection(path, sentence, refused=False)
        elif status == "M" and path.endswith(f"/{HARDWARE}"):
            yield from _hardware_changes(folder, base, path)
        elif status != "A":
            yield Objection(path, f"{word}, and was in the list", refused=False)


def _hardware_changes(folder: Path, base: str, path: str) -> Iterator[Objection]:
    try:
        said = _git(folder, "show", f"{base}:./{path}").decode("utf-8", "replace")
        old, new = parse_hardware(path, said), read_hardware(folder / path)
    except BeffError:
        return  # said of the file itself, or nothing to compare with
    for name in Hardware.model_fields:
        then, now = getattr(old, name), getattr(new, name)
        if then != now:
            words = ("not given" if value is None else value for value in (then, now))
            yield Objection(path, "{} was {}, and is {}".format(name, *words), refused=False)
