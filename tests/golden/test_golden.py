"""What commands say of stored results is what they said before."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from difflib import unified_diff
from itertools import chain, islice
from pathlib import Path

import pytest

from beff.show.parts.sentences import LONGEST, MOST_LINES
from golden.write import EXPECTED, Scenes, play, stored

_MOST_LINES = 100
_NO_VERDICT = re.compile(r"exit code|beff: |\S+: (figures of )?\d+ (host|result)")
"""Lines beside a verdict: what could not be read, and which files were written."""


def differences(before: Scenes, now: Scenes) -> str:
    """Show the first lines that differ, and name all files that do."""
    names = [name for name, text in before.items() if text != now[name]]
    sides = ((name, before[name].splitlines(), now[name].splitlines()) for name in names)
    diffs = (unified_diff(old, new, name, "now", n=1, lineterm="") for name, old, new in sides)
    lines = islice(chain.from_iterable(diffs), _MOST_LINES)
    way_out = "; where this is meant: make golden, and git diff tests/golden"
    return "\n".join([*lines, " ".join(["they differ:", *names]) + way_out]) if names else ""


def told_of(text: str, commands: tuple[str, ...]) -> Iterator[list[str]]:
    """Yield the lines that such commands print where they are not asked for all."""
    for scene in text.split("\n$ ")[0:]:
        command, *told = scene.removeprefix("$ ").splitlines()
        words = command.split()
        if words[0] in commands and not {"--all", "--json"} & {*words} and told:
            yield [line for line in told if line and not _NO_VERDICT.match(line)]


@pytest.mark.parametrize("name", stored())
def test_headlines_are_short(name: str) -> None:
    """A line of 60 characters, three below it, and what shows more."""
    for told in told_of(stored()[name], ("check", "compare")):
        if not told or told[0].startswith(("as ", "drawn ")):
            continue
        text, *lines = told
        assert len(text) <= LONGEST
        assert len([line for line in lines if not line.startswith("more: ")]) <= MOST_LINES


def test_all_is_said_as_before(tmp_path: Path) -> None:
    scenes = stored()
    assert scenes
    now = play(scenes, tmp_path)
    if "BEFF_WRITE_GOLDEN" in os.environ:
        for name, text in now.items():
            (EXPECTED / name).write_text(text, encoding="utf-8")
        scenes = stored()
    difference = differences(scenes, now)
    assert not difference, difference
