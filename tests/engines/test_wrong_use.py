"""What cannot be meant is refused by all programs in one sentence, and nothing is left."""

from pathlib import Path

import pytest

from engines.support import MPICH, OPENMPI, Library

SHORT_CLASS = ("--definition", "short-1", "--repetitions", "1")
PATH = ("--path", ".")
IO = {
    (*PATH, "--types", "9"): "is not a type",
    (*PATH, "--release", "2"): "must be one of 0.5, 1, 2.1",
    (*PATH, "--time", "10"): "--time 10:",
    (*PATH, "--time", "1s\x1b[31m"): "--time",
    (*PATH, "--time", "9" * 50_000): "--time",
    (*PATH, "--segment-unit", "8000000TiB"): "--segment-unit 8000000TiB: must be at most 1 TiB",
    (*PATH, "--memory-per-process", "8000000TiB"): "--memory-per-process 8000000 TiB: a node has",
    (*PATH, "--max-data", "9000000TiB"): "is larger than 2^63 byte",
    (*PATH, "--info", "missing.txt"): "cannot be read",
    (*PATH, "--info", "missing.txt", "--plan"): "cannot be read",
    (*PATH, "all", "--bad"): "'all' is not an option",
    (*PATH, "--verify", "some"): "must be one of none, sample, full",
    (*PATH, "--total-memory", "1MiB"): "--total-memory 1 MiB: its processes have ",
    (*PATH, "--filesystem-note", ""): "must have 1 to 500 byte, not 0",
    (*PATH, "--filesystem-note", "x" * 501): "must have 1 to 500 byte, not 501",
    (*PATH, "--filesystem-note", "two\nlines"): "must be one line",
    ("--path", "missing", "--time", "1s"): "this folder does not exist",
    ("--path", "/proc", "--time", "1s"): "nothing can be written there",
    ("--time", "1s"): "--path is missing",
    ("--path", "scatter=.", "--time", "1s"): "--path is missing for type shared",
}
PAIRS = {
    ("--rounds", "0"): "--rounds 0: must be auto, all or a number of rounds from 1",
    ("--map-per-host", "two"): "--map-per-host two: must be one of all, one",
    ("--per-host", "two"): "--per-host two: must be a list of numbers such as 1,2,4,all",
    ("--per-host", "1,all"): "--per-host needs at least two hosts",
    ("--random-halves", "3"): "--random-halves: goes with --bisection",
    ("--duration", "0s"): "--duration 0s",
    ("--plan", "--processes", "1"): "needs at least two processes",
    (
        *("--plan", "--processes", "4", "--memory-per-process", "512KiB"),
    ): "b_pairs needs more than 512 KiB of memory per process",
    ("--halves", "no_file", "--bisection"): "--halves no_file: cannot be read",
    ("--message-size", "64KiB"): "--message-size 64 KiB: goes with --bisection or --per-host",
    (
        *("--memory-per-process", "8MiB", "--bisection", "--message-size", "1MiB"),
    ): "is more than the largest message of 256 KiB",
    ("--bisection=2",): "--bisection 2: a process has 1 process; give at most 1",
    ("--nodes", "2"): "--nodes 2: ",
}
B_EFF = {
    ("--memory-per-process", "0"): "--memory-per-process 0: must be more than 0",
    ("--memory-per-process", "-1"): "--memory-per-process -1",
    ("--memory-per-process", "12parsecs"): "12parsecs",
    ("--memory-per-process",): "--memory-per-process needs a value",
    ("--memory-per-node", "x"): "--memory-per-node x",
    ("--memory-per-node", "1GiB", "--memory-per-process", "1GiB"): "exclude each other",
    ("--unknown",): "--unknown is not an option",
    ("stray",): "'stray' is not an option",
    ("--seed", "-3"): "--seed -3",
    ("--seed", "9007199254740992"): "9007199254740991",
    ("--definition", "3.6"): "--definition 3.6: must be one of 3.5, 3.1",
    ("--methods", "smoke"): "sendrecv",
    ("--methods", "sendrecv,sendrecv"): "twice",
    ("--methods", ""): "names no method",
    ("--patterns", "100"): "--patterns 100",
    ("--patterns", "5-3"): "backwards",
    ("--patterns", ""): "must be a list",
    ("--sizes", "21"): "--sizes 21",
    ("--repetitions", "0"): "at least 1",
    ("--loop-time", "0s"): "more than 0",
    ("--time-limit", "5"): "no unit",
    ("--nodes", "two"): "--nodes two",
    ("--rmax", "0"): "positive",
    ("--progress", "loud"): "auto, always, never",
    ("--plan=yaml",): "--plan=json",
    ("--processes", "4"): "only --plan takes it",
    ("--plan", "--processes", "1"): "at least two",
    ("--plan", "--processes", "8", "--memory-per-process", "512KiB"): "must exceed 4096 byte",
    ("--plan", "--processes", "2", "--patterns", "43"): "--patterns 43:",
    ("--plan", "--processes", "9", "--patterns", "49"): "--patterns 49:",
    ("--output", ""): "must end in a file name",
    ("--output", "results/"): "must end in a file name",
    (*SHORT_CLASS, "--memory-per-process", "1GiB"): "--memory-per-process 1",
    (*SHORT_CLASS, "--memory-per-node", "1GiB"): "--memory-per-node 1",
    (*SHORT_CLASS, "--rmax", "1"): "--rmax 1",
    ("--nodes", "2"): "--nodes 2: ",
    ("--memory-per-process", "100TiB"): "--memory-per-process 100 TiB: ",
}


@pytest.mark.parametrize(
    ("program", "options", "says"),
    [
        pytest.param(program, options, says, marks=marks)
        for program, table, marks in (
            ("b_eff", B_EFF, ()),
            ("b_eff_io", IO, pytest.mark.thorough),
            ("b_pairs", PAIRS, ()),
        )
        for options, says in table.items()
    ],
)
def test_wrong_use(program: str, options: tuple[str, ...], says: str, tmp_path: Path) -> None:
    run = MPICH.run(2, *options, cwd=tmp_path, program=program)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.count(says) == 1, run.stderr
    assert run.stderr.count("\n") == 1
    assert "\x1b" not in run.stderr
    assert len(run.stderr) < 1000
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("library", "program", "options", "says"),
    [
        (MPICH, "b_eff", (), "at least two processes"),
        (OPENMPI, "b_eff", (), "at least two processes"),
        (MPICH, "b_pairs", ("--bisection",), "at least two processes, for example mpiexec -n 2"),
    ],
)
def test_one_process_has_nobody_to_talk_to(
    tmp_path: Path, library: Library, program: str, options: tuple[str, ...], says: str
) -> None:
    run = library.run(1, *options, cwd=tmp_path, program=program)
    assert run.returncode == 2
    assert says in run.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.thorough
@pytest.mark.parametrize(("processes", "plan"), [("3", []), ("9", ["--plan"])])
def test_hints_for_no_partition_are_an_error(
    tmp_path: Path, processes: str, plan: list[str]
) -> None:
    (tmp_path / "hints.txt").write_text(f"{processes} all all all cb_nodes 4\n")
    options = [*PATH, "--info", "hints.txt", "--partitions", "2", *plan]
    run = MPICH.run(2, *options, cwd=tmp_path, program="b_eff_io")
    assert run.returncode == 2
    assert run.stderr.count(f"--info hints.txt: line 1: {processes} is not a partition") == 1
    assert [file.name for file in tmp_path.iterdir()] == ["hints.txt"]
