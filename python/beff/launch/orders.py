"""An order of ranks on hosts, as each launcher reads it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby


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
