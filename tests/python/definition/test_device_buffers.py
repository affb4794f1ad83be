"""Results whose buffers lay on devices: judged, shown, never measured in the way of others."""

import pytest
from support.results import Plan, make_result

from beff.definition.b_eff_plan import plan_of
from beff.definition.verify import derived_fields, verify
from beff.judge.earlier import check_earlier
from beff.judge.expectations import Expectations, check_expectations
from beff.judge.finding import Verdict
from beff.judge.limit import limit_of
from beff.judge.runs import run_of, series_of
from beff.result.b_eff_result import BEffResult
from beff.result.load import Document, check_document

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


def test_host_and_device_are_never_one_way_of_measuring() -> None:
    host, device = document_of(None), document_of("cuda", confirmed=True, shown=True)
    (finding,) = check_earlier([device], [host])
    assert finding.code == "no earlier results alike"
    assert len(series_of([run_of(host), run_of(device)])) == 2


def test_expectations_of_hosts_are_none_of_devices() -> None:
    device = document_of("cuda")
    summary = device.fields["summary"]
    one = {
        **{"benchmark": "b_eff", "definition": "3.5"},
        "lmax_bytes": device.fields["message_sizes_bytes"][-1],
        "reference": {"b_eff_MBps": (summary["b_eff_MBps"], -0.1, 0.1, "MB/s")},
    }
    verdicts = [
        finding.verdict
        for asked in (one, {**one, "buffers": "cuda"})
        for finding in check_expectations(
            device, Expectations.model_validate({"expectations": [asked]})
        )
    ]
    assert verdicts == [Verdict.UNKNOWN, Verdict.GOOD]


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
    limit = limit_of(check_document("roofs.json", fields))
    assert limit is not None
    assert limit.code == f"limited by {roof}"
    assert limit_of(document_of("cuda")) is None


def test_a_method_that_was_tried_in_vain_is_not_missing() -> None:
    fields = make_result(Plan(methods=("sendrecv", "put_fence")))
    samples = fields["samples"]
    kept = [row for row, method in enumerate(samples["method"]) if method == 0]
    fields["samples"] = {name: [cells[row] for row in kept] for name, cells in samples.items()}
    assert plan_of(check_document("less.json", fields).result).loops > len(kept)  # type: ignore[arg-type]
    facts = {"method": "put_fence", "why": "MPI_Win_create: no window"}
    fields["cautions"].append({"code": "method not measured", "facts": facts})
    assert plan_of(check_document("tried.json", fields).result).loops == len(kept)  # type: ignore[arg-type]
