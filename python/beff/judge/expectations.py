"""Expected figures with tolerances, in the shape of the references of ReFrame.

A figure is [value, lower, upper, unit]: it is as expected from value * (1 + lower) to
value * (1 + upper), where null is no bound.
"""

import re
from collections.abc import Container, Iterator
from datetime import date
from math import inf
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, FailFast, Field, ValidationError, model_validator

from beff.judge.conditions import UNKNOWN, expected_of
from beff.judge.finding import Finding, Verdict
from beff.result.armour import read_text
from beff.result.contract import first_violation
from beff.result.errors import RefusedError, ResultError
from beff.result.load import Document
from beff.result.numbers import counted, unit_of

AGAINST = "expectation"
Positive = Annotated[float, Field(gt=0)]
Lower = Annotated[float, Field(ge=-1, le=0)]
Upper = Annotated[float, Field(ge=0)]
Count = Annotated[int, Field(ge=1)]
_NEEDED = {"definition", "procedure", "lmax_bytes", "time_s"}
"""Conditions without which no figure can be compared."""
Reference = tuple[Positive, Lower | None, Upper | None, str]


class Expectation(BaseModel):
    """Figures of one benchmark under its conditions; for any processes or nodes without those.

    One that is not `optional` is a commitment: without a result that it is of, nothing is good.
    `buffers` says in which memory they lie. `lmax_bytes` is a condition of b_eff, `procedure` and
    `time_s`, the scheduled time, are of b_eff_io, `message_bytes`, of bisection and processes per
    host, is of b_pairs, as are `bisection_processes`, of each host.
    """

    # definitions look like numbers
    model_config = ConfigDict(
        extra="forbid", allow_inf_nan=False, coerce_numbers_to_str=True, defer_build=True
    )
    benchmark: Literal["b_eff", "b_eff_io", "b_pairs"]
    definition: str | None = None
    procedure: Literal["cold", "original"] | None = None
    processes: Count | None = None
    nodes: Count | None = None
    lmax_bytes: Count | None = None
    time_s: Positive | None = None
    message_bytes: Count | None = None
    bisection_processes: Count | None = None
    buffers: Literal["host", "cuda", "hip"] = "host"
    optional: bool = False
    reference: Annotated[dict[str, Reference], Field(min_length=1)]

    @model_validator(mode="after")
    def _units_are_those_of_the_names(self) -> "Expectation":
        for name, (_, _, _, unit) in self.reference.items():
            if (right := unit_of(name)) and unit != right:
                raise ValueError(f"{name} is in {right}, not in {unit}; give the value in {right}")
        return self

    @property
    def title(self) -> str:
        """What it is of."""
        of = [] if self.processes is None else [f"with {counted(self.processes, 'process')}"]
        of += [] if self.nodes is None else [f"on {counted(self.nodes, 'node')}"]
        return " ".join((self.benchmark, *of))

    @property
    def not_stated(self) -> list[str]:
        """The conditions without which no figure of the benchmark can be compared."""
        return [
            one.name
            for one in expected_of(self.benchmark)
            if one.expected in _NEEDED and getattr(self, one.expected) is None
        ]

    def unlike(self, result: Document) -> list[str]:
        """Say of each condition that a result does not meet what is wanted and what it has."""
        differ = []
        for of in expected_of(self.benchmark):
            wanted, value = getattr(self, of.expected), of.value_in(result.result)
            is_known = value is not None and value is not UNKNOWN
            if wanted is not None and not (is_known and of.is_met(wanted, value)):
                has = of.text_of(value) if is_known else "not stated"
                differ.append(f"{of.name}: {of.text_of(wanted)} expected, {has} in the result")
        return differ


class Kept(BaseModel):
    """A result that was accepted; where it was measured is for readers."""

    model_config = ConfigDict(extra="allow", defer_build=True)
    file: Annotated[str, Field(pattern=r"^[^/]+$")]
    sha256: str


class Expectations(BaseModel):
    """What a file holds; one of `beff accept` says when, by what --tolerance, of which results."""

    model_config = ConfigDict(extra="forbid", defer_build=True)
    system: str | None = None
    accepted: date | None = None
    tolerance: Annotated[float, Field(gt=0, lt=1)] | None = None
    expectations: Annotated[list[Expectation], FailFast()]
    results: Annotated[list[Kept], FailFast()] = []


def met_by(result: Document, expected: Expectations) -> frozenset[int]:
    """Return the numbers of the entries that a result is of."""
    of, entries = result.benchmark, enumerate(expected.expectations)
    return frozenset(
        number for number, one in entries if one.benchmark == of and not one.unlike(result)
    )


def not_handed_in(expected: Expectations, met: Container[int]) -> Iterator[Finding]:
    """Name the commitments that no result is of."""
    for number, entry in enumerate(expected.expectations):
        if not (number in met or entry.optional):
            about = "not handed in", entry.title, Verdict.UNKNOWN, AGAINST
            yield Finding(*about, {"figures": list(entry.reference)}, source="all results")


def check_expectations(result: Document, expected: Expectations) -> Iterator[Finding]:
    """Compare the figures of a result with what is expected under its conditions.

    Under conditions that are not stated nothing is comparable, and nothing good or bad.
    """
    of_benchmark = [one for one in expected.expectations if one.benchmark == result.benchmark]
    unlike = [one.unlike(result) for one in of_benchmark]
    for entry, why in zip(of_benchmark, unlike, strict=True):
        if not why:
            yield from _findings(result, entry, expected.accepted)
    if all(unlike):
        environment = result.result.environment
        facts = {
            "benchmark": result.benchmark,
            "processes": environment.processes,
            "nodes": getattr(environment, "nodes", None),  # not printed
            "unlike": min(unlike, key=len, default=[]),
        }
        yield Finding("nothing expected", result.benchmark, Verdict.UNKNOWN, AGAINST, facts)


def _findings(result: Document, entry: Expectation, accepted: date | None) -> Iterator[Finding]:
    known = {name: value for name, value in result.result.summary if isinstance(value, int | float)}
    for name, reference in entry.reference.items():
        if (figure := known.get(name)) is None:
            facts: dict[str, Any] = {"figure": name, "known": list(known)}
            yield Finding("figure not there", name, Verdict.UNKNOWN, AGAINST, facts)
            continue
        value, lower, upper, unit = reference
        least = -inf if lower is None else value * (1 + lower)
        most = inf if upper is None else value * (1 + upper)
        verdict = Verdict.GOOD if least <= figure <= most else Verdict.BAD
        facts = {"found": figure, "expected": value, "unit": unit, "lower": lower, "upper": upper}
        facts |= {"not_stated": entry.not_stated, "accepted": accepted}
        code = "figure" if accepted is None else "accepted figure"
        yield Finding(code, name, Verdict.UNKNOWN if entry.not_stated else verdict, AGAINST, facts)


_FORM = (
    "'expectations:' and under it entries with 'benchmark' and 'reference', as beff accept"
    " writes them"
)
_FIGURE = (
    "a figure is [value, lower, upper, unit], with tolerances as shares or null, as in"
    " [12000, -0.08, 0.08, MB/s]"
)
_LEVELS = 5
"""Fields, a list of entries, their fields, figures, the numbers of a figure."""
_LONGEST = 1 << 20
"""Characters; of a result `beff accept` writes some 500."""


def load_expectations(path: Path) -> Expectations:
    """Read a file of expectations. Raises ResultError naming the first place that is wrong."""
    from beff.result.armour import plain_yaml  # noqa: PLC0415 - YAML comes with an extra

    text, source = read_text(path), str(path)
    if blanks := re.findall(r"^[^#\n]*\bCOMMITTED\b", text, re.MULTILINE):
        raise ResultError(f"fill in the {len(blanks)} COMMITTED", source)
    try:
        content = plain_yaml(source, text, levels=_LEVELS, lists=True, longest=_LONGEST)
    except RefusedError as problem:
        raise ResultError(problem.reason, source) from None
    return read_expectations(source, content)


def read_expectations(source: str, content: Any) -> Expectations:
    """Check what was read from YAML. Raises ResultError naming the first place that is wrong."""
    if not isinstance(content, dict) or "expectations" not in content:
        raise ResultError(f"must hold {_FORM}", source)
    try:
        return Expectations.model_validate(content)
    except ValidationError as problem:
        sentence, place = first_violation(problem), problem.errors()[0]["loc"]
        if sentence.endswith("is not known"):
            model = Expectation if len(place) > 1 else Expectations
            sentence += f"; known are {', '.join(model.model_fields)}"
        elif "reference" in place:
            sentence += f"; {_FIGURE}"
        raise ResultError(sentence, source) from None
