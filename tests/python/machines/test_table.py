"""The table of machines: what is called true is true of them, and what is said is counted."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from support.machines.faults import Fault
from support.machines.measure import map_of
from support.rows.row import Row
from support.rows.said import Said
from support.rows.table import SIZES, rows
from support.rows.truth import CLEAN, UNDECIDABLE, Asked, Truth, slow

from beff.judge.finding import Verdict

ROOT = Path(__file__).resolve().parents[3]
ROWS = list(rows())


def test_names_are_of_one_row() -> None:
    assert len({(row.name, row.hosts) for row in ROWS}) == len(ROWS)


def links_of(faults: tuple[Fault, ...]) -> set[tuple[int, int]]:
    return {fault.link for fault in faults if fault.link is not None}


@pytest.mark.parametrize("seed", [1, 50_000])
def test_the_truth_of_a_row_is_what_was_made_faulty(seed: int) -> None:
    for row in ROWS:
        machine, truth = row.draw(seed)
        hosts = {host for fault in machine.faults for host in fault.hosts}
        hosts |= {loss.host for loss in machine.losses}
        links = {(min(link), max(link)) for link in links_of(machine.faults)}
        by_uplinks = any(fault.uplinks for fault in machine.faults)
        if not by_uplinks:
            assert (row.name, truth.hosts, truth.links) == (row.name, hosts, links)
        assert (row.name, truth.is_clean) == (row.name, not (hosts or links or by_uplinks))
        if row.hosts.isdecimal():
            assert machine.units == int(row.hosts)


def every_row_of(units: int) -> list[Row]:
    return [row for row in ROWS if row.hosts == str(units)]


@pytest.mark.parametrize("units", SIZES)
def test_each_row_has_a_map(units: int) -> None:
    some = every_row_of(units)
    for row in some if units <= 16 else some[::20]:
        machine, _ = row.draw(1)
        pairs = map_of(replace(machine, passes=3), 1)
        assert (row.name, pairs.units, pairs.passes.max()) == (row.name, units, 2)


def said(
    bad: tuple[int, ...] = (),
    suspects: tuple[int, ...] = (),
    group: tuple[int, ...] = (),
    told: tuple[int, ...] = (),
) -> Said:
    is_open = Verdict.UNKNOWN if suspects or group else Verdict.GOOD
    return Said(
        bad_hosts=frozenset(bad),
        open_hosts=frozenset(suspects),
        bad_links=frozenset(),
        open_links=frozenset(),
        open_groups=frozenset({frozenset(group)} if group else ()),
        told_groups=frozenset({frozenset(told)} if told else ()),
        verdict=Verdict.BAD if bad else is_open,
    )


HALF = Truth(groups=frozenset({frozenset({0, 1})}), asked=Asked.OPEN)


@pytest.mark.parametrize(
    ("truth", "what", "right"),
    [
        (CLEAN, said(), True),
        (CLEAN, said(suspects=(1,)), False),
        (UNDECIDABLE, said(suspects=(1,)), True),
        (UNDECIDABLE, said(bad=(1,)), False),
        (slow(3), said(bad=(3,)), True),
        (slow(3), said(bad=(3, 2)), False),
        (slow(3), said(suspects=(3,)), False),
        (slow(3, asked=Asked.OPEN), said(suspects=(3,)), True),
        (slow(3, asked=Asked.OPEN), said(), False),
        (slow(3, asked=Asked.ANYTHING), said(), True),
        (slow(3, asked=Asked.ANYTHING), said(bad=(2,)), False),
        (HALF, said(group=(2, 3)), True),
        (HALF, said(told=(0, 1)), False),
        (replace(HALF, asked=Asked.TOLD), said(told=(0, 1)), True),
        (replace(HALF, asked=Asked.TOLD), said(), False),
    ],
)
def test_what_is_right(truth: Truth, what: Said, right: bool) -> None:
    assert truth.is_said(what, 4) == right


def test_a_baseline_leaves_nothing_open() -> None:
    assert not UNDECIDABLE.is_said(said(suspects=(1,)), 4, baseline=True)
    assert not slow(3, asked=Asked.OPEN).is_said(said(suspects=(3,)), 4, baseline=True)
    assert slow(3, asked=Asked.OPEN).is_said(said(bad=(3,)), 4, baseline=True)


def test_the_command_counts() -> None:
    command = [sys.executable, str(ROOT / "bench" / "check_power.py")]
    options = [
        "--runs",
        "3",
        "--hosts",
        "8",
        "--only",
        "^(flat|host x 2.0), 3 passes",
        "--jobs",
        "2",
    ]
    ended = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    lines = [line.split(" | ") for line in ended.stdout.strip().splitlines()[2:]]
    assert [line[:5] for line in lines] == [
        ["| flat, 3 passes", "8", "3", "3", "0 (≤ 63.2 %)"],
        ["| host x 2.0, 3 passes", "8", "3", "3", "0 (≤ 63.2 %)"],
    ]


@pytest.mark.parametrize("options", [["--hosts", "12"], ["--only", "("], ["--runs", "x"]])
def test_what_cannot_be_meant_is_refused(options: list[str]) -> None:
    command = [sys.executable, str(ROOT / "bench" / "check_power.py")]
    ended = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.splitlines()[-1].startswith(f"check_power.py: error: argument {options[0]}")
