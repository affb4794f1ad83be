"""The list and what is asked of it, without a browser."""

from __future__ import annotations

import csv
import io
from datetime import datetime, timezone

import pytest
from fastapi.testclient import TestClient
from pages import names, parse
from support.results import Plan

from beff.store import editions
from beff.store.changes import keep_hardware, publish_entry
from beff.store.database import Store
from beff.store.editions import make_edition
from beff.store.errors import RefusedError
from beff.store.hardware import parse_hardware
from beff.store.system_figures import FIGURES, SystemFigure
from beff.store.tables import Entry
from beff.web.pages import MISSING
from store_support import OFFICIAL, add, result_of


def test_the_first_page_is_ranked_by_b_eff(client: TestClient) -> None:
    rows = parse(client.get("/?used=any").text).rows
    assert [(row["rank"], row["name"], row["b_eff"]) for row in rows[:3]] == [
        ("1", "Cray T3E/900-512", "19.9"),
        ("2", "NEC SX-4/32", "9.67"),
        ("3", "NEC SX-5/8B", "5.44"),
    ]
    assert (rows[0]["sure"], rows[0]["chosen"], rows[0]["share"]) == ("firm", "19.9", "100 %")
    assert [row["rank"] for row in rows[-3:]] == [MISSING] * 3
    assert rows[-1]["sure"] == "no communication"


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("w_per_process=1", ["NEC SX-5/8B", "NEC SX-4/32", "SGI Cray SV1-B/16-8"]),
        ("w_io=1", ["IBM SP", "NEC SX-5", "Cray T3E/900-512"]),
        ("w_exchange=1", ["NEC SX-5/8B", "NEC SX-4/32", "Cray T3E/900-512"]),
        ("w_b_eff=1&w_io=1", ["Cray T3E/900-512"]),
    ],
)
def test_weights_decide(client: TestClient, query: str, first: list[str]) -> None:
    """By hand from Table 1: per process 1360, 604, 96; exchange 128 L_max n / b_eff."""
    assert names(client, query)[: len(first)] == first
    page = parse(client.get(f"/?used=any&{query}").text)
    assert [row["name"] for row in page.rows[: len(first)]] == first
    sliders = {tag["name"]: tag["value"] for tag in page.named("input") if tag["type"] == "range"}
    assert {name for name, value in sliders.items() if value == "1"} == {
        part.partition("=")[0] for part in query.split("&")
    }


def test_names_that_users_have_stay(client: TestClient) -> None:
    """In this order; new ones may come between."""
    weights = ["b_eff", "per_process", "at_lmax", "latency", "io", "rmax", "balance", "exchange"]
    fields = [
        *("b_eff_MBps", "b_eff_per_process_MBps", "at_lmax_MBps", "latency_us"),
        *("io_value_1_MBps", "io_write_MBps", "io_rewrite_MBps", "io_read_MBps"),
        *("rmax_gflops", "balance_bytes_per_flop", "total_memory_exchange_s"),
    ]
    answer = client.get("/api/v1/systems").json()
    assert [name for name in answer["weights"] if name in weights] == weights
    assert [name for name in answer["systems"][0] if name in fields] == fields


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.key)
def test_every_figure_is_on_the_page(client: TestClient, figure: SystemFigure) -> None:
    answer = client.get(f"/?w_{figure.key}=2&sort={figure.key}")
    assert answer.status_code == 200
    page = parse(answer.text)
    assert all(figure.key in row for row in page.rows)
    sliders = {tag["name"]: tag["value"] for tag in page.named("input") if tag["type"] == "range"}
    assert [name for name, value in sliders.items() if value == "2"] == [f"w_{figure.key}"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("year_from=2002", []),
        ("processes_from=100", ["Cray T3E/900-512", "Hitachi SR 8000 round-robin", "IBM SP"]),
        ("processes_to=4&processes_from=4", ["NEC SX-5/8B", "NEC SX-5"]),
        ("verified=1", []),
        ("interconnect=x", []),
        ("year_from=&year_to=2001&processes_to=7&processes_from=7", ["HP-V 9000"]),
    ],
)
def test_filters(client: TestClient, query: str, expected: list[str]) -> None:
    assert names(client, query) == expected


def test_interconnects_are_found_whatever_their_case(client: TestClient, store: Store) -> None:
    add(store, result_of(plan=OFFICIAL), "New")
    with store.write() as session:
        keep_hardware(session, parse_hardware("f", "name: New\ninterconnect: Example Fabric"))
    assert names(client, "interconnect=FABRIC") == ["New"]
    assert names(client, "verified=1") == ["New"]


def test_sorting(client: TestClient) -> None:
    assert names(client, "sort=name")[0] == "Cray T3E/900-512"
    assert names(client, "sort=name&order=down")[0] == "SGI Cray SV1-B/16-8"
    assert names(client, "sort=processes&order=up")[0] in {"NEC SX-5/8B", "NEC SX-5"}
    assert names(client, "sort=exchange")[:2] == ["NEC SX-5/8B", "NEC SX-4/32"]


def test_pages_of_the_list(client: TestClient) -> None:
    whole = names(client)
    parts = [names(client, f"per_page=4&page={page}") for page in (1, 2, 3, 4)]
    assert [len(part) for part in parts] == [4, 4, 3, 0]
    assert [name for part in parts for name in part] == whole
    page = parse(client.get("/?per_page=4&page=2&w_b_eff=2").text)
    links = {tag.get("rel"): tag["href"] for tag in page.named("a") if "rel" in tag}
    assert links == {
        "prev": "?page=1&per_page=4&w_b_eff=2",
        "next": "?page=3&per_page=4&w_b_eff=2",
    }


def test_a_page_behind_the_last_is_none(client: TestClient) -> None:
    page = client.get("/?per_page=4&page=99&used=any").text
    assert "There is no page 99; the last is" in page
    assert 'href="?page=3&amp;per_page=4&amp;used=any">page 3</a>' in page
    assert "No system passes" not in page
    assert "There is no page" not in client.get("/?name=zzz&page=2").text


def test_csv_has_what_json_has(client: TestClient) -> None:
    answer = client.get("/api/v1/systems?format=csv")
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    systems = client.get("/api/v1/systems").json()["systems"]
    assert [row["name"] for row in rows] == [system["name"] for system in systems]
    assert list(rows[0]) == list(systems[0])


@pytest.mark.parametrize("address", ["/", "/systems/1", "/static/list.js", "/api/v1/standings"])
def test_head_has_the_headers_of_get_and_no_body(client: TestClient, address: str) -> None:
    whole, head = client.get(address), client.head(address)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers == whole.headers
    assert client.head("/nothing").status_code == 404


def test_unknown_hardware_has_no_line(client: TestClient) -> None:
    page = client.get("/systems/1").text
    assert "<dt>Cores</dt><dd>512</dd>" in page
    assert "<dd></dd>" not in page
    assert "<dt>Power</dt>" not in page


def test_a_new_result_is_seen_at_once(client: TestClient, store: Store) -> None:
    before = client.get("/api/v1/systems").json()["total"]
    number = add(store, result_of(plan=OFFICIAL), "New")
    assert client.get("/api/v1/systems").json()["total"] == before + 1
    with store.write() as session:
        entry = session.get(Entry, number)
        assert entry is not None
        publish_entry(session, entry, published=False)
    assert client.get("/api/v1/systems").json()["total"] == before


def test_runs_spread_the_rank(client: TestClient, store: Store) -> None:
    for name, speeds in (("Steady", [1.0]), ("Wild", [0.8, 1.1])):
        for speed in speeds:
            add(store, result_of(plan=OFFICIAL, speed=speed), name)
    systems = client.get("/api/v1/systems?verified=1").json()["systems"]
    found = [(s["name"], s["rank"], s["rank_best"], s["rank_worst"], s["runs"]) for s in systems]
    assert found == [("Wild", 1, 1, 2, 2), ("Steady", 2, 2, 2, 1)]


def test_invalid_results_are_shown_but_not_ranked(client: TestClient, store: Store) -> None:
    add(store, result_of(plan=OFFICIAL), "New")
    number = add(store, result_of(speed=9.0), "New")
    (system,) = client.get("/api/v1/systems?verified=1").json()["systems"]
    assert system["runs"] == 1
    assert "invalid: methods, repetitions" in client.get(f"/systems/{system['id']}").text
    assert client.get(f"/api/v1/results/{number}").json()["status"] == "invalid"


def test_only_comparable_runs_are_ranked(client: TestClient, store: Store) -> None:
    """A run on two cores of eight counts where any part is asked for; balance is of a whole run."""
    with store.write() as session:
        keep_hardware(session, parse_hardware("f", "name: New\ncores: 8\nrmax_gflops: 2"))
    add(store, result_of(plan=OFFICIAL, speed=50.0), "New")
    shares = {"any": 0.25}
    for used in ("any", "half", "whole"):
        systems = client.get(f"/api/v1/systems?verified=1&used={used}").json()["systems"]
        assert [system["share"] for system in systems] == ([shares["any"]] if used == "any" else [])
    (system,) = client.get("/api/v1/systems?verified=1&used=any").json()["systems"]
    assert system["balance_bytes_per_flop"] is None
    add(store, result_of(plan=Plan(8)), "New")
    (system,) = client.get("/api/v1/systems?verified=1").json()["systems"]
    assert (system["processes"], system["share"]) == (8, 1.0)
    expected = system["b_eff_MBps"] * 1e6 / 2e9
    assert system["balance_bytes_per_flop"] == pytest.approx(expected)
    assert "25 %" in client.get(f"/systems/{system['id']}").text


def test_no_historic_figure_counts_without_them(client: TestClient, store: Store) -> None:
    """Also not the better one of a system that has both."""
    add(store, result_of(plan=OFFICIAL), "NEC SX-4/32")
    (system,) = client.get("/api/v1/systems?verified=1").json()["systems"]
    assert (system["name"], system["runs"], system["historic"]) == ("NEC SX-4/32", 1, False)
    assert system["processes"] == 2


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("name=t3e", ["Cray T3E/900-512"]),
        ("site=llnl", ["IBM SP"]),
        ("file_system=GPFS", ["IBM SP"]),
        ("cpus=332", ["IBM SP"]),
        ("accelerators=x", []),
    ],
)
def test_searching(client: TestClient, query: str, expected: list[str]) -> None:
    assert names(client, query) == expected


def test_editions_stay(client: TestClient, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    made_at = datetime(2026, 11, 3, 4, 5, tzinfo=timezone.utc)
    monkeypatch.setattr(editions, "now", lambda: made_at)
    with store.write() as session:
        make_edition(session, "2026-11")
    before = client.get("/editions/2026-11").text
    add(store, result_of(plan=OFFICIAL, speed=1e3), "Newest")
    assert names(client)[0] == "Newest"
    assert client.get("/editions/2026-11").text == before
    assert "Newest" not in client.get("/api/v1/editions/2026-11").text
    assert "Cray T3E" in client.get("/editions/2026-11?w_exchange=1").text
    assert "/editions/2026-11" in client.get("/").text
    for name in ("2026-06", "x", "../2026-11"):
        assert client.get(f"/editions/{name}").status_code == 404
    with store.write() as session, pytest.raises(RefusedError, match="stay as they are"):
        make_edition(session, "2026-11")
    assert "made on 2026-11-03 04:05 UTC" in before
    answer = client.get("/editions/2026-11?used=whole&name=x&year_to=")
    assert (answer.status_code, "leave out name, used." in answer.text) == (422, True)
    with store.write() as session:
        assert make_edition(session, "2026-10").name == "2026-10"
    for name in ("2026-09", "2026-12", "2199-12", "2026-13", "x"):
        with store.write() as session, pytest.raises(RefusedError, match="2026-11, or 2026-10"):
            make_edition(session, name)


def test_weights_stay_when_sorting(client: TestClient) -> None:
    page = parse(client.get("/?w_io=2&used=any").text)
    links = [tag["href"] for tag in page.named("a") if "data-keeps-weights" in tag]
    assert len(links) > 5
    assert all("w_io=2" in link and "used=any" in link for link in links)
