"""The full report of a result as a page of its own, with the charts of `beff report`."""

import threading
import zlib
from collections import OrderedDict
from typing import NamedTuple

from fastapi import HTTPException

from beff.model.load import check_document
from beff.model.strict_json import json_object


class Report(NamedTuple):
    """A page and the Content-Security-Policy under which its own style and scripts run."""

    text: str
    policy: str


class Reports:
    """Draws reports one at a time, which takes seconds, and keeps the last ones."""

    _KEPT = 50
    _WAIT_S = 60.0

    def __init__(self) -> None:
        self._drawing = threading.Lock()
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def report(self, sha256: str, label: str, content: bytes) -> Report:
        """Return the report of a stored result file. Raises 503 when too many wait."""
        # Loading the charts takes longer than all of a server that is not asked for reports.
        from beff.report.page.html_file import page, page_policy  # noqa: PLC0415
        from beff.report.subject import LabelledResult, Subject  # noqa: PLC0415

        if not self._drawing.acquire(timeout=self._WAIT_S):
            raise HTTPException(503, "too many reports are being drawn", {"Retry-After": "60"})
        try:
            if sha256 not in self._kept:
                document = check_document(label, json_object(label, content.decode("utf-8")))
                text = page(Subject((LabelledResult(label, document),)))
                self._kept[sha256] = zlib.compress(text.encode("utf-8"))
                while len(self._kept) > self._KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(sha256)
            text = zlib.decompress(self._kept[sha256]).decode("utf-8")
            return Report(text, f"{page_policy()}; frame-ancestors 'none'")
        finally:
            self._drawing.release()
