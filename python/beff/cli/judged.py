"""A judgement as commands answer it: headline, findings, code, and the lists of hosts."""

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated

from beff.cli.common import exit_codes
from beff.cli.common.options import JUDGED, File, Quantity, quantity
from beff.cli.common.say import warn
from beff.cli.common.terminal import STYLE_OF, print_headline, print_lines, print_whole
from beff.judge.finding import Checked, HostRules, Verdict
from beff.maps.topology import read_topology
from beff.result.environment import Host
from beff.result.host_list import fold_host_list
from beff.result.load import Document
from beff.result.numbers import counted, parse_percent
from beff.result.places import write_atomically
from beff.show.parts.checked import folded, headline_of
from beff.show.parts.findings import line_of

CODES = {
    Verdict.GOOD: exit_codes.OK,
    Verdict.BAD: exit_codes.FAILED,
    Verdict.UNKNOWN: exit_codes.NOT_VALID,
}
_SLOW = quantity(partial(parse_percent, least=0.02))


@dataclass(frozen=True, kw_only=True)
class RuleOptions:
    """How hosts are judged."""

    slow: Annotated[Quantity | None, "PERCENT", _SLOW, JUDGED] = None
    """A host is slow if its messages take this much longer than the median host's, or than before.
    [default: 15%, 8% beside a baseline]"""
    topology: Annotated[File | None, JUDGED] = None
    """Slurm's topology.conf or topology.yaml: hosts are compared with those behind their switch.
    [default: as the launcher says, else by the map]"""


def rules_of(slow: float | None, topology: Path | None) -> HostRules:
    """Return what options say of judging hosts. Raises ResultError."""
    return HostRules(slow, None if topology is None else read_topology(topology))


def answer(
    checked: Checked,
    more: str,
    drain: Sequence[str] = (),
    sentences: Iterable[str] = (),
    *,
    show_all: bool = False,
) -> int:
    """Print the headline, with `show_all` all that was found, the worst first; return the code.

    `more` is what shows all, `drain` are commands, `sentences` what else is known.
    """
    headline = headline_of(checked, drain)
    if not show_all:
        print_headline(headline, more)
        return CODES[checked.verdict]
    print_headline(replace(headline, lines=(), command=""), "")
    for source in dict.fromkeys(one.source for one in checked.judgements):
        mine = [one for one in folded(checked.judgements) if one.source == source]
        if source:
            print_lines([source])
        for verdict in reversed(Verdict):
            style = "" if verdict == Verdict.GOOD else STYLE_OF[verdict]
            of_verdict = (line_of(one) for one in mine if one.verdict == verdict)
            print_lines((f"{'  ' if source else ''}{line}" for line in of_verdict), style)
    print_lines((*map(line_of, checked.remarks), *sentences))
    for command in drain:
        print_whole(command)
    return CODES[checked.verdict]


_PLAIN = re.compile(r"[A-Za-z0-9._:-]+")
_REASONS = ("no answer", "other wire")
"""Codes of findings for which a host is drained by that word; for all others it is slow."""


class Names:
    """The names by which lists and commands hold hosts: Slurm's own, where it has others.

    Hosts of a name that several of a result have are in none: which is meant is not known.
    """

    def __init__(self, results: Iterable[Document]) -> None:
        self._name_of, self.shared = dict[str, str](), dict[str, None]()
        for document in results:
            hosts: Sequence[Host] = getattr(document.result.environment, "hosts", ())
            self._name_of |= {host.name: host.node or host.name for host in hosts}
            often = Counter(host.name for host in hosts)
            self.shared |= dict.fromkeys(name for name, count in often.items() if count > 1)

    def listed(self, hosts: Iterable[str]) -> tuple[str, ...]:
        """Return the names of hosts in lists."""
        return tuple(self._name_of.get(host, host) for host in hosts if host not in self.shared)

    def warn_of_shared(self) -> None:
        """Say why hosts are in no list."""
        if self.shared:
            names = ", ".join(map(repr, self.shared))
            warn(f"beff: several hosts are called {names}: these are neither listed nor drained")

    def drain_commands(self, checked: Checked) -> list[str]:
        """Return what drains what is bad, a command for each reason."""
        by_reason: dict[str, list[str]] = {reason: [] for reason in ("slow", *_REASONS)}
        bad = [finding for finding in checked if finding.verdict == Verdict.BAD]
        for host in checked.bad_hosts:
            code = next(one.code for one in bad if host in one.hosts).removeprefix("fleet ")
            by_reason[code if code in _REASONS else "slow"] += self.listed([host])
        return [
            f"drain: scontrol update {quoted} state=drain reason='beff nodes: {reason}'"
            for reason, names in by_reason.items()
            if (plain := _plain(names))
            for quoted in [shlex.quote(f"nodename={fold_host_list(plain)}")]
        ]


def _plain(names: Sequence[str]) -> list[str]:
    """Return the names that lists and commands may hold; the others are named on standard error."""
    odd = "is in no list and no command, as that holds more than letters, digits and . _ : -"
    warn(*(f"beff: host {name!r} {odd}" for name in names if not _PLAIN.fullmatch(name)))
    return [name for name in names if _PLAIN.fullmatch(name)]


def write_host_lists(
    targets: Mapping[str, Path], lists: Mapping[str, Sequence[str]], *, judged: bool
) -> None:
    """Write the lists that are asked for, by option. Raises BeffError where one cannot be written.

    Where no host was `judged` it is said on standard error that there is none.
    """
    for name in [name for name in targets if name in lists]:
        if judged:
            lines = "".join(f"{host}\n" for host in _plain(lists[name]))
            write_atomically(targets[name], lines, overwrite=True)
            warn(f"{targets[name]}: {counted(len(lists[name]), 'host')}")
        else:
            warn(f"beff: {name} {targets[name]}: not written, as no host was judged")
