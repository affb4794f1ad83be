"""Comparison of a result's criteria with verdicts that were found again from its raw fields.

The wording of a criterion may change between versions; its name, its verdict and the numbers in its
text are checked.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from beff.analysis.finding import Comparison
from beff.model.result_parts import Criterion, Environment

_OPTIMISED = ("Release", "RelWithDebInfo")


@dataclass(frozen=True)
class Verdict:
    """What a criterion must say; `found` is its exact text where that is a name, not a sentence.

    `found_numbers` None: any text will do that holds another number than 0.
    """

    met: bool
    required_numbers: tuple[int, ...] = ()
    found_numbers: tuple[int, ...] | None = ()
    found: str | None = None


def compare_verdicts(
    criteria: Sequence[Criterion], verdicts: Mapping[str, Verdict], check: Comparison
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


def build_verdict(environment: Environment) -> Verdict:
    """Only an optimised build without sanitizers is valid."""
    return Verdict(environment.build_type in _OPTIMISED, found=environment.build_type)


def machine_verdict(environment: Environment) -> Verdict:
    """Only a real machine is valid."""
    return Verdict(
        not environment.simulated, found="simulated" if environment.simulated else "real"
    )


def _compare(index: int, stored: Criterion, verdict: Verdict, check: Comparison) -> None:
    path: list[str | int] = ["criteria", index]
    check.compare([*path, "met"], stored.met, verdict.met)
    if verdict.found is not None:
        check.compare([*path, "found"], stored.found, verdict.found)
    elif verdict.found_numbers is None:
        check.require(any(numbers_in(stored.found)), [*path, "found"], stored.found, "more than 0")
    else:
        check.require(
            numbers_in(stored.found) == verdict.found_numbers,
            [*path, "found"],
            stored.found,
            f"a text with the numbers {_list(verdict.found_numbers)}",
        )
    if verdict.required_numbers:
        check.require(
            numbers_in(stored.required) == verdict.required_numbers,
            [*path, "required"],
            stored.required,
            f"a text with the numbers {_list(verdict.required_numbers)}",
        )


def numbers_in(text: str) -> tuple[int, ...]:
    """Whole numbers in a text, in its order; 1.5 counts as 1 and 5."""
    return tuple(int(digits) for digits in re.findall(r"\d+", text))


def _list(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers)) or "none"
