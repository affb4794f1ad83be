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
from beff.store.reading import ReadResult
from beff.store.subprocess_reading import read_result_in_subprocess
from beff.store.tables import NAME_LENGTH, System
from beff.store.text import clean_text
from beff.store.tokens import owner_of
from beff.web.api import ERRORS
from beff.web.pages import render
from beff.web.security import FormGuard

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
    """What became of a submission; `published` is false while it waits for the operator."""

    id: int
    system: str
    status: str
    sha256: str
    new: bool
    published: bool


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
    authorization: Annotated[str | None, Header()] = None,
) -> Submitted:
    """Verify a result and store it. `sha256`, where given, must be that of the file.

    The same file again is no error and changes nothing: the answer is 200 instead of 201.
    """
    scheme, _, token = (authorization or "").partition(" ")
    bearer = token if scheme.lower() == "bearer" else ""
    kept = _accept(request, bearer, _Parts(file, system, hardware, sha256))
    response.status_code = 201 if kept.new else 200
    return kept


@router.get("/submit", include_in_schema=False)
def form(request: Request) -> HTMLResponse:
    """Show the form of submission."""
    guard: FormGuard = request.app.state.forms
    cookie = request.cookies.get(FormGuard.COOKIE) or guard.new_cookie()
    page = render(request, "submit.html", mark=guard.mark(cookie), submitted=None)
    page.set_cookie(
        FormGuard.COOKIE,
        cookie,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
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
    submitted = _accept(request, token.strip(), _Parts(file, system, hardware, None))
    return render(request, "submit.html", mark=mark, submitted=submitted)


@dataclass(frozen=True)
class _Parts:
    """What a submission consists of beside its token."""

    file: UploadFile
    system: str | None
    hardware: UploadFile | None
    sha256: str | None


def _accept(request: Request, token: str, parts: _Parts) -> Submitted:
    state = request.app.state
    wait_s = state.rate.wait_s(request.client.host if request.client else "")
    if wait_s > 0:
        raise HTTPException(
            429, "too many submissions; wait a little", {"Retry-After": str(int(wait_s) + 1)}
        )
    with state.store.read() as session:
        owner = owner_of(session, token) if 0 < len(token) <= _LONGEST_TOKEN else None
    if owner is None:
        raise HTTPException(
            401, "the token is missing, unknown or revoked", {"WWW-Authenticate": "Bearer"}
        )
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
            kept = keep_result(
                session,
                result,
                content,
                name,
                hardware=_wanted(session, name, described),
                actor=owner,
                published=state.settings.publish_at_once,
            )
            return _submitted(kept)
    except DuplicateError as problem:
        raise HTTPException(409, str(problem)) from None
    except RefusedError as problem:
        raise HTTPException(422, str(problem)) from None


def _hardware(upload: UploadFile | None) -> Hardware | None:
    content = b"" if upload is None else upload.file.read()
    if not content:
        return None
    return parse_hardware(_HARDWARE, content.decode("utf-8", "replace"))


def _wanted(session: Session, name: str | None, described: Hardware | None) -> Hardware | None:
    """Return the hardware of a new system; what the list shows only its operator changes."""
    known = select(System.id).where(System.name == name)
    return described if session.scalar(known) is None else None


def _submitted(kept: Kept) -> Submitted:
    entry = kept.entry
    return Submitted(
        id=entry.id,
        system=entry.system.name,
        status=entry.status,
        sha256=entry.sha256 or "",
        new=kept.new,
        published=entry.published,
    )
