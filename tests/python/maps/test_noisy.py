"""A map whose times differ too much calls nobody slow, and nobody good."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support.machines.fields import fields_of
from support.machines.flat import flat
from support.machines.leaves import leaves
from support.machines.machine import Machine
from support.machines.measure import map_of
from support.machines.noise import Noise
from support.machines.result import make_map, sentences

from beff.cli.app import main
from beff.judge.finding import Verdict
from beff.maps.findings import Status
from beff.maps.judge_pairs import judge_pairs

BUSY = Noise(1.5)
"""Half of a pair's times differ by 650 %."""


def is_open(fields: dict[str, Any]) -> str:
    """Assert that nothing but open is said, and return what is said of all hosts."""
    told = sentences(fields)
    assert {verdict for verdict, _ in told.values()} == {Verdict.UNKNOWN}
    return told["hosts"][1]


@pytest.mark.parametrize("passes", [3, 20, 60])
@pytest.mark.parametrize("sizes", [(8,), (4, 4), (16,)], ids=str)
def test_a_map_of_busy_cores_names_nobody(sizes: tuple[int, ...], passes: int) -> None:
    for seed in range(3):
        machine = Machine(leaves(*sizes), noise=BUSY, passes=passes)
        pairs = map_of(machine, seed)
        found = judge_pairs(pairs)
        every = (*found.units, *found.links, *found.groups, *found.uplinks)
        assert Status.SLOW not in {one.status for one in every}
        said = is_open(fields_of(pairs, seed))
        assert "half of a pair's times differ by " in said
        assert said.endswith("; measure again, alone")


def test_the_limit_is_the_difference_of_half_of_a_pairs_times() -> None:
    """The middle half of a normal distribution is 1.35 standard deviations wide."""
    for noise, noisy in ((0.17, False), (0.22, True)):
        found = judge_pairs(map_of(flat(8, {3: 3.0}, noise=Noise(noise), passes=60), 1))
        assert bool(found.doubt) == noisy
        status = Status.SUSPECT if noisy else Status.SLOW
        assert [unit.name for unit in found.with_status(status)] == ["n3"]


def test_what_only_a_multiple_would_show_shows_nothing() -> None:
    """Long messages alone differ, which is not noise; no number stands for what cannot be seen."""
    machine = Machine(leaves(8), noise=BUSY, passes=3)
    noisy, quiet = (fields_of(map_of(one, 1), 1) for one in (machine, flat(8, passes=3)))
    passes = {**noisy["passes"], "small_ns": quiet["passes"]["small_ns"]}
    for fields in (noisy, {**noisy, "passes": passes}):
        said = is_open(fields)
        assert said.startswith("this map shows nothing: ")
        assert not re.search(r"less than [0-9.]+ times as long", said)


def test_everybody_follows_one_judgement(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`check` with and without earlier maps, `show`, the page and the figure."""
    file, bad, page = tmp_path / "a.json", tmp_path / "bad", tmp_path / "a.html"
    file.write_text(json.dumps(make_map(flat(8, {3: 3.0}, noise=BUSY))), "utf-8")
    for day in (1, 2, 3):
        text = json.dumps(make_map(flat(8), day=day))
        (tmp_path / f"earlier{day}.json").write_text(text, "utf-8")
    earlier = ["--baseline", str(tmp_path / "earlier1.json")]
    for more in ([], earlier):
        assert main(["check", str(file), "--bad", str(bad), "--overwrite", *more]) == 3
        assert bad.read_text("utf-8") == ""
        assert capsys.readouterr().out.startswith("inconclusive: ")
    assert main(["show", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "inconclusive" in shown
    assert "bad" not in shown
    assert main(["show", str(file), "-o", str(page)]) == 0
    assert "Bad: " not in page.read_text("utf-8")
