"""Pages beside the list: systems, results, reports, comparison, plots."""

from __future__ import annotations

import time
from unittest.mock import patch

from fastapi.testclient import TestClient
from pages import HOSTILE, dangers, parse

from beff.store.changes import keep_hardware
from beff.store.database import Store
from beff.store.hardware import parse_hardware
from beff.store.tables import Entry
from store_support import OFFICIAL, add, bytes_of, result_of


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


def test_a_report_is_that_of_the_present_file(client: TestClient, store: Store) -> None:
    drawn: list[bytes] = []
    with patch("beff.web.reports.draw", lambda _, content: f"<body>{drawn.append(content)}"):
        for content in (bytes_of(result_of()), bytes_of(result_of()) + b" "):
            number = add(store, content, "New", replace=True)
            while client.get(f"/results/{number}/report").status_code == 202:
                time.sleep(0.01)
            assert drawn[-1] == content
    assert len(drawn) == 2


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


def test_the_comparison_is_of_the_runs_of_the_list(client: TestClient, store: Store) -> None:
    """A run on two of 100 cores stands beside others only where any part is asked for."""
    with store.write() as session:
        keep_hardware(session, parse_hardware("f", "name: Big\ncores: 100"))
    add(store, result_of(plan=OFFICIAL, speed=1e3), "Big")
    page = client.get("/?used=any").text
    number = next(tag["value"] for tag in parse(page).named("input") if tag["name"] == "s")
    assert parse(page).named("input")[-1] == {"type": "hidden", "name": "used", "value": "any"}
    answer = client.get(f"/compare?s=1&s={number}")
    assert answer.status_code == 404
    assert "with a run on at least half of its machine" in answer.text
    page = client.get(f"/compare?s=1&s={number}&used=any").text
    assert "2 processes on 2 % of the machine" in "".join(parse(page).text)
    assert 'name="verified" value="True"' in client.get("/?verified=1").text


def test_short_addresses_lead_to_results(client: TestClient) -> None:
    answer = client.get("/results/1", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"][:9]) == (303, "/systems/")
    assert "#r1" in answer.headers["location"]
    assert 'id="r1"' in client.get("/results/1").text


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


def test_plots_are_of_the_usual_runs_that_pass_the_filters(
    client: TestClient, store: Store
) -> None:
    """Of three runs the middle one, though another is better."""
    runs = [add(store, result_of(plan=OFFICIAL, speed=speed), "New") for speed in (1.0, 1.5, 1.2)]
    over_processes = parse(client.get("/plots?name=new").text).named("a")
    links = [link["href"] for link in over_processes if "/results/" in link["href"]]
    assert links == [f"/results/{runs[2]}"]
    assert len(parse(client.get("/plots?verified=1&used=any").text).named("circle")) == 2
    assert "nothing to draw" in client.get("/plots?site=zzz").text


def test_the_api_is_explained_to_people(client: TestClient) -> None:
    page = client.get("/api").text
    assert "GET /api/v1/standings" in page
    assert "Return a page of the personal ranking." in page


def test_messages_are_for_people(client: TestClient) -> None:
    page = client.get("/compare?" + "&".join(f"s={i}" for i in range(1, 9))).text
    assert "Choose at most 6 systems, not 8." in page
