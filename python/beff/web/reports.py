"""The full report of a result, as `beff report` draws it: in a process of its own, one at a time.

No request waits for it: whoever asks first gets a page that asks again after some seconds.
"""

import logging
import os
import re
import subprocess
import sys
import tempfile
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from typing import NamedTuple

from fastapi import HTTPException

_POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]+)"')
_LIMITS = (f"-d {3 << 20}", "-t 90", f"-f {64 << 11}")
"""Of `ulimit`: memory in KiB, processor time in s, the largest file in blocks of 512 byte."""
_DRAWING_LIMIT_S = 120
_MOST_WAITING = 50
_KEPT_BYTES = 256 << 20
_REFUSED = 1
"""Exit code of `beff report` for a result that cannot be shown."""


class Report(NamedTuple):
    """A page and the Content-Security-Policy under which its own style and scripts run."""

    text: str
    policy: str


class Reports:
    """Has reports drawn by one worker, each once, and keeps the last ones and the failures."""

    def __init__(self) -> None:
        self._worker = ThreadPoolExecutor(1, "reports")
        self._lock = threading.Lock()
        self._waiting: set[str] = set()
        self._kept: OrderedDict[str, bytes | HTTPException] = OrderedDict()

    def report(self, label: str, load: Callable[[], bytes]) -> Report | None:
        """Return the report of a result; None while it is drawn.

        `label` is a file name without its ending, and `load` gives the result file. Raises 503 when
        too many wait, and what drawing it has failed with.
        """
        with self._lock:
            found = self._kept.get(label)
            if found is not None:
                self._kept.move_to_end(label)
            elif label not in self._waiting:
                if len(self._waiting) >= _MOST_WAITING:
                    raise HTTPException(503, "too many reports wait", {"Retry-After": "60"})
                self._waiting.add(label)
                self._worker.submit(self._keep, label, load())
        if found is None:
            return None
        if isinstance(found, HTTPException):
            raise HTTPException(found.status_code, found.detail)
        text = zlib.decompress(found).decode("utf-8")
        own = _POLICY.search(text)
        policy = unescape(own[1]) if own else "default-src 'none'"
        return Report(text, f"{policy}; frame-ancestors 'none'")

    def close(self) -> None:
        """Draw no more."""
        self._worker.shutdown(wait=True, cancel_futures=True)

    def _keep(self, label: str, content: bytes) -> None:
        made: bytes | HTTPException
        try:
            made = zlib.compress(draw(label, content).encode("utf-8"))
        except HTTPException as problem:
            made = problem
        except Exception:
            logging.getLogger(__name__).exception("the report %s cannot be drawn", label)
            made = HTTPException(500, "the report cannot be drawn; the operator finds the reason")
        with self._lock:
            self._waiting.discard(label)
            self._kept[label] = made
            sizes = {key: len(kept) for key, kept in self._kept.items() if isinstance(kept, bytes)}
            while sum(sizes.values()) > _KEPT_BYTES or len(self._kept) > 10_000:
                oldest, _ = self._kept.popitem(last=False)
                sizes.pop(oldest, None)


def draw(label: str, content: bytes) -> str:
    """Draw the report of a result file with bounded memory and time.

    Raises HTTPException where there can be none, RuntimeError with the traceback of a fault.
    """
    with tempfile.TemporaryDirectory(prefix="beff-report-") as folder:
        file, page = Path(folder) / f"{label}.json", Path(folder) / "report.html"
        file.write_bytes(content)
        limits = " && ".join(f"ulimit {limit}" for limit in _LIMITS)
        report = (sys.executable, "-m", "beff", "report", str(file), "-o", str(page))
        try:
            subprocess.run(
                ["/bin/sh", "-c", f'{limits} && exec "$@"', "sh", *report],
                env={**os.environ, "TMPDIR": folder},
                capture_output=True,
                timeout=_DRAWING_LIMIT_S,
                check=True,
            )
        except subprocess.TimeoutExpired:
            raise HTTPException(404, "the report of this result takes too long") from None
        except subprocess.CalledProcessError as problem:
            if problem.returncode != _REFUSED:  # a fault, of which the server's log tells
                tracebacks = [file.read_text("utf-8") for file in Path(folder).glob("*.txt")]
                raise RuntimeError("\n".join(tracebacks)) from problem
            raise HTTPException(404, "of this result no report can be drawn") from None
        return page.read_text(encoding="utf-8")
