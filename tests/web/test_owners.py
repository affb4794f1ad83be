"""Whose a system and a measurement is: strangers wait, and shut nobody out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from string import ascii_letters, ascii_lowercase, digits
from typing import Any

import pytest
from confusable_homoglyphs import confusables
from fastapi.testclient import TestClient
from pages import submit
from support.results import with_derived

from beff.cli.app import main
from beff.store import queries
from beff.store.changes import publish_entry, refuse_entry, system_named
from beff.store.database import Store
from beff.store.errors import RefusedError, StoreError
from beff.store.hardware import parse_hardware
from beff.store.measurement import same_measurement
from beff.store.owners import give, look_alikes, shape_of, warnings_of
from beff.store.reading import read_result
from beff.store.system_record import differences_by
from beff.store.tokens import create_token
from beff.web.app import create_app
from beff.web.settings import Settings
from store_support import OFFICIAL, add, bytes_of, result_of

Send = Callable[..., Any]


@pytest.fixture
def send(store: Store) -> Iterator[Send]:
    """Submit as one of two users to a list that publishes at once."""
    with store.write() as session:
        tokens = {name: create_token(session, name) for name in ("true", "other")}
    settings = Settings(hosts=("testserver",), submissions_per_minute=1000, publish_at_once=True)
    with TestClient(create_app(store, settings)) as client:

        def sent(name: str, document: dict[str, Any], **fields: str) -> Any:
            answer = submit(client, tokens[name], document, **fields)
            return answer.json() | {"code": answer.status_code}

        yield sent


def other_kernel(document: dict[str, Any]) -> dict[str, Any]:
    document["environment"]["uname"]["release"] = "another kernel"
    return document


def test_a_system_is_of_the_token_that_made_it(send: Send) -> None:
    assert send("true", result_of(), system="Mine")["published"]
    assert send("true", result_of(speed=2.0), system="Mine")["published"]
    said = send("other", result_of(speed=3.0), system="Mine")
    assert (said["code"], said["published"]) == (201, False)
    assert said["warnings"] == ["system 'Mine' belongs to 'true'"]
    said = send("other", result_of(speed=4.0), system="IBM SP")
    assert said["warnings"] == ["system 'IBM SP' belongs to 'the operator'"]


def test_an_owner_adds_others(store: Store, send: Send) -> None:
    send("true", result_of(), system="Mine", share_with="other")
    assert send("other", result_of(speed=2.0), system="Mine")["published"]
    said = send("other", result_of(speed=3.0), system="Mine", share_with="other")
    assert (said["code"], said["error"]["code"]) == (422, "refused")
    with store.write() as session:
        give(session, queries.existing_system(session, "IBM SP"), "other")
    assert send("other", result_of(speed=4.0), system="IBM SP")["published"]


def refuse(store: Store, number: int) -> None:
    with store.write() as session:
        refuse_entry(session, queries.entry_of(session, str(number)), "no such machine")


def owner_of_system(store: Store, name: str) -> str | None:
    with store.read() as session:
        return queries.existing_system(session, name).owner


def test_a_name_is_not_taken_by_what_is_refused(store: Store, send: Send) -> None:
    """Neither by who took it, nor by those whom he has added, and whoever comes first then."""
    taken = result_of(started_at="2099-01-01T00:00:00Z")
    assert not send("other", taken, system="Famous")["published"]
    refuse(store, send("other", taken, system="Famous")["id"])
    assert send("true", result_of(speed=2.0), system="Famous")["published"]
    assert owner_of_system(store, "Famous") == "true"
    assert not send("other", result_of(speed=3.0), system="Famous")["published"]


def test_a_name_passes_on_with_the_first_result_that_is_published(store: Store, send: Send) -> None:
    taken = send("other", result_of(started_at="2099-01-01T00:00:00Z"), system="Famous")
    came_later = send("true", result_of(speed=2.0), system="Famous")
    assert came_later["warnings"] == ["system 'Famous' belongs to 'other'"]
    refuse(store, taken["id"])
    with store.write() as session:
        publish_entry(session, queries.entry_of(session, str(came_later["id"])), published=True)
    assert owner_of_system(store, "Famous") == "true"


def send_hardware(
    store: Store, actor: str, document: dict[str, Any], lines: str, system: str = "Famous"
) -> int:
    return add(store, document, system, hardware=parse_hardware("f", lines), actor=actor)


def published(store: Store, number: int) -> tuple[str | None, str | None, list[str]]:
    """Publish; returns owner and site of the system, and what the operator was warned of."""
    with store.write() as session:
        entry = queries.entry_of(session, str(number))
        warnings = warnings_of(session, entry)
        expected = differences_by(session, entry)
        assert publish_entry(session, entry, published=True) == expected
        return entry.system.owner, entry.system.site, warnings


def test_a_squatter_does_not_cost_the_owner_his_hardware(store: Store) -> None:
    taken = result_of(started_at="2099-01-01T00:00:00Z")
    squatted = send_hardware(store, "other", taken, "site: Nowhere")
    own = send_hardware(store, "true", result_of(speed=2.0), "site: Here")
    with store.read() as session:
        (warning,) = warnings_of(session, queries.entry_of(session, str(own)))
        assert warning.startswith("system 'Famous' belongs to 'other'; hardware counts only if")
    refuse(store, squatted)
    assert published(store, own) == ("true", "Here", [])


def test_who_lost_a_system_describes_it_no_more(store: Store) -> None:
    with store.write() as session:
        create_token(session, "true")
    taken = result_of(started_at="2099-01-01T00:00:00Z")
    before = send_hardware(store, "other", taken, "site: Nowhere")
    with store.write() as session:
        give(session, queries.existing_system(session, "Famous"), "true")
    owner, site, warnings = published(store, before)
    assert (owner, site) == ("true", None)
    assert warnings[0].startswith("system 'Famous' belongs to 'true'")


def test_an_owner_with_something_published_or_waiting_stays(store: Store, send: Send) -> None:
    send("true", result_of(), system="Mine")
    odd = result_of(speed=2.0, started_at="2099-01-01T00:00:00Z")
    refuse(store, send("true", odd, system="Mine")["id"])
    send("other", result_of(speed=3.0), system="Mine")
    assert owner_of_system(store, "Mine") == "true"


def test_nothing_merges_into_a_host_name(store: Store, send: Send) -> None:
    said = send("true", result_of(host="vm"))
    assert said["code"] == 422
    assert "name it with --system" in said["error"]["message"]


def test_nor_does_a_result_of_the_operator(store: Store) -> None:
    add(store, result_of(), "node", actor="other", published=False)
    with pytest.raises(
        RefusedError, match="'node', and that system belongs to 'other'; name the system"
    ):
        add(store, result_of(speed=2.0))
    number = add(store, result_of(speed=2.0), "node")
    assert add(store, bytes_of(result_of(speed=2.0)) + b" ", replace=True) == number


def test_a_waiting_copy_does_not_shut_the_owner_out(store: Store, send: Send) -> None:
    """The copy waits as its system is somebody's; then who measured it comes."""
    copy = send("other", result_of(plan=OFFICIAL), system="IBM SP")
    own = send("true", other_kernel(result_of(plan=OFFICIAL)), system="Mine")
    assert (own["code"], own["new"], own["published"]) == (201, True, False)
    assert own["warnings"][0].startswith(f"the same measurement is entry {copy['id']} of system")
    with store.write() as session:
        publish_entry(session, queries.entry_of(session, str(own["id"])), published=True)
    with (
        pytest.raises(RefusedError, match=f"entry {own['id']} is published"),
        store.write() as session,
    ):
        publish_entry(session, queries.entry_of(session, str(copy["id"])), published=True)


@pytest.mark.parametrize("changed", [False, True])
def test_a_waiting_copy_does_not_shut_the_operator_out(store: Store, changed: bool) -> None:
    copy = add(store, result_of(), "Thief", actor="other", published=False)
    mine = other_kernel(result_of()) if changed else result_of()
    own = add(store, mine, "Rightful", replace=changed)
    with store.read() as session:
        entry = queries.entry_of(session, str(own))
        assert (entry.system.name, entry.published, entry.id > copy) == ("Rightful", True, True)
        assert queries.entry_of(session, str(copy)).system.name == "Thief"
    assert add(store, mine, "Rightful") == own


def test_a_published_copy_is_told_to_the_operator(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = add(store, result_of(), "Thief", actor="other")
    path = tmp_path / "own.json"
    path.write_bytes(bytes_of(result_of()))
    database = store.engine.url.database or ""
    assert main(["store", "add", str(path), "--system", "Mine", "--database", database]) == 0
    said = capsys.readouterr().out.splitlines()
    assert f"stored as entry {copy + 1} of system 'Mine'" in said[0]
    assert f"is not published: the same measurement is entry {copy} of system 'Thief'" in said[-1]
    assert f"beff store publish {copy + 1}" in said[-1]


def test_samples_that_differ_in_the_last_digit_are_the_same() -> None:
    one = result_of(plan=OFFICIAL)
    for name in ("time_max_s", "time_avg_s", "time_min_s"):
        times = one["samples"][name]
        one["samples"][name] = [
            time * (1 + 1e-15 * (place % 7)) for place, time in enumerate(times)
        ]
    texts = [
        read_result("f", bytes_of(document)).measurement
        for document in (
            with_derived(one),
            result_of(plan=OFFICIAL),
            result_of(plan=OFFICIAL, speed=1.01),
        )
    ]
    assert one["samples"] != result_of(plan=OFFICIAL)["samples"]
    assert same_measurement(texts[0], texts[1])
    assert not same_measurement(texts[1], texts[2])


@pytest.mark.parametrize(
    "name",
    [
        *("I\u0412M SP", "ibm sp", "IBM\u200b SP", "IBM SP\u3164", "I B M S P"),
        *("\uff29\uff22\uff2d SP", "lBM SP"),
    ],
)
def test_names_that_look_alike_are_shown_side_by_side(store: Store, send: Send, name: str) -> None:
    said = send("true", result_of(), system=name)
    (warning,) = said["warnings"]
    assert not said["published"]
    if name != "IBM\u200b SP":  # what cannot be seen is not stored, so this is IBM SP itself
        assert "looks like 'IBM SP'" in warning
    if name[1] == "\u0412":
        assert "I[U+0412]M SP beside IBM SP" in warning


@pytest.mark.parametrize("letter", ascii_letters + digits)
def test_whatever_looks_like_a_letter_does_so_in_a_name(letter: str) -> None:
    alike = [one["c"] for one in confusables.confusables_data.get(letter, [])]
    names = [f"A{other}" for other in (*alike, letter.swapcase()) if len(other) == 1]
    assert [ascii(name) for name in names if shape_of(name) != shape_of(f"A{letter}")] == []


def test_the_commonest_letters_of_other_scripts_look_alike() -> None:
    assert shape_of("Fronti\u0435r \u0405\u0395\u0396\u03a5") == shape_of("Frontier SEZY")


def test_letters_that_do_not_look_alike_are_told_apart() -> None:
    shapes: dict[str, str] = {}
    for letter in ascii_lowercase + digits:
        shapes[shape_of(letter)] = shapes.get(shape_of(letter), "") + letter
    assert [alike for alike in shapes.values() if len(alike) > 1] == ["il1", "o0"]


@pytest.mark.parametrize("name", ["\u2800", "\u3164 \u115f", "\u0332", "\ufe0f", "-"])
def test_a_name_can_be_seen(store: Store, name: str) -> None:
    with pytest.raises(RefusedError, match="visible letter or digit"), store.write() as session:
        system_named(session, name)


def test_other_names_do_not(store: Store) -> None:
    with store.read() as session:
        assert look_alikes(session, queries.existing_system(session, "NEC SX-5")) == []


def test_no_token_is_called_as_the_operator(store: Store) -> None:
    with store.write() as session, pytest.raises(StoreError, match="choose another name"):
        create_token(session, "command  line")


def test_what_no_honest_run_says_waits(send: Send) -> None:
    said = send("true", result_of(started_at="2099-01-01T00:00:00Z"), system="Mine")
    assert not said["published"]
    assert said["warnings"][0] == "date: the run began in the future, at 2099-01-01"
