"""Which hosts, processes or links are slow: the second implementation of docs/slow-hosts.md."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp, fsum, lgamma, log
from typing import Any

from beff.analysis.b_eff.relative_times import (
    INSIDE,
    LONG,
    NETWORK,
    SHORT,
    SIZES,
    SLOW_FACTOR,
    Comparison,
    Units,
    comparisons,
    quantile,
    units_of,
)
from beff.model.b_eff_result import BEffResult

_SLOW = log(SLOW_FACTOR)
_LEVEL_QUANTILE = 0.2
_FEWEST_PATTERNS = 3
_FEWEST_FOR_LINK = 2
_LARGEST_CHANCE = 1e-3
_HIGH_CONFIDENCE_CHANCE = 1e-6
_HIGH_CONFIDENCE_PATTERNS = 5

FOUND, NONE_FOUND, UNKNOWN = "found", "none found", "cannot be said"


@dataclass(frozen=True)
class _Case:
    """All comparisons of one length of messages, in the network or inside the hosts."""

    messages: str
    where: str
    comparisons: list[Comparison]
    units: Units
    sweeps: dict[int, list[list[int]]]
    """By pattern: of each sweep through these sizes the unit of the slowest process per loop."""


@dataclass(frozen=True)
class _Sweeps:
    """Sweeps through the sizes, those whose slowest process fits, and how many would by chance."""

    number: int = 0
    slow: int = 0
    expected: float = 0.0

    @property
    def chance(self) -> float:
        """Probability of as many if the slowest process were any; 0 when no sweep can tell."""
        return _tail(self.slow, self.number, self.expected / self.number) if self.number else 0.0


@dataclass
class _Finding:
    """One unit, or two for the link between them."""

    units: tuple[int, ...]
    excesses: list[float]
    compared: list[Comparison]
    chance: float = 1.0
    sweeps: _Sweeps = _Sweeps()
    alternatives: list[int] = field(default_factory=list)

    @property
    def patterns_slow(self) -> int:
        """Comparisons in which it exceeds its like by the factor that counts as slow."""
        return sum(excess >= _SLOW for excess in self.excesses)

    def by_noise(self, noise: float) -> float:
        """Probability of so many if each comparison made it slow with this probability."""
        return _tail(self.patterns_slow, len(self.excesses), noise)


def slow_hosts(result: BEffResult) -> dict[str, Any]:
    """Return the field `slow_hosts` of the result but for its statement."""
    units = units_of(result)
    found: list[dict[str, Any]] = []
    examined: list[dict[str, Any]] = []
    if not (result.environment.oversubscribed and not units.are_hosts):
        for messages in (LONG, SHORT):
            every = comparisons(result, units, messages)
            for where in (NETWORK, INSIDE):
                those = [c for c in every if c.where == where]
                if not those:
                    continue
                case = _Case(messages, where, those, units, _sweeps(result, units, messages))
                enough = [u for u in range(units.count) if len(_of(case, u)) >= _FEWEST_PATTERNS]
                if not enough:
                    continue
                slow, suspected = _judge(case, enough)
                examined.append(
                    {
                        "messages": messages,
                        "where": where,
                        "patterns": len({c.pattern for c in those}),
                        "units": len(enough),
                        "suspected": [_name(unit, units, result) for unit in suspected],
                    }
                )
                found += [_as_fields(f, case, result) for f in slow]
    is_doubtful = not examined or any(entry["suspected"] for entry in examined)
    verdict = FOUND if found else UNKNOWN if is_doubtful else NONE_FOUND
    return {
        "unit": "host" if units.are_hosts else "process",
        "verdict": verdict,
        "examined": examined,
        "found": found,
    }


def _sweeps(result: BEffResult, units: Units, messages: str) -> dict[int, list[list[int]]]:
    slowest: dict[int, dict[tuple[int, int], list[int]]] = {}
    s = result.samples
    for pattern, size, method, repetition, rank in zip(
        s.pattern, s.size, s.method, s.repetition, s.slowest_rank, strict=True
    ):
        if size in SIZES[messages]:
            sweeps = slowest.setdefault(pattern, {})
            sweeps.setdefault((method, repetition), []).append(units.of_rank[rank])
    return {pattern: list(sweeps.values()) for pattern, sweeps in slowest.items()}


def _of(case: _Case, unit: int) -> list[Comparison]:
    """Return what tells about a unit.

    Rings through all units, where the others wait for the slow one sooner or later, count only if
    there is too little else.
    """
    every = [c for c in case.comparisons if unit in c.excess]
    apart = [c for c in every if c.component is not None]
    return apart if len(apart) >= _FEWEST_PATTERNS else every


def _level(excesses: list[float]) -> float:
    """Return what a unit exceeds its like by in all but a fifth of the patterns."""
    return quantile(excesses, _LEVEL_QUANTILE)


def _judge(case: _Case, enough: list[int]) -> tuple[list[_Finding], list[int]]:
    """Return what is slow, and, where no unit is, those that look so but may be noise."""
    levels = {unit: _level([c.excess[unit] for c in _of(case, unit)]) for unit in enough}
    suspects = sorted((u for u in enough if levels[u] >= _SLOW), key=lambda u: (-levels[u], u))
    noise = _noise(case, suspects)
    found: list[_Finding] = []
    for unit in suspects:
        compared = _of(case, unit)
        apart = [c for c in compared if c.component is not None]
        free = [c for c in apart if not any(unit in c.near(f.units[0]) for f in found)]
        if found and len(free) < 2:
            culprits = [f for f in found if any(unit in c.near(f.units[0]) for c in apart)]
            for culprit in culprits[:1]:
                culprit.alternatives.append(unit)
        elif not found or _level([c.excess[unit] for c in free]) >= _SLOW:
            finding = _Finding((unit,), [c.excess[unit] for c in compared], compared)
            if len(enough) * finding.by_noise(noise) <= _LARGEST_CHANCE:
                found.append(finding)
    together = _slowest_is_near(found, [c for f in found for c in f.compared], case)
    for finding in found:
        by_noise = finding.by_noise(noise)
        finding.sweeps = _slowest_is_near([finding], finding.compared, case)
        finding.chance = min(1.0, len(enough) * max(by_noise, together.chance))
    found = [f for f in found if f.chance <= _LARGEST_CHANCE]
    links = _links(case, suspects, found) if case.where == NETWORK else []
    return found + links, [] if found else suspects


def _slowest_is_near(
    findings: list[_Finding],
    compared: list[Comparison],
    case: _Case,
    others: Sequence[_Finding] = (),
) -> _Sweeps:
    """In how many sweeps most loops were slowest at one of the findings, or waited for it.

    Sweeps that others explain are left out.
    """
    sweeps = slow = 0
    expected = 0.0
    for c in {id(c): c for c in compared}.values():
        mine = set[int]().union(*(_group(f.units, c) for f in findings))
        theirs = set[int]().union(*(_group(f.units, c) for f in others))
        for sweep in case.sweeps.get(c.pattern, []):
            seen = [unit for unit in sweep if unit in c.excess]
            is_mine = 2 * sum(unit in mine for unit in seen) > len(seen)
            is_theirs = 2 * sum(unit in theirs for unit in seen) > len(seen)
            if seen and (is_mine or not is_theirs):
                sweeps += 1
                slow += is_mine
                expected += len(mine) / len(c.excess)
    return _Sweeps(sweeps, slow, expected)


def _group(units: tuple[int, ...], comparison: Comparison) -> set[int]:
    """Return the units that are slow when this one, or the link between these two, is."""
    return set[int]().union(*(comparison.near(unit) for unit in units))


def _noise(case: _Case, suspects: list[int], link: _Finding | None = None) -> float:
    """Share of the units that look slow although nothing suspected explains it; never quite 0."""
    apart = [c for c in case.comparisons if c.component is not None]
    cells = slow = 0
    for c in apart or case.comparisons:
        covered = set[int]().union(*(c.near(suspect) for suspect in suspects))
        if link is not None and any(c is compared for compared in link.compared):
            covered |= _group(link.units, c)
        for unit, excess in c.excess.items():
            if unit not in covered:
                cells += 1
                slow += excess >= _SLOW
    return (slow + 0.5) / (cells + 1)


def _tail(successes: int, trials: int, probability: float) -> float:
    """Probability of at least so many successes in independent trials."""
    if successes == 0 or probability >= 1:
        return 1.0
    terms = (
        exp(
            lgamma(trials + 1)
            - lgamma(k + 1)
            - lgamma(trials - k + 1)
            + k * log(probability)
            + (trials - k) * log(1 - probability)
        )
        for k in range(successes, trials + 1)
    )
    return min(1.0, fsum(terms))


def _links(case: _Case, suspects: list[int], units_found: list[_Finding]) -> list[_Finding]:
    """Pairs that are slow whenever they talk to each other, while neither is slow otherwise."""
    of_link: dict[tuple[int, int], list[Comparison]] = {}
    for c in case.comparisons:
        if c.component is None and suspects:
            continue
        waiting = set[int]().union(*(c.near(unit) for unit in suspects))
        for link in c.links:
            if not waiting & set(link):
                of_link.setdefault(link, []).append(c)
    tried = {link: cs for link, cs in of_link.items() if len(cs) >= _FEWEST_FOR_LINK}
    candidates = [
        _Finding(link, [min(c.excess[unit] for unit in link) for c in cs], cs)
        for link, cs in tried.items()
    ]
    slow = [f for f in candidates if _level(f.excesses) >= _SLOW and _is_link(f, case)]
    found: list[_Finding] = []
    for finding in sorted(slow, key=lambda f: (-len(f.compared), -_level(f.excesses), f.units)):
        if all(any(_explains(f, finding, c) for f in found) for c in finding.compared):
            continue
        finding.sweeps = _slowest_is_near([finding], finding.compared, case, units_found + found)
        by_noise = finding.by_noise(_noise(case, suspects, finding))
        finding.chance = min(1.0, len(tried) * max(by_noise, finding.sweeps.chance))
        if finding.chance <= _LARGEST_CHANCE:
            found.append(finding)
    return found


def _is_link(finding: _Finding, case: _Case) -> bool:
    """Whether the two are slow with each other by far more than either is by itself."""
    ends = [_level([c.excess[unit] for c in _of(case, unit)]) for unit in finding.units]
    return _factor(finding) >= SLOW_FACTOR and max(ends) < _level(finding.excesses) / 2


def _explains(stronger: _Finding, weaker: _Finding, comparison: Comparison) -> bool:
    """Whether the weaker link is slow in a pattern because it waits for the stronger one."""
    if not any(c is comparison for c in stronger.compared):
        return False
    waiting = _group(stronger.units, comparison)
    return comparison.component is None or set(weaker.units) <= waiting


def _factor(finding: _Finding) -> float:
    """Typical excess where others need not wait; in a ring through all, the others wait too."""
    pairs = list(zip(finding.excesses, finding.compared, strict=True))
    apart = [excess for excess, c in pairs if c.component is not None]
    return exp(quantile(apart or finding.excesses, 0.5))


def _name(unit: int, units: Units, result: BEffResult) -> str:
    return result.environment.hosts[unit].name if units.are_hosts else f"rank {unit}"


def _as_fields(finding: _Finding, case: _Case, result: BEffResult) -> dict[str, Any]:
    units = case.units
    kind = "link" if len(finding.units) == 2 else "host" if units.are_hosts else "process"
    high = (
        finding.chance <= _HIGH_CONFIDENCE_CHANCE
        and len(finding.excesses) >= _HIGH_CONFIDENCE_PATTERNS
        and not finding.alternatives
    )
    return {
        "kind": kind,
        "name": " and ".join(_name(unit, units, result) for unit in finding.units),
        "ranks": [rank for unit in finding.units for rank in units.ranks[unit]],
        "messages": case.messages,
        "where": case.where,
        "factor": _factor(finding),
        "confidence": "high" if high else "moderate",
        "patterns": len(finding.excesses),
        "patterns_slow": finding.patterns_slow,
        "sweeps": finding.sweeps.number,
        "sweeps_slow": finding.sweeps.slow,
        "sweeps_by_chance": finding.sweeps.expected,
        "chance": finding.chance,
        "alternatives": [_name(unit, units, result) for unit in finding.alternatives],
    }
