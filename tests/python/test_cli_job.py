"""`beff job` as a user sees it."""

import subprocess
from pathlib import Path

import pytest
from support.programs import Programs, write_script
from typer.testing import CliRunner

from beff.cli.app import main, make_app
from beff.launch.job_script import SYSTEMS
from beff.launch.job_time import JobTime, divide_time
from beff.model.errors import WrongUsageError


def script(programs: Programs, system: str, *arguments: str) -> str:
    given = ["--nodes", "4", "--tasks-per-node", "8", "--engine", str(programs.engine)]
    done = CliRunner().invoke(make_app(), ["job", system, *given, *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def linked_with(programs: Programs, library: bytes) -> None:
    """Let the stand-ins look as if they were linked with a library."""
    for program in (programs.engine, programs.io_engine):
        program.write_bytes(program.read_bytes() + b"\n#\0" + library + b"\0\n")


def test_slurm(programs: Programs) -> None:
    linked_with(programs, b"libmpi.so.40")
    text = script(programs, "slurm", "--path", "/scratch/my files", "--account", "phys")
    lines = text.splitlines()
    assert lines[0] == "#!/bin/bash"
    for directive in (
        *("--nodes=4", "--ntasks-per-node=8", "--time=01:30:00", "--account=phys"),
        *("--job-name=beff", "--exclusive", "--output=beff_%j.out"),
    ):
        assert f"#SBATCH {directive}" in lines
    assert "--partition" not in text
    assert (
        "launch=(srun --mpi=pmix --ntasks=32 --cpu-bind=cores --distribution=block:block)" in lines
    )
    assert f"measure {programs.engine} --nodes 4 --time-limit 600s " in text
    io = (
        f"measure {programs.io_engine} --path '/scratch/my files' --time 2700s --time-limit 4500s "
    )
    assert io in text


def test_only_what_was_asked_for(programs: Programs) -> None:
    text = script(
        programs,
        "slurm",
        *("--benchmark", "b_eff", "--time", "20min"),
        *("--srun-mpi", "pmix_v4", "--partition", "fast"),
        *("--memory-per-process", "1GiB", "--setup", "module load a", "--setup", "module load b"),
        *("--name", "net", "--output-dir", "out"),
    )
    assert "b_eff_io" not in text
    assert "#SBATCH --partition=fast" in text
    assert "#SBATCH --time=00:20:00" in text
    assert "srun --mpi=pmix_v4 " in text
    assert "\nmodule load a\nmodule load b\n" in text
    assert "--nodes 4 --memory-per-process 1GiB --time-limit 1080s " in text
    assert "results=out\n" in text


@pytest.mark.parametrize(
    ("system", "lines"),
    [
        (
            "pbs",
            [
                "#PBS -l select=4:ncpus=8:mpiprocs=8",
                "#PBS -l walltime=00:15:00",
                "#PBS -A phys",
                'launch=(mpiexec -f "$hosts" -bind-to core -n 32)',
            ],
        ),
        (
            "lsf",
            ["#BSUB -n 32", '#BSUB -R "span[ptile=8]"', "#BSUB -W 0:15", "#BSUB -P phys"],
        ),
        (
            "flux",
            [
                "#flux: --nodes=4",
                "#flux: --nslots=32",
                "#flux: --time-limit=15m",
                "#flux: --bank=phys",
                "launch=(flux run --nodes=4 --ntasks=32 -o cpu-affinity=per-task)",
            ],
        ),
    ],
)
def test_templates_of_other_systems(programs: Programs, system: str, lines: list[str]) -> None:
    linked_with(programs, b"libmpi.so.12")
    programs.launcher.unlink()
    text = script(programs, system, "--benchmark", "b_eff", "--account", "phys")
    assert [line for line in lines if line not in text.splitlines()] == []
    assert "not tested on a real" in text.lower()


@pytest.mark.parametrize("system", SYSTEMS)
def test_scripts_are_right_for_the_shell_and_complete(programs: Programs, system: str) -> None:
    text = script(programs, system, "--path", "/scratch")
    assert "@{" not in text
    check = subprocess.run(
        ["bash", "-n"], input=text, capture_output=True, text=True, check=False, timeout=240
    )
    assert check.returncode == 0, check.stderr


@pytest.mark.parametrize(
    ("codes", "expected"), [((0, 0), 0), ((3, 0), 3), ((0, 3), 3), ((3, 1), 1), ((1, 3), 1)]
)
def test_the_job_ends_with_the_worst_code(
    programs: Programs, tmp_path: Path, codes: tuple[int, int], expected: int
) -> None:
    """Run a script for Slurm with a stand-in for srun that starts the program once."""
    for program, code in zip((programs.engine, programs.io_engine), codes, strict=True):
        write_script(program, f"import sys\nsys.exit({code})")
    srun = "import os, sys\nos.execv(sys.argv[4], sys.argv[4:])"
    write_script(programs.folder / "srun", srun)
    job = tmp_path / "job.sh"
    assert script(programs, "slurm", "--path", "/scratch", "--output", str(job)) == ""
    done = subprocess.run(
        [job],
        cwd=tmp_path,
        env={"PATH": f"{programs.folder}:/usr/bin:/bin", "SLURM_JOB_ID": "7"},
        check=False,
        timeout=240,
    )
    assert done.returncode == expected
    assert (tmp_path / "results").is_dir()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["slurmm"], "'slurmm' is not one of 'slurm', 'pbs', 'lsf', 'flux'"),
        (["slurm", "--benchmark", "b_pairs"], "'b_pairs' is not one of 'b_eff', 'b_eff_io'"),
        (["slurm"], "--path is missing: b_eff_io needs a folder that all nodes see"),
        (["slurm", "--benchmark", "b_eff", "--path", "/x"], "--path /x: belongs to b_eff_io"),
        (["slurm", "--benchmark", "b_eff", "--io-time", "1h"], "--io-time 1h: belongs to b_eff_io"),
        (["slurm", "--benchmark", "b_eff", "--time", "soon"], "--time soon: must be a duration"),
        (["slurm", "--path", "/x", "--time", "30min"], "--time 30 min: too short for b_eff_io"),
        (["slurm", "--path", "/x", "--memory-per-process", "much"], "must be a size"),
    ],
)
def test_refusals(
    programs: Programs, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    engine = ["--engine", str(programs.engine)]
    assert main(["job", *arguments, "--nodes", "2", "--tasks-per-node", "2", *engine]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--name", "--account", "--partition", "--srun-mpi"])
@pytest.mark.parametrize("value", ["my job", "a\n#b", "", "-x", "a#b", "a;b", "$HOME", "{{id}}"])
def test_a_word_that_would_break_the_script_is_refused(
    option: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    two = ("--nodes", "1", "--tasks-per-node", "2", "--benchmark", "b_eff")
    assert main(["job", "slurm", *two, f"{option}={value}"]) == 2
    said = capsys.readouterr()
    assert said.err.startswith(f"beff: {option} {value}: ".replace("\n", "?"))
    assert said.out == ""


def test_words_of_all_signs(programs: Programs) -> None:
    words = ("--name", "b.e_f-f+@:,=1", "--account", "a/b-c", "--partition", "fast,_old")
    text = script(programs, "slurm", "--benchmark", "b_eff", *words)
    assert "#SBATCH --job-name=b.e_f-f+@:,=1\n" in text
    assert "#SBATCH --account=a/b-c\n" in text
    assert "#SBATCH --partition=fast,_old\n" in text


def test_the_name_of_a_job_names_no_folder(capsys: pytest.CaptureFixture[str]) -> None:
    two = ("--nodes", "1", "--tasks-per-node", "2", "--benchmark", "b_eff")
    assert main(["job", "slurm", *two, "--name", "my/job"]) == 2
    assert "--name my/job: " in capsys.readouterr().err


def test_one_process_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    one = ["--nodes", "1", "--tasks-per-node", "1", "--benchmark", "b_eff"]
    assert main(["job", "slurm", *one]) == 2
    assert "at least two processes" in capsys.readouterr().err


def test_time_of_a_job() -> None:
    assert divide_time(True, None, None) == JobTime(900, 600, None)
    assert divide_time(False, 1800, None) == JobTime(3300, None, 3000)
    assert divide_time(True, 1800, 7200) == JobTime(7200, 600, 6300)
    assert divide_time(True, 600, 1200) == JobTime(1200, 360, 720)
    assert divide_time(True, None, 600) == JobTime(600, 540, None)
    with pytest.raises(WrongUsageError, match="too short"):
        divide_time(True, 600, 900)
