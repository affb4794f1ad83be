"""Whether two results are the same measurement, whatever stands around the samples.

A few of the times, spread evenly over the samples, are kept with each entry. Two runs of the same
machine hardly agree in any of them to four digits; a copy agrees in most, though somebody changed a
last digit here and there.
"""

from collections.abc import Sequence
from typing import Any

from beff.model.load import Document

_TIMES = 32
_AGREES = 1e-4
"""Relative difference below which two times are one."""


def measurement_of(document: Document) -> str:
    """Return the number of samples and some of their times as a text.

    Where nothing was measured, the time of the run stands there instead.
    """
    samples: dict[str, Sequence[Any]] = document.fields["samples"]
    times = samples["time_max_s" if document.benchmark == "b_eff" else "time_s"]
    if not times:
        return f"none|{document.fields['environment']['started_at']}"
    places = {round(index * (len(times) - 1) / max(1, _TIMES - 1)) for index in range(_TIMES)}
    return f"{len(times)}|" + " ".join(f"{float(times[place]):.8g}" for place in sorted(places))


def same_measurement(one: str, other: str) -> bool:
    """Whether at least half of the times that two texts hold agree."""
    if one == other:
        return True
    (count, _, times), (other_count, _, other_times) = one.partition("|"), other.partition("|")
    if count != other_count or not count.isdigit():
        return False
    pairs = list(zip(map(float, times.split()), map(float, other_times.split()), strict=False))
    agree = sum(abs(a - b) <= _AGREES * max(abs(a), abs(b)) for a, b in pairs)
    return 2 * agree >= len(pairs) > 0
