"""Results of b_pairs of made-up machines, as far as they are judged."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beff.analysis.b_pairs.judge import judge_pairs
from beff.analysis.b_pairs.levels import by_unit
from beff.analysis.b_pairs.pair_map import pair_map
from beff.analysis.b_pairs.schedule import Meetings, meetings, rounds_until_all_met
from beff.analysis.b_pairs.verify import derived_fields, verdicts_of
from beff.analysis.check.finding import Verdict
from beff.analysis.check.hosts import findings_of
from beff.analysis.common.criteria import rejudged
from beff.model.b_pairs_result import BPairsResult
from support.results import Plan, make_result

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ROUNDS = 64
BASE_NS = {"small": 1500.0, "large": 60_000.0}
RETEST_PASSES = 4


@dataclass(frozen=True)
class Machine:
    """What a machine has, as factors of time; the noise has heavy tails.

    `slow` hosts and `links` count for the kinds of messages in `kinds`; of `one_way` links only
    large messages from the first to the second are slow. An `uplink` makes pairs between its group
    and the others slower. Leaves of `leaf` hosts have uplinks for half of them (2:1): what crosses
    shares them, and a pair takes as long as the slower of host and uplink. `busy` hosts are
    `busy_factor` times as slow in the share `busy_share` of all rounds, in one stretch, in messages
    of both lengths. `spread` is the standard deviation of hosts that are as they should be, `noise`
    that of a pair and round; one in `1 / outliers` takes longer by a Pareto factor.
    """

    units: int
    slow: dict[int, float] = field(default_factory=dict)
    links: dict[tuple[int, int], float] = field(default_factory=dict)
    one_way: dict[tuple[int, int], float] = field(default_factory=dict)
    uplink: tuple[range, float] | None = None
    leaf: int | None = None
    busy: tuple[int, ...] = ()
    busy_factor: float = 2.0
    busy_share: float = 0.3
    kinds: tuple[str, ...] = ("small", "large")
    spread: float = 0.02
    noise: float = 0.04
    outliers: float = 0.04
    passes: int = 3
    rounds: int = ROUNDS


def own_effects(machine: Machine, seed: int) -> Floats:
    """Return by how much the hosts of a run differ without a fault, as logarithms."""
    return np.random.default_rng([seed, 1]).normal(0, machine.spread, machine.units)


def pair_fields(machine: Machine, seed: int, retest: bool = True) -> dict[str, Any]:
    """Return the fields of a run on such a machine that its judgement needs."""
    chance = np.random.default_rng(seed)
    n, passes = machine.units, machine.passes
    rounds = min(machine.rounds, rounds_until_all_met(n))
    met = meetings(n, rounds, passes, seed)
    own = own_effects(machine, seed)
    begin = chance.random() * (1 - machine.busy_share)
    times = {kind: _crowded(machine, kind, own, met, rounds, begin, chance) for kind in BASE_NS}
    chosen = pairs_to_retest(n, met, times) * RETEST_PASSES if retest else []
    ones, others = np.array(chosen, dtype=np.int64).reshape(-1, 2).T
    again = {kind: _alone(machine, kind, own, ones, others, chance) for kind in BASE_NS}
    for way, turned in (("there", False), ("back", True)):
        again[way] = _alone(
            machine, way, own, *((others, ones) if turned else (ones, others)), chance
        )
    at = met.passes * rounds + met.rounds
    return {
        "environment": {"hosts": [{"name": f"n{unit}", "processes": 1} for unit in range(n)]},
        "options": {"seed": seed},
        "plan": {
            "unit": "host",
            "units": n,
            "rounds": rounds,
            "small_bytes": 1,
            "large_bytes": 1 << 20,
        },
        "passes": {
            f"{kind}_ns": [
                [
                    " ".join(map(str, found.astype(int)[at == number * rounds + round_]))
                    for round_ in range(rounds)
                ]
                for number in range(passes)
            ]
            for kind, found in times.items()
        },
        "retests": {
            "first": ones.tolist(),
            "second": others.tolist(),
            **{f"{kind}_ns": found.astype(int).tolist() for kind, found in again.items()},
        },
        "no_answer": None,
    }


def pairs_to_retest(units: int, met: Meetings, times: dict[str, Floats]) -> list[tuple[int, int]]:
    """Return what the engine measures again (core/pairs/pair_map.hpp)."""
    chosen: dict[tuple[int, int], None] = {}
    suspects: set[int] = set()
    partners: dict[str, list[list[int]]] = {}
    link_ratios: list[list[tuple[float, int, int]]] = []

    def add(one: int, other: int) -> None:
        chosen.setdefault((min(one, other), max(one, other)))

    def compare(kind: str, unit: int, besides: int) -> None:
        for other in partners[kind][unit]:
            if other != besides and other not in suspects:
                add(unit, other)
                return

    for kind, ns in times.items():
        best: dict[tuple[int, int], float] = {}
        for one, other, time in zip(
            met.first.tolist(), met.second.tolist(), ns.tolist(), strict=True
        ):
            best[one, other] = min(time, best.get((one, other), np.inf))
        of: list[list[tuple[float, int]]] = [[] for _ in range(units)]
        for (one, other), time in best.items():
            of[one].append((time, other))
            of[other].append((time, one))
        partners[kind] = [[other for _, other in sorted(some)] for some in of]
        score = np.zeros(units)
        for share in (0.05, 0.25):
            own = by_unit(met.first, met.second, ns, units, share)
            score = np.maximum(score, own / np.median(own))
        worst = [unit for unit in np.argsort(-score, kind="stable").tolist() if score[unit] > 1.15]
        suspects |= set(worst)
        for unit in worst[:8]:
            for partner in [other for other in partners[kind][unit] if other not in suspects][:2]:
                add(unit, partner)
                compare(kind, partner, unit)
        ratios = [(time / max(own[a], own[b]), a, b) for (a, b), time in best.items()]
        link_ratios.append([entry for entry in ratios if entry[0] > 1.25])
    for kind, ratios in zip(times, link_ratios, strict=True):
        kept = [entry for entry in sorted(ratios, reverse=True) if not suspects & set(entry[1:])]
        for _, one, other in kept[:12]:
            add(one, other)
            compare(kind, one, other)
            compare(kind, other, one)
    return list(chosen)


def _alone(  # noqa: PLR0917 - what a pair depends on
    machine: Machine, kind: str, own: Floats, first: Ints, second: Ints, chance: Any
) -> Floats:
    """Times of pairs with nothing else under way: the slower half decides, then the way."""
    base = "small" if kind == "small" else "large"
    slow = np.zeros(machine.units)
    logs = np.zeros(len(first))
    if base in machine.kinds:
        for unit, factor in machine.slow.items():
            slow[unit] = np.log(factor)
        for (one, other), factor in machine.links.items():
            hit = ((first == one) & (second == other)) | ((first == other) & (second == one))
            logs[hit] += np.log(factor)
        if machine.uplink is not None:
            group, factor = machine.uplink
            crossing = np.isin(first, group) != np.isin(second, group)
            logs[crossing] += np.log(factor)
    for (one, other), factor in machine.one_way.items() if base == "large" else ():
        hit = (first == one) & (second == other)
        if kind == "large":
            hit |= (first == other) & (second == one)
        logs[hit] += np.log(factor)
    host = own + slow
    logs += np.maximum(host[first], host[second])
    return BASE_NS[base] * np.exp(logs) * _noise(machine, len(first), chance)


def _noise(machine: Machine, count: int, chance: Any) -> Floats:
    logs = chance.normal(0, machine.noise, count)
    tail = chance.random(count) < machine.outliers
    logs[tail] += np.log(1 + chance.pareto(1.2, int(tail.sum())))
    noise: Floats = np.exp(logs)
    return noise


def _crowded(  # noqa: PLR0917 - what a pair depends on
    machine: Machine, kind: str, own: Floats, met: Meetings, rounds: int, begin: float, chance: Any
) -> Floats:
    """Times of pairs while others meet; what is busy begins at a share of the rounds."""
    first, second = met.first, met.second
    quiet = _alone(machine, kind, own, first, second, chance)
    at = met.passes * rounds + met.rounds
    if machine.leaf is not None and kind == "large":
        leaf = machine.leaf
        crosses = first // leaf != second // leaf
        leaves = machine.units // leaf + 1
        load = np.zeros((int(at.max()) + 1, leaves))
        np.add.at(load, (at[crosses], first[crosses] // leaf), 1)
        np.add.at(load, (at[crosses], second[crosses] // leaf), 1)
        most = np.maximum(load[at, first // leaf], load[at, second // leaf]) / (leaf / 2)
        shared = BASE_NS[kind] * most * np.exp(chance.normal(0, machine.noise, len(first)))
        quiet = np.where(crosses, np.maximum(quiet, shared), quiet)
    count = int(at.max()) + 1
    for unit in machine.busy:
        during = (at >= begin * count) & (at < (begin + machine.busy_share) * count)
        quiet[during & ((first == unit) | (second == unit))] *= machine.busy_factor
    return quiet


def make_map(machine: Machine, seed: int = 1, **more: Any) -> dict[str, Any]:
    """Return a whole valid result on such a machine, whose hosts are node1, node2 …."""
    base = make_result(
        Plan(processes=machine.units, hosts=(1,) * machine.units, methods=("sendrecv",), sizes=(0,))
    )
    found = pair_fields(machine, seed)
    most_passes = max(100, machine.passes)
    plan = {"per_host": "all", "duration_s": 20.0, "most_passes": most_passes, **found["plan"]}
    names = ("schema_version", "program", "cautions", "environment")
    fields = {
        **{name: base[name] for name in names},
        "benchmark": "b_pairs",
        "definition": "1",
        "valid": True,
        "complete": True,
        "criteria": [
            {"name": name, "required": required, "found": "", "met": True}
            for name, required in (
                ("complete", "at least 3 passes"),
                ("build", ""),
                ("machine", ""),
            )
        ],
        "options": found["options"],
        "summary": {"pair_MBps": None, "latency_us": None},
        **{name: found[name] for name in ("passes", "retests", "no_answer")},
        "plan": {**plan, "large_bytes": min(base["summary"]["lmax_bytes"], 1 << 20)},
        "roofs": None,
        "took_s": 1.0,
        "digest": {"algorithm": "fnv1a64", "samples": "0" * 16},
        **more,
    }
    result = BPairsResult.model_validate(fields)
    fields["criteria"] = rejudged(fields["criteria"], verdicts_of(result))
    derived = derived_fields(BPairsResult.model_validate(fields))
    return {**fields, **derived, "digest": {**fields["digest"], **derived["digest"]}}


def sentences(fields: dict[str, Any]) -> dict[str, tuple[Verdict, str]]:
    pairs = pair_map(fields)
    found = findings_of("a", pairs, judge_pairs(pairs))
    return {finding.about: (finding.verdict, finding.sentence) for finding in found}
