"""Where and how the run took place: machine, MPI, memory, and which rank ran on which host."""

from collections.abc import Iterator
from dataclasses import dataclass

from beff.report.page.sections.contents import Section, ShownResult
from beff.report.tables.environment import environment_table
from beff.report.tables.table import Column, Row, Table, text
from beff.result.numbers import ranges
from beff.result.result_parts import Environment, ImportedHead

_MOST_HOSTS = 256
"""Hosts whose ranks are listed; a page of thousands of lines would be read by nobody."""


@dataclass(frozen=True)
class Surroundings:
    """Facts as name and value, the result's file, hosts, and how many hosts are not listed."""

    facts: Table
    file: str
    hosts: Table
    hosts_left_out: int
    variables: list[tuple[str, str]]


def environment(shown: ShownResult) -> Section:
    """Build the section."""
    measured = None if isinstance(shown.result, ImportedHead) else shown.result.environment
    hosts = () if measured is None else tuple(_hosts(measured))
    columns = (text("host"), Column("processes"), text("ranks"))
    variables = {} if measured is None else measured.environment_variables_of_mpi
    data = Surroundings(
        facts=environment_table(shown.result),
        file=shown.document.source,
        hosts=Table("hosts", "Placement", columns, hosts),
        hosts_left_out=0 if measured is None else len(measured.hosts) - len(hosts),
        variables=sorted(variables.items()),
    )
    return Section(
        shown.anchor("environment"), "Environment and placement", "environment.html.j2", data
    )


def _hosts(environment: Environment) -> Iterator[Row]:
    ranks: dict[int, list[int]] = {}
    for rank, node in enumerate(environment.placement):
        ranks.setdefault(node, []).append(rank)
    for node, host in enumerate(environment.hosts[:_MOST_HOSTS]):
        yield host.name, host.processes, ranges(ranks.get(node, []))
