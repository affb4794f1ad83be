"""A matrix of messages by the hosts that its ranks are on."""

from dataclasses import dataclass

import numpy as np

from beff.analysis.b_pairs.matrix import MOST_ROWS, MessageMatrix
from beff.analysis.b_pairs.network_text import unit_name
from beff.analysis.b_pairs.schedule import Ints
from beff.analysis.b_pairs.traffic import matrix_in, source_name
from beff.model.b_pairs_result import BPairsResult
from beff.model.numbers import counted, format_size, percent


@dataclass(frozen=True)
class ShownMatrix:
    """A matrix, the unit of each of its ranks, and the names of the units.

    Units are hosts where there are several, else the ranks themselves.
    """

    name: str
    matrix: MessageMatrix
    unit_of: Ints
    names: list[str]
    unit: str

    @property
    def plural(self) -> str:
        """What the units are called."""
        return "hosts" if self.unit == "host" else "processes"

    def between_units(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Return sender, receiver, bytes and messages of all units that exchange any."""
        matrix = self.matrix
        units = len(self.names)
        pair = self.unit_of[matrix.sender] * units + self.unit_of[matrix.receiver]
        pairs, place = np.unique(pair, return_inverse=True)
        sums = []
        for of_row in (matrix.volume(), matrix.count):
            total = np.zeros(len(pairs), dtype=np.int64)
            np.add.at(total, place, of_row)
            sums.append(total)
        return pairs // units, pairs % units, sums[0], sums[1]


def about_matrix(shown: ShownMatrix) -> str:
    """Say what the matrix is in sum."""
    matrix = shown.matrix
    volume = matrix.volume()
    text = (
        f"{shown.name}: {format_size(int(volume.sum()))} in"
        f" {counted(int(matrix.count.sum()), 'message')} of an iteration, between"
        f" {counted(matrix.processes, 'process')}"
    )
    if shown.unit != "host":
        return text
    leaves = shown.unit_of[matrix.sender] != shown.unit_of[matrix.receiver]
    part = float(volume[leaves].sum() / volume.sum())
    hosts = counted(len(shown.names), "host")
    return f"{text} on {hosts}; {percent(part)} of the bytes leave their host"


def shown_matrix(result: BPairsResult) -> ShownMatrix | None:
    """Return the matrix that was measured; None without one, or where its rows are too many."""
    asked = result.plan.matrix
    if asked is None or asked.rows > MOST_ROWS:
        return None
    found = matrix_in(result)
    if found is None:
        return None
    units, unit = range(result.plan.units), result.plan.unit
    unit_of = np.asarray(result.environment.placement if unit == "host" else units, dtype=np.int64)
    names = [unit_name(result, number) for number in units]
    return ShownMatrix(source_name(asked.source), found, unit_of, names, unit)
