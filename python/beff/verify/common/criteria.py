"""Comparison of a result's criteria with verdicts that were found again from its raw fields."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeVar

from beff.definition.compare import Recheck
from beff.result.b_eff_result import DataCheck
from beff.result.environment import DeviceBuffers, Environment
from beff.result.result_parts import Criterion

_OPTIMISED = ("Release", "RelWithDebInfo")
_Run = TypeVar("_Run")


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


def judged(
    judges: Mapping[str, Callable[[_Run], Judgement]], run: _Run, environment: Environment
) -> dict[str, Judgement]:
    """Judge by each rule, by codes of the criteria, and by the rules of all benchmarks.

    Valid are an optimised build without sanitizers, a real machine, and of devices those that the
    system shows and that were confirmed, one for each process; where buffers lay in the memory of
    hosts, there are no such criteria.
    """
    found = {code: judge(run) for code, judge in judges.items()}
    found["build"] = Judgement(environment.build_type in _OPTIMISED)
    found["machine"] = Judgement(not environment.simulated)
    if (buffers := environment.buffers) is not None:
        shown = all(device.on_pci_bus for group in buffers.hosts for device in group.devices)
        found["device buffers confirmed"] = Judgement(buffers.confirmed and shown)
        found["a device for each process"] = exactly(1, most_on_a_device(buffers))
    return found


def most_on_a_device(buffers: DeviceBuffers) -> int:
    """Return the most processes that share a device."""
    return max(len(device.processes) for group in buffers.hosts for device in group.devices)


def data_verdict(data: DataCheck) -> Judgement:
    """All messages that were checked are right, and they were."""
    return exactly(0, data.wrong_messages if data.enabled else None)


def compare_verdicts(
    criteria: Sequence[Criterion], verdicts: Mapping[str, Judgement], check: Recheck
) -> None:
    """Compare every criterion with its verdict; a criterion for each verdict must be there.

    Criteria of codes unknown here come from a newer version and are left alone.
    """
    stored: dict[str, int] = {}
    for index, criterion in enumerate(criteria):
        path: list[str | int] = ["criteria", index]
        check.require(criterion.code not in stored, [*path, "code"], criterion.code, "given once")
        stored[criterion.code] = index
        if criterion.code in verdicts:
            check.compare(path, criterion.model_dump(), asdict(verdicts[criterion.code]))
    for code in verdicts.keys() - stored.keys():
        check.report(["criteria"], "without it", f"with the criterion '{code}'")


def as_criteria(verdicts: Mapping[str, Judgement]) -> list[dict[str, Any]]:
    """Return the criteria as a result holds them."""
    return [{"code": code, **asdict(verdict)} for code, verdict in verdicts.items()]
