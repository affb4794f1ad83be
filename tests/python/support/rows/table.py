"""The table of machines and faults on which judges of maps of pairs are tried."""

from __future__ import annotations

from collections.abc import Iterator

from support.rows.clean_rows import clean_rows
from support.rows.drawn_rows import drawn_rows, planted_rows
from support.rows.fault_rows import fault_rows
from support.rows.row import Row
from support.rows.seen_rows import seen_rows

SIZES = (4, 8, 16, 64, 256)
FIRST_UNSEEN = 50_000
"""Who changes the judge looks at machines of seeds below; the table is made from here on."""


def rows(
    sizes: tuple[int, ...] = SIZES, *, drawn: bool = True, planted: bool = True
) -> Iterator[Row]:
    """Return the rows of machines with so many hosts, some of `SIZES`, and those that are drawn."""
    for units in sizes:
        yield from clean_rows(units)
        yield from seen_rows(units)
        yield from fault_rows(units)
    if drawn:
        yield from drawn_rows()
    if planted:
        yield from planted_rows()
