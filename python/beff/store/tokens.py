"""Tokens that allow to submit results."""

import hashlib
import secrets
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from beff.store.audit import COMMAND_LINE, note
from beff.store.errors import StoreError
from beff.store.tables import NAME_LENGTH, Token, now
from beff.store.text import clean_text

_BYTES = 32
"""Random bytes of a token: far too many to guess, so a plain hash protects it."""


def _sha256(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def create_token(session: Session, name: str) -> str:
    """Return a new token; it cannot be shown again. Raises StoreError for a name in use."""
    plain = clean_text(name, NAME_LENGTH)
    if not plain:
        raise StoreError("the name of a token must have at least one visible character")
    if session.scalar(select(Token).where(Token.name == plain)) is not None:
        raise StoreError(f"there is a token '{plain}' already; choose another name")
    token = secrets.token_urlsafe(_BYTES)
    session.add(Token(name=plain, sha256=_sha256(token), created_at=now()))
    note(session, COMMAND_LINE, "token", f"token {plain}")
    return token


def revoke_token(session: Session, name: str) -> None:
    """Make a token useless. Raises StoreError when there is none of that name in use."""
    token = session.scalar(select(Token).where(Token.name == name, Token.revoked_at.is_(None)))
    if token is None:
        raise StoreError(f"there is no token '{name}' in use; beff store tokens shows all")
    token.revoked_at = now()
    note(session, COMMAND_LINE, "revoke", f"token {token.name}")


def owner_of(session: Session, token: str) -> str | None:
    """Return the name of a token in use, None for any other text."""
    return session.scalar(
        select(Token.name).where(Token.sha256 == _sha256(token), Token.revoked_at.is_(None))
    )


def tokens(session: Session) -> Sequence[Token]:
    """Return all tokens by name."""
    return session.scalars(select(Token).order_by(Token.name)).all()
