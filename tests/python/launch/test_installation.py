"""Which command adds an extra, by what pip has noted of where beff came from."""

from __future__ import annotations

import json
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from beff.launch import installation
from beff.launch.installation import home, install_command, repository

WHEEL = "file:///opt/beff-0.1.0-py3-none-linux.whl"
FORGE = "https://forge.example/beff.git"
COMMIT = "0123456789012345678901234567890123456789"


class Installed:
    def __init__(self, record: dict[str, Any] | None) -> None:
        self.record = record

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return None if self.record is None else json.dumps(self.record)


def installed(monkeypatch: pytest.MonkeyPatch, record: dict[str, Any] | None) -> None:
    monkeypatch.setattr(installation, "distribution", lambda _: Installed(record))


def test_from_an_index(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, None)
    assert install_command("list") == "pip install 'beff[list]'"
    assert repository() is None


def test_from_a_folder_that_is_still_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    checkout = tmp_path / "my beff"
    installed(monkeypatch, {"url": checkout.as_uri(), "dir_info": {}})
    assert install_command("list") == "pip install 'beff[list]'"
    checkout.mkdir()
    assert install_command("list") == f"pip install '{checkout}[list]'"


def test_from_a_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, {"url": WHEEL, "archive_info": {}})
    assert install_command("report") == f"pip install 'beff[report] @ {WHEEL}'"


def test_from_a_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, {"url": FORGE, "vcs_info": {"vcs": "git", "commit_id": COMMIT}})
    assert repository() == f"git+{FORGE}@{COMMIT}"
    assert install_command("list") == f"pip install 'beff[list] @ git+{FORGE}@{COMMIT}'"


@pytest.mark.parametrize(
    ("addresses", "expected"),
    [
        (None, None),
        (["Documentation, https://docs.example"], None),
        (["Repository, https://forge.example/beff"], "https://forge.example/beff"),
    ],
)
def test_the_address_of_the_repository_is_that_of_the_package(
    monkeypatch: pytest.MonkeyPatch, addresses: list[str] | None, expected: str | None
) -> None:
    package = Message()
    for address in addresses or ():
        package["Project-URL"] = address
    monkeypatch.setattr(installation, "metadata", lambda _: package)
    assert home() == expected
