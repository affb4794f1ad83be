"""What a matrix of messages asks of hosts and of ways between them."""

import numpy as np
from numpy.typing import NDArray

from beff.analysis.b_pairs.matrix_totals import ShownMatrix
from beff.analysis.b_pairs.schedule import Ints
from beff.model.numbers import counted
from beff.report.tables.table import Row, Table, column, share, text

_MOST_ROWS = 20
_MOST_PAIRS = 10


def matrix_tables(shown: ShownMatrix) -> tuple[Table, Table]:
    """Return the totals of the units, and the pairs with the most bytes."""
    sender, receiver, volume, messages = shown.between_units()
    inside = sender == receiver
    units = len(shown.names)

    def total(ends: Ints, which: NDArray[np.bool_]) -> Ints:
        sums = np.zeros(units, dtype=np.int64)
        np.add.at(sums, ends[which], volume[which])
        return sums

    sent, received, stays = total(sender, ~inside), total(receiver, ~inside), total(sender, inside)
    moved = sent + received + stays
    order = np.argsort(-moved, kind="stable")[:_MOST_ROWS]
    of_units: tuple[Row, ...] = tuple(
        (shown.names[unit], *(int(sums[unit]) for sums in (sent, received, stays)))
        for unit in order.tolist()
        if moved[unit]
    )
    sizes = (column("sends", "byte"), column("receives", "byte"), column("stays inside", "byte"))
    within = sizes if shown.unit == "host" else (*sizes[:2], column("sends itself", "byte"))
    totals = Table(
        "totals",
        f"Totals of each {shown.unit}, the most first",
        (text(shown.unit), *within),
        of_units,
        _more(units, len(of_units), shown.unit),
    )
    apart = np.flatnonzero(~inside)
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
    pairs = Table(
        "pairs",
        "The heaviest pairs, in one direction",
        (*columns, share("of all bytes")),
        rows,
        _more(len(apart), len(rows), "pair"),
    )
    return totals, pairs


def _more(all_: int, shown: int, noun: str) -> tuple[str, ...]:
    return () if all_ == shown else (f"{shown} of {counted(all_, noun)}.",)
