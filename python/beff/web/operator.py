"""The operator's page: what waits, by whom, what it would change; publish, refuse, quotas."""

import secrets
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlalchemy.orm import Session

from beff.store import queries
from beff.store.changes import publish_entry, refuse_entry
from beff.store.errors import RefusedError, StoreError
from beff.store.owners import warnings_of
from beff.store.signers import signers_before
from beff.store.system_record import differences_by
from beff.store.tables import TEXT_LENGTH, Entry
from beff.store.tokens import operator_of, set_quota, tokens
from beff.web.pages import render
from beff.web.security import FormGuard, set_cookie
from beff.web.submission import slow_down_stranger

router = APIRouter(include_in_schema=False)
COOKIE = "beff_operator"
_SESSION_S = 8 * 3600.0
_MOST_SHOWN = 50
_Mark = Annotated[str, Form(max_length=100)]


class OperatorSessions:
    """Who has shown an operator's token; in memory only, so a restart ends all sessions."""

    _MOST = 100

    def __init__(self) -> None:
        self._until: OrderedDict[str, tuple[float, str]] = OrderedDict()

    def begin(self, token: str) -> str:
        """Return the secret of a new session."""
        secret = secrets.token_urlsafe(32)
        self._until[secret] = (time.monotonic() + _SESSION_S, token)
        while len(self._until) > self._MOST:
            self._until.popitem(last=False)
        return secret

    def token_of(self, secret: str) -> str:
        """Return the token of a session that has not ended; empty for any other."""
        until, token = self._until.get(secret, (0.0, ""))
        return token if until > time.monotonic() else ""

    def end(self, secret: str) -> None:
        """End a session."""
        self._until.pop(secret, None)


def _operator(request: Request, session: Session) -> str | None:
    """Return the name of the operator who asks; a revoked token ends its sessions."""
    sessions: OperatorSessions = request.app.state.operators
    token = sessions.token_of(request.cookies.get(COOKIE, ""))
    return operator_of(session, token) if token else None


@router.get("/operator")
def operator_page(request: Request) -> HTMLResponse:
    """Show what waits, or ask for the operator's token."""
    guard: FormGuard = request.app.state.forms
    cookie = guard.cookie_of(request)
    mark = guard.mark(cookie)
    with request.app.state.store.read() as session:
        name = _operator(request, session)
        if name is None:
            page = render(request, "operator_login.html", mark=mark)
        else:
            waiting = queries.waiting(session)
            page = render(
                request,
                "operator.html",
                mark=mark,
                name=name,
                count=len(waiting),
                waiting=[
                    (
                        one,
                        warnings_of(session, one),
                        differences_by(session, one),
                        _signed(session, one),
                    )
                    for one in waiting[:_MOST_SHOWN]
                ],
                tokens=tokens(session),
                waiting_of=queries.waiting_of(session),
                default_quota=request.app.state.settings.waiting_per_token,
            )
    set_cookie(request, page, FormGuard.COOKIE, cookie)
    page.headers["Cache-Control"] = "no-store"
    return page


def _signed(session: Session, entry: Entry) -> str:
    return signers_before(session, entry.system_id).words(entry.signed_by)


@router.post("/operator/login")
def login(request: Request, mark: _Mark, token: Annotated[str, Form(max_length=200)]) -> Response:
    """Begin a session. Raises 401 for any other token than an operator's."""
    request.app.state.forms.check(request, mark)
    with request.app.state.store.read() as session:
        name = operator_of(session, token.strip())
    if name is None:
        slow_down_stranger(request)
        raise HTTPException(401, "that is not the token of an operator")
    answer = _back()
    secret = request.app.state.operators.begin(token.strip())
    set_cookie(request, answer, COOKIE, secret)
    return answer


@router.post("/operator/logout")
def logout(request: Request, mark: _Mark) -> Response:
    """End the session."""
    request.app.state.forms.check(request, mark)
    request.app.state.operators.end(request.cookies.get(COOKIE, ""))
    answer = _back()
    answer.delete_cookie(COOKIE)
    return answer


@router.post("/operator/publish")
def publish(request: Request, mark: _Mark, entry: Annotated[int, Form()]) -> Response:
    """Publish an entry."""
    return _change(request, mark, entry, None)


@router.post("/operator/refuse")
def refuse(
    request: Request,
    mark: _Mark,
    entry: Annotated[int, Form()],
    reason: Annotated[str, Form(min_length=1, max_length=TEXT_LENGTH)],
) -> Response:
    """Refuse an entry with a reason that its submitter is told."""
    return _change(request, mark, entry, reason)


def _change(request: Request, mark: str, number: int, reason: str | None) -> Response:
    with _writing(request, mark) as (session, name):
        entry = queries.entry_of(session, str(number))
        if reason is None:
            publish_entry(session, entry, published=True, actor=name)
        else:
            refuse_entry(session, entry, reason, actor=name)
    return _back()


@router.post("/operator/quota")
def quota(
    request: Request,
    mark: _Mark,
    token: Annotated[str, Form(max_length=200)],
    most: Annotated[int, Form(ge=0, le=100_000)],
) -> Response:
    """Say how many results of a token may wait."""
    with _writing(request, mark) as (session, name):
        set_quota(session, token, most, actor=name)
    return _back()


@contextmanager
def _writing(request: Request, mark: str) -> Iterator[tuple[Session, str]]:
    """Give a session that changes the store, and the operator's name; what it refuses is 409."""
    request.app.state.forms.check(request, mark)
    try:
        with request.app.state.store.write() as session:
            yield session, _allowed(request, session)
    except (StoreError, RefusedError) as problem:
        raise HTTPException(409, str(problem)) from None


def _allowed(request: Request, session: Session) -> str:
    """Return the name of the operator who asks. Raises 401 for anybody else."""
    name = _operator(request, session)
    if name is None:
        raise HTTPException(401, "your session has ended; show the operator's token again")
    return name


def _back() -> RedirectResponse:
    return RedirectResponse("/operator", 303)
