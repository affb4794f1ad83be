"""list.yaml: what a list is called, and by which weights it ranks."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from beff.analysis.ranking import LARGEST_WEIGHT
from beff.model.errors import RefusedError
from beff.model.strict_json import read_text
from beff.model.violations import violation_words
from beff.store.plain_yaml import plain_yaml
from beff.store.system_figures import DEFAULT_WEIGHTS, FIGURES
from beff.store.text import NAME_LENGTH, TEXT_LENGTH

Weights = dict[str, Annotated[float, Field(ge=0, le=LARGEST_WEIGHT)]]
_KEYS = {figure.key for figure in FIGURES}


class Settings(BaseModel):
    """What a list.yaml may say; weights are by the keys of the criteria."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    title: Annotated[str, Field(min_length=1, max_length=NAME_LENGTH)] = "b_eff list"
    repository: Annotated[str, Field(max_length=TEXT_LENGTH, pattern="^https://[^ ]+$")] | None = (
        None
    )
    weights: Weights = DEFAULT_WEIGHTS
    presets: Annotated[dict[str, Weights], Field(min_length=1, max_length=12)] = {
        "communication": {"b_eff": 1.0},
        "I/O": {"io": 1.0},
        "balance": {"balance": 1.0},
        "latency": {"latency": 1.0},
    }

    @field_validator("weights", "presets")
    @classmethod
    def _criteria(cls, value: dict[str, Any]) -> dict[str, Any]:
        for weights in [one for one in value.values() if isinstance(one, dict)] or [value]:
            unknown = sorted(set(weights) - _KEYS)
            if unknown or not any(weights.values()):
                known = ", ".join(sorted(_KEYS))
                said = f"knows no '{unknown[0]}'" if unknown else "needs a weight above 0"
                raise ValueError(f"{said}; criteria are {known}")
        return value


def read_settings(path: Path) -> Settings:
    """Read a list.yaml. Raises BeffError naming the field that is wrong."""
    fields = plain_yaml(str(path), read_text(path), levels=3)
    try:
        return Settings.model_validate(fields)
    except ValidationError as problem:
        first = problem.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise RefusedError(f"{path}: {place} {violation_words(first)}") from None
