"""The order in which ranks are dealt out to nodes: asking a launcher for it, and what came of it.

Sequential fills a node, then the next; round-robin gives each node one process in turn.
"""

import math
from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import pairwise

from beff.launch.allocation import find_allocation, hydra_slots
from beff.launch.launcher import Launcher
from beff.result.errors import WrongUsageError


class Numbering(Enum):
    """A numbering that can be asked for."""

    SEQUENTIAL = "sequential"
    ROUND_ROBIN = "round-robin"


def check_numbering(launcher: Launcher) -> None:
    """Refuse a launcher that cannot be asked, or that was given an order.

    Raises WrongUsageError.
    """
    ordering = launcher.flavour.value.ordering
    if not ordering:
        raise WrongUsageError(
            f"--numbering: how {launcher.path} is asked for an order is not known; give its own"
            " option in --launcher instead"
        )
    for option in launcher.own_options:
        name = option.partition("=")[0]
        if name.startswith("-") and name.lstrip("-") in ordering:
            raise WrongUsageError(
                f"--numbering: --launcher gives an order already by {option}; leave one of them out"
            )


def numbering_options(
    launcher: Launcher, numbering: Numbering, processes: int, environ: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the options that ask for a numbering; nothing where hydra's hosts are not known."""
    told = launcher.flavour.value
    words = told.sequential if numbering is Numbering.SEQUENTIAL else told.round_robin
    if "{}" not in words:
        return tuple(words.split())
    hosts = _hosts_of_hydra(launcher.own_options, environ)
    return () if hosts is None else tuple(words.format(math.ceil(processes / hosts)).split())


def _hosts_of_hydra(options: Sequence[str], environ: Mapping[str, str]) -> int | None:
    """Return how many hosts hydra shall use: by option, variable or batch system."""
    files = [environ["HYDRA_HOST_FILE"]] if "HYDRA_HOST_FILE" in environ else []
    for option, value in pairwise(options):
        if option.lstrip("-") in ("hosts", "host"):
            return len(value.split(",")) or None
        if option.lstrip("-") in ("f", "hostfile", "machinefile", "machine"):
            files = [value]
    for name in files:
        return len(hydra_slots(name)) or None
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
