"""Recomputation of a result of b_pairs."""

from itertools import chain
from typing import Any

import numpy as np

from beff.definition.b_eff_patterns import is_seed
from beff.definition.b_eff_plan import LARGEST_FIXED_SIZE, largest_message
from beff.definition.compare import Recheck, Verification
from beff.definition.digest import columns_digest
from beff.maps.network import (
    check_network,
    check_roofs,
    network_digest,
    network_fields,
    network_summary,
)
from beff.maps.pair_map import numbers_of
from beff.maps.schedule import meetings, rounds_until_all_met
from beff.result.b_pairs_result import BPairsResult
from beff.result.bounds import Figure
from beff.result.load import Document, as_b_pairs
from beff.verify.common.checks import check_environment
from beff.verify.common.criteria import Judgement, compare_verdicts, judged

FEWEST_PASSES = 3
LARGEST_BYTES = 2**20


def verify_b_pairs(document: Document) -> Verification:
    """Compare every derived value with its recomputation. Raises ResultError for another result."""
    result = as_b_pairs(document)
    check = Recheck([])
    check_environment(result.environment, result.options, check)
    times = 0
    if has_sound_structure(result, check):
        memory = result.environment.memory_per_process_bytes
        large = min(largest_message(memory), LARGEST_BYTES)
        check.compare(["plan", "large_bytes"], result.plan.large_bytes, large)
        check_roofs(result, check)
        compare_verdicts(result.criteria, verdicts_of(result), check)
        check.compare([], document.fields, derived_fields(result))
        times = sum(map(_count, chain.from_iterable(result.passes.small_ns)))
    return Verification(tuple(check.findings), check.figures, 2 * times)


def has_sound_structure(result: BPairsResult, check: Recheck) -> bool:
    """Whether each time belongs to a pair; what does not is noted in `check`."""
    before = len(check.findings)
    plan, environment = result.plan, result.environment
    several = environment.nodes > 1
    units = environment.nodes if several else environment.processes
    check.compare(["plan", "unit"], plan.unit, "host" if several else "process")
    check.compare(["plan", "units"], plan.units, units)
    check.require(
        largest_message(environment.memory_per_process_bytes) > LARGEST_FIXED_SIZE,
        ["environment", "memory_per_process_bytes"],
        environment.memory_per_process_bytes,
        "more than 512 KiB",
    )
    most = rounds_until_all_met(units)
    check.require(plan.rounds <= most, ["plan", "rounds"], plan.rounds, f"at most {most}")
    seed = result.options.get("seed")
    check.require(is_seed(seed), ["options", "seed"], seed, "a seed")
    no_answer = result.no_answer
    ends = [] if no_answer is None else [*no_answer.silent, *chain.from_iterable(no_answer.waiting)]
    for unit in chain(result.retests.first, result.retests.second, ends):
        check.require(unit < units, ["retests"], unit, f"a unit below {units}")
    if len(check.findings) == before:
        _check_lengths(result, check)
        check_network(result, check)
    return len(check.findings) == before


def _check_lengths(result: BPairsResult, check: Recheck) -> None:
    plan, small = result.plan, result.passes.small_ns
    passes = min(len(small), plan.most_passes)
    check.require(len(small) == passes, ["passes", "small_ns"], len(small), plan.most_passes)
    met = meetings(plan.units, plan.rounds, passes, result.options["seed"])
    expected = np.zeros((passes, plan.rounds), dtype=np.int64)
    np.add.at(expected, (met.passes, met.rounds), 1)
    for kind, column in (("small_ns", small), ("large_ns", result.passes.large_ns)):
        for number, rounds in enumerate(column[:passes]):
            path: list[str | int] = ["passes", kind, number]
            is_last = number == len(small) - 1
            whole = len(rounds) == plan.rounds or (is_last and len(rounds) < plan.rounds)
            check.require(whole, path, f"{len(rounds)} rounds", f"{plan.rounds} rounds")
            for index, times in enumerate(rounds[: plan.rounds]):
                pairs = int(expected[number, index])
                found = _count(times)
                check.require(found == pairs, [*path, index], f"{found} times", f"{pairs} times")


def _count(times: str) -> int:
    return times.count(" ") + 1 if times else 0


def derived_fields(result: BPairsResult) -> dict[str, Any]:
    """Return the derived part of the document, with the recomputed values."""
    small, large = _median(result.passes.small_ns), _median(result.passes.large_ns)
    of_map = (
        (name, [times for rounds in column for times in rounds]) for name, column in result.passes
    )
    return {
        "valid": all(criterion.met for criterion in result.criteria),
        "summary": {
            "pair_MBps": result.plan.large_bytes * 1e3 / large if large else None,
            "latency_us": small / 1e3 if small else None,
            **network_summary(result),
        },
        **network_fields(result),
        "digest": {"samples": columns_digest(chain(of_map, network_digest(result)))},
    }


def _median(column: list[list[str]]) -> Figure:
    numbers = numbers_of(column)
    known = numbers[~np.isnan(numbers)]
    return float(np.median(known)) if known.size else None


def verdicts_of(result: BPairsResult) -> dict[str, Judgement]:
    """Judge by the raw fields, by codes of the criteria."""
    whole = sum(len(rounds) == result.plan.rounds for rounds in result.passes.small_ns)
    passes = Judgement(result.complete, FEWEST_PASSES, whole)
    return judged({"passes": lambda _: passes}, result, result.environment)
