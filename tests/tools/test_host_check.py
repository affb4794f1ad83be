"""The check that a node makes of itself: by the lists of bad and due hosts, without measuring."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

CHECK = Path(__file__).resolve().parents[2] / "packaging" / "monitoring" / "check_beff_hosts"
DAY_S = 24 * 3600


def run(folder: Path, *arguments: str, state: str = "IDLE") -> tuple[int, str]:
    """Run the check on node7, with stand-ins for hostname and scontrol; return code and update."""
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    for name, text in {
        "hostname": '[ "${1:-}" = -s ] && echo node7 || echo node7.site.example',
        "scontrol": f'case "$*" in *show*) echo "NodeName=node7 State={state} CPUs=4";;'
        f' *) echo "$*" >>{folder}/called;; esac',
        "logger": f'echo "$*" >>{folder}/logged',
    }.items():
        (programs / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    done = subprocess.run(
        [CHECK, *arguments],
        env={"PATH": f"{programs}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    called = folder / "called"
    return done.returncode, called.read_text(encoding="utf-8") if called.exists() else ""


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """A list that names the node."""
    file = tmp_path / "bad_hosts"
    file.write_text("node7\n", encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("names", "drained"),
    [
        ("node1\nnode7\n", True),
        ("node7.site.example\n", True),
        ("node1\nnode70\nxnode7\n", False),
        ("node.\n", False),
        ("", False),
    ],
)
def test_a_node_on_the_list_is_drained(
    tmp_path: Path, bad: Path, names: str, drained: bool
) -> None:
    bad.write_text(names, encoding="utf-8")
    code, called = run(tmp_path, str(bad))
    assert (code == 1) == drained
    assert called.startswith("update nodename=node7 state=drain reason=") == drained


@pytest.mark.parametrize(
    "state",
    ["IDLE+MAINTENANCE+RESERVED", "IDLE+DRAIN", "MIXED+DRAIN+MAINTENANCE", "DRAINED"],
)
def test_a_node_in_maintenance_or_drained_keeps_its_state(
    tmp_path: Path, bad: Path, state: str
) -> None:
    code, called = run(tmp_path, str(bad), state=state)
    assert called == ""
    assert code == ("MAINT" not in state)


def test_an_old_or_missing_list_drains_nothing_but_is_logged(tmp_path: Path, bad: Path) -> None:
    assert run(tmp_path, str(tmp_path / "nowhere"), "8") == (0, "")
    old = time.time() - 9 * DAY_S
    os.utime(bad, (old, old))
    assert run(tmp_path, str(bad), "8") == (0, "")
    assert (tmp_path / "logged").read_text(encoding="utf-8").count("older than 8 days") == 2
    assert run(tmp_path, str(bad), "10")[0] == 1


@pytest.mark.parametrize("third", [False, True])
def test_a_node_that_is_due_is_logged_and_not_drained(tmp_path: Path, third: bool) -> None:
    bad, due = tmp_path / "bad_hosts", tmp_path / ("others" if third else "due_hosts")
    bad.write_text("node70\n", encoding="utf-8")
    due.write_text("node7\n", encoding="utf-8")
    assert run(tmp_path, str(bad), "8", *[str(due)] * third) == (0, "")
    assert "node7 is due" in (tmp_path / "logged").read_text(encoding="utf-8")
    bad.write_text("node7\n", encoding="utf-8")
    assert run(tmp_path, str(bad), "8", *[str(due)] * third)[0] == 1


def test_as_a_check_of_nhc_it_calls_die(bad: Path) -> None:
    """NHC sources the file and brings die; nothing is drained by the check itself."""
    bad.write_text(f"{os.uname().nodename}\n", encoding="utf-8")
    check = f'. "{CHECK}"; check_beff_hosts "{bad}" 8; echo "code $?"'
    script = f'die() {{ echo "died: $2"; }}; {check}'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert "died: beff: " in done.stdout
    assert done.stdout.endswith("code 1\n")
