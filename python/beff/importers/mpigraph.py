"""Output of mpiGraph: two matrices of what each host sends to and receives from each other.

    START mpiGraph v1.5
    MsgSize 1048576
    Send    n1:0    n2:1
    n1:0 to 0.000   11480.100
    END mpiGraph

MsgSize is in byte; rates are in 2^20 byte/s (mpiGraph.c, `MBsec`). In a step all send to the one
`distance` further and receive from the one as far behind: so the steps are rounds. Of what a
message took to send and to receive the longer time counts.
"""

import re

from beff.importers.pairs import Readings, Test
from beff.importers.printed import COUNT, Printed
from beff.result.numbers import MIB

_BEGIN = re.compile(r"^START mpiGraph", re.MULTILINE)
_END = re.compile(r"^END mpiGraph", re.MULTILINE)
_SIZE = re.compile(rf"^MsgSize\s+({COUNT})", re.MULTILINE | re.ASCII)
_TEST = Test("mpiGraph", True, "both at once")


def recognises(text: str) -> bool:
    """Whether the mark is there with which it begins."""
    return _BEGIN.search(text) is not None


def read(printed: Printed, found: Readings) -> None:
    """Take both matrices over. Raises ResultError where it broke off or they are not whole."""
    size = _SIZE.search(printed.text)
    if size is None or _END.search(printed.text) is None:
        raise printed.problem("has no line MsgSize, or no END mpiGraph: the run broke off")
    lines = printed.text.splitlines()
    names, sent = _matrix(printed, lines, "Send", "to")
    others, received = _matrix(printed, lines, "Recv", "from")
    if names != others:
        raise printed.problem("has other hosts in 'Recv' than in 'Send'")
    count = len(names)
    for one in range(count):
        for other in range(count):
            if one == other:
                continue
            slower = min(sent[one][other], received[other][one])
            distance = (other - one) % count
            round_ = min(distance, count - distance)
            ends = names[one], names[other]
            found.add(ends, (_TEST, int(size[1])), slower * MIB, round_)


def _matrix(
    printed: Printed, lines: list[str], title: str, word: str
) -> tuple[list[str], list[list[float]]]:
    """Return the hosts of a matrix, and its rows."""
    place = next((at for at, line in enumerate(lines) if line.startswith(f"{title}\t")), None)
    if place is None:
        raise printed.problem(f"has no matrix '{title}'")
    heads = lines[place].split()[1:]
    rows: list[list[float]] = []
    for number, line in enumerate(lines[place + 1 : place + 1 + len(heads)], start=place + 2):
        head, _, cells = line.partition(f" {word}\t")
        if head != heads[len(rows)] or len(cells.split()) != len(heads):
            raise printed.problem(f"line {number}: is not the row of {heads[len(rows)]}")
        try:
            rows.append([float(cell) for cell in cells.split()])
        except ValueError:
            raise printed.problem(f"line {number}: holds what is no number") from None
    if len(rows) < len(heads):
        raise printed.problem(f"has {len(rows)} rows of {len(heads)} in '{title}': it broke off")
    return [head.rpartition(":")[0] or head for head in heads], rows
