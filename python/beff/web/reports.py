"""The full report of a result, as `beff report` draws it: in a process of its own."""

import os
import re
import subprocess
import sys
import tempfile
import threading
import zlib
from collections import OrderedDict
from html import unescape
from pathlib import Path
from typing import NamedTuple

from fastapi import HTTPException

_POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]+)"')
_DRAWING_LIMIT_S = 120
_WAIT_S = 60.0
_KEPT = 50
_REFUSED = 1
"""Exit code of `beff report` for a result that cannot be shown."""


class Report(NamedTuple):
    """A page and the Content-Security-Policy under which its own style and scripts run."""

    text: str
    policy: str


class Reports:
    """Draws reports one at a time, which takes seconds, and keeps the last ones."""

    def __init__(self) -> None:
        self._drawing = threading.Lock()
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def report(self, sha256: str, label: str, content: bytes) -> Report:
        """Return the report of a stored result file; `label` is a file name without its ending.

        Raises 503 when too many wait, or when drawing takes too long.
        """
        if not self._drawing.acquire(timeout=_WAIT_S):
            raise HTTPException(503, "too many reports are being drawn", {"Retry-After": "60"})
        try:
            if sha256 not in self._kept:
                self._kept[sha256] = zlib.compress(_draw(label, content).encode("utf-8"))
                while len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(sha256)
            text = zlib.decompress(self._kept[sha256]).decode("utf-8")
        finally:
            self._drawing.release()
        own = _POLICY.search(text)
        policy = unescape(own[1]) if own else "default-src 'none'"
        return Report(text, f"{policy}; frame-ancestors 'none'")


def _draw(label: str, content: bytes) -> str:
    with tempfile.TemporaryDirectory(prefix="beff-report-") as folder:
        file, page = Path(folder) / f"{label}.json", Path(folder) / "report.html"
        file.write_bytes(content)
        command = [sys.executable, "-m", "beff", "report", str(file), "-o", str(page)]
        try:
            subprocess.run(
                command,
                env={**os.environ, "TMPDIR": folder},
                capture_output=True,
                timeout=_DRAWING_LIMIT_S,
                check=True,
            )
        except subprocess.TimeoutExpired:
            raise HTTPException(503, "the report takes too long", {"Retry-After": "60"}) from None
        except subprocess.CalledProcessError as problem:
            if problem.returncode != _REFUSED:  # a fault, of which the server's log tells
                tracebacks = [file.read_text("utf-8") for file in Path(folder).glob("*.txt")]
                raise RuntimeError("\n".join(tracebacks)) from problem
            raise HTTPException(404, "of this result no report can be drawn") from None
        return page.read_text(encoding="utf-8")
