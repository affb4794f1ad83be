"""What all benchmarks share: averages, balance, criteria, the digest, and how figures compare."""

import math
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from math import exp, fsum, log
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from beff.result.bounds import Figure, Record
from beff.result.contract import json_path
from beff.result.environment import DeviceBuffers
from beff.result.numbers import BYTES_PER_MB, as_list
from beff.result.result_parts import MeasuredHead

# --- averages of figures of which some may not be known ---------------------------------------


def mean(values: Sequence[float]) -> float:
    """Arithmetic mean of at least one value."""
    return fsum(values) / len(values)


def logavg(values: Iterable[float]) -> float:
    """Mean on the logarithmic scale of at least one positive value."""
    return exp(mean([log(value) for value in values]))


def known(average: Callable[[Sequence[float]], float], values: Iterable[Figure]) -> Figure:
    """Return an average; None where there is nothing, or a value is missing."""
    every = list(values)
    measured = [value for value in every if value is not None]
    return average(measured) if measured and len(measured) == len(every) else None


def highest(values: Iterable[Figure]) -> Figure:
    """Return the largest of the known values; None where none is."""
    return max((value for value in values if value is not None), default=None)


# --- balance: bandwidth beside floating-point rate (IPDPS paper, section 2) -------------------


FLOPS_PER_GFLOPS = 1e9
COFFEE_CUP_MIN = 10
"""A balanced system writes its whole memory within 10 minutes (section 2.2)."""


def balance_of(bandwidth: Figure, rmax_gflops: Figure) -> Figure:
    """Return byte/s per flop/s of a bandwidth in MB/s; None where a figure is missing."""
    if bandwidth is None or rmax_gflops is None:
        return None
    return bandwidth * BYTES_PER_MB / (rmax_gflops * FLOPS_PER_GFLOPS)


def linpack_gflops(order: int, seconds: float) -> float:
    """Rate of a factorisation and solution: (2/3 n^3 + 3/2 n^2) / time, as Linpack counts."""
    return (2 / 3 * order + 3 / 2) * order * order / seconds / FLOPS_PER_GFLOPS


# --- criteria, judged again by the raw fields -------------------------------------------------


_OPTIMISED = ("Release", "RelWithDebInfo")


@dataclass(frozen=True)
class Judgement:
    """What a criterion must say by the raw fields."""

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

    Beside the criteria of a benchmark, a valid result needs an optimised build without sanitizers
    and a real machine. Where buffers lay on devices, it needs a device for each process, which the
    system shows and the run confirmed. Criteria with codes that are unknown here come from a newer
    version and stay as they are.
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


# --- the digest of raw columns, a CRC-32: finds careless changes, is no signature -------------


ALGORITHM = "crc32"
NOT_CHECKED = "the digest of the samples, which an earlier version made"

Column = Sequence[int] | Sequence[float] | Sequence[str] | NDArray[Any]


def columns_digest(columns: Iterable[tuple[str, Column]]) -> str:
    """Eight hexadecimal digits over the columns in the given order, which is the file's.

    Of each column the name, then its entries: numbers with 8 byte each, little-endian, whole ones
    in two's complement, others by their IEEE 754 bits; text as it is.
    """
    state = 0
    for name, column in columns:
        if len(column) and isinstance(column[0], str):
            content = "".join(map(str, column)).encode()
        else:
            array = np.asarray(column)
            content = array.astype("<i8" if array.dtype.kind in "iu" else "<f8").tobytes()
        state = zlib.crc32(content, zlib.crc32(name.encode(), state))
    return f"{state:08x}"


RELATIVE_TOLERANCE = 1e-9
"""Floats agree when they differ by at most this share of the larger one.

Two correct implementations differ by the order of summation and by their libraries' exp, log and
pow: some 1e-14 here. A change in any digit that a reader sees is far larger than 1e-9.
"""
_MOST_OF_A_LIST = 80
_MOST_OF_A_TEXT = 500
"""Characters that a finding shows of what is longer."""


@dataclass(frozen=True)
class Disagreement:
    """One disagreement: where it is, what stands there and what should stand there."""

    path: str
    stored: Any
    expected: Any

    def __str__(self) -> str:
        return f"{self.path} is {_shown(self.stored)}, but should be {_shown(self.expected)}"


Path = list[str | int]
Model = TypeVar("Model", bound=Record)


class UnsoundError(ValueError):
    """Raised where nothing can be recomputed: the plan makes no sense, or rows are not of it."""

    def __init__(self, path: Path, stored: Any, expected: Any) -> None:
        super().__init__(path, stored, expected)
        self.finding = Disagreement(json_path(path), stored, expected)


def options_as(model: type[Model], options: Mapping[str, Any]) -> Model:
    """Return the options that decide what is measured. Raises UnsoundError."""
    try:
        return model.model_validate(options)
    except ValidationError as problem:
        wrong = problem.errors(include_url=False)[0]
        stored = "missing" if wrong["type"] == "missing" else wrong["input"]
        raise UnsoundError(["options", *wrong["loc"]], stored, wrong["msg"]) from None


def require_same(path: Path, stored: Any, planned: Any) -> None:
    """Raise UnsoundError unless a value is that of the plan."""
    if stored != planned:
        raise UnsoundError(path, stored, planned)


def require_rows(
    path: Path, stored: Sequence[Any], planned: Sequence[Any], *, whole: bool = True
) -> None:
    """Raise UnsoundError unless rows are those of the plan, or the first of them if not `whole`."""
    for row, key in enumerate(stored):
        require_same([*path, row], key, planned[row] if row < len(planned) else "no more of them")
    if whole:
        require_same(path, f"{len(stored)} of them", f"{len(planned)} of them")


def _shown(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    most = _MOST_OF_A_LIST if isinstance(value, dict | list | tuple) else _MOST_OF_A_TEXT
    text = str(value)
    return text if len(text) <= most else f"{text[: most - 3]}..."


def agree(stored: Any, expected: Any) -> bool:
    """Whether values agree: floats by RELATIVE_TOLERANCE, all others exactly."""
    if isinstance(expected, float) and type(stored) in (float, int):
        return math.isclose(stored, expected, rel_tol=RELATIVE_TOLERANCE)
    if isinstance(stored, bool) or isinstance(expected, bool):
        return stored is expected
    return bool(stored == expected)


def half_digit(value: float) -> float:
    """Half of the last printed digit: the prints have three decimals or none."""
    return 0.5 if value == int(value) else 0.5e-3


class Printed(NamedTuple):
    """What printed figures give for another one; `error` is their rounding, without its own."""

    value: Figure
    error: float


class Whole(dict[str, Any]):
    """An object that has no other fields than these."""


_PLAIN = {float, int, str, bool, type(None)}


def compared(path: Path, stored: Any, expected: Any) -> list[Disagreement | None]:
    """Return the disagreement of each value, or None; fields that `expected` lacks do not count."""
    checks = list[Disagreement | None]()

    def compare(path: Path, stored: Any, expected: Any) -> None:
        parts: Iterable[tuple[str | int, Any, Any]] = ()
        stored = as_list(stored)
        if isinstance(expected, dict) and isinstance(stored, dict):
            if isinstance(expected, Whole) and stored.keys() != expected.keys():
                checks.append(Disagreement(json_path(path), sorted(stored), sorted(expected)))
            parts = ((key, stored.get(key), value) for key, value in expected.items())
        elif isinstance(expected, list) and isinstance(stored, list):
            if stored == expected and _PLAIN.issuperset(map(type, expected)):
                checks.extend([None] * len(expected))
            elif len(stored) == len(expected):
                parts = zip(count(), stored, expected)
            else:
                what = f"{len(stored)} entries", f"{len(expected)} entries"
                checks.append(Disagreement(json_path(path), *what))
        elif not isinstance(expected, Printed):
            # who changes samples is not told their digest
            right = "that of its samples" if path[0] == "digest" else expected
            agrees = agree(stored, expected)
            checks.append(None if agrees else Disagreement(json_path(path), stored, right))
        elif stored is not None and expected.value is not None:
            most = expected.error + half_digit(stored)
            right = f"{expected.value:.6g} +- {most:.2g}"
            is_near = abs(stored - expected.value) <= most
            checks.append(None if is_near else Disagreement(json_path(path), stored, right))
        for key, part, wanted in parts:
            if type(wanted) in _PLAIN and agree(part, wanted):
                checks.append(None)
            else:
                compare([*path, key], part, wanted)

    compare(path, stored, expected)
    return checks


@dataclass(frozen=True)
class Verification:
    """Findings in the order of the checks; empty for a good file.

    `figures` derived values were compared, `samples` raw samples were checked; `not_checked` names
    what an imported result does not hold.
    """

    findings: tuple[Disagreement, ...]
    figures: int
    samples: int
    not_checked: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """True when nothing was found."""
        return not self.findings
