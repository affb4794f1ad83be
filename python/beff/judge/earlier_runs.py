"""A result against earlier runs of the same machine, measured in the same way."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from math import expm1, log, log1p
from pathlib import Path

from beff.judge.benchmarks import ASSUMED_NOISE
from beff.judge.change import THRESHOLD, ChangeVerdict, confidence_of, judge_change
from beff.judge.conditions import Use, differences, unusable
from beff.judge.evidence import Times, evidence_of
from beff.judge.sides import Sides, start_of, with_history
from beff.result.errors import ResultError
from beff.result.load import Document, load_document
from beff.result.numbers import change, counted
from beff.result.places import is_file
from beff.verify.common.summary_figures import main_value
from beff.verify.subject import apart, once


@dataclass(frozen=True)
class AgainstEarlier:
    """How the value of a result stands beside earlier runs: so many, on the same hosts or not.

    `change` is a share; `verdict` is that of all comparisons.
    """

    benchmark: str
    change: float
    verdict: ChangeVerdict
    runs: int
    same_hosts: bool

    @property
    def words(self) -> str:
        """Say it in short."""
        hosts = "" if self.same_hosts else " on other hosts"
        runs = f"{counted(self.runs, 'earlier run')}{hosts}"
        return f"{change(self.change)} against {runs}: {self.verdict.value}"


def against_earlier(result: Document, others: Sequence[Document]) -> AgainstEarlier | None:
    """Compare with those of the others that are earlier and alike; None without any."""
    value = main_value(result.result)
    if result.benchmark == "b_pairs" or value is None or result.is_imported:
        return None
    if list(unusable([result])):
        return None
    began = start_of(result) or 0.0
    candidates, _ = apart(others, [result])
    alike = [
        run
        for run in with_history(Sides((result,), ()), candidates).history
        if (start_of(run) or 0.0) < began and not differences([result], [run], Use.MACHINE)
    ]
    known = [(run, found) for run in once(alike)[0] if (found := main_value(run.result))]
    if not known:
        return None
    times = Times([start_of(run) or 0.0 for run, _ in known], [began])
    noise = log1p(ASSUMED_NOISE[result.benchmark])
    moved = evidence_of(times).change([log(own) for _, own in known], [log(value)], (), noise)
    verdict = judge_change(moved, confidence_of(1), THRESHOLD, more_is_better=True).verdict
    hosts = result.result.environment.host_list
    same = all(run.result.environment.host_list == hosts for run, _ in known)
    return AgainstEarlier(result.benchmark, expm1(moved.estimate), verdict, len(known), same)


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
        files = [one for one in around.glob(f"*/{own.name}") if one != own and is_file(one)]
        files.sort(key=lambda one: one.stat().st_mtime)
    except (OSError, ResultError):
        return []
    found = []
    for one in files[-_MOST:]:
        try:
            found.append(load_document(one))
        except ResultError:
            continue
    return found
