"""What can go wrong before and while a measuring program runs."""

from beff.model.errors import BeffError


class LaunchError(BeffError):
    """A piece that is missing or a program that failed; the message says the way out."""
