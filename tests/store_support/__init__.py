"""Results for lists and histories: of any speed, time and machine, and all of them verify."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "python"))

from support.results import SHORT, Plan, make_result, with_derived

from beff.cli.app import main
from beff.store.plausibility import next_length

OFFICIAL = Plan(processes=2)


@cache
def _scaled(plan: Plan, speed: float) -> str:
    document = make_result(plan)
    samples, sizes = document["samples"], document["message_sizes_bytes"]
    sweeps: dict[tuple[int, ...], list[tuple[int, int, float]]] = {}
    for place, length in enumerate(samples["loop_length"]):
        sweep = tuple(samples[name][place] for name in ("pattern", "method", "repetition"))
        before = sweeps.setdefault(sweep, [])
        size = sizes[samples["size"][place]]
        chosen = next_length(before[-2:], size) if before else round(length * speed)
        for name in ("time_max_s", "time_avg_s", "time_min_s"):
            samples[name][place] *= chosen / length / speed
        samples["loop_length"][place] = chosen
        before.append((size, chosen, samples["time_max_s"][place] / chosen))
    return json.dumps(with_derived(document))


def result_of(
    *, plan: Plan = SHORT, speed: float = 1.0, started_at: str | None = None, host: str = "node1"
) -> dict[str, Any]:
    """A result on one host whose bandwidths are `speed` times those of the model."""
    document: dict[str, Any] = json.loads(_scaled(plan, speed))
    environment = document["environment"]
    if started_at is not None:
        environment["started_at"] = environment["finished_at"] = started_at
    environment["hosts"][0]["name"] = environment["host_list"] = host
    return document


def bytes_of(document: dict[str, Any]) -> bytes:
    """The file of a result."""
    return json.dumps(document, indent=1).encode("utf-8")


def added(folder: Path, name: str, document: dict[str, Any]) -> int:
    """Add a result to a list as that of a system; returns the exit code."""
    file = folder.parent / "result.json"
    file.write_bytes(bytes_of(document))
    return main(["list", "add", str(file), "--system", name, "--list", str(folder)])


def git(folder: Path, *arguments: str) -> None:
    """Run git as a tester."""
    own = ("-c", "user.name=tester", "-c", "user.email=tester@example.org")
    subprocess.run(["git", *own, *arguments], cwd=folder, check=True, capture_output=True)
