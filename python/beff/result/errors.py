"""Errors that end a command with one sentence instead of a traceback, and texts of others in it."""

_LONGEST_MESSAGE = 2_000
_LAST_CONTROL = "\x9f"


def one_line(text: str) -> str:
    """Return a text without signs that end a line, move a cursor, turn its direction or hide.

    A byte of a file name that is not UTF-8 is written by its number.
    """
    return text if text.isprintable() else "".join(map(_plain, text))


def _plain(sign: str) -> str:
    if sign.isprintable():
        return sign
    if "\udc80" <= sign <= "\udcff":
        return f"\\x{ord(sign) - 0xDC00:02x}"
    return " " if sign.isspace() and sign > _LAST_CONTROL else "?"


def message(text: str) -> str:
    """Return what is said of a file: its lines without such signs, and no more than a screen.

    What is longer keeps its beginning and, as a reason stands there, its end.
    """
    plain = "\n".join(map(one_line, text.split("\n")))
    half = _LONGEST_MESSAGE // 2
    return plain if len(plain) <= _LONGEST_MESSAGE else f"{plain[: half - 1]}…{plain[-half:]}"


class BeffError(Exception):
    """Something the user can act on; the message is one whole sentence without the full stop.

    `source` is what the `reason` is said of, such as a file. Both may quote files of others.
    """

    def __init__(self, reason: str, source: object = None) -> None:
        super().__init__(message(f"{one_line(str(source))}: {reason}" if source else reason))
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
