"""Expected figures with tolerances, in the shape of the references of ReFrame.

A figure is [value, lower, upper, unit]: it is as expected from value * (1 + lower) to
value * (1 + upper), where null is no bound.
"""

from collections.abc import Container, Iterator
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    FailFast,
    Field,
    ValidationError,
    model_validator,
)

from beff.judge.conditions import UNKNOWN, expected_of
from beff.judge.finding import Checked, Finding, Verdict
from beff.result.contract import violation_words
from beff.result.errors import RefusedError, ResultError
from beff.result.load import Document
from beff.result.numbers import counted, unit_of
from beff.result.strict_json import read_text

AGAINST = "expectation"
_ALL_RESULTS = "all results"
Positive = Annotated[float, Field(gt=0)]
Lower = Annotated[float, Field(ge=-1, le=0)]
Upper = Annotated[float, Field(ge=0)]
Count = Annotated[int, Field(ge=1)]
Reference = tuple[Positive, Lower | None, Upper | None, str]


def _as_text(definition: Any) -> Any:
    """Definitions look like numbers: 3.50 is 3.5."""
    try:
        return definition if definition is None else f"{float(definition):g}"
    except (TypeError, ValueError):
        return definition


class Expectation(BaseModel):
    """Figures of one benchmark under its conditions; for any processes or nodes without those.

    One that is not `optional` is a commitment: without a result that it is of, nothing is good.
    `buffers` says in which memory they lie. `lmax_bytes` is a condition of b_eff, `procedure` and
    `time_s`, the scheduled time, are of b_eff_io, `message_bytes`, of bisection and processes per
    host, is of b_pairs, as are `bisection_processes`, of each host.
    """

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, defer_build=True)
    benchmark: Literal["b_eff", "b_eff_io", "b_pairs"]
    definition: Annotated[str, BeforeValidator(_as_text)] | None = None
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
            wanted = unit_of(name)
            if wanted and unit != wanted:
                raise ValueError(
                    f"{name} is in {wanted}, not in {unit}; give the value in {wanted}"
                )
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
            if one.needed and getattr(self, one.expected) is None
        ]

    def unlike(self, result: Document) -> list[str]:
        """Say of each condition that a result does not meet what is asked and what it has."""
        differ = []
        for one in expected_of(self.benchmark):
            asked, found = getattr(self, one.expected), one.found(result.result)
            is_known = found is not None and found is not UNKNOWN
            if asked is not None and not (is_known and one.like(asked, found)):
                has = one.show(found) if is_known else "not stated"
                differ.append(f"{one.name}: {one.show(asked)} expected, {has} in the result")
        return differ


class Kept(BaseModel):
    """A result that was accepted, and where it was measured."""

    model_config = ConfigDict(extra="forbid", defer_build=True)
    file: Annotated[str, Field(pattern=r"^[^/]+$")]
    sha256: str
    program: str
    mpi: str
    kernel: str
    hosts: str
    processes: Count
    samples: str | None = None


class Expectations(BaseModel):
    """What a file holds; one that `beff accept` has made says when, and of which results."""

    model_config = ConfigDict(extra="forbid", defer_build=True)
    system: str | None = None
    accepted: date | None = None
    expectations: Annotated[list[Expectation], FailFast()]
    results: Annotated[list[Kept], FailFast()] = []


def met_by(result: Document, expected: Expectations) -> frozenset[int]:
    """Return the numbers of the entries that a result is of."""
    entries = enumerate(expected.expectations)
    return frozenset(
        number
        for number, one in entries
        if one.benchmark == result.benchmark and not one.unlike(result)
    )


def not_handed_in(expected: Expectations, met: Container[int]) -> Checked:
    """Name the commitments that no result is of."""
    return Checked(
        tuple(
            Finding(
                "not handed in",
                one.title,
                Verdict.UNKNOWN,
                AGAINST,
                {"figures": list(one.reference)},
                source=_ALL_RESULTS,
            )
            for number, one in enumerate(expected.expectations)
            if not (number in met or one.optional)
        )
    )


def check_expectations(result: Document, expected: Expectations) -> Checked:
    """Compare the figures of a result with what is expected under its conditions.

    Under conditions that are not stated nothing is comparable, and nothing good or bad.
    """
    of_benchmark = [one for one in expected.expectations if one.benchmark == result.benchmark]
    unlike = [one.unlike(result) for one in of_benchmark]
    fitting = [one for one, why in zip(of_benchmark, unlike, strict=True) if not why]
    if fitting:
        found = (each for one in fitting for each in _findings(result, one, expected.accepted))
        return Checked(tuple(found))
    environment = result.result.environment
    facts = {
        "benchmark": result.benchmark,
        "processes": environment.processes,
        "nodes": getattr(environment, "nodes", None),  # not printed
        "unlike": min(unlike, key=len, default=[]),
    }
    return Checked(
        (Finding("nothing expected", result.benchmark, Verdict.UNKNOWN, AGAINST, facts),)
    )


def _findings(result: Document, one: Expectation, accepted: date | None) -> Iterator[Finding]:
    known = {name: one for name, one in result.result.summary if isinstance(one, int | float)}
    for name, reference in one.reference.items():
        found = known.get(name)
        if found is None:
            facts: dict[str, Any] = {"figure": name, "known": list(known)}
            yield Finding("figure not there", name, Verdict.UNKNOWN, AGAINST, facts)
            continue
        value, lower, upper, unit = reference
        low = None if lower is None else value * (1 + lower)
        high = None if upper is None else value * (1 + upper)
        inside = (low is None or found >= low) and (high is None or found <= high)
        verdict = Verdict.GOOD if inside else Verdict.BAD
        facts = {
            **{"found": found, "expected": value, "unit": unit, "low": low, "high": high},
            **{"lower": lower, "upper": upper, "not_stated": one.not_stated},
            "accepted": accepted,
        }
        code = "figure" if accepted is None else "accepted figure"
        yield Finding(code, name, Verdict.UNKNOWN if one.not_stated else verdict, AGAINST, facts)


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
    from beff.result.plain_yaml import plain_yaml  # noqa: PLC0415 - YAML comes with an extra

    text, source = read_text(path), str(path)
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
        first = problem.errors()[0]
        place = ".".join(map(str, first["loc"]))
        said = violation_words(first)
        if first["type"] == "extra_forbidden":
            level = Expectation if len(first["loc"]) > 1 else Expectations
            said = f"is not known; known are {', '.join(level.model_fields)}"
        elif "reference" in first["loc"]:
            said = f"{said}; {_FIGURE}"
        raise ResultError(f"{place}: {said}", source) from None
