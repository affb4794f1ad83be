"""What pairs of maps show as a file of Slurm's that says which hosts are behind the same switch."""

from collections.abc import Sequence
from json import dumps

import numpy as np

from beff.maps.nested import Nested
from beff.result.numbers import counted
from beff.verify.common.checks import fold_host_list

_LEVELS = ("leaf", "pod")


def said_of(seen: Nested) -> list[str]:
    """Say which switches are seen, and how surely."""
    if not len(seen.labels):
        return ["no groups are seen: all hosts are as near to each other"]
    counts = [len({*level[seen.placed].tolist()}) for level in seen.labels]
    factors = [f"{factor:.2f}" for factor in 1 + np.cumsum(seen.steps)]
    groups = " in ".join(
        counted(count, "pod" if level else "group") for level, count in enumerate(counts)
    )
    said = [
        f"{groups}: to others short messages take {', '.join(factors)} times as long as inside of"
        " one"
    ]
    if seen.placed.any():
        least = int(np.where(seen.placed, seen.sigmas, np.inf).argmin())
        said.append(
            f"the least sure is {seen.names[least]}, nearer to its group than to another by"
            f" {seen.sigmas[least]:.1f} standard errors"
        )
    return said


def topology_text(seen: Nested, source: str, remarks: Sequence[str], *, is_yaml: bool) -> str:
    """Return topology.conf, or topology.yaml of Slurm from 25.05 on, of the hosts that are placed.

    Names of hosts are those of Slurm. `remarks` are comments at its begin.
    """
    lines = [
        f"By beff twin topology, {source}:",
        *remarks,
        "Names of switches are made up; there may be switches that messages do not notice.",
    ]
    lists, tree = _leaves(seen), _tree(seen)
    return "".join(f"# {line}\n" for line in lines) + (_yaml if is_yaml else _conf)(lists, tree)


def _name(level: int) -> str:
    """Return what switches of a level are called; a number may follow."""
    return _LEVELS[level] if level < len(_LEVELS) else f"tier{level + 1}-"


def _switches(seen: Nested) -> list[tuple[int, ...]]:
    """Return of each placed host the numbers of its switches, by the first host of each."""
    labels = seen.labels if len(seen.labels) else np.zeros((1, len(seen.names)), dtype=np.int64)
    columns = labels[:, seen.placed]
    numbers = [{one: at for at, one in enumerate(dict.fromkeys(row))} for row in columns.tolist()]
    return [
        tuple(number[one] for number, one in zip(numbers, column, strict=True))
        for column in columns.T.tolist()
    ]


def _leaves(seen: Nested) -> list[list[str]]:
    """Return the hosts of each leaf."""
    found: dict[int, list[str]] = {}
    names = [seen.names[place] for place in np.flatnonzero(seen.placed)]
    for name, (leaf, *_) in zip(names, _switches(seen), strict=True):
        found.setdefault(leaf, []).append(name)
    return list(found.values())


def _tree(seen: Nested) -> list[tuple[str, str]]:
    """Return the switches above the leaves and what is below each, the top one last."""
    switches = [*dict.fromkeys(_switches(seen))]
    found = []
    for level in range(1, len(seen.labels)):
        below: dict[int, dict[str, None]] = {}
        for each in switches:
            below.setdefault(each[level], {})[f"{_name(level - 1)}{each[level - 1]}"] = None
        found += [
            (f"{_name(level)}{one}", fold_host_list([*names])) for one, names in below.items()
        ]
    last = max(len(seen.labels) - 1, 0)
    ends = dict.fromkeys(f"{_name(last)}{each[last]}" for each in switches)
    return [*found, ("top", fold_host_list([*ends]))] if len(ends) > 1 else found


def _conf(leaves: Sequence[Sequence[str]], tree: Sequence[tuple[str, str]]) -> str:
    lists = list(map(fold_host_list, leaves))
    lines = [f"SwitchName=leaf{number} Nodes={hosts}" for number, hosts in enumerate(lists)]
    lines += [f"SwitchName={name} Switches={below}" for name, below in tree]
    blocks = [f"#BlockName=leaf{number} Nodes={hosts}" for number, hosts in enumerate(lists)]
    return "\n".join(
        (
            *lines,
            "# For TopologyPlugin=topology/block these instead of the lines above:",
            *blocks,
            f"#BlockSizes={min(map(len, leaves))}",
            "",
        )
    )


def _yaml(leaves: Sequence[Sequence[str]], tree: Sequence[tuple[str, str]]) -> str:
    """Quote all names: there are hosts called 007, no and 1e3."""
    lists = [(f"leaf{number}", dumps(fold_host_list(one))) for number, one in enumerate(leaves)]
    switches = [f"- switch: {name}\n      nodes: {hosts}" for name, hosts in lists]
    switches += [f"- switch: {name}\n      children: {dumps(below)}" for name, below in tree]
    blocks = [f"- block: {name}\n      nodes: {hosts}" for name, hosts in lists]
    return (
        "\n    ".join(
            (
                "- topology: tree\n  cluster_default: true\n  tree:\n    switches:",
                *switches,
            )
        )
        + "\n"
        + "\n    ".join(
            (
                "- topology: block\n  cluster_default: false\n  block:\n    block_sizes:",
                f"- {min(map(len, leaves))}\n    blocks:",
                *blocks,
            )
        )
        + "\n"
    )
