"""The built site on this machine alone, built again when the list changes."""

import hashlib
import os
import subprocess
import sys
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from beff.list.folder import SETTINGS, SYSTEMS
from beff.store.index import cache_folder

_LOOK_S = 1.0


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing of requests."""

    def end_headers(self) -> None:
        """Let the browser ask again, since the site changes."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()


def serve(folder: Path, port: int) -> None:
    """Build and serve until it is interrupted. Raises OSError where the port is taken."""
    folder = folder.resolve()
    site = cache_folder() / "sites" / hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    seen = _state(folder)
    _build(folder, site)
    with ThreadingHTTPServer(("127.0.0.1", port), partial(_Quiet, directory=str(site))) as server:
        print(
            f"the list is at http://127.0.0.1:{server.server_port}/ until you press Ctrl-C",
            flush=True,
        )
        threading.Thread(target=server.serve_forever, daemon=True).start()
        while True:
            time.sleep(_LOOK_S)
            now = _state(folder)
            if now != seen:
                seen = now
                _build(folder, site)


def _build(folder: Path, site: Path) -> None:
    """Build in a process of its own, so that this one stays small and goes on.

    Python would import files of the folder that it starts in, which come from strangers.
    """
    command = (
        sys.executable,
        "-m",
        "beff",
        "list",
        "build",
        str(folder),
        "--output-dir",
        str(site),
    )
    subprocess.run(command, stdout=subprocess.DEVNULL, cwd="/", check=False)


def _state(folder: Path) -> frozenset[tuple[str, int, int]]:
    paths = [folder / SETTINGS, *(folder / SYSTEMS).rglob("*")]
    return frozenset(
        (str(path), found.st_mtime_ns, found.st_size)
        for path in paths
        if path.is_file() and (found := path.lstat())
    )
