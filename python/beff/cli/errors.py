"""Errors in how a command was written."""

from beff.model.errors import BeffError


class WrongUsageError(BeffError):
    """An option or value that cannot be meant; the message names both and the way out."""
