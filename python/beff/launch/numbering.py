"""The order in which ranks are dealt out to nodes: asking a launcher for it, and what came of it.

Sequential fills a node, then the next; round-robin gives each node one process in turn.
"""

import math
from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import pairwise
from pathlib import Path

from beff.launch.allocation import find_allocation
from beff.launch.launcher import Flavour, Launcher
from beff.result.errors import ResultError, WrongUsageError
from beff.result.strict_json import read_bytes


class Numbering(Enum):
    """A numbering that can be asked for."""

    SEQUENTIAL = "sequential"
    ROUND_ROBIN = "round-robin"


_FIXED: dict[Flavour, dict[Numbering, tuple[str, ...]]] = {
    Flavour.SRUN: {
        Numbering.SEQUENTIAL: ("--distribution=block",),
        Numbering.ROUND_ROBIN: ("--distribution=cyclic",),
    },
    Flavour.OPEN_MPI: {
        Numbering.SEQUENTIAL: ("--map-by", "slot"),
        Numbering.ROUND_ROBIN: ("--map-by", "node"),
    },
}
"""Launchers that have a word for it; hydra and Intel MPI count processes per node instead."""
_COUNTING = (Flavour.HYDRA, Flavour.INTEL)
_ORDERING = {
    Flavour.SRUN: ("distribution", "m"),
    Flavour.OPEN_MPI: ("map-by", "rank-by", "bynode", "byslot", "npernode", "N"),
    Flavour.HYDRA: ("ppn", "perhost", "rr"),
    Flavour.INTEL: ("ppn", "perhost", "rr", "grr"),
}
"""Options by which a user gives the order, without dashes."""


def check_numbering(launcher: Launcher) -> None:
    """Refuse a launcher that cannot be asked, or that was given an order.

    Raises WrongUsageError.
    """
    if launcher.flavour not in _ORDERING:
        raise WrongUsageError(
            f"--numbering: how {launcher.path} is asked for an order is not known; give its own"
            " option in --launcher instead"
        )
    for option in launcher.own_options:
        name = option.partition("=")[0]
        if name.startswith("-") and name.lstrip("-") in _ORDERING[launcher.flavour]:
            raise WrongUsageError(
                f"--numbering: --launcher gives an order already by {option}; leave one of them out"
            )


def numbering_options(
    launcher: Launcher, numbering: Numbering, processes: int, environ: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the options that ask for a numbering; nothing where hydra's hosts are not known."""
    if launcher.flavour not in _COUNTING:
        return _FIXED[launcher.flavour][numbering]
    if numbering is Numbering.ROUND_ROBIN:
        return ("-ppn", "1")
    hosts = _hosts_of_hydra(launcher.own_options, environ)
    return () if hosts is None else ("-ppn", str(math.ceil(processes / hosts)))


def _hosts_of_hydra(options: Sequence[str], environ: Mapping[str, str]) -> int | None:
    """Return how many hosts hydra shall use: by option, variable or batch system."""
    files = [environ["HYDRA_HOST_FILE"]] if "HYDRA_HOST_FILE" in environ else []
    for option, value in pairwise(options):
        if option.lstrip("-") in ("hosts", "host"):
            return len(value.split(",")) or None
        if option.lstrip("-") in ("f", "hostfile", "machinefile", "machine"):
            files = [value]
    for name in files:
        try:
            lines = read_bytes(Path(name)).decode("utf-8", "replace").splitlines()
        except ResultError:
            return None
        words = (line.partition("#")[0].split() for line in lines)
        return len({found[0].partition(":")[0] for found in words if found}) or None
    allocation = find_allocation(environ)
    return None if allocation is None else allocation.nodes


def numberings_of(placement: Sequence[int]) -> frozenset[Numbering]:
    """Return the numberings that a placement has: the node of each rank, nodes by lowest rank.

    Both on one node and with one process per node. Round-robin passes over nodes that are full.
    """
    found = set()
    if all(a <= b for a, b in pairwise(placement)):
        found.add(Numbering.SEQUENTIAL)
    rounds: list[tuple[int, int]] = []
    on_node: dict[int, int] = {}
    for node in placement:
        on_node[node] = on_node.get(node, 0) + 1
        rounds.append((on_node[node], node))
    if rounds == sorted(rounds):
        found.add(Numbering.ROUND_ROBIN)
    return frozenset(found)
