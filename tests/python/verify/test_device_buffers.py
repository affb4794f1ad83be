"""Results whose buffers lay on devices: judged, shown, never measured in the way of others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.machines.flat import flat
from support.machines.result import make_map
from support.results import Plan, make_result

from beff.charts.several import values_of
from beff.charts.table import charts_of
from beff.definition.b_eff_plan import plan_of
from beff.definition.verify import derived_fields, verify
from beff.judge.compare import CompareSettings, compare
from beff.judge.expectations import Expectations, check_expectations
from beff.judge.finding import Verdict
from beff.judge.hosts import check_hosts
from beff.judge.judge_results import check_earlier
from beff.judge.limit import limit_of
from beff.report.parts.sentences import cautions_of
from beff.report.tables.comparison import side_by_side
from beff.report.tables.environment import environment_table
from beff.result.b_eff_result import BEffResult
from beff.result.load import Document, check_document
from beff.store.entry import entry_of
from beff.store.trend import series_of
from beff.verify.subject import load_subject

MIB = 1 << 20


def document_of(
    kind: str | None, *, confirmed: bool = False, shown: bool = False, devices: int = 1
) -> Document:
    """A whole run of four, with buffers in memory of this kind, of the host without one."""
    fields = make_result(Plan(slower=1.0 if kind is None else 1.1))
    if kind is not None:
        device = {
            **{"name": "A100", "driver": "550.54.15", "api": "CUDA 12.4", "sharing": "MIG"},
            **{"pci_address": "0000:81:00.0"},
            **{"on_pci_bus": shown, "numa_node": 1, "memory_bytes": 512 * MIB},
        }
        each = 4 // devices
        used = [
            {**device, "processes": [*range(first, first + each)]} for first in range(0, 4, each)
        ]
        fields["environment"]["buffers"] = {
            **{"memory": kind, "mpi_said": "mpi_memory_alloc_kinds", "confirmed": confirmed},
            "files_through_host": False,
            "hosts": [{"hosts": "node1", "devices": used}],
        }
    result = BEffResult.model_validate(fields)
    derived = derived_fields(result)
    fields |= {name: derived[name] for name in ("criteria", "valid")}
    return check_document(f"{kind or 'host'}.json", fields)


@pytest.mark.parametrize("confirmed", [False, True])
@pytest.mark.parametrize("shown", [False, True])
def test_only_devices_that_were_confirmed_and_are_there_are_valid(
    confirmed: bool, shown: bool
) -> None:
    document = document_of("cuda", confirmed=confirmed, shown=shown, devices=4)
    assert verify(document).findings == ()
    (criterion,) = [c for c in document.result.criteria if c.code == "device buffers confirmed"]
    assert criterion.met == document.result.valid == (confirmed and shown)
    pretended = {**document.fields, "valid": True}
    pretended["criteria"] = [{**c, "met": True} for c in document.fields["criteria"]]
    findings = verify(check_document("pretended.json", pretended)).findings
    assert bool(findings) == (not (confirmed and shown))


def test_what_is_known_of_a_device_is_said() -> None:
    rows = environment_table(document_of("cuda").result).rows
    (said,) = (str(row[1]) for row in rows if row[0] == "device of node1")
    for part in ("driver 550.54.15", "CUDA 12.4", "MIG", "NUMA node 1"):
        assert part in said


def test_host_and_device_are_never_one_way_of_measuring() -> None:
    host, device = document_of(None), document_of("cuda", confirmed=True, shown=True)
    (finding,) = check_earlier([device], [host]).findings
    assert finding.code == "no earlier results alike"
    assert len(series_of([entry_of(host, "a" * 64), entry_of(device, "b" * 64)])) == 2


def test_expectations_of_hosts_are_none_of_devices() -> None:
    device = document_of("cuda")
    summary = device.fields["summary"]
    one = {
        **{"benchmark": "b_eff", "definition": "3.5"},
        "lmax_bytes": device.fields["message_sizes_bytes"][-1],
        "reference": {"b_eff_MBps": (summary["b_eff_MBps"], -0.1, 0.1, "MB/s")},
    }
    verdicts = [
        check_expectations(device, Expectations.model_validate({"expectations": [asked]}))
        .findings[0]
        .verdict
        for asked in (one, {**one, "buffers": "cuda"})
    ]
    assert verdicts == [Verdict.UNKNOWN, Verdict.GOOD]


def test_processes_that_share_a_device_are_not_valid() -> None:
    document = document_of("cuda", confirmed=True, shown=True, devices=2)
    (criterion,) = [c for c in document.result.criteria if not c.met]
    assert (criterion.code, criterion.required, criterion.found) == (
        "a device for each process",
        1,
        2,
    )
    assert verify(document).findings == ()
    pretended = {**document.fields, "valid": True}
    pretended["criteria"] = [
        {**c, "met": True, "found": 1} if c["code"] == criterion.code else c
        for c in document.fields["criteria"]
    ]
    assert verify(check_document("pretended.json", pretended)).findings


@pytest.mark.parametrize(
    ("through_host", "roof"), [(0.5, "copies on the device"), (1.0, "copies through the host")]
)
def test_the_roof_that_is_near_is_named(through_host: float, roof: str) -> None:
    """In parts of what the best pattern sends at L_max: what is faster does not go through it."""
    document = document_of("cuda")
    assert isinstance(document.result, BEffResult)
    own = max(
        pattern.bandwidth_by_size_MBps[-1] / pattern.processes
        for pattern in document.result.patterns
        if pattern.bandwidth_by_size_MBps[-1] is not None
    )
    fields = document.fields
    fields["environment"]["buffers"]["roofs"] = {
        "on_device_MBps": 2 * own,
        "through_host_MBps": through_host * own,
    }
    assert limit_of(check_document("roofs.json", fields)).startswith(f"limited by {roof}: ")
    assert limit_of(document_of("cuda")) == ""


def test_a_method_that_was_tried_in_vain_is_not_missing() -> None:
    fields = make_result(Plan(methods=("sendrecv", "put_fence")))
    samples = fields["samples"]
    kept = [row for row, method in enumerate(samples["method"]) if method == 0]
    fields["samples"] = {name: [cells[row] for row in kept] for name, cells in samples.items()}
    document = check_document("less.json", fields)
    assert plan_of(document.result).loops > len(kept)  # type: ignore[arg-type]
    facts = {"method": "put_fence", "why": "MPI_Win_create: no window"}
    fields["cautions"].append({"code": "method not measured", "facts": facts})
    document = check_document("tried.json", fields)
    assert plan_of(document.result).loops == len(kept)  # type: ignore[arg-type]
    assert any("MPI_Win_create" in caution for caution in cautions_of(document))


def test_a_shared_device_is_not_compared_with_own_ones() -> None:
    shared, own = document_of("cuda"), document_of("cuda", devices=4)
    assert compare([shared], [own], CompareSettings()).comparisons == ()
    assert len(compare([own], [own], CompareSettings(force=True)).comparisons) == 1
    assert len(compare([document_of(None)], [own], CompareSettings()).comparisons) == 1


def test_set_side_by_side_what_differs_is_remarked() -> None:
    host, device = document_of(None), document_of("cuda")
    (comparison,) = compare([host], [device], CompareSettings()).comparisons
    assert comparison.differences == ()
    remark = "memory of the buffers: host in host.json, cuda in cuda.json"
    assert remark in comparison.remarks


def test_a_diagram_has_a_line_of_each_memory(tmp_path: Path) -> None:
    """Also where both lie in one folder, as repeated runs do."""
    for kind in (None, "cuda"):
        fields = document_of(kind).fields
        (tmp_path / f"{kind or 'host'}.json").write_text(json.dumps(fields), encoding="utf-8")
    subject = load_subject([tmp_path])
    overlay = next(chart for chart in charts_of(subject) if chart.key == "overlay")
    assert "cuda, buffers on cuda: " in overlay.alt
    assert "host: " in overlay.alt
    assert len({row.series for row in values_of(subject.results)}) == 2
    notes = side_by_side(subject.results).notes
    assert any("memory of the buffers" in note for note in notes)


@pytest.mark.parametrize(("kind", "known"), [(None, True), ("cuda", False)])
def test_maps_of_devices_are_no_history_of_maps_of_hosts(kind: str | None, known: bool) -> None:
    before = make_map(flat(8), day=1)
    before["environment"]["buffers"] = document_of(kind).fields["environment"].get("buffers")
    now = check_document("now.json", make_map(flat(8), seed=2, day=2))
    found = check_hosts(now, earlier=[check_document("before.json", before)])
    assert any(one.code == "no earlier map" for one in found.findings) != known
