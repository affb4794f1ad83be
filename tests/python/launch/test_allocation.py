"""What batch systems tell a job, and how srun is told to start a program."""

from pathlib import Path

import pytest

from beff.launch.allocation import Allocation, find_allocation
from beff.launch.engine import MpiFamily, mpi_family, srun_options

JOB, TWO, CPUS = "SLURM_JOB_ID=7", "SLURM_JOB_NUM_NODES=2", "SLURM_JOB_CPUS_PER_NODE"
TASKS, LSF = "SLURM_TASKS_PER_NODE", "LSB_JOBID=7 LSB_DJOB_NUMPROC"
OFFERED = "MPI plugin types are...\n\tnone\n\tpmi2\n\tpmix\nspecific versions: pmix_v4"


@pytest.mark.parametrize(
    ("variables", "allocation"),
    [
        ("", None),
        ("SLURM_NTASKS=4", None),
        (f"{JOB} SLURM_NTASKS=8 SLURM_JOB_NUM_NODES=4", Allocation(8, 4)),
        (f"{JOB} {TWO} {CPUS}=32,16", Allocation(None, 2, (32, 16))),
        (f"{JOB} {CPUS}=9 SLURM_CPUS_PER_TASK=2", Allocation(None, None, (4,))),
        # salloc -N 2, which asks for no tasks
        (f"{JOB} {TWO} {CPUS}=9(x2) {TASKS}=9(x2)", Allocation(None, 2, (9, 9))),
        (
            f"{JOB} {TWO} {CPUS}=64(x2) SLURM_NTASKS_PER_NODE=4 {TASKS}=4(x2)",
            Allocation(8, 2),
        ),
        (f"{JOB} {TWO} {CPUS}=64(x2) {TASKS}=4,2", Allocation(6, 2)),
        (f"{JOB} {CPUS}=8(x99999999999)", Allocation(None, None)),
        (f"{JOB} SLURM_NTASKS=many", Allocation(None, None)),
        (f"{LSF}=64 LSB_MCPU_HOSTS=a/32/b/32", Allocation(64, 2)),
        (f"{LSF}=85 LSB_MCPU_HOSTS=batch1/1/a/42/b/42", Allocation(84, 2)),
        (f"{LSF}=2 LSB_MCPU_HOSTS=a/1/b/1", Allocation(2, 2)),
        ("FLUX_JOB_ID=f1 FLUX_JOB_SIZE=6 FLUX_JOB_NNODES=3", Allocation(6, 3)),
        ("PE_HOSTFILE=h NSLOTS=6 NHOSTS=3", Allocation(6, 3)),
    ],
)
def test_allocations(variables: str, allocation: Allocation | None) -> None:
    """A variable for each word, in which / stands for a blank."""
    words = (word.partition("=") for word in variables.split())
    environ = {name: value.replace("/", " ") for name, _, value in words}
    assert find_allocation(environ) == allocation


@pytest.mark.parametrize(
    ("cpus", "cores", "processes"),
    [((256,) * 16, 128, 2048), ((32, 32, 16), 128, 80), ((), 128, None)],
)
def test_one_process_per_core_where_cpus_may_be_hardware_threads(
    cpus: tuple[int, ...], cores: int, processes: int | None
) -> None:
    assert Allocation(None, 16, cpus).default_processes(cores) == processes


def test_pbs_lists_a_node_for_each_process(tmp_path: Path) -> None:
    nodes = tmp_path / "nodes"
    nodes.write_text("a\na\nb\nb\nc\nc\n", encoding="ascii")
    assert find_allocation({"PBS_NODEFILE": str(nodes)}) == Allocation(6, 3)
    missing = {"PBS_NODEFILE": str(tmp_path / "none")}
    assert find_allocation(missing) == Allocation(None, None)


def test_a_host_file_of_hydra_is_a_job(tmp_path: Path) -> None:
    hosts = tmp_path / "hosts"
    hosts.write_text("a:3 binding=user\n# b:4\n\nc\na:2\n", encoding="ascii")
    assert find_allocation({"HYDRA_HOST_FILE": str(hosts)}) == Allocation(6, 2)
    both = {"HYDRA_HOST_FILE": str(hosts), "SLURM_JOB_ID": "1", "SLURM_NTASKS": "8"}
    assert find_allocation(both) == Allocation(8, None)
    missing = {"HYDRA_HOST_FILE": str(tmp_path / "none")}
    assert find_allocation(missing) == Allocation(None, None)


def linked_with(folder: Path, library: str) -> Path:
    program = folder / "program"
    program.write_bytes(b"\x7fELF\x00libm.so.6\x00" + library.encode() + b"\x00libc.so.6\x00")
    return program


@pytest.mark.parametrize(
    ("library", "family", "options"),
    [
        ("libmpi.so.12", MpiFamily.MPICH, ("--mpi=pmi2",)),
        ("libmpich.so.12", MpiFamily.MPICH, ("--mpi=pmi2",)),
        ("libmpi.so.40", MpiFamily.OPEN_MPI, ("--mpi=pmix",)),
        ("libmpi_cray.so.12", None, ()),
        ("libmpi.so.3", None, ()),
        ("libmpfr.so.6", None, ()),
    ],
)
def test_srun_is_told_the_protocol_of_the_library(
    tmp_path: Path, library: str, family: MpiFamily | None, options: tuple[str, ...]
) -> None:
    program = linked_with(tmp_path, library)
    assert mpi_family(program) is family
    assert srun_options(program, OFFERED, {}) == options


def test_what_is_not_offered_or_chosen_otherwise_is_left_alone(tmp_path: Path) -> None:
    program = linked_with(tmp_path, "libmpi.so.40")
    assert srun_options(program, "none pmi2", {}) == ()
    assert srun_options(program, OFFERED, {"SLURM_MPI_TYPE": "pmix_v3"}) == ()
    assert mpi_family(tmp_path / "missing") is None
