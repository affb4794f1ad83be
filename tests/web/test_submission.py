"""Submitting: what is taken, what is refused with which status; a refusal stores nothing."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pages import dangers, parse, submit
from sqlalchemy import func, select
from sqlalchemy.exc import DBAPIError

from beff.store import queries
from beff.store.changes import publish_entry, refuse_entry
from beff.store.database import Store
from beff.store.errors import RefusedError, StoreError
from beff.store.subprocess_reading import read_result_in_subprocess
from beff.store.tables import AuditNote, Entry, System, Token
from beff.store.tokens import create_token, owner_of, revoke_token
from beff.web.app import create_app
from beff.web.security import RateLimit
from beff.web.settings import Settings
from store_support import OFFICIAL, bytes_of, result_of

Send = Callable[..., Any]
MIB = 1 << 20


@pytest.fixture
def send(client: TestClient, token: str) -> Send:
    """Send a file by the API."""

    def sent(content: bytes, *, bearer: str = token, **fields: str) -> Any:
        headers = {"Authorization": f"Bearer {bearer}"} if bearer else {}
        hardware = fields.pop("hardware", None)
        if hardware is None:
            fields.setdefault("system", "New")
        files = {"file": ("b_eff.json", content)}
        if hardware is not None:
            files["hardware"] = ("x.yaml", hardware.encode())
        return client.post("/api/v1/results", headers=headers, files=files, data=fields)

    return sent


def counts(store: Store) -> tuple[int, int, int]:
    with store.read() as session:
        entries, systems, notes = (
            session.scalar(select(func.count()).select_from(table)) or 0
            for table in (Entry, System, AuditNote)
        )
    return entries, systems, notes


def test_a_good_file_is_stored_and_waits(client: TestClient, store: Store, send: Send) -> None:
    content = bytes_of(result_of(plan=OFFICIAL))
    answer = send(content, system="New one", sha256=hashlib.sha256(content).hexdigest())
    assert answer.status_code == 201
    said = answer.json()
    assert (said["status"], said["new"], said["published"]) == ("valid", True, False)
    assert said["system"] == "New one"
    assert "New one" not in client.get("/").text
    with store.read() as session:
        entry = session.get(Entry, said["id"])
        assert entry is not None
        assert entry.submitted_by == "tester"
        note = session.scalars(select(AuditNote).order_by(AuditNote.id.desc())).first()
        assert note is not None
        assert (note.actor, note.action, note.subject) == ("tester", "add", f"entry {said['id']}")


def test_a_replay_changes_nothing(store: Store, send: Send) -> None:
    content = bytes_of(result_of())
    first = send(content, system="New")
    before = counts(store)
    again = send(content)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json()["id"] == first.json()["id"]
    assert (again.json()["new"], again.json()["system"]) == (False, "New")
    assert counts(store) == before


def test_the_same_samples_in_another_file_are_refused(store: Store, send: Send) -> None:
    document = result_of()
    send(bytes_of(document), system="New")
    before = counts(store)
    document["environment"]["uname"]["release"] = "another kernel"
    answer = send(bytes_of(document), system="Elsewhere")
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "duplicate"
    assert counts(store) == before


def forged() -> dict[str, bytes]:
    better = result_of()
    better["summary"]["b_eff_MBps"] *= 2
    digest = result_of()
    digest["digest"]["samples"] = "0123456789abcdef"
    sample = result_of()
    sample["samples"]["time_max_s"][0] /= 2
    whole = bytes_of(result_of())
    return {
        "better": bytes_of(better),
        "digest": bytes_of(digest),
        "sample": bytes_of(sample),
        "truncated": whole[:-1000],
        "empty": b"",
        "nested": b"[" * 200_000,
        "nested objects": b'{"a":' * 200_000 + b"1" + b"}" * 200_000,
        "binary": bytes(range(256)),
        "list": b"[1, 2]",
        "told twice": b'{"schema_version": 1, "schema_version": 2}',
        "html": b"<!doctype html><script>alert(1)</script>",
        "gzip": b"\x1f\x8b\x08\x00" + b"\x00" * 100,
    }


@pytest.mark.parametrize("what", sorted(forged()))
def test_a_bad_file_is_refused_with_the_reason(store: Store, send: Send, what: str) -> None:
    before = counts(store)
    answer = send(forged()[what])
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert error["code"] == "refused"
    assert error["message"].startswith("the file: ")
    assert counts(store) == before


def test_a_forged_hash(store: Store, send: Send) -> None:
    before = counts(store)
    for wrong in ("0" * 64, "x", "é" * 10):
        answer = send(bytes_of(result_of()), sha256=wrong)
        assert answer.status_code == 422
        assert "SHA-256" in answer.json()["error"]["message"]
    assert counts(store) == before


@pytest.mark.parametrize("bearer", ["", "wrong", "x" * 5000, "' OR 1=1 --", "tester"])
def test_a_wrong_token(store: Store, send: Send, bearer: str) -> None:
    before = counts(store)
    answer = send(bytes_of(result_of()), bearer=bearer)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert counts(store) == before


def test_a_revoked_token(store: Store, send: Send) -> None:
    with store.write() as session:
        revoke_token(session, "tester")
    assert send(bytes_of(result_of())).status_code == 401


def test_tokens_are_kept_as_hashes(store: Store, token: str) -> None:
    with store.read() as session:
        (kept,) = session.scalars(select(Token))
        assert kept.sha256 == hashlib.sha256(token.encode()).hexdigest()
        assert owner_of(session, token) == "tester"
        assert owner_of(session, kept.sha256) is None
    with store.write() as session, pytest.raises(StoreError, match="choose another name"):
        create_token(session, "tester")


def test_too_large(store: Store, client: TestClient, token: str, send: Send) -> None:
    before = counts(store)
    answer = send(b" " * (3 * MIB))
    assert answer.status_code == 413
    assert answer.json()["error"]["code"] == "too_large"

    def chunks() -> Any:
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'
        for _ in range(8):
            yield b" " * MIB

    answer = client.post(
        "/api/v1/results",
        headers={
            "Authorization": f"Bearer {token}",
            "Content-Type": "multipart/form-data; boundary=x",
        },
        content=chunks(),
    )
    assert answer.status_code == 413
    assert counts(store) == before


@pytest.mark.parametrize("length", ["-1", "x", "9" * 100])
def test_a_length_that_is_none(client: TestClient, length: str) -> None:
    answer = client.post("/api/v1/results", headers={"Content-Length": length}, content=b"")
    assert answer.status_code in (400, 413)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"--x",
        b"--x\r\n\r\n--x--",
        b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n1\r\n--x--\r\n',
    ],
)
def test_a_broken_form(client: TestClient, store: Store, token: str, body: bytes) -> None:
    before = counts(store)
    answer = client.post(
        "/api/v1/results",
        headers={
            "Authorization": f"Bearer {token}",
            "Content-Type": "multipart/form-data; boundary=x",
        },
        content=body,
    )
    assert answer.status_code in (400, 422)
    assert "error" in answer.json()
    assert counts(store) == before


def test_hardware_of_own_systems_only(client: TestClient, store: Store, send: Send) -> None:
    send(bytes_of(result_of()), hardware="name: New\ninterconnect: first")
    send(bytes_of(result_of(speed=2.0)), hardware="name: New\ninterconnect: second")
    send(bytes_of(result_of(speed=3.0)), hardware="name: IBM SP\nsite: hijacked")
    with store.read() as session:
        waiting = queries.waiting(session)
        assert [entry.system.interconnect for entry in waiting] == [None] * 3
        numbers = [entry.id for entry in waiting]
    with store.write() as session:
        for number in numbers:
            publish_entry(session, queries.entry_of(session, str(number)), published=True)
    with store.read() as session:
        known = {system.name: system for system in session.scalars(select(System))}
        assert known["New"].interconnect == "second"
        assert known["IBM SP"].site == "LLNL, blue Pacific"
    answer = send(bytes_of(result_of(speed=4.0)), hardware="colour: red")
    assert answer.status_code == 422
    assert "colour" in answer.json()["error"]["message"]


def test_too_often(store: Store, token: str) -> None:
    settings = Settings(hosts=("testserver",), submissions_per_minute=2)
    with TestClient(create_app(store, settings)) as client:
        answers = [client.post("/api/v1/results", files={"file": ("f", b"{}")}) for _ in range(3)]
        told = client.post(
            "/api/v1/results",
            headers={"Authorization": f"Bearer {token}"},
            files={"file": ("f", b"{}")},
        )
    assert [answer.status_code for answer in answers] == [401, 401, 429]
    assert 1 <= int(answers[2].headers["retry-after"]) <= 31
    assert answers[2].json()["error"]["code"] == "too_often"
    assert told.status_code == 422  # who has a token is not kept waiting by others who guess


def test_the_rate_limit_by_a_clock_of_its_own() -> None:
    now = [0.0]
    limit = RateLimit(2, clock=lambda: now[0])
    assert [limit.wait_s("a") for _ in range(3)] == [0, 0, 30]
    assert limit.wait_s("b") == 0
    now[0] = 30.0
    assert limit.wait_s("a") == 0
    assert limit.wait_s("a") == 30
    for number in range(20_000):
        limit.wait_s(str(number))
    assert len(limit._tries) <= 10_000


# --- the form ---


def open_form(client: TestClient) -> str:
    page = client.get("/submit")
    (mark,) = [tag["value"] for tag in parse(page.text).named("input") if tag["name"] == "mark"]
    return mark


def test_the_form(client: TestClient, store: Store, token: str) -> None:
    mark = open_form(client)
    answer = client.post(
        "/submit",
        data={"mark": mark, "token": f" {token} ", "system": "<i>New</i>"},
        files={"file": ("f.json", bytes_of(result_of()))},
    )
    assert answer.status_code == 200
    assert "Stored as result 24" in answer.text
    assert dangers(answer.text, 0) == []
    assert "<i>" not in answer.text


def test_the_form_tells_of_a_refusal_and_promises_nothing(
    client: TestClient, store: Store, token: str
) -> None:
    document = result_of()
    number = submit(client, token, document, system="New").json()["id"]
    with store.write() as session:
        refuse_entry(session, session.get_one(Entry, number), "which machine?")
    answer = client.post(
        "/submit",
        data={"mark": open_form(client), "token": token, "system": "New"},
        files={"file": ("f.json", bytes_of(document))},
    )
    assert "The operator has refused it: which machine?" in answer.text
    assert "It will be shown when" not in answer.text


@pytest.mark.parametrize("case", ["no cookie", "no mark", "foreign mark", "foreign origin"])
def test_a_form_of_another_site_is_refused(
    client: TestClient, store: Store, token: str, case: str
) -> None:
    mark = open_form(client)
    before = counts(store)
    headers = {}
    if case == "no cookie":
        client.cookies.clear()
    if case == "foreign origin":
        headers["Origin"] = "http://evil.example"
    marks = {"no mark": "", "foreign mark": "0" * 64}
    answer = client.post(
        "/submit",
        data={"mark": marks.get(case, mark), "token": token},
        files={"file": ("f.json", bytes_of(result_of()))},
        headers=headers,
    )
    assert answer.status_code == (422 if case == "no mark" else 403)
    assert counts(store) == before


def test_refusals_of_the_form_are_escaped_pages(client: TestClient, token: str) -> None:
    mark = open_form(client)
    document = result_of() | {"schema_version": "<script>alert(1)</script>"}
    answer = client.post(
        "/submit",
        data={"mark": mark, "token": token},
        files={"file": ("<script>.json", bytes_of(document))},
    )
    assert answer.status_code == 422
    assert "schema_version" in answer.text
    assert dangers(answer.text, 0) == []


# --- what must hold whatever happens ---


def test_two_submit_the_same_at_once(store: Store, client: TestClient, send: Send) -> None:
    content = bytes_of(result_of())
    answers: list[Any] = []
    threads = [threading.Thread(target=lambda: answers.append(send(content))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=240)
    assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 201]
    assert len({answer.json()["id"] for answer in answers}) == 1


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "null", "//", "\x7f"])
def test_an_origin_that_is_no_address(client: TestClient, token: str, origin: str) -> None:
    mark = open_form(client)
    answer = client.post(
        "/submit",
        data={"mark": mark, "token": token},
        files={"file": ("f.json", b"{}")},
        headers={"Origin": origin},
    )
    assert answer.status_code == 403


def test_a_damaged_file_is_said_to_be(client: TestClient, store: Store, send: Send) -> None:
    number = send(bytes_of(result_of(plan=OFFICIAL))).json()["id"]
    with store.write() as session:
        entry = queries.entry_of(session, str(number))
        publish_entry(session, entry, published=True)
        assert entry.file is not None
        entry.file.compressed = b"\0" + entry.file.compressed[1:]
    answer = client.get(f"/api/v1/results/{number}/file")
    assert answer.status_code == 500
    assert "is damaged in the database" in answer.json()["error"]["message"]
    assert "is damaged in the database" in client.get(f"/results/{number}/report").text


def test_the_log_cannot_be_changed(store: Store) -> None:
    for change in (
        "UPDATE audit SET actor = 'nobody'",
        "DELETE FROM audit",
        "REPLACE INTO audit SELECT id, at, 'nobody', action, subject, detail FROM audit",
    ):
        with store.engine.connect() as connection, pytest.raises(DBAPIError, match="never changed"):
            connection.exec_driver_sql(change)


def test_verification_has_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of 40 MiB of lists needs more memory than a process with 300 MiB has."""
    monkeypatch.setattr("beff.store.subprocess_reading.MEMORY_LIMIT_BYTES", 300 * MIB)
    with pytest.raises(RefusedError, match="the time and memory there is"):
        read_result_in_subprocess("file", b"[" + b"[]," * (14 * MIB) + b"[]]")
