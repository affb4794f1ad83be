"""A new list: settings, a workflow for the forge, and what contributors read."""

from pathlib import Path

import yaml

from beff.launch.installation import repository
from beff.list.folder import SETTINGS
from beff.result.errors import BeffError, TargetError
from beff.result.places import is_folder

_NEW = Path(__file__).parent / "new"
_FILES = {"README.md": "README.md", "github.yml": ".github/workflows/list.yml"}
_SETTINGS = """\
title: {title}
# repository: https://forge.example/our/list
{beff}
published: true  # with the systems of the papers, of 1999 to 2001
presets:  # weights of figures, the first to begin with; io_2 is the 30 minutes of Top Clusters
  communication: {{b_eff: 1}}
  latency: {{latency: 1}}
  balance: {{balance: 1}}
  file I/O: {{io: 1}}
  Top Clusters: {{b_eff: 1, io_2: 1}}
"""


def init(folder: Path, title: str) -> None:
    """Make a list in a folder that is new, empty or a fresh repository. Raises BeffError."""
    quoted = yaml.safe_dump(title, allow_unicode=True, default_style='"', width=1000).strip()
    origin = repository()
    beff = f"beff: {origin}" if origin else "# beff: git+https://forge.example/beff@COMMIT"
    try:
        if not is_folder(folder):
            folder.mkdir(parents=True)
        if any(path.name != ".git" for path in folder.iterdir()):
            raise TargetError(f"{folder}: is not empty; name a new folder")
        for source, target in _FILES.items():
            (folder / target).parent.mkdir(parents=True, exist_ok=True)
            (folder / target).write_bytes((_NEW / source).read_bytes())
        (folder / SETTINGS).write_text(_SETTINGS.format(title=quoted, beff=beff), "utf-8")
    except OSError as problem:
        raise BeffError(f"{folder}: cannot be written ({problem.strerror})") from None
