"""No figure behind a verdict changes unseen: of fleets, baselines, days, sides and charts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import exp
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from slow_hosts import rows
from slow_hosts.beff_judge import again, map_of
from slow_hosts.between import every_row
from slow_hosts.machine import measure
from slow_hosts.rows import Plant, host, link
from support.checks import port, wires
from support.fleets import LONG, Fault, maps_of
from support.machines import measure as machines
from support.machines.result import make_map

from beff.definition.subject import load_subject
from beff.judge.change import change_by_runs, change_by_sides
from beff.judge.hardware import Carried, check_wires, wires_text
from beff.judge.kept import judged_so_far
from beff.judge.series import VALUE_OF, Day, first_day, steps_of
from beff.maps.findings import Status
from beff.maps.fleet import fleet_of, slower_since
from beff.maps.fleet_fit import fit
from beff.maps.judge_pairs import judge_pairs
from beff.result.load import check_document
from beff.result.result_parts import Wires
from beff.show.charts.spec import rows_of
from beff.show.charts.table import charts_of
from golden.digest import digest

STORED = Path(__file__).with_name("figures.txt")
MOST_HOSTS = 16
DATA = Path(__file__).parents[1] / "data"
SITE: dict[str, Any] = {"hosts": 60, "leaf": 10, "per_map": 10, "maps_a_day": 1.0, "days": 50.0}
SITES: dict[str, dict[str, Any]] = {
    "usual": {},
    "no switches": {"known_switches": False},
    "two kinds": {"kinds": (0.3, 1.3)},
    "a leaf replaced": {"replaced": (1, 25.0, 0.8)},
    "loaded uplinks": {"loaded": (0.25, 1.4)},
    "twos and threes": {"tiny": 0.5, "per_map": 6},
    "scattered": {"stretch": 1.0, "hop": 1.3},
    "fours": {"stretch": 1.0, "per_map": 4},
    "loud": {"disturbed": (20.0, 35.0), "noise": 0.08, "spread": 0.04},
}
EVENTS = {
    "nothing": (),
    "host": (Fault("n003", 30, 1.3),),
    "long": (Fault("n025", 20, 1.4, kinds=LONG),),
    "short": (Fault("n005", 20, 1.25, kinds=("short",)), Fault("n044", 20, 1.6, kinds=("short",))),
    "at times": (Fault("n031", 10, 1.8, share=0.4),),
    "mended": (Fault("n017", 10, 1.5, to_day=30),),
    "uplink": (Fault("leaf00", 25, 1.5, kinds=LONG), Fault("n002", 30, 1.6)),
    "machine": (Fault("machine", 35, 1.3),),
}
PLANTS: dict[str, Plant] = {
    "host": host(1.25),
    "long": host(1.5, **rows.LONG),
    "short": host(1.5, **rows.SHORT),
    "two": host(1.3, count=2),
    "third": host(2.0, count=3),
    "link": link(2.0),
    "at times": host(3.0, time=0.3),
    "warm": host(1.6, warms=True),
}


def of_fleet(site: str, event: str) -> Iterator[Any]:
    """Yield what is known of a fleet on two days."""
    maps = [*maps_of(7, **(SITE | SITES[site] | {"faults": EVENTS[event]}))]
    for day in (34.0, 50.0):
        joined = fit([one for one in maps if one.day <= day])

        def named(place: int) -> set[str]:
            one = joined.maps[place]  # noqa: B023 - asked within the turn
            judged = judge_pairs(one.pairs, switches=one.switches)
            return {unit.name for unit in judged.with_status(Status.SLOW)}

        yield fleet_of(joined, day, named=named), [*slower_since(joined, 30)]


def of_plant(name: str, *, earlier: bool) -> Iterator[Any]:
    """Yield what a map of each small machine says, or one in three beside others of its days."""
    machines = {row.machine: row for row in every_row() if row.machine.hosts <= MOST_HOSTS}
    for machine, row in [*machines.items()][:: 3 if earlier else 1]:
        fault, truth = PLANTS[name](machine.hosts, np.random.default_rng(5))
        days = (replace(machine, day=day) for day in range(1, 4) if earlier)
        before = [map_of(measure(one, 3, again)) for one in days]
        pairs = map_of(measure(replace(machine, faults=(fault,)), 3, again))
        leaves = row.leaves(truth)
        yield judge_pairs(pairs, None, leaves and [("top", one) for one in leaves], before)


def of_days(seed: int) -> Iterator[Any]:
    """Yield the judgement of each day of a series with a loss, a gain and wild days."""
    benchmark = "b_eff_io" if seed == 5 else "b_eff"
    chance, standing = Random(seed), first_day(benchmark)
    for number in range(30):
        loss = -0.12 * (10 <= number < 16) + 0.1 * (number >= 22) - 0.4 * (number == 7)
        middle, repetitions = chance.gauss(loss, 0.015), chance.choice((1, 2, 3, 6))
        logs = {
            name: tuple(chance.gauss(middle, 0.03) for _ in range(repetitions))
            for name in (VALUE_OF[benchmark].name, "latency")
        }
        judged, is_enough = judged_so_far(standing, Day(86400.0 * number, logs), 6 - repetitions, 6)
        standing.add(judged)
        yield judged.word, judged.figures, judged.since, is_enough, len(standing.parts)
    values = [exp(chance.gauss(-0.2 * (at > 20), 0.02)) for at in range(40)]
    yield steps_of(VALUE_OF["b_eff"], [86400.0 * at for at in range(40)], values)


def of_sides(seed: int) -> Iterator[Any]:
    """Yield changes between two sides of random sizes."""
    chance = Random(seed)
    for _ in range(40):
        a, b = ([chance.gauss(0, 0.05) for _ in range(chance.randint(1, 9))] for _ in "ab")
        b += [chance.gauss(0.3, 0.3)] * chance.randint(0, 1)
        yield change_by_sides(a, b, assumed=0.1, lost=chance.randint(0, 1), side_by_side=seed > 1)
        of_a, of_b = ([at % min(len(a), len(b)) for at in range(len(side))] for side in (a, b))
        yield change_by_runs(a, b, of_a, of_b, assumed=0.1, alternated=seed > 1)


def of_wires(seed: int) -> Iterator[Any]:
    """Yield what counters of four hosts say, whose ports carried random shares."""
    chance = Random(seed)
    for _ in range(12):
        ports = [
            port(name, kind, " ".join(str(chance.choice((0, 300, 900, 1000))) for _ in range(4)))
            for name, kind in (("mlx5_0/1", "rdma"), ("eth0", "ethernet"), ("lo", "loopback"))
        ]
        inside = {"inside_bytes": "500x4"} if chance.random() < 0.5 else {}
        fields = wires(chance.choice((None, "1000 1000 1000 1000")), *ports, **inside)
        carried = Carried(Wires.model_validate(fields))
        yield carried.sent, carried.share, carried.main, wires_text(carried)
        document = check_document("map.json", make_map(machines.flat(4), wires=fields))
        yield [(one.code, one.hosts, one.facts) for one in check_wires(document)]


def of_charts(name: str) -> Iterator[Any]:
    """Yield what is drawn of a result, without its rows, which other scenes hold."""
    for chart in charts_of(load_subject([DATA / name])):
        yield chart.key, [{**panel, "data": len(rows_of(panel))} for panel in chart.panels]


CASES: dict[str, Callable[[], Any]] = {
    **{
        f"fleet: {site}, {event}": lambda of=(site, event): [*of_fleet(*of)]
        for site in SITES
        for event in EVENTS
    },
    **{f"plant: {one}": lambda one=one: [*of_plant(one, earlier=False)] for one in PLANTS},
    **{f"since: {one}": lambda one=one: [*of_plant(one, earlier=True)] for one in PLANTS},
    **{f"days: {seed}": lambda seed=seed: [*of_days(seed)] for seed in range(6)},
    **{f"wires: {seed}": lambda seed=seed: [*of_wires(seed)] for seed in range(4)},
    **{f"sides: {seed}": lambda seed=seed: [*of_sides(seed)] for seed in range(4)},
    **{
        f"charts: {name}": lambda name=name: [*of_charts(name)]
        for name in ("b_eff_2p_valid.json", "b_eff_4p_definition_3.1.json", "b_eff_io_short.json")
    },
}


def stored() -> dict[str, str]:
    """Return the digest of each case."""
    lines = STORED.read_text(encoding="utf-8").splitlines()
    return dict(reversed(line.split(" ", 1)) for line in lines)


def test_each_case_is_stored() -> None:
    if "BEFF_WRITE_GOLDEN" in os.environ:
        text = "".join(f"{digest(case())} {name}\n" for name, case in CASES.items())
        STORED.write_text(text, encoding="utf-8")
    assert list(stored()) == list(CASES)


@pytest.mark.parametrize("name", CASES)
def test_figures_are_as_before(name: str) -> None:
    """After a change that is meant: make golden; golden.digest.plain shows what a case holds."""
    assert digest(CASES[name]()) == stored()[name]
