"""What strangers write or ask wrongly takes no page down."""

from __future__ import annotations

import csv
import io
import json

import pytest
from fastapi.testclient import TestClient
from pages import HOSTILE, dangers, parse
from support.io_results import IoRun, make_io_result

from beff.store.changes import keep_hardware
from beff.store.database import Store
from beff.store.hardware import parse_hardware
from store_support import OFFICIAL, add, result_of

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


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("/?w_beff=5", "'w_beff' is not known here; /api names all parameters."),
        ("/plots?procesess_from=3", "'procesess_from' is not known here; /api names"),
        ("/api/v1/standings?used_by=x", "'used_by' is not known here"),
        ("/api/v1/systems?form=csv", "'form' is not known here"),
        ("/api/v1/results?size=1", "'size' is not known here"),
        ("/results/abc", "'number' must be a whole number, not 'abc'."),
        ("/compare?s=x", "'s' must be a whole number, not 'x'."),
        ("/?w_io=11", "'w_io' must be at most 10, not '11'."),
        ("/?w_io=" + "x" * 50, f"'w_io' must be a number, not '{'x' * 40}…'."),
        ("/?verified=maybe", "'verified' must be 1 or 0, not 'maybe'."),
        ("/api/v1/systems?format=xml", "'format' must be 'json' or 'csv', not 'xml'"),
    ],
)
def test_messages_are_for_people(client: TestClient, address: str, message: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 422
    assert message in "".join(parse(answer.text).text)


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
