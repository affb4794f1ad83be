"""Errors that end a command with one sentence instead of a traceback."""

from beff.result.plain_text import message


class BeffError(Exception):
    """Something the user can act on; the message is one whole sentence without the full stop.

    `source` is what the `reason` is said of, such as a file. Both may quote files of others.
    """

    def __init__(self, reason: str, source: object = None) -> None:
        super().__init__(message(reason if source is None else f"{source}: {reason}"))
        self.reason = message(reason)


class ResultError(BeffError):
    """A result file or journal that cannot be read as what it should be."""


class DisagreementError(ResultError):
    """A result whose figures do not follow from its samples."""


class DisturbedError(ResultError):
    """A run that shows nothing, as others had its cores or its repetitions differ too much."""


class TargetError(BeffError):
    """A file to be written that is there already, or for which there is no place."""


class WrongUsageError(BeffError):
    """An option or value that cannot be meant; the message names both and the way out."""


class LaunchError(BeffError):
    """A piece that is missing or a program that failed; the message says the way out."""


class SimulationError(BeffError):
    """A piece that is missing, or a simulation that failed; the message says the way out."""


class NetworkError(WrongUsageError):
    """A network, host or placement that cannot be meant; the message names the way out."""


class RefusedError(BeffError):
    """What somebody wrote about a system or a list, and cannot be taken; the message says why."""
