"""Submission of results, by form and by API: everything is verified before it is stored."""

import hashlib
import hmac
import threading
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, Header, HTTPException, Request, Response, UploadFile
from fastapi.responses import HTMLResponse
from pydantic import BaseModel
from sqlalchemy import select
from sqlalchemy.orm import Session

from beff.store.changes import Kept, keep_result
from beff.store.errors import DuplicateError, RefusedError
from beff.store.hardware import Hardware, parse_hardware
from beff.store.owners import share, warnings_of
from beff.store.queries import waiting_of
from beff.store.reading import ReadResult
from beff.store.subprocess_reading import read_result_in_subprocess
from beff.store.tables import NAME_LENGTH, Token
from beff.store.text import clean_text
from beff.store.tokens import owner_of
from beff.web.api import ERRORS
from beff.web.pages import render
from beff.web.security import FormGuard, network_of, set_cookie

router = APIRouter(responses=ERRORS)
_SOURCE = "the file"
_HARDWARE = "the hardware"
_LONGEST_TOKEN = 200


class Verifier:
    """Verifies results, a few at once; further ones wait a little, then are sent away."""

    _WAIT_S = 30.0

    def __init__(self, at_once: int) -> None:
        self._places = threading.BoundedSemaphore(at_once)

    def read(self, content: bytes) -> ReadResult:
        """Verify a file. Raises RefusedError, or 503 when too many wait."""
        if not self._places.acquire(timeout=self._WAIT_S):
            raise HTTPException(
                503, "too many results are being verified; try again", {"Retry-After": "60"}
            )
        try:
            return read_result_in_subprocess(_SOURCE, content)
        finally:
            self._places.release()


class Submitted(BaseModel):
    """What became of a submission; `published` is false while it waits for the operator.

    `warnings` tells what the operator will look at first, `refusal` why he has refused it.
    """

    id: int
    system: str
    status: str
    sha256: str
    new: bool
    published: bool
    warnings: list[str]
    refusal: str | None


@router.post(
    "/api/v1/results",
    status_code=201,
    tags=["submission"],
    responses={200: {"model": Submitted, "description": "The same file was stored before"}},
)
def submit(  # noqa: PLR0917 - one parameter per field of the form
    request: Request,
    response: Response,
    file: UploadFile,
    system: Annotated[str | None, Form(max_length=NAME_LENGTH)] = None,
    hardware: UploadFile | None = None,
    sha256: Annotated[str | None, Form(max_length=64)] = None,
    share_with: Annotated[str | None, Form(max_length=NAME_LENGTH)] = None,
    authorization: Annotated[str | None, Header()] = None,
) -> Submitted:
    """Verify a result and store it. `sha256`, where given, must be that of the file.

    The same file again is no error and changes nothing: the answer is 200 instead of 201. Whoever
    made the system may let the holder of another token add to it: `share_with`.
    """
    scheme, _, token = (authorization or "").partition(" ")
    bearer = token if scheme.lower() == "bearer" else ""
    kept = _accept(request, bearer, _Parts(file, system, hardware, sha256, share_with))
    response.status_code = 201 if kept.new else 200
    return kept


@router.get("/submit", include_in_schema=False)
def form(request: Request) -> HTMLResponse:
    """Show the form of submission."""
    guard: FormGuard = request.app.state.forms
    cookie = guard.cookie_of(request)
    page = render(request, "submit.html", mark=guard.mark(cookie), submitted=None)
    set_cookie(request, page, FormGuard.COOKIE, cookie)
    page.headers["Cache-Control"] = "no-store"
    return page


@router.post("/submit", include_in_schema=False)
def submit_form(  # noqa: PLR0917 - one parameter per field of the form
    request: Request,
    token: Annotated[str, Form(max_length=_LONGEST_TOKEN)],
    mark: Annotated[str, Form(max_length=100)],
    file: UploadFile,
    system: Annotated[str | None, Form(max_length=NAME_LENGTH)] = None,
    hardware: UploadFile | None = None,
) -> HTMLResponse:
    """Do the same from the form."""
    guard: FormGuard = request.app.state.forms
    guard.check(request, mark)
    submitted = _accept(request, token.strip(), _Parts(file, system, hardware, None, None))
    return render(request, "submit.html", mark=mark, submitted=submitted)


@dataclass(frozen=True)
class _Parts:
    """What a submission consists of beside its token."""

    file: UploadFile
    system: str | None
    hardware: UploadFile | None
    sha256: str | None
    share_with: str | None


def _accept(request: Request, token: str, parts: _Parts) -> Submitted:
    state = request.app.state
    with state.store.read() as session:
        owner = owner_of(session, token) if 0 < len(token) <= _LONGEST_TOKEN else None
    # A holder of a token is counted by it, so that whoever guesses beside him locks nobody out.
    if owner is None:
        slow_down_stranger(request)
        raise HTTPException(
            401, "the token is missing, unknown or revoked", {"WWW-Authenticate": "Bearer"}
        )
    slow_down(state.rate.wait_s(owner), "too many submissions")
    content = parts.file.file.read()
    found = hashlib.sha256(content).hexdigest()
    if parts.sha256 and not hmac.compare_digest(parts.sha256.lower().encode(), found.encode()):
        raise HTTPException(422, f"the file that arrived has the SHA-256 {found}, not the one told")
    try:
        described = _hardware(parts.hardware)
        result = state.verifier.read(content)
        with state.store.write() as session:
            name = clean_text(parts.system or "", NAME_LENGTH) or (
                described.name if described else None
            )
            _check_quota(session, owner, state.settings.waiting_per_token)
            kept = keep_result(
                session,
                result,
                content,
                name,
                hardware=described,
                actor=owner,
                published=state.settings.publish_at_once,
            )
            if parts.share_with:
                share(session, kept.entry.system, parts.share_with, owner)
            return _submitted(session, kept)
    except DuplicateError as problem:
        raise HTTPException(409, str(problem)) from None
    except RefusedError as problem:
        raise HTTPException(422, str(problem)) from None


def slow_down(wait_s: float, reason: str) -> None:
    """Raise 429 where somebody has to wait."""
    if wait_s > 0:
        seconds = int(wait_s) + 1
        raise HTTPException(429, f"{reason}; wait {seconds} s", {"Retry-After": str(seconds)})


def slow_down_stranger(request: Request) -> None:
    """Raise 429 where somebody has shown too many wrong tokens."""
    caller = network_of(request.client.host if request.client else "")
    slow_down(request.app.state.strangers.wait_s(caller), "too many wrong tokens")


def _check_quota(session: Session, owner: str, most: int) -> None:
    """Raise RefusedError where too many results of a token wait already."""
    own = session.scalar(select(Token.quota).where(Token.name == owner))
    allowed = most if own is None else own
    waits = waiting_of(session).get(owner, 0)
    if waits >= allowed:
        raise RefusedError(
            f"{waits} of your results wait, and no more may; the operator of the list has to look"
            " at them first"
        )


def _hardware(upload: UploadFile | None) -> Hardware | None:
    content = b"" if upload is None else upload.file.read()
    if not content:
        return None
    return parse_hardware(_HARDWARE, content.decode("utf-8", "replace"))


def _submitted(session: Session, kept: Kept) -> Submitted:
    entry = kept.entry
    return Submitted(
        id=entry.id,
        system=entry.system.name,
        status=entry.status,
        sha256=entry.sha256 or "",
        new=kept.new,
        published=entry.published,
        warnings=warnings_of(session, entry),
        refusal=entry.refusal,
    )
