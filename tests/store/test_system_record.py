"""What a system's row says, and that nothing changes it but people and published results."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select
from support.results import Plan

from beff.store.audit import notes
from beff.store.changes import keep_hardware, publish_entry, remove_entry
from beff.store.database import Store
from beff.store.errors import RefusedError
from beff.store.hardware import parse_hardware
from beff.store.queries import entry_of
from beff.store.reading import read_result
from beff.store.system_record import DESCRIBED, differences_by
from beff.store.tables import System
from store_support import OFFICIAL, add, bytes_of, result_of


def submit(store: Store, document: dict[str, Any], system: str = "X", **options: Any) -> int:
    return add(store, document, system, published=False, **options)


def record(store: Store, name: str = "X") -> dict[str, Any]:
    with store.read() as session:
        system = session.scalars(select(System).where(System.name == name)).one()
        return {field: getattr(system, field) for field in DESCRIBED}


def describe(store: Store, text: str) -> None:
    with store.write() as session:
        keep_hardware(session, parse_hardware("f", text))


def publish(store: Store, number: int, *, published: bool = True) -> list[str]:
    with store.write() as session:
        entry = entry_of(session, str(number))
        return [str(d) for d in publish_entry(session, entry, published=published)]


def larger() -> dict[str, Any]:
    """A run with more of everything, and with an R_max of its own."""
    return result_of(plan=Plan(8, memory=1 << 30, rmax_gflops=9e9))


def test_what_waits_changes_nothing(store: Store) -> None:
    describe(store, "name: X\nnodes: 4\nrmax_gflops: 100\nsite: Here")
    before = record(store)
    hardware = parse_hardware("f", "site: Elsewhere\nrmax_gflops: 1e9")
    number = submit(store, larger(), hardware=hardware)
    assert record(store) == before
    with store.read() as session:
        told = [str(d) for d in differences_by(session, entry_of(session, str(number)))]
    assert "site: Here → Elsewhere" in told
    assert "cores: unknown → 8" in told
    assert publish(store, number) == told
    assert record(store)["site"] == "Elsewhere"
    with store.read() as session:
        last = notes(session, 1)[0]
    assert (last.action, last.subject) == ("hardware", "system X")
    assert "site: Here → Elsewhere" in (last.detail or "")


@pytest.mark.parametrize("way", ["withdraw", "remove"])
def test_what_is_gone_leaves_nothing_behind(store: Store, way: str) -> None:
    publish(store, submit(store, result_of(plan=OFFICIAL)))
    before = record(store)
    number = submit(store, larger())
    publish(store, number)
    assert record(store)["rmax_gflops"] == 9e9
    if way == "withdraw":
        publish(store, number, published=False)
    else:
        with store.write() as session:
            remove_entry(session, entry_of(session, str(number)))
    assert record(store) == before


def test_people_outweigh_results(store: Store) -> None:
    describe(store, "name: X\nnodes: 1\nrmax_gflops: 100")
    publish(store, submit(store, larger()))
    assert (record(store)["nodes"], record(store)["rmax_gflops"]) == (1, 100)


def test_a_line_without_a_value_clears_a_field(store: Store) -> None:
    describe(store, "name: X\nsite: Here\nnodes: 4\nnote: wrong")
    describe(store, "name: X\nnodes:\nnote: ~")
    found = record(store)
    assert (found["site"], found["nodes"], found["note"]) == ("Here", None, None)


@pytest.mark.parametrize(
    "line", ["rmax_gflops: 1e30", "nodes: 9000000000", "cores: 1e18", "power_kW: 1e12"]
)
def test_hardware_beyond_any_machine(line: str) -> None:
    with pytest.raises(RefusedError, match=f"^file: {line.partition(':')[0]} must be "):
        parse_hardware("file", line)


@pytest.mark.parametrize("rmax", [1e14, 1e-12])
def test_a_result_beyond_any_machine(rmax: float) -> None:
    content = bytes_of(result_of(plan=Plan(4, rmax_gflops=rmax)))
    with pytest.raises(RefusedError, match=r"rmax_gflops is .* beyond any machine"):
        read_result("file", content)
