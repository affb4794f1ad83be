"""Whole valid results of b_pairs on made-up machines, and what is said of them."""

from __future__ import annotations

from typing import Any

from beff.definition.recover import merged
from beff.definition.verify import derived_fields
from beff.judge.finding import Verdict
from beff.judge.hosts import findings_of
from beff.maps.judge_pairs import judge_pairs
from beff.maps.pair_map import PairMap
from beff.report.parts.findings import sentence_of
from beff.result.b_pairs_result import BPairsResult
from support.machines.fields import fields_of, read_map
from support.machines.machine import Machine
from support.machines.measure import map_of, seed_of_run
from support.results import Plan, make_result


def make_map(machine: Machine, seed: int = 1, day: int = 0, **more: Any) -> dict[str, Any]:
    """Return a result on such a machine, whose hosts are node1, node2 …."""
    return derived(underived_map(machine, seed, day, **more))


def underived_map(machine: Machine, seed: int = 1, day: int = 0, **more: Any) -> dict[str, Any]:
    """Return the raw part of a result, and what is derived from it still without its figures."""
    base = make_result(Plan(machine.units, hosts=(1,) * machine.units, measured=0))
    pairs = map_of(machine, seed, day)
    found = fields_of(pairs, seed_of_run(seed, day))
    most_passes = max(100, int(pairs.passes.max()) + 1)
    plan = {"per_host": "all", "duration_s": 20.0, "most_passes": most_passes, **found["plan"]}
    names = ("schema_version", "program", "environment")
    return {
        **{name: base[name] for name in names},
        "benchmark": "b_pairs",
        "cautions": [],
        "definition": "1",
        "valid": True,
        "complete": True,
        "criteria": [
            {"code": "machine", "required": None, "found": None, "unit": "count", "met": True}
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


def derived(fields: dict[str, Any]) -> dict[str, Any]:
    """Return a result with the figures that its raw part gives."""
    whole: dict[str, Any] = merged(fields, derived_fields(BPairsResult.model_validate(fields)))
    return whole


def sentences(fields: dict[str, Any]) -> dict[str, tuple[Verdict, str]]:
    """Return the verdict and the sentence about each thing in a result."""
    return sentences_of(read_map(fields))


def sentences_of(pairs: PairMap, **more: Any) -> dict[str, tuple[Verdict, str]]:
    """Return the verdict and the sentence about each thing in a map."""
    found = findings_of(pairs, judge_pairs(pairs, **more))
    return {one.about: (one.verdict or Verdict.GOOD, sentence_of(one)) for one in found}
