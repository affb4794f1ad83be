"""A result against earlier runs of the same machine, measured in the same way."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from beff.analysis.common.summary_figures import main_value
from beff.analysis.compare.benchmarks import BENCHMARKS
from beff.analysis.compare.conditions import (
    SIMULATED_NETWORK,
    Condition,
    Conditions,
    differences,
    environment,
    unusable,
)
from beff.analysis.copies import apart, once
from beff.model.errors import ResultError
from beff.model.load import Document, load_document
from beff.model.numbers import change_from, counted, rate

FEWEST = 3
"""Earlier runs from which on their spread says something."""
_MACHINE: Conditions = (
    Condition("nodes", environment("nodes")),
    Condition("processor", environment("cpu", "model")),
    SIMULATED_NETWORK,
)


@dataclass(frozen=True)
class AgainstEarlier:
    """The values of earlier runs in MB/s, oldest first, beside that of a result."""

    benchmark: str
    value_MBps: float  # noqa: N815 - carries its unit
    earlier_MBps: tuple[float, ...]  # noqa: N815
    same_hosts: bool

    @property
    def is_within(self) -> bool | None:
        """Whether the value lies within those of the earlier runs; None where they are few."""
        if len(self.earlier_MBps) < FEWEST:
            return None
        return min(self.earlier_MBps) <= self.value_MBps <= max(self.earlier_MBps)

    @property
    def change(self) -> str:
        """The change from the last of the earlier runs."""
        return change_from(self.earlier_MBps[-1], self.value_MBps)

    @property
    def beside(self) -> str:
        """How many earlier runs there are, and whether the value is a usual one."""
        runs = counted(len(self.earlier_MBps), "run")
        spread = f"{rate(min(self.earlier_MBps))} to {rate(max(self.earlier_MBps))}"
        words = {None: "", True: ", within their spread", False: f", outside their {spread}"}
        hosts = "" if self.same_hosts else ", on other hosts"
        return f"{runs}{words[self.is_within]}{hosts}"

    @property
    def words(self) -> str:
        """A sentence without its full stop."""
        return f"{self.change} against the last run here ({self.beside})"

    def __str__(self) -> str:
        """Say it in short, behind the name of the benchmark."""
        return f"{self.benchmark} {self.change} ({self.beside})"


def against_earlier(result: Document, others: Sequence[Document]) -> AgainstEarlier | None:
    """Compare with those of the others that are earlier and alike; None without any."""
    value = main_value(result.result)
    if result.benchmark == "b_pairs" or value is None or result.is_imported:
        return None
    if list(unusable([result])):
        return None
    began = _began(result)
    candidates, _ = apart([run for run in others if run.benchmark == result.benchmark], [result])
    alike = [
        run
        for run in candidates
        if not run.is_imported
        and _began(run) < began
        and not list(unusable([run]))
        and _is_alike(result, run)
    ]
    alike = sorted(once(alike)[0], key=_began)
    hosts = result.fields["environment"]["host_list"]
    known = [(run, main_value(run.result)) for run in alike]
    values = tuple(found for _, found in known if found)
    if not values:
        return None
    same = all(run.fields["environment"]["host_list"] == hosts for run, _ in known)
    return AgainstEarlier(result.benchmark, value, values, same)


def in_same_way(runs: Iterable[Document]) -> list[list[Document]]:
    """Group runs of the same machine that were measured in the same way, each oldest first.

    The group of the newest run comes last.
    """
    groups: list[list[Document]] = []
    for run in sorted(runs, key=_began):
        group = next((one for one in groups if _is_alike(one[0], run)), None)
        if group is None:
            groups.append([run])
        else:
            group.append(run)
    return sorted(groups, key=lambda group: _began(group[-1]))


def _is_alike(one: Document, other: Document) -> bool:
    if one.benchmark != other.benchmark or one.is_imported or other.is_imported:
        return False
    conditions = (*BENCHMARKS[one.benchmark].conditions, *_MACHINE)
    return not differences([one], [other], conditions)


def _began(run: Document) -> str:
    return str(run.fields["environment"].get("started_at") or "")


_MOST = 5
"""The newest ones; reading all of a long history would take longer than it is worth."""


def earlier_documents(file: Path) -> list[Document]:
    """Read the results of the same name in the folders beside that of a result.

    What cannot be read is left out, and so is everything in a folder of somebody else.
    """
    try:
        own = file.resolve()
        around = own.parent.parent
        if around.stat().st_uid != os.getuid():
            return []
        files = [one for one in around.glob(f"*/{own.name}") if one != own and one.is_file()]
        files.sort(key=lambda one: one.stat().st_mtime)
    except OSError:
        return []
    found = []
    for one in files[-_MOST:]:
        try:
            found.append(load_document(one))
        except ResultError:
            continue
    return found
