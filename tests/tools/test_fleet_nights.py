"""The nightly job: whom it measures, and what the lists and the check of a node make of it."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from support.fleet_folder import write_beff

MONITORING = Path(__file__).resolve().parents[2] / "packaging" / "monitoring"
MOMENT = "%Y-%m-%dT%H:%M:%SZ"
PROGRAMS = {
    "sinfo": 'cat "$SITE/nodes"',
    "shuf": 'exec head "$@"',
    "hostname": 'echo "$NODE"',
    "logger": 'echo "$NODE $*" >>"$SITE/logged"',
    "scontrol": """case $* in
      *show*) awk -v node="$NODE" '$1 == node { print "State=" toupper($2) }' "$SITE/nodes" ;;
      *state=drain*) sed -i "s/^$NODE .*/$NODE drain/" "$SITE/nodes" ;;
    esac""",
    "sbatch": """for word; do case $word in
      --nodelist=*) export SLURM_JOB_NODELIST=${word#*=} ;;
      --nodes=*) export SLURM_JOB_NUM_NODES=${word#*=} ;;
    esac; done
    echo "$SLURM_JOB_NODELIST $*" >>"$SITE/jobs"
    SLURM_JOB_ID=1 exec "$word" """,
}
"""Stand-ins for Slurm, whose nodes stand in a file, and for what each node has."""


class Site:
    """A machine, its Slurm, its lists, and the check that each node makes of itself."""

    def __init__(self, folder: Path, days: int) -> None:
        self.folder, self.shared = folder, folder / "shared"
        (folder / "bin").mkdir()
        self.shared.mkdir()
        for name, text in PROGRAMS.items():
            (folder / "bin" / name).write_text(f"#!/bin/bash\n{text}\n", encoding="utf-8")
            (folder / "bin" / name).chmod(0o755)
        write_beff(folder / "bin")
        self.make_slow()
        self.environment = {
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "SITE": str(folder),
            "BEFF_SHARED": str(self.shared),
            "BEFF_DAYS": str(days),
            "BEFF_TEXTFILES": str(folder),
        }

    def make_slow(self, **factors: float) -> None:
        """From now on these nodes take so many times as long, and no others."""
        (self.shared / "slow").write_text(json.dumps(factors), encoding="utf-8")

    @property
    def states(self) -> dict[str, str]:
        return dict(self.lines("nodes"))

    @states.setter
    def states(self, states: dict[str, str]) -> None:
        text = "".join(f"{name} {state}\n" for name, state in states.items())
        (self.folder / "nodes").write_text(text, encoding="utf-8")

    def lines(self, name: str) -> list[list[str]]:
        """Return the words of each line of a file; none where there is none."""
        place = self.folder / name
        text = place.read_text(encoding="utf-8") if place.exists() else ""
        return [line.split() for line in text.splitlines()]

    def start(self, program: str, *words: str | Path, **more: str) -> int:
        command = [MONITORING / program, *words]
        environment = self.environment | more
        return subprocess.run(command, env=environment, timeout=300, check=False).returncode

    def night(self) -> list[str]:
        """Let a day pass and return the nodes that the job of the night measured."""
        for path in (self.shared / "maps").rglob("*.json"):
            fields = json.loads(path.read_text(encoding="utf-8"))
            measured = fields["environment"]
            for moment in ("started_at", "finished_at"):
                then = datetime.strptime(measured[moment], MOMENT) - timedelta(days=1)
                measured[moment] = f"{then:{MOMENT}}"
            path.write_text(json.dumps(fields), encoding="utf-8")
        (self.folder / "jobs").unlink(missing_ok=True)
        assert self.start("beff-fleet.sh") in {0, 1}
        return [name for job in self.lines("jobs") for name in job[0].split(",")]

    def measure(self, *nodes: str) -> int:
        """Start the script in a job on some nodes."""
        job = {"SLURM_JOB_NODELIST": ",".join(nodes), "SLURM_JOB_NUM_NODES": str(len(nodes))}
        return self.start("beff-fleet.sh", SLURM_JOB_ID="2", **job)

    def check_nodes(self) -> set[str]:
        """Let each node check itself; return those that log that they are due."""
        (self.folder / "logged").unlink(missing_ok=True)
        for name in self.states:
            self.start("check_beff_hosts", self.shared / "bad_hosts", "8", NODE=name)
        return {words[0] for words in self.lines("logged") if "due:" in words}

    def slow_by_metrics(self) -> list[str]:
        """Return the slow hosts of the file that the last night wrote for the dashboard."""
        text = (self.folder / "beff_fleet.prom").read_text(encoding="utf-8")
        return re.findall(r'^beff_fleet_host_state\{host="(\w+)",state="slow"\} 1', text, re.M)

    def listed(self, kind: str) -> list[str]:
        return (self.shared / f"{kind}_hosts").read_text(encoding="utf-8").split()


NIGHTS = (
    # what changes; who is measured; then who is bad, and who is due
    ({"n6": "alloc"}, ["n1", "n2", "n3", "n4", "n5"], [], []),
    ({"n6": "idle"}, ["n6", "n1", "n2", "n3"], [], []),
    ({}, ["n4", "n5", "n1", "n2"], ["n5"], []),
    ({"n3": "alloc"}, ["n6", "n1", "n2", "n4"], ["n5"], ["n3"]),
    ({}, [], ["n5"], ["n3", "n5"]),
    ({"n3": "idle"}, ["n3", "n1", "n2", "n4", "n6"], ["n5"], ["n5"]),
    ({}, [], ["n5"], ["n5"]),
    ({}, ["n2", "n3", "n4", "n6"], [], []),
    ({}, ["n1", "n5", "n2", "n3"], [], []),
    ({}, ["n4", "n6", "n1", "n2"], [], []),
)
SLOW, SLOW_FROM, MENDED_AFTER = "n5", 3, 7
"""A node, the night from which on it is slow, and the one after which it is mended."""


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_a_node_that_gets_slow_is_drained_mended_and_returns(tmp_path: Path) -> None:
    site = Site(tmp_path, days=2)
    site.states = {f"n{host}": "idle" for host in range(1, 7)}
    for night, (changed, measured, bad, due) in enumerate(NIGHTS, 1):
        site.states |= changed
        if night == SLOW_FROM:
            site.make_slow(**{SLOW: 1.4})
        known_bad = site.listed("bad") if night > 1 else []
        assert site.night() == measured
        assert night == 1 or site.slow_by_metrics() == known_bad
        assert site.check_nodes() == {*due} - {*bad}
        assert [name for name, state in site.states.items() if state == "drain"] == bad
        assert (site.listed("bad"), sorted(site.listed("due"))) == (bad, due)
        known = {name for _, names, _, _ in NIGHTS[:night] for name in names}
        assert {*site.listed("good")} == known - {*bad, *due}
        if night == MENDED_AFTER:
            site.make_slow()
            site.states |= {SLOW: "maint", "n1": "maint"}
            site.check_nodes()
            assert site.states[SLOW] == "maint"
            assert site.measure(SLOW, "n1") == 0
            site.states |= {SLOW: "idle", "n1": "idle"}


MANY = [f"n{host:02}" for host in range(1, 21)]


@pytest.mark.parametrize(
    ("others", "good", "due", "measured"),
    [
        (["n2 alloc"], [], ["n2"], None),
        (["n1 idle", "n2 idle"], ["n1", "n2"], [], None),
        (["n1 idle"], [], ["n1"], None),  # nobody is there to meet
        (["n1 idle", "n2 idle"], ["n2"], ["n1"], ["n1", "n2"]),
        (["n1 idle", "n2 drain"], ["n1"], ["n2"], None),
        (["n1 idle", "n2 idle", "n2 idle*", "n3 idle~"], [], ["n2", "n1", "n3"], ["n2", "n1"]),
        (["n1 idle", "n2 idle", "n2 idle", "n3 idle"], [], ["n3"], ["n3", "n1", "n2"]),
        ([f"{name} idle" for name in MANY], [], MANY[::-1], MANY[:3:-1]),
        ([f"{name} idle" for name in MANY], MANY[:18], MANY[19:], ["n20", "n19", "n01", "n02"]),
    ],
)
def test_whom_a_night_measures(
    others: Sequence[str],
    good: Sequence[str],
    due: Sequence[str],
    measured: Sequence[str] | None,
    tmp_path: Path,
) -> None:
    """Those that are due, the longest ago first, those in no list, and good ones up to four."""
    site = Site(tmp_path, days=30)
    (tmp_path / "bin" / "beff").write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / "nodes").write_text("".join(f"{line}\n" for line in others), encoding="utf-8")
    for kind, names in (("good", good), ("due", due)):
        text = "".join(f"{name}\n" for name in names)
        (site.shared / f"{kind}_hosts").write_text(text, encoding="utf-8")
    assert site.start("beff-fleet.sh") == 0
    jobs = site.lines("jobs")
    assert [job[0].split(",") for job in jobs] == ([] if measured is None else [measured])
    asked = {word.partition("=")[0] for job in jobs for word in job}
    assert measured is None or asked >= {"--exclusive", "--time", "--deadline", "--nice"}
