"""Output of IOR: of each test the fastest write and read.

    Began               : Sun Nov  1 10:00:00 2026
    access              : file-per-process
    tasks               : 64
    xfersize            : 1 MiB
    Max Write: 5120.00 MiB/sec (5368.71 MB/sec)

MiB/sec are 2^20 byte/s (release 4.1: src/ior-output.c, PrintShortSummary; the lines are those of
2.10.3, src/C/IOR.c). A figure is named by what stands above it, too, so that unlike runs are no
series.
"""

import re
from collections.abc import Iterator

from beff.importers.figures import Row, named, when
from beff.importers.printed import NUMBER, Printed, lines_of

_MAX = re.compile(rf"^Max (Write|Read): +({NUMBER}) MiB/sec\b", re.MULTILINE | re.ASCII)
_LABELS = dict.fromkeys(("api", "access", "ordering", "xfersize", "clients"), "{}")
_LABELS["tasks"] = "{} tasks"
_FACTS = re.compile(
    r"IOR-(?P<title>\S+):|(?:Began|Run began) *: *(?P<began>\S.{0,60})|\s{0,9}(?:"
    + "|".join(rf"{name}(?: in a file)? *[:=] *(?P<{name}>\S.{{0,60}})" for name in _LABELS)
    + ")"
)


def recognises(text: str) -> bool:
    """Whether the fastest write or read is there."""
    return _MAX.search(text) is not None


def rows(printed: Printed) -> Iterator[tuple[int, Row]]:
    """Yield the fastest write and read of each test, with the number of its line."""
    for number, line, said in lines_of(printed.text, _FACTS):
        if best := _MAX.match(line):
            figure = named(f"IOR {best[1].lower()}", _LABELS, said)
            began = when(said.get("began", ""))
            yield number, {"figure": figure, "value": best[2], "unit": "MiB/s", **began}
