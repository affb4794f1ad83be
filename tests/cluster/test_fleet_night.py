"""The fleet of packaging/monitoring by a real Slurm, which calls the check; maps are made up."""

import json
import os
import re
import time
from pathlib import Path

import pytest
from support.fleet_folder import require_dashboard, write_beff

from cluster.emulation import Network, make_cell
from cluster.emulation.slurm import Slurm, make_slurm, reason_against
from engines.support import ROOT

MONITORING = ROOT / "packaging" / "monitoring"
NIGHT = MONITORING / "beff-fleet.sh"
SLOW = "n3"
INTERVAL_S = 2
WITHIN_S = 120


def states(slurm: Slurm, asked: str = "%t") -> str:
    """What Slurm calls the nodes, in their order; $ marks one of a maintenance that is drained."""
    words = ("sinfo", "--Node", "--noheader", f"--format={asked}")
    return " ".join(slurm.run(*words, cwd=slurm.folder).stdout.split())


def wait_for(slurm: Slurm, wanted: str) -> None:
    until = time.monotonic() + WITHIN_S
    while states(slurm) != wanted:
        assert time.monotonic() < until, states(slurm)
        time.sleep(0.5)


@pytest.mark.timeout(600)
def test_a_slow_node_is_drained_and_returns_when_it_was_measured_good(tmp_path: Path) -> None:
    reason = reason_against()
    if reason is not None:
        pytest.skip(reason)
    write_beff(tmp_path)
    with make_cell(Network(hosts=4, link_mbit=50.0)) as cell:
        shared, program = cell.folder / "shared", cell.folder / "health"
        shared.mkdir()
        bad, due = shared / "bad_hosts", shared / "due_hosts"
        configuration = cell.folder / "slurm" / "slurm.conf"  # not in /etc, as scontrol expects
        check = f"export SLURM_CONF={configuration}\nexec {MONITORING}/check_beff_hosts {bad} 8\n"
        program.write_text(f"#!/bin/sh\n{check}", encoding="utf-8")
        program.chmod(0o755)
        lines = f"HealthCheckProgram={program}\nHealthCheckInterval={INTERVAL_S}\n"
        environment = {
            "PATH": f"{tmp_path}:{os.environ['PATH']}",
            **dict.fromkeys(("BEFF_SHARED", "BEFF_TEXTFILES"), str(shared)),
        }
        with make_slurm(cell, lines) as slurm:

            def run(*words: str | Path) -> int:
                return slurm.run(*words, cwd=tmp_path, env=environment).returncode

            (shared / "slow").write_text(json.dumps({SLOW: 1.4}), encoding="utf-8")
            assert run(NIGHT) == 0
            wait_for(slurm, "idle idle idle drain")
            assert bad.read_text(encoding="utf-8") == f"{SLOW}\n"
            told = (shared / "beff-fleet.log").read_text(encoding="utf-8")
            headline = rf"^4 hosts: 3 good, 1 slow \({SLOW}, [0-9.]+ times\)$"
            (drain,) = re.findall(
                f"(?ms){headline}.*?^drain: (scontrol update nodename={SLOW} [^\n]*)$", told
            )
            assert run(NIGHT) == 0  # all others are good, and on a drained one nothing starts
            require_dashboard(shared / "beff_fleet.prom")
            reservation = "reservationname=mended nodes=n[0-3] users=root flags=maint"
            created = f"create reservation {reservation} starttime=now duration=30"
            assert run("scontrol", *created.split()) == 0
            wait_for(
                slurm, "maint maint maint drain$"
            )  # before that the check would drain it again
            assert run("scontrol", "update", f"nodename={SLOW}", "state=resume") == 0
            wait_for(slurm, "maint maint maint maint")
            time.sleep(3 * INTERVAL_S)  # the check goes on being called
            assert states(slurm) == "maint maint maint maint"
            (shared / "slow").write_text("{}", encoding="utf-8")
            asked = "--reservation=mended --nodes=4 --exclusive --ntasks-per-node=1"
            code = slurm.batch(*asked.split(), NIGHT, cwd=tmp_path, env=environment)
            assert code == 0, [path.read_text() for path in tmp_path.glob("slurm-*.out")]
            assert bad.read_text(encoding="utf-8") == due.read_text(encoding="utf-8") == ""
            assert run("scontrol", "delete", "reservationname=mended") == 0
            wait_for(slurm, "idle idle idle idle")
            assert len(list((shared / "maps").iterdir())) == 2
            # a job without the listed nodes; one of them, drained by hand, keeps its reason
            (tmp_path / "listed").write_text("n1\nn3\n", encoding="utf-8")
            asked = ("srun", "--exclude=./listed", "--nodes=2", "hostname")
            assert sorted(slurm.run(*asked, cwd=tmp_path).stdout.split()) == ["n0", "n2"]
            assert run("sh", "-c", drain) == 0
            bad.write_text("n1\nn3\n", encoding="utf-8")
            wait_for(slurm, "idle drain idle drain")
            time.sleep(2 * INTERVAL_S)
            wanted = r"none beff: n1 is on the list of bad hosts of \S+ none beff nodes: slow"
            assert re.fullmatch(wanted, states(slurm, "%E"))
