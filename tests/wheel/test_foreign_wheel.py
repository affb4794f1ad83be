"""The wheel for aarch64 on another processor, emulated by QEMU.

This machine's MPICH starts the processes; each is one of QEMU with the wheel's program and the
MPICH for aarch64.
"""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from wheels import NATIVE, ROOT, needs_wheels, wheel_for

QEMU = shutil.which("qemu-aarch64")
SYSTEM = Path("/usr/aarch64-linux-gnu")
BIN = Path(sys.executable).parent
pytestmark = [
    needs_wheels,
    pytest.mark.timeout(900),
    pytest.mark.skipif(NATIVE == "aarch64", reason="the wheel for aarch64 is this machine's own"),
    pytest.mark.skipif(
        QEMU is None or not SYSTEM.is_dir(),
        reason="qemu-aarch64 or a C library for aarch64 is missing"
        " (Debian: apt install qemu-user libc6-arm64-cross)",
    ),
]
SHORT = {
    "b_eff": ("--memory-per-process", "4MiB", "--loop-time", "100us"),
    "b_eff_io": ("--path", ".", "--time", "10s"),
    "b_pairs": ("--duration", "1s"),
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Unpack wheel and MPICH as pip would install them; return the folder of the programs."""
    folder = tmp_path_factory.mktemp("aarch64")
    tags = ("--platform", "manylinux_2_28_aarch64", "--platform", "manylinux2014_aarch64")
    which = ("--no-deps", "--only-binary=:all:", "--constraint", str(ROOT / "locked-versions.txt"))
    load = [sys.executable, "-m", "pip", "download", "--quiet", *tags, *which, "mpich"]
    subprocess.run([*load, "--dest", str(folder)], check=True, timeout=600)
    zipfile.ZipFile(next(folder.glob("mpich-*.whl"))).extractall(folder)
    next(folder.glob("mpich-*.data/data/lib")).rename(folder / "lib")
    packages = folder / "lib" / "python3" / "site-packages"
    zipfile.ZipFile(wheel_for("aarch64")).extractall(packages)
    for program in packages.glob("beff/programs/*/b_*"):
        program.chmod(0o755)
    return packages / "beff" / "programs"


@pytest.mark.parametrize("build", ["mpich", "abi"])
@pytest.mark.parametrize("name", SHORT)
def test_two_processes_measure_and_are_verified(
    programs: Path, tmp_path: Path, name: str, build: str
) -> None:
    command = [BIN / "mpiexec", "-n", "2", QEMU, "-L", SYSTEM, programs / build / name]
    run = subprocess.run(
        [*command, *SHORT[name], "--output", "result"],
        cwd=tmp_path,
        # QEMU knows no process_vm_readv, with which MPICH reads the other's memory
        env={**os.environ, "MPIR_CVAR_CH4_CMA_ENABLE": "0"},
        capture_output=True,
        text=True,
        timeout=800,
        check=False,
    )
    result = tmp_path / "result.json"
    assert result.exists(), run.stdout + run.stderr
    verified = subprocess.run(
        [BIN / "beff", "verify", result], capture_output=True, text=True, check=False
    )
    assert verified.returncode == 0, verified.stdout + verified.stderr
    document = json.loads(result.read_text(encoding="utf-8"))
    assert document["complete"]
    assert document["environment"]["processes"] == 2
    assert document["environment"]["uname"]["machine"] == "aarch64"
