"""What is said of units, links and groups: plain records."""

from dataclasses import dataclass
from enum import Enum


class Status(str, Enum):
    """The words."""

    SLOW = "slow"
    SUSPECT = "suspect"
    GOOD = "good"
    NOT_TRIED = "not tried"


@dataclass(frozen=True)
class Evidence:
    """Why: at `small` or `large` messages so many times the time of the others, per look.

    `slow_rounds` of `rounds` in each look were slow; `retest` is the factor measured with nothing
    else under way, None where that was not done. `reason` is a sentence.
    """

    kind: str
    bytes: int
    factors: tuple[float, float]
    slow_rounds: tuple[int, int]
    rounds: tuple[int, int]
    retest: float | None
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
class PairJudgement:
    """All that a map says. Without enough units, `cannot_tell` says why and the rest is empty."""

    unit: str
    units: tuple[UnitFinding, ...]
    links: tuple[LinkFinding, ...]
    groups: tuple[GroupFinding, ...]
    cannot_tell: str | None = None

    def with_status(self, status: Status) -> tuple[UnitFinding, ...]:
        """Return the units with a status."""
        return tuple(unit for unit in self.units if unit.status == status)
