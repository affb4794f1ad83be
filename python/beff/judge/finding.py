"""What a check finds: plain records for the table, the JSON and JUnit."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from beff.maps.topology import Topology

RULES, NOTHING = "the rules", "nothing"
DOUBTS = frozenset({RULES, NOTHING})
"""Against these a run itself is checked, and not what it measured."""
_MOST_NAMED = 6
"""In the line of the verdict; all stand below it."""


class Verdict(str, Enum):
    """The words."""

    GOOD = "good"
    UNKNOWN = "inconclusive"
    BAD = "bad"


@dataclass(frozen=True)
class Finding:
    """One thing that was checked: of which result, against what, what it is about."""

    source: str
    against: str
    about: str
    verdict: Verdict
    sentence: str


@dataclass(frozen=True)
class Checked:
    """All findings, the hosts by what the maps of pairs say of them, and what was not checked.

    A host is bad when any result calls it so, and open when any is inconclusive; all that tried a
    good one call it good. Without `apart_hosts` the good ones are good among each other, too: each
    of these has a link that is not.
    """

    findings: tuple[Finding, ...]
    good_hosts: tuple[str, ...] = ()
    bad_hosts: tuple[str, ...] = ()
    open_hosts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    apart_hosts: tuple[str, ...] = ()

    @property
    def together(self) -> tuple[str, ...]:
        """The hosts that are good among each other."""
        return tuple(host for host in self.good_hosts if host not in self.apart_hosts)

    @property
    def judged_hosts(self) -> bool:
        """Whether any host was judged: without, a list of hosts would be empty for no reason."""
        return bool(self.good_hosts or self.bad_hosts or self.open_hosts)

    @property
    def verdict(self) -> Verdict:
        """Bad if anything is, good if everything is and anything was checked."""
        verdicts = {finding.verdict for finding in self.findings}
        if Verdict.BAD in verdicts:
            return Verdict.BAD
        return Verdict.GOOD if verdicts == {Verdict.GOOD} else Verdict.UNKNOWN

    @property
    def words(self) -> str:
        """The verdict, and what it is about where it is not good."""
        verdict = self.verdict
        mine = (found.about for found in self.findings if found.verdict == verdict)
        about = list(dict.fromkeys(mine))
        if verdict == Verdict.GOOD or not about:
            return verdict.value
        more = f" and {len(about) - _MOST_NAMED} more" if len(about) > _MOST_NAMED else ""
        return f"{verdict.value}: {', '.join(about[:_MOST_NAMED])}{more}"


@dataclass(frozen=True)
class HostRules:
    """How hosts are judged: from which share of more time on one is slow, None for the usual one.

    `topology` says which are behind the same switch, instead of the launcher or the map.
    """

    slow: float | None = None
    topology: Topology | None = None


USUAL = HostRules()


def together(parts: Sequence[Checked]) -> Checked:
    """Join what several checks found."""
    bad = dict.fromkeys(host for part in parts for host in part.bad_hosts)
    undecided = (host for part in parts for host in part.open_hosts if host not in bad)
    kept_open = dict.fromkeys(undecided)
    good = dict.fromkeys(host for part in parts for host in part.good_hosts)
    return Checked(
        tuple(finding for part in parts for finding in part.findings),
        tuple(host for host in good if host not in bad and host not in kept_open),
        tuple(bad),
        tuple(kept_open),
        tuple(dict.fromkeys(note for part in parts for note in part.notes)),
        tuple(dict.fromkeys(host for part in parts for host in part.apart_hosts)),
    )
