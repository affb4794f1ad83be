"""`beff check --openmetrics`, read by the parsers of the Prometheus client."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
from prometheus_client.parser import text_string_to_metric_families as older_format
from support.machines.flat import flat
from support.machines.result import make_map
from support.results import Plan, make_result

from beff.cli.app import main

IO_RESULT = Path(__file__).resolve().parents[2] / "data" / "b_eff_io_short.json"
PLAN = Plan(processes=8, hosts=(1,) * 8, methods=("sendrecv",), repetitions=1)
Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def write(path: Path, fields: dict[str, Any]) -> Path:
    path.write_text(json.dumps(fields), encoding="utf-8")
    return path


def samples_of(file: Path) -> Samples:
    """All samples, which must be the same in both formats."""
    text = file.read_text(encoding="utf-8")
    found: list[Samples] = []
    for parse in (openmetrics, older_format):
        families = list(parse(text))
        assert {family.type for family in families} == {"gauge"}
        found.append(
            {
                (sample.name, frozenset(sample.labels.items())): sample.value
                for family in families
                for sample in family.samples
            }
        )
        assert not any(s.timestamp for family in families for s in family.samples)
    assert found[0] == found[1]
    return found[0]


def checked(tmp_path: Path, *results: Path) -> Samples:
    file = tmp_path / "beff.prom"
    main(["check", *map(str, results), "--openmetrics", str(file), "--overwrite"])
    return samples_of(file)


def test_figures_are_in_base_units(tmp_path: Path) -> None:
    fields = make_result(PLAN)
    found = checked(tmp_path, write(tmp_path / "a.json", fields))
    figures = {(name, dict(labels).get("figure")): value for (name, labels), value in found.items()}
    rate = figures["beff_bandwidth_bytes_per_second", "b_eff"]
    assert rate == pytest.approx(fields["summary"]["b_eff_MBps"] * 1e6)
    latency = figures["beff_latency_seconds", "latency"]
    assert latency == pytest.approx(fields["summary"]["latency_us"] * 1e-6)


def test_of_equal_sizes_the_latest_counts_and_benchmarks_stand_side_by_side(tmp_path: Path) -> None:
    old, new = make_result(PLAN), make_result(PLAN)
    files = json.loads(IO_RESULT.read_text(encoding="utf-8"))
    old["environment"]["finished_at"] = "2026-11-01T10:00:00Z"
    new["environment"]["finished_at"] = "2026-11-02T10:00:00Z"
    paths = [
        write(tmp_path / name, fields)
        for name, fields in (("z.json", old), ("b.json", new), ("c.json", files))
    ]
    found = checked(tmp_path, *paths)
    ends = [v for (name, _), v in found.items() if name.startswith("beff_result_finished")]
    assert datetime.fromisoformat("2026-11-02T10:00:00+00:00").timestamp() in ends
    assert len(ends) == 2
    written = {dict(labels).get("figure") for _, labels in found}
    assert {"b_eff", "b_eff_io", "write", "read", "latency"} <= written


def test_names_of_hosts_cannot_break_the_file(tmp_path: Path) -> None:
    fields = make_map(flat(8))
    name = 'n"1\\\n} 1'
    fields["environment"]["hosts"][0]["name"] = name
    found = checked(tmp_path, write(tmp_path / "a.json", fields))
    hosts = {dict(labels).get("host") for _, labels in found}
    assert 'n"1\\?} 1' in hosts
