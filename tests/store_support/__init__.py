"""Results for lists and histories: of any speed, time and machine, and all of them verify."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

sys.path.insert(0, str(Path(__file__).parents[1] / "python"))

from support.reports import run_beff, written
from support.results import SHORT, Plan, make_result, model_s

OFFICIAL = Plan(processes=2)


@cache
def _with_noise(run: int) -> Callable[[Plan, Any], float]:
    """Times of the model, each up to 1 % longer as by chance in that run."""

    def iteration_s(plan: Plan, order: Any) -> float:
        chance = crc32(repr((run, sorted(order.items()))).encode()) / 2**32
        return model_s(plan, order) * (1 + chance / 100)

    return iteration_s


def result_of(
    *,
    plan: Plan = SHORT,
    speed: float = 1.0,
    started_at: str | None = None,
    host: str = "node1",
    run: int | None = None,
) -> dict[str, Any]:
    """A result on one host whose bandwidths are `speed` times those of the model.

    Those of equal `run`, or of none, are copies of each other, whatever their speeds.
    """
    own = plan if run is None else replace(plan, iteration_s=_with_noise(run))
    document = make_result(replace(own, slower=1 / speed))
    environment = document["environment"]
    if started_at is not None:
        environment["started_at"] = environment["finished_at"] = started_at
    environment["hosts"][0]["name"] = environment["host_list"] = host
    return document


def bytes_of(document: dict[str, Any]) -> bytes:
    """The file of a result."""
    return json.dumps(document).encode("utf-8")


def added(folder: Path, name: str, document: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    """Add a result to a list as that of a system."""
    file = written(folder.parent, "result.json", document)
    return run_beff("list", "add", file, "--system", name, "--list", folder)


def git(folder: Path, *arguments: str) -> None:
    """Run git as a tester."""
    own = ("-c", "user.name=tester", "-c", "user.email=tester@example.org")
    subprocess.run(["git", *own, *arguments], cwd=folder, check=True, capture_output=True)
