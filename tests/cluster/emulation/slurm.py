"""A real Slurm on the hosts of a cell."""

import contextlib
import os
import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess

from cluster.emulation import Cell, CellError

PROGRAMS = ("munged", "slurmctld", "slurmd", "srun", "sbatch")
CPUS = 4
"""CPUs that each node claims to have."""
_READY_WITHIN_S = 240

_CONFIGURATION = """\
ClusterName=emulated
SlurmctldHost=n0(10.77.0.1)
SlurmctldPort=16817
SlurmdPort=17000
SrunPortRange=18000-18200
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
TmpFS={folder}/tmp.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0
ReturnToService=2
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
SlurmdParameters=config_overrides
SlurmctldTimeout=30
SlurmdTimeout=30
KillWait=5
{nodes}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
"""


def reason_against() -> str | None:
    """Why Slurm cannot be tried here; None where it can."""
    if os.geteuid() != 0:
        return "Slurm's daemons need root"
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    return f"Slurm is not installed: no {', '.join(missing)}" if missing else None


@dataclass(frozen=True)
class Slurm:
    """A running Slurm; its commands are run on the first host."""

    cell: Cell
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        return {"SLURM_CONF": str(self.folder / "slurm.conf")}

    def run(
        self, *words: str | Path, cwd: Path, env: dict[str, str] | None = None, timeout: float = 150
    ) -> CompletedProcess[str]:
        """Run a command such as srun to its end."""
        environment = {**self.environment, **(env or {})}
        return self.cell.run("n0", *words, cwd=cwd, env=environment, timeout=timeout)

    def batch(
        self, *words: str | Path, cwd: Path, env: dict[str, str] | None = None, timeout: float = 200
    ) -> int:
        """Run a job script, given behind options, to the end of its job; returns its exit code.

        `sbatch --wait` looks after 2, 10 and 42 seconds only. Raises CellError.
        """
        submitted = self.run("sbatch", "--parsable", *words, cwd=cwd, env=env)
        show = ("scontrol", "show", "--oneliner", "job", submitted.stdout.strip())
        until = time.monotonic() + timeout
        while submitted.returncode == 0 and time.monotonic() < until:
            told = self.run(*show, cwd=cwd).stdout
            if ended := re.search(r"JobState=(?:COMPLETED|FAILED) .* ExitCode=(\d+):0 ", told):
                return int(ended[1])
            time.sleep(0.2)
        raise CellError(f"the job did not end: {submitted.stderr or told}")


@contextlib.contextmanager
def make_slurm(cell: Cell, more: str = "", topology: str = "") -> Iterator[Slurm]:
    """Start munged, slurmctld and a slurmd per host; they end with the cell.

    `more` are lines for slurm.conf, `topology` is what topology.conf says of a tree of switches.
    Raises CellError.
    """
    folder = cell.folder / "slurm"
    folder.mkdir()
    names = cell.network.host_names
    for name in ("state", *(f"{kind}.{host}" for kind in ("spool", "tmp") for host in names)):
        (folder / name).mkdir()
    _name_pmix_library(cell, folder / "pmix")
    nodes = "\n".join(
        f"NodeName={name} NodeAddr={cell.network.address(host)} CPUs={CPUS} RealMemory=1000"
        for host, name in enumerate(names)
    )
    text = _CONFIGURATION.format(folder=folder, nodes=nodes)
    if topology:
        (folder / "topology.conf").write_text(topology, encoding="ascii")
        more += "TopologyPlugin=topology/tree\n"
    (folder / "slurm.conf").write_text(text + more, encoding="ascii")
    slurm = Slurm(cell, folder)
    daemons = [cell.start("n0", *_munge(folder))]
    daemons.append(cell.start("n0", "slurmctld", "-D", env=slurm.environment))
    daemons += [
        cell.start(name, "slurmd", "-D", "-N", name, env=slurm.environment) for name in names
    ]
    try:
        _wait_for_nodes(slurm, len(names))
        yield slurm
    finally:
        for daemon in daemons:
            daemon.kill()
            daemon.wait()


def _name_pmix_library(cell: Cell, copy: Path) -> None:
    """Let the hosts see libpmix.so, which Slurm's plugin opens.

    Debian gives that name to the library in the package for developers only.
    """
    for library in Path("/usr/lib").glob("*/pmix2/lib/libpmix.so.2"):
        shutil.copytree(library.parent, copy, symlinks=True)
        (copy / "libpmix.so").unlink(missing_ok=True)
        (copy / "libpmix.so").symlink_to("libpmix.so.2")
        for host in cell.network.host_names:
            cell.must(host, "mount", "--bind", copy, library.parent)


def _munge(folder: Path) -> list[str | Path]:
    """Return the command that starts munge with a key of its own."""
    key = folder / "munge.key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o400)
    files = [f"--{kind}-file={folder}/munged.{kind}" for kind in ("pid", "log", "seed")]
    socket = f"--socket={folder}/munge.sock"
    return ["munged", "--force", "--foreground", socket, f"--key-file={key}", *files]


def _wait_for_nodes(slurm: Slurm, count: int) -> None:
    deadline = time.monotonic() + _READY_WITHIN_S
    told = ""
    while time.monotonic() < deadline:
        answer = slurm.run("sinfo", "--noheader", "--format=%T %D", cwd=slurm.folder)
        told = answer.stdout + answer.stderr
        if answer.stdout.split() == ["idle", str(count)]:
            return
        time.sleep(0.3)
    raise CellError(f"Slurm did not get ready within {_READY_WITHIN_S} s: {told.strip()}")
