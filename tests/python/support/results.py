"""A good result document for any number of processes, from a simple model of a machine.

The measured times are the model's; the derived part is filled in by the package's own analysis,
whose numbers other tests check by hand and against stored results of the measuring program.
"""

import copy
import json
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Any

from beff.result.b_eff_result import BEffResult, Samples
from beff.result.bounds import runs_text
from beff.verify.b_eff.criteria import verdicts_of
from beff.verify.b_eff.definition import (
    OFFICIAL_METHODS,
    Draw,
    PatternFacts,
    is_averaged,
    largest_message,
    message_sizes,
    patterns_for,
)
from beff.verify.b_eff.derive import derived_fields, loops_s
from beff.verify.common.criteria import Judgement, as_criteria

MIB = 1 << 20
SIZES = 21


@dataclass(frozen=True)
class Plan:
    """What the synthetic run was asked to do; the defaults are the official schedule."""

    processes: int = 4
    definition: str = "3.5"
    methods: tuple[str, ...] = OFFICIAL_METHODS
    patterns: tuple[int, ...] | None = None
    sizes: tuple[int, ...] | None = None
    repetitions: int = 3
    memory: int = 128 * MIB
    seed: int = 12345
    rmax_gflops: float | None = None
    hosts: tuple[int, ...] = ()
    slower: float = 1.0
    measured: int | None = None
    """Loops that were measured before the run ended; None for all."""
    options: dict[str, Any] = field(default_factory=dict, hash=False)


SHORT = Plan(methods=("sendrecv",), repetitions=1)
"""All patterns and sizes, one method, one repetition: has all figures, but is not valid."""


@cache
def _text(plan: Plan) -> str:
    return json.dumps(_build(plan))


def make_result(plan: Plan = SHORT) -> dict[str, Any]:
    """A fresh document for the plan."""
    document: dict[str, Any] = json.loads(_text(plan))
    return document


def journal_lines(
    plan: Plan = SHORT, loops: int | None = None, end: str | None = None
) -> list[str]:
    """The journal that a run of this plan writes, with its first `loops` samples."""
    whole = make_result(plan)
    header = make_result(Plan(**{**plan.__dict__, "measured": 0}))
    header["environment"]["finished_at"] = None
    samples = header["samples"]
    first = {
        "journal": 1,
        "benchmark": "b_eff",
        "loops": len(whole["samples"]["size"]),
        "result": header,
    }
    lines = [json.dumps(first)]
    count = len(whole["samples"]["size"]) if loops is None else loops
    for index in range(count):
        sample = {name: whole["samples"][name][index] for name in samples}
        lines.append(json.dumps({"sample": sample}))
    if end is not None:
        lines.append(json.dumps({"end": end}))
    return lines


def _wobble(*keys: int) -> float:
    """A repeatable factor from 1.00 to 1.09."""
    state = 17
    for key in keys:
        state = (state * 31 + key) % 1009
    return 1 + (state % 10) / 100


def _iteration_s(facts: PatternFacts, size: int, method: int) -> float:
    """Latency of 2 µs and 1 GB/s per process and message, by the messages of each process."""
    per_process = facts.messages / facts.processes
    return per_process * (2e-6 * (1 + method / 4) + size / 1e9)


def _samples(plan: Plan, sizes: list[int], facts: list[PatternFacts]) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {name: [] for name in Samples.columns()}
    planned = plan.sizes if plan.sizes is not None else tuple(range(SIZES))
    loops = product(range(plan.repetitions), facts, enumerate(plan.methods), planned)
    for repetition, pattern, (method, name), size in loops:
        if name not in pattern.methods(list(plan.methods)):
            continue
        iteration = _iteration_s(pattern, sizes[size], method)
        length = max(1, round(3.5e-3 / iteration))
        if plan.definition == "3.1":
            length = max(1, min(300, sizes[-1] // sizes[size]))
        slowest = iteration * length * _wobble(pattern.id, method, repetition, size)
        slowest *= plan.slower
        row = (
            pattern.id,
            size,
            method,
            repetition,
            length,
            slowest,
            slowest * 0.98,
            slowest * 0.95,
            pattern.id % pattern.processes,
        )
        for column, value in zip(columns.values(), row, strict=True):
            column.append(value)
    return {name: column[: plan.measured] for name, column in columns.items()}


def _environment(plan: Plan) -> dict[str, Any]:
    hosts = plan.hosts or (plan.processes,)
    return {
        "started_at": "2026-11-22T10:00:00Z",
        "finished_at": "2026-11-22T10:01:00Z",
        "wall_s": 60.0,
        "uname": {
            "sysname": "Linux",
            "nodename": "node1",
            "release": "6.1",
            "version": "#1",
            "machine": "x86_64",
        },
        "hosts": [{"name": f"node{i + 1}", "processes": count} for i, count in enumerate(hosts)],
        "host_list": "node1" if len(hosts) == 1 else f"node[1-{len(hosts)}]",
        "processes": plan.processes,
        "nodes": len(hosts),
        "placement": runs_text([node for node, count in enumerate(hosts) for _ in range(count)]),
        "cores_per_node_min": max(hosts),
        "oversubscribed": False,
        "simulated": False,
        "memory_per_process_bytes": plan.memory,
        "total_memory_bytes": plan.memory * plan.processes,
        "memory_source": "as told by --memory-per-process",
        "mpi": {"library": "Model MPI 1.0", "standard": "4.1", "thread_level": "MPI_THREAD_SINGLE"},
        "cpu": {
            "model": "Model CPU",
            "packages": 1,
            "cores": max(hosts),
            "threads": max(hosts),
            "numa_nodes": 1,
            "caches": [{"name": "L2", "bytes": 2 * MIB, "count": max(hosts)}],
        },
        "topology": "1 package, 1 NUMA node",
        "binding": {
            "bound_processes": plan.processes,
            "unbound_processes": 0,
            "shared_cores": 0,
            "first_node": [str(core) for core in range(hosts[0])],
        },
        "clock": {"resolution_s": 1e-9, "call_cost_s": 3e-8, "barrier_cost_s": 1e-6},
        "build_type": "Release",
        "command_line": ["b_eff"],
        "launch_command": None,
        "environment_variables_of_mpi": {},
    }


def _options(plan: Plan) -> dict[str, Any]:
    official = plan.methods == OFFICIAL_METHODS
    return {
        "output": "b_eff",
        "seed": plan.seed,
        "definition": plan.definition,
        "methods": None if official else list(plan.methods),
        "patterns": None if plan.patterns is None else list(plan.patterns),
        "sizes": None if plan.sizes is None else list(plan.sizes),
        "repetitions": plan.repetitions,
        "loop_time_s": 2.5e-3,
        "rmax_gflops": plan.rmax_gflops,
        **plan.options,
    }


def _build(plan: Plan) -> dict[str, Any]:
    sizes = message_sizes(largest_message(plan.memory))
    existing = patterns_for(plan.processes)
    facts = [
        fact for fact in existing.values() if plan.patterns is None or fact.id in plan.patterns
    ]
    whole = _samples(Plan(**{**plan.__dict__, "measured": None}), sizes, facts)
    samples = _samples(plan, sizes, facts)
    measured, loops = len(samples["size"]), len(whole["size"])
    document: dict[str, Any] = {
        "schema_version": 2,
        "benchmark": "b_eff",
        "definition": plan.definition,
        "program": {"name": "b_eff", "version": "0.1.0", "git_commit": "unknown"},
        "valid": False,
        "complete": measured == loops,
        "criteria": as_criteria({"none yet": Judgement(False)}),
        "cautions": [],
        "environment": _environment(plan),
        "options": _options(plan),
        "summary": dict.fromkeys(_SUMMARY),
        "message_sizes_bytes": sizes,
        "methods": list(plan.methods),
        "patterns": [_pattern(plan, fact) for fact in facts],
        "data_check": {
            "enabled": True,
            "messages_checked": 1000,
            "wrong_messages": 0,
            "first_error": None,
        },
        "digest": {"algorithm": "fnv1a64", "samples": "0" * 16},
        "samples": samples,
    }
    document["summary"]["rmax_gflops"] = plan.rmax_gflops
    document["summary"]["lmax_bytes"] = sizes[-1]
    document["accounting"] = _accounting(0.0)
    document["criteria"] = as_criteria(verdicts_of(BEffResult.model_validate(document)))
    return with_derived(document)


_SUMMARY = (
    "b_eff_MBps",
    "b_eff_per_process_MBps",
    "rings_MBps",
    "random_MBps",
    "lmax_bytes",
    "at_lmax_MBps",
    "at_lmax_per_process_MBps",
    "rings_at_lmax_MBps",
    "rings_at_lmax_per_process_MBps",
    "latency_us",
    "rings_latency_us",
    "pingpong_latency_us",
    "pingpong_MBps",
    "total_memory_exchange_s",
    "rmax_gflops",
    "balance_bytes_per_flop",
)


def _pattern(plan: Plan, facts: PatternFacts) -> dict[str, Any]:
    return {
        "id": facts.id,
        "name": facts.name,
        "group": facts.group,
        "averaged": is_averaged(plan.definition, facts.id),
        "processes": facts.processes,
        "messages": facts.messages,
        "ring_sizes": runs_text(facts.ring_sizes),
        "seed": facts.seed(Draw(plan.seed)),
        "bandwidth_MBps": None,
        "bandwidth_by_size_MBps": [None] * SIZES,
        "bandwidth_by_method_MBps": {},
        "latency_us": None,
        "repetitions": 0,
        **(
            {"release_3_6_by_size_MBps": [None] * SIZES}
            if facts.id == 0 and plan.processes % 2
            else {}
        ),
    }


def with_derived(document: dict[str, Any]) -> dict[str, Any]:
    """The document with every figure that follows from its samples."""
    document["accounting"] = _accounting(0.0)
    document["accounting"] = _accounting(loops_s(BEffResult.model_validate(document)))
    document["environment"]["wall_s"] = document["accounting"]["elapsed_s"] + 1.5
    derived = derived_fields(BEffResult.model_validate(document))
    summary = {**document["summary"], **derived.pop("summary")}
    digest = {**document["digest"], **derived.pop("digest")}
    return copy.deepcopy({**document, **derived, "summary": summary, "digest": digest})


def _accounting(loops: float) -> dict[str, float]:
    return {
        "elapsed_s": loops + 0.0125 + 0.75 + 0.5 + 0.125,
        "loops_s": loops,
        "latency_s": 0.0125,
        "warm_up_s": 0.75,
        "preparation_and_checks_s": 0.5,
        "unaccounted_s": 0.125,
    }
