"""An emulated cluster while it runs: making it, running commands on its hosts, taking it down."""

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cluster.emulation.network import Network, construction, on
from cluster.emulation.possible import unsharing

HERE = Path(__file__).resolve().parent
PREFIX = "beff-cell-"
"""How the folders of cells are called, below the folder for temporary files."""
_READY_WITHIN_S = 240
_RUN_MARK = "BEFF_CELL_RUN"


class CellError(Exception):
    """A cell could not be made, or a command that must work did not."""


@dataclass(frozen=True)
class Cell:
    """A running cell; `pid` is its first process as seen from outside."""

    network: Network
    folder: Path
    pid: int

    def command(self, host: str | None, words: list[str], cwd: Path | None = None) -> list[str]:
        """The words as a command line to be started outside that runs them on a host.

        Without a host: in the cell itself, from where all hosts can be entered, but none is reached
        over the network.
        """
        inside = f"cd {shlex.quote(str(cwd or self.folder))} && "
        if host is None:
            inside += f"exec {shlex.join(words)}"
        else:
            inside += f"exec {HERE / 'rsh'} {host} {shlex.quote('exec ' + shlex.join(words))}"
        # Hosts have processors of their own: other work does not take these, where root may say so.
        user = ["--user", "--preserve-credentials"]
        first, user = (["nice", "-n", "-19"], []) if os.geteuid() == 0 else ([], user)
        enter = [*first, "nsenter", "--target", str(self.pid), *user]
        names = ["--net", "--uts", "--ipc", "--mount", "--pid"]
        return [*enter, *names, "sh", "-c", inside]

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """Environment of commands in the cell.

        Launchers name their files after the number of their process. Cells use the same numbers
        again, so each has a folder of its own for temporary files.
        """
        own = {"BEFF_CELL": str(self.folder), "TMPDIR": str(self.folder / "tmp")}
        return {**os.environ, **own, **(extra or {})}

    @contextlib.contextmanager
    def start_run(
        self,
        host: str | None,
        words: Sequence[str | Path],
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Iterator[subprocess.Popen[str]]:
        """Start a command on a host; whatever it has started is ended with the context."""
        mark = f"{time.monotonic_ns()}"
        try:
            with subprocess.Popen(
                self.command(host, [str(word) for word in words], cwd),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                env=self.environment({_RUN_MARK: mark, **(env or {})}),
            ) as run:
                yield run
        finally:
            _kill_marked(f"{_RUN_MARK}={mark}")

    def run(
        self, host: str | None, *words: str | Path, timeout: float = 120, **more: Any
    ) -> subprocess.CompletedProcess[str]:
        """Run a command on a host to its end; `more` is what start_run() takes.

        Raises subprocess.TimeoutExpired after `timeout` seconds.
        """
        with self.start_run(host, words, **more) as run:
            try:
                output, errors = run.communicate(timeout=timeout)
            finally:
                run.kill()
        return subprocess.CompletedProcess(words, run.returncode, output, errors)

    def must(self, host: str | None, *words: str | Path, timeout: float = 120) -> str:
        """Run a command that must work; returns its output. Raises CellError."""
        done = self.run(host, *words, timeout=timeout)
        if done.returncode != 0:
            told = done.stderr.strip() or done.stdout.strip() or "without a message"
            raise CellError(f"{' '.join(map(str, words))}: exit code {done.returncode}: {told}")
        return done.stdout

    def start(
        self, host: str | None, *words: str | Path, env: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a command that goes on until the cell ends; it writes to services.log there."""
        with (self.folder / "services.log").open("ab") as log:
            return subprocess.Popen(
                self.command(host, [str(word) for word in words]),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self.environment(env),
                start_new_session=True,
            )

    def cut(self, host: int) -> None:
        """Take the link of a host down."""
        switch = _holder(self.folder, self.network.switch_of(host))
        self.must(None, *shlex.split(on(switch, f"ip link set p{host} down")))


@contextlib.contextmanager
def make_cell(network: Network) -> Iterator[Cell]:
    """Make a cell; it is gone when the context ends, and also when this process is killed.

    Raises CellError.
    """
    remove_leftovers()
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    for name in ("pids", "tmp", "boot_ids"):
        (folder / name).mkdir()
    (folder / "empty").touch()
    if not network.one_kernel:
        for name in network.host_names:
            (folder / "boot_ids" / name).write_text(f"{uuid.uuid4()}\n", encoding="ascii")
    (folder / "hosts").write_text(network.hosts_file(), encoding="ascii")
    (folder / "owner").write_text(str(os.getpid()), encoding="ascii")
    names = [*network.host_names, *network.switch_names]
    # The write end of this pipe is in no other process: when it closes, the cell ends.
    holder = subprocess.Popen(
        [*unsharing(), "sh", HERE / "cell.sh", folder, HERE / "host.sh", *names],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "BEFF_CELL": str(folder)},
        start_new_session=True,
    )
    try:
        pids = _wait_until_ready(holder, folder, names)
        cell = Cell(network, folder, _only_child(holder.pid))
        cell.must(None, "sh", "-e", "-c", "\n".join(construction(network, pids)))
        yield cell
    finally:
        _end(holder)
        shutil.rmtree(folder, ignore_errors=True)


def remove_leftovers() -> None:
    """Remove the folders of cells whose maker is gone; their processes have ended by themselves."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        owner = folder / "owner"
        if owner.exists() and not Path(f"/proc/{owner.read_text(encoding='ascii')}").exists():
            _kill_marked(f"BEFF_CELL={folder}")
            shutil.rmtree(folder, ignore_errors=True)


def _holder(folder: Path, name: str) -> int:
    return int((folder / "pids" / name).read_text(encoding="ascii"))


def _wait_until_ready(
    holder: subprocess.Popen[bytes], folder: Path, names: list[str]
) -> dict[str, int]:
    deadline = time.monotonic() + _READY_WITHIN_S
    while not all((folder / "pids" / name).exists() for name in names):
        if holder.poll() is not None or time.monotonic() > deadline:
            _end(holder)
            told = holder.stderr.read().decode(errors="replace").strip() if holder.stderr else ""
            raise CellError(f"the hosts of a cell did not start: {told or 'without a message'}")
        time.sleep(0.02)
    return {name: _holder(folder, name) for name in names}


def _only_child(pid: int) -> int:
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()[0])


def _end(holder: subprocess.Popen[bytes]) -> None:
    if holder.stdin is not None:
        holder.stdin.close()
    try:
        holder.wait(30)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(OSError, IndexError):
            os.kill(_only_child(holder.pid), signal.SIGKILL)
        holder.wait(30)


def processes_with(setting: str) -> list[int]:
    """Return the processes that have this setting in their environment, but for this one."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if setting.encode() in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
    return [process for process in found if process != os.getpid()]


def _kill_marked(setting: str) -> None:
    for process in processes_with(setting):
        with contextlib.suppress(OSError):
            os.kill(process, signal.SIGKILL)
