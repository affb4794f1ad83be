"""Stand-ins for the measuring programs and their launcher: small scripts with the same contract."""

import stat
import sys
from dataclasses import dataclass
from pathlib import Path

import beff_core_testing

_TESTS = Path(__file__).resolve().parents[3]
_FOLDERS = [_TESTS, _TESTS / "python", _TESTS.parent / "python"]
_CORE = Path(beff_core_testing.__file__).parent

_LAUNCHER = """\
import os, sys
arguments = sys.argv[1:]
if arguments == ["--version"]:
    print(os.environ.get("FAKE_LAUNCHER", "HYDRA build details:"))
    sys.exit(0)
while arguments[0].startswith("-"):
    option = arguments.pop(0)
    if option in ("-n", "-bind-to", "--bind-to", "-ppn", "-hosts"):
        value = arguments.pop(0)
        if option == "-n":
            os.environ["FAKE_PROCESSES"] = value
        if option == "-ppn" and value == "1":
            os.environ["FAKE_ROUND_ROBIN"] = "1"
os.execv(arguments[0], arguments)
"""

# What is asked most needs none of our packages.
_ENGINE = """\
import sys
if sys.argv[1:] == ["--version"]:
    print("{name} 9.9.9 (test)")
    sys.exit()
sys.path[:0] = {folders!r}
from support.programs.fake_engine import main
sys.exit(main({name!r}, sys.argv[1:]))
"""


@dataclass(frozen=True)
class Programs:
    """A folder with the three programs."""

    folder: Path

    @property
    def engine(self) -> Path:
        """The measuring program; the variable FAKE_ENGINE chooses what it does."""
        return self.folder / "b_eff"

    @property
    def io_engine(self) -> Path:
        """The program that measures files; the variable FAKE_IO_ENGINE chooses what it does."""
        return self.folder / "b_eff_io"

    @property
    def launcher(self) -> Path:
        """The launcher; the variable FAKE_LAUNCHER is what it prints for --version."""
        return self.folder / "mpiexec"

    def options(self) -> list[str]:
        """Options of `beff` that choose them; b_eff_io is found beside b_eff."""
        return ["--engine", str(self.engine), "--launcher", str(self.launcher)]


def write_script(path: Path, text: str, option: str = "") -> Path:
    """An executable Python script; of Python's options it may have one.

    To the kernel the path of a program ends at a blank, so a shell starts this one.
    """
    start = f"#!/bin/sh\n'''exec' \"{sys.executable}\" {option} \"$0\" \"$@\"\n' '''\n"
    path.write_text(start + text, encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def make_programs(folder: Path) -> Programs:
    """Write all programs into a folder."""
    programs = Programs(folder)
    write_script(programs.launcher, _LAUNCHER, "-IS")  # no packages, which take a while to find
    for path in (programs.engine, programs.io_engine):
        folders = [*map(str, (*_FOLDERS, _CORE))]
        write_script(path, _ENGINE.format(folders=folders, name=path.name))
    return programs
