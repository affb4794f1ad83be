"""A map of pairs as a file of Slurm's that says which hosts are behind the same switch."""

from collections.abc import Sequence
from dataclasses import dataclass
from json import dumps
from math import exp, inf

import numpy as np

from beff.maps.kind import Kind
from beff.maps.kinds import kinds_of
from beff.maps.levels import ERROR_OF_QUICK
from beff.maps.pair_map import PairMap
from beff.maps.schedule import Ints
from beff.verify.common.checks import fold_host_list


@dataclass(frozen=True)
class Group:
    """Hosts that are near each other.

    `factor`: how many times as long a message takes to the nearest other group as inside; `sigmas`:
    by how many standard errors its least near host is nearer to the group than to another.
    """

    hosts: tuple[int, ...]
    part: int
    factor: float
    sigmas: float
    least_near: int


@dataclass(frozen=True)
class Seen:
    """What a map shows: groups, and which of them are near each other by short messages.

    `kind` is the length of messages that shows the groups.
    """

    groups: tuple[Group, ...]
    kind: str

    @property
    def parts(self) -> tuple[int, ...]:
        """The numbers of the parts that groups are put together in; one where there is no more."""
        return tuple(sorted({group.part for group in self.groups}))


def seen_groups(pairs: PairMap) -> Seen:
    """Return the groups of a map, in the order of their first hosts."""
    near, far = kinds_of(pairs)
    finest = far if far.groups > near.groups else near
    first = [int(np.flatnonzero(finest.labels == one)[0]) for one in range(finest.groups)]
    is_nested = all(
        len({*near.labels[finest.labels == one].tolist()}) == 1 for one in range(len(first))
    )
    has_parts = is_nested and 1 < near.groups < finest.groups
    groups = [
        _group(finest, one, int(near.labels[host]) if has_parts else 0)
        for host, one in sorted(zip(first, range(finest.groups), strict=True))
    ]
    return Seen(tuple(groups), finest.kind)


def _group(kind: Kind, one: int, part: int) -> Group:
    """Compare what each host takes to its own group with what it takes to the nearest other."""
    hosts: Ints = np.flatnonzero(kind.labels == one)
    if kind.groups == 1 or len(hosts) < 2:
        return Group(tuple(hosts.tolist()), part, 1.0, inf, int(hosts[0]))
    error = ERROR_OF_QUICK * kind.scatter / np.sqrt(max(1.0, float(np.median(kind.links.counts))))
    apart, sigmas = [], []
    for host in hosts.tolist():
        mine = (kind.links.first == host) | (kind.links.second == host)
        other = np.where(kind.links.first == host, kind.links.second, kind.links.first)
        beyond = kind.levels - np.fmax(kind.own[kind.links.first], kind.own[kind.links.second])
        known = mine & ~np.isnan(beyond)
        mean, count = (
            np.array([found(beyond[known & (kind.labels[other] == g)]) for g in range(kind.groups)])
            for found in (lambda some: some.mean() if some.size else np.nan, np.size)
        )
        others = np.where(np.arange(kind.groups) == one, np.nan, mean)
        if np.isnan(mean[one]) or np.isnan(others).all():
            apart.append(0.0)
            sigmas.append(0.0)
            continue
        nearest = int(np.nanargmin(others))
        apart.append(float(mean[nearest] - mean[one]))
        sigma = error * np.sqrt(1 / count[one] + 1 / count[nearest])
        sigmas.append(apart[-1] / sigma if sigma else inf)
    least = int(np.argmin(sigmas))
    return Group(
        tuple(hosts.tolist()), part, exp(float(np.median(apart))), sigmas[least], int(hosts[least])
    )


def topology_text(seen: Seen, names: Sequence[str], source: str, *, is_yaml: bool) -> str:
    """Return topology.conf, or topology.yaml of Slurm from 25.05 on; `names` are those of Slurm."""
    lines = [f"# {line}\n" for line in _remarks(seen, names, source)]
    lists = [fold_host_list([names[host] for host in group.hosts]) for group in seen.groups]
    return "".join(lines) + (_yaml(seen, lists) if is_yaml else _conf(seen, lists))


def _remarks(seen: Seen, names: Sequence[str], source: str) -> list[str]:
    """Say what groups rest on; a map alone cannot be sure of them."""
    if len(seen.groups) == 1:
        return [
            f"By beff nodes, {source}: no groups are seen, all hosts are as near to each other.",
            "There may be switches that messages do not notice.",
        ]
    said = [
        f"By beff nodes, {source}: {len(seen.groups)} groups of hosts are seen in"
        f" {'short' if seen.kind == 'small' else 'long'} messages.",
        "Cables are not seen, and hosts of a torus or of unequal rates look like groups, too:",
        "compare with what is known before using it.",
    ]
    for number, group in enumerate(seen.groups):
        if len(group.hosts) < 2:
            said.append(f"leaf{number}: one host, which has no others to compare with")
            continue
        nearer = "exactly" if group.sigmas == inf else f"by {group.sigmas:.1f} standard errors"
        said.append(
            f"leaf{number}: to other groups {group.factor:.2f} times as long; the least near is"
            f" {names[group.least_near]}, nearer to it {nearer}"
        )
    return said


def _smallest(seen: Seen) -> int:
    return min(len(group.hosts) for group in seen.groups)


def _tree(seen: Seen) -> list[tuple[str, str]]:
    """Return the switches above the leaves and what is below each, the top one last."""
    leaves = [f"leaf{number}" for number in range(len(seen.groups))]
    if len(leaves) == 1:
        return []
    if len(seen.parts) == 1:
        return [("top", fold_host_list(leaves))]
    upper = []
    for number, part in enumerate(seen.parts):
        below = [leaves[i] for i, group in enumerate(seen.groups) if group.part == part]
        upper.append((f"part{number}", fold_host_list(below)))
    return [*upper, ("top", fold_host_list([name for name, _ in upper]))]


def _conf(seen: Seen, lists: Sequence[str]) -> str:
    tree = [f"SwitchName=leaf{number} Nodes={hosts}" for number, hosts in enumerate(lists)]
    tree += [f"SwitchName={name} Switches={below}" for name, below in _tree(seen)]
    blocks = [f"#BlockName=leaf{number} Nodes={hosts}" for number, hosts in enumerate(lists)]
    return "\n".join(
        (
            *tree,
            "# For TopologyPlugin=topology/block these instead of the lines above:",
            *blocks,
            f"#BlockSizes={_smallest(seen)}",
            "",
        )
    )


def _yaml(seen: Seen, lists: Sequence[str]) -> str:
    """Quote all names: there are hosts called 007, no and 1e3."""
    leaves = [(f"leaf{number}", dumps(hosts)) for number, hosts in enumerate(lists)]
    tree = [f"- switch: {name}\n      nodes: {hosts}" for name, hosts in leaves]
    tree += [f"- switch: {name}\n      children: {dumps(below)}" for name, below in _tree(seen)]
    blocks = [f"- block: {name}\n      nodes: {hosts}" for name, hosts in leaves]
    return (
        "\n    ".join(
            (
                "- topology: tree\n  cluster_default: true\n  tree:\n    switches:",
                *tree,
            )
        )
        + "\n"
        + "\n    ".join(
            (
                "- topology: block\n  cluster_default: false\n  block:\n    block_sizes:",
                f"- {_smallest(seen)}\n    blocks:",
                *blocks,
            )
        )
        + "\n"
    )
