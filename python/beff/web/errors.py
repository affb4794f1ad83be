"""Errors of the web application: one shape for the API, one page for people."""

from http import HTTPStatus

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from beff.model.violations import violation_words
from beff.store.errors import DamagedError, StoreError
from beff.web.pages import render

API = "/api/"
_CODES = {
    400: "bad_request",
    401: "not_allowed",
    403: "forbidden",
    404: "not_found",
    405: "wrong_method",
    409: "duplicate",
    413: "too_large",
    422: "refused",
    429: "too_often",
    500: "failed",
    503: "unavailable",
}
"""Status → word of the API that programs may rely on."""


class ErrorDetail(BaseModel):
    """What went wrong; `message` is one sentence for people."""

    status: int
    code: str
    message: str


class ErrorAnswer(BaseModel):
    """The one shape of errors."""

    error: ErrorDetail


def error_answer(
    request: Request, status: int, message: str, headers: dict[str, str] | None = None
) -> Response:
    """Return an error as JSON below /api/, else as a page."""
    phrase = HTTPStatus(status).phrase
    if request.url.path.startswith(API):
        code = _CODES.get(status, "error")
        detail = ErrorDetail(status=status, code=code, message=message)
        return JSONResponse(ErrorAnswer(error=detail).model_dump(), status, headers)
    page = render(request, "error.html", status=status, phrase=phrase, message=message)
    page.status_code = status
    page.headers.update(headers or {})
    return page


def add_handlers(app: FastAPI) -> None:
    """Give all errors of an application the one shape."""

    @app.exception_handler(HTTPException)
    async def _http(request: Request, problem: HTTPException) -> Response:
        headers = dict(problem.headers) if problem.headers else None
        return error_answer(request, problem.status_code, str(problem.detail), headers)

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, problem: RequestValidationError) -> Response:
        first = problem.errors()[0]
        name = next((part for part in first["loc"][1:] if isinstance(part, str)), first["loc"][0])
        words = violation_words(first)
        if first["type"] == "extra_forbidden":
            words += "; /api names all parameters"
        elif "UploadFile" in first["msg"]:
            words = "must be a file"
        return error_answer(request, 422, f"'{name}' {words}")

    @app.exception_handler(Exception)
    async def _failed(request: Request, problem: Exception) -> Response:
        return error_answer(request, 500, "the server failed; its operator finds the reason")

    @app.exception_handler(StoreError)
    async def _store(request: Request, problem: StoreError) -> Response:
        return error_answer(request, 503, "the database of the list cannot be used now")

    @app.exception_handler(DamagedError)
    async def _damaged(request: Request, problem: DamagedError) -> Response:
        return error_answer(request, 500, "this file is damaged in the database of the list")
