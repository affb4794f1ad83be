"""What the importers of logs of pairs share: whose log it is, and how its blocks are found."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from pathlib import Path

from beff.importers.pairs import Readings, Size
from beff.importers.printed import Printed
from beff.result.errors import ResultError

_MARK = re.compile(r"^#+ *pair:? +(\S+) +(\S+) *$", re.MULTILINE | re.ASCII)
_STEM = re.compile(r"(.+?)(?:_to_|__|--|,)(.+)")
_OF_RUNS = {"osu", "imb", "imb-mpi1"}
"""With these and _ begin names of logs of whole runs; a name, _ and a date are one, too."""
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


def names_pair(printed: Printed) -> bool:
    """Whether a log, or its name, says between which hosts it is."""
    try:
        next(blocks_of(printed))
    except ResultError:
        return False
    return True


def take_blocks(
    printed: Printed,
    found: Readings,
    measured: Callable[[str], Iterable[tuple[Size, float]]],
) -> None:
    """Take over what is `measured` in each part of a log, of ns or byte/s.

    Raises ResultError where a part has nothing, and ValueError as `measured` does.
    """
    for ends, text in blocks_of(printed):
        before = len(found.ns)
        for size, value in measured(text):
            found.add(ends, size, value)
        if len(found.ns) == before:
            raise printed.problem(f"has no figure between {ends[0]} and {ends[1]}: it broke off")


def hosts_of_name(printed: Printed) -> tuple[str, str]:
    """Return the hosts that the name of a file holds. Raises ResultError where it holds none."""
    stem = printed.name
    while Path(stem).suffix in _LOG_ENDINGS:
        stem = Path(stem).stem
    found = _STEM.fullmatch(stem)
    parts = list(found.groups()) if found else stem.split("_")
    lettered = {any(map(str.isalpha, part)) for part in parts}
    is_of_run = not found and (len(lettered) == 2 or parts[0].lower() in _OF_RUNS)
    if len(parts) != 2 or not all(parts) or is_of_run:
        raise printed.problem(
            "does not say between which hosts; call the file FROM_to_TO.log, or write a line"
            " '# pair FROM TO' before each output"
        )
    return parts[0], parts[1]
