"""Results that are damaged, or have lost their meaning: one sentence or a report, soon."""

import json
import os
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from support.commands import NO_READERS, PICTURES, READERS, TEXTS, run
from support.damage import HOST_LISTS, MOMENTS, as_text, changed_in_meaning, damaged_documents
from support.examples import EXAMPLES
from support.machines.measure import flat
from support.machines.result import make_map
from support.reports import B_EFF, B_EFF_IO, STOPPED_IO, document_of

from beff.cli.app import PLACES
from beff.cli.common import exit_codes

Fields = dict[str, Any]

CASES = int(os.environ.get("BEFF_FUZZ_CASES", "100"))
"""`make fuzz` sets it to 10 000."""
MOST_CPU_S = 60
MOST_MEMORY_BYTES = 1 << 30
MOST_TEXT_BYTES = 32 << 20
"""For more, which changes of lists by the thousand make, even this memory may not suffice."""
ENDINGS = [*TEXTS * 10, *PICTURES]
"""Texts more often: they hold all figures, and a picture costs as much as twenty."""
RESULTS = [*EXAMPLES, B_EFF, STOPPED_IO]
A_MAP = make_map(flat(8, slow={3: 2.0}))


def bounded_run(*arguments: object) -> tuple[int, str]:
    try:
        with bounded(MOST_CPU_S, MOST_MEMORY_BYTES):
            code, answer = run(*arguments)
    except HangError as problem:
        pytest.fail(f"{arguments}: {problem}")
    assert "more memory" not in answer, arguments
    return code, answer


# --- by chance ---

ANY_CASE = settings(
    max_examples=CASES,
    suppress_health_check=list(HealthCheck),
    database=None,
)


@pytest.mark.timeout(0)
@ANY_CASE
@given(
    content=changed_in_meaning(
        [json.dumps(fields) for fields in (*map(document_of, RESULTS), A_MAP)]
    ),
    command=st.sampled_from(sorted(READERS)),
    ending=st.sampled_from(ENDINGS),
    which=st.integers(0, 9),
)
def test_results_without_meaning_get_an_answer(
    content: str, command: str, ending: str, which: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Each case goes through one command; of those with several lines, to one of them."""
    assume(len(content) < MOST_TEXT_BYTES)
    folder = tmp_path_factory.getbasetemp() / "meaning"
    folder.mkdir(exist_ok=True)
    file = folder / "case.json"
    file.write_text(content, encoding="utf-8")
    lines = list(READERS[command](file, folder, [ending]))
    line = lines[which % len(lines)]
    # of a comparison, the table of every figure takes a second to draw
    bounded_run(*(part for part in line if part != "--all" or which == 0))


@pytest.mark.timeout(0)
@settings(ANY_CASE, max_examples=max(20, CASES) if CASES > 100 else 20)
@given(
    content=damaged_documents([json.dumps(document_of(path)) for path in RESULTS]),
    ending=st.sampled_from(sorted([*TEXTS, *PICTURES])),
    beside=st.sampled_from([None, *RESULTS]),
)
def test_damaged_files_get_an_answer(
    content: bytes, ending: str, beside: Path | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assume(len(content) < MOST_TEXT_BYTES)
    folder = tmp_path_factory.getbasetemp() / "damaged"
    folder.mkdir(exist_ok=True)
    file, target = folder / "case.json", folder / f"case_report{ending}"
    file.write_bytes(content)
    bounded_run("verify", "--all", file)
    others = [] if beside is None else [beside]
    code, _ = bounded_run("show", file, *others, "-o", target, "--overwrite")
    if code == exit_codes.OK:
        assert target.stat().st_size > 0
    bounded_run("compare", file, beside or B_EFF, "--force")


# --- by name ---


def times(exponent: int) -> Callable[[Fields], None]:
    """All times of the samples times 10^exponent."""

    def change(fields: Fields) -> None:
        samples = fields["samples"]
        for name in samples:
            if name.endswith("_s"):
                samples[name] = [min(time * 10.0**exponent, 1.7e308) for time in samples[name]]

    return change


def environment(**changed: Any) -> Callable[[Fields], None]:
    return lambda fields: fields["environment"].update(changed)


def many_processes(fields: Fields) -> None:
    """10^9 processes, at all places but the list of them."""
    most = 10**9
    fields["environment"].update(processes=most, hosts=[{"name": "vm", "processes": most}])
    for part in (*fields["patterns"], *fields.get("partitions", ())):
        if "processes" in part:
            part["processes"] = most


def a_million_processes(fields: Fields) -> None:
    """As many as a file can hold a list of."""
    most = 1_000_000
    many_processes(fields)
    environment(
        processes=most, placement=f"0x{most}", hosts=[{"name": "vm", "processes": most}], nodes=1
    )(fields)


def many_criteria(fields: Fields) -> None:
    """What a machine has a handful of, by the thousand: 200 MB of objects in a file of 30."""
    fields["criteria"] *= 10_000


ATTACKS: dict[str, Callable[[Fields], None]] = {
    "times e250": times(250),
    "times e308": times(308),
    "times e-300": times(-300),
    "placement": environment(placement="0 5"),
    "10^9 processes": many_processes,
    "10^9 nodes": environment(nodes=10**9),
    "a million processes": a_million_processes,
    "many criteria": many_criteria,
    **{f"host list {text[:20]} {len(text)}": environment(host_list=text) for text in HOST_LISTS},
    **{f"started {text}": environment(started_at=text) for text in MOMENTS},
    **{f"finished {text}": environment(finished_at=text) for text in MOMENTS},
}


def is_text(attack: str) -> bool:
    return attack.startswith(("host list", "started", "finished"))


@pytest.mark.parametrize(
    ("attack", "base"),
    [
        (attack, base)
        for number, attack in enumerate(ATTACKS)
        for base in ([(B_EFF, B_EFF_IO)[number % 2]] if is_text(attack) else [B_EFF, B_EFF_IO])
    ],
    ids=lambda value: value.stem if isinstance(value, Path) else value,
)
def test_attacks(attack: str, base: Path, tmp_path: Path) -> None:
    """Nothing of them is verified; what shows results shows them, or says why not.

    Texts are read alike in all results.
    """
    fields = document_of(base)
    ATTACKS[attack](fields)
    is_drawn = not is_text(attack)
    file = tmp_path / "case.json"
    file.write_text(as_text(fields), encoding="utf-8")
    code, said = bounded_run("verify", file)
    assert code == exit_codes.FAILED
    assert str(file) in said
    assert len(said.splitlines()) <= 2
    assert max(map(len, said.splitlines())) < 2000
    for line in (
        ("show", file, "-o", tmp_path / ("case.html" if is_drawn else "case.md")),
        ("compare", file, base, "--force"),
        ("show", "--history", tmp_path),
    ):
        bounded_run(*line)


def test_every_command_is_known() -> None:
    """Whoever adds a command says here how it reads a result, or that it reads none."""
    assert set(READERS).isdisjoint(NO_READERS)
    assert set(READERS) | NO_READERS == set(PLACES)


def special_inputs(folder: Path) -> list[Path]:
    """What is no file with an end, and what a reader of JSON may fall over."""
    names = ("pipe", "zero", "circle", "brackets", "objects", "digits")
    pipe, zero, circle, brackets, objects, digits = (folder / f"{name}.json" for name in names)
    os.mkfifo(pipe)
    zero.symlink_to("/dev/zero")
    circle.symlink_to(circle)
    brackets.write_text("[" * 100_000)
    objects.write_text('{"a":' * 100_000)
    digits.write_text('{"schema_version":' + "9" * 5_000 + "}")
    return [pipe, zero, circle, brackets, objects, digits]


@pytest.mark.parametrize("name", READERS)
def test_special_inputs_are_a_sentence_in_every_command(name: str, tmp_path: Path) -> None:
    assert run("list", "init", tmp_path / "list")[0] == exit_codes.OK
    more: dict[str, tuple[object, ...]] = {
        "accept": ("--as", tmp_path / "accepted", "--tolerance", "10%"),
        "compare": (B_EFF,),
        "list add": ("--list", tmp_path / "list"),
    }
    for file in special_inputs(tmp_path):
        with bounded(MOST_CPU_S, MOST_MEMORY_BYTES):
            code, said = run(*name.split(), file, *more.get(name, ()))
        assert code in {exit_codes.FAILED, exit_codes.WRONG_USAGE}, said
        (line,) = said.splitlines()
        assert file.name in line, said


@pytest.mark.parametrize("memory_bytes", [30 << 20, 100 << 20], ids=["to read it", "to parse it"])
def test_memory_that_does_not_suffice(memory_bytes: int, tmp_path: Path) -> None:
    fields = document_of(B_EFF)
    many_criteria(fields)
    file = tmp_path / "case.json"
    file.write_text(as_text(fields), encoding="utf-8")
    with bounded(MOST_CPU_S, memory_bytes):
        code, answer = run("verify", file)
    assert code == exit_codes.WRONG_USAGE
    assert "more memory" in answer
    assert len(answer.splitlines()) == 1


# --- bounds on what one case may cost, so that a hang or a flood of memory is a failure ---


class HangError(BaseException):
    """A case used more time of the processor than it may; no command may catch it."""


@contextmanager
def bounded(cpu_s: float, memory_bytes: int) -> Iterator[None]:
    """Let what happens here use so much of the processor, and so much memory more than now.

    Time of the processor and not of the clock, so that a busy machine changes nothing. A case that
    wants more memory gets a MemoryError.
    """

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise HangError(f"more than {cpu_s} s of the processor")

    limits = resource.getrlimit(resource.RLIMIT_DATA)
    before = signal.signal(signal.SIGPROF, stop)
    resource.setrlimit(resource.RLIMIT_DATA, (_data_bytes() + memory_bytes, limits[1]))
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_DATA, limits)
        signal.signal(signal.SIGPROF, before)


def _data_bytes() -> int:
    """Memory of this process that RLIMIT_DATA counts."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    (line,) = (line for line in status.splitlines() if line.startswith("VmData:"))
    return int(line.split()[1]) * 1024
