"""Results and expectations for tests of what `beff check` looks at."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from support.results import Plan, make_result

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


def host(names: str, rate: float, **more: Any) -> Fields:
    port = {"name": "ib0", "kind": "infiniband", "rate_MBps": rate, "state": "active"}
    return {"hosts": names, "network": [port], "pcie_below_maximum": [], **more}


def roofs_fields(copy: float | None, *hosts: Fields) -> Fields:
    return {"copy_MBps_per_process": copy, "hosts": list(hosts), "took_s": 0.2}
