"""Which command adds an extra, by what pip has noted of where beff came from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from beff.launch import engine
from beff.launch.engine import install_command, repository

WHEEL = "file:///opt/beff-0.1.0-py3-none-linux.whl"
FORGE = "https://forge.example/beff.git"
COMMIT = "0123456789012345678901234567890123456789"


class Installed:
    def __init__(self, record: dict[str, Any] | None) -> None:
        self.record = record

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return None if self.record is None else json.dumps(self.record)


VCS = {"vcs": "git", "commit_id": COMMIT}
SOURCE = f"git+{FORGE}@{COMMIT}"


@pytest.mark.parametrize(
    ("record", "command", "of_git"),
    [
        (None, "pip install 'beff[list]'", None),
        ({"url": "{folder}/gone", "dir_info": {}}, "pip install 'beff[list]'", None),
        ({"url": "{folder}/my%20beff", "dir_info": {}}, "pip install '{path}/my beff[list]'", None),
        ({"url": WHEEL, "archive_info": {}}, f"pip install 'beff[list] @ {WHEEL}'", None),
        ({"url": FORGE, "vcs_info": VCS}, f"pip install 'beff[list] @ {SOURCE}'", SOURCE),
    ],
    ids=["index", "folder that is gone", "folder", "wheel", "repository"],
)
def test_an_extra_is_added_from_where_beff_came_from(
    record: dict[str, Any] | None,
    command: str,
    of_git: str | None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    (tmp_path / "my beff").mkdir()
    found = record and {**record, "url": record["url"].format(folder=tmp_path.as_uri())}
    monkeypatch.setattr(engine, "distribution", lambda _: Installed(found))
    assert install_command("list") == command.format(path=tmp_path)
    assert repository() == of_git
