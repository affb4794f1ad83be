"""Output of IO500, result_summary.txt: a figure of each phase that counts, and the scores.

    [RESULT]       ior-easy-write        5.186620 GiB/s  : time 300.027 seconds
    [RESULT]    mdtest-easy-write      103.300821 kIOPS : time 300.121 seconds
    [SCORE ] Bandwidth 3.172092 GiB/s : IOPS 92.625029 kiops : TOTAL 17.141

GiB/s are 2^30 byte/s, kIOPS 1000 operations/s (releases of 2020 to 2026: src/main.c, calc_score
and the loop of phases; the first called them GB/s in the score). What is marked as invalid is a
series of its own. It does not print when it ran: its folder is named by that.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from beff.importers.figures import Row, when
from beff.importers.printed import NUMBER, Printed, figure

_LINE = re.compile(r"^\[(RESULT|SCOREX?)\b[^\]\n]{0,20}\] ", re.MULTILINE | re.ASCII)
_FIGURE = re.compile(
    rf"([A-Za-z][\w-]{{0,80}}) +({NUMBER})(?: (GiB/s|GB/s|kIOPS|kiops)| *(?:\[INVALID\])?$)",
    re.ASCII,
)
_UNITS = {"GB/s": "GiB/s", "kiops": "kIOPS", "": "points"}


def recognises(text: str) -> bool:
    """Whether a phase or a score is there."""
    return _LINE.search(text) is not None


def rows(printed: Printed) -> Iterator[tuple[int, Row]]:
    """Yield phases and scores with the numbers of their lines; a score of no phase is none."""
    ran = when(Path(printed.source).absolute().parent.name, "%Y.%m.%d-%H.%M.%S")
    for number, line in enumerate(printed.text.splitlines(), start=1):
        if begin := _LINE.match(line):
            of = "IO500" if begin[1] == "RESULT" else f"IO500 {begin[1]}"
            invalid = " (INVALID)" if "invalid" in line.lower() else ""
            for name, value, unit in _FIGURE.findall(line):
                if of == "IO500" or figure(value):
                    said = {"figure": f"{of} {name}{invalid}", "value": value, "better": "higher"}
                    yield number, {**said, "unit": _UNITS.get(unit, unit), **ran}
