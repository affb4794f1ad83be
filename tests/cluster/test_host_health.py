"""The check of a node by the list of bad hosts, as HealthCheckProgram of a real Slurm."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from cluster.emulation import Network, make_cell
from cluster.emulation.slurm import Slurm, make_slurm, reason_against
from engines.support import ROOT

CHECK = ROOT / "packaging" / "monitoring" / "check_beff_hosts"
WITHIN_S = 60


@pytest.fixture(scope="module")
def slurm() -> Iterator[Slurm]:
    """Slurm on three hosts that calls the check every second."""
    reason = reason_against()
    if reason is not None:
        pytest.skip(reason)
    with make_cell(Network(hosts=3, link_mbit=50.0)) as cell:
        program, bad = cell.folder / "health", cell.folder / "bad_hosts"
        configuration = cell.folder / "slurm" / "slurm.conf"  # not in /etc, as scontrol expects
        text = f"#!/bin/sh\nexport SLURM_CONF={configuration}\nexec {CHECK} {bad} 8\n"
        program.write_text(text, encoding="utf-8")
        program.chmod(0o755)
        with make_slurm(cell, f"HealthCheckProgram={program}\nHealthCheckInterval=1\n") as running:
            yield running


def nodes(slurm: Slurm) -> dict[str, str]:
    """State and reason of each node."""
    shown = slurm.run("sinfo", "--Node", "--noheader", "--format=%N %T %E", cwd=slurm.folder)
    return dict(line.split(maxsplit=1) for line in shown.stdout.splitlines())


def test_a_listed_node_is_drained_and_keeps_an_older_reason(slurm: Slurm) -> None:
    update = ("scontrol", "update", "nodename=n2", "state=drain", "reason=bad DIMM")
    assert slurm.run(*update, cwd=slurm.folder).returncode == 0
    (slurm.cell.folder / "bad_hosts").write_text("n1\nn2\n", encoding="utf-8")
    until = time.monotonic() + WITHIN_S
    while "drained" not in nodes(slurm)["n1"] and time.monotonic() < until:
        time.sleep(0.5)
    time.sleep(3)  # the check goes on being called
    found = nodes(slurm)
    assert found["n0"] == "idle none"
    assert found["n1"].startswith("drained beff: n1 is on the list of bad hosts of 2")
    assert found["n2"] == "drained bad DIMM"
