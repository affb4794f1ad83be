"""Results and expectations for tests of what `beff check` looks at."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from support.results import MIB, Plan, make_result

PLAN = Plan(processes=8, hosts=(1,) * 8)
LMAX = PLAN.memory // 128
Fields = dict[str, Any]


def result(slower: float = 1.0, *, day: int | None = None, **more: Any) -> Fields:
    fields = {**make_result(replace(PLAN, slower=slower)), **more}
    if day is not None:
        fields["environment"]["started_at"] = f"2026-03-{day:02}T00:00:00Z"
    return fields


def write(path: Path, fields: Fields) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(fields), encoding="utf-8")
    return path


def expecting(reference: dict[str, list[Any]], **conditions: Any) -> dict[str, Any]:
    stated = {"definition": "3.5", "lmax_bytes": LMAX, **conditions}
    return {"expectations": [{"benchmark": "b_eff", "reference": reference, **stated}]}


def loaded(fields: Fields, **columns: str) -> Fields:
    """A result whose hosts counted this, in ms; a number for all of them is repeated."""
    hosts = len(fields["environment"]["hosts"])
    names = ("elapsed_ms", "others_ms", "stolen_ms", "waited_ms", "throttled_ms")
    each = {**dict.fromkeys(names, "-"), "elapsed_ms": "20000", **columns}
    load = {name: " ".join((text.split() * hosts)[:hosts]) for name, text in each.items()}
    return {**fields, "load": load}


def port(name: str, kind: str, sent: str, **columns: str) -> Fields:
    """A port that is active on all hosts, without errors."""
    count = int(sent.partition("x")[2] or len(sent.split()))
    column = {"name": name, "kind": kind, "sent_bytes": sent}
    return {**column, "active": f"1x{count}", "errors": f"0x{count}", **columns}


def wires(payload: str | None, *ports: Fields, **columns: str) -> Fields:
    """What left the hosts, by ports; nothing stayed inside of them or was sent again."""
    count = int(ports[0]["sent_bytes"].partition("x")[2] or len(ports[0]["sent_bytes"].split()))
    zeros = f"0x{count}"
    inside = None if payload is None else zeros
    counted = {"payload_bytes": payload, "inside_bytes": inside, "retransmits": zeros, **columns}
    return {**counted, "ports": list(ports)}


def on_devices(
    fields: Fields, *, confirmed: bool = False, on_pci_bus: bool = False, **roofs: float
) -> Fields:
    """A run of one host with the buffers of each process on a GPU, and how fast its copies are."""
    device = {
        **{"name": "A100", "driver": "550.54.15", "api": "CUDA 12.4", "sharing": "MIG"},
        **{"pci_address": "0000:81:00.0", "on_pci_bus": on_pci_bus},
        **{"numa_node": 1, "memory_bytes": 512 * MIB},
    }
    count = fields["environment"]["processes"]
    buffers = {
        **{"memory": "cuda", "mpi_said": "mpi_memory_alloc_kinds", "confirmed": confirmed},
        **{"files_through_host": False, "roofs": roofs or None},
        "hosts": [
            {"hosts": "node1", "devices": [{**device, "processes": [n]} for n in range(count)]}
        ],
    }
    return {**fields, "environment": {**fields["environment"], "buffers": buffers}}


def host(names: str, rate: float, **more: Any) -> Fields:
    port = {"name": "ib0", "kind": "infiniband", "rate_MBps": rate, "state": "active"}
    return {"hosts": names, "network": [port], "pcie_below_maximum": [], **more}


def roofs_fields(copy: float | None, *hosts: Fields) -> Fields:
    return {"copy_MBps_per_process": copy, "hosts": list(hosts), "took_s": 0.2}
