"""Lists of hosts for --good and --bad and for commands of the scheduler."""

import re
import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from beff.cli.common.say import warn
from beff.judge.finding import Checked, Verdict
from beff.result.environment import Host
from beff.result.host_list import fold_host_list
from beff.result.load import Document
from beff.result.write import write_atomically

_PLAIN = re.compile(r"[A-Za-z0-9._:-]+")

Hosts = Sequence[Host]
"""Those of a result, as they stand in its environment."""


def hosts_of(document: Document) -> Hosts:
    """Return the hosts of a result; none where it does not name them."""
    hosts: Hosts = getattr(document.result.environment, "hosts", ())
    return hosts


def shared_names(results: Iterable[Hosts]) -> tuple[str, ...]:
    """Return the names that several hosts of one result have: which is meant is not known."""
    found: dict[str, None] = {}
    for hosts in results:
        often = Counter(host.name for host in hosts)
        found |= dict.fromkeys(name for name, count in often.items() if count > 1)
    return tuple(found)


def listed(hosts: Sequence[str], results: Sequence[Hosts]) -> tuple[str, ...]:
    """Return the names by which a list or a command holds hosts: Slurm's own, where it has others.

    Hosts of a name that several have are left out.
    """
    own = {host.name: host.node for hosts_of_one in results for host in hosts_of_one}
    shared = shared_names(results)
    return tuple(own.get(host) or host for host in hosts if host not in shared)


def shared_text(shared: Sequence[str]) -> str:
    """Say why hosts are in no list."""
    names = ", ".join(map(repr, shared))
    return f"several hosts are called {names}: these are neither listed nor drained"


def plain(names: Iterable[str]) -> list[str]:
    """Return the names that lists and commands may hold; the others are named on standard error."""
    kept = []
    for name in names:
        if _PLAIN.fullmatch(name):
            kept.append(name)
        else:
            odd = "more than letters, digits and . _ : -"
            warn(f"beff: host {name!r} is in no list and no command, as that holds {odd}")
    return kept


def write_host_lists(
    targets: Mapping[str, Path], lists: Mapping[str, Sequence[str]], *, judged: bool
) -> None:
    """Write lists by option; one that cannot be written says so on standard error.

    Raises TargetError when there is no place for it, and BeffError when it cannot be written.
    """
    for name in [name for name in targets if name in lists]:
        if judged:
            lines = "".join(f"{host}\n" for host in plain(lists[name]))
            write_atomically(targets[name], lines, overwrite=True)
        else:
            warn(f"beff: {name} {targets[name]}: not written, as no host was judged")


def still_bad(bad: Path | None, known: Collection[str]) -> list[str]:
    """Return the hosts that are in a list of bad hosts already, and not among the known ones."""
    with suppress(OSError, UnicodeDecodeError):
        names = bad.read_text(encoding="utf-8").split() if bad is not None else []
        return [name for name in names if name not in known]
    return []


_REASONS = ("no answer", "other wire")
"""Codes of findings for which a host is drained by that word; for all others it is slow."""


def drain_commands(checked: Checked, results: Sequence[Hosts]) -> list[str]:
    """Return what drains what is bad, a command for each reason; `results` have the names."""
    by_reason: dict[str, list[str]] = {}
    for host in checked.bad_hosts:
        for name in listed([host], results):
            bad = (found for found in checked.findings if found.verdict == Verdict.BAD)
            code = next(one.code for one in bad if host in one.hosts).removeprefix("fleet ")
            by_reason.setdefault(code if code in _REASONS else "slow", []).append(name)
    return [
        f"drain: scontrol update {quoted} state=drain reason='beff nodes: {reason}'"
        for reason, names in by_reason.items()
        if (kept := plain(names))
        for quoted in [shlex.quote(f"nodename={fold_host_list(kept)}")]
    ]
