"""What no honest run would say of itself, though every figure follows from its samples.

Verification finds figures that do not follow from the samples; this finds samples and times that a
machine does not make. A careful forger avoids both, so nothing found here proves a result genuine.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

from beff.model.load import Document

_LIGHT_BETWEEN_HOSTS_US = 0.01
"""Time of light for 3 m, of signals in a cable for 2 m."""
_ROOF_MBPS = 1e7
"""What no memory of a process delivers: 10 TB/s."""
_CLOCKS_APART = timedelta(days=1)
_ROUNDING_S = 5.0


def oddities(document: Document, now: datetime) -> list[str]:
    """Return a sentence for each thing that a measuring program would not have written."""
    checks = [_dates, _elapsed]
    checks += [_clock, _roofs, _light] if document.benchmark == "b_eff" else [_amounts]
    fields = document.fields
    return [found for check in checks for found in check(fields, now)]


def _time(text: Any) -> datetime | None:
    if text is None:
        return None
    found = datetime.fromisoformat(str(text).upper().replace("Z", "+00:00"))
    return found if found.tzinfo is not None else found.replace(tzinfo=timezone.utc)


def _dates(fields: dict[str, Any], now: datetime) -> Iterator[str]:
    environment = fields["environment"]
    started, finished = _time(environment["started_at"]), _time(environment["finished_at"])
    if started is not None and started > now + _CLOCKS_APART:
        yield f"date: the run began in the future, at {started:%Y-%m-%d}"
    if started is not None and finished is not None and finished < started:
        yield "date: the run ended before it began"


def _times(fields: dict[str, Any]) -> list[float]:
    samples = fields["samples"]
    times: list[float] = samples["time_max_s" if fields["benchmark"] == "b_eff" else "time_s"]
    return times


def _elapsed(fields: dict[str, Any], _: datetime) -> Iterator[str]:
    """Compare with the wall time; partitions of b_eff_io run one after the other as well."""
    environment = fields["environment"]
    wall_s, loops_s = environment["wall_s"], sum(_times(fields))
    if wall_s is None:
        return
    if loops_s > wall_s + _ROUNDING_S:
        yield f"accounting: loops of {loops_s:.4g} s altogether in a run of {wall_s:.4g} s"
    started, finished = _time(environment["started_at"]), _time(environment["finished_at"])
    if started is not None and finished is not None:
        told_s = (finished - started).total_seconds()
        if 0 <= told_s < wall_s - _ROUNDING_S - 0.01 * wall_s:
            yield f"accounting: a run of {wall_s:.4g} s with {told_s:.4g} s between its dates"


def _clock(fields: dict[str, Any], _: datetime) -> Iterator[str]:
    clock = fields["environment"]["clock"]
    least_s = max(clock["resolution_s"], clock["call_cost_s"])
    below = sum(time < least_s for time in fields["samples"]["time_max_s"])
    if below:
        yield f"clock: {below} loops shorter than the {least_s:.3g} s that its clock resolves"


def _roofs(fields: dict[str, Any], _: datetime) -> Iterator[str]:
    samples, sizes = fields["samples"], fields["message_sizes_bytes"]
    columns = zip(samples["size"], samples["loop_length"], samples["time_max_s"], strict=True)
    beyond = sum(
        sizes[size] * length > _ROOF_MBPS * 1e6 * time_s for size, length, time_s in columns
    )
    if beyond:
        yield f"roof: in {beyond} loops a process moved more than {_ROOF_MBPS / 1e6:g} TB/s"


def _light(fields: dict[str, Any], _: datetime) -> Iterator[str]:
    latency_us = fields["summary"]["latency_us"]
    if fields["environment"]["nodes"] > 1 and latency_us and latency_us < _LIGHT_BETWEEN_HOSTS_US:
        yield f"light: a latency of {latency_us:.3g} us, and light needs 0.01 us for 3 m"


def _amounts(fields: dict[str, Any], _: datetime) -> Iterator[str]:
    samples, processes = fields["samples"], fields["environment"]["processes"]
    columns = zip(samples["bytes"], samples["time_s"], strict=True)
    beyond = sum(moved > _ROOF_MBPS * 1e6 * processes * time_s for moved, time_s in columns)
    if beyond:
        yield f"roof: in {beyond} loops each process moved more than {_ROOF_MBPS / 1e6:g} TB/s"
