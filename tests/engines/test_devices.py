"""Buffers in the memory of devices, of which a stand-in ends every process that touches them."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from support.reports import beside
from typer.testing import CliRunner

from beff.cli.app import make_app
from engines.device_support import (
    SONAMES,
    StandIn,
    assert_clean,
    devices_in,
    files_go_through_the_host,
)
from engines.processes import long_run
from engines.support import MPICH, OPENMPI, SHORT, Library, assert_verified, result_in, unmet

pytestmark = pytest.mark.thorough

ENDLESS = ("--memory-per-process", "4MiB", "--repetitions", "1000", "--progress", "never")
FEW = (*SHORT, "--patterns", "0,5", "--repetitions", "1")
FIRST_SIZE = (
    *("--progress", "never", "--patterns", "5", "--sizes", "0", "--repetitions", "1"),
    *("--loop-time", "100us"),
)
"""With all the memory that there is."""
CUDA = ("--memory", "cuda")
MIB = 1 << 20


DRIVERS = {
    "cuda": ("CUDA 12.4", "MPIX_Query_cuda_support"),
    "hip": ("HIP 6.3.42134", "MPIX_Query_rocm_support"),
}


@pytest.mark.parametrize(
    ("library", "kind"),
    [(MPICH, "cuda"), (MPICH, "hip"), (OPENMPI, "cuda"), (OPENMPI, "hip")],
    ids=["mpich-cuda", "mpich-hip", "openmpi-cuda", "openmpi-hip"],
)
def test_all_methods_move_buffers_of_a_device(tmp_path: Path, library: Library, kind: str) -> None:
    api, said = DRIVERS[kind]
    stand_in = StandIn(tmp_path, library, kind)
    run = library.run(
        2,
        *(*FEW, "--memory", kind, "--methods", "all", "--sizes", "0,12,20"),
        cwd=tmp_path,
        env=stand_in.environment(),
    )
    assert run.returncode == 3, run.stderr
    assert_verified(tmp_path)
    result = result_in(tmp_path)
    assert result["data_check"]["messages_checked"] > 0
    assert {"device buffers confirmed", "a device for each process"} <= unmet(result)
    assert "data" not in unmet(result)
    (shared,) = [c for c in result["cautions"] if c["code"] == "shared device"]
    assert shared["facts"] == {"processes": 2, "device": "ffff:00:00.0"}
    (unseen,) = [c for c in result["cautions"] if c["code"] == "device buffers not seen"]
    assert result["environment"]["mpi"]["library"].startswith(unseen["facts"]["library"])
    assert all(rate > 0 for rate in result["environment"]["buffers"]["roofs"].values())
    assert result["accounting"]["preparation_and_checks_s"] > 0
    buffers = result["environment"]["buffers"]
    assert (buffers["memory"], buffers["mpi_said"], buffers["confirmed"]) == (kind, said, False)
    assert devices_in(tmp_path) == [
        {
            "name": "stand-in 0",
            "driver": None,  # no machine of tests has the kernel's module
            "api": api,
            "sharing": None,
            "pci_address": "ffff:00:00.0",
            "on_pci_bus": False,
            "numa_node": None,
            "memory_bytes": 256 * MIB,
            "processes": [0, 1],
        }
    ]
    assert_clean(stand_in.counted(), [0, 0])
    protocol = (tmp_path / "b_eff.txt").read_text(encoding="utf-8")
    assert f"{kind} memory" in protocol
    assert "ffff:00:00.0" in protocol


LONG_BEFORE_LOOPS = 3
"""Calls for more than one byte: a long message of the host, 4 KiB and L_max that are tried."""


def test_wrong_bytes_in_such_memory_are_found(tmp_path: Path) -> None:
    """MPI moves one byte less than it is asked to; what lay there may be what was to come."""
    stand_in = StandIn(tmp_path, MPICH, flags=(f"-DLOSES_A_BYTE={LONG_BEFORE_LOOPS}",))
    run = MPICH.run(
        2,
        *(*FEW, *CUDA, "--methods", "sendrecv", "--sizes", "12"),
        cwd=tmp_path,
        env=stand_in.environment(),
    )
    assert run.returncode == 3, run.stderr
    check = result_in(tmp_path)["data_check"]
    assert check["wrong_messages"] > 0.8 * check["messages_checked"] > 0


@pytest.mark.parametrize("program", ["b_eff", "b_pairs"])
@pytest.mark.parametrize("fault", ["-DLOSES_A_BYTE=1", "idle_copies"])
def test_messages_that_come_wrong_are_not_measured(
    tmp_path: Path, fault: str, program: str
) -> None:
    """They are tried before, and the way out is that of the library in use."""
    flags = (fault,) if fault.startswith("-D") else ()
    env = StandIn(tmp_path, OPENMPI, flags=flags).environment(BEFF_STANDIN_FAIL=fault)
    options = FEW if program == "b_eff" else ("--duration", "200ms", "--progress", "never")
    run = OPENMPI.run(2, *options, *CUDA, cwd=tmp_path, env=env, program=program)
    assert run.returncode == 1, run.stderr
    (line,) = [line for line in run.stderr.splitlines() if line.startswith(f"{program}: ")]
    assert "OMPI_MCA_pml=ob1" in line
    assert "MPICH" not in line
    assert not (tmp_path / f"{program}.json").exists()


def test_library_that_dies_of_such_memory_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says yes, and a process ends by a signal in the first message."""
    env = StandIn(tmp_path, MPICH).environment(BEFF_STANDIN_FAIL="messages")
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    run = CliRunner().invoke(
        make_app(),
        [
            *("run", "--benchmark", "b_eff", "--engine", str(MPICH.programs / "b_eff")),
            *("--launcher", *MPICH.mpiexec, "-n", "2", "--output-dir", str(tmp_path / "out")),
            *("--memory-per-process", "4MiB", "--", "--patterns", "5", *CUDA),
        ],
    )
    for part in (
        "SIGSEGV",
        "left no result",
        "by sendrecv",
        "MPIX_Query_cuda_support",
        "MPIR_CVAR_ENABLE_GPU",
    ):
        assert part in run.output
    assert "beff show" not in run.output


@pytest.mark.parametrize("memory", ["host", "cuda"])
def test_method_beside_the_value_that_fails_is_left_out(
    tmp_path: Path, library: Library, memory: str
) -> None:
    env = StandIn(tmp_path, library).environment(BEFF_STANDIN_FAIL="windows")
    run = library.run(
        2,
        *(*FEW, "--memory", memory, "--methods", "all", "--sizes", "0,12,20"),
        cwd=tmp_path,
        env=env,
    )
    assert run.returncode == 3, run.stderr
    assert_verified(tmp_path)
    result = result_in(tmp_path)
    assert result["complete"]
    (caution,) = [c for c in result["cautions"] if c["code"] == "method not measured"]
    assert caution["facts"]["method"] == "put_fence"
    assert caution["facts"]["why"].startswith("MPI_Win_create: ")
    assert result["methods"][-1] == "put_fence"
    assert not any(method == 5 for method in result["samples"]["method"])
    journal = tmp_path / "b_eff.journal.jsonl"
    lines = journal.read_text(encoding="utf-8").splitlines(keepends=True)
    journal.write_text("".join(lines[:-1]), encoding="utf-8")  # as if killed
    (tmp_path / "b_eff.json").unlink()
    recovered = CliRunner().invoke(make_app(), ["show", str(journal), "-o", beside(journal)])
    assert recovered.exit_code == 0, recovered.output
    assert_verified(tmp_path)
    assert "complete" not in unmet(result_in(tmp_path))


def test_nothing_but_what_fails_is_refused(tmp_path: Path) -> None:
    env = StandIn(tmp_path, MPICH).environment(BEFF_STANDIN_FAIL="windows")
    run = MPICH.run(2, *FEW, "--methods", "put_fence", cwd=tmp_path, env=env)
    assert run.returncode == 1
    assert "MPI_Win_create" in run.stderr


def test_pairs_meet_by_buffers_of_devices(tmp_path: Path) -> None:
    stand_in = StandIn(tmp_path, OPENMPI)
    run = OPENMPI.run(
        2,
        *(*CUDA, "--duration", "200ms", "--memory-per-process", "4MiB", "--progress", "never"),
        *("--bisection", "--message-size", "64KiB"),
        cwd=tmp_path,
        env=stand_in.environment(BEFF_STANDIN_DEVICES="2"),
        program="b_pairs",
    )
    assert run.returncode == 3, run.stderr
    assert_verified(tmp_path, "b_pairs")
    result = result_in(tmp_path, "b_pairs")
    assert unmet(result) == {"device buffers confirmed"}
    assert result["roofs"]["copy_MBps_per_process"] is None
    assert len(devices_in(tmp_path, "b_pairs")) == 2
    for one, device in zip(stand_in.counted(), (0, 1), strict=True):
        assert (one.device, one.wrong) == (device, 0)
        assert one.allocated == one.released == 6


def test_files_go_through_the_host(tmp_path: Path) -> None:
    files_go_through_the_host(tmp_path, MPICH)


def test_parts_of_a_device_are_not_shared(tmp_path: Path) -> None:
    """Two with one address on the PCI bus, as tiles and instances have."""
    stand_in = StandIn(tmp_path, MPICH)
    env = stand_in.environment(BEFF_STANDIN_DEVICES="2", BEFF_STANDIN_PARTS="2")
    run = MPICH.run(2, *FIRST_SIZE, *CUDA, cwd=tmp_path, env=env)
    assert run.returncode == 3, run.stderr
    devices = devices_in(tmp_path)
    assert [device["processes"] for device in devices] == [[0], [1]]
    assert {device["sharing"] for device in devices} == {"MIG"}
    assert "a device for each process" not in unmet(result_in(tmp_path))
    assert {device["pci_address"] for device in devices} == {"ffff:00:00.0"}
    assert result_in(tmp_path)["environment"]["memory_per_process_bytes"] == 256 * MIB


@pytest.mark.parametrize(
    ("lines", "processes", "used", "per_process"),
    [
        (None, [[0], [1]], [0, 1], 256),
        ("1 # the far one\n\n1\n", [[0, 1]], [1, 1], 128),
    ],
)
def test_device_of_each_process(
    tmp_path: Path, lines: str | None, processes: list[list[int]], used: list[int], per_process: int
) -> None:
    """L_max is that of the memory that each has of its device."""
    stand_in = StandIn(tmp_path, MPICH)
    options = [*FIRST_SIZE]
    if lines is not None:
        (tmp_path / "devices").write_text(lines, encoding="utf-8")
        options += ["--device", "devices"]
    env = stand_in.environment(BEFF_STANDIN_DEVICES="2", BEFF_STANDIN_MPS="1")
    run = MPICH.run(2, *CUDA, *options, cwd=tmp_path, env=env)
    assert run.returncode == 3, run.stderr
    assert [device["processes"] for device in devices_in(tmp_path)] == processes
    assert {device["sharing"] for device in devices_in(tmp_path)} == {"MPS"}
    assert_clean(stand_in.counted(), used)
    result = result_in(tmp_path)
    assert result["environment"]["memory_per_process_bytes"] == per_process * MIB
    assert result["summary"]["lmax_bytes"] == per_process * MIB // 128


def refused(run: Any, program: str = "b_eff") -> str:
    assert run.returncode == 2, run.stderr
    (line,) = [line for line in run.stderr.splitlines() if line.startswith(f"{program}: ")]
    return str(line)


@pytest.mark.parametrize(
    ("settings", "flags", "said"),
    [
        ({"BEFF_STANDIN_FAIL": "no_device"}, (), "no device"),
        ({"BEFF_STANDIN_FAIL": "busy"}, (), "CUDA_ERROR_DEVICE_UNAVAILABLE"),
        ({"BEFF_STANDIN_MPI": "no"}, (), "MPIR_CVAR_ENABLE_GPU"),
        ({}, ("-DOLD_DRIVER",), "cuGetErrorName"),
    ],
)
def test_what_is_missing_is_said_in_a_sentence(
    tmp_path: Path, settings: dict[str, str], flags: tuple[str, ...], said: str
) -> None:
    env = StandIn(tmp_path, MPICH, flags=flags).environment(**settings)
    assert said in refused(MPICH.run(2, *FEW, *CUDA, cwd=tmp_path, env=env))


@pytest.mark.parametrize("lines", ["0\n", "0\n7\n", None])
def test_bad_file_of_devices_is_refused(tmp_path: Path, lines: str | None) -> None:
    if lines is not None:
        (tmp_path / "devices").write_text(lines, encoding="utf-8")
    env = StandIn(tmp_path, MPICH).environment()
    run = MPICH.run(2, *FEW, *CUDA, "--device", "devices", cwd=tmp_path, env=env)
    assert "--device" in refused(run)


@pytest.mark.parametrize("program", ["b_eff", "b_pairs", "b_eff_io"])
@pytest.mark.parametrize("kind", SONAMES)
def test_machine_without_driver_is_told(tmp_path: Path, kind: str, program: str) -> None:
    path = ("--path", ".") if program == "b_eff_io" else ()
    run = MPICH.run(2, *path, "--memory", kind, cwd=tmp_path, program=program)
    assert SONAMES[kind] in refused(run, program)
    assert not list(tmp_path.glob("*.json*"))


@pytest.mark.parametrize("option", [("--device", "3"), ("--memory-unsafe",)])
def test_options_of_devices_need_one(tmp_path: Path, option: tuple[str, ...]) -> None:
    said = refused(MPICH.run(1, *FEW, *option, cwd=tmp_path))
    assert f"{' '.join(option)}: is for buffers on a device" in said


def test_all_are_told_once_and_auto_goes_on(tmp_path: Path) -> None:
    assert "--memory cuda" in refused(OPENMPI.run(4, *FEW, *CUDA, cwd=tmp_path))
    run = MPICH.run(2, *FEW, "--memory", "auto", "--sizes", "0", cwd=tmp_path)
    assert run.returncode == 3, run.stderr
    assert result_in(tmp_path)["environment"]["buffers"] is None


def test_library_that_takes_no_such_buffers_is_not_tried(tmp_path: Path, library: Library) -> None:
    env = StandIn(tmp_path, library, mpi=False).environment()
    run = library.run(2, *FEW, *CUDA, cwd=tmp_path, env=env)
    assert "MPIX_Query_cuda_support" in refused(run)


def test_touching_such_memory_ends_the_process(tmp_path: Path) -> None:
    """What the other tests rest on: here MPI itself does, as it does not know of the memory."""
    env = StandIn(tmp_path, MPICH, mpi=False).environment()
    run = MPICH.run(2, *FEW, *CUDA, "--memory-unsafe", cwd=tmp_path, env=env)
    assert run.returncode not in (0, 2, 3)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"BEFF_STANDIN_MPI": "no"}, None),
        (
            {"BEFF_STANDIN_MPI": "no", "BEFF_STANDIN_KINDS": "system,cuda:managed:device"},
            "mpi_memory_alloc_kinds",
        ),
    ],
)
def test_who_says_that_mpi_takes_them(
    tmp_path: Path, settings: dict[str, str], said: str | None
) -> None:
    env = StandIn(tmp_path, MPICH).environment(**settings)
    run = MPICH.run(2, *FEW, *CUDA, "--sizes", "0", "--memory-unsafe", cwd=tmp_path, env=env)
    assert run.returncode == 3, run.stderr
    assert result_in(tmp_path)["environment"]["buffers"]["mpi_said"] == said


@pytest.mark.parametrize(("says", "memory"), [("yes", "cuda"), ("no", None)])
def test_auto_takes_what_mpi_takes(tmp_path: Path, says: str, memory: str | None) -> None:
    env = StandIn(tmp_path, MPICH).environment(BEFF_STANDIN_MPI=says)
    run = MPICH.run(2, *FEW, "--memory", "auto", "--sizes", "0", cwd=tmp_path, env=env)
    assert run.returncode == 3, run.stderr
    buffers = result_in(tmp_path)["environment"]["buffers"]
    assert (None if buffers is None else buffers["memory"]) == memory
    reasons = [c for c in result_in(tmp_path)["cautions"] if c["code"] == "memory of hosts chosen"]
    assert len(reasons) == (memory is None)
    assert ("--memory auto" in run.stderr) == (memory is None)
    assert ("device buffers confirmed" in unmet(result_in(tmp_path))) == (memory is not None)


def test_device_without_memory_left_fails(tmp_path: Path) -> None:
    env = StandIn(tmp_path, MPICH).environment(BEFF_STANDIN_FAIL="out_of_memory")
    run = MPICH.run(2, *FEW, *CUDA, cwd=tmp_path, env=env)
    assert run.returncode == 1
    for part in ("message buffers", "ffff:00:00.0", "of its 256 MiB are 16 MiB free", "240 MiB in"):
        assert part in run.stderr


def test_lost_device_ends_the_run_whose_journal_says_where_buffers_lay(tmp_path: Path) -> None:
    env = StandIn(tmp_path, MPICH).environment(BEFF_STANDIN_FAIL="lost")
    run = MPICH.run(2, *ENDLESS, *CUDA, cwd=tmp_path, env=env)
    assert run.returncode != 0
    assert "cuMemcpy" in run.stderr
    assert "CUDA_ERROR" in run.stderr
    journal = tmp_path / "b_eff.journal.jsonl"
    recovered = CliRunner().invoke(make_app(), ["show", str(journal), "-o", beside(journal)])
    assert recovered.exit_code == 0, recovered.output
    assert "device buffers confirmed" in unmet(result_in(tmp_path))
    assert devices_in(tmp_path)[0]["processes"] == [0, 1]
    assert_verified(tmp_path)


def test_terminated_run_gives_its_memory_back(tmp_path: Path) -> None:
    stand_in = StandIn(tmp_path, MPICH)
    options = [*ENDLESS, *CUDA]
    with long_run(MPICH, "b_eff", options, tmp_path, samples=20, env=stand_in.environment()) as run:
        run.send(signal.SIGTERM)
    assert result_in(tmp_path)["environment"]["buffers"]["memory"] == "cuda"
    assert_verified(tmp_path)
    assert_clean(stand_in.counted(), [0, 0])


def test_more_memory_than_a_device_has_is_refused(tmp_path: Path) -> None:
    env = StandIn(tmp_path, MPICH).environment()
    run = MPICH.run(2, *CUDA, "--memory-per-process", "200MiB", cwd=tmp_path, env=env)
    assert "128 MiB" in refused(run)


def test_plan_of_a_job_is_that_of_the_device(tmp_path: Path) -> None:
    env = StandIn(tmp_path, MPICH).environment()
    run = MPICH.run(2, "--plan", *CUDA, cwd=tmp_path, env=env)
    assert "L_max = 1 MiB = 1048576 byte" in run.stdout, run.stderr


def test_plan_counts_the_check_of_what_lies_on_a_device(tmp_path: Path) -> None:
    env = StandIn(tmp_path, MPICH).environment()
    options = ("--plan=json", "--memory-per-process", "4MiB")
    runs = [MPICH.run(2, *options, *more, cwd=tmp_path, env=env) for more in ((), CUDA)]
    host, device = (json.loads(run.stdout)["expected_s"] for run in runs)
    assert host < device < 1.3 * host
