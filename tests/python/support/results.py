"""Results of b_eff: whole runs of the programs' own core on a model of a machine."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from beff.definition.b_eff_plan import OFFICIAL_METHODS
from scripted_machine import Order, b_eff

MIB = 1 << 20


def model_s(plan: "Plan", order: Order) -> float:
    """What an iteration takes: 2 us and 1 GB/s for each message of a process, up to 9 % more."""
    method = plan.methods.index(order["method"])
    messages: float = max(1.0, order["messages"] / plan.processes)
    state = 17
    for key in (order["pattern"], method, order["repetition"], order["size_bytes"]):
        state = (state * 31 + key) % 1009
    more = 1 + (state % 10) / 100
    return more * messages * (2e-6 * (1 + method / 4) + float(order["size_bytes"]) / 1e9)


@dataclass(frozen=True)
class Plan:
    """What the run was asked to do, and on what machine; the defaults are the official schedule."""

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
    iteration_s: Callable[["Plan", Order], float] = model_s
    measured: int | None = None
    """Loops that were measured before the run ended; None for all."""


SHORT = Plan(methods=("sendrecv",), repetitions=1)
"""All patterns and sizes, one method, one repetition: has all figures, but is not valid."""


def make_result(plan: Plan = SHORT) -> dict[str, Any]:
    """A fresh document for the plan; the run itself is made once."""
    document: dict[str, Any] = json.loads(_text(plan))
    return document


@cache
def _text(plan: Plan) -> str:
    return json.dumps(_run(plan))


def _run(plan: Plan) -> dict[str, Any]:
    done = 0

    def report(order: Order) -> Order:
        nonlocal done
        stops = done == plan.measured
        done += not order["latency"]
        slowest = order["loop_length"] * plan.iteration_s(plan, order) * plan.slower
        return {
            **{"time_max": slowest, "time_sum": 0.98 * slowest, "time_min": 0.95 * slowest},
            "slowest_rank": order["pattern"] % min(plan.processes, 2),
            "least_rate": order["loop_length"] / slowest,
            **{"checked": 1, "warm_up": 1e-3 * order["warm_up"], "preparation_and_check": 1e-4},
            "stops": stops or done == plan.measured,
        }

    fields: dict[str, Any] = b_eff(
        report,
        plan.processes,
        definition=plan.definition,
        methods=plan.methods,
        repetitions=plan.repetitions,
        memory_per_process=plan.memory,
        seed=plan.seed,
        **({} if plan.patterns is None else {"pattern_ids": plan.patterns}),
        **({} if plan.sizes is None else {"size_indices": plan.sizes}),
    ).result
    accounting = fields["accounting"]
    accounting |= {"unaccounted_s": 0.125, "elapsed_s": accounting["elapsed_s"] + 0.125}
    fields["environment"] |= _on_hosts(plan.hosts or (plan.processes,))
    fields["environment"]["wall_s"] = accounting["elapsed_s"] + 1.5
    official = plan.methods == OFFICIAL_METHODS
    fields["options"] |= {
        "definition": plan.definition,
        "methods": None if official else plan.methods,
        "patterns": plan.patterns,
        "rmax_gflops": plan.rmax_gflops,
    }
    if plan.rmax_gflops is not None:
        summary, rmax = fields["summary"], plan.rmax_gflops
        value = summary["b_eff_MBps"]
        balance = None if value is None else value / (1e3 * rmax)
        fields["summary"] = summary | {"rmax_gflops": rmax, "balance_bytes_per_flop": balance}
    return fields


def _on_hosts(hosts: tuple[int, ...]) -> dict[str, Any]:
    """The environment of so many processes on each host."""
    most = max(hosts)
    return {
        "started_at": "2026-11-22T10:00:00Z",
        "finished_at": "2026-11-22T10:01:00Z",
        "hosts": [{"name": f"node{i + 1}", "processes": count} for i, count in enumerate(hosts)],
        "host_list": "node1" if len(hosts) == 1 else f"node[1-{len(hosts)}]",
        "nodes": len(hosts),
        "placement": " ".join(f"{i}x{n}" if n > 1 else f"{i}" for i, n in enumerate(hosts)),
        "cores_per_node_min": most,
        "cpu": {
            "model": "Model CPU",
            **{"packages": 1, "cores": most, "threads": most, "numa_nodes": 1},
            "caches": [{"name": "L2", "bytes": 2 * MIB, "count": most}],
        },
        "topology": "1 package, 1 NUMA node",
        "binding": {
            "bound_processes": sum(hosts),
            **{"unbound_processes": 0, "shared_cores": 0},
            "first_node": [str(core) for core in range(hosts[0])],
        },
        "clock": {"resolution_s": 1e-9, "call_cost_s": 3e-8, "barrier_cost_s": 1e-6},
    }


def journal_lines(
    plan: Plan = SHORT, loops: int | None = None, end: str | None = None
) -> list[str]:
    """The journal that a run of this plan writes, with its first `loops` samples."""
    samples = make_result(plan)["samples"]
    header = make_result(replace(plan, measured=0))
    header["environment"]["finished_at"], header["cautions"] = None, []
    rows = [dict(zip(samples, row, strict=True)) for row in zip(*samples.values(), strict=True)]
    first = {"journal": 1, "benchmark": "b_eff", "loops": len(rows), "result": header}
    lines = [first, *({"sample": row} for row in rows[:loops])]
    return [json.dumps(line) for line in (*lines, *([] if end is None else [{"end": end}]))]
