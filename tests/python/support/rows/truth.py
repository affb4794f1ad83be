"""What is true of a made-up machine, and whether a judgement says it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from beff.judge.finding import Verdict
from support.rows.said import Hosts, Links, Said


class Asked(Enum):
    """What a judgement must say to be right; an innocent that is called bad makes it wrong."""

    GOOD = "good"
    """Nothing: the machine is as it should be."""
    OPEN = "open"
    """Whom it suspects, where the map cannot tell whether there is a fault; of a machine that is as
    it should be, nothing as well."""
    BAD = "bad"
    """Who is faulty."""
    TOLD = "told"
    """That what crosses at once between two groups gets less, which a taper explains as well."""
    ANYTHING = "anything"
    """What it likes: the fault is smaller than is looked for."""


@dataclass(frozen=True)
class Truth:
    """The faulty hosts and links, and the groups with a faulty uplink."""

    hosts: Hosts = frozenset()
    links: Links = frozenset()
    groups: frozenset[Hosts] = frozenset()
    asked: Asked = Asked.GOOD

    @property
    def is_clean(self) -> bool:
        """Whether nothing is faulty."""
        return not (self.hosts or self.links or self.groups)

    def asked_with(self, *, baseline: bool) -> Asked:
        """Return what is asked; with an earlier map of when nothing was faulty, all can be told."""
        told = Asked.GOOD if self.is_clean else Asked.BAD
        return told if baseline else self.asked

    def innocents(self, said: Said) -> int:
        """Return how many hosts and links that are as they should be are called bad."""
        return len(said.bad_hosts - self.hosts) + len(said.bad_links - self.links)

    def is_said(self, said: Said, units: int, *, baseline: bool = False) -> bool:
        """Return whether a judgement is right."""
        asked = self.asked_with(baseline=baseline)
        if self.innocents(said) or asked == Asked.ANYTHING:
            return not self.innocents(said)
        if self.is_clean:
            return asked == Asked.OPEN or said.verdict == Verdict.GOOD
        every = frozenset(range(units))
        hosts, links, groups = said.bad_hosts, said.bad_links, said.open_groups
        if asked == Asked.OPEN:
            hosts, links = hosts | said.open_hosts, links | said.open_links
        if asked == Asked.TOLD:
            groups |= said.told_groups
        groups |= {every - group for group in groups}
        return self.hosts <= hosts and self.links <= links and self.groups <= groups


CLEAN = Truth()
UNDECIDABLE = Truth(asked=Asked.OPEN)


def slow(*hosts: int, asked: Asked = Asked.BAD) -> Truth:
    """Return the truth of slow hosts."""
    return Truth(hosts=frozenset(hosts), asked=asked)


def slow_link(one: int, other: int, asked: Asked = Asked.BAD) -> Truth:
    """Return the truth of a slow link."""
    return Truth(links=frozenset({(min(one, other), max(one, other))}), asked=asked)
