"""Errors of the store; each message is one sentence that the user can act on."""

from beff.model.errors import BeffError


class StoreError(BeffError):
    """The database cannot be opened or does not hold what was asked for."""


class DamagedError(StoreError):
    """What the database holds is not what was stored."""


class RefusedError(BeffError):
    """A result that is not taken into the store; the message tells why."""


class DuplicateError(RefusedError):
    """The same measurement is already stored, from another file."""
