"""Hosts of made-up fleets are named when they are slow, and nobody else is."""

from __future__ import annotations

import pytest
from support.fleet_rows import MACHINE, FleetRow, fleet_rows
from support.fleets import Fault
from support.fleets import fleet_of as fleet_of_days

from beff.fleet.fit import MapOfFleet, fit
from beff.fleet.states import Fleet, NamedBy, State, fleet_of
from beff.maps.findings import Status
from beff.maps.judge_pairs import judge_pairs

ROWS = {row.name: row for row in fleet_rows()}


def named_by(maps: tuple[MapOfFleet, ...]) -> NamedBy:
    def named(place: int) -> set[str]:
        found = judge_pairs(maps[place].pairs, switches=maps[place].switches)
        return {unit.name for unit in found.with_status(Status.SLOW)}

    return named


def judged(row: FleetRow, day: float) -> Fleet:
    """Return what the maps before a day say."""
    maps = [
        MapOfFleet(one.day, f"map {place}", one.pairs, one.switches)
        for place, one in enumerate(row.fleet().maps)
        if one.day < day
    ]
    joined = fit(maps)
    return fleet_of(joined, day, named=named_by(joined.maps))


def said_slow(row: FleetRow, fleet: Fleet) -> set[str]:
    """Return hosts, and leaves whose uplink is."""
    leaves = {
        name: switches[-1]
        for one in row.fleet().maps
        for name, switches in zip(one.pairs.names, one.switches or (), strict=False)
    }
    hosts = {host.name for host in fleet.hosts if host.state == State.SLOW}
    return hosts | {leaves[uplink.hosts[0]] for uplink in fleet.uplinks}


@pytest.mark.parametrize("name", sorted(ROWS))
def test_who_is_slow_is_named_and_nobody_else(name: str) -> None:
    row = ROWS[name]
    days = {named.by_day for named in row.named} or {119.0}
    for day in days:
        found = said_slow(row, judged(row, day))
        may = {one.where for one in row.named if one.from_day <= day < one.clear_by}
        must = {one.where for one in row.named if one.by_day <= day <= one.to_day}
        assert found <= may
        assert must - {MACHINE} <= found


@pytest.mark.parametrize(
    ("slow_on", "state"),
    [
        ((10,), State.GOOD),
        ((10, 11), State.GOOD),
        ((10, 12), State.AT_TIMES),
        ((10, 11, 13, 14), State.AT_TIMES),
        ((8, 10), State.GOOD),
        ((10, 18), State.SLOW),
    ],
)
def test_a_host_slow_at_times_is_not_good(slow_on: tuple[int, ...], state: State) -> None:
    """All eight are in a map a day, of which the last is that of day 18."""
    faults = tuple(Fault("n003", day, 1.5, to_day=day + 1) for day in slow_on)
    maps = fleet_of_days(1, hosts=8, leaf=8, per_map=8, maps_a_day=1, days=19, faults=faults).maps
    joined = fit([MapOfFleet(one.day, "", one.pairs, one.switches) for one in maps])
    states = {
        one.name: one.state for one in fleet_of(joined, 19.0, named=named_by(joined.maps)).hosts
    }
    assert states.pop("n003") == state
    assert set(states.values()) == {State.GOOD}


def test_hosts_are_good_since_a_map_that_measured_them() -> None:
    row = ROWS["clean"]
    maps = [one for one in row.fleet().maps if one.day < 40]
    for host in judged(row, 40.0).hosts:
        if host.state == State.GOOD and host.last >= 0:
            assert host.name in maps[host.first].pairs.names
            assert 0 <= host.first <= host.last
