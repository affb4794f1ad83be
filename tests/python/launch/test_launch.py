"""Finding cores, engine and launcher, and the command lines that come of it."""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from unittest.mock import Mock

import pytest
from support.programs.programs import Programs, write_script
from support.reports import DATA

from beff.launch.allocation import cores_of_machine, usable_cores
from beff.launch.campaign import Follower
from beff.launch.engine import find_engine
from beff.launch.launcher import Flavour, Launcher, for_engine, look_for_launcher, recognise
from beff.launch.process import early_words, run_to_end
from beff.launch.target import Target
from beff.result.errors import LaunchError, WrongUsageError
from beff.result.numbers import rate


def find_launcher(chosen: str | None, engine: Path | None, environ: Mapping[str, str]) -> Launcher:
    found = look_for_launcher(chosen, engine and engine.parent, environ)
    return found if engine is None else for_engine(found, engine, environ)


@pytest.mark.parametrize(
    ("told", "mask", "physical"),
    [(8, range(8), 4), (8, (0, 4), 1), (8, (0, 1, 4), 2), (0, (0, 1, 2), 3)],
)
def test_of_siblings_one_is_a_core(
    told: int, mask: Iterable[int], physical: int, tmp_path: Path
) -> None:
    """CPU i and i + 4 are siblings; of a machine that does not tell it, every CPU is a core."""
    for cpu in range(told):
        place = tmp_path / f"sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list"
        place.parent.mkdir(parents=True)
        place.write_text(f"{cpu % 4},{cpu % 4 + 4}\n", encoding="ascii")
    cores = usable_cores(tmp_path, set(mask))
    assert (cores.physical, cores.threads, cores.quota) == (physical, len(set(mask)), None)
    assert not told or cores_of_machine(tmp_path) == 4


@pytest.mark.parametrize(
    ("text", "flavour"),
    [
        ("HYDRA build details:\n    Version:   4.2.0", Flavour.HYDRA),
        ("Intel(R) MPI Library for Linux* OS, Version 2021.10 (hydra)", Flavour.INTEL),
        ("mpiexec (Open MPI) 5.0.3", Flavour.OPEN_MPI),
        ("mpirun (Open MPI) 4.1.4\n\nReport bugs to", Flavour.OPEN_MPI),
        ("prterun (PRRTE) 3.0.5", Flavour.OPEN_MPI),
        ("slurm 23.02.6", Flavour.SRUN),
        ("something else 1.0", Flavour.OTHER),
    ],
)
def test_flavours(text: str, flavour: Flavour) -> None:
    assert recognise(text) is flavour


@pytest.mark.parametrize(
    ("flavour", "processes", "root", "command"),
    [
        (Flavour.HYDRA, 4, True, "/l -bind-to core -n 4"),
        (Flavour.HYDRA, 5, True, "/l -n 5"),
        (Flavour.OPEN_MPI, 4, False, "/l --bind-to core -n 4"),
        (Flavour.OPEN_MPI, 4, True, "/l --allow-run-as-root --bind-to core -n 4"),
        (Flavour.OPEN_MPI, 5, False, "/l --bind-to none --oversubscribe -n 5"),
        (Flavour.SRUN, 4, False, "/l --cpu-bind=cores --ntasks=4"),
        (Flavour.SRUN, 5, False, "/l --overcommit --ntasks=5"),
        (Flavour.INTEL, 4, False, "/l -n 4"),
        (Flavour.OTHER, 5, True, "/l -n 5"),
    ],
)
def test_command_lines(flavour: Flavour, processes: int, root: bool, command: str) -> None:
    launcher = Launcher(Path("/l"), flavour)
    assert launcher.command(processes, cores=4, as_root=root) == command.split()


def test_engine_beside_before_path(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(programs.folder))
    other = tmp_path / "other"
    other.mkdir()
    assert find_engine("b_eff", None, other) == programs.engine
    write_script(other / "b_eff", "")
    assert find_engine("b_eff", None, other) == other / "b_eff"
    assert find_engine("b_eff", programs.engine, other) == programs.engine


def test_engine_missing(on_path: Path) -> None:
    with pytest.raises(LaunchError, match=r"make build.*--engine"):
        find_engine("b_eff", None, on_path)
    with pytest.raises(WrongUsageError, match="--engine"):
        find_engine("b_eff", on_path / "none", on_path)


@pytest.fixture
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder of PATH, which is empty."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def test_launcher_beside_the_engine_before_path(programs: Programs, on_path: Path) -> None:
    write_script(on_path / "mpirun", "print('mpirun (Open MPI) 5.0.3')")
    found = find_launcher(None, programs.engine, {})
    assert (found.path, found.flavour) == (programs.launcher, Flavour.HYDRA)
    found = find_launcher(None, None, {})
    assert (found.path, found.flavour) == (on_path / "mpirun", Flavour.OPEN_MPI)


def test_srun_inside_a_slurm_job_only(programs: Programs, on_path: Path) -> None:
    write_script(on_path / "srun", "print('slurm 23.02.6')")
    assert find_launcher(None, programs.engine, {"SLURM_JOB_ID": "7"}).flavour is Flavour.SRUN
    assert find_launcher(None, programs.engine, {}).flavour is Flavour.HYDRA


def test_srun_is_asked_for_its_protocols(tmp_path: Path) -> None:
    srun = tmp_path / "srun"
    offers = "print('slurm 23.02.6' if '--version' in sys.argv else 'none pmi2 pmix')"
    write_script(srun, f"import sys\n{offers}")
    engine = tmp_path / "engine"
    engine.write_bytes(b"\0libmpi.so.40\0")
    assert find_launcher(str(srun), engine, {}).start_options == ("--mpi=pmix",)
    chosen = find_launcher(f"{srun} --mpi=pmi2", engine, {})
    assert (chosen.start_options, chosen.own_options) == ((), ("--mpi=pmi2",))


def stopped(flavour: Flavour, folder: Path, received: signal.Signals) -> list[signal.Signals]:
    """What the launcher of a stopped run receives."""
    launcher, process = Launcher(folder / "launcher", flavour), Mock()
    Target(folder / "b_eff", launcher, usable_cores()).pass_on(process, received)
    calls = {"terminate": [signal.SIGTERM]}
    return [sent for name, given, _ in process.method_calls for sent in calls.get(name, given)]


@pytest.mark.parametrize(
    ("came", "passed_on"),
    [
        (signal.SIGINT, signal.SIGINT),
        (signal.SIGTERM, signal.SIGTERM),
        (signal.SIGHUP, signal.SIGTERM),
        (signal.SIGQUIT, signal.SIGTERM),
        (signal.SIGUSR1, signal.SIGTERM),
        (signal.SIGUSR2, signal.SIGTERM),
        (signal.SIGXCPU, signal.SIGTERM),
    ],
)
def test_what_launchers_do_not_pass_on_reaches_them_as_sigterm(
    came: signal.Signals, passed_on: signal.Signals
) -> None:
    """They end by the others, or take them for their own; the run was stopped by what came."""
    before = signal.getsignal(came)
    received: list[signal.Signals] = []

    def pass_on(process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
        received.append(number)
        process.kill()

    try:
        ended = run_to_end(["sleep", "60"], lambda: signal.raise_signal(came), pass_on=pass_on)
    finally:
        signal.signal(came, before)
    assert (received, ended.stopped_by) == ([passed_on], came)


@pytest.mark.parametrize(
    ("flavour", "came", "passed_on"),
    [
        (Flavour.HYDRA, signal.SIGINT, signal.SIGINT),
        (Flavour.OPEN_MPI, signal.SIGINT, signal.SIGUSR1),  # after which it kills nobody
        (Flavour.OPEN_MPI, signal.SIGTERM, signal.SIGUSR1),
    ],
)
def test_what_launchers_get(
    flavour: Flavour, came: signal.Signals, passed_on: signal.Signals, tmp_path: Path
) -> None:
    assert stopped(flavour, tmp_path, came) == [passed_on]


def test_a_step_of_slurm_is_stopped_by_slurm(tmp_path: Path, on_path: Path) -> None:
    assert stopped(Flavour.SRUN, tmp_path, signal.SIGINT) == [signal.SIGTERM]
    write_script(on_path / "squeue", "print('7.batch batch\\n7.0 other\\n7.1 b_eff')")
    told = tmp_path / "told"
    says = f"open({str(told)!r}, 'w').write(str(sys.argv[1:]))"
    write_script(on_path / "scancel", f"import sys\n{says}")
    assert stopped(Flavour.SRUN, tmp_path, signal.SIGINT) == []
    assert told.read_text(encoding="utf-8") == "['--signal=TERM', '7.1']"


def test_a_file_that_does_not_grow_is_noticed(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    now = [0.0]
    watch = Follower(journal, 10, from_start=False, clock=lambda: now[0])
    hasty = Follower(journal, 10, from_start=True, clock=lambda: now[0])
    now[0] = 11
    assert not hasty.stalled()
    now[0] = 121
    assert not watch.stalled()
    assert hasty.stalled()
    journal.write_text("one\n", encoding="ascii")
    assert not watch.stalled()
    now[0] = 130
    journal.write_text("one\ntwo\n", encoding="ascii")
    assert not watch.stalled()
    now[0] = 140
    assert not watch.stalled()
    now[0] = 140.5
    assert watch.stalled()
    os.utime(journal, ns=(0, 0))  # as the program touches it that cannot write it
    assert not watch.stalled()


def test_launcher_missing(on_path: Path) -> None:
    with pytest.raises(LaunchError, match="no launcher was found"):
        find_launcher(None, on_path / "b_eff", {})
    for wrong in ("mpifoo", "mpifoo -x", "'mpifoo", ""):
        with pytest.raises(WrongUsageError, match=f"--launcher {wrong}: there is no such program"):
            find_launcher(wrong, None, {})


SLURM = {"SLURM_JOB_ID": "77", "SLURM_JOB_NUM_NODES": "1"}


@pytest.fixture
def without_srun(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> Programs:
    """A PATH on which hydra's mpiexec is, and srun is not."""
    monkeypatch.setenv("PATH", f"{programs.folder}:/usr/bin:/bin")
    if shutil.which("srun") is not None:
        monkeypatch.setattr(shutil, "which", lambda name, *_: None if name == "srun" else name)
    return programs


@pytest.mark.parametrize(
    ("version", "options"),
    [("HYDRA build details:", ("-launcher", "fork")), ("Intel(R) MPI", ("-bootstrap", "fork"))],
)
def test_a_container_in_a_slurm_job_starts_processes_itself(
    without_srun: Programs,
    monkeypatch: pytest.MonkeyPatch,
    version: str,
    options: tuple[str, ...],
) -> None:
    monkeypatch.setenv("FAKE_LAUNCHER", version)
    found = find_launcher(None, without_srun.engine, SLURM)
    assert found.start_options == options
    command = found.command(2, 2, as_root=False)
    assert command[1:3] == list(options)
    own = find_launcher(f"{without_srun.launcher} -f hosts", without_srun.engine, SLURM)
    assert own.command(2, 2, as_root=False)[1:] == [*options, "-f", "hosts", "-n", "2"]


@pytest.mark.parametrize("environ", [{}, {**SLURM, "HYDRA_LAUNCHER": "ssh"}])
def test_who_says_how_processes_are_started_is_left_alone(
    without_srun: Programs, environ: dict[str, str]
) -> None:
    assert find_launcher(None, without_srun.engine, environ).start_options == ()
    chosen = f"{without_srun.launcher} -launcher ssh"
    assert find_launcher(chosen, without_srun.engine, SLURM).start_options == ()


@pytest.mark.parametrize(
    ("version", "environ", "options"),
    [
        ("slurm 20.11.0", {"SLURM_STEP_ID": "0"}, ("--overlap",)),
        ("slurm 20.02.7", {"SLURM_STEP_ID": "0"}, ()),
        ("slurm 23.02.6", {}, ()),
    ],
)
def test_srun_in_a_step_shares_with_it(
    on_path: Path, version: str, environ: dict[str, str], options: tuple[str, ...]
) -> None:
    write_script(on_path / "srun", f"print('{version}')")
    found = find_launcher(None, on_path / "engine", {**SLURM, **environ})
    assert found.start_options == options


def test_what_a_launcher_says_is_shown_after_ten_seconds_of_silence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begun, now = False, 0.0
    with (tmp_path / "errors").open("w+b", buffering=0) as errors:
        words = early_words(errors, lambda: begun, lambda: now)  # type: ignore[arg-type]
        next(words)

        def shown(text: bytes) -> str:
            errors.write(text)
            next(words)
            return capsys.readouterr().err

        now = 9.0
        assert shown(b"srun: waits\nsrun: for") == ""
        now = 10.0
        assert shown(b"") == "  srun: waits\n"
        assert shown(b" nodes\n") == "  srun: for nodes\n"
        begun = True
        assert shown(b"a warning of the library\n") == ""


def test_signs_that_are_not_shown_are_not_passed_on() -> None:
    """Open MPI puts a NUL before words of its processes."""
    printed = ["sh", "-c", r"printf '\000beff: rank 0:\tno\033[2J\n' >&2"]
    assert run_to_end(printed, lambda: None).error_lines == ["beff: rank 0:  no[2J"]


def test_several_nodes_without_srun_are_one_sentence(without_srun: Programs) -> None:
    with pytest.raises(LaunchError, match=r"2 nodes.*-launcher ssh"):
        find_launcher(None, without_srun.engine, {**SLURM, "SLURM_JOB_NUM_NODES": "2"})


# --- live progress of b_eff_io from a journal that the real program wrote ---

STORED = DATA / "b_eff_io_stopped.journal.jsonl"
LINES = STORED.read_text(encoding="utf-8").splitlines(keepends=True)


def test_share_time_and_last_pattern(tmp_path: Path) -> None:
    path = tmp_path / "x.journal.jsonl"
    now, samples = [100.0], [line for line in LINES if line.startswith('{"sample"')][:2]
    follower = Follower(path, clock=lambda: now[0])
    path.write_text(LINES[0], encoding="utf-8")
    progress = follower.look()
    assert progress is not None
    assert (progress.share, progress.now) == (0.0, "")
    now[0] += 2.5
    path.write_text("".join([LINES[0], *samples, LINES[5][:30]]), encoding="utf-8")
    progress = follower.look()
    assert progress is not None
    line = json.loads(samples[-1])
    assert progress.share == pytest.approx(2.5 / (2.5 + line["to_come_s"]))
    assert progress.done == "2 of 258 patterns, 25 % of T = 10 s elapsed"
    speed = line["sample"]["bytes"] / line["sample"]["time_s"] / 1e6
    assert progress.now == f"write, 1 process, pattern 1 (scatter) {rate(speed)}"


@pytest.mark.parametrize("header", ["", "{}", "[", '{"benchmark":"b_eff_io"}', "\xff" * 9])
def test_of_a_strange_header_nothing_is_shown(tmp_path: Path, header: str) -> None:
    path = tmp_path / "x.journal.jsonl"
    path.write_text(f"{header}\n{LINES[1]}", encoding="utf-8")
    assert Follower(path).look() is None
