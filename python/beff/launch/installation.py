"""From where this installation of beff came, and the command that adds to it."""

import json
import shlex
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution, metadata
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from beff.result.errors import ResultError
from beff.result.places import is_folder


def install_command(extra: str) -> str:
    """Return the command that adds an extra of pyproject.toml to this installation."""
    record = _record()
    folder = Path(unquote(urlsplit(record.get("url", "")).path))
    with suppress(ResultError):
        if "dir_info" in record and is_folder(folder):
            return f"pip install {shlex.quote(f'{folder}[{extra}]')}"
    source = repository() or (record["url"] if "archive_info" in record else None)
    wanted = f"beff[{extra}]{f' @ {source}' if source else ''}"
    return f"pip install {shlex.quote(wanted)}"


def repository() -> str | None:
    """Return "git+URL@COMMIT", as pip takes it; None where beff came from elsewhere."""
    record = _record()
    vcs = record.get("vcs_info")
    return f"{vcs['vcs']}+{record['url']}@{vcs['commit_id']}" if vcs else None


def home() -> str | None:
    """Return the address of beff's own repository; None where pyproject.toml has none."""
    try:
        addresses = metadata("beff").get_all("Project-URL") or ()
    except PackageNotFoundError:
        addresses = ()
    return dict(one.split(", ", 1) for one in addresses).get("Repository")


def _record() -> dict[str, Any]:
    """Return what pip notes of what it did not take from an index (PEP 610, direct_url.json)."""
    try:
        text = distribution("beff").read_text("direct_url.json")
    except PackageNotFoundError:
        text = None
    record: dict[str, Any] = json.loads(text) if text else {}
    return record
