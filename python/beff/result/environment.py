"""Where and how a run measured: hosts, memory, MPI library, network of a simulation."""
# ruff: noqa: N815 - the field names are the contract

from typing import Annotated, Literal

from pydantic import Field, model_validator

from beff.result import bounds as t


class Uname(t.Record):
    """What the operating system says of itself on rank 0's node, as `uname` names it."""

    sysname: t.Name
    """system"""
    nodename: t.Name
    """host"""
    release: t.Name
    """of the kernel"""
    version: t.Name
    """of the kernel"""
    machine: t.Name
    """architecture"""


class Host(t.Record):
    """A node: what shares memory for MPI. In the order of their lowest ranks."""

    name: t.HostName
    """as MPI_Get_processor_name says"""
    processes: t.Processes
    """that ran on it"""
    node: t.HostName | None = None
    """the scheduler's own name of it, where that is another one"""
    switches: t.HostName | None = None
    """the switches above it, from the top down, joined by dots, where the launcher says them:
    root.leaf3"""


class Binding(t.Record):
    """How processes were bound to cores, over all nodes."""

    bound_processes: t.Count
    """to fewer hardware threads than the node has"""
    unbound_processes: t.Count
    """all others"""
    shared_cores: t.Count
    """sets of cores with fewer cores than processes bound to them or to parts of them; hardware
    threads of a core count once (in early results each)"""
    cores_per_process_min: t.Processes | None = None
    """physical cores that a process may use, all of the node's where it is not bound: of the
    process with the fewest; null: not known"""
    cores_per_process_max: t.Processes | None = None
    """of that with the most; null: not known"""
    first_node: list[t.Text]
    """CPU list of each process on rank 0's node"""


class Clock(t.Record):
    """The measuring clock."""

    resolution_s: t.Seconds
    """the smallest step seen"""
    call_cost_s: t.Seconds
    """one reading"""
    barrier_cost_s: t.Seconds
    """one MPI_Barrier of all processes"""


class Cache(t.Record):
    """A level of caches."""

    name: t.Name
    """L1d, L2 …"""
    bytes: t.Count
    """of one cache"""
    count: t.Count
    """on the node"""


class Cpu(t.Record):
    """The processor of rank 0's node, as the kernel reports it; 0 and an empty text: not known.

    Numbers are of what the job may use.
    """

    model: t.Text
    """of Arm processors made of the numbers of maker and part"""
    packages: t.Count
    """sockets"""
    cores: t.Cores
    """physical ones"""
    threads: t.Count
    """hardware threads"""
    numa_nodes: t.Count
    """NUMA nodes"""
    caches: t.Many[Cache]


class Mpi(t.Record):
    """The MPI library."""

    library: t.Text
    """first line of its version text"""
    standard: t.Name
    """such as 4.1"""
    thread_level: t.Name
    """that it gave"""


class SimulatedPlatform(t.Record):
    """The network of a simulation."""

    name: t.Name
    """of the preset or the file"""
    description: t.Text
    """in words"""
    hosts: t.Positive
    """how many it has"""
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    """over its description for the simulator"""


class Simulation(t.Record):
    """What simulated which network, and how; null where the simulator was started by hand."""

    simulator: t.Name
    """SimGrid SMPI"""
    version: t.Name
    """of the simulator"""
    platform: SimulatedPlatform | None
    model: t.Name | None
    """exact or smpi"""
    settings: t.Many[t.Text]
    """all settings of SimGrid, as KEY:VALUE"""
    placement: t.Text | None
    """block, cyclic, random or the name of a file"""
    folded_memory: bool | None
    """all processes shared the memory of their message buffers, so that no data could be checked"""


class Machine(t.Record):
    """What is known of the machine, also of one whose result another program printed."""

    host_list: t.LongText
    """names of the hosts, folded: node[001-128,130],login"""
    uname: Uname
    processes: t.Processes
    """all of them"""
    memory_per_process_bytes: t.Positive
    """from which L_max follows"""
    total_memory_bytes: t.Positive
    """that, times the processes; of b_eff_io the memory of its nodes, or --total-memory if more"""


class BatchJob(t.Record):
    """Where a batch system put the job; empty what jobs do not see."""

    system: t.Name
    """such as slurm"""
    partition: t.Name
    """partition or queue"""
    qos: t.Name
    """quality of service"""


class UsedDevice(t.Record):
    """A device whose memory held buffers."""

    name: t.Text
    """as its driver says"""
    driver: t.Name | None
    """its version; null where the system does not say it"""
    api: t.Name | None = None
    """version of the driver's interface; null in older results"""
    sharing: Literal["MIG", "MPS"] | None = None
    """a part of a device (MIG), or contexts that run at the same time (MPS), as far as the driver
    says; null: neither"""
    pci_address: t.Name
    """on its host"""
    on_pci_bus: bool
    """the system shows a device of this vendor there"""
    numa_node: t.Index | None
    """null where not known"""
    memory_bytes: t.Count
    """all that it has"""
    processes: t.NotEmpty[t.Index]
    """that used it, by their number among those of their host"""


class DeviceHosts(t.Record):
    """Hosts with the same devices, used alike."""

    hosts: t.LongText
    """folded as in host_list"""
    devices: t.NotEmpty[UsedDevice]


class DeviceRoofs(t.Record):
    """What copies of 64 MiB reach: the slowest process where all copy at the same time."""

    on_device_MBps: t.PositiveNumber
    """from a place on the device to another"""
    through_host_MBps: t.PositiveNumber
    """to the host and from there to the device"""


class DeviceBuffers(t.Record):
    """Buffers in the memory of devices: docs/how-to/gpu-buffers.md."""

    memory: Literal["cuda", "hip"]
    """its kind"""
    mpi_said: t.Text | None
    """by what MPI says that it takes them; null: it does not (--memory-unsafe), or need not, as
    files go through the host"""
    transport: t.Name | None = None
    """of Open MPI what moves its messages, as it was told, UCX with its version; null where not
    known"""
    confirmed: bool
    """this kind, driver and library were seen on a real device when the program was released"""
    roofs: DeviceRoofs | None = None
    """null where not measured"""
    files_through_host: bool
    """calls on files went through a buffer of the host, inside the clock"""
    hosts: t.NotEmpty[DeviceHosts]


class Environment(Machine):
    """Where and how the measurement ran."""

    started_at: t.Moment
    """time of day, RFC 3339 in UTC"""
    finished_at: t.Moment | None
    """null in a journal and in a recovered result"""
    wall_s: t.Seconds
    """from after the start of MPI to the end of the measurement, rank 0"""
    hosts: t.NotEmpty[Host]
    nodes: t.Processes
    """how many hosts"""
    placement: t.Runs[t.Index]
    """for each rank the index of its node in hosts, equal neighbours counted: 0x16 1x16"""
    kernels: t.Runs[t.Index] | None = None
    """for each node the index of its kernel, likewise; null: each has one of its own, or (early
    results) not known. Nodes of one boot id are containers on one machine: its cores and its memory
    are counted once, in cores_per_node_min, oversubscribed, binding.shared_cores and
    memory_per_process_bytes"""
    cores_per_node_min: t.Cores
    """physical cores that the job may use on the smallest node, no more than its quota has CPUs"""
    cpu_quota: t.PositiveNumber | None = None
    """CPUs of time that the cgroups of the processes and those above them allow (cpu.max, in
    version 1 cpu.cfs_quota_us), on the node with the least; null: no limit"""
    oversubscribed: bool
    """some node runs more processes than it has usable cores or CPUs of time"""
    simulated: bool
    """run by SimGrid's SMPI: uname, cpu, binding and memory are not those of a machine, and all
    times but started_at and finished_at are simulated"""
    simulation: Simulation | None = None
    """null on a real machine"""
    nodes_memory_bytes: t.Positive | None = None
    """that the job may use on all its nodes; null: not known"""
    memory_source: t.Text
    """where the memory per process comes from, in words"""
    buffers: DeviceBuffers | None = None
    """null where they lay in the memory of hosts"""
    mpi: Mpi
    cpu: Cpu
    topology: t.Text
    """the processor in one readable line"""
    binding: Binding
    omp_num_threads: t.Text | None = None
    """OMP_NUM_THREADS as rank 0 finds it; null where it is not set. The programs themselves compute
    with one thread"""
    clock: Clock
    build_type: t.Name
    """CMake's build type, or sanitized"""
    compiler: t.Name | None = None
    """with its version, and the C++ library where it is not GCC's"""
    job: BatchJob | None = None
    """null outside a job"""
    command_line: t.Many[t.LongText]
    """of the measuring program"""
    launch_command: t.LongText | None
    """the whole command as beff run started it; null otherwise"""
    environment_variables_of_mpi: dict[t.Name, t.LongText]
    """variables that steer MPI libraries and transports, by prefix: OMPI_MCA_, PRTE_MCA_,
    PMIX_MCA_, MPIR_CVAR_, MPICH_, I_MPI_, UCX_, FI_, HYDRA_, MV2_, PSM2_, ROMIO_"""

    @model_validator(mode="after")
    def _lists_agree(self) -> "Environment":
        t.require_length("hosts", len(self.hosts), "nodes", self.nodes)
        t.require_length("placement", len(self.placement), "processes", self.processes)
        if max(self.placement, default=0) >= self.nodes:
            raise ValueError(f"placement names node {max(self.placement)} of {self.nodes}")
        if self.kernels is not None:
            t.require_length("kernels", len(self.kernels), "nodes", self.nodes)
        return self
