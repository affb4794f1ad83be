"""`beff job` as a user sees it."""

import shlex
import subprocess
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from support.programs.programs import Programs, write_script
from support.runs import beff_run, engine_arguments

from beff.cli.app import main
from beff.cli.job import JobOptions
from beff.judge.expectations import load_expectations
from beff.launch.job_script import Program, divide_time, job_script
from beff.result.errors import ResultError, WrongUsageError

EXPECT = "committed.expect.yaml"


def script(programs: Programs, system: str, *arguments: str, nodes: int = 4, tasks: int = 8) -> str:
    write_script(programs.folder / "b_pairs", "")
    given = ["--nodes", f"{nodes}", "--tasks-per-node", f"{tasks}"]
    given += ["--engine", str(programs.engine)]
    with redirect_stdout(StringIO()) as printed:
        assert main(["job", system, *given, *arguments]) == 0
    return printed.getvalue()


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


def test_time_of_a_job() -> None:
    b_eff = {"b_eff": 1800.0}
    assert divide_time(b_eff, None, None) == (2100, b_eff)
    assert divide_time({}, 1800, None) == (3300, {"b_eff_io": 3000})
    assert divide_time(b_eff, 1800, 7200) == (7200, b_eff | {"b_eff_io": 5100})
    assert divide_time(b_eff, 600, 1200) == (1200, {"b_eff": 360, "b_eff_io": 720})
    assert divide_time(b_eff, None, 600) == (600, {"b_eff": 540})
    both = {"b_eff": 1800.0, "b_pairs": 3600.0}
    assert divide_time(both, None, None) == (5700, both)
    assert divide_time(both, 600, 1200) == (1200, {"b_eff": 180, "b_pairs": 180, "b_eff_io": 720})
    assert divide_time(both, None, 600) == (600, {"b_eff": 270, "b_pairs": 270})
    with pytest.raises(WrongUsageError, match="too short"):
        divide_time(b_eff, 600, 900)


@pytest.mark.parametrize(
    "name",
    ["123", "yes", "null", "2026-01-01", "1:30", "a:", "@x", "=", "1e3", "0x10", ".", "+1,-"],
)
def test_a_tender_of_any_name_can_be_read(name: str, programs: Programs, tmp_path: Path) -> None:
    folder = tmp_path / "tender"
    told = ("--path", "/scratch", "--memory-per-process", "2GiB", "--tender", str(folder))
    script(programs, "slurm", f"--name={name}", *told)
    file, text = tmp_path / "filled.yaml", (folder / EXPECT).read_text("utf-8")
    with pytest.raises(ResultError, match="fill in the 8 COMMITTED"):
        load_expectations(folder / EXPECT)
    text = text.replace("COMMITTED", "5")
    assert yaml.safe_load(text)["system"] == name
    file.write_text(text, encoding="utf-8")
    assert load_expectations(file).system == name


WORDS = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12))


@given(WORDS.map(tuple), st.sampled_from(("", "2")))
def test_no_word_of_a_script_is_a_command(words: tuple[str, ...], restart: str) -> None:
    """A job that Slurm starts again has another name for its results."""
    with TemporaryDirectory() as folder:
        results = Path(folder) / "$(touch x) `y`; 'z"
        job = JobOptions(system="slurm", nodes=2, tasks_per_node=2, output_dir=results)
        text = job_script(job, [Program("b_eff", Path("b_eff"), words)], 60.0)
        known = f"SLURM_JOB_ID=1 SLURM_RESTART_COUNT={restart}"
        started = f'srun() {{ shift 3; printf "%s\\0" "$@"; }}; {known}\n{text}'
        done = subprocess.run(["bash", "-c", started], cwd=folder, capture_output=True, check=True)
        told = [
            "b_eff",
            *words,
            "--output",
            f"{results}/b_eff_4p_1" + f"_restart{restart}" * bool(restart),
        ]
        assert done.stdout.decode().split("\0")[:-1] == told
        assert [*Path(folder).iterdir()] == [results]
