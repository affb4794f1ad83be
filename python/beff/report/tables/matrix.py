"""What a matrix of messages asks of hosts and of ways between them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from beff.maps.network_text import ShownMatrix
from beff.maps.schedule import Ints
from beff.report.tables.table import Row, Table, column, mbps, share, text
from beff.result.numbers import BYTES_PER_MB, counted
from beff.twin.ways import Ways
from beff.verify.common.checks import fold_host_list

_MOST_ROWS = 20
_MOST_PAIRS = 10


def matrix_tables(shown: ShownMatrix) -> tuple[Table, Table]:
    """Return the totals of the units, and the pairs with the most bytes."""
    own = "stays inside" if shown.unit == "host" else "sends itself"
    return _totals("totals", shown, own), _heaviest(shown)


def group_table(shown: ShownMatrix, ways: Ways) -> Table | None:
    """Return what crosses the uplink of each group of hosts; None where there is one group."""
    groups = range(int(ways.groups.max()) + 1)
    if len(groups) < 2:
        return None
    names = [
        fold_host_list([ways.names[host] for host in np.flatnonzero(ways.groups == group)])
        for group in groups
    ]
    of_groups = replace(shown, unit_of=ways.groups[shown.unit_of], names=names, unit="group")
    carried = ways.levels[0].carried
    rates = np.where(np.isfinite(carried), carried / BYTES_PER_MB, np.nan)
    known = [None if np.isnan(rate) else float(rate) for rate in rates]
    return _totals("groups", of_groups, "stays inside", known)


def _totals(name: str, shown: ShownMatrix, own: str, uplinks: Sequence[float | None] = ()) -> Table:
    sender, receiver, volume, _ = shown.between_units()
    inside = sender == receiver
    units = len(shown.names)

    def total(ends: Ints, which: NDArray[np.bool_]) -> Ints:
        sums = np.zeros(units, dtype=np.int64)
        np.add.at(sums, ends[which], volume[which])
        return sums

    sent, received, stays = total(sender, ~inside), total(receiver, ~inside), total(sender, inside)
    moved = sent + received + stays
    order = np.argsort(-moved, kind="stable")[:_MOST_ROWS]
    rows: tuple[Row, ...] = tuple(
        (
            shown.names[unit],
            *(int(sums[unit]) for sums in (sent, received, stays)),
            *uplinks[unit : unit + 1],
        )
        for unit in order.tolist()
        if moved[unit]
    )
    columns = (column("sends", "byte"), column("receives", "byte"), column(own, "byte"))
    capacity = (mbps("uplink"),) if uplinks else ()
    return Table(
        name,
        f"Totals of each {shown.unit}, the most first",
        (text(shown.unit), *columns, *capacity),
        rows,
        _more(units, len(rows), shown.unit),
    )


def _heaviest(shown: ShownMatrix) -> Table:
    sender, receiver, volume, messages = shown.between_units()
    apart = np.flatnonzero(sender != receiver)
    heaviest = apart[np.argsort(-volume[apart], kind="stable")[:_MOST_PAIRS]].tolist()
    whole = int(volume.sum())
    rows: tuple[Row, ...] = tuple(
        (
            shown.names[sender[place]],
            shown.names[receiver[place]],
            int(volume[place]),
            int(messages[place]),
            float(volume[place] / whole),
        )
        for place in heaviest
    )
    columns = (text("from"), text("to"), column("bytes", "byte"), column("messages", ""))
    return Table(
        "pairs",
        "The heaviest pairs, in one direction",
        (*columns, share("of all bytes")),
        rows,
        _more(len(apart), len(rows), "pair"),
    )


def _more(all_: int, shown: int, noun: str) -> tuple[str, ...]:
    return () if all_ == shown else (f"{shown} of {counted(all_, noun)}.",)
