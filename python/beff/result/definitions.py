"""The definitions of b_eff, by name (docs/reference/definitions.md)."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from beff.result.numbers import MIB


@dataclass(frozen=True)
class Rules:
    """What a definition of the value has of its own.

    `value` is what the value is called. The first group are rings, else cyclic grids. Loop lengths
    follow from measured times, else from the sizes. L_max is of `memory_bytes`, whatever there is,
    or of the memory of a process where it is None. Valid are REPETITIONS, or any number of whole
    ones. Only a published definition gives values for lists, beside those of papers and of R_max.
    """

    value: str = "b_eff"
    is_published: bool = True
    rings_first: bool = True
    timed_lengths: bool = True
    shortest_loop_s: float = 2.5e-3
    memory_bytes: int | None = None
    any_repetitions: bool = False


RULES: Mapping[str, Rules] = MappingProxyType(
    {
        "3.5": Rules(),
        "3.1": Rules(rings_first=False, timed_lengths=False),
        "short-1": Rules(
            value="b_eff short",
            is_published=False,
            shortest_loop_s=1e-3,
            memory_bytes=8 * MIB,
            any_repetitions=True,
        ),
    }
)
PUBLISHED = tuple(name for name, rules in RULES.items() if rules.is_published)


def why_alone(definition: str) -> str:
    """Say why a value stands in no list, beside no paper and no R_max; nothing where it may."""
    if RULES[definition].is_published:
        return ""
    return f"is of definition {definition}, which compares with its own kind only"
