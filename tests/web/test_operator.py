"""The operator's page: who may, what it shows, what its buttons do."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from pages import dangers, parse, submit

from beff.store import queries
from beff.store.audit import notes
from beff.store.database import Store
from beff.store.tokens import create_token, owner_of, revoke_token
from store_support import OFFICIAL, result_of


@pytest.fixture
def operator(store: Store) -> str:
    """An operator's token."""
    with store.write() as session:
        return create_token(session, "chief", operator=True)


def mark_of(client: TestClient) -> str:
    tags = parse(client.get("/operator").text).named("input")
    return next(tag["value"] for tag in tags if tag["name"] == "mark")


def press(client: TestClient, path: str, **fields: Any) -> Any:
    return client.post(f"/operator/{path}", data={"mark": mark_of(client), **fields})


def enter(client: TestClient, operator: str) -> None:
    assert "Waiting:" in press(client, "login", token=operator).text


def test_what_waits_is_shown_and_published(
    client: TestClient, store: Store, token: str, operator: str
) -> None:
    name = "<script>alert(1)</script>"
    number = submit(client, token, result_of(plan=OFFICIAL), system=name).json()["id"]
    enter(client, operator)
    page = client.get("/operator")
    assert page.headers["cache-control"] == "no-store"
    assert dangers(page.text, 0) == []
    text = "".join(parse(page.text).text)
    assert name in text
    assert "from “tester”" in text
    assert "Model CPU" in text
    press(client, "publish", entry=number)
    assert f"entry {number}" in str([note.subject for note in notes_of(store)])
    assert notes_of(store)[0].actor == "chief"
    assert "Nothing waits" in client.get("/operator").text
    assert client.get(f"/api/v1/results/{number}").status_code == 200


def notes_of(store: Store) -> list[Any]:
    with store.read() as session:
        return [note for note in notes(session, 5) if note.action in ("publish", "refuse")]


def test_a_refusal_reaches_who_submitted(
    client: TestClient, store: Store, token: str, operator: str
) -> None:
    number = submit(client, token, result_of(), system="New").json()["id"]
    enter(client, operator)
    press(client, "refuse", entry=number, reason="which machine?")
    assert "Nothing waits" in client.get("/operator").text
    assert submit(client, token, result_of(), system="New").json()["refusal"] == "which machine?"
    assert notes_of(store)[0].detail == "which machine?"


def test_quotas(client: TestClient, token: str, operator: str) -> None:
    enter(client, operator)
    press(client, "quota", token="tester", most=1)
    assert submit(client, token, result_of(), system="New").status_code == 201
    answer = submit(client, token, result_of(speed=2.0), system="New")
    assert answer.status_code == 422
    assert "1 of your results wait" in answer.json()["error"]["message"]


def test_what_the_store_refuses_is_told(
    client: TestClient, store: Store, token: str, operator: str
) -> None:
    with store.write() as session:
        create_token(session, "other")
        revoke_token(session, "other")
        third = create_token(session, "third")
    first = submit(client, token, result_of(), system="New").json()["id"]
    copy = submit(client, third, result_of(), system="Copy").json()["id"]
    enter(client, operator)
    assert "New: b_eff, 1.74 GB/s with 4 processes" in client.get("/operator").text
    for reason in ("\u200b", " ", "?"):
        answer = press(client, "refuse", entry=first, reason=reason)
        assert answer.status_code == 409
        assert "at least one visible letter" in answer.text
    press(client, "publish", entry=first)
    answer = press(client, "publish", entry=copy)
    assert (answer.status_code, "withdraw one before" in answer.text) == (409, True)
    answer = press(client, "refuse", entry=first, reason="late")
    assert (answer.status_code, "is published; withdraw it" in answer.text) == (409, True)
    for name in ("other", "nobody"):
        answer = press(client, "quota", token=name, most=1)
        assert (answer.status_code, "no token" in answer.text) == (409, True)


@pytest.mark.parametrize("path", ["publish", "refuse", "quota"])
def test_nobody_else_decides(
    client: TestClient, store: Store, token: str, operator: str, path: str
) -> None:
    number = submit(client, token, result_of(), system="New").json()["id"]
    fields = {"entry": number, "reason": "x", "token": "tester", "most": 0}
    assert press(client, path, **fields).status_code == 401
    assert press(client, "login", token=token).status_code == 401
    assert press(client, path, **fields).status_code == 401
    enter(client, operator)
    assert client.post(f"/operator/{path}", data={"mark": "0" * 64, **fields}).status_code == 403
    with store.write() as session:
        revoke_token(session, "chief")
    assert press(client, path, **fields).status_code == 401
    with store.read() as session:
        assert [entry.id for entry in queries.waiting(session)] == [number]


def test_leaving(client: TestClient, operator: str) -> None:
    enter(client, operator)
    press(client, "logout")
    assert "Token of an operator" in client.get("/operator").text


def test_an_operator_does_not_submit(client: TestClient, store: Store, operator: str) -> None:
    with store.read() as session:
        assert owner_of(session, operator) is None
    assert submit(client, operator, result_of(), system="New").status_code == 401
