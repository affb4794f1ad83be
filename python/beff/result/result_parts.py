"""What the results of both benchmarks have in common."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from beff.result.bounds import (
    Bytes,
    Cores,
    Count,
    Few,
    Figure,
    HostName,
    Index,
    LongText,
    Many,
    Moment,
    Name,
    NotEmpty,
    NotNegative,
    OfHosts,
    Positive,
    PositiveNumber,
    Processes,
    Runs,
    Seconds,
    Sha256,
    SomeFew,
    Text,
    hosts_in,
)

__all__ = ["Figure"]


class Record(BaseModel):
    """Part of a result file: never changed after reading; unknown fields are ignored.

    Validators are built when a file is read: a command's --help needs none.
    """

    model_config = ConfigDict(
        frozen=True, extra="ignore", allow_inf_nan=False, strict=True, defer_build=True
    )


@dataclass(frozen=True)
class Shown:
    """What readers call a figure of the summary; `{}` stands for its `parts`, where it has some.

    `weighed` against those of other runs; comparisons rest on those that `decide`.
    """

    label: str
    weighed: bool = False
    decides: bool = False
    parts: tuple[str, ...] = ("",)


class Columns(Record):
    """A table as columns of equal length; the digest takes all, or those of `DIGESTED`."""

    DIGESTED: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """Names of the columns in the order of the file."""
        return tuple(cls.model_fields)

    def digested(self) -> list[tuple[str, list[Any]]]:
        """Name and cells of the columns that the digest takes, in its order."""
        return [(name, getattr(self, name)) for name in self.DIGESTED or self.columns()]

    @model_validator(mode="after")
    def _have_equal_lengths(self) -> "Columns":
        first, *others = type(self).model_fields
        length = len(getattr(self, first))
        for name in others:
            require_length(name, len(getattr(self, name)), first, length)
        return self


def require_length(name: str, found: int, sibling: str, expected: int) -> None:
    """Refuse a list whose length is not what another field says."""
    if found != expected:
        raise PydanticCustomError(
            "length",
            "{name} has {found} entries, but {sibling} asks for {expected}",
            {"name": name, "found": found, "sibling": sibling, "expected": expected},
        )


class Program(Record):
    """The measuring program."""

    name: Name
    version: Name
    git_commit: Name


class Imported(Record):
    """Where figures come from that another program printed."""

    source: Name = Field(description="name of the file")
    format: Name = Field(description="which importer read it")
    program_version: Name | None
    date: Name | None = Field(description="as printed")
    not_known: Many[Text] = Field(description="what a result of this program would hold beside it")


class RMax(Record):
    """Linpack's R_max, added by beff balance.

    What follows `source` is known from Linpack's output only.
    """

    gflops: PositiveNumber
    origin: Literal["given", "hpl"]
    source: Name | None = Field(description="name of the output it was read from")
    n: Positive | None = Field(default=None, description="order of the matrix")
    nb: Positive | None = Field(default=None, description="block size")
    p: Positive | None = Field(default=None, description="rows of the grid of processes")
    q: Positive | None = Field(default=None, description="columns of the grid of processes")
    time_s: Seconds | None = None
    residual: NotNegative | None = Field(
        default=None, description="scaled residual of a run that passed its check"
    )


Number = Annotated[int | float, Field(ge=0)]


class Criterion(Record):
    """One rule that a result must meet to be comparable."""

    code: Name
    required: Number | None = Field(description="null where the rule knows no number")
    found: Number | None = Field(description="null where it is not known")
    unit: Literal["count", "s", "bytes", "percent"]
    met: bool


class Statement(Record):
    """What a reader should know: words are made of it when it is shown."""

    code: Name
    facts: dict[Name, int | float | Text | Many[int] | Few[Text]] = Field(
        description="the end of a name tells the unit: _s, _bytes, _percent, or none"
    )


class Uname(Record):
    """What the operating system says of itself on rank 0's node."""

    sysname: Name
    nodename: Name
    release: Name
    version: Name
    machine: Name


class Host(Record):
    """A node and how many processes ran on it."""

    name: HostName
    processes: Processes
    node: HostName | None = Field(
        default=None, description="the scheduler's own name of it, where that is another one"
    )
    switches: HostName | None = Field(
        default=None,
        description="the switches above it, from the top down, joined by dots, where the launcher"
        " says them",
    )


class Binding(Record):
    """How processes were bound to cores, over all nodes."""

    bound_processes: Count
    unbound_processes: Count
    shared_cores: Count = Field(
        description="sets of cores to which more processes are bound than they have cores"
    )
    cores_per_process_min: Processes | None = Field(default=None, description="null: not known")
    cores_per_process_max: Processes | None = Field(default=None, description="null: not known")
    first_node: list[Text] = Field(description="cores of each process of the first node")


class Clock(Record):
    """The measuring clock."""

    resolution_s: Seconds
    call_cost_s: Seconds
    barrier_cost_s: Seconds


class Cache(Record):
    """A level of caches."""

    name: Name
    bytes: Bytes
    count: Count


class Cpu(Record):
    """The processor of rank 0's node; 0 and an empty text where it is not known."""

    model: Text
    packages: Count
    cores: Cores
    threads: Count
    numa_nodes: Count
    caches: Few[Cache]


class Mpi(Record):
    """The MPI library."""

    library: Text
    standard: Name
    thread_level: Name


class SimulatedPlatform(Record):
    """The network of a simulation."""

    name: Name
    description: Text
    hosts: Positive
    sha256: Sha256 = Field(description="over its description for the simulator")


class Simulation(Record):
    """What simulated which network, and how; null where the simulator was started by hand."""

    simulator: Name
    version: Name
    platform: SimulatedPlatform | None
    model: Name | None
    settings: Many[Text]
    placement: Text | None
    folded_memory: bool | None


class Machine(Record):
    """What is known of the machine, also of one whose result another program printed."""

    host_list: LongText
    uname: Uname
    processes: Processes
    memory_per_process_bytes: Positive
    total_memory_bytes: Positive


class BatchJob(Record):
    """Where a batch system put the job; empty what jobs do not see."""

    system: Name
    partition: Name
    qos: Name


class UsedDevice(Record):
    """A device whose memory held buffers."""

    name: Text
    driver: Name | None = Field(description="its version; null where the system does not say it")
    api: Name | None = Field(
        default=None, description="version of the driver's interface; null in older results"
    )
    sharing: Literal["MIG", "MPS"] | None = Field(
        default=None,
        description="a part of a device (MIG), or contexts that run at the same time (MPS), as far"
        " as the driver says; null: neither",
    )
    pci_address: Name
    on_pci_bus: bool = Field(description="the system shows a device of this vendor there")
    numa_node: Index | None = Field(description="null where not known")
    memory_bytes: Bytes
    processes: NotEmpty[Index] = Field(
        description="that used it, by their number among those of their host"
    )


class DeviceHosts(Record):
    """Hosts with the same devices, used alike."""

    hosts: LongText
    devices: NotEmpty[UsedDevice]


class DeviceRoofs(Record):
    """What copies of 64 MiB reach: the slowest process where all copy at the same time."""

    on_device_MBps: PositiveNumber = Field(  # noqa: N815 - the field of the result
        description="from a place on the device to another"
    )
    through_host_MBps: PositiveNumber = Field(  # noqa: N815 - the field of the result
        description="to the host and from there to the device"
    )


class DeviceBuffers(Record):
    """Buffers in the memory of devices."""

    memory: Literal["cuda", "hip"]
    mpi_said: Text | None = Field(
        description="by what MPI says that it takes them; null: it does not (--memory-unsafe), or"
        " need not, as files go through the host"
    )
    transport: Name | None = Field(
        default=None, description="of the MPI library, that moves messages; null where not known"
    )
    confirmed: bool = Field(
        description="this kind, driver and library were seen on a real device when the program was"
        " released"
    )
    roofs: DeviceRoofs | None = Field(default=None, description="null where not measured")
    files_through_host: bool = Field(
        description="calls on files went through a buffer of the host, inside the clock"
    )
    hosts: NotEmpty[DeviceHosts]


class Environment(Machine):
    """Where and how the measurement ran."""

    started_at: Moment
    finished_at: Moment | None
    wall_s: Seconds
    hosts: NotEmpty[Host]
    nodes: Processes
    placement: Runs[Index] = Field(description="node index of each rank")
    kernels: Runs[Index] | None = Field(
        default=None,
        description="of each node; null: each has one of its own, or (older results) not known",
    )
    cores_per_node_min: Cores
    cpu_quota: PositiveNumber | None = Field(
        default=None, description="CPUs of time that cgroups allow on a node; null: no limit"
    )
    oversubscribed: bool
    simulated: bool
    simulation: Simulation | None = Field(default=None, description="null on a real machine")
    nodes_memory_bytes: Positive | None = Field(
        default=None, description="that the job may use on all its nodes; null: not known"
    )
    memory_source: Text
    buffers: DeviceBuffers | None = Field(
        default=None, description="null where they lay in the memory of hosts"
    )
    mpi: Mpi
    cpu: Cpu
    topology: Text
    binding: Binding
    omp_num_threads: Text | None = None
    clock: Clock
    build_type: Name
    compiler: Name | None = None
    job: BatchJob | None = Field(default=None, description="null outside a job")
    command_line: Many[LongText]
    launch_command: LongText | None
    environment_variables_of_mpi: dict[Name, LongText]

    @model_validator(mode="after")
    def _lists_agree(self) -> "Environment":
        require_length("hosts", len(self.hosts), "nodes", self.nodes)
        require_length("placement", len(self.placement), "processes", self.processes)
        if max(self.placement, default=0) >= self.nodes:
            raise ValueError(f"placement names node {max(self.placement)} of {self.nodes}")
        if self.kernels is not None:
            require_length("kernels", len(self.kernels), "nodes", self.nodes)
        return self


class Head(Record):
    """What every result begins with."""

    schema_version: Literal[2]
    program: Program
    valid: bool = Field(description="true when every criterion is met")
    complete: bool = Field(description="every planned measurement was made")
    criteria: SomeFew[Criterion]
    cautions: Many[Statement]
    rmax: RMax | None = None

    def __hash__(self) -> int:
        """Tell results apart, so that what follows from one can be kept beside it."""
        return id(self)


class WirePort(Record):
    """What a port carried, a number for each host; - where a host lacks it."""

    name: Name
    kind: Literal["rdma", "ethernet", "loopback"]
    active: OfHosts = Field(description="1 or 0")
    bytes_per_s: OfHosts | None = Field(
        default=None, description="its rate in one direction; - where not known"
    )
    numa_node: OfHosts | None = Field(default=None, description="that it is attached to")
    near_processes: OfHosts | None = Field(
        default=None, description="of the host, that may run on cores of that node alone"
    )
    sent_bytes: OfHosts
    errors: OfHosts = Field(description="with discards, retransmissions, and links that went down")


class Wires(Record):
    """What the ports of each host counted from before the measurement to its end."""

    payload_bytes: OfHosts | None = Field(
        description="that the processes of a host sent to other hosts; null: not known"
    )
    inside_bytes: OfHosts | None = Field(description="that they sent to each other")
    retransmits: OfHosts = Field(description="segments of TCP")
    ports: Few[WirePort]

    def columns(self) -> Iterator[tuple[str, str]]:
        """Yield the name of each column and its numbers."""
        for record in (self, *self.ports):
            for name, column in record:
                if name not in {"ports", "name", "kind"} and column is not None:
                    yield name, column


class Load(Record):
    """What of the time of the measurement the processes of each host did not have.

    Of the cores that processes have in common those count where it was the most.
    """

    elapsed_ms: OfHosts = Field(description="from before the measurement to its end")
    others_ms: OfHosts = Field(description="had by other programs in user mode, per process")
    stolen_ms: OfHosts = Field(description="taken by the hypervisor, per process")
    waited_ms: OfHosts = Field(
        description="some process waited for a core: pressure, by the kernel"
    )
    throttled_ms: OfHosts = Field(description="kept from running by a quota")

    def columns(self) -> Iterator[tuple[str, str]]:
        """Yield the name of each column and its numbers."""
        yield from self


Counted = TypeVar("Counted", Wires | None, Load | None)


class MeasuredHead(Head):
    """What every result of a run of this program begins with."""

    options: dict[Name, Any] = Field(description="effective options, defaults included")
    environment: Environment
    wires: Wires | None = Field(default=None, description="null where nothing was counted")
    load: Load | None = Field(default=None, description="null where nothing was counted")

    @field_validator("wires", "load")
    @classmethod
    def _columns_are_of_all_hosts(cls, counted: Counted, info: ValidationInfo) -> Counted:
        environment = info.data.get("environment")
        if counted is not None and environment is not None:
            for name, column in counted.columns():
                require_length(name, hosts_in(column), "nodes", environment.nodes)
        return counted


class ImportedHead(Head):
    """What figures begin with that another program printed: the result is never valid."""

    valid: Literal[False]
    complete: Literal[False]
    imported: Imported
