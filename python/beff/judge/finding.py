"""What judging yields: one record for all judgements, and what follows from many of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from beff.judge.change import Word
from beff.maps.topology import Topology
from beff.result.host_list import number_key

FLEET_DAYS = 30
"""A host that was not measured for so many days is due, unless the user says otherwise."""
OTHERS, EARLIER_MAPS, EARLIER_RESULTS = "the others", "earlier maps", "earlier results"
"""What maps of pairs judge hosts against, and what figures are judged against."""
RULES, NOTHING = "the rules", "nothing"
DOUBTS = frozenset({RULES, NOTHING})
"""What a run itself is checked against, rather than what it measured."""


class Verdict(str, Enum):
    """The verdicts, from best to worst."""

    GOOD = "good"
    UNKNOWN = "inconclusive"
    BAD = "bad"


OF_WORD = dict.fromkeys(Word, Verdict.GOOD) | {Word.SLOWER: Verdict.BAD, Word.OPEN: Verdict.UNKNOWN}
"""The verdict on a day by what it is beside the days before."""


@dataclass(frozen=True)
class Finding:
    """A judgement of a result, or a remark on it, which has no verdict: against what, about what.

    `show/parts/sentences.json` has the sentence of each `code`, filled with the `facts`;
    the ends of their names tell the units. `hosts` are those that it is about: a host, or some of
    the same hardware; `behind` those that it leaves open, `apart` those of which a link is not
    good. What is `doubted` would be good by another run.
    """

    code: str
    about: str
    verdict: Verdict | None
    against: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    hosts: tuple[str, ...] = ()
    source: str = ""
    doubted: bool = False
    behind: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()


class Checked(tuple[Finding, ...]):
    """All findings; of a host the worst counts."""

    @property
    def judgements(self) -> tuple[Finding, ...]:
        """The findings with a verdict."""
        return tuple(one for one in self if one.verdict is not None)

    @property
    def remarks(self) -> tuple[Finding, ...]:
        """The others."""
        return tuple(one for one in self if one.verdict is None)

    @cached_property
    def hosts(self) -> Mapping[str, Verdict]:
        """The worst verdict on each host that was judged, in the order of their names."""
        verdicts = [(host, one.verdict) for one in self if one.verdict for host in one.hosts]
        verdicts += [(host, Verdict.UNKNOWN) for one in self for host in one.behind]
        worst = dict(sorted(verdicts, key=lambda each: list(Verdict).index(each[1])))
        return {host: worst[host] for host in sorted(worst, key=number_key)}

    @property
    def good_hosts(self) -> tuple[str, ...]:
        """Those that all results that tried them call good."""
        return self._called(Verdict.GOOD)

    @property
    def bad_hosts(self) -> tuple[str, ...]:
        """Those that any result calls bad."""
        return self._called(Verdict.BAD)

    @property
    def open_hosts(self) -> tuple[str, ...]:
        """Those on which a verdict is inconclusive, and none is bad."""
        return self._called(Verdict.UNKNOWN)

    def _called(self, verdict: Verdict) -> tuple[str, ...]:
        return tuple(host for host, said in self.hosts.items() if said == verdict)

    @property
    def apart_hosts(self) -> tuple[str, ...]:
        """Without these the good hosts are good among each other, too."""
        return tuple(dict.fromkeys(host for one in self for host in one.apart))

    @property
    def verdict(self) -> Verdict:
        """Bad if anything is, good if everything is and anything was checked."""
        verdicts = {one.verdict for one in self.judgements}
        if Verdict.BAD in verdicts:
            return Verdict.BAD
        return Verdict.GOOD if verdicts == {Verdict.GOOD} else Verdict.UNKNOWN


@dataclass(frozen=True)
class HostRules:
    """How hosts are judged: from which share of more time on one is slow, None for the usual one.

    `topology` says which are behind the same switch, instead of the launcher or the map.
    """

    slow: float | None = None
    topology: Topology | None = None


USUAL = HostRules()
