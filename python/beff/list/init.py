"""A new list: settings, the systems of the papers, and what forges need."""

from pathlib import Path

import yaml

from beff.list.folder import HARDWARE, PUBLISHED, SETTINGS, SYSTEMS, published_text, slug_of
from beff.list.published import published_systems
from beff.model.errors import BeffError
from beff.store.hardware import Hardware

_NEW = Path(__file__).parent / "new"
_FILES = {
    "README.md": "README.md",
    "github.yml": ".github/workflows/list.yml",
    "gitlab.yml": ".gitlab-ci.yml",
}
_SETTINGS = """\
title: {title}
# repository: https://forge.example/our/list
weights:
  b_eff: 1
presets:
  communication: {{b_eff: 1}}
  I/O: {{io: 1}}
  balance: {{balance: 1}}
  latency: {{latency: 1}}
"""


def init(folder: Path, title: str) -> None:
    """Make a list in a folder that is new, empty or a fresh repository. Raises BeffError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(path.name != ".git" for path in folder.iterdir()):
            raise BeffError(f"{folder}: is not empty; name a new folder")
        for source, target in _FILES.items():
            (folder / target).parent.mkdir(parents=True, exist_ok=True)
            (folder / target).write_bytes((_NEW / source).read_bytes())
        (folder / ".gitignore").write_text("/site/\n/public/\n/comment.md\n", "utf-8")
        for hardware, entries in published_systems():
            place = folder / SYSTEMS / slug_of(hardware.name or "")
            place.mkdir(parents=True)
            (place / HARDWARE).write_text(hardware_text(hardware), "utf-8")
            (place / PUBLISHED).write_text(published_text(entries), "utf-8")
        (folder / SETTINGS).write_text(_SETTINGS.format(title=_quoted(title)), "utf-8")
    except OSError as problem:
        raise BeffError(f"{folder}: cannot be written ({problem.strerror})") from None


def _quoted(text: str) -> str:
    return yaml.safe_dump(text, allow_unicode=True, default_style='"', width=1000).strip()


def hardware_text(hardware: Hardware) -> str:
    """Return the content of a system.yaml."""
    told = hardware.model_dump(exclude_none=True)
    return yaml.safe_dump(told, sort_keys=False, allow_unicode=True, width=100)
