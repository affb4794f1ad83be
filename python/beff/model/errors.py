"""Errors that end a command with one sentence instead of a traceback."""


class BeffError(Exception):
    """Something the user can act on; the message is one whole sentence without the full stop."""


class ResultError(BeffError):
    """A result file or journal that cannot be read as what it should be."""


class TargetError(BeffError):
    """A file to be written that is there already, or for which there is no place."""
