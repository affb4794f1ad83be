"""The API against its own description: whatever is asked, no failure of the server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from beff.store.database import open_store
from beff.store.published_figures import add_published
from beff.web.app import create_app
from beff.web.settings import Settings
from store_support import OFFICIAL, add, result_of

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
"""Not among them: that all data of the right shape are taken. A file may be no result."""


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The schema of an application with a few results."""
    with open_store(str(tmp_path_factory.mktemp("api") / "list.sqlite3")) as store:
        with store.write() as session:
            add_published(session)
        add(store, result_of(plan=OFFICIAL), "New")
        app = create_app(store, Settings(hosts=("*",), submissions_per_minute=1_000_000))
        yield schemathesis.openapi.from_asgi("/api/v1/openapi.json", app)


def test_every_answer_is_described(api: Any) -> None:
    """For questions that keep the description and for those that break it."""
    tried = 0
    for found in api.get_all_operations():
        operation = found.ok()
        tried += 1
        for mode in schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE:

            @settings(max_examples=30, suppress_health_check=list(HealthCheck))
            @given(case=operation.as_strategy(generation_mode=mode))
            def ask(case: Any) -> None:
                case.call_and_validate(checks=CHECKS)

            ask()
    assert tried == 9
