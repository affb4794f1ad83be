"""The check that a node makes of itself: by the lists of bad and due hosts, without measuring."""

import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

CHECK = Path(__file__).resolve().parents[2] / "packaging" / "monitoring" / "check_beff_hosts"
DAY_S = 24 * 3600


def path_with(folder: Path, programs: dict[str, str]) -> str:
    """A PATH on which scripts of bash stand before other programs."""
    folder.mkdir(exist_ok=True)
    for name, text in programs.items():
        (folder / name).write_text(f"#!/bin/bash\n{text}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def run(folder: Path, *arguments: str, state: str = "IDLE") -> tuple[int, str]:
    """Run the check on node7, with stand-ins for hostname and scontrol; return code and update."""
    programs = {
        "hostname": '[ "${1:-}" = -s ] && echo node7 || echo node7.site.example',
        "scontrol": f'case "$*" in *show*) echo "NodeName=node7 State={state} CPUs=4";;'
        f' *) echo "$*" >>{folder}/called;; esac',
        "logger": f'echo "$*" >>{folder}/logged',
    }
    done = subprocess.run(
        [CHECK, *arguments],
        env={"PATH": path_with(folder / "bin", programs)},
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


# --- the nightly job: whom it measures; tests/cluster has a real Slurm ---

JOB = CHECK.with_name("beff-fleet.sh")
PROGRAMS = {
    "beff": ":",
    "sinfo": 'cat "$SITE/nodes"',
    "shuf": 'exec head "$@"',
    "sbatch": """for word; do case $word in
      --nodelist=*) nodes=${word#*=} ;;
    esac; done
    echo "$nodes $*" >>"$SITE/jobs" """,
}
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
    shared = tmp_path / "shared"
    shared.mkdir()
    for file, lines in (
        (tmp_path / "nodes", others),
        (shared / "good_hosts", good),
        (shared / "due_hosts", due),
    ):
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    environment = {
        "PATH": path_with(tmp_path / "bin", PROGRAMS),
        "SITE": str(tmp_path),
        "BEFF_SHARED": str(shared),
        "BEFF_DAYS": "30",
        "BEFF_TEXTFILES": str(tmp_path),
    }
    subprocess.run([JOB], env=environment, timeout=300, check=True)
    jobs = tmp_path / "jobs"
    text = jobs.read_text(encoding="utf-8") if jobs.exists() else ""
    lines = [line.split() for line in text.splitlines()]
    assert [words[0].split(",") for words in lines] == ([] if measured is None else [measured])
    asked = {word.partition("=")[0] for words in lines for word in words}
    assert measured is None or asked >= {"--exclusive", "--time", "--deadline", "--nice"}
