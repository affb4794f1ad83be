"""Which of the wheel's programs is taken, and which command adds an extra."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from support.machines.measure import flat
from support.machines.result import make_map
from support.programs.programs import Programs, write_script

from beff.cli.app import main
from beff.launch import engine, mpi_build, target
from beff.launch.allocation import Allocation
from beff.launch.engine import MpiFamily, install_command, repository
from beff.launch.launcher import Flavour, Launcher
from beff.launch.mpi_build import LIBRARIES, MpiLibrary, choose_build, require_fit, uses_packed
from beff.result.errors import LaunchError, WrongUsageError

MPICH = "MPICH Version: 5.0.2"
INTEL = "Intel(R) MPI Library 2021.19 for Linux* OS"
OPEN_MPI = "Open MPI v5.0.11, package: x"


@pytest.fixture(autouse=True)
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed wheel, without programs so far; nothing was built here."""
    monkeypatch.delenv("BEFF_MPI", raising=False)
    monkeypatch.setattr(mpi_build, "own_folder", lambda: tmp_path / "bin")
    monkeypatch.setattr(mpi_build, "packed_programs", lambda: tmp_path / "programs")
    return tmp_path / "programs"


def pack(folder: Path, **libraries: str) -> None:
    """Programs as in the wheel; those whose library is not named do not find theirs."""
    for name, file in LIBRARIES.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        text = f"import sys\nsys.exit('b_eff: error while loading shared libraries: {file}: no')"
        if name in libraries:
            text = f"print('b_eff 1 (x)\\nMPI library: {libraries[name]}')"
        write_script(folder / name / "b_eff", text)


def pack_one(program: Path, runs: str) -> None:
    """A program with MPICH that runs some lines of Python."""
    program.parent.mkdir(parents=True, exist_ok=True)
    says = f"{program.name} 2 (y)\nMPI library: {MPICH}"
    asked = f"if sys.argv[1:] == ['--version']: sys.exit(print({says!r}))"
    write_script(program, f"import os, shutil, sys\n{asked}\n{runs}")


def launcher(flavour: Flavour) -> Launcher:
    return Launcher(Path("/l/mpiexec"), flavour)


@pytest.mark.parametrize(
    ("libraries", "flavour", "taken"),
    [
        ({"mpich": MPICH, "abi": MPICH}, Flavour.HYDRA, "mpich"),
        ({"mpich": INTEL, "abi": INTEL}, Flavour.INTEL, "mpich"),
        ({"abi": MPICH}, Flavour.HYDRA, "abi"),
        ({"mpich": MPICH, "openmpi": OPEN_MPI}, Flavour.OPEN_MPI, "openmpi"),
        ({"mpich": MPICH, "abi": OPEN_MPI}, Flavour.OPEN_MPI, "abi"),
        # Open MPI 1.10 called its library so, too
        ({"mpich": "Open MPI v1.10.7", "abi": MPICH}, Flavour.HYDRA, "abi"),
        ({"openmpi": OPEN_MPI, "abi": MPICH}, Flavour.SRUN, "openmpi"),
    ],
)
def test_library_and_launcher_decide(
    packed: Path, libraries: dict[str, str], flavour: Flavour, taken: str
) -> None:
    pack(packed, **libraries)
    build = choose_build("b_eff", launcher(flavour))
    assert (build.name, build.library) == (taken, libraries[taken])
    assert build.engine == packed / taken / "b_eff"
    assert f"{LIBRARIES[taken]} is {libraries[taken]}" in build.reason


def test_nothing_suits(packed: Path) -> None:
    pack(packed, openmpi=OPEN_MPI)
    with pytest.raises(LaunchError) as told:
        choose_build("b_eff", launcher(Flavour.HYDRA))
    text = str(told.value)
    assert "/l/mpiexec (MPICH) starts" in text
    assert "mpich: libmpi.so.12 is not found" in text
    assert f"openmpi: libmpi.so.40 is {OPEN_MPI}" in text
    assert install_command("mpich") in text


def test_a_build_can_be_chosen(packed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack(packed, mpich=INTEL, abi=INTEL)
    intel = launcher(Flavour.INTEL)
    monkeypatch.setenv("BEFF_MPI", "abi")
    build = choose_build("b_eff", intel)
    assert (build.name, build.reason) == ("abi", "chosen by BEFF_MPI")
    build = choose_build("b_eff", intel, "mpich")
    assert (build.name, build.reason) == ("mpich", "chosen by --mpi")
    with pytest.raises(WrongUsageError, match=r"--mpi openmpi: .*libmpi.so.40 is not found"):
        choose_build("b_eff", intel, "openmpi")
    with pytest.raises(WrongUsageError, match=r"--mpi lam: .* mpich"):
        choose_build("b_eff", intel, "lam")


def test_a_program_that_was_built_here_comes_first(packed: Path) -> None:
    assert not uses_packed(None, None)
    with pytest.raises(WrongUsageError, match="--mpi abi: "):
        uses_packed(None, "abi")
    pack(packed, mpich=MPICH)
    assert uses_packed(None, None)
    assert not uses_packed(Path("/x/b_eff"), None)
    with pytest.raises(WrongUsageError, match="leave one of the two out"):
        uses_packed(Path("/x/b_eff"), "abi")
    own = packed.parent / "bin"
    own.mkdir()
    write_script(own / "b_eff", "")
    assert not uses_packed(None, None)
    assert uses_packed(None, "abi")


def test_the_job_for_kubernetes_starts_a_process_in_each_slot(
    packed: Path, programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = Path(__file__).resolve().parents[3] / "packaging" / "containers" / "mpijob.yaml"
    spec = yaml.safe_load(job.read_text(encoding="utf-8"))["spec"]
    pods, slots = spec["mpiReplicaSpecs"]["Worker"]["replicas"], spec["slotsPerWorker"]
    folder = packed.parent
    (folder / "map").write_text(json.dumps(make_map(flat(pods))), encoding="utf-8")
    written = "sys.argv[sys.argv.index('--output') + 1] + '.json'"
    pack_one(packed / "mpich" / "b_pairs", f"shutil.copy({str(folder / 'map')!r}, {written})")
    pack_one(packed / "mpich" / "b_eff", f"os.execv({str(programs.engine)!r}, sys.argv)")
    hosts = "".join(f"beff-worker-{pod}.beff.default.svc:{slots}\n" for pod in range(pods))
    (folder / "hosts").write_text(hosts, encoding="utf-8")
    monkeypatch.setenv("HYDRA_HOST_FILE", str(folder / "hosts"))
    monkeypatch.chdir(folder)
    (container,) = spec["mpiReplicaSpecs"]["Launcher"]["template"]["spec"]["containers"]
    name, *words = container["command"]
    assert name == "beff"
    assert main([*words, "--launcher", str(programs.launcher)]) == 0
    found = {path.name for path in (folder / "results" / "beff").glob("b_*p.json")}
    assert found == {f"{name}_{pods * slots}p.json" for name in ("b_eff", "b_pairs")}


HYDRA = launcher(Flavour.HYDRA)
SRUN = Launcher(Path("/usr/bin/srun"), Flavour.SRUN)
FOREIGN = Launcher(Path("/l/mpirun"), Flavour.OPEN_MPI)
ENGINE = Path("/v/bin/b_eff")
OF_A_PACKAGE = MpiLibrary(Path("/v/lib/libmpi.so.12"), "MPICH Version: 5.0.2", "mpich")
OF_THE_SITE = MpiLibrary(Path("/opt/lib/libmpi.so.12"), "MPICH Version: 4.3", "")


def linked_with(monkeypatch: pytest.MonkeyPatch, library: MpiLibrary | None) -> None:
    monkeypatch.setattr(mpi_build, "library_of", lambda _: library)
    monkeypatch.setattr(mpi_build, "mpi_family", lambda _: MpiFamily.MPICH)


@pytest.mark.parametrize(
    ("library", "launcher", "allocation", "reason"),
    [
        (OF_A_PACKAGE, HYDRA, Allocation(8, 4), "the job has 4 nodes"),
        (OF_A_PACKAGE, SRUN, Allocation(8, 2), "the job has 2 nodes"),
        (OF_A_PACKAGE, FOREIGN, None, "/l/mpirun is of another MPI"),
        (OF_A_PACKAGE, HYDRA, None, None),
        (OF_A_PACKAGE, HYDRA, Allocation(8, 1), None),
        (OF_A_PACKAGE, SRUN, Allocation(8, None), None),
        (OF_THE_SITE, FOREIGN, Allocation(8, 4), None),
        (None, FOREIGN, Allocation(8, 4), None),
    ],
)
def test_refused_on_several_nodes_and_under_a_foreign_launcher(
    monkeypatch: pytest.MonkeyPatch,
    library: MpiLibrary | None,
    launcher: Launcher,
    allocation: Allocation | None,
    reason: str | None,
) -> None:
    linked_with(monkeypatch, library)
    if reason is None:
        require_fit(ENGINE, launcher, allocation)
        return
    with pytest.raises(LaunchError) as told:
        require_fit(ENGINE, launcher, allocation)
    for part in ("Python package mpich", reason, "tools/site_build", f"--engine {ENGINE}"):
        assert part in str(told.value)


def test_a_program_that_is_named_is_taken_as_it_is(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """beff run refuses the program that it has found itself, before a folder is made."""
    linked_with(monkeypatch, OF_A_PACKAGE)
    monkeypatch.setattr(target, "find_allocation", lambda: Allocation(2, 2))
    monkeypatch.setattr(target, "own_folder", lambda: programs.folder)
    monkeypatch.chdir(tmp_path)
    command = ["run", "--benchmark", "b_eff", "--output-dir", "out"]
    launcher = ["--launcher", str(programs.launcher)]
    assert main([*command, *launcher]) == 1
    assert not (tmp_path / "out").exists()
    assert main([*command, *launcher, "--engine", str(programs.engine)]) == 0


# --- which command adds an extra, by what pip has noted of where beff came from ---

WHEEL = "file:///opt/beff-0.1.0-py3-none-linux.whl"
FORGE = "https://forge.example/beff.git"
COMMIT = "0123456789012345678901234567890123456789"


VCS = {"vcs": "git", "commit_id": COMMIT}
SOURCE = f"git+{FORGE}@{COMMIT}"


@pytest.mark.parametrize(
    ("record", "command", "of_git"),
    [
        (None, "pip install 'beff[list]'", None),
        ({"url": "{folder}/gone", "dir_info": {}}, "pip install 'beff[list]'", None),
        ({"url": "{folder}/my%20beff", "dir_info": {}}, "pip install '{path}/my beff[list]'", None),
        ({"url": WHEEL, "archive_info": {}}, f"pip install 'beff[list] @ {WHEEL}'", None),
        ({"url": FORGE, "vcs_info": VCS}, f"pip install 'beff[list] @ {SOURCE}'", SOURCE),
    ],
    ids=["index", "folder that is gone", "folder", "wheel", "repository"],
)
def test_an_extra_is_added_from_where_beff_came_from(
    record: dict[str, Any] | None,
    command: str,
    of_git: str | None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    (tmp_path / "my beff").mkdir()
    found = record and {**record, "url": record["url"].format(folder=tmp_path.as_uri())}
    noted = {"direct_url.json": found and json.dumps(found)}
    installed = SimpleNamespace(read_text=noted.__getitem__)
    monkeypatch.setattr(engine, "distribution", lambda _: installed)
    assert install_command("list") == command.format(path=tmp_path)
    assert repository() == of_git
