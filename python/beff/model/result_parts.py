"""What the results of both benchmarks have in common, as typed records."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

Figure = float | None
"""A measured figure, or None where it was not measured."""


class Record(BaseModel):
    """Part of a result file: never changed after reading; unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class Program(Record):
    """The measuring program."""

    name: str
    version: str
    git_commit: str


class Imported(Record):
    """Where figures come from that another program printed; `date` as it stands there."""

    source: str
    format: str
    program_version: str | None
    date: str | None
    not_known: list[str]


class RMax(Record):
    """Linpack's R_max and where it comes from; what follows `source` is known from an output only.

    `n` is the order of the matrix, `nb` the block size, `p` x `q` the grid of processes, `residual`
    the scaled residual of a run that passed its check.
    """

    gflops: float
    origin: Literal["given", "hpl"]
    source: str | None = None
    n: int | None = None
    nb: int | None = None
    p: int | None = None
    q: int | None = None
    time_s: float | None = None
    residual: float | None = None


class CriterionNumber(Record):
    """A number of a criterion; None where nothing is required, or what was found is not known."""

    kind: Literal["exactly", "at least", "or at least", "told"]
    required: int | float | None
    found: int | float | None
    unit: Literal["count", "s", "bytes", "percent"]
    what: str


class Criterion(Record):
    """One rule that a result must meet to be comparable; its sentences are made from numbers."""

    name: str
    required: str
    found: str
    met: bool
    numbers: list[CriterionNumber] = []


class Host(Record):
    """A node and how many processes ran on it."""

    name: str
    processes: int


class Binding(Record):
    """How processes were bound to cores, over all nodes; 0 where it is not known."""

    bound_processes: int
    unbound_processes: int
    shared_cores: int
    cores_per_process_min: int = 0
    cores_per_process_max: int = 0
    first_node: list[str]


class Clock(Record):
    """The measuring clock, in seconds."""

    resolution_s: float
    call_cost_s: float
    barrier_cost_s: float


class Cpu(Record):
    """The processor of rank 0's node."""

    model: str
    packages: int
    cores: int
    threads: int
    numa_nodes: int


class Mpi(Record):
    """The MPI library."""

    library: str
    standard: str
    thread_level: str


class SimulatedPlatform(Record):
    """The network of a simulation; `sha256` is over its description for the simulator."""

    name: str
    description: str
    hosts: int
    sha256: str


class Simulation(Record):
    """What simulated which network, and how; None where the simulator was started by hand."""

    simulator: str
    version: str
    platform: SimulatedPlatform | None
    model: str | None
    settings: list[str]
    placement: str | None
    folded_memory: bool | None


class Environment(Record):
    """Where and how the measurement ran."""

    started_at: str
    finished_at: str | None
    wall_s: float
    hosts: list[Host]
    host_list: str
    processes: int
    nodes: int
    placement: list[int]
    cores_per_node_min: int
    oversubscribed: bool
    simulated: bool
    simulation: Simulation | None = None
    memory_per_process_bytes: int
    total_memory_bytes: int
    memory_source: str
    mpi: Mpi
    cpu: Cpu
    topology: str
    binding: Binding
    omp_num_threads: str | None = None
    clock: Clock
    build_type: str
    command_line: list[str]
    launch_command: str | None
