"""What a run of b_eff measures (IPDPS paper, section 4): sizes, patterns, methods, repetitions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal

from beff.definition.b_eff_patterns import (
    OFFICIAL_METHODS,
    Draw,
    PatternFacts,
    in_first_group,
    patterns_for,
)
from beff.definition.compare import UnsoundError, options_as
from beff.result.b_eff_result import RULES, BEffResult, Definition, Method
from beff.result.bounds import PatternId, Positive, PositiveSeconds, Seed, SizeIndex
from beff.result.environment import Machine
from beff.result.numbers import MIB
from beff.result.record import Record

FIXED_SIZES, GROWING_SIZES = 13, 8
MESSAGE_SIZES = FIXED_SIZES + GROWING_SIZES
LARGEST_FIXED_SIZE = 4096
MEMORY_PER_LMAX = 128
LMAX_BOUND = 128 * MIB
"""Where int has 32 bits."""
NOT_MEASURED = "method not measured"
"""The caution that names a method beside the value by which messages do not get through."""


def largest_message(memory_per_process: int) -> int:
    """L_max = memory per process / 128, in byte."""
    return min(memory_per_process // MEMORY_PER_LMAX, LMAX_BOUND)


def message_sizes(lmax: int) -> list[int]:
    """L = 1, 2, 4 … 4096, 4096·a^1 … 4096·a^8 = L_max, in byte."""
    a = (lmax / LARGEST_FIXED_SIZE) ** (1 / GROWING_SIZES)
    growing = [int(LARGEST_FIXED_SIZE * a**k + 0.5) for k in range(1, GROWING_SIZES)]
    return [2**i for i in range(FIXED_SIZES)] + growing + [lmax]


class Options(Record):
    """The options that decide what is measured; null stands for all that the definition has."""

    definition: Definition = "3.5"
    methods: list[Method] | None = None
    patterns: list[PatternId] | None = None
    sizes: list[SizeIndex] | None
    repetitions: Positive
    loop_time_s: PositiveSeconds
    seed: Seed
    random_order: Literal["uniform", "3.6"] = "uniform"
    memory_per_process_bytes: Positive | None = None


@dataclass(frozen=True)
class Plan:
    """Every pattern by its methods, with all sizes, in each repetition, by n processes.

    `L` are all 21 sizes in byte, `sizes` the indices of those that were asked for; `failed` are
    methods beside the value that were tried in vain before the first measurement.
    """

    definition: str
    n: int
    L: Sequence[int]
    sizes: Sequence[int]
    patterns: Mapping[int, PatternFacts]
    methods: Sequence[str]
    failed: Sequence[str]
    repetitions: int
    loop_time_s: float
    draw: Draw

    @property
    def ring_patterns(self) -> list[int]:
        """Those of the first logavg; in definition 3.1 the cyclic Cartesian ones."""
        return [p for p in patterns_for(self.n) if in_first_group(self.definition, p)]

    def methods_of(self, pattern: int) -> list[str]:
        """Return the methods by which a pattern is measured."""
        by = self.patterns[pattern].methods(self.methods)
        return [name for name in by if name in OFFICIAL_METHODS or name not in self.failed]

    @cached_property
    def cells(self) -> set[tuple[int, int, int]]:
        """Return pattern, size and method of every loop of a repetition, the last two by index."""
        return {
            (p, size, self.methods.index(name))
            for p in self.patterns
            for name in self.methods_of(p)
            for size in self.sizes
        }

    @property
    def loops(self) -> int:
        """Count all loops."""
        return self.repetitions * len(self.cells)


def plan(options: Mapping[str, Any], environment: Machine, failed: Sequence[str] = ()) -> Plan:
    """Return what the options ask for. Raises UnsoundError where they make no sense."""
    asked = options_as(Options, options)
    n, memory = environment.processes, environment.memory_per_process_bytes
    required = RULES[asked.definition].memory_bytes or asked.memory_per_process_bytes or memory
    if n < 2:
        raise UnsoundError(["environment", "processes"], n, "at least 2")
    if largest_message(memory) <= LARGEST_FIXED_SIZE or memory != required:
        expected = (
            "more than 512 KiB"
            if memory == required
            else f"{required}, by options and {asked.definition}"
        )
        raise UnsoundError(["environment", "memory_per_process_bytes"], memory, expected)
    existing = patterns_for(n)
    patterns = existing if asked.patterns is None else asked.patterns
    if not existing.keys() >= {*patterns}:
        raise UnsoundError(["options", "patterns"], patterns, "patterns of this many processes")
    return Plan(
        definition=asked.definition,
        n=n,
        L=message_sizes(largest_message(memory)),
        sizes=range(MESSAGE_SIZES) if asked.sizes is None else sorted({*asked.sizes}),
        patterns={p: existing[p] for p in sorted(patterns)},
        methods=OFFICIAL_METHODS if asked.methods is None else asked.methods,
        failed=failed,
        repetitions=asked.repetitions,
        loop_time_s=asked.loop_time_s,
        draw=Draw(asked.seed, asked.random_order),
    )


@lru_cache(maxsize=8)
def plan_of(result: BEffResult) -> Plan:
    """Return the plan of a result.

    An option that early results lack is what the result shows. Raises UnsoundError where the result
    is one of another plan, a loop is not of it or there twice.
    """
    shown = {
        "definition": result.definition,
        "methods": result.methods,
        "patterns": [pattern.id for pattern in result.patterns],
    }
    said = (caution for caution in result.cautions if caution.code == NOT_MEASURED)
    failed = [str(caution.facts.get("method")) for caution in said]
    planned, s = plan(shown | result.options, result.environment, failed), result.samples
    for name, stored in shown.items():
        asked = getattr(planned, name)
        if stored != (asked if name == "definition" else [*asked]):
            raise UnsoundError([name], stored, asked)
    seen = set[tuple[int, int, int, int]]()
    loops = zip(s.pattern, s.size, s.method, s.repetition, strict=True)
    for row, loop in enumerate(loops):
        is_planned = loop[:3] in planned.cells and loop[3] < planned.repetitions
        if loop in seen or not is_planned:
            words = "pattern {}, size {}, method {}, repetition {}".format(*loop)
            raise UnsoundError(["samples", "pattern", row], words, "a loop of the plan, once")
        seen.add(loop)
    return planned
