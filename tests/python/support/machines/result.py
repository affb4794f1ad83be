"""Whole valid results of b_pairs on made-up machines, and what is said of them."""

import json
from types import SimpleNamespace
from typing import Any

import numpy as np
from slow_hosts.machine import Machine
from slow_hosts.networks import Floats

from beff.definition.b_pairs_plan import KINDS, meetings
from beff.definition.verify import derived_fields, merged
from beff.judge.finding import Verdict
from beff.judge.hosts import findings_of
from beff.maps.judge_pairs import judge_pairs
from beff.maps.pair_map import PairMap, pair_map
from beff.result.b_pairs_result import BPairsResult, NoAnswer
from beff.show.parts.findings import sentence_of
from support.machines.measure import map_of, rounds_of_pass, seed_of_run
from support.results import Plan, make_result


def make_map(machine: Machine, seed: int = 1, day: int = 0, **more: Any) -> dict[str, Any]:
    """Return a result on such a machine, whose hosts are node1, node2 …."""
    return derived(underived_map(machine, seed, day, **more))


def underived_map(machine: Machine, seed: int = 1, day: int = 0, **more: Any) -> dict[str, Any]:
    """Return the raw part of a result, and what is derived from it still without its figures."""
    base = make_result(Plan(machine.hosts, hosts=(1,) * machine.hosts, measured=0))
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
        "digest": {"algorithm": "crc32", "samples": "0" * 8},
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


def fields_of(pairs: PairMap, seed: int) -> dict[str, Any]:
    """Return the fields of a map of whole passes; `seed` is that of the run (`seed_of_run`)."""
    rounds = rounds_of_pass(pairs.units)
    passes = int(pairs.passes.max()) + 1
    met = meetings(pairs.units, rounds, passes, seed)
    sizes = np.bincount(met.passes * rounds + met.rounds, minlength=passes * rounds)
    texts = {kind: _texts(pairs.times[kind], np.cumsum(sizes)[:-1].tolist()) for kind in KINDS}
    return {
        "environment": {"hosts": [{"name": name, "processes": 1} for name in pairs.names]},
        "options": {"seed": seed},
        "plan": {
            "unit": pairs.unit,
            "units": pairs.units,
            "rounds": rounds,
            **{f"{kind}_bytes": pairs.bytes_of[kind] for kind in KINDS},
        },
        "passes": {
            f"{kind}_ns": [
                texts[kind][number * rounds : (number + 1) * rounds] for number in range(passes)
            ]
            for kind in KINDS
        },
        "retests": {
            "first": pairs.retest_first.tolist(),
            "second": pairs.retest_second.tolist(),
            **{f"{way}_ns": _ns(logs) for way, logs in pairs.retests.items()},
        },
        "no_answer": None,
    }


def read_map(fields: dict[str, Any]) -> PairMap:
    """Return the map of the fields that `fields_of` makes, or of a whole result."""
    no_answer = fields["no_answer"]
    parts = json.loads(json.dumps(fields), object_hook=lambda part: SimpleNamespace(**part))
    parts.options = fields["options"]
    parts.no_answer = None if no_answer is None else NoAnswer.model_validate(no_answer)
    return pair_map(BPairsResult.model_construct(**vars(parts)))


def _texts(logs: Floats, ends: list[int]) -> list[str]:
    """Return the column of each round."""
    numbers = list(map(str, _ns(logs)))
    return [
        " ".join(numbers[begin:end])
        for begin, end in zip([0, *ends], [*ends, len(numbers)], strict=True)
    ]


def _ns(logs: Floats) -> list[int]:
    found: list[int] = np.rint(np.exp(logs)).astype(int).tolist()
    return found
