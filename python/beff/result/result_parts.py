"""What the results of all benchmarks begin with, and what was counted beside each of them."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, ValidationInfo, field_validator

from beff.result.bounds import (
    Few,
    Many,
    Name,
    NotNegative,
    OfHosts,
    Positive,
    PositiveNumber,
    Seconds,
    SomeFew,
    Text,
    hosts_in,
)
from beff.result.environment import Environment
from beff.result.record import Record, require_length


class Program(Record):
    """The measuring program."""

    name: Name = Field(description="b_eff, b_eff_io or b_pairs, or as printed")
    version: Name = Field(description="of the program")
    git_commit: Name = Field(
        description="with -dirty behind it for local changes; unknown outside a git checkout"
    )


class Imported(Record):
    """Where figures come from that another program printed."""

    source: Name = Field(description="name of the file")
    format: Name = Field(description="which importer read it")
    program_version: Name | None = Field(description="as printed")
    date: Name | None = Field(
        description="as printed, a local time without a zone; of a map of pairs its started_at"
    )
    not_known: Many[Text] = Field(description="what a result of this program would hold beside it")


class RMax(Record):
    """Linpack's R_max, added by beff show.

    What follows `source` is known from Linpack's output only.
    """

    gflops: PositiveNumber = Field(description="R_max in 10^9 flop/s")
    origin: Literal["given", "hpl"] = Field(description="given by the user, or read from an output")
    source: Name | None = Field(description="name of the output it was read from")
    n: Positive | None = Field(default=None, description="order of the matrix")
    nb: Positive | None = Field(default=None, description="block size")
    p: Positive | None = Field(default=None, description="rows of the grid of processes")
    q: Positive | None = Field(default=None, description="columns of the grid of processes")
    time_s: Seconds | None = Field(default=None, description="of that run")
    residual: NotNegative | None = Field(
        default=None, description="scaled residual of a run that passed its check"
    )


Number = Annotated[int | float, Field(ge=0)]


class Criterion(Record):
    """One rule that a result must meet to be comparable; in the order of the definition."""

    code: Name = Field(description="its name in the definition")
    required: Number | None = Field(description="null where the rule knows no number")
    found: Number | None = Field(description="null where it is not known")
    unit: Literal["count", "s", "bytes", "percent"] = Field(description="of both numbers")
    met: bool = Field(description="the rule is met")


class Statement(Record):
    """What a reader should know: words are made of it when it is shown."""

    code: Name = Field(description="its name in the definition")
    facts: dict[Name, int | float | Text | Many[int] | Few[Text]] = Field(
        description="the end of a name tells the unit: _s, _bytes, _percent, or none"
    )


class Head(Record):
    """What every result begins with."""

    schema_version: Literal[2] = Field(description="raised when a field goes or gets another name")
    program: Program
    valid: bool = Field(description="every criterion is met")
    complete: bool = Field(description="every planned measurement was made")
    criteria: SomeFew[Criterion]
    cautions: Many[Statement]
    rmax: RMax | None = Field(default=None, description="only where beff show added it")

    def __hash__(self) -> int:
        """Tell results apart, so that what follows from one can be kept beside it."""
        return id(self)


class WirePort(Record):
    """What a port carried, a number for each host; - where a host lacks it.

    The ports of RDMA devices, lo, and interfaces that sent 1 % of the payload (where it is not
    known, of what all ports sent) on some host, or counted errors.
    """

    name: Name = Field(description="such as mlx5_0/1 or eth0")
    kind: Literal["rdma", "ethernet", "loopback"] = Field(description="of port")
    active: OfHosts = Field(description="1 or 0")
    bytes_per_s: OfHosts | None = Field(
        default=None, description="its rate in one direction; - where not known"
    )
    numa_node: OfHosts | None = Field(default=None, description="that it is attached to")
    near_processes: OfHosts | None = Field(
        default=None, description="of the host, that may run on cores of that node alone"
    )
    sent_bytes: OfHosts = Field(description="by whomever")
    errors: OfHosts = Field(description="with discards, retransmissions, and links that went down")


class Wires(Record):
    """What the ports of each host counted from before the measurement to its end."""

    payload_bytes: OfHosts | None = Field(
        description="what the processes of a host sent to other hosts in all loops, warm-up"
        " included, exactly; null: not known"
    )
    inside_bytes: OfHosts | None = Field(
        description="what they sent to each other; of b_eff, beff verify compares both together"
        " with what all loops sent, exactly"
    )
    retransmits: OfHosts = Field(description="segments that TCP sent again")
    ports: Few[WirePort]

    def columns(self) -> Iterator[tuple[str, str]]:
        """Yield the name of each column and its numbers."""
        for record in (self, *self.ports):
            for name, column in record:
                if name not in {"ports", "name", "kind"} and column is not None:
                    yield name, column


class Load(Record):
    """What of the time of the measurement the processes of each host did not have, in ms.

    Processes that may use the same cores are one place; the place counts where it was the most.
    Containers on one kernel have the same numbers.
    """

    elapsed_ms: OfHosts = Field(description="from before the first loop to behind the last")
    others_ms: OfHosts = Field(
        description="of the CPUs of the place, the time in user mode (/proc/stat) less that of its"
        " processes with all their threads, / the processes (at most the CPUs); of less than a"
        " second not known"
    )
    stolen_ms: OfHosts = Field(description="what the hypervisor took there, likewise")
    waited_ms: OfHosts = Field(
        description="how long some process of the job's cgroup, or of the node, waited for a CPU"
        " (cpu.pressure, /proc/pressure/cpu)"
    )
    throttled_ms: OfHosts = Field(
        description="how long the job's cgroup, or one above it, was stopped for its quota"
        " (cpu.stat)"
    )

    def columns(self) -> Iterator[tuple[str, str]]:
        """Yield the name of each column and its numbers."""
        yield from self


Counted = TypeVar("Counted", Wires | None, Load | None)


class MeasuredHead(Head):
    """What every result of a run of this program begins with."""

    options: dict[Name, Any] = Field(
        description="effective options, defaults included; null: not given, in lists all"
    )
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

    valid: Literal[False] = Field(description="never")
    complete: Literal[False] = Field(description="never")
    imported: Imported
