"""The hardware of a system: what its YAML file and a result say about it."""
# ruff: noqa: N815 - power has the name and unit of the file

import os
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from beff.judge.limit import bounds_of, is_possible
from beff.result.armour import NAME_LENGTH, TEXT_LENGTH, clean_text, plain_yaml, read_text
from beff.result.b_eff_io_result import IoEnvironment
from beff.result.contract import first_violation
from beff.result.environment import Environment
from beff.result.errors import RefusedError, ResultError
from beff.result.load import Document
from beff.result.numbers import format_size, parse_size

Read = TypeVar("Read", bound=BaseModel)
_LARGEST = (1 << 63) - 1


def _text(value: Any) -> Any:
    return clean_text(str(value), TEXT_LENGTH) if isinstance(value, str | int | float) else value


def _size(value: Any) -> Any:
    if isinstance(value, int | float):
        return value
    return min(parse_size(str(value)), 2 * _LARGEST)  # what is too large is judged as a number


Text = Annotated[str, Field(min_length=1), BeforeValidator(_text)]
Name = Annotated[str, Field(min_length=1, max_length=NAME_LENGTH), BeforeValidator(_text)]


def _within(name: str) -> Any:
    """Return the bounds of a column for a field."""
    low, high = bounds_of(name)
    return Field(ge=low, le=high)


class Hardware(BaseModel):
    """What a YAML file may say about a system; every field may be left out, or cleared."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    name: Name | None = None
    site: Text | None = None
    year: Annotated[int, Field(ge=1940, le=2200)] | None = None
    nodes: Annotated[int, _within("nodes")] | None = None
    cpus: Text | None = None
    cores: Annotated[int, _within("cores")] | None = None
    accelerators: Text | None = None
    memory: Annotated[int, Field(ge=1, le=_LARGEST), BeforeValidator(_size)] | None = None
    interconnect: Text | None = None
    file_system: Text | None = None
    rmax_gflops: Annotated[float, _within("rmax_gflops")] | None = None
    power_kW: Annotated[float, _within("power_kW")] | None = None
    price_range: Text | None = None
    note: Text | None = None


def parsed(model: type[Read], source: str, text: str, levels: int = 1) -> Read:
    """Read a YAML text of a list. Raises RefusedError naming the field and what is wrong."""
    fields = plain_yaml(source, text, levels=levels)
    try:
        return model.model_validate(fields)
    except ValidationError as problem:
        wrong, known = first_violation(problem), ", ".join(model.model_fields)
        more = f"; known are {known}" if wrong.endswith("is not known") else ""
        raise RefusedError(f"{wrong}{more}", source) from None


def read_hardware(path: Path) -> Hardware:
    """Read the YAML file of a system. Raises RefusedError."""
    try:
        return parsed(Hardware, str(path), read_text(path))
    except ResultError as problem:
        raise RefusedError(problem.reason, path) from None


_COMPARED = ("nodes", "cores", "memory", "rmax_gflops")


def differences(stated: Hardware, measured: Hardware) -> list[str]:
    """Return what a result says beyond its system.yaml, which is of the whole system."""
    sentences = []
    for name in _COMPARED:
        own, run = getattr(stated, name), getattr(measured, name)
        if run is not None and (own is None or run > own):
            words = ("not given" if own is None else _shown(name, own), _shown(name, run))
            sentences.append("{}: {} in system.yaml, {} in the result".format(name, *words))
    return sentences


def _shown(name: str, value: float) -> str:
    return format_size(int(value)) if name == "memory" else f"{value:g}"


def hardware_of(document: Document) -> Hardware:
    """Return what a verified result says of its machine; sizes are of the nodes that took part."""
    environment = document.result.environment
    assert isinstance(environment, Environment)
    kind = environment.filesystem.kind if isinstance(environment, IoEnvironment) else None
    nodes = environment.nodes
    sizes: dict[str, Any] = {"nodes": nodes, "cores": nodes * environment.cpu.cores}
    names = [host.name for host in environment.hosts]
    # `node` for node001 and node002
    common = os.path.commonprefix(names)  # noqa: RUF071 - of letters
    name = common.rstrip("0123456789-_. ") or names[0]
    return Hardware(
        name=clean_text(name, NAME_LENGTH) or "unnamed",
        cpus=clean_text(environment.cpu.model, TEXT_LENGTH) or None,
        **{name: size or None for name, size in sizes.items() if is_possible(name, size)},
        memory=min(environment.total_memory_bytes, _LARGEST) or None,
        file_system=clean_text(kind, TEXT_LENGTH) if kind else None,
        rmax_gflops=getattr(document.result.summary, "rmax_gflops", None) or None,
    )
