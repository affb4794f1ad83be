"""What the results of all benchmarks begin with, and what was counted beside each of them."""

from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, ValidationInfo, field_validator

from beff.result import bounds as t
from beff.result.environment import Environment


class Program(t.Record):
    """The measuring program."""

    name: t.Name
    """b_eff, b_eff_io or b_pairs, or as printed"""
    version: t.Name
    """of the program"""
    git_commit: t.Name
    """with -dirty behind it for local changes; unknown outside a git checkout"""


class Imported(t.Record):
    """Where figures come from that another program printed."""

    source: t.Name
    """name of the file"""
    format: t.Name
    """which importer read it"""
    program_version: t.Name | None
    """as printed"""
    date: t.Name | None
    """as printed, a local time without a zone; of a map of pairs its started_at"""
    not_known: t.Many[t.Text]
    """what a result of this program would hold beside it"""


class RMax(t.Record):
    """Linpack's R_max, added by beff show.

    What follows `source` is known from Linpack's output only.
    """

    gflops: t.PositiveNumber
    """R_max in 10^9 flop/s"""
    origin: Literal["given", "hpl"]
    """given by the user, or read from an output"""
    source: t.Name | None
    """name of the output it was read from"""
    n: t.Positive | None = None
    """order of the matrix"""
    nb: t.Positive | None = None
    """block size"""
    p: t.Positive | None = None
    """rows of the grid of processes"""
    q: t.Positive | None = None
    """columns of the grid of processes"""
    time_s: t.Seconds | None = None
    """of that run"""
    residual: t.NotNegative | None = None
    """scaled residual of a run that passed its check"""


Number = Annotated[int | float, Field(ge=0)]


class Criterion(t.Record):
    """One rule that a result must meet to be comparable; in the order of the definition."""

    code: t.Name
    """its name in the definition"""
    required: Number | None
    """null where the rule knows no number"""
    found: Number | None
    """null where it is not known"""
    unit: Literal["count", "s", "bytes", "percent"]
    """of both numbers"""
    met: bool
    """the rule is met"""


class Statement(t.Record):
    """What a reader should know: words are made of it when it is shown."""

    code: t.Name
    """its name in the definition"""
    facts: dict[t.Name, int | float | t.Text | t.Many[int] | t.Many[t.Text]]
    """the end of a name tells the unit: _s, _bytes, _percent, or none"""


class Head(t.Record):
    """What every result begins with."""

    schema_version: Literal[2]
    """raised when a field goes or gets another name"""
    program: Program
    valid: bool
    """every criterion is met"""
    complete: bool
    """every planned measurement was made"""
    criteria: t.SomeFew[Criterion]
    cautions: t.Many[Statement]
    rmax: RMax | None = None
    """only where beff show added it"""

    def __hash__(self) -> int:
        """Tell results apart, so that what follows from one can be kept beside it."""
        return id(self)


class WirePort(t.Record):
    """What a port carried, a number for each host; - where a host lacks it.

    The ports of RDMA devices, lo, and interfaces that sent 1 % of the payload (where it is not
    known, of what all ports sent) on some host, or counted errors.
    """

    name: t.Name
    """such as mlx5_0/1 or eth0"""
    kind: Literal["rdma", "ethernet", "loopback"]
    """of port"""
    active: t.OfHosts
    """1 or 0"""
    bytes_per_s: t.OfHosts | None = None
    """its rate in one direction; - where not known"""
    numa_node: t.OfHosts | None = None
    """that it is attached to"""
    near_processes: t.OfHosts | None = None
    """of the host, that may run on cores of that node alone"""
    sent_bytes: t.OfHosts
    """by whomever"""
    errors: t.OfHosts
    """with discards, retransmissions, and links that went down"""

    @property
    def leaves_host(self) -> bool:
        """Whether what it sends leaves the host."""
        return self.kind != "loopback"

    @property
    def total(self) -> int:
        """All bytes that it sent."""
        return sum(filter(None, self.sent_bytes))


class Wires(t.Record):
    """What the ports of each host counted from before the measurement to its end."""

    payload_bytes: t.OfHosts | None
    """what the processes of a host sent to other hosts in all loops, warm-up included, exactly;
    null: not known"""
    inside_bytes: t.OfHosts | None
    """what they sent to each other; of b_eff, beff verify compares both together with what all
    loops sent, exactly"""
    retransmits: t.OfHosts
    """segments that TCP sent again"""
    ports: t.Many[WirePort]


class Load(t.Record):
    """What of the time of the measurement the processes of each host did not have, in ms.

    Processes that may use the same cores are one place; the place counts where it was the most.
    Containers on one kernel have the same numbers.
    """

    elapsed_ms: t.OfHosts
    """from before the first loop to behind the last"""
    others_ms: t.OfHosts
    """of the CPUs of the place, the time in user mode (/proc/stat) less that of its processes with
    all their threads, / the processes (at most the CPUs); of less than a second not known"""
    stolen_ms: t.OfHosts
    """what the hypervisor took there, likewise"""
    waited_ms: t.OfHosts
    """how long some process of the job's cgroup, or of the node, waited for a CPU (cpu.pressure,
    /proc/pressure/cpu)"""
    throttled_ms: t.OfHosts
    """how long the job's cgroup, or one above it, was stopped for its quota (cpu.stat)"""


Counted = TypeVar("Counted", Wires | None, Load | None)


class MeasuredHead(Head):
    """What every result of a run of this program begins with."""

    options: dict[t.Name, Any]
    """effective options, defaults included; null: not given, in lists all"""
    environment: Environment
    wires: Wires | None = None
    """null where nothing was counted"""
    load: Load | None = None
    """null where nothing was counted"""

    @field_validator("wires", "load")
    @classmethod
    def _columns_are_of_all_hosts(cls, counted: Counted, info: ValidationInfo) -> Counted:
        environment = info.data.get("environment")
        records = [] if counted is None else [counted, *getattr(counted, "ports", ())]
        for name, column in (cell for record in records for cell in record):
            if environment is not None and isinstance(column, list) and name != "ports":
                t.require_length(name, len(column), "nodes", environment.nodes)
        return counted


class ImportedHead(Head):
    """What figures begin with that another program printed: the result is never valid."""

    valid: Literal[False]
    """never"""
    complete: Literal[False]
    """never"""
    imported: Imported
