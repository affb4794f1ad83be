"""How long parts of the machine took relative to their like, pattern by pattern."""

from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from math import log

from beff.analysis.b_eff.neighbours import Partners, partners_in
from beff.analysis.b_eff.patterns import PatternFacts, patterns_for
from beff.model.b_eff_result import BEffResult

SHORT, LONG = "short", "long"
SIZES = {SHORT: range(13), LONG: range(17, 21)}
"""Message sizes, by index, over which a process's times are condensed."""
NETWORK, INSIDE = "network", "inside"

SLOW_FACTOR = 1.25
"""Smaller differences are not looked for."""
_BASE_QUANTILE = 0.25
_LARGEST_SHARE = 0.6
_FEWEST_IN_A_RING = 4

Key = tuple[int, ...]


def quantile(values: list[float], share: float) -> float:
    """Return the value below which at most this share of the values lies; needs at least one."""
    return sorted(values)[int(share * (len(values) - 1))]


@dataclass(frozen=True)
class Units:
    """The parts that are compared: hosts, or processes where there is only one host."""

    of_rank: list[int]
    count: int
    are_hosts: bool

    @cached_property
    def ranks(self) -> list[list[int]]:
        """Ranks of each unit."""
        ranks: list[list[int]] = [[] for _ in range(self.count)]
        for rank, unit in enumerate(self.of_rank):
            ranks[unit].append(rank)
        return ranks


def units_of(result: BEffResult) -> Units:
    """Hosts where there are several, else processes."""
    environment = result.environment
    if environment.nodes > 1:
        return Units(environment.placement, environment.nodes, True)
    return Units(list(range(environment.processes)), environment.processes, False)


@dataclass(frozen=True)
class Comparison:
    """Units that one pattern loads alike, and by how much each took longer than its like."""

    pattern: int
    where: str
    excess: dict[int, float]
    """By unit: logarithm of its time over that of the quick quarter of these units."""
    component: dict[int, int] | None
    """By unit: which of them wait for each other; None in a ring through all of them."""
    links: set[tuple[int, int]] = field(default_factory=set)
    """Pairs of these units that exchange messages, the smaller number first."""

    @cached_property
    def _partners(self) -> dict[int, set[int]]:
        partners: dict[int, set[int]] = {unit: {unit} for unit in self.excess}
        for a, b in self.links:
            partners[a].add(b)
            partners[b].add(a)
        return partners

    @cached_property
    def _members(self) -> dict[int, set[int]]:
        members: dict[int, set[int]] = {}
        for unit, component in (self.component or {}).items():
            members.setdefault(component, set()).add(unit)
        return members

    def near(self, unit: int) -> set[int]:
        """Units that are slow when this one is: those that wait for it, or its ring neighbours."""
        if unit not in self.excess:
            return set()
        if self.component is None:
            return self._partners[unit]
        return self._members[self.component[unit]]


def comparisons(result: BEffResult, units: Units, messages: str) -> list[Comparison]:
    """All comparisons that the process times for these messages allow, in order of patterns."""
    times = result.process_times
    if times is None:
        return []
    table = times.short_s if messages == SHORT else times.long_s
    facts = patterns_for(result.environment.processes)
    found: list[Comparison] = []
    for pattern, seconds in zip(times.pattern, table, strict=True):
        if all(time is not None for time in seconds[: facts[pattern].processes]):
            logs = [log(time) if time is not None else 0.0 for time in seconds]
            if len(facts[pattern].ring_sizes) == 1:
                found += _in_one_ring(facts[pattern], logs, units, result)
            else:
                found += _among_components(facts[pattern], logs, units, result)
    return found


def _excess(values: dict[int, float]) -> dict[int, float]:
    base = quantile(list(values.values()), _BASE_QUANTILE)
    return {unit: value - base for unit, value in values.items()}


def _supported(values: dict[int, float], links: set[tuple[int, int]]) -> dict[int, float]:
    """Median of a unit and its partners, of a pair the smaller: who is slow, slows them down too.

    One that is alone with its time was interrupted, or left the barrier before the others.
    """
    around = {unit: [value] for unit, value in values.items()}
    for a, b in links:
        around[a].append(values[b])
        around[b].append(values[a])
    return {unit: quantile(those, 0.5) for unit, those in around.items()}


def _in_one_ring(
    facts: PatternFacts, logs: list[float], units: Units, result: BEffResult
) -> list[Comparison]:
    """One ring through all units: who is slow shows only while others need not wait for it yet."""
    n = result.environment.processes
    if units.count != n or n < _FEWEST_IN_A_RING:
        return []
    values = {units.of_rank[rank]: logs[rank] for rank in range(n)}
    if max(_excess(values).values()) < log(SLOW_FACTOR):
        return []  # before the neighbours are worked out, which takes a while in random rings
    partners = partners_in(facts.id, n, result.options["seed"])
    links = _links(partners, units, set(values))
    excess = _excess(_supported(values, links))
    if max(excess.values()) < log(SLOW_FACTOR):
        return []
    return [Comparison(facts.id, NETWORK, excess, None, links)]


def _among_components(
    facts: PatternFacts, logs: list[float], units: Units, result: BEffResult
) -> list[Comparison]:
    """Compare sets of units that exchange messages only among themselves: none waits for another.

    Only sets whose units have as many processes, partners and partners elsewhere are compared.
    """
    partners = partners_in(facts.id, result.environment.processes, result.options["seed"])
    component = _components(partners, units)
    load = {unit: _load(units.ranks[unit], partners, units) for unit in component}
    heaviest: dict[int, Key] = {}
    for unit, of in component.items():
        heaviest[of] = tuple(map(max, heaviest.get(of, load[unit]), load[unit]))
    classes: dict[Key, list[int]] = {}
    for unit, of in component.items():
        classes.setdefault(heaviest[of], []).append(unit)
    found = []
    for key, members in sorted(classes.items()):
        sets: dict[int, int] = {}
        for unit in members:
            sets[component[unit]] = sets.get(component[unit], 0) + 1
        if len(sets) < 2 or max(sets.values()) > _LARGEST_SHARE * len(members):
            continue
        where = NETWORK if key[-1] > 0 else INSIDE
        values = {unit: _mean_log(units.ranks[unit], partners, units, logs) for unit in members}
        links = _links(partners, units, set(members))
        excess = _excess(_supported(values, links))
        inside = {unit: component[unit] for unit in members}
        found.append(Comparison(facts.id, where, excess, inside, links))
    return found


def _elsewhere(rank: int, partners: Partners, units: Units) -> int:
    """Partners of a process that are in other units."""
    return sum(units.of_rank[peer] != units.of_rank[rank] for peer in partners[rank])


def _load(ranks: list[int], partners: Partners, units: Units) -> Key:
    """Count a unit's processes that take part, their partners, and those in other units."""
    return (
        sum(bool(partners[rank]) for rank in ranks),
        sum(len(partners[rank]) for rank in ranks),
        sum(_elsewhere(rank, partners, units) for rank in ranks),
    )


def _mean_log(ranks: list[int], partners: Partners, units: Units, logs: list[float]) -> float:
    """Mean over the unit's processes that talk to other units; over all of them if none does."""
    crossing = [rank for rank in ranks if _elsewhere(rank, partners, units) > 0]
    counted = crossing or [rank for rank in ranks if partners[rank]]
    return sum(logs[rank] for rank in counted) / len(counted)


def _components(partners: Partners, units: Units) -> dict[int, int]:
    """By unit that takes part: the smallest unit that it is connected with by messages."""
    parent = list(range(units.count))

    def root(unit: int) -> int:
        while parent[unit] != unit:
            parent[unit] = parent[parent[unit]]
            unit = parent[unit]
        return unit

    for rank, peers in enumerate(partners):
        for peer in peers:
            a, b = sorted((root(units.of_rank[rank]), root(units.of_rank[peer])))
            parent[b] = a
    taking_part = {units.of_rank[rank] for rank, peers in enumerate(partners) if peers}
    return {unit: root(unit) for unit in sorted(taking_part)}


def _links(partners: Partners, units: Units, among: set[int]) -> set[tuple[int, int]]:
    of = units.of_rank
    pairs = chain.from_iterable(
        ((of[rank], of[peer]) for peer in peers) for rank, peers in enumerate(partners)
    )
    return {(a, b) for a, b in pairs if a < b and a in among and b in among}
