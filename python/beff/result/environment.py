"""Where and how a run measured: hosts, memory, MPI library, network of a simulation."""

from typing import Literal

from pydantic import Field, model_validator

from beff.result.bounds import (
    Bytes,
    Cores,
    Count,
    Few,
    HostName,
    Index,
    LongText,
    Many,
    Moment,
    Name,
    NotEmpty,
    Positive,
    PositiveNumber,
    Processes,
    Runs,
    Seconds,
    Sha256,
    Text,
)
from beff.result.record import Record, require_length


class Uname(Record):
    """What the operating system says of itself on rank 0's node, as `uname` names it."""

    sysname: Name = Field(description="system")
    nodename: Name = Field(description="host")
    release: Name = Field(description="of the kernel")
    version: Name = Field(description="of the kernel")
    machine: Name = Field(description="architecture")


class Host(Record):
    """A node: what shares memory for MPI. In the order of their lowest ranks."""

    name: HostName = Field(description="as MPI_Get_processor_name says")
    processes: Processes = Field(description="that ran on it")
    node: HostName | None = Field(
        default=None, description="the scheduler's own name of it, where that is another one"
    )
    switches: HostName | None = Field(
        default=None,
        description="the switches above it, from the top down, joined by dots, where the launcher"
        " says them: root.leaf3",
    )


class Binding(Record):
    """How processes were bound to cores, over all nodes."""

    bound_processes: Count = Field(description="to fewer hardware threads than the node has")
    unbound_processes: Count = Field(description="all others")
    shared_cores: Count = Field(
        description="sets of cores with fewer cores than processes bound to them or to parts of"
        " them; hardware threads of a core count once (in early results each)"
    )
    cores_per_process_min: Processes | None = Field(
        default=None,
        description="physical cores that a process may use, all of the node's where it is not"
        " bound: of the process with the fewest; null: not known",
    )
    cores_per_process_max: Processes | None = Field(
        default=None, description="of that with the most; null: not known"
    )
    first_node: list[Text] = Field(description="CPU list of each process on rank 0's node")


class Clock(Record):
    """The measuring clock."""

    resolution_s: Seconds = Field(description="the smallest step seen")
    call_cost_s: Seconds = Field(description="one reading")
    barrier_cost_s: Seconds = Field(description="one MPI_Barrier of all processes")


class Cache(Record):
    """A level of caches."""

    name: Name = Field(description="L1d, L2 …")
    bytes: Bytes = Field(description="of one cache")
    count: Count = Field(description="on the node")


class Cpu(Record):
    """The processor of rank 0's node, as the kernel reports it; 0 and an empty text: not known.

    Numbers are of what the job may use.
    """

    model: Text = Field(description="of Arm processors made of the numbers of maker and part")
    packages: Count = Field(description="sockets")
    cores: Cores = Field(description="physical ones")
    threads: Count = Field(description="hardware threads")
    numa_nodes: Count = Field(description="NUMA nodes")
    caches: Few[Cache]


class Mpi(Record):
    """The MPI library."""

    library: Text = Field(description="first line of its version text")
    standard: Name = Field(description="such as 4.1")
    thread_level: Name = Field(description="that it gave")


class SimulatedPlatform(Record):
    """The network of a simulation."""

    name: Name = Field(description="of the preset or the file")
    description: Text = Field(description="in words")
    hosts: Positive = Field(description="how many it has")
    sha256: Sha256 = Field(
        description="over its description for the simulator, and the profiles it names"
    )


class Simulation(Record):
    """What simulated which network, and how; null where the simulator was started by hand."""

    simulator: Name = Field(description="SimGrid SMPI")
    version: Name = Field(description="of the simulator")
    platform: SimulatedPlatform | None
    model: Name | None = Field(description="exact or smpi")
    settings: Many[Text] = Field(description="all settings of SimGrid, as KEY:VALUE")
    placement: Text | None = Field(description="block, cyclic, random or the name of a file")
    folded_memory: bool | None = Field(
        description="all processes shared the memory of their message buffers, so that no data"
        " could be checked"
    )


class Machine(Record):
    """What is known of the machine, also of one whose result another program printed."""

    host_list: LongText = Field(description="names of the hosts, folded: node[001-128,130],login")
    uname: Uname
    processes: Processes = Field(description="all of them")
    memory_per_process_bytes: Positive = Field(description="from which L_max follows")
    total_memory_bytes: Positive = Field(
        description="that, times the processes; of b_eff_io the memory of its nodes, or"
        " --total-memory if more"
    )


class BatchJob(Record):
    """Where a batch system put the job; empty what jobs do not see."""

    system: Name = Field(description="such as slurm")
    partition: Name = Field(description="partition or queue")
    qos: Name = Field(description="quality of service")


class UsedDevice(Record):
    """A device whose memory held buffers."""

    name: Text = Field(description="as its driver says")
    driver: Name | None = Field(description="its version; null where the system does not say it")
    api: Name | None = Field(
        default=None, description="version of the driver's interface; null in older results"
    )
    sharing: Literal["MIG", "MPS"] | None = Field(
        default=None,
        description="a part of a device (MIG), or contexts that run at the same time (MPS), as far"
        " as the driver says; null: neither",
    )
    pci_address: Name = Field(description="on its host")
    on_pci_bus: bool = Field(description="the system shows a device of this vendor there")
    numa_node: Index | None = Field(description="null where not known")
    memory_bytes: Bytes = Field(description="all that it has")
    processes: NotEmpty[Index] = Field(
        description="that used it, by their number among those of their host"
    )


class DeviceHosts(Record):
    """Hosts with the same devices, used alike."""

    hosts: LongText = Field(description="folded as in host_list")
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
    """Buffers in the memory of devices: docs/how-to/gpu-buffers.md."""

    memory: Literal["cuda", "hip"] = Field(description="its kind")
    mpi_said: Text | None = Field(
        description="by what MPI says that it takes them; null: it does not (--memory-unsafe), or"
        " need not, as files go through the host"
    )
    transport: Name | None = Field(
        default=None,
        description="of Open MPI what moves its messages, as it was told, UCX with its version;"
        " null where not known",
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

    started_at: Moment = Field(description="time of day, RFC 3339 in UTC")
    finished_at: Moment | None = Field(description="null in a journal and in a recovered result")
    wall_s: Seconds = Field(
        description="from after the start of MPI to the end of the measurement, rank 0"
    )
    hosts: NotEmpty[Host]
    nodes: Processes = Field(description="how many hosts")
    placement: Runs[Index] = Field(
        description="for each rank the index of its node in hosts, equal neighbours counted: 0x16"
        " 1x16"
    )
    kernels: Runs[Index] | None = Field(
        default=None,
        description="for each node the index of its kernel, likewise; null: each has one of its"
        " own, or (early results) not known. Nodes of one boot id are containers on one machine:"
        " its cores and its memory are counted once, in cores_per_node_min, oversubscribed,"
        " binding.shared_cores and memory_per_process_bytes",
    )
    cores_per_node_min: Cores = Field(
        description="physical cores that the job may use on the smallest node, no more than its"
        " quota has CPUs"
    )
    cpu_quota: PositiveNumber | None = Field(
        default=None,
        description="CPUs of time that the cgroups of the processes and those above them allow"
        " (cpu.max, in version 1 cpu.cfs_quota_us), on the node with the least; null: no limit",
    )
    oversubscribed: bool = Field(
        description="some node runs more processes than it has usable cores or CPUs of time"
    )
    simulated: bool = Field(
        description="run by SimGrid's SMPI: uname, cpu, binding and memory are not those of a"
        " machine, and all times but started_at and finished_at are simulated"
    )
    simulation: Simulation | None = Field(default=None, description="null on a real machine")
    nodes_memory_bytes: Positive | None = Field(
        default=None, description="that the job may use on all its nodes; null: not known"
    )
    memory_source: Text = Field(description="where the memory per process comes from, in words")
    buffers: DeviceBuffers | None = Field(
        default=None, description="null where they lay in the memory of hosts"
    )
    mpi: Mpi
    cpu: Cpu
    topology: Text = Field(description="the processor in one readable line")
    binding: Binding
    omp_num_threads: Text | None = Field(
        default=None,
        description="OMP_NUM_THREADS as rank 0 finds it; null where it is not set. The programs"
        " themselves compute with one thread",
    )
    clock: Clock
    build_type: Name = Field(description="CMake's build type, or sanitized")
    compiler: Name | None = Field(
        default=None, description="with its version, and the C++ library where it is not GCC's"
    )
    job: BatchJob | None = Field(default=None, description="null outside a job")
    command_line: Many[LongText] = Field(description="of the measuring program")
    launch_command: LongText | None = Field(
        description="the whole command as beff run started it; null otherwise"
    )
    environment_variables_of_mpi: dict[Name, LongText] = Field(
        description="variables that steer MPI libraries and transports, by prefix: OMPI_MCA_,"
        " PRTE_MCA_, PMIX_MCA_, MPIR_CVAR_, MPICH_, I_MPI_, UCX_, FI_, HYDRA_, MV2_, PSM2_, ROMIO_"
    )

    @model_validator(mode="after")
    def _lists_agree(self) -> "Environment":
        require_length("hosts", len(self.hosts), "nodes", self.nodes)
        require_length("placement", len(self.placement), "processes", self.processes)
        if max(self.placement, default=0) >= self.nodes:
            raise ValueError(f"placement names node {max(self.placement)} of {self.nodes}")
        if self.kernels is not None:
            require_length("kernels", len(self.kernels), "nodes", self.nodes)
        return self
