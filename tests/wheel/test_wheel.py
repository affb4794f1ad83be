"""The portable wheels: what stands in them, and this machine's in environments of its own.

No environment has a compiler. That of Intel's library gets its launcher and library alone, with the
libfabric of MPICH's package; its own dependencies are a gigabyte. test_foreign_wheel.py runs the
wheel for another processor.
"""

import json
import os
import re
import shutil
import subprocess
import venv
import zipfile
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

import pytest
from wheels import NATIVE, PROCESSORS, ROOT, needs_wheels, wheel_for

pytestmark = [needs_wheels, pytest.mark.timeout(900)]
BUILDS = {"mpich": "libmpi.so.12", "openmpi": "libmpi.so.40", "abi": "libmpi_abi.so.1"}
PROGRAMS = ("b_eff", "b_eff_io", "b_pairs")
GLIBC = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1"}
PIP = ["-m", "pip", "install", "--quiet", "--constraint", str(ROOT / "locked-versions.txt")]
# Open MPI waits busily, which takes minutes where others use the cores, too
YIELD = {"OMPI_MCA_mpi_yield_when_idle": "1"}
# what Intel's launcher calls, and what the launchers of all libraries call where they bind
TOOLS = (
    *("sh", "bash", "env", "uname", "hostname", "dirname", "readlink"),
    *("sed", "grep", "cat", "tr"),
)


@dataclass(frozen=True)
class Environment:
    """A virtual environment with the wheel, and what it needs to be told."""

    bin: Path
    library: str
    builds: tuple[str, ...]
    variables: dict[str, str] = field(default_factory=dict)

    def beff(self, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Run `beff`; on PATH are this environment and a few tools of the shell, no compiler.

        All symbols are looked up at the start, so that none is missing in a library of the wheel.
        """
        tools = self.bin.parent / "tools"
        tools.mkdir(exist_ok=True)
        for name in TOOLS:
            found = shutil.which(name)
            if found is not None and not (tools / name).exists():
                (tools / name).symlink_to(found)
        # of MPICH's variables those by which tests/conftest.py makes waiting processes give way
        keeps = re.compile("HOME|LANG|MPIR_CVAR_CH4_PROGRESS.*")
        kept = {name: value for name, value in os.environ.items() if keeps.fullmatch(name)}
        path = {"PATH": f"{self.bin}:{tools}", "LD_BIND_NOW": "1"}
        return subprocess.run(
            [self.bin / "beff", *arguments],
            cwd=cwd,
            env={**kept, **path, **self.variables},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )


def install(folder: Path, *packages: str) -> Path:
    """Make an environment with the packages; return its folder of programs."""
    venv.create(folder, with_pip=True, symlinks=True)
    subprocess.run([folder / "bin" / "python", *PIP, *packages], check=True, timeout=600)
    return folder / "bin"


def intel(folder: Path) -> Environment:
    """Intel's library. Skips where its package cannot be had."""
    bin_folder = install(folder, str(wheel_for(NATIVE)))
    wanted = [bin_folder / "python", *PIP, "--no-deps", "impi-rt"]
    if subprocess.run(wanted, timeout=600, check=False).returncode != 0:
        pytest.skip("the package impi-rt cannot be had; 'pip install impi-rt' tells why")
    fabric = next(install(folder / "mpich", "mpich").parent.rglob("libfabric.so.1"))
    variables = {
        "I_MPI_ROOT": str(folder),
        "I_MPI_FABRICS": "shm",
        "LD_LIBRARY_PATH": f"{folder / 'lib'}:{fabric.parent}",
    }
    return Environment(bin_folder, "Intel(R) MPI", ("mpich", "abi"), variables)


def of_the_system(folder: Path) -> Environment:
    """The Open MPI of the system. Skips where there is none."""
    found = shutil.which("mpiexec", path="/usr/bin")
    told = "" if found is None else subprocess.check_output([found, "--version"], text=True)
    if "Open MPI" not in told and "OpenRTE" not in told:
        pytest.skip(
            "/usr/bin/mpiexec is no Open MPI; install one (Debian: apt install openmpi-bin)"
        )
    bin_folder = install(folder, str(wheel_for(NATIVE)))
    variables = {**YIELD, "PATH": f"{bin_folder}:/usr/bin:/bin"}
    return Environment(bin_folder, "Open MPI", ("openmpi",), variables)


@pytest.fixture(scope="module", params=["mpich", "openmpi", "intel", "system"])
def environment(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Environment:
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "intel":
        return intel(folder)
    if request.param == "system":
        return of_the_system(folder)
    bin_folder = install(folder, f"{wheel_for(NATIVE)}[{request.param}]")
    if request.param == "mpich":
        return Environment(bin_folder, "MPICH", ("mpich", "abi"))
    return Environment(bin_folder, "Open MPI", ("openmpi",), YIELD)


@pytest.mark.parametrize("processor", PROCESSORS)
def test_a_wheel_holds_each_program_for_each_library(processor: str) -> None:
    names = zipfile.ZipFile(wheel_for(processor)).namelist()
    programs = {name for name in names if re.match(r"beff/programs/(?!licenses/).+[^/]$", name)}
    assert programs == {f"beff/programs/{build}/{name}" for build in BUILDS for name in PROGRAMS}
    assert "beff/result.schema.json" in names
    assert not [name for name in names if re.search(r"\.so\b|\.libs/", name)]


@pytest.mark.parametrize("processor", PROCESSORS)
@pytest.mark.parametrize("build", BUILDS)
def test_a_program_needs_no_more_than_the_name_of_the_wheel_says(
    processor: str, build: str
) -> None:
    elf = pytest.importorskip("elftools.elf.elffile")  # auditwheel brings it
    wheel = wheel_for(processor)
    named = [int(n) for n in re.findall(r"manylinux_2_(\d+)_", wheel.name)]
    for program in PROGRAMS:
        content = zipfile.ZipFile(wheel).read(f"beff/programs/{build}/{program}")
        file = elf.ELFFile(BytesIO(content))
        assert {"x64": "x86_64", "AArch64": "aarch64"}[file.get_machine_arch()] == processor
        needed = {tag.needed for tag in file.get_section_by_name(".dynamic").iter_tags("DT_NEEDED")}
        assert BUILDS[build] in needed
        loader = re.compile(r"ld-linux-.*\.so\.\d")
        assert {each for each in needed - GLIBC if not loader.match(each)} == {BUILDS[build]}
        versions = [
            version.name
            for section in file.iter_sections()
            if section.name == ".gnu.version_r"
            for _, wanted in section.iter_versions()
            for version in wanted
        ]
        newest = max(int(re.fullmatch(r"GLIBC_2\.(\d+)(\.\d+)?", name)[1]) for name in versions)
        assert newest <= min(named)


def test_doctor_says_which_and_why(environment: Environment, tmp_path: Path) -> None:
    told = environment.beff("doctor", "--processes", "2", "--json", cwd=tmp_path)
    assert told.returncode in (0, 3), told.stdout + told.stderr  # 3: doubts, as on a busy machine
    fields = json.loads(told.stdout)
    assert not fields["problems"]
    assert fields["mpi_build"]["name"] == environment.builds[0]
    assert environment.library in fields["mpi_build"]["library"]
    seen = fields["probe"]["environment"]
    assert environment.library in seen["mpi"]["library"]
    assert seen["cpu"]["threads"] >= 1


def measured(environment: Environment, result: Path, *arguments: str) -> None:
    """Measure with two processes; the result is complete and verified."""
    folder = ("--processes", "2", "--output-dir", str(result.parent))
    told = environment.beff("run", *folder, *arguments, cwd=result.parent.parent)
    assert result.exists(), told.stdout + told.stderr
    verified = environment.beff("verify", str(result), cwd=result.parent)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    document = json.loads(result.read_text(encoding="utf-8"))
    assert document["complete"]
    assert environment.library in document["environment"]["mpi"]["library"]


def test_every_build_that_can_run_measures(environment: Environment, tmp_path: Path) -> None:
    for build in environment.builds:
        short = ("--memory-per-process", "4MiB", "--", "--loop-time", "100us")
        result = tmp_path / build / "b_eff_2p.json"
        measured(environment, result, "--benchmark", "b_eff", "--mpi", build, *short)
        compiler = json.loads(result.read_text(encoding="utf-8"))["environment"]["compiler"]
        assert re.fullmatch(r"Clang \d+\.\d+\.\d+ with libc\+\+", compiler)


@pytest.mark.parametrize(
    ("program", "options"),
    [("b_eff_io", ("--path", ".", "--time", "10s")), ("b_pairs", ("--", "--duration", "1s"))],
)
def test_files_and_pairs_are_measured(
    environment: Environment, tmp_path: Path, program: str, options: tuple[str, ...]
) -> None:
    result = tmp_path / "out" / f"{program}_2p.json"
    measured(environment, result, "--benchmark", program, *options)


def test_without_a_library_the_way_out_is_told(tmp_path: Path) -> None:
    bare = Environment(install(tmp_path / "bare", str(wheel_for(NATIVE))), "", ())
    told = bare.beff("doctor", cwd=tmp_path)
    assert told.returncode == 1
    wheel = wheel_for(NATIVE).as_uri()
    assert f"'beff[mpich]@{wheel}'" in "".join(told.stdout.split())
