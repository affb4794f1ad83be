"""What is said of units, links and groups: plain records."""

from dataclasses import dataclass
from enum import Enum

SLOW = 0.15
"""A unit is slow from 15 % more time on, unless the user says otherwise."""


class Status(str, Enum):
    """The words."""

    NO_ANSWER = "no answer"
    SLOW = "slow"
    SUSPECT = "suspect"
    GOOD = "good"
    NOT_TRIED = "not tried"


@dataclass(frozen=True)
class Evidence:
    """Why: messages of a `kind` take `factor` times as long as those of most others.

    `slow` of `of` measurements were slow; `alone` is the factor with nothing else under way, None
    where that was not measured; `reason` is a sentence.
    """

    kind: str
    bytes: int
    factor: float
    slow: int
    of: int
    alone: float | None
    reason: str


@dataclass(frozen=True)
class UnitFinding:
    """What is said of one host or process."""

    name: str
    status: Status
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True)
class LinkFinding:
    """What is said of the way between two of them; links that are good are not listed."""

    first: str
    second: str
    status: Status
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True)
class GroupFinding:
    """Units that are quick among each other; pairs with others take `factor` times as long.

    `is_usual` where all units stand in such groups and none is slower to the others than the rest:
    the topology of the machine.
    """

    names: tuple[str, ...]
    kind: str
    factor: float
    is_usual: bool


@dataclass(frozen=True)
class Seen:
    """What a map could show.

    The slowest unit that is not slow, with its factor; from which factor on a slow unit would have
    been seen; how many units and links were tried, of how many.
    """

    slowest: str | None
    factor: float
    limit: float
    units: tuple[int, int]
    links: tuple[int, int]


@dataclass(frozen=True)
class PairJudgement:
    """All that a map says. Without enough units, `why_not` says why and the rest is empty.

    `kinds_of_units`: a sentence for each size of messages at which there are two kinds of units,
    so that it is open which are slow. `together`: the largest set of units that is good together.
    """

    unit: str
    units: tuple[UnitFinding, ...] = ()
    links: tuple[LinkFinding, ...] = ()
    groups: tuple[GroupFinding, ...] = ()
    kinds_of_units: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    seen: Seen | None = None
    why_not: str | None = None

    def with_status(self, status: Status) -> tuple[UnitFinding, ...]:
        """Return the units with a status."""
        return tuple(unit for unit in self.units if unit.status == status)
