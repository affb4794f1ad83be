"""Comparison of a result's criteria with verdicts that were found again from its raw fields.

The words of what is required may change between versions; names, verdicts, numbers and the
sentences made from them are checked.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from beff.analysis.common.verification import Recheck
from beff.model.b_eff_result import DataCheck
from beff.model.numbers import format_duration, format_size
from beff.model.result_parts import Criterion, CriterionNumber, Environment

_OPTIMISED = ("Release", "RelWithDebInfo")


@dataclass(frozen=True)
class Judgement:
    """What a criterion must say; `remark` is what was found in words, beside the numbers."""

    met: bool
    numbers: tuple[CriterionNumber, ...] = ()
    remark: str = ""


def exactly(required: int, found: int | None, what: str = "") -> CriterionNumber:
    """Return a count that must be exactly so."""
    return CriterionNumber(kind="exactly", required=required, found=found, unit="count", what=what)


def stated(found: int, what: str, unit: Literal["count", "bytes"] = "count") -> CriterionNumber:
    """Return a number for the reader."""
    return CriterionNumber(kind="stated", required=None, found=found, unit=unit, what=what)


def compare_verdicts(
    criteria: Sequence[Criterion], verdicts: Mapping[str, Judgement], check: Recheck
) -> None:
    """Compare every criterion with its verdict; a criterion for each verdict must be there.

    Criteria of names unknown here come from a newer version and are left alone.
    """
    stored: dict[str, int] = {}
    for index, criterion in enumerate(criteria):
        path: list[str | int] = ["criteria", index, "name"]
        check.require(criterion.name not in stored, path, criterion.name, "given once")
        stored[criterion.name] = index
    for name, verdict in verdicts.items():
        if name not in stored:
            check.report(["criteria"], "without it", f"with the criterion '{name}'")
            continue
        index = stored[name]
        _compare(index, criteria[index], verdict, check)


def rejudged(
    criteria: Iterable[dict[str, Any]], verdicts: Mapping[str, Judgement]
) -> list[dict[str, Any]]:
    """Return the criteria with what was found and judged anew; those of other names stay."""
    return [
        {**entry, **_found_fields(entry["required"], verdicts[entry["name"]])}
        if entry["name"] in verdicts
        else entry
        for entry in criteria
    ]


def build_verdict(environment: Environment) -> Judgement:
    """Only an optimised build without sanitizers is valid."""
    return Judgement(environment.build_type in _OPTIMISED, remark=environment.build_type)


def data_verdict(data: DataCheck) -> Judgement:
    """All messages that were checked are right, and they were."""
    wrong = exactly(0, data.wrong_messages if data.enabled else None, "wrong messages")
    met = data.enabled and data.wrong_messages == 0
    return Judgement(met, (wrong, stated(data.messages_checked, "messages checked")))


def machine_verdict(environment: Environment) -> Judgement:
    """Only a real machine is valid."""
    return Judgement(
        not environment.simulated, remark="simulated" if environment.simulated else "real"
    )


def device_verdicts(environment: Environment) -> dict[str, Judgement]:
    """Only devices that the system shows, of a kind that was confirmed, are valid.

    There is no such criterion where buffers lay in the memory of hosts.
    """
    buffers = environment.buffers
    if buffers is None:
        return {}
    shown = all(device.on_pci_bus for group in buffers.hosts for device in group.devices)
    words = (
        f"{buffers.memory}, {'confirmed' if buffers.confirmed else 'experimental'};"
        f" {'shown' if shown else 'not shown'} by the system"
    )
    return {"device buffers confirmed": Judgement(buffers.confirmed and shown, remark=words)}


def found_sentence(numbers: Iterable[CriterionNumber], remark: str = "") -> str:
    """Write what was found."""
    text = ", ".join(map(_found_text, numbers))
    return f"{text} ({remark})" if text and remark else text + remark


def required_sentence(numbers: Iterable[CriterionNumber]) -> str:
    """Write the numbers that are required; words may follow in brackets."""
    return ", ".join(
        _with_what(f"{'' if n.kind == 'exactly' else f'{n.kind} '}{_text(n.required, n.unit)}", n)
        for n in numbers
        if n.required is not None
    )


def _compare(index: int, stored: Criterion, verdict: Judgement, check: Recheck) -> None:
    path: list[str | int] = ["criteria", index]
    check.compare([*path, "met"], stored.met, verdict.met)
    check.compare([*path, "numbers"], _fields(stored.numbers), _fields(verdict.numbers))
    found = found_sentence(stored.numbers, verdict.remark)
    check.compare([*path, "found"], stored.found, found)
    required = required_sentence(stored.numbers)
    is_said = _says(stored.required, required)
    check.require(is_said, [*path, "required"], stored.required, required)


def _says(sentence: str, numbers: str) -> bool:
    """Whether a sentence on what is required has these numbers; words may follow in brackets."""
    return numbers in ("", sentence) or sentence.startswith(f"{numbers} (")


def _found_fields(stored_required: str, verdict: Judgement) -> dict[str, Any]:
    """Return what replaces the fields; what is known now may need other numbers."""
    required = required_sentence(verdict.numbers)
    return {
        "required": stored_required if _says(stored_required, required) else required,
        "found": found_sentence(verdict.numbers, verdict.remark),
        "met": verdict.met,
        "numbers": _fields(verdict.numbers),
    }


def _fields(numbers: Iterable[CriterionNumber]) -> list[dict[str, Any]]:
    return [number.model_dump() for number in numbers]


def _found_text(number: CriterionNumber) -> str:
    if number.found is None:
        return f"{number.what}: not known" if number.what else "not known"
    return _with_what(_text(number.found, number.unit), number)


def _with_what(text: str, number: CriterionNumber) -> str:
    return f"{text} {number.what}" if number.what else text


def _text(value: float, unit: str) -> str:
    match unit:
        case "s":
            return format_duration(value)
        case "bytes":
            return format_size(int(value))
        case "percent":
            return f"{value:.1f} %"
    return f"{value:.0f}"
