"""The pages and the API of the list, without a browser."""

from __future__ import annotations

import csv
import io
import json
import time
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pages import dangers, parse
from sqlalchemy import text
from support.io_results import IoRun, make_io_result
from support.results import Plan

from beff.store.changes import keep_hardware, keep_result, publish_entry
from beff.store.database import Store
from beff.store.editions import make_edition
from beff.store.errors import RefusedError
from beff.store.hardware import parse_hardware
from beff.store.reading import read_result
from beff.store.system_figures import FIGURES, SystemFigure
from beff.store.tables import Entry
from beff.web.pages import MISSING
from store_support import OFFICIAL, bytes_of, result_of

HOSTILE = """<script>alert(1)</script>"'><img src=x onerror=alert(1)>{{ 7 * 7 }}</template>"""


def add(store: Store, document: dict[str, Any], system: str, **options: Any) -> int:
    content = bytes_of(document)
    with store.write() as session:
        return keep_result(
            session, read_result("file", content), content, system, **options
        ).entry.id


def names(client: TestClient, query: str = "") -> list[str]:
    return [
        system["name"]
        for system in client.get(f"/api/v1/systems?used=any&{query}").json()["systems"]
    ]


# --- the list ---


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


# --- a system, results, comparison ---


def test_the_page_of_a_system(client: TestClient, store: Store) -> None:
    for day, speed in enumerate([1.0, 1.01, 0.99, 0.8, 0.79, 0.81], start=1):
        started_at = f"2026-03-{day:02}T00:00:00Z"
        add(store, result_of(plan=OFFICIAL, speed=speed, started_at=started_at), "Trendy")
    number = client.get("/api/v1/systems?verified=1").json()["systems"][0]["id"]
    page = client.get(f"/systems/{number}").text
    parsed = parse(page)
    assert len(parsed.named("circle")) == 6
    assert len([tag for tag in parsed.named("path") if tag["class"] == "step"]) == 1
    assert "-20.0 % since 2026-03-04" in " ".join(page.split())
    assert "Model CPU" in page


def test_results_and_their_files(client: TestClient, store: Store) -> None:
    content = bytes_of(result_of())
    number = add(store, result_of(), "New")
    answer = client.get(f"/api/v1/results/{number}/file")
    assert answer.content == content
    assert answer.headers["content-type"] == "application/json"
    assert "attachment" in answer.headers["content-disposition"]
    page = client.get("/api/v1/results?per_page=2").json()
    assert not {"measurement", "published", "submitted_by"} & set(page["results"][0])
    assert (page["total"], len(page["results"])) == (24, 2)
    assert page["results"][0]["id"] == number
    historic = client.get("/api/v1/results/1/file")
    assert historic.status_code == 404
    assert "without a file" in historic.json()["error"]["message"]


def test_the_full_report(client: TestClient, store: Store) -> None:
    number = add(store, result_of(), HOSTILE[:120])
    answer = client.get(f"/results/{number}/report")
    assert (answer.status_code, answer.headers["refresh"]) == (202, "3")
    assert "being drawn" in answer.text
    until = time.monotonic() + 240
    while answer.status_code == 202 and time.monotonic() < until:
        time.sleep(0.1)
        answer = client.get(f"/results/{number}/report")
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "script-src 'sha256-" in policy
    assert "unsafe" not in policy
    assert HOSTILE[:30] not in answer.text
    assert f"result_{number}" in answer.text
    assert f'#r{number}"' in answer.text
    assert client.get("/results/1/report").status_code == 404


def test_what_is_not_published_is_not_there(client: TestClient, store: Store) -> None:
    number = add(store, result_of(plan=OFFICIAL), "Secret", published=False)
    with store.read() as session:
        entry = session.get(Entry, number)
        assert entry is not None
        system = entry.system_id
    for address in (
        f"/systems/{system}",
        f"/api/v1/systems/{system}",
        f"/api/v1/systems/{system}/results",
        f"/api/v1/results/{number}",
        f"/api/v1/results/{number}/file",
        f"/results/{number}/report",
        f"/results/{number}",
        f"/compare?s=1&s={system}",
    ):
        answer = client.get(address)
        assert answer.status_code == 404, address
        assert "Secret" not in answer.text
    for address in ("/", "/api/v1/systems", "/api/v1/standings", "/api/v1/results"):
        assert "Secret" not in client.get(address).text


def test_the_comparison(client: TestClient) -> None:
    page = client.get("/compare?s=1&s=5").text
    bars = [float(tag["width"]) for tag in parse(page).named("rect")]
    # b_eff 19919 and 5439, per process 39 and 1360
    assert bars[:4] == [100.0, 27.3, 2.9, 100.0]
    assert "Choose two to 6 systems" in client.get("/compare?s=1").text
    assert client.get("/compare?s=999999").status_code == 404
    assert client.get("/compare?" + "&".join(f"s={i}" for i in range(1, 9))).status_code == 422


def test_short_addresses_lead_to_results(client: TestClient) -> None:
    answer = client.get("/results/1", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"][:9]) == (303, "/systems/")
    assert "#r1" in answer.headers["location"]
    assert 'id="r1"' in client.get("/results/1").text


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


def test_editions_stay(client: TestClient, store: Store) -> None:
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
    with store.write() as session, pytest.raises(RefusedError, match="no name of an edition"):
        make_edition(session, "2026-13")


def test_plots_show_ranges_of_repeated_runs(client: TestClient, store: Store) -> None:
    before = parse(client.get("/plots").text)
    for speed in (1.0, 1.5):
        add(store, result_of(plan=OFFICIAL, speed=speed), HOSTILE[:120])
    page = client.get("/plots").text
    assert dangers(page, 0) == []
    parsed = parse(page)
    ranges = [tag for tag in parsed.named("line") if tag["class"] == "range"]
    assert len(ranges) == 1
    assert float(ranges[0]["y1"]) - float(ranges[0]["y2"]) > 1
    assert len(parsed.named("circle")) == len(before.named("circle")) + 2


def test_the_api_is_explained_to_people(client: TestClient) -> None:
    page = client.get("/api").text
    assert "GET /api/v1/standings" in page
    assert "Return a page of the personal ranking." in page


def test_messages_are_for_people(client: TestClient) -> None:
    page = client.get("/compare?" + "&".join(f"s={i}" for i in range(1, 9))).text
    assert "Choose at most 6 systems, not 8." in page


def test_weights_stay_when_sorting(client: TestClient) -> None:
    page = parse(client.get("/?w_io=2&used=any").text)
    links = [tag["href"] for tag in page.named("a") if "data-keeps-weights" in tag]
    assert len(links) > 5
    assert all("w_io=2" in link and "used=any" in link for link in links)


# --- strangers' texts and wrong questions ---


def test_everything_a_submitter_writes_is_escaped(client: TestClient, store: Store) -> None:
    document = result_of(plan=OFFICIAL, host="h")
    document["environment"]["mpi"]["library"] = HOSTILE
    document["environment"]["cpu"]["model"] = HOSTILE
    document["environment"]["omp_num_threads"] = HOSTILE
    add(store, document, HOSTILE[:120])
    fields = ("site", "accelerators", "interconnect", "file_system", "price_range", "note")
    lines = [f"{name}: {json.dumps(HOSTILE)}" for name in fields]
    with store.write() as session:
        keep_hardware(session, parse_hardware("f", "\n".join(lines)), HOSTILE[:120])
    number = client.get("/api/v1/systems?verified=1").json()["systems"][0]["id"]
    pages = {
        address: client.get(address)
        for address in (
            "/",
            f"/systems/{number}",
            f"/compare?s=1&s={number}",
            f"/?interconnect={HOSTILE}",
        )
    }
    for address, answer in pages.items():
        assert answer.status_code == 200
        assert dangers(answer.text, 1 if address.startswith("/?") or address == "/" else 0) == []
        assert "49" not in "".join(parse(answer.text).text).replace("49.", "") or address != "/"
    assert HOSTILE[:60] in "".join(parse(pages["/"].text).text)


def test_threads_and_the_note_on_the_file_system_are_shown(
    client: TestClient, store: Store
) -> None:
    document = make_io_result(IoRun(note=f"8 servers, {HOSTILE}"))
    document["environment"]["omp_num_threads"] = "4,2" + "9" * 1000
    number = add(store, document, "Filing system")
    record = client.get(f"/api/v1/results/{number}").json()
    page = client.get(f"/systems/{record['system_id']}").text
    assert dangers(page, 0) == []
    text = "".join(parse(page).text)
    assert f"File system: 8 servers, {HOSTILE}" in text
    assert "OMP_NUM_THREADS=4,2999" in text
    assert "2 cores for a process" in text
    assert record["filesystem_note"] == f"8 servers, {HOSTILE}"
    assert record["cores_per_process"] == 2
    assert len(record["omp_num_threads"]) == 120


def test_a_spreadsheet_runs_nothing(client: TestClient, store: Store) -> None:
    add(store, result_of(plan=OFFICIAL), "=HYPERLINK(1)")
    rows = list(csv.DictReader(io.StringIO(client.get("/api/v1/systems?format=csv").text)))
    assert "'=HYPERLINK(1)" in {row["name"] for row in rows}


@pytest.mark.parametrize(
    "text", ["' OR 1=1 --", "'; DROP TABLE entries; --", "%", "_", "\\", "a" * 100, "\u0000"]
)
def test_filters_are_no_sql(client: TestClient, text: str) -> None:
    answer = client.get("/api/v1/systems", params={"interconnect": text})
    assert answer.status_code == 200
    assert answer.json()["total"] == 0
    assert client.get("/api/v1/systems").json()["total"] == 10


@pytest.mark.parametrize(
    ("address", "status", "code"),
    [
        ("/api/v1/systems/999999", 404, "not_found"),
        ("/api/v1/results/999999", 404, "not_found"),
        ("/api/v1/systems/0", 422, "refused"),
        ("/api/v1/systems/99999999999999999999", 422, "refused"),
        ("/api/v1/systems/x", 422, "refused"),
        ("/api/v1/systems?w_io=11", 422, "refused"),
        ("/api/v1/systems?w_io=-1", 422, "refused"),
        ("/api/v1/systems?w_io=nan", 422, "refused"),
        ("/api/v1/systems?per_page=1000", 422, "refused"),
        ("/api/v1/systems?page=0", 422, "refused"),
        ("/api/v1/systems?sort=secret", 422, "refused"),
        ("/api/v1/systems?format=xml", 422, "refused"),
        ("/api/v1/nothing", 404, "not_found"),
    ],
)
def test_errors_have_one_shape(client: TestClient, address: str, status: int, code: str) -> None:
    answer = client.get(address)
    assert answer.status_code == status
    assert set(answer.json()) == {"error"}
    error = answer.json()["error"]
    assert (error["status"], error["code"]) == (status, code)
    assert error["message"]


def test_errors_of_pages_are_pages(client: TestClient) -> None:
    for address, status in (("/systems/999999", 404), ("/nothing", 404), ("/?w_io=11", 422)):
        answer = client.get(address)
        assert answer.status_code == status
        assert answer.headers["content-type"].startswith("text/html")
    assert client.put("/api/v1/systems").json()["error"]["code"] == "wrong_method"


@pytest.mark.parametrize("address", ["/", "/about", "/submit", "/api/v1/systems", "/nothing"])
def test_every_answer_is_guarded(client: TestClient, address: str) -> None:
    headers = client.get(address).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert headers["x-content-type-options"] == "nosniff"


def test_nothing_is_loaded_from_elsewhere(client: TestClient) -> None:
    for address in ("/", "/about", "/submit", "/systems/1", "/compare?s=1&s=5"):
        parsed = parse(client.get(address).text)
        for tag, name in (("script", "src"), ("link", "href"), ("a", "href"), ("form", "action")):
            for attributes in parsed.named(tag):
                target = attributes.get(name, "")
                assert "//" not in target, (address, target)
                if tag in ("script", "link"):
                    assert client.get(target).status_code == 200


def test_another_host_name_is_refused(client: TestClient) -> None:
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 400


def test_files_beside_the_static_ones_are_not_served(client: TestClient) -> None:
    for name in ("..%2fapp.py", "%2e%2e/app.py", "../app.py", "app.py", "list.css%00"):
        assert client.get(f"/static/{name}").status_code in (404, 422)


# --- rows that no machine has ---


@pytest.mark.parametrize("value", [1e30, 1e308, float("inf"), 1e-320])
def test_a_bad_row_takes_no_page_down(client: TestClient, store: Store, value: float) -> None:
    """Figures that got into the database by some other way."""
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
