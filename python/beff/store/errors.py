"""Errors of what is kept; each message is one sentence that the user can act on."""

from beff.model.errors import BeffError


class RefusedError(BeffError):
    """What somebody wrote about a system or a list, and cannot be taken; the message says why."""
