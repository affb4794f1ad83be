"""`beff job` as a user sees it."""

import shlex
import subprocess
from pathlib import Path

import pytest
import yaml
from support.programs.programs import Programs, write_script
from support.runs import beff_run, engine_arguments
from typer.testing import CliRunner

from beff.cli.app import main, make_app
from beff.judge.expectations import load_expectations, read_expectations
from beff.launch.job_script import SYSTEMS, JobTime, divide_time
from beff.result.errors import WrongUsageError

EXPECT = "committed.expect.yaml"


def script(programs: Programs, system: str, *arguments: str, nodes: int = 4, tasks: int = 8) -> str:
    write_script(programs.folder / "b_pairs", "")
    given = ["--nodes", f"{nodes}", "--tasks-per-node", f"{tasks}"]
    given += ["--engine", str(programs.engine)]
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
        *("--nodes=4", "--ntasks-per-node=8", "--time=01:40:00", "--account=phys"),
        *("--job-name=beff", "--exclusive", "--output=beff_%j.out"),
    ):
        assert f"#SBATCH {directive}" in lines
    assert "--partition" not in text
    assert (
        "launch=(srun --mpi=pmix --ntasks=32 --cpu-bind=cores --distribution=block:block)" in lines
    )
    assert f"measure {programs.engine} --nodes 4 --time-limit 600s " in text
    io = f"measure {programs.io_engine} --path '/scratch/my files' --time 45min"
    assert f"{io} --time-limit 4500s " in text
    pairs = programs.engine.with_name("b_pairs")
    assert f'measure {pairs} --time-limit 600s --output "$results/b_pairs_32p_$job"' in text


def test_only_what_was_asked_for(programs: Programs) -> None:
    text = script(
        programs,
        "slurm",
        *("--benchmark", "b_eff", "--walltime", "20min"),
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
    both = ("--benchmark", "b_eff", "--benchmark", "b_eff_io")
    assert script(programs, "slurm", *both, "--path", "/scratch", "--output", str(job)) == ""
    done = subprocess.run(
        [job],
        cwd=tmp_path,
        env={"PATH": f"{programs.folder}:/usr/bin:/bin", "SLURM_JOB_ID": "7"},
        check=False,
        timeout=240,
    )
    assert done.returncode == expected
    assert (tmp_path / "results").is_dir()


_ONE = ("--nodes", "1", "--tasks-per-node", "1")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["slurmm"], "'slurmm' is not one of 'slurm', 'pbs', 'lsf', 'flux'"),
        (["slurm", "--benchmark", "pairs"], "'pairs' is not one of 'b_eff', 'b_eff_io', 'b_pairs'"),
        (["slurm"], "--path is missing: b_eff_io needs a folder that all nodes see"),
        (["slurm", "--benchmark", "b_eff", "--path", "/x"], "--path /x: belongs to b_eff_io"),
        (["slurm", "--benchmark", "b_eff", "--time", "1h"], "--time 1h: belongs to b_eff_io"),
        (["slurm", "--path", "/x", "--walltime", "30min"], "--walltime 30 min: too short for"),
        (["slurm", "--path", "/x", "--quick", "--time", "1min"], "--time 1min: --quick sets it"),
        (
            ["slurm", "--path", "/x", "--", "--seed", "1"],
            "could be meant for b_eff or for b_eff_io",
        ),
        (["slurm", "--benchmark", "b_eff", "--", "--quiet"], "beff job sets it"),
        (["slurm", "--path", "/x", "--memory-per-process", "much"], "must be a size"),
        (["slurm", "--benchmark", "b_eff", "--name", "my/job"], "--name my/job: "),
        (["slurm", "--benchmark", "b_eff", "--per-host", "1"], "--per-host: belongs to b_pairs"),
        (["slurm", "--benchmark", "b_eff", *_ONE], "at least two processes"),
        *(
            (["slurm", "--benchmark", "b_pairs", f"--bisection={number}"], "--bisection")
            for number in ("0", "9", "x")
        ),
    ],
)
def test_refusals(
    programs: Programs, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    engine = ["--engine", str(programs.engine)]
    assert main(["job", "--nodes", "2", "--tasks-per-node", "2", *engine, *arguments]) == 2
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


@pytest.mark.parametrize(
    "options",
    [
        ("--benchmark", "b_eff", "--quick"),
        ("--benchmark", "b_eff", "--memory-per-process", "1GiB", "--", "--definition", "3.1"),
        ("--benchmark", "b_eff_io", "--path", ".", "--quick"),
        ("--benchmark", "b_eff_io", "--path", ".", "--time", "2min", "--max-data", "9GB"),
        (
            *("--benchmark", "b_eff_io", "--path", ".", "--time", "1h", "--procedure", "cold"),
            *("--filesystem-note", "two servers", "--", "--types", "0,1"),
        ),
    ],
    ids=" ".join,
)
def test_a_job_measures_with_the_options_of_a_run(
    options: tuple[str, ...], programs: Programs, tmp_path: Path
) -> None:
    two = ("--processes", "2", "--output-dir", "out")
    done = beff_run(programs, tmp_path, *two, *options)
    name = options[1]
    of_run = [
        word for word in engine_arguments(tmp_path / f"out/{name}_2p") if "mpiexec" not in word
    ]
    assert of_run[:4] == ["--output", f"out/{name}_2p", "--progress", "never"], done.stderr
    lines = script(programs, "slurm", *options, nodes=1, tasks=2).splitlines()
    (line,) = (line for line in lines if line.startswith("measure "))
    program, *words = shlex.split(line)[1:]
    assert program == str(programs.folder / name)
    words = words[: words.index("--output")]
    if name == "b_eff":
        assert words[:2] == ["--nodes", "1"]
        words = words[2:]
    if "--time-limit" not in of_run:
        assert words[-2] == "--time-limit"
        words = words[:-2]
    assert words == of_run[4:]


@pytest.mark.parametrize(
    ("options", "limit"),
    [
        ([], "600s"),
        (["--", "--duration", "2h"], "14400s"),
        (["--bisection"], "1200s"),
        (["--", "--bisection=4", "--bisection-time", "1h"], "4200s"),
        (["--per-host", "1,all"], "600s"),
    ],
)
def test_pairs_have_twice_their_duration(
    programs: Programs, options: list[str], limit: str
) -> None:
    text = script(programs, "slurm", "--benchmark", "b_pairs", *options)
    assert f" --time-limit {limit} " in text


def test_everything_in_one_script(programs: Programs) -> None:
    """On few nodes pairs are measured where the network as a whole is asked for."""
    whole = ("--bisection", "--per-host", "1,2,all")
    text = script(programs, "slurm", "--nodes", "2", "--path", "/scratch", *whole)
    measured = [line for line in text.splitlines() if line.startswith("measure /")]
    assert len(measured) == 3
    assert " --bisection --per-host 1,2,all --time-limit 1200s " in measured[2]
    assert "--bisection" not in measured[0] + measured[1]


@pytest.mark.parametrize(
    ("given", "asked"),
    [("--bisection", "--bisection"), ("--bisection=1", "--bisection"), ("--bisection=2",) * 2],
)
def test_processes_of_a_bisection(programs: Programs, given: str, asked: str) -> None:
    """Without a number it takes no word that follows it, nor one behind '--'."""
    text = script(programs, "slurm", "--benchmark", "b_pairs", given, "--name", "net")
    assert f"measure {programs.engine.with_name('b_pairs')} {asked} --time-limit" in text
    behind = script(programs, "slurm", "--benchmark", "b_pairs", "--", given)
    assert f"b_pairs {given} --time-limit" in behind


def test_a_time_limit_of_the_user_counts(programs: Programs) -> None:
    text = script(programs, "slurm", "--benchmark", "b_eff", "--", "--time-limit", "5min")
    assert text.count("--time-limit") == 1


def test_time_of_a_job() -> None:
    b_eff = {"b_eff": 1800.0}
    assert divide_time(b_eff, None, None) == JobTime(2100, b_eff)
    assert divide_time({}, 1800, None) == JobTime(3300, {"b_eff_io": 3000})
    assert divide_time(b_eff, 1800, 7200) == JobTime(7200, b_eff | {"b_eff_io": 5100})
    assert divide_time(b_eff, 600, 1200) == JobTime(1200, {"b_eff": 360, "b_eff_io": 720})
    assert divide_time(b_eff, None, 600) == JobTime(600, {"b_eff": 540})
    both = {"b_eff": 1800.0, "b_pairs": 3600.0}
    assert divide_time(both, None, None) == JobTime(5700, both)
    assert divide_time(both, 600, 1200) == JobTime(
        1200, {"b_eff": 180, "b_pairs": 180, "b_eff_io": 720}
    )
    assert divide_time(both, None, 600) == JobTime(600, {"b_eff": 270, "b_pairs": 270})
    with pytest.raises(WrongUsageError, match="too short"):
        divide_time(b_eff, 600, 900)


def test_a_tender(programs: Programs, tmp_path: Path) -> None:
    folder = tmp_path / "tender"
    given = ["--path", "/scratch/me", "--name", "machine", "--tender", str(folder)]
    given += ["--bisection=2"]
    assert script(programs, "slurm", *given) == f"{folder}: job.sh, tender.md, {EXPECT}\n"
    job = (folder / "job.sh").read_text("utf-8")
    assert "measure b_pairs --bisection=2 --per-host 1,2,4,all " in job
    assert "measure b_eff_io --path /scratch/me --time 45min" in job
    text = (folder / "tender.md").read_text("utf-8")
    assert "4 nodes with 8 processes each" in text
    assert "b_eff 9.9.9 (test)" in text
    filled = (folder / EXPECT).read_text("utf-8").replace("COMMITTED", "5")
    expected = read_expectations("filled", yaml.safe_load(filled))
    assert [one.benchmark for one in expected.expectations] == ["b_eff", "b_pairs", "b_eff_io"]
    assert {(one.processes, one.nodes) for one in expected.expectations} == {(32, 4)}
    assert expected.expectations[1].bisection_processes == 2
    assert expected.expectations[2].time_s == 45 * 60


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_script_of_a_tender_is_of_no_machine(
    system: str, programs: Programs, tmp_path: Path
) -> None:
    linked_with(programs, b"libmpi.so.40")
    write_script(programs.folder / "mpiexec", "")
    script(programs, system, "--path", "/scratch", "--tender", str(tmp_path / "tender"))
    job = (tmp_path / "tender" / "job.sh").read_text("utf-8")
    (launch,) = (line for line in job.splitlines() if line.startswith("launch="))
    assert str(programs.folder) not in job
    assert not any(word.startswith(("--mpi", "pmi=")) for word in launch.split())


@pytest.mark.parametrize(
    "name",
    ["123", "yes", "null", "2026-01-01", "1:30", "a:", "@x", "=", "1e3", "0x10", ".", "+1,-"],
)
def test_a_tender_of_any_name_can_be_read(name: str, programs: Programs, tmp_path: Path) -> None:
    folder = tmp_path / "tender"
    script(programs, "slurm", "--path", "/scratch", f"--name={name}", "--tender", str(folder))
    file = tmp_path / "filled.yaml"
    text = (folder / EXPECT).read_text("utf-8").replace("COMMITTED", "5")
    assert yaml.safe_load(text)["system"] == name
    file.write_text(text, encoding="utf-8")
    assert load_expectations(file).system == name


@pytest.mark.parametrize(
    "more", [["--nodes", "1"], ["--benchmark", "b_eff"], ["--output", "job.sh"]]
)
def test_no_tender_of_less(programs: Programs, tmp_path: Path, more: list[str]) -> None:
    folder = tmp_path / "tender"
    given = ["job", "slurm", "--nodes", "4", "--tasks-per-node", "8", "--path", "/scratch/me"]
    given += ["--engine", str(programs.engine), "--tender", str(folder)]
    assert main([*given, *more]) == 2
    assert not folder.exists()
