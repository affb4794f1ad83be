"""Expected figures with tolerances, in the shape of the references of ReFrame.

A figure is [value, lower, upper, unit]: it is as expected from value * (1 + lower) to
value * (1 + upper), where null is no bound.
"""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from beff.analysis.check.finding import Checked, Finding, Verdict
from beff.model.load import Document
from beff.model.numbers import change, counted, measured

AGAINST = "expectation"
UNITS = {"_MBps": "MB/s", "_us": "us", "_s": "s", "_bytes": "byte", "_gflops": "Gflop/s"}
"""The unit that the end of a figure's name gives."""

Positive = Annotated[float, Field(gt=0)]
Lower = Annotated[float, Field(ge=-1, le=0)]
Upper = Annotated[float, Field(ge=0)]
Count = Annotated[int, Field(ge=1)]
Reference = tuple[Positive, Lower | None, Upper | None, str]


class Expectation(BaseModel):
    """Figures of one benchmark; for any number of processes or nodes where it is not given."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, defer_build=True)
    benchmark: Literal["b_eff", "b_eff_io"]
    processes: Count | None = None
    nodes: Count | None = None
    reference: Annotated[dict[str, Reference], Field(min_length=1)]

    @model_validator(mode="after")
    def _units_are_those_of_the_names(self) -> "Expectation":
        for name, (_, _, _, unit) in self.reference.items():
            wanted = unit_of(name)
            if wanted is not None and unit != wanted:
                raise ValueError(
                    f"{name} is in {wanted}, not in {unit}; give the value in {wanted}"
                )
        return self

    def holds_for(self, result: Document) -> bool:
        """Whether a result was measured under these conditions."""
        environment = result.fields["environment"]
        return (
            self.benchmark == result.benchmark
            and self.processes in {None, environment["processes"]}
            and self.nodes in {None, environment.get("nodes")}
        )


class Expectations(BaseModel):
    """What a file holds."""

    model_config = ConfigDict(extra="forbid", defer_build=True)
    system: str | None = None
    expectations: list[Expectation]


def unit_of(name: str) -> str | None:
    """Return the unit that a figure's name gives; None where it gives none."""
    return next((unit for ending, unit in UNITS.items() if name.endswith(ending)), None)


def check_expectations(result: Document, expected: Expectations) -> Checked:
    """Compare the figures of a result with what is expected for its conditions."""
    fitting = [one for one in expected.expectations if one.holds_for(result)]
    if fitting:
        return Checked(tuple(finding for one in fitting for finding in _findings(result, one)))
    environment = result.fields["environment"]
    processes = counted(environment["processes"], "process")
    nodes = environment.get("nodes")  # not printed
    sentence = f"nothing is expected of {result.benchmark} with {processes}"
    sentence += f" on {counted(nodes, 'node')}" if nodes else ", which does not state its nodes"
    about = result.benchmark
    return Checked((Finding(result.source, AGAINST, about, Verdict.UNKNOWN, sentence),))


def _findings(result: Document, one: Expectation) -> Iterator[Finding]:
    summary = result.fields["summary"]
    known = {name: figure for name, figure in summary.items() if isinstance(figure, int | float)}
    for name, (value, lower, upper, unit) in one.reference.items():
        found = known.get(name)
        if found is None:
            sentence = f"the result has no {name}, but {', '.join(known)}"
            verdict = Verdict.UNKNOWN
        else:
            low = None if lower is None else value * (1 + lower)
            high = None if upper is None else value * (1 + upper)
            inside = (low is None or found >= low) and (high is None or found <= high)
            verdict = Verdict.GOOD if inside else Verdict.BAD
            sentence = (
                f"{measured(found, unit)}, {change(found / value - 1)} of {measured(value, unit)};"
                f" expected {_bounds(low, high, unit)}"
            )
        yield Finding(result.source, AGAINST, name, verdict, sentence)


def _bounds(low: float | None, high: float | None, unit: str) -> str:
    if low is None:
        return "anything" if high is None else f"at most {measured(high, unit)}"
    least = measured(low, unit)
    return f"at least {least}" if high is None else f"{least} to {measured(high, unit)}"
