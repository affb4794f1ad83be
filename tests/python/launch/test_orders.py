"""What the files of an order hold."""

from __future__ import annotations

from beff.launch.numbering import order_files

HOSTS = ["a", "b", "c"]


def texts(*host_of: int) -> dict[str, list[str]]:
    return {file.name: file.text.split("\n")[:-1] for file in order_files(HOSTS, host_of)}


def test_hosts_in_another_order() -> None:
    assert texts(2, 2, 0, 0, 1, 1) == {
        "hostfile.hydra": ["c:2", "a:2", "b:2"],
        "hostfile.slurm": ["c", "c", "a", "a", "b", "b"],
        "hosts.txt": ["c", "a", "b"],
        "machinefile.intel": ["c:2", "a:2", "b:2"],
        "MPICH_RANK_ORDER": ["2,3", "4,5", "0,1"],
        "rankfile.openmpi": [
            "rank 0=c slot=0",
            "rank 1=c slot=1",
            "rank 2=a slot=0",
            "rank 3=a slot=1",
            "rank 4=b slot=0",
            "rank 5=b slot=1",
        ],
    }


def test_ranks_of_a_host_that_do_not_follow_each_other() -> None:
    """Lists that fill host after host cannot say it."""
    found = texts(0, 1, 2, 0, 2, 1)
    assert found["MPICH_RANK_ORDER"] == ["0,3", "1,5", "2,4"]
    assert found["hostfile.slurm"] == ["a", "b", "c", "a", "c", "b"]
    assert {"hostfile.hydra", "machinefile.intel", "hosts.txt"}.isdisjoint(found)
