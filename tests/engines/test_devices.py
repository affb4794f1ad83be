"""Buffers in the memory of devices, of which a stand-in ends every process that touches them."""

import signal
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from support.reports import beside

from beff.cli.app import main
from engines.b_eff_io.io_support import TINY, io_measured
from engines.device_support import SONAMES, StandIn, assert_clean, devices_in
from engines.processes import long_run
from engines.support import (
    ENDLESS,
    MPICH,
    OPENMPI,
    SHORT,
    Library,
    assert_verified,
    measured,
    result_in,
    unmet,
)

pytestmark = pytest.mark.thorough

FEW = (*SHORT, "--patterns", "0,5", "--repetitions", "1")
FIRST_SIZE = (
    *("--progress", "never", "--patterns", "5", "--sizes", "0", "--repetitions", "1"),
    *("--loop-time", "100us"),
)
"""With all the memory that there is."""
CUDA = ("--memory", "cuda")
MIB = 1 << 20
IO = (*TINY, "--time", "2s", *CUDA)


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
    options = (*FEW, "--memory", kind, "--methods", "all", "--sizes", "0,12,20")
    result, run = measured(library, tmp_path, *options, env=stand_in.environment())
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
    assert f"{kind} memory" in run.stdout
    assert "ffff:00:00.0" in run.stdout


LONG_BEFORE_LOOPS = 3
"""Calls for more than one byte: a long message of the host, 4 KiB and L_max that are tried."""


def test_wrong_bytes_in_such_memory_are_found(tmp_path: Path) -> None:
    """MPI moves one byte less than it is asked to; what lay there may be what was to come."""
    stand_in = StandIn(tmp_path, MPICH, flags=(f"-DLOSES_A_BYTE={LONG_BEFORE_LOOPS}",))
    options = (*FEW, *CUDA, "--methods", "sendrecv", "--sizes", "12")
    result, _ = measured(MPICH, tmp_path, *options, env=stand_in.environment())
    check = result["data_check"]
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
    command = [
        *("run", "--benchmark", "b_eff", "--engine", str(MPICH.programs / "b_eff")),
        *("--launcher", *MPICH.mpiexec, "-n", "2", "--output-dir", str(tmp_path / "out")),
        *("--memory-per-process", "4MiB", "--", "--patterns", "5", *CUDA),
    ]
    with redirect_stderr(StringIO()) as printed:
        main(command)
    said = printed.getvalue()
    for part in (
        "SIGSEGV",
        "left no result",
        "by sendrecv",
        "MPIX_Query_cuda_support",
        "MPIR_CVAR_ENABLE_GPU",
    ):
        assert part in said
    assert "beff show" not in said


@pytest.mark.parametrize("memory", ["host", "cuda"])
def test_method_beside_the_value_that_fails_is_left_out(
    tmp_path: Path, library: Library, memory: str
) -> None:
    env = StandIn(tmp_path, library).environment(BEFF_STANDIN_FAIL="windows")
    options = (*FEW, "--memory", memory, "--methods", "all", "--sizes", "0,12,20")
    result, _ = measured(library, tmp_path, *options, env=env)
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
    assert main(["show", str(journal), "-o", beside(journal)]) == 0
    assert_verified(tmp_path)
    assert "complete" not in unmet(result_in(tmp_path))


def test_pairs_meet_by_buffers_of_devices(tmp_path: Path) -> None:
    stand_in = StandIn(tmp_path, OPENMPI)
    options = (*CUDA, "--duration", "200ms", "--memory-per-process", "4MiB", "--progress", "never")
    options += ("--bisection", "--message-size", "64KiB")
    env = stand_in.environment(BEFF_STANDIN_DEVICES="2")
    result, _ = measured(OPENMPI, tmp_path, *options, env=env, program="b_pairs")
    assert unmet(result) == {"device buffers confirmed"}
    assert result["roofs"]["copy_MBps_per_process"] is None
    assert len(devices_in(tmp_path, "b_pairs")) == 2
    for one, device in zip(stand_in.counted(), (0, 1), strict=True):
        assert (one.device, one.wrong) == (device, 0)
        assert one.allocated == one.released == 6


def test_files_go_through_the_host(tmp_path: Path, library: Library) -> None:
    """Each write takes its window from the device, each read gives it back: MPI sees the host's."""
    stand_in = StandIn(tmp_path, library, mpi=False)
    result, _ = io_measured(library, tmp_path, *IO, env=stand_in.environment())
    assert result["environment"]["buffers"]["files_through_host"]
    assert {"data", "no error"}.isdisjoint(unmet(result))
    assert result["data_check"]["chunks_checked"] > 0
    assert_clean(stand_in.counted(), [0, 0])
    assert all(one.locked > 0 for one in stand_in.counted())
    assert sum(one.copies for one in stand_in.counted()) > sum(result["samples"]["repetitions"])


def test_files_hold_what_was_on_the_device_alone(tmp_path: Path) -> None:
    """Copies from the device bring nothing, and so nothing right comes into the files."""
    env = StandIn(tmp_path, MPICH, mpi=False).environment(BEFF_STANDIN_FAIL="idle_copies")
    assert "data" in unmet(io_measured(MPICH, tmp_path, *IO, env=env)[0])


def test_parts_of_a_device_are_not_shared(tmp_path: Path) -> None:
    """Two with one address on the PCI bus, as tiles and instances have."""
    stand_in = StandIn(tmp_path, MPICH)
    env = stand_in.environment(BEFF_STANDIN_DEVICES="2", BEFF_STANDIN_PARTS="2")
    result, _ = measured(MPICH, tmp_path, *FIRST_SIZE, *CUDA, env=env)
    devices = devices_in(tmp_path)
    assert [device["processes"] for device in devices] == [[0], [1]]
    assert {(one["sharing"], one["pci_address"]) for one in devices} == {("MIG", "ffff:00:00.0")}
    assert "a device for each process" not in unmet(result)
    assert result["environment"]["memory_per_process_bytes"] == 256 * MIB


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
    result, _ = measured(MPICH, tmp_path, *CUDA, *options, env=env)
    assert [device["processes"] for device in devices_in(tmp_path)] == processes
    assert {device["sharing"] for device in devices_in(tmp_path)} == {"MPS"}
    assert_clean(stand_in.counted(), used)
    assert result["environment"]["memory_per_process_bytes"] == per_process * MIB
    assert result["summary"]["lmax_bytes"] == per_process * MIB // 128


def refused(run: Any, program: str = "b_eff") -> str:
    assert run.returncode == 2, run.stderr
    (line,) = [line for line in run.stderr.splitlines() if line.startswith(f"{program}: ")]
    return str(line)


@pytest.mark.parametrize(
    ("settings", "flags", "says"),
    [
        ({"BEFF_STANDIN_FAIL": "no_device"}, (), "no device"),
        ({"BEFF_STANDIN_FAIL": "busy"}, (), "CUDA_ERROR_DEVICE_UNAVAILABLE"),
        ({"BEFF_STANDIN_MPI": "no"}, (), "MPIR_CVAR_ENABLE_GPU"),
        ({}, ("-DOLD_DRIVER",), "cuGetErrorName"),
        *(({"devices": lines}, (), "--device") for lines in ("0\n", "0\n7\n", "")),
    ],
)
def test_what_is_missing_or_wrong_is_said_in_a_sentence(
    tmp_path: Path, settings: dict[str, str], flags: tuple[str, ...], says: str
) -> None:
    env = StandIn(tmp_path, MPICH, flags=flags).environment(**settings)
    if settings.get("devices"):
        (tmp_path / "devices").write_text(settings["devices"], encoding="utf-8")
    options = ("--device", "devices") if "devices" in settings else ()
    assert says in refused(MPICH.run(2, *FEW, *CUDA, *options, cwd=tmp_path, env=env))


@pytest.mark.parametrize("program", ["b_eff", "b_pairs", "b_eff_io"])
@pytest.mark.parametrize("kind", SONAMES)
def test_machine_without_driver_is_told(tmp_path: Path, kind: str, program: str) -> None:
    path = ("--path", ".") if program == "b_eff_io" else ()
    run = MPICH.run(2, *path, "--memory", kind, cwd=tmp_path, program=program)
    assert SONAMES[kind] in refused(run, program)
    assert list(tmp_path.iterdir()) == []


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
    ("kinds", "said"),
    [({}, None), ({"BEFF_STANDIN_KINDS": "system,cuda:managed:device"}, "mpi_memory_alloc_kinds")],
)
def test_who_says_that_mpi_takes_them(
    tmp_path: Path, kinds: dict[str, str], said: str | None
) -> None:
    env = StandIn(tmp_path, MPICH).environment(BEFF_STANDIN_MPI="no", **kinds)
    options = (*FEW, *CUDA, "--sizes", "0", "--memory-unsafe")
    result, _ = measured(MPICH, tmp_path, *options, env=env)
    assert result["environment"]["buffers"]["mpi_said"] == said


@pytest.mark.parametrize(("says", "memory"), [("yes", "cuda"), ("no", None)])
def test_auto_takes_what_mpi_takes(tmp_path: Path, says: str, memory: str | None) -> None:
    env = StandIn(tmp_path, MPICH).environment(BEFF_STANDIN_MPI=says)
    result, run = measured(MPICH, tmp_path, *FEW, "--memory", "auto", "--sizes", "0", env=env)
    buffers = result["environment"]["buffers"]
    assert (None if buffers is None else buffers["memory"]) == memory
    reasons = [c for c in result["cautions"] if c["code"] == "memory of hosts chosen"]
    assert len(reasons) == (memory is None)
    assert ("--memory auto" in run.stderr) == (memory is None)
    assert ("device buffers confirmed" in unmet(result)) == (memory is not None)


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
    assert main(["show", str(journal), "-o", beside(journal)]) == 0
    assert "device buffers confirmed" in unmet(result_in(tmp_path))
    assert devices_in(tmp_path)[0]["processes"] == [0, 1]
    assert_verified(tmp_path)


def test_terminated_run_gives_its_memory_back(tmp_path: Path) -> None:
    stand_in = StandIn(tmp_path, MPICH)
    env = stand_in.environment()
    with long_run(MPICH, "b_eff", [*ENDLESS, *CUDA], tmp_path, samples=20, env=env) as run:
        run.send(signal.SIGTERM)
    assert result_in(tmp_path)["environment"]["buffers"]["memory"] == "cuda"
    assert_verified(tmp_path)
    assert_clean(stand_in.counted(), [0, 0])
