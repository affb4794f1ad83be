"""What a reviewer has to know of a list, or of what changed in it: a sentence each."""

import os
import unicodedata
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import Literal

from confusable_homoglyphs import confusables

from beff.list.add import differences
from beff.list.editions import git
from beff.list.folder import (
    HARDWARE,
    KNOWN,
    NO_NAME,
    PUBLISHED,
    RESULTS,
    SYSTEMS,
    ListedSystem,
    ResultList,
    read_list,
    require_list,
)
from beff.list.pages import reasoned_status
from beff.list.standings import why_not
from beff.result.errors import BeffError
from beff.result.places import is_link
from beff.result.plain_text import one_line
from beff.store.entry import Entry
from beff.store.hardware import Hardware, parse_hardware, read_hardware
from beff.store.plausibility import copy_factor

_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("nn", "m"))
"""Letters that look like one other when they stand close."""
_INVISIBLE = "\u115f\u1160\u3164\uffa0"
"""Letters that fill a place with nothing."""


def spelled_out(name: str) -> str:
    """Return a name with every character beyond ASCII as its code."""
    return "".join(letter if letter.isascii() else f"[U+{ord(letter):04X}]" for letter in name)


def shape_of(name: str) -> str:
    """Return what a name looks like: case, spaces, marks and like letters make no difference.

    It is empty where no letter or digit can be seen.
    """
    shape = "".join(map(_like, unicodedata.normalize("NFKC", name)))
    for pair, one in _PAIRS:
        shape = shape.replace("".join(map(_like, pair)), _like(one))
    return shape


@cache
def _like(letter: str) -> str:
    """Return what stands for all that looks like a letter or digit; empty for anything else."""
    first = _classes().get(letter, letter)
    if first.isascii():
        return first if first.isalnum() else ""
    plain = unicodedata.normalize("NFKD", letter).casefold()
    if plain != letter:
        return "".join(map(_like, plain))
    return first if unicodedata.category(letter)[0] in "LN" and letter not in _INVISIBLE else ""


@cache
def _classes() -> dict[str, str]:
    """Return of each character the first of all that look alike; large letters of ASCII as small.

    Other scripts are not folded here: Greek eta looks like n, and its capital like H.
    """
    pairs = list(zip(ascii_lowercase, ascii_uppercase, strict=True))
    for letter, others in confusables.confusables_data.items():
        pairs += [(letter, one["c"]) for one in others if len(letter) == len(one["c"]) == 1]
    members = {letter: {letter} for pair in pairs for letter in pair}
    for one, other in pairs:
        if members[one] is not members[other]:
            members[one] |= members[other]
            members.update(dict.fromkeys(members[other], members[one]))
    return {letter: min(alike) for letter, alike in members.items()}


_MUCH = 1_000_000
"""Bytes of a result file from which on it should be packed; a repository keeps it for ever."""
_MOST_SHOWN = 100
"""Objections in a comment, of which forges take only so many characters."""


@dataclass(frozen=True)
class Objection:
    """Something about a file of a list: `refused` must not come in, `odd` needs an answer."""

    kind: Literal["refused", "odd"]
    path: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.path}: {self.kind}: {self.sentence}"


@dataclass(frozen=True)
class Objections:
    """How many results were looked at, and what was found."""

    results: int
    objections: list[Objection]


def check(folder: Path, since: str | None = None) -> Objections:
    """Recompute all results, or those that changed since a commit, and look at them beside all.

    Raises BeffError where there is no list, or no such commit.
    """
    require_list(folder)
    base = since and git(folder, "merge-base", since, "HEAD").decode().strip()  # where they parted
    changed = None if base is None else _changed(folder, base)
    listed = read_list(folder, lambda path: changed is None or path in changed)
    objections = [Objection("refused", one.path, one.reason) for one in listed.all_broken()]
    for system in listed.systems:
        objections += _of_system(folder, system)
    objections += [*_copies(listed, changed), *_look_alikes(listed)]
    if base is not None and changed is not None:
        objections += [*_history(folder, base, changed)]
        objections = [one for one in objections if one.path in changed]
    looked_at = sum(
        changed is None or path in changed
        for system in listed.systems
        for path, _ in _measured(system)
    )
    return Objections(looked_at, list(dict.fromkeys(objections)))


def _changed(folder: Path, base: str) -> dict[str, str]:
    """Return what happened to files since a commit: A added, M modified, D deleted."""
    changes = git(folder, "diff", "--name-status", "--no-renames", "--relative", "-z", base)
    status = _names(changes)
    changed = dict(zip(status[1::2], status[::2], strict=False))
    new = _names(git(folder, "ls-files", "--others", "--exclude-standard", "-z"))
    return changed | {path: "A" for path in new if path}


def _names(said: bytes) -> list[str]:
    """Return what git names, as the list shows names of files."""
    return [one_line(os.fsdecode(name)) for name in said.split(b"\0")]


def _measured(system: ListedSystem) -> Iterator[tuple[str, Entry]]:
    for entry in system.entries:
        if entry.file:
            yield f"{SYSTEMS}/{system.slug}/{RESULTS}/{entry.file}", entry


def _of_system(folder: Path, system: ListedSystem) -> Iterator[Objection]:
    before: Entry | None = None
    for path, entry in sorted(_measured(system), key=lambda one: str(one[1].measured_at)):
        yield from (Objection("odd", path, sentence) for sentence in entry.oddities)
        size = (folder / path).stat().st_size
        if size > _MUCH:
            yield Objection("odd", path, f"takes {size / 1e6:.1f} MB; `gzip -n` makes it smaller")
        if why_not(entry, system.io_release):
            yield Objection("odd", path, f"is {reasoned_status(entry, system.io_release)}")
        if entry.machine is not None:
            more = differences(system.hardware, entry.machine)
            yield from (Objection("odd", path, f"hardware: {one}") for one in more)
            if before is not None and before.machine is not None:
                then, now = before.machine.cpus, entry.machine.cpus
                if then != now:
                    yield Objection("odd", path, f"hardware: the CPU is {now}, and was {then}")
        before = entry


def _copies(listed: ResultList, changed: Container[str] | None) -> Iterator[Objection]:
    """Compare results that changed with all, each with those of as many samples."""
    alike: dict[tuple[str, float, int], list[tuple[str, Entry]]] = {}
    for path, entry in (one for system in listed.systems for one in _measured(system)):
        if entry.rates:
            kind = (entry.benchmark, entry.rates[0], len(entry.rates))
            alike.setdefault(kind, []).append((path, entry))
    for group in alike.values():
        for path, entry in group:
            if changed is None or path in changed:
                yield from _copies_of(path, entry, group)


def _copies_of(path: str, entry: Entry, group: list[tuple[str, Entry]]) -> Iterator[Objection]:
    factors = {other: copy_factor(entry.rates, one.rates) for other, one in group if other != path}
    found = sorted((other, factor) for other, factor in factors.items() if factor is not None)
    if found:
        (other, factor), more = found[0], len(found) - 1
        others = f", and that of {more} more" if more else ""
        yield Objection("odd", path, f"has the measurement of {other}, times {factor:.6g}{others}")


def _look_alikes(listed: ResultList) -> Iterator[Objection]:
    shapes: dict[str, list[ListedSystem]] = {}
    for system in listed.systems:
        path, shape = f"{SYSTEMS}/{system.slug}/{HARDWARE}", shape_of(system.name)
        if not shape:
            yield Objection("refused", path, "the name has no visible letter or digit")
        for other in shapes.setdefault(shape, []):
            pairs = ((system, other), (other, system))
            for one, two in pairs:
                yield Objection(
                    "odd",
                    f"{SYSTEMS}/{one.slug}/{HARDWARE}",
                    f"the name '{one.name}' looks like '{two.name}': {spelled_out(one.name)} beside"
                    f" {spelled_out(two.name)}",
                )
        shapes[shape].append(system)


def _history(folder: Path, base: str, changed: dict[str, str]) -> Iterator[Objection]:
    for path, status in changed.items():
        word = {"A": "is new", "D": "is removed"}.get(status, "is changed")
        if KNOWN.fullmatch(path) is None and path.startswith(f"{SYSTEMS}/") and status != "D":
            yield Objection("refused", path, NO_NAME)
        elif status != "D" and is_link(folder / path):
            yield Objection("refused", path, "is a link; a list holds the files themselves")
        elif KNOWN.fullmatch(path) is None:
            yield Objection(
                "odd", path, f"{word}, and is not a result or system; look at it yourself"
            )
        elif path.endswith(f"/{PUBLISHED}"):
            yield Objection("odd", path, f"{word}: figures that nobody can recompute")
        elif status == "A":
            continue
        elif f"/{RESULTS}/" in path:
            yield Objection("odd", path, f"a result of the list {word}")
        elif status == "D":
            yield Objection("odd", path, "the hardware of a system is removed")
        else:
            yield from _hardware_changes(folder, base, path)


def _hardware_changes(folder: Path, base: str, path: str) -> Iterator[Objection]:
    try:
        old = parse_hardware(
            path, git(folder, "show", f"{base}:./{path}").decode("utf-8", "replace")
        )
        new = read_hardware(folder / path)
    except BeffError:
        return  # said of the file itself, or nothing to compare with
    for name in Hardware.model_fields:
        then, now = getattr(old, name), getattr(new, name)
        if then != now:
            words = ("not given" if value is None else value for value in (then, now))
            yield Objection("odd", path, "{} was {}, and is {}".format(name, *words))


def comment(checked: Objections, verdict: str) -> str:
    """Return what was found in Markdown, for a pull request."""
    shown = checked.objections[:_MOST_SHOWN]
    lines = [f"* {_plain(one.path)}: **{one.kind}**: {_plain(one.sentence)}" for one in shown]
    if len(checked.objections) > len(shown):
        lines.append(f"* {len(checked.objections) - len(shown)} more")
    head = f"**beff list check**: {verdict}, {checked.results} results recomputed"
    return "\n".join([head, *([""] if lines else []), *lines]) + "\n"


def _plain(text: str) -> str:
    """Return a line in which nothing is markup."""
    text = one_line(text)
    return "".join(f"&#{ord(sign)};" if sign in "<>&*_`[]|\\@#" else sign for sign in text)
