"""Where and how a result was measured."""

from collections import Counter
from collections.abc import Iterator

from beff.judge.limit import port_shares
from beff.maps.network import network_rate_MBps, usual_rate_MBps
from beff.report.tables.table import Table, facts
from beff.result.b_eff_io_result import FileSystem, IoEnvironment, Striping
from beff.result.b_eff_result import BEffResult
from beff.result.b_pairs_result import BPairsResult
from beff.result.contract import AnyResult, ImportedResult, MeasuredResult
from beff.result.environment import Environment
from beff.result.imported_pairs import ImportedPairs, MapMachine
from beff.result.numbers import counted, duration, format_duration, format_size, percent, rate
from beff.result.result_parts import ImportedHead
from beff.verify.common.wires import (
    carried,
    errors_of,
    far_text,
    idle_text,
    load_text,
    settings_text,
    wires_text,
)


def threads_text(e: Environment) -> str | None:
    """Return OMP_NUM_THREADS and the cores of a process; None for results older than these."""
    if "omp_num_threads" not in e.model_fields_set:
        return None
    fewest, most = e.binding.cores_per_process_min, e.binding.cores_per_process_max
    number = str(most) if fewest == most else f"{fewest} to {most}"
    cores = f"a process may use {number} core{'' if most == 1 else 's'}"
    if most is None:
        cores = "how many cores a process may use is not known"
    omp = " not set" if e.omp_num_threads is None else f"={e.omp_num_threads}"
    return f"OMP_NUM_THREADS{omp}; {cores}"


def environment_table(result: AnyResult) -> Table:
    """Program, machine, placement, MPI, binding, clock; a line per thing that is known."""
    if isinstance(result, ImportedHead):
        return _of_imported(result)
    e = result.environment
    program = result.program
    per_node = Counter(host.processes for host in e.hosts)
    placed = ", ".join(
        f"{counted(nodes, 'node')} with {n}" for n, nodes in sorted(per_node.items())
    )
    clock, job = e.clock, None
    if e.job is not None:
        places = (("partition", e.job.partition), ("QOS", e.job.qos))
        job = ", ".join([e.job.system, *(f"{name} {at}" for name, at in places if at)])
    return facts(
        "environment",
        "Environment and placement",
        [
            ("program", f"{program.name} {program.version} ({program.git_commit})"),
            ("definition", result.definition),
            ("started", e.started_at),
            ("finished", e.finished_at),
            ("wall-clock time", format_duration(e.wall_s)),
            ("processes", f"{e.processes} on {counted(e.nodes, 'node')}: {e.host_list}"),
            ("processes per node", placed),
            (
                "cores",
                f"{e.cores_per_node_min} on the smallest node"
                + (", fewer than processes" if e.oversubscribed else ""),
            ),
            ("memory per process", f"{format_size(e.memory_per_process_bytes)}: {e.memory_source}"),
            ("total memory", format_size(e.total_memory_bytes)),
            ("processor", e.cpu.model),
            ("topology", e.topology),
            ("MPI", f"{e.mpi.library}, standard {e.mpi.standard}, {e.mpi.thread_level}"),
            (
                "binding",
                f"{e.binding.bound_processes} processes bound,"
                f" {e.binding.unbound_processes} not bound",
            ),
            ("threads", threads_text(e)),
            (
                "clock",
                f"resolution {duration(clock.resolution_s)}, reading it"
                f" {duration(clock.call_cost_s)}, barrier {duration(clock.barrier_cost_s)}",
            ),
            *_devices(result),
            *(_file_system(e.filesystem) if isinstance(e, IoEnvironment) else ()),
            *(_roofs(result) if isinstance(result, BPairsResult) else ()),
            *_wires(result),
            *([] if result.load is None else [("load", load_text(result.load))]),
            ("machine", "simulated" if e.simulated else "real"),
            ("build", ", ".join(part for part in (e.build_type, e.compiler) if part)),
            ("job", job),
            ("command", " ".join(e.command_line)),
            ("started by", e.launch_command),
        ],
    )


def _devices(result: MeasuredResult) -> Iterator[tuple[str, str]]:
    """Say where the buffers lay; which ports are near by what both say of their NUMA nodes."""
    buffers, found = result.environment.buffers, carried(result.wires)
    if buffers is None:
        return
    by = "" if buffers.transport is None else f", by {buffers.transport}"
    way = f"which MPI takes by {buffers.mpi_said}{by}"
    if buffers.files_through_host:
        way = "files through a buffer of the host, inside the clock"
    elif buffers.mpi_said is None:
        way = "although MPI does not say that it takes them"
    yield "buffers", f"in {buffers.memory} memory, {way}"
    if (roofs := buffers.roofs) is not None:
        yield (
            "copies on a device",
            f"{rate(roofs.on_device_MBps)} per process, through the host"
            f" {rate(roofs.through_host_MBps)}, all at the same time",
        )
    for group in buffers.hosts:
        for device in group.devices:
            node = device.numa_node
            near = [
                port.name
                for port in (() if found is None or node is None else found.ports)
                if node in port.numa_node
            ]
            parts = [
                device.name,
                format_size(device.memory_bytes),
                *([] if device.driver is None else [f"driver {device.driver}"]),
                *([] if device.api is None else [device.api]),
                *([] if device.sharing is None else [device.sharing]),
                device.pci_address,
                *([] if node is None else [f"NUMA node {node}"]),
                *([f"near {', '.join(near)}"] if near else []),
                f"used by {', '.join(map(str, device.processes))} of a host's processes",
            ]
            yield f"device of {group.hosts}", "; ".join(parts)


def _roofs(result: BPairsResult) -> Iterator[tuple[str, str]]:
    """Say what the hardware allows, and which hosts differ."""
    roofs = result.roofs
    if roofs is None:
        yield "hardware allows", "not known"
        return
    copy = roofs.copy_MBps_per_process
    if copy is not None:
        yield "memory to memory", f"{rate(copy)} per process, all at the same time"
    usual = usual_rate_MBps(roofs.hosts)
    for group in roofs.hosts:
        ports = (
            f"{port.kind} {port.name} {port.state}"
            + (f" {rate(port.rate_MBps)}" if port.rate_MBps else "")
            for port in group.network
        )
        parts = [*ports, *(f"PCIe below its maximum: {one}" for one in group.pcie_below_maximum)]
        if network_rate_MBps(group) != usual:
            parts.append(f"most others have {rate(usual)}")
        yield f"network of {group.hosts}", "; ".join(parts) or "no physical port"


def _wires(result: MeasuredResult) -> Iterator[tuple[str, str]]:
    """Say which ports carried the messages, and what they counted beside."""
    found, e = carried(result.wires), result.environment
    if found is None:
        return
    yield "wires", wires_text(found) + settings_text(e.environment_variables_of_mpi)
    names = [host.name for host in e.hosts]
    if isinstance(result, BEffResult) and (shares := port_shares(result)):
        fullest = shares[-1]
        yield (
            "share of the ports",
            f"at L_max up to {rate(fullest.leaves_MBps)} left a host, {percent(fullest.share, 0)}"
            f" of the {rate(fullest.ports_MBps)} of its ports, in pattern {fullest.pattern.id}"
            f" ({fullest.pattern.name})",
        )
    beside = [idle_text(found), far_text(found, [host.processes for host in e.hosts])]
    if any(beside):
        yield "ports", "; ".join(filter(None, beside))
    counted_errors = [f"{names[host]}: {sentence}" for host, sentence in errors_of(found)]
    if counted_errors:
        yield "errors of ports", "; ".join(counted_errors)
    again = sum(found.retransmits)
    if again:
        most = max(range(len(names)), key=found.retransmits.__getitem__)
        sentence = f"{again} segments by TCP, most by {names[most]}: {found.retransmits[most]}"
        yield "sent again", sentence


def _striping(striping: Striping) -> str:
    """Return how a parallel file system distributes new files."""
    count, size = striping.stripe_count, striping.stripe_size_bytes
    parts = []
    if count is not None:
        parts.append("over all servers" if count == -1 else f"over {count} servers")
    if size is not None:
        parts.append(f"stripes of {format_size(size)}")
    if striping.components is not None:
        parts.append(f"{striping.components} components")
    if striping.pool:
        parts.append(f"pool {striping.pool}")
    return ", ".join(parts)


def _file_system(files: FileSystem) -> list[tuple[str, str | None]]:
    """Return where the files of b_eff_io lay."""
    kind = ", ".join(part for part in (files.kind, files.mount) if part)
    room = (
        f"{format_size(files.free_at_start_bytes)} of {format_size(files.total_bytes)}"
        " free at the start"
    )
    return [
        ("files in", ", ".join(files.paths)),
        ("file system", f"{kind}, {room}" if kind else room),
        ("mounted from", ", ".join(part for part in (files.source, files.options) if part) or None),
        ("striping", None if files.striping is None else _striping(files.striping)),
        ("file system note", files.note),
    ]


def _of_imported(result: ImportedResult | ImportedPairs) -> Table:
    e, imported = result.environment, result.imported
    is_map, memory = isinstance(e, MapMachine), dict[str, int]()
    if not isinstance(e, MapMachine):
        memory["memory per process"] = e.memory_per_process_bytes
        memory["total memory"] = e.total_memory_bytes
    return facts(
        "environment",
        "Environment, as printed",
        [
            ("imported from", f"{imported.source} ({imported.format})"),
            ("program", f"{result.program.name} {result.program.version}"),
            ("definition", result.definition),
            ("date", imported.date),
            ("hosts" if is_map else "host", e.host_list),
            ("processes", None if is_map else str(e.processes)),
            *((name, format_size(size)) for name, size in memory.items()),
            ("not known", ", ".join(imported.not_known)),
        ],
    )
