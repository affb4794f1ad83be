"""Signed results on the list: whose key, whether it is that of those before, and who is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pages import parse, submit
from test_operator import enter, operator

from beff.cli.app import main
from beff.cli.signing import public_key, sign_file, signing_key
from beff.store.changes import publish_entry
from beff.store.database import Store
from beff.store.queries import entry_of
from beff.store.signers import Signers
from beff.store.tables import Entry
from beff.web.app import create_app
from beff.web.settings import Settings
from store_support import bytes_of, result_of

__all__ = ["operator"]

A, B = "a" * 64, "b" * 64


@pytest.mark.parametrize(
    ("before", "key", "says", "breaks"),
    [
        ([], None, "", False),
        ([None, None], None, "", False),
        ([None], A, "signed by key aaaaaaaaaaaaaaaa, the first signed result of this", False),
        ([A], A, "the same key as the last", False),
        ([B, A, A, A], A, "signed by key aaaaaaaaaaaaaaaa, the same key as the last 3", False),
        ([A, B], A, "not the key of the result before, but of an earlier one", False),
        ([A, None], A, "not the key of the result before, but of an earlier one", False),
        ([A, A], B, "signed by key bbbbbbbbbbbbbbbb, a key that no result of this", True),
        ([A], None, "not signed, though the result before is", True),
        ([A, None], None, "", False),
    ],
)
def test_words(before: list[str | None], key: str | None, says: str, breaks: bool) -> None:
    signers = Signers()
    for one in before:
        signers.add(one)
    assert says in signers.words(key)
    assert bool(signers.words(key)) == bool(says)
    assert signers.breaks(key) == breaks


class Signing:
    """Results of one machine, each signed by the key of a person."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder, self._monkeypatch, self._made = folder, monkeypatch, 0

    def key_of(self, person: str) -> str:
        self._monkeypatch.setenv("XDG_CONFIG_HOME", str(self._folder / person))
        return public_key(signing_key())

    def result(self, person: str | None) -> dict[str, Any]:
        self._made += 1
        document = result_of(speed=1 + self._made / 10)
        if person is None:
            return document
        self.key_of(person)
        file = self._folder / "result.json"
        file.write_bytes(bytes_of(document))
        sign_file(file, signing_key())
        signed: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return signed


@pytest.fixture
def signing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Signing:
    return Signing(tmp_path, monkeypatch)


def publish(store: Store, number: int) -> None:
    with store.write() as session:
        publish_entry(session, entry_of(session, str(number)), published=True)


def test_the_list_says_that_it_is_the_key_of_those_before(
    client: TestClient, store: Store, token: str, signing: Signing
) -> None:
    numbers = [
        submit(client, token, signing.result("ann"), system="New").json()["id"] for _ in range(4)
    ]
    for number in numbers:
        publish(store, number)
    key = signing.key_of("ann")
    system = client.get(f"/api/v1/results/{numbers[0]}").json()["system_id"]
    text = "".join(parse(client.get(f"/systems/{system}").text).text)
    for told in ("the first signed result of this system", "the same key as the last 3"):
        assert f"signed by key {key[:16]}, {told}" in text
    record = client.get(f"/api/v1/results/{numbers[0]}").json()
    assert record["signed_by"] == key
    file = client.get(f"/api/v1/results/{numbers[0]}/file").json()
    assert file["signature"]["public_key"] == key


def test_another_key_or_none_waits_for_the_operator(
    store: Store, token: str, operator: str, signing: Signing, capsys: pytest.CaptureFixture[str]
) -> None:
    at_once = Settings(hosts=("testserver",), publish_at_once=True)
    client = TestClient(create_app(store, at_once), raise_server_exceptions=False)
    first = submit(client, token, signing.result("ann"), system="New").json()
    second = submit(client, token, signing.result("ann"), system="New").json()
    assert (first["published"], second["published"]) == (True, True)
    other = submit(client, token, signing.result("eve"), system="New").json()
    unsigned = submit(client, token, signing.result(None), system="New").json()
    assert (other["published"], unsigned["published"]) == (False, False)
    assert "a key that no result of this system had before" in other["warnings"][0]
    assert "not signed, though the result before is" in unsigned["warnings"][0]
    enter(client, operator)
    page = "".join(parse(client.get("/operator").text).text)
    assert f"signed by key {signing.key_of('eve')[:16]}, a key that no result" in page
    assert main(["store", "waiting", "--database", str(store.engine.url.database)]) == 0
    assert f"signed by key {signing.key_of('eve')[:16]}, a key" in capsys.readouterr().out


def test_a_signature_that_does_not_fit_is_refused(
    client: TestClient, store: Store, token: str, signing: Signing
) -> None:
    changed = signing.result("ann")
    changed["environment"]["uname"]["release"] = "another kernel"
    answer = submit(client, token, changed, system="New")
    assert answer.status_code == 422
    assert "does not verify: signature is one by key" in answer.json()["error"]["message"]
    with store.read() as session:
        assert not session.query(Entry).filter(Entry.status != "historic").count()
