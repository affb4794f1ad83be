"""The web application: what is served where, and what every request passes through."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.types import ASGIApp

from beff import __version__
from beff.model.numbers import format_size
from beff.store.database import Store
from beff.web import api, html_pages, operator, submission
from beff.web.errors import add_handlers, error_answer
from beff.web.head import HeadAsGet
from beff.web.listing import ListSource
from beff.web.reports import Reports
from beff.web.security import FormGuard, RateLimit, SecurityHeaders, SizeLimit
from beff.web.settings import Settings

STATIC = Path(__file__).parent / "static"
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def create_app(store: Store, settings: Settings) -> FastAPI:
    """Return the application for an open store."""
    reports = Reports()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        reports.close()

    app = FastAPI(
        lifespan=lifespan,
        title=settings.title,
        version=__version__,
        description="Results of b_eff and b_eff_io, verified before they were stored.",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,  # the usual page for it loads scripts from elsewhere
        redoc_url=None,
    )
    app.state.settings = settings
    app.state.store = store
    app.state.source = ListSource(store)
    app.state.forms = FormGuard()
    app.state.rate = RateLimit(settings.submissions_per_minute)
    app.state.operators = operator.OperatorSessions()
    app.state.strangers = RateLimit(settings.submissions_per_minute)
    app.state.reports = reports
    app.state.verifier = submission.Verifier(settings.verifications_at_once)
    add_handlers(app)
    app.include_router(api.router)
    app.include_router(submission.router)
    app.include_router(html_pages.router)
    app.include_router(operator.router)
    app.add_api_route("/static/{name}", _static, include_in_schema=False)
    app.add_middleware(SizeLimit, most=settings.largest_upload_bytes, answer=_too_large)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(settings.hosts))
    app.add_middleware(SecurityHeaders)
    app.add_middleware(HeadAsGet)
    return app


def _too_large(request: Request, most: int) -> ASGIApp:
    return error_answer(request, 413, f"more than {format_size(most)} are not taken")


def _static(request: Request, name: str) -> Response:
    """Serve one of the few files that belong to the pages."""
    known = {path.name: path for path in STATIC.iterdir() if path.suffix in _TYPES}
    path = known.get(name)
    if path is None:
        return error_answer(request, 404, "there is no such file")
    return FileResponse(
        path, media_type=_TYPES[path.suffix], headers={"Cache-Control": "max-age=300"}
    )
