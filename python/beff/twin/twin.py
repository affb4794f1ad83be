"""A machine as one run of b_eff and a map of its pairs show it: it gives the times of patterns.

docs/explanation/twin.md has the formulas.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import sqrt

import numpy as np

from beff.maps.pair_map import Floats
from beff.result.b_eff_result import RULES, BEffResult
from beff.result.b_pairs_result import BPairsResult
from beff.result.errors import ResultError
from beff.result.load import Document
from beff.result.numbers import BYTES_PER_MB
from beff.twin.traffic import Need, need_of, traffic_of
from beff.twin.ways import Ways, ways_of
from beff.verify.b_eff.averages import Figures, logavg
from beff.verify.b_eff.definition import RANDOM_PATTERNS, RING_PATTERNS, Draw, draw_of, patterns_for
from beff.verify.b_eff.derive import measured_of

_REFERENCES = {1: (38, 37), 2: (36,)}
"""Patterns that are not averaged, by the messages of a process: pairs, and one ring."""
_INSIDE = 37
"""Pairs of neighbours by rank, which are on one host where hosts are filled one after another."""
TESTED = (*range(RING_PATTERNS), *RANDOM_PATTERNS)


@dataclass(frozen=True)
class Curve:
    """How the time of an iteration grows with the length of its messages.

    `short`: times of the shortest messages, over that of the map. `lengths`: by size, the bytes
    that count where it is narrowest; of the longest messages all of them.
    """

    short: float
    lengths: Floats


@dataclass(frozen=True)
class Twin:
    """What is known of a machine.

    `curves` and `inside_s`: by the messages of a process to other hosts, and to its own; times are
    by size. `used` is the ring that shows the latter, which then cannot be predicted. `inside_most`
    is what the latter took at most, by patterns that send to other hosts as well.
    """

    ways: Ways
    sizes: Floats
    draw: Draw
    placement: tuple[int, ...]
    curves: dict[int, Curve]
    inside_s: dict[int, Floats]
    used: tuple[int, ...] = ()
    inside_most: dict[int, Floats] = field(default_factory=dict)

    def need(self, pattern: int, placement: Sequence[int], *, seen: bool = False) -> Need:
        """Return what a pattern needs with the processes on these hosts, by their numbers."""
        traffic = traffic_of(pattern, placement, self.draw, len(self.ways.names))
        return need_of(self.ways.as_seen if seen else self.ways, traffic)

    def seconds(self, need: Need, *, seen: bool = False) -> Floats:
        """Return how long an iteration takes, by size."""
        curve = self.curves.get(need.each, self.curves[0])
        between = curve.short * need.short_s + curve.lengths * need.byte_s
        if not need.inside:
            return between
        return np.maximum(between, self.within_hosts(need.inside, seen=seen))

    def within_hosts(self, messages: int, *, seen: bool = False) -> Floats:
        """Return how long so many messages of a process to its host take, by size.

        Where they were not measured apart from others, these hide them; where `seen`, they take as
        long as they did at most. Raises ResultError where nothing is known of them.
        """
        if 1 in self.inside_s:
            return self.inside_s.get(messages, messages * self.inside_s[1])
        if not self.inside_most:
            raise ResultError(
                "messages between processes of a host were not measured; run b_eff with more"
                " processes on each host"
            )
        if not seen:
            return np.zeros_like(self.sizes)
        most = max(self.inside_most)
        enough = [took for number, took in self.inside_most.items() if number >= messages]
        longest: Floats = np.minimum.reduce(enough or [self.inside_most[most] * messages / most])
        return longest

    def bandwidths(self, pattern: int, placement: Sequence[int], *, seen: bool = False) -> Floats:
        """Return MB/s by size of all processes. Raises ResultError where nothing is known."""
        messages = patterns_for(len(placement))[pattern].messages
        took = self.seconds(self.need(pattern, placement, seen=seen), seen=seen)
        rates: Floats = self.sizes * messages / took / BYTES_PER_MB
        return rates

    def value(self, placement: Sequence[int], *, seen: bool = False) -> float:
        """Return b_eff in MB/s."""
        averages = [float(self.bandwidths(p, placement, seen=seen).mean()) for p in TESTED]
        return sqrt(logavg(averages[:RING_PATTERNS]) * logavg(averages[RING_PATTERNS:]))


def twin_of(document: Document, pairs: Document) -> Twin:
    """Return the twin of the machine of a run. Raises ResultError where too little was measured."""
    result, map_ = document.result, pairs.result
    if not isinstance(result, BEffResult) or not isinstance(map_, BPairsResult):
        raise ResultError("needs samples of b_eff, and a map of b_pairs", document.source)
    if not RULES[result.definition].rings_first:
        raise ResultError(
            f"is of definition {result.definition}; only 3.5 is predicted", document.source
        )
    names = [host.name for host in result.environment.hosts]
    if len({*names}) < max(2, len(names)):
        raise ResultError("needs two hosts or more, each with its own name", document.source)
    ways = ways_of(map_)
    if np.isnan(ways.hosts).any():
        raise ResultError("has no long messages of some host", pairs.source)
    figures = measured_of(result).official
    environment = result.environment
    twin = Twin(
        ways,
        np.array(result.message_sizes_bytes, dtype=np.float64),
        draw_of(result.options),
        tuple(environment.placement),
        {0: Curve(1.0, np.array(result.message_sizes_bytes, dtype=np.float64))},
        {},
    )
    inside_s, used = dict[int, Floats](), []
    for pattern in (_INSIDE, *range(RING_PATTERNS)):
        need, took = twin.need(pattern, twin.placement), _took(twin, figures, pattern)
        if took is not None and not need.place and need.inside not in inside_s:
            inside_s[need.inside] = took
            used.append(pattern)
    most = dict[int, Floats]()
    for pattern in TESTED:
        inside, took = twin.need(pattern, twin.placement).inside, _took(twin, figures, pattern)
        if inside and took is not None:
            most[inside] = np.fmin(took, most.get(inside, took))
    curves = dict(twin.curves)
    for each, patterns in _REFERENCES.items():
        found = [curve for p in patterns if (curve := _curve(twin, figures, p)) is not None]
        if found:
            curves[each] = found[0]
    return replace(twin, curves=curves, inside_s=inside_s, used=tuple(used), inside_most=most)


def _curve(twin: Twin, figures: Figures, pattern: int) -> Curve | None:
    """Return the curve of a pattern that is not averaged; None where it shows none."""
    took, need = _took(twin, figures, pattern), twin.need(pattern, twin.placement)
    if took is None or not need.byte_s or not need.short_s:
        return None
    longer = np.maximum(took - took[0], 0.0)
    return Curve(took[0] / need.short_s, twin.sizes[-1] * longer / longer[-1])


def _took(twin: Twin, figures: Figures, pattern: int) -> Floats | None:
    """Return the seconds of an iteration of a pattern by size; None where some are missing."""
    found = figures.patterns.get(pattern)
    if found is None or None in found.by_size:
        return None
    messages = patterns_for(len(twin.placement))[pattern].messages
    rates = np.array(found.by_size, dtype=np.float64)
    took: Floats = twin.sizes * messages / (rates * BYTES_PER_MB)
    return took if took[-1] > took[0] else None
