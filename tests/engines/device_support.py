"""Stand-ins for devices: drivers and an MPI library whose memory only they themselves may touch."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engines.support import Library, result_in, standin

SONAMES = {"cuda": "libcuda.so.1", "hip": "libamdhip64.so.6"}


@dataclass(frozen=True)
class Counted:
    """What a process asked of its device."""

    device: int
    allocated: int
    released: int
    copies: int
    wrong: int
    """Calls for memory of another device, or without a context."""
    locked: int
    """Pieces of the host's memory that the device was to reach without a copy on the way."""


@dataclass(frozen=True)
class StandIn:
    """A driver of `kind`, and unless `mpi` is false an MPI library that takes its buffers."""

    folder: Path
    library: Library
    kind: str = "cuda"
    mpi: bool = True
    flags: Sequence[str] = ()

    def environment(self, **settings: str) -> dict[str, str]:
        """Build it, and return what a run needs to find it."""
        source = "devices/standin_mpi.c" if self.mpi else "devices/standin_driver.c"
        name = SONAMES[self.kind]
        flags = (f"-D{self.kind.upper()}", f"-Wl,-soname,{name}", *self.flags)
        made = standin(self.library.headers, source, *flags, name=name)
        log = str(self.folder / "counted")
        return {"LD_PRELOAD": str(made), "BEFF_STANDIN_LOG": log, **settings}

    def counted(self) -> list[Counted]:
        """What the processes of the runs so far have counted, by device."""
        lines = [path.read_text(encoding="utf-8") for path in self.folder.glob("counted.*")]
        return sorted((Counted(*map(int, line.split())) for line in lines), key=lambda c: c.device)


def devices_in(folder: Path, prefix: str = "b_eff") -> list[dict[str, Any]]:
    """Those of the only group of hosts."""
    (group,) = result_in(folder, prefix)["environment"]["buffers"]["hosts"]
    devices: list[dict[str, Any]] = group["devices"]
    return devices


def assert_clean(counted: list[Counted], devices: list[int]) -> None:
    """Each process used its device alone, gave back all it had, and copied what it compared."""
    assert [one.device for one in counted] == devices
    for one in counted:
        assert one.allocated == one.released > 0
        assert one.copies > 0
        assert one.wrong == 0
