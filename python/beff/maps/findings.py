"""Verdicts on units, links and groups, as plain records."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeVar

from beff.result.numbers import percent

SLOW = 0.15
"""A unit is slow from 15 % more time on, unless the user says otherwise."""
SLOW_SINCE = 0.08
"""Beside an earlier map a unit is slow from 8 % on: what units differ by nature is in both."""
SIZES = {"small": "short", "large": "long"}
"""What the kinds of messages are called."""
_NOISY = 0.3
_SHOWS_NOTHING = 4.0
"""A map that would not show a larger factor shows nothing."""


class Status(str, Enum):
    """The verdict on a unit, a link or a way."""

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
    """The verdict on one host or process."""

    name: str
    status: Status
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True)
class LinkFinding:
    """The verdict on the link between two units; good links are not listed."""

    first: str
    second: str
    status: Status
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True)
class WayFinding:
    """Messages between units and the `others`, by default all others, take `factor` times as long.

    They are compared with those inside of the group of units or, beside an earlier map, with those
    of then: short ones of a `group`, long ones of a `far group`, even alone, long ones of so many
    pairs `crossing` an `uplink` at once. An `unlike uplink` has no like. Long messages on a `way`
    between two groups are compared with those on the other ways of both. What is the same for all
    groups is good: the topology of the machine. `switch` is the one above the units, where known.
    """

    what: str
    names: tuple[str, ...]
    factor: float
    status: Status
    others: tuple[str, ...] = ()
    crossing: int = 0
    switch: str | None = None


@dataclass(frozen=True)
class MisplacedFinding:
    """A unit behind the switch `stated` by what is known, though it is nearer to those of `seen`.

    Those to the others behind `stated` take `factor` times as long.
    """

    name: str
    stated: str
    seen: str
    factor: float


@dataclass(frozen=True)
class CommonFinding:
    """Units take `factor` times as long as in so many earlier `maps`, by a kind of messages.

    All of them, or most where they are not all.
    """

    kind: str
    bytes: int
    factor: float
    are_all: bool
    maps: int
    status: Status


@dataclass(frozen=True)
class Seen:
    """What a map would have shown.

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
    """The judgement of a map. Without enough units, `why_not` says why and the rest is empty.

    `of_all`: a sentence for each size of messages at which the units differ so much, or are of two
    kinds, that it is open which are slow. `together`: the largest set of units that is good
    together. `doubt`: why nothing is called slow by this map, and nothing good.
    """

    unit: str
    units: tuple[UnitFinding, ...] = ()
    links: tuple[LinkFinding, ...] = ()
    ways: tuple[WayFinding, ...] = ()
    of_all: tuple[str, ...] = ()
    is_since: bool = False
    together: tuple[str, ...] = ()
    seen: Seen | None = None
    why_not: str | None = None
    common: tuple[CommonFinding, ...] = ()
    misplaced: tuple[MisplacedFinding, ...] = ()
    doubt: str | None = None

    def with_status(self, status: Status) -> tuple[UnitFinding, ...]:
        """Return the units with a status."""
        return tuple(unit for unit in self.units if unit.status == status)

    @property
    def shows_nothing(self) -> bool:
        """Whether only a factor so large that it needs no map would have been seen."""
        return self.seen is not None and self.seen.limit > _SHOWS_NOTHING

    @property
    def is_open(self) -> bool:
        """Whether nobody is called good, even where nobody is named."""
        return bool(self.of_all or self.common or self.doubt or self.shows_nothing)

    def doubted(self, doubt: str) -> "PairJudgement":
        """Return what the doubt leaves: suspicions, or less where the map shows nothing."""
        rest = self.without_slow({unit.name for unit in self.units})
        common = tuple(_suspect(one, {one.kind}) for one in self.common)
        ways = tuple(one for one in rest.ways if one.what not in {"far group", "way"})
        rest = replace(rest, common=common, ways=ways, doubt=doubt)
        if not self.shows_nothing:
            return rest
        units = tuple(
            UnitFinding(one.name, Status.GOOD) if one.status == Status.SUSPECT else one
            for one in rest.units
        )
        links = tuple(link for link in self.links if link.status == Status.NO_ANSWER)
        return replace(rest, units=units, links=links, ways=(), of_all=())

    def without_slow(self, names: Collection[str]) -> "PairJudgement":
        """Return it with no more than suspicions of these units, and of ways from and to them."""
        named = {*names}
        return replace(
            self,
            units=tuple(_suspect(one, {one.name} & named) for one in self.units),
            links=tuple(_suspect(one, {one.first, one.second} & named) for one in self.links),
            ways=tuple(_suspect(one, {*one.names} & named) for one in self.ways),
        )


_Finding = TypeVar("_Finding", UnitFinding, LinkFinding, WayFinding, CommonFinding)


def _suspect(finding: _Finding, about: Collection[str]) -> _Finding:
    """Return a finding, only a suspicion if it is `about` anybody."""
    is_slow = bool(about) and finding.status == Status.SLOW
    return replace(finding, status=Status.SUSPECT) if is_slow else finding


def noise_reason(noise: Mapping[str, float]) -> str | None:
    """Say what makes a map noisy, by how much the times of a pair differ; None of a quiet one.

    Short messages do not take each other's bandwidth, by which long ones differ on a quiet machine.
    """
    return noise_text(noise) if noise.get("small", 0) > _NOISY else None


def noise_text(noise: Mapping[str, float]) -> str:
    """Say by how much the times of a pair differ at short and long messages."""
    shares = (f"{percent(share)} at {SIZES[kind]}" for kind, share in noise.items())
    return f"half of a pair's times differ by {' and '.join(shares)} messages"
