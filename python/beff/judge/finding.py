"""What judging yields: one record for all judgements, and what follows from many of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from beff.judge.day_rule import Word
from beff.maps.topology import Topology

FLEET_DAYS = 30
"""A host that was not measured for so many days is due, unless the user says otherwise."""
OTHERS, EARLIER_MAPS, EARLIER_RESULTS = "the others", "earlier maps", "earlier results"
"""Against these hosts are judged by maps of pairs, figures by days before."""
RULES, NOTHING = "the rules", "nothing"
DOUBTS = frozenset({RULES, NOTHING})
"""Against these a run itself is checked, and not what it measured."""


class Verdict(str, Enum):
    """The words, from best to worst."""

    GOOD = "good"
    UNKNOWN = "inconclusive"
    BAD = "bad"


OF_WORD: Mapping[Word | None, Verdict] = {
    Word.SLOWER: Verdict.BAD,
    Word.FASTER: Verdict.GOOD,
    Word.AS_FAST: Verdict.GOOD,
    Word.OPEN: Verdict.UNKNOWN,
    None: Verdict.UNKNOWN,
}
"""What a day is beside the days before."""


@dataclass(frozen=True)
class Finding:
    """A judgement of a result, or a remark on it, which has no verdict: against what, about what.

    `report/parts/findings.py` has the sentence of each `code`, which is filled with the `facts`;
    the ends of their names tell the units. `hosts` are those that it is about: a host, or some of
    the same hardware. What is `doubted` would be good by another run.
    """

    code: str
    about: str
    verdict: Verdict | None
    against: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    hosts: tuple[str, ...] = ()
    source: str = ""
    doubted: bool = False


@dataclass(frozen=True)
class Checked:
    """All findings, and what is said of each host that was judged.

    Without `apart_hosts` the good hosts are good among each other, too: each of these has a link
    that is not.
    """

    findings: tuple[Finding, ...] = ()
    hosts: Mapping[str, Verdict] = field(default_factory=dict)
    apart_hosts: tuple[str, ...] = ()

    @property
    def judgements(self) -> tuple[Finding, ...]:
        """The findings with a verdict."""
        return tuple(one for one in self.findings if one.verdict is not None)

    @property
    def remarks(self) -> tuple[Finding, ...]:
        """The others."""
        return tuple(one for one in self.findings if one.verdict is None)

    @property
    def good_hosts(self) -> tuple[str, ...]:
        """Those that all results that tried them call good."""
        return self._called(Verdict.GOOD)

    @property
    def bad_hosts(self) -> tuple[str, ...]:
        """Those that any result calls so."""
        return self._called(Verdict.BAD)

    @property
    def open_hosts(self) -> tuple[str, ...]:
        """Those of which something is inconclusive, and nothing bad."""
        return self._called(Verdict.UNKNOWN)

    def _called(self, verdict: Verdict) -> tuple[str, ...]:
        return tuple(host for host, said in self.hosts.items() if said == verdict)

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


def together(parts: Iterable[Checked]) -> Checked:
    """Join what several checks found; of a host the worst counts."""
    joined = tuple(parts)
    hosts: dict[str, Verdict] = {}
    for part in joined:
        for host, verdict in part.hosts.items():
            hosts[host] = max(hosts.get(host, verdict), verdict, key=list(Verdict).index)
    return Checked(
        tuple(finding for part in joined for finding in part.findings),
        hosts,
        tuple(dict.fromkeys(host for part in joined for host in part.apart_hosts)),
    )


def with_hosts(findings: Iterable[Finding]) -> Checked:
    """Return findings, and what each says of its hosts."""
    return together(
        Checked((one,), dict.fromkeys(one.hosts, one.verdict) if one.verdict else {})
        for one in findings
    )
