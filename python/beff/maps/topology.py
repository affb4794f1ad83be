"""Which switches the hosts of a map are behind, where somebody knows it.

Slurm does: by topology.conf, and topology.yaml from 25.05 on.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from beff.definition.b_pairs_plan import Ints
from beff.result.armour import read_text
from beff.result.errors import RefusedError, ResultError
from beff.result.host_list import MOST_HOSTS, expand_host_list, hosts_in_list, is_host_list

Switches = tuple[str, ...]
"""The switches above a host, from the top down to the one it is plugged into."""


@dataclass(frozen=True)
class Topology:
    """The switches above each host; `source` is who says so, for messages."""

    source: str
    above: Mapping[str, Switches]

    def of(self, names: Sequence[str]) -> tuple[Switches, ...]:
        """Return the switches of hosts, which may have a domain here or there.

        Raises ResultError naming a host that the source does not have.
        """
        for name in names:
            if name not in self.above and _short(name) not in self._by_short_name:
                raise ResultError(f"has no switch for host {name}", self.source)
        by_short = self._by_short_name
        return tuple(self.above.get(name) or by_short[_short(name)] for name in names)

    @cached_property
    def _by_short_name(self) -> dict[str, Switches]:
        return {_short(name): switches for name, switches in self.above.items()}


def _short(name: str) -> str:
    return name.partition(".")[0]


@dataclass(frozen=True)
class Known:
    """The group of each unit, and of each group its switches."""

    labels: Ints
    switches: tuple[Switches, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The switch that the units of each group are plugged into."""
        return tuple(switches[-1] for switches in self.switches)

    def above(self) -> Iterator[Ints]:
        """Yield the number of the switch of each unit at each level above its own, from below."""
        for depth in range(max(map(len, self.switches)) - 1, 0, -1):
            yield known_groups([self.switches[label][:depth] for label in self.labels]).labels

    def apart(self, first: Ints, second: Ints) -> Ints:
        """Return for pairs of groups how many switches, from the top down, are above both."""
        longest = max(map(len, self.switches))
        paths = np.array([[*path, *[""] * (longest - len(path))] for path in self.switches])
        numbers = np.unique(paths, return_inverse=True)[1].reshape(paths.shape)
        return np.cumprod(numbers[first] == numbers[second], axis=-1).sum(axis=-1)


def known_groups(switches: Sequence[Switches]) -> Known:
    """Group units that are plugged into the same switch, in the order of the first of each."""
    number: dict[Switches, int] = {}
    labels = np.array([number.setdefault(each, len(number)) for each in switches])
    return Known(labels, tuple(number))


_LARGEST = 4 << 20
"""Bytes; lists are folded, so that 10^5 hosts take less than a tenth of it."""
_LONGEST_YAML = 1 << 20
"""Characters; it takes longer to read."""
_LEVELS = 8
"""How deep topology.yaml nests lists and fields, with room for kinds that are passed over."""
_YES = {"true", "yes", "on"}
_PAIR = re.compile(r"(?<!\S)([A-Za-z]+)\s*=\s*(?:\"([^\"]*)\"|(\S*))(?=\s|$)")
_BESIDE = {"linkspeed", "level", "blockindex", "blocksizes", "blocksize", "aggregatedblock"}
"""Keys that say nothing of who is behind what; some are printed by scontrol alone."""
_KEYS = {"switchname", "blockname", "nodes", "switches", *_BESIDE}
_FORM = (
    "SwitchName=… with Nodes=… or Switches=…, or BlockName=… with Nodes=…, as `scontrol show"
    " topology` prints it; Include is not followed"
)


@dataclass(frozen=True)
class _Entry:
    """A switch or block, and what is below it, in lists as Slurm writes them."""

    name: str
    hosts: str
    switches: str


def read_topology(path: Path) -> Topology:
    """Read a file. Raises ResultError naming what is wrong in it."""
    text, source = read_text(path, _LARGEST), str(path)
    is_yaml = path.suffix in {".yaml", ".yml"}
    try:
        entries = list(_of_yaml(source, text) if is_yaml else _of_conf(text))
        if not entries:
            raise ResultError(f"describes no switch; expected is {_FORM}")
        return Topology(source, _above(entries))
    except (RefusedError, ResultError) as problem:
        raise ResultError(problem.reason, source) from None


def _of_conf(text: str) -> Iterator[_Entry]:
    """Yield the entries of topology.conf, or of what `scontrol show topology` prints of it.

    A line that ends in a backslash goes on in the next.
    """
    number = 1
    for lines in re.split(r"(?<!\\)\n", "\n".join((*text.splitlines(), ""))):
        values = _pairs(lines.replace("\\\n", "").partition("#")[0].rstrip())
        name = values.get("switchname") or values.get("blockname")
        entry = _Entry(name or "", values.get("nodes", ""), values.get("switches", ""))
        is_beside = "aggregatedblock" in values or values.keys() <= _BESIDE
        is_known = values.keys() <= _KEYS and (name or is_beside)
        if not is_known or not is_host_list(f"{entry.hosts},{entry.switches}"):
            raise ResultError(f"line {number} is not understood; expected is {_FORM}")
        if name:
            yield entry
        number += lines.count("\n") + 1


def _pairs(words: str) -> dict[str, str]:
    """Return values by keys in small letters; what is no pair, or there twice, as a key alone."""
    pairs = [(key.lower(), quoted or bare) for key, quoted, bare in _PAIR.findall(words)]
    is_whole = not _PAIR.sub("", words).strip() and len(dict(pairs)) == len(pairs)
    return dict(pairs) if is_whole else {words: ""}


def _of_yaml(source: str, text: str) -> Iterator[_Entry]:
    """Yield the entries of the topology of the cluster, or of the first that has any."""
    from beff.result.armour import plain_yaml  # noqa: PLC0415 - of an extra

    content = plain_yaml(source, text, levels=_LEVELS, lists=True, longest=_LONGEST_YAML)
    topologies = [entry for entry in _list(content) if isinstance(entry, dict)]
    topologies.sort(key=lambda entry: str(entry.get("cluster_default")).lower() not in _YES)
    for topology in topologies:
        entries = [
            _Entry(_text(entry, key), _text(entry, "nodes"), _text(entry, "children"))
            for kind, part, key in (("tree", "switches", "switch"), ("block", "blocks", "block"))
            if isinstance(of_kind := topology.get(kind), dict)
            for entry in _list(of_kind.get(part))
            if isinstance(entry, dict) and key in entry
        ]
        if entries:
            yield from entries
            return


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(entry: dict[str, Any], name: str) -> str:
    value = entry.get(name)
    if isinstance(value, str | None) and is_host_list(value or ""):
        return value or ""
    raise ResultError(f"'{name}' of an entry is no list such as n[1-8]")


def _above(entries: Sequence[_Entry]) -> dict[str, Switches]:
    parent: dict[str, str] = {}
    switch_of: dict[str, str] = {}
    lists = (text for entry in entries for text in (entry.switches, entry.hosts))
    if sum(map(hosts_in_list, lists)) > MOST_HOSTS:
        raise ResultError(f"describes more than {MOST_HOSTS} hosts and switches")
    for entry in sorted(entries, key=lambda one: one.switches != ""):
        parent |= dict.fromkeys(expand_host_list(entry.switches), entry.name)
        for host in expand_host_list(entry.hosts):
            # scontrol prints at each switch all hosts below
            if switch_of.setdefault(host, entry.name) != entry.name and not entry.switches:
                raise ResultError(f"host {host} is behind {switch_of[host]} and {entry.name}")
    ways = {switch: _way_down(switch, parent) for switch in {*switch_of.values()}}
    return {host: ways[switch] for host, switch in switch_of.items()}


def _way_down(switch: str, parent: dict[str, str]) -> Switches:
    way = {switch: None}
    while (switch := parent.get(switch, "")) != "":
        if switch in way:
            raise ResultError(f"switch {switch} is below itself")
        way[switch] = None
    return tuple(reversed(way))
