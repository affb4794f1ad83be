"""What no machine has, or nobody can read, got into the database by some other way."""

from __future__ import annotations

import re
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pages import names, parse
from sqlalchemy import Table, text
from sqlalchemy.orm import Session

from beff.store.database import Store
from beff.store.tables import Entry, System
from beff.store.tokens import create_token
from beff.web.comparison import MOST_COMPARED
from beff.web.pages import MISSING
from store_support import OFFICIAL, add, result_of

TABLES: Any = (Entry.__table__, System.__table__)
CHECKED = ("id", "system_id", "status", "benchmark")
"""Columns of which the database itself looks after the values."""


@pytest.mark.parametrize("value", [1e30, 1e308, float("inf"), 1e-320])
def test_a_bad_row_takes_no_page_down(client: TestClient, store: Store, value: float) -> None:
    number = add(store, result_of(plan=OFFICIAL), "Bad")
    columns = "b_eff_mbps", "latency_us", "at_lmax_mbps", "total_memory_exchange_s", "rmax_gflops"
    with store.write() as session:
        assignments = ", ".join(f"{name} = :value" for name in columns)
        session.execute(
            text(f"UPDATE entries SET {assignments} WHERE id = {number}"), {"value": value}
        )
        session.execute(text("UPDATE systems SET rmax_gflops = :value"), {"value": value})
        session.execute(
            text("INSERT INTO audit (at, actor, action, subject) VALUES (0, 'x', 'x', 'x')")
        )
    assert names(client)[0] == "Cray T3E/900-512"
    systems = client.get("/api/v1/systems?w_b_eff=1").json()["systems"]
    (bad,) = [system for system in systems if system["name"] == "Bad"]
    assert bad["rank"] is None
    assert "b_eff" in bad["impossible"].split(", ")
    (row,) = [row for row in parse(client.get("/").text).rows if row["name"] == "Bad"]
    assert (row["b_eff"], row["rank"]) == ("impossible", MISSING)
    for address in (
        *("/?w_rmax=1&w_latency=3", f"/systems/{bad['id']}", f"/compare?s=1&s={bad['id']}"),
        *("/api/v1/standings", f"/api/v1/results/{number}", f"/api/v1/systems/{bad['id']}"),
        *("/api/v1/results?format=csv", f"/api/v1/systems/{bad['id']}/results"),
    ):
        assert client.get(address).status_code == 200, address
    assert "impossible" in client.get(f"/systems/{bad['id']}").text


def copied(session: Session, table: Table, number: int, **sql: str) -> int:
    """Copy a row, some columns by SQL; returns the number of the copy."""
    columns = [column.name for column in table.columns if column.name != "id"]
    values = ", ".join(sql.get(column, column) for column in columns)
    insert = f"INSERT INTO {table.name} ({', '.join(columns)})"
    copy = f"{insert} SELECT {values} FROM {table.name} WHERE id = {number} RETURNING id"
    return int(session.execute(text(copy)).scalar_one())


@pytest.mark.parametrize("bad", ["-5", "0", "9e999", "'words'", "x'ff'", "CAST(x'ff41' AS TEXT)"])
def test_one_bad_run_of_several_takes_no_page_down(
    client: TestClient, store: Store, bad: str
) -> None:
    """A system for each column: of its runs one has a bad value there, or it has one itself."""
    run = add(store, result_of(plan=OFFICIAL), "Good")
    made = {}
    with store.write() as session:
        operator = create_token(session, "chief", operator=True)
        good = session.get_one(Entry, run).system_id
        for table in TABLES:
            for column in table.columns:
                if column.name in CHECKED:
                    continue
                own, ones = {column.name: bad}, {}
                if table is TABLES[0]:
                    own, ones = {}, own
                name = f"'{table.name} {column.name}'"
                system = copied(session, TABLES[1], good, **({"name": name} | own))
                of_it = {"system_id": str(system)}
                for more in ({}, {}, ones, {"published": "0"} | ones):
                    copied(session, TABLES[0], run, **(of_it | more))
                made[system] = f"{table.name}.{column.name}"
    for address in (
        *("/", "/?used=any&w_rmax=1&w_exchange=1&sort=year", "/?year_from=1&processes_from=1"),
        *("/plots", "/api/v1/systems?format=csv", "/api/v1/standings"),
        "/api/v1/results?per_page=200",
    ):
        assert client.get(address).status_code == 200, address
    for number, where in made.items():
        for address in (f"/systems/{number}", f"/api/v1/systems/{number}"):
            answer = client.get(address)
            assert answer.status_code == 200, (address, where)
            assert not re.search(r"<td>-.*%", answer.text), (address, where)
    for first in range(0, len(made), MOST_COMPARED):
        beside = "&".join(f"s={number}" for number in [*made][first : first + MOST_COMPARED])
        assert client.get(f"/compare?used=any&{beside}").status_code == 200
    mark = parse(client.get("/operator").text).named("input")[0]["value"]
    page = client.post("/operator/login", data={"mark": mark, "token": operator})
    assert page.status_code == 200
    assert "Waiting:" in page.text
