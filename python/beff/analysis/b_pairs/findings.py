"""What is said of units, links and groups: plain records."""

from dataclasses import dataclass
from enum import Enum

SLOW = 0.15
"""A unit is slow from 15 % more time on, unless the user says otherwise."""
SLOW_SINCE = 0.08
"""Beside an earlier map a unit is slow from 8 % on: what units differ by nature is in both."""
SIZES = {"small": "short", "large": "long"}
"""What the kinds of messages are called."""


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
    """Units that are nearer to each other than to the others.

    Short messages to the others take `factor` times as long as inside, or, beside an earlier map,
    as they did. They are good where the groups are alike in this: the topology of the machine.
    `switch` is what they are behind, where that is known.
    """

    names: tuple[str, ...]
    factor: float
    status: Status
    switch: str | None = None


@dataclass(frozen=True)
class UplinkFinding:
    """What crosses at once between a group and the others.

    `crossing` pairs at once get `share` of what pairs inside of groups get; beside an earlier map,
    of what they got. It is good where all groups are alike, or there are only two.
    """

    names: tuple[str, ...]
    crossing: int
    share: float
    status: Status
    switch: str | None = None


@dataclass(frozen=True)
class Seen:
    """What a map could show.

    The slowest unit that is not slow, with its factor; from which factor on a slow unit would have
    been seen, and from which share of its rounds on one that is slow at times, None where it would
    not; how many units and links were tried, of how many.
    """

    slowest: str | None
    factor: float
    limit: float
    at_times: float | None
    units: tuple[int, int]
    links: tuple[int, int]


@dataclass(frozen=True)
class PairJudgement:
    """All that a map says. Without enough units, `why_not` says why and the rest is empty.

    `of_all`: a sentence for each size of messages at which the units differ so much, or are of two
    kinds, that it is open which are slow. `together`: the largest set of units that is good
    together.
    """

    unit: str
    units: tuple[UnitFinding, ...] = ()
    links: tuple[LinkFinding, ...] = ()
    groups: tuple[GroupFinding, ...] = ()
    uplinks: tuple[UplinkFinding, ...] = ()
    of_all: tuple[str, ...] = ()
    is_since: bool = False
    together: tuple[str, ...] = ()
    seen: Seen | None = None
    why_not: str | None = None

    def with_status(self, status: Status) -> tuple[UnitFinding, ...]:
        """Return the units with a status."""
        return tuple(unit for unit in self.units if unit.status == status)
