"""What stands between the network and the pages: headers, sizes, rates, forged forms."""

import hashlib
import hmac
import ipaddress
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit

from fastapi import HTTPException, Request, Response
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": PAGE_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}


class SecurityHeaders:
    """Adds the headers that a page did not choose itself."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers)


class _TooLargeError(Exception):
    """More bytes came than are allowed."""


class SizeLimit:
    """Refuses request bodies beyond a limit while they arrive, whatever their header says."""

    def __init__(self, app: ASGIApp, most: int, answer: Callable[[Request, int], ASGIApp]) -> None:
        self.app, self.most, self.answer = app, most, answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 413."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        announced = request.headers.get("content-length", "0")
        arrived, started = 0, False
        refused = not announced.isdigit() or int(announced[:20]) > self.most

        async def receive_counted() -> Message:
            nonlocal arrived, refused
            message = await receive()
            arrived += len(message.get("body", b""))
            if arrived > self.most:
                refused = True
                raise _TooLargeError
            return message

        async def send_unless_refused(message: Message) -> None:
            # Whoever reads the body may turn our error into an answer of its own.
            nonlocal started
            if started or not refused:
                started = True
                await send(message)

        if not refused:
            with suppress(_TooLargeError):
                await self.app(scope, receive_counted, send_unless_refused)
        if refused and not started:
            await self.answer(request, self.most)(scope, receive, send)


class RateLimit:
    """At most so many tries per minute and caller; remembers a bounded number of callers."""

    _CALLERS = 10_000
    _MINUTE_S = 60.0

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_minute, self._clock = per_minute, clock
        self._tries: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, caller: str) -> float:
        """Count a try. Returns 0 when it is allowed, else after how many seconds the next is."""
        now = self._clock()
        left, then = self._tries.pop(caller, (float(self._per_minute), now))
        per_second = self._per_minute / self._MINUTE_S
        left = min(float(self._per_minute), left + (now - then) * per_second)
        allowed = left >= 1
        self._tries[caller] = (left - 1 if allowed else left, now)
        if len(self._tries) > self._CALLERS:
            self._tries.popitem(last=False)
        return 0.0 if allowed else (1 - left) / per_second


def set_cookie(request: Request, answer: Response, name: str, value: str) -> None:
    """Let a reader keep a cookie that scripts and other sites do not see."""
    answer.set_cookie(
        name, value, httponly=True, samesite="strict", secure=request.url.scheme == "https"
    )


def _host_of(address: str) -> str | None:
    """Return host and port of an address; None for what is none."""
    try:
        return urlsplit(address).netloc
    except ValueError:
        return None


def network_of(address: str) -> str:
    """Return what stands for a caller: an IPv4 address, or the /64 in which an IPv6 one lies."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if known.version == 4:
        return address
    return str(ipaddress.ip_network((known, 64), strict=False))


class FormGuard:
    """Forms count only when they come from our own page (no cross-site request forgery).

    A form carries a keyed hash of a random cookie that other sites cannot read or set.
    """

    COOKIE = "beff_form"
    _LONGEST = 100

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def cookie_of(self, request: Request) -> str:
        """Return the cookie of a reader, a new one for who has none."""
        return request.cookies.get(self.COOKIE) or secrets.token_urlsafe(24)

    def mark(self, cookie: str) -> str:
        """Return what the form must carry."""
        return hmac.new(self._key, cookie.encode("utf-8"), hashlib.sha256).hexdigest()

    def check(self, request: Request, mark: str) -> None:
        """Raise 403 unless the form belongs to the cookie and to this site."""
        cookie = request.cookies.get(self.COOKIE, "")
        origin = request.headers.get("origin")
        foreign = origin is not None and _host_of(origin) != request.headers.get("host")
        known = bool(cookie) and len(cookie) <= self._LONGEST
        expected = self.mark(cookie) if known else secrets.token_hex()
        if foreign or not hmac.compare_digest(expected.encode(), mark.encode("utf-8", "replace")):
            raise HTTPException(403, "the form is too old or of another site; load it again")
