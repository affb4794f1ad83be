"""Results that are damaged, or have lost their meaning: one sentence or a report, soon."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.bounded import HangError, bounded
from support.commands import NO_READERS, PICTURES, READERS, TEXTS, run
from support.copies import deep_copy
from support.damage import damaged_documents
from support.examples import EXAMPLES
from support.machines.flat import flat
from support.machines.result import make_map
from support.meaning import HOST_LISTS, LONG_NUMBER, MOMENTS, as_text, changed_in_meaning
from support.reports import B_EFF, B_EFF_IO, DATA, STOPPED_IO

from beff.cli.app import PLACES
from beff.cli.common import exit_codes

Fields = dict[str, Any]

CASES = int(os.environ.get("BEFF_FUZZ_CASES", "100"))
"""`make fuzz` sets it to 10 000."""
MOST_CPU_S = 60
MOST_MEMORY_BYTES = 1 << 30
ENDINGS = [*TEXTS * 10, *PICTURES]
"""Texts more often: they hold all figures, and a picture costs as much as twenty."""
JOURNALS = [DATA / "b_eff_2p_killed.journal.jsonl", DATA / "b_eff_io_stopped.journal.jsonl"]
RESULTS = [*EXAMPLES, B_EFF, STOPPED_IO]


def fields_of(path: Path) -> Fields:
    fields: Fields = json.loads(path.read_text(encoding="utf-8"))
    return fields


def with_a_map() -> Fields:
    """A map of eight hosts, of which one is slow."""
    return make_map(flat(8, slow={3: 2.0}))


def lines_of(path: Path) -> list[Any]:
    """The whole lines of a journal."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines(True)[:60]]


def bounded_run(*arguments: object) -> tuple[int, str]:
    try:
        with bounded(MOST_CPU_S, MOST_MEMORY_BYTES):
            return run(*arguments)
    except HangError as problem:
        pytest.fail(f"{arguments}: {problem}")


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
        [json.dumps(fields) for fields in (*map(fields_of, RESULTS), with_a_map())]
    ),
    command=st.sampled_from(sorted(READERS)),
    ending=st.sampled_from(ENDINGS),
    which=st.integers(0, 9),
)
def test_results_without_meaning_get_an_answer(
    content: str, command: str, ending: str, which: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Each case goes through one command; of those with several lines, to one of them."""
    folder = tmp_path_factory.getbasetemp() / "meaning"
    folder.mkdir(exist_ok=True)
    file = folder / "case.json"
    file.write_text(content, encoding="utf-8")
    lines = list(READERS[command](file, folder, [ending]))
    line = lines[which % len(lines)]
    # of a comparison, the table of every figure takes a second to draw
    bounded_run(*(part for part in line if part != "--all" or which == 0))


@pytest.mark.timeout(0)
@settings(ANY_CASE, max_examples=max(10, CASES // 20))
@given(content=changed_in_meaning([json.dumps(lines_of(path)) for path in JOURNALS]))
def test_journals_without_meaning_get_an_answer(
    content: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp() / "meaning_of_journals"
    folder.mkdir(exist_ok=True)
    file = folder / "case.journal.jsonl"
    lines = json.loads(content) if LONG_NUMBER not in content else [content]
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    file.write_text(text + "\n", encoding="utf-8")
    bounded_run("show", file)


class Scripts(HTMLParser):
    """What of a page could run."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "script":
            self.found.append(named.get("type") or "")
        handlers = [name for name in named if name.startswith("on")]
        if tag in ("img", "iframe", "object", "embed", "link", "base") or handlers:
            self.found.append(f"{tag} {handlers}")


def check_page(text: str) -> None:
    scripts = Scripts()
    scripts.feed(text)
    assert set(scripts.found) <= {"application/json", "module"}
    for data in re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', text, re.S):
        json.loads(data)


@pytest.mark.timeout(0)
@settings(ANY_CASE, max_examples=max(20, CASES) if CASES > 100 else 20)
@given(
    content=damaged_documents([json.dumps(fields_of(path)) for path in RESULTS]),
    ending=st.sampled_from(sorted([*TEXTS, *PICTURES])),
    beside=st.sampled_from([None, *RESULTS]),
)
def test_damaged_files_get_an_answer(
    content: bytes, ending: str, beside: Path | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp() / "damaged"
    folder.mkdir(exist_ok=True)
    file, target = folder / "case.json", folder / f"case_report{ending}"
    file.write_bytes(content)
    bounded_run("verify", "--all", file)
    others = [] if beside is None else [beside]
    code, _ = bounded_run("show", file, *others, "-o", target, "--overwrite")
    if code == exit_codes.OK:
        assert target.stat().st_size > 0
        if ending == ".html":
            check_page(target.read_text(encoding="utf-8"))
    bounded_run("compare", file, beside or B_EFF, "--force")


# --- by name ---


def test_a_pattern_missing_from_the_list_is_named(tmp_path: Path) -> None:
    """Found by the cases: a sample of it would belong to nothing."""
    damaged = json.loads(STOPPED_IO.read_text(encoding="utf-8"))
    del damaged["patterns"][1]
    file = tmp_path / "case.json"
    file.write_text(json.dumps(damaged), encoding="utf-8")
    code, said = run("show", file, "-o", tmp_path / "missing.csv")
    assert code == 2
    assert "pattern 2 of type 0, but should be pattern 1" in said


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
    fields = deep_copy(fields_of(base))
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


@pytest.mark.parametrize(
    ("place", "value", "says"),
    [
        (("retests", "first", 0), 77, "retests is 77, but should be a unit below 8"),
        (("retests", "second", 1), 2**31 - 2, "retests is "),
        (("plan", "units"), 9, "plan.units is 9, but should be 8"),
        (("plan", "units"), 2**31 - 1, "plan.units is 2147483647, but should be 8"),
        (("plan", "unit"), "process", "plan.unit is process, but should be host"),
        (("plan", "rounds"), 2**40, "plan.rounds is "),
        (("passes", "large_ns", 0, 0), "1 2 3", "passes.large_ns[0] is [3, 4,"),
    ],
)
def test_a_map_of_pairs_of_units_that_are_not_there(
    place: tuple[Any, ...], value: Any, says: str, tmp_path: Path
) -> None:
    fields = with_a_map()
    table = fields
    for step in place[:-1]:
        table = table[step]
    table[place[-1]] = value
    file = tmp_path / "case.json"
    file.write_text(json.dumps(fields), encoding="utf-8")
    for code, *line in (
        (exit_codes.FAILED, "verify"),
        (exit_codes.WRONG_USAGE, "check"),
        (exit_codes.WRONG_USAGE, "show", "-o", tmp_path / "case.html"),
        (exit_codes.WRONG_USAGE, "show", "-o", tmp_path / "pairs.svg"),
    ):
        found, said = bounded_run(*line, file)
        assert found == code, said
        assert says in said
        assert len(said.splitlines()) <= 2


def test_a_number_of_many_digits(tmp_path: Path) -> None:
    text = B_EFF.read_text(encoding="utf-8")
    file = tmp_path / "case.json"
    file.write_text(re.sub('"processes": ?2', f'"processes": {LONG_NUMBER}', text, count=1))
    assert LONG_NUMBER in file.read_text(encoding="utf-8")
    for command in ("verify", "compare"):
        code, said = bounded_run(command, file, *([file] if command == "compare" else []))
        assert code != exit_codes.OK
        assert len(said) < 1000


def test_the_files_that_are_changed_are_good(tmp_path: Path) -> None:
    mapped = tmp_path / "mapped.json"
    mapped.write_text(json.dumps(with_a_map()), encoding="utf-8")
    for path in (*RESULTS, mapped):
        assert bounded_run("verify", path)[0] == exit_codes.OK, path


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


@pytest.mark.parametrize(
    ("part", "field", "value"), [("summary", "latency_us", 1e6), ("plan", "large_bytes", 5_000)]
)
def test_check_calls_nothing_good_that_does_not_verify(
    part: str, field: str, value: float, tmp_path: Path
) -> None:
    fields = with_a_map()
    fields[part][field] = value
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(fields), encoding="utf-8")
    assert run("verify", changed)[0] == exit_codes.FAILED
    code, said = run("check", changed, "--json")
    assert code != exit_codes.OK
    assert f"does not verify: {part}.{field}" in said
