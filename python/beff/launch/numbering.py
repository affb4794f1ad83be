"""The order in which ranks are dealt out to nodes: asking a launcher for it, and what came of it.

Sequential fills a node, then the next; round-robin gives each node one process in turn.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby, pairwise

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


@dataclass(frozen=True)
class OrderFile:
    """A file, and how a launcher takes it."""

    name: str
    text: str
    use: str


def order_files(hosts: Sequence[str], host_of: Sequence[int]) -> list[OrderFile]:
    """Return the files for the host of each rank, by its number in `hosts`, the allocated ones."""
    runs = [(host, len(list(ranks))) for host, ranks in groupby(host_of)]
    counts = "".join(f"{hosts[host]}:{count}\n" for host, count in runs)
    ranks_on: dict[int, list[int]] = {host: [] for host in range(len(hosts))}
    for rank, host in enumerate(host_of):
        ranks_on[host].append(rank)
    slots = {rank: place for ranks in ranks_on.values() for place, rank in enumerate(ranks)}
    used = [host for host, ranks in ranks_on.items() if ranks]
    files = [
        OrderFile(
            "rankfile.openmpi",
            "".join(
                f"rank {rank}={hosts[host]} slot={slots[rank]}\n"
                for rank, host in enumerate(host_of)
            ),
            "Open MPI: mpirun --map-by rankfile:file=rankfile.openmpi; slots are numbers of cores",
        ),
        OrderFile(
            "hostfile.slurm",
            "".join(f"{hosts[host]}\n" for host in host_of),
            "Slurm: SLURM_HOSTFILE=hostfile.slurm srun --distribution=arbitrary",
        ),
        OrderFile(
            "MPICH_RANK_ORDER",
            "".join(f"{','.join(map(str, ranks_on[host]))}\n" for host in used),
            "Cray MPICH: in the working folder, MPICH_RANK_REORDER_METHOD=3, with hosts filled"
            f" from {hosts[used[0]]} to {hosts[used[-1]]}",
        ),
    ]
    if len(runs) == len(used):
        files += [
            OrderFile("hostfile.hydra", counts, "MPICH: mpiexec -f hostfile.hydra"),
            OrderFile("machinefile.intel", counts, "Intel MPI: mpiexec -machinefile FILE"),
            OrderFile(
                "hosts.txt",
                "".join(f"{hosts[host]}\n" for host, _ in runs),
                "launchers that fill host after host, as for NCCL: the hosts in this order",
            ),
        ]
    return sorted(files, key=lambda file: file.name.lower())
