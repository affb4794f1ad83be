"""What the importers of logs of pairs share: whose log it is, and how its blocks are found."""

import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from beff.importers.printed import Printed

_MARK = re.compile(r"^#+ *pair:? +(\S+) +(\S+) *$", re.MULTILINE | re.ASCII)
_STEM = re.compile(r"(.+?)(?:_to_|__|--|,)(.+)")
_LOG_ENDINGS = {".log", ".out", ".txt", ".json", ".csv", ".dat"}


def blocks_of(printed: Printed) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the two hosts of each part of a log, and its text.

    Programs that do not print them are named by a line `# pair FROM TO` before their output, or by
    the file: FROM_to_TO, FROM__TO, FROM--TO or FROM_TO. Raises ResultError where none says them.
    """
    marks = list(_MARK.finditer(printed.text))
    if not marks:
        yield hosts_of_name(printed), printed.text
    for mark, following in zip_longest(marks, marks[1:]):
        end = len(printed.text) if following is None else following.start()
        yield (mark[1], mark[2]), printed.text[mark.end() : end]


def hosts_of_name(printed: Printed) -> tuple[str, str]:
    """Return the hosts that the name of a file holds. Raises ResultError where it holds none."""
    stem = printed.name
    while Path(stem).suffix in _LOG_ENDINGS:
        stem = Path(stem).stem
    found = _STEM.fullmatch(stem)
    parts = list(found.groups()) if found else stem.split("_")
    if len(parts) != 2 or not all(parts):
        raise printed.problem(
            "does not say between which hosts; call the file FROM_to_TO.log, or write a line"
            " '# pair FROM TO' before each output"
        )
    return parts[0], parts[1]
