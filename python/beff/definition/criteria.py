"""The criteria of a valid result, judged again by its raw fields."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from beff.result.environment import DeviceBuffers
from beff.result.result_parts import MeasuredHead

_OPTIMISED = ("Release", "RelWithDebInfo")


@dataclass(frozen=True)
class Judgement:
    """What a criterion must say."""

    met: bool
    required: float | None = None
    found: float | None = None
    unit: Literal["count", "s", "bytes", "percent"] = "count"


def exactly(required: int, found: int | None) -> Judgement:
    """Judge a count that must be exactly so."""
    return Judgement(found == required, required, found)


def most_on_a_device(buffers: DeviceBuffers) -> int:
    """Return the most processes that share a device."""
    return max(len(device.processes) for group in buffers.hosts for device in group.devices)


def criteria_fields(raw: MeasuredHead, verdicts: Mapping[str, Judgement]) -> dict[str, Any]:
    """Return the criteria in the order of the file, and whether all are met.

    Beside those of a benchmark, valid are an optimised build without sanitizers, a real machine,
    and of devices those that the system shows and that were confirmed, one for each process; where
    buffers lay in the memory of hosts, there are no such criteria. Criteria of codes unknown here
    come from a newer version and are left alone.
    """
    environment, buffers = raw.environment, raw.environment.buffers
    judged = {
        **verdicts,
        "build": Judgement(environment.build_type in _OPTIMISED),
        "machine": Judgement(not environment.simulated),
    }
    if buffers is not None:
        shown = all(device.on_pci_bus for group in buffers.hosts for device in group.devices)
        judged["device buffers confirmed"] = Judgement(buffers.confirmed and shown)
        judged["a device for each process"] = exactly(1, most_on_a_device(buffers))
    criteria = {one.code: one.model_dump() for one in raw.criteria}
    criteria |= {code: {"code": code, **asdict(one)} for code, one in judged.items()}
    return {
        "criteria": list(criteria.values()),
        "valid": all(criterion["met"] for criterion in criteria.values()),
    }
