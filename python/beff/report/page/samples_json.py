"""The samples of b_eff as the page embeds them: columns of small whole numbers."""

import json
from typing import Any

from markupsafe import Markup

from beff.model.b_eff_result import BEffResult

_NS = 1e9
_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def embedded(value: Any) -> Markup:
    """Write JSON that can stand in an HTML document: no text in it can end its element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.translate(_ESCAPES))


def samples_of(result: BEffResult) -> dict[str, Any]:
    """Return the samples, with what is needed to show them.

    Times are rounded to whole nanoseconds; mean and shortest are how much they lie below the
    longest. `hosts` names the node of each rank that was the slowest of some loop.
    """
    s, environment = result.samples, result.environment
    longest = [round(_NS * seconds) for seconds in s.time_max_s]

    def below(column: list[float]) -> list[int]:
        return [top - round(_NS * seconds) for top, seconds in zip(longest, column, strict=True)]

    return {
        "sizes": result.message_sizes_bytes,
        "methods": result.methods,
        "messages": {pattern.id: pattern.messages for pattern in result.patterns},
        "hosts": {
            rank: environment.hosts[environment.placement[rank]].name
            for rank in sorted(set(s.slowest_rank))
            if rank < len(environment.placement)
        },
        "pattern": s.pattern,
        "size": s.size,
        "method": s.method,
        "repetition": s.repetition,
        "loop": s.loop_length,
        "ns": longest,
        "mean": below(s.time_avg_s),
        "shortest": below(s.time_min_s),
        "rank": s.slowest_rank,
    }
