"""How long an iteration of a matrix of messages takes on a machine that a run and a map show."""

from dataclasses import dataclass
from math import exp

import numpy as np

from beff.maps.matrix import MessageMatrix
from beff.maps.pair_map import Floats
from beff.result.b_eff_result import BEffResult
from beff.result.errors import ResultError
from beff.result.load import Document
from beff.result.numbers import duration
from beff.twin.order import Sent, narrowest
from beff.twin.self_test import self_test
from beff.twin.traffic import Place
from beff.twin.twin import Twin, twin_of


@dataclass(frozen=True)
class MatrixTime:
    """Seconds of an iteration, and where it is narrowest; None where that is within a host."""

    seconds: float
    place: Place | None


def matrix_time(twin: Twin, matrix: MessageMatrix, *, seen: bool = False) -> MatrixTime:
    """Return what an iteration takes with the processes as they were measured.

    Where `seen`, no uplink carries more than was seen. Raises ResultError where it is not known how
    long messages within a host take.
    """
    ways = twin.ways.as_seen if seen else twin.ways
    host_of = np.array(twin.placement)
    messages = np.bincount(matrix.sender, matrix.count, matrix.processes)
    curve = twin.curves.get(int(messages.max()), twin.curves[0])
    lengths = _of_size(matrix, twin.sizes, curve.lengths) * matrix.count
    sent = Sent(matrix.processes, matrix.sender, matrix.receiver, lengths)
    found = narrowest(ways, sent, host_of)
    between = curve.short * found.short_s + found.bytes_s
    stays = host_of[matrix.sender] == host_of[matrix.receiver]
    within = _within_hosts(twin, matrix, stays, seen=seen)
    if within >= between:
        return MatrixTime(within, None)
    return MatrixTime(between, found.place)


def _within_hosts(twin: Twin, matrix: MessageMatrix, stays: np.ndarray, *, seen: bool) -> float:
    """Return what the process needs that sends most to its own host."""
    if not stays.any():
        return 0.0
    messages = np.bincount(matrix.sender[stays], matrix.count[stays], matrix.processes)
    longest = 0.0
    for number in np.unique(messages[messages > 0]).astype(int).tolist():
        one_message = _of_size(matrix, twin.sizes, twin.within_hosts(number, seen=seen) / number)
        of_ranks = np.bincount(
            matrix.sender[stays], (one_message * matrix.count)[stays], matrix.processes
        )
        longest = max(longest, float(of_ranks[messages == number].max()))
    return longest


def _of_size(matrix: MessageMatrix, sizes: Floats, values: Floats) -> Floats:
    """Return what is known by size for each row; longer messages have as much a byte as longest."""
    bytes_ = matrix.message_bytes.astype(np.float64)
    inside: Floats = np.interp(bytes_, sizes, values) * np.maximum(bytes_ / sizes[-1], 1.0)
    return inside


def said_of_matrix(
    pairs: Document, run: Document, matrix: MessageMatrix, measured_us: float | None
) -> str:
    """Set beside a measured matrix what is predicted by a run of b_eff and the map it is in."""
    assert isinstance(run.result, BEffResult)
    try:
        twin = twin_of(run, pairs)
        test = self_test(twin, run.result)
        if not test.passed:
            return "no prediction: structure not understood; beff twin predict says which patterns"
        found, longest = matrix_time(twin, matrix), matrix_time(twin, matrix, seen=True)
    except ResultError as problem:
        return f"no prediction: {problem}"
    low, high = found.seconds * exp(-test.width), longest.seconds * exp(test.width)
    where = "within hosts" if found.place is None else found.place.said(twin.ways)
    text = (
        f"predicted: {duration(found.seconds)} ({duration(low)} to {duration(high)}) an iteration,"
        f" {where} the narrowest"
    )
    if measured_us is None:
        return text
    return f"{text}; measured is {measured_us * 1e-6 / found.seconds:.2f} times that"
