"""Results for lists and histories: of any speed, time and machine, and all of them verify."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "python"))

from support.results import SHORT, Plan, make_result

from beff.cli.app import main

OFFICIAL = Plan(processes=2)


def result_of(
    *, plan: Plan = SHORT, speed: float = 1.0, started_at: str | None = None, host: str = "node1"
) -> dict[str, Any]:
    """A result on one host whose bandwidths are `speed` times those of the model."""
    document = make_result(replace(plan, slower=1 / speed))
    environment = document["environment"]
    if started_at is not None:
        environment["started_at"] = environment["finished_at"] = started_at
    environment["hosts"][0]["name"] = environment["host_list"] = host
    return document


def bytes_of(document: dict[str, Any]) -> bytes:
    """The file of a result."""
    return json.dumps(document).encode("utf-8")


def added(folder: Path, name: str, document: dict[str, Any]) -> int:
    """Add a result to a list as that of a system; returns the exit code."""
    file = folder.parent / "result.json"
    file.write_bytes(bytes_of(document))
    return main(["list", "add", str(file), "--system", name, "--list", str(folder)])


def git(folder: Path, *arguments: str) -> None:
    """Run git as a tester."""
    own = ("-c", "user.name=tester", "-c", "user.email=tester@example.org")
    subprocess.run(["git", *own, *arguments], cwd=folder, check=True, capture_output=True)
