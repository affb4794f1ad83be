"""Hosts of made-up fleets are named when they are slow, and nobody else is."""

from __future__ import annotations

import pytest
from support.fleet_rows import MACHINE, FleetRow, fleet_rows

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


def test_hosts_are_good_since_a_map_that_measured_them() -> None:
    row = ROWS["clean"]
    maps = [one for one in row.fleet().maps if one.day < 40]
    for host in judged(row, 40.0).hosts:
        if host.state == State.GOOD and host.last >= 0:
            assert host.name in maps[host.first].pairs.names
            assert 0 <= host.first <= host.last
