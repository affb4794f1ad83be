"""Results that other programs printed: what a typed record holds where nothing is known."""

from typing import Any

from beff.model.b_eff_io_result import Samples as IoSamples
from beff.model.b_eff_io_result import Types
from beff.model.b_eff_result import Samples

_UNKNOWN = "not known"
_ENVIRONMENT: dict[str, Any] = {
    "started_at": _UNKNOWN,
    "finished_at": None,
    "wall_s": 0.0,
    "hosts": [],
    "host_list": _UNKNOWN,
    "nodes": 0,
    "placement": [],
    "cores_per_node_min": 0,
    "oversubscribed": False,
    "simulated": False,
    "memory_source": "as printed",
    "mpi": {"library": _UNKNOWN, "standard": _UNKNOWN, "thread_level": _UNKNOWN},
    "cpu": {"model": _UNKNOWN, "packages": 0, "cores": 0, "threads": 0, "numa_nodes": 0},
    "topology": _UNKNOWN,
    "binding": {
        "bound_processes": 0,
        "unbound_processes": 0,
        "shared_cores": 0,
        "first_node": [],
    },
    "clock": {"resolution_s": 0.0, "call_cost_s": 0.0, "barrier_cost_s": 0.0},
    "build_type": _UNKNOWN,
    "command_line": [],
    "launch_command": None,
}
_B_EFF: dict[str, Any] = {
    "environment": _ENVIRONMENT,
    "options": {},
    "summary": {
        **dict.fromkeys(
            (
                *("rings_MBps", "random_MBps", "at_lmax_MBps", "at_lmax_per_process_MBps"),
                *("rings_at_lmax_MBps", "rings_at_lmax_per_process_MBps", "latency_us"),
                *("rings_latency_us", "pingpong_latency_us", "pingpong_MBps"),
                *("total_memory_exchange_s", "rmax_gflops", "balance_bytes_per_flop"),
            )
        ),
        "lmax_bytes": 0,
    },
    "message_sizes_bytes": [],
    "methods": [],
    "patterns": [],
    "data_check": {
        "enabled": False,
        "messages_checked": 0,
        "wrong_messages": 0,
        "first_error": None,
    },
    "accounting": {
        "elapsed_s": 0.0,
        "loops_s": 0.0,
        "latency_s": 0.0,
        "warm_up_s": 0.0,
        "preparation_and_checks_s": 0.0,
        "unaccounted_s": 0.0,
    },
    "digest": {"algorithm": "none", "samples": ""},
    "samples": {name: [] for name in Samples.columns()},
}
_B_EFF_IO: dict[str, Any] = {
    "medium": "The print does not tell whether what was read came from a disk or from memory.",
    "environment": {**_ENVIRONMENT, "filesystem": {"cache_bytes": None, "in_memory": False}},
    "options": {},
    "schedule": {
        "time_s": 0.0,
        "planned_s": 0.0,
        "unit_s": 0.0,
        "rewrite": "all",
        "m_part_bytes": 0,
        "segment_unit_bytes": 0,
        "max_data_bytes": None,
        "max_segment_bytes": None,
        "seed": 0,
    },
    "pointer": "shared",
    "cache": [],
    "data_check": {
        "mode": "none",
        "chunks_checked": 0,
        "wrong_chunks": 0,
        "first_error": None,
    },
    "elapsed_s": 0.0,
}
_PARTITION: dict[str, Any] = {
    "decision_cost_s": 0.0,
    "segment_bytes": 0,
    "segment_cut": "none",
    "segment_scale": 1.0,
}
_ROW: dict[str, Any] = {
    **dict.fromkeys(("repetitions", "bytes", "decisions"), 0),
    **dict.fromkeys(("time_s", "loop_s", "ideal_s", "open_s", "close_s", "open_to_close_s"), 0.0),
    **dict.fromkeys(("stop", "error")),
    "status": "measured",
}
"""Of what was measured none is 0, so a 0 in a record of an imported result means: not known."""


def completed(fields: dict[str, Any]) -> dict[str, Any]:
    """Return an imported result's document with every field of a measured one.

    Counts and times that nobody knows become 0, texts `not known`; figures stay None. The field
    `imported` tells readers that this is so.
    """
    if fields["benchmark"] == "b_eff":
        whole: dict[str, Any] = _beneath(fields, _B_EFF)
        return whole
    whole = _beneath(fields, _B_EFF_IO)
    whole["partitions"] = [_beneath(entry, _PARTITION) for entry in fields["partitions"]]
    whole["samples"] = _columns(fields["samples"], IoSamples)
    whole["types"] = _columns(fields["types"], Types)
    return whole


def _beneath(given: Any, defaults: Any) -> Any:
    """Fill what is missing or null with defaults, also inside objects."""
    if given is None:
        return defaults
    if not isinstance(given, dict) or not isinstance(defaults, dict):
        return given
    names = [*given, *(name for name in defaults if name not in given)]
    return {name: _beneath(given.get(name), defaults.get(name)) for name in names}


def _columns(given: Any, model: type[IoSamples] | type[Types]) -> Any:
    if not isinstance(given, dict):
        return given
    length = len(given.get("partition") or [])
    blank = {name: [_ROW[name]] * length for name in model.model_fields if name in _ROW}
    return {**blank, **{name: column for name, column in given.items() if column is not None}}
