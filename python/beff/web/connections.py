"""Connections that wait for their client: a bounded number, and nobody is sent away for them."""

from collections import OrderedDict
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_WAITING = 300
"""Connections without a whole request; below the number of files that a process may open."""


class BoundedProtocol(H11Protocol):
    """Closes the connection that has waited longest when too many do.

    A connection waits from its beginning, or from its last answer, until a whole request is there.
    Whoever opens many without asking anything closes his own; a reader asks at once.
    """

    most_waiting = MOST_WAITING
    _waiting: ClassVar[OrderedDict["BoundedProtocol", None]] = OrderedDict()

    def connection_made(self, transport: Any) -> None:
        """Begin to wait."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request; with its last one the waiting ends."""
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._waiting.pop(self, None)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        if not self.transport.is_closing():
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._waiting.pop(self, None)
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waiting[self] = None
        self._waiting.move_to_end(self)
        while len(self._waiting) > self.most_waiting:
            oldest, _ = self._waiting.popitem(last=False)
            oldest.transport.abort()
