"""The pages of definitions say what the programs do: rules, tables and worked examples."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, get_args

import io_core as io
import pytest
from io_made_up import measurement
from pages_of_docs import REFERENCE, names_in_code_marks, part_of_page, text_of

from beff.definition.b_eff_plan import largest_message
from beff.result.b_eff_io_samples import Stop
from beff.result.b_eff_result import RULES
from program_core import core
from scripted_machine import run


def scripted_result() -> dict[str, Any]:
    """A result as the present code writes it, measured by a scripted machine."""
    result: dict[str, Any] = run(processes=4, size_indices=[0], repetitions=1).result
    return result


def made_up_io_result() -> dict[str, Any]:
    """A result of b_eff_io as the present code writes it, of a run that measured nothing."""
    plan = io.make_plan(4, time=60.0)
    made = measurement(plan, lambda *_: 1.0, lambda *_: 1.0)
    made |= {"samples": [], "types": [], "complete": False}
    result: dict[str, Any] = io.make_result(plan, made).json
    return result


@pytest.mark.parametrize(
    ("page", "result", "some"),
    [
        ("definitions.md", scripted_result, {"complete", "build"}),
        (
            "definitions-b_eff_io.md",
            made_up_io_result,
            {"measured in full", "read from the file system"},
        ),
    ],
)
def test_every_criterion_is_defined(
    page: str, result: Callable[[], dict[str, Any]], some: set[str]
) -> None:
    names = {criterion["code"] for criterion in result()["criteria"]}
    assert some <= names
    validity = part_of_page(text_of(REFERENCE / page), "## Validity")
    defined = set(re.findall(r"^\| `([^`]+)` \|", validity, flags=re.MULTILINE))
    assert defined == names


def test_every_method_is_defined() -> None:
    assert (
        sorted(set(core.method_names()) - names_in_code_marks(REFERENCE / "definitions.md")) == []
    )


def test_every_pattern_is_defined() -> None:
    page = text_of(REFERENCE / "definitions.md")
    names = [p["name"] for p in scripted_result()["patterns"] if p["group"] == "additional"]
    plain = [name for name in names if "cyclic" not in name]
    assert "worst cycle" in plain
    assert [name for name in plain if name not in page] == []


@pytest.mark.parametrize(
    ("processes", "standard", "row"),
    [
        (7, 2, "| 7 | 2 | 3.9 | 3 | 2, 2, 3 |"),
        (11, 4, "| 11 | 4 | 3.15 | 3 | 4, 4, 3 |"),
        (29, 8, "| 29 | 8 | 4.025 | 4 | 8, 7, 7, 7 |"),
        (28, 8, "| 28 | 8 | 3.9 | 3 | 10, 9, 9 |"),
        (7, 4, "| 7 | 4 | 2.15 | 1 (exception) | 7 |"),
    ],
)
def test_worked_examples_of_rings(processes: int, standard: int, row: str) -> None:
    assert row in text_of(REFERENCE / "definitions.md")
    sizes = ", ".join(map(str, core.ring_sizes(processes, standard)))
    assert row.endswith(f"| {sizes} |")


def test_worked_examples_of_grids() -> None:
    page = text_of(REFERENCE / "definitions.md")
    rows = re.findall(r"^\| (\d+) \| (\d+ x \d+)[^|]*\| (\d+ x \d+ x \d+)", page, flags=re.M)
    assert len(rows) == 6
    for processes, plane, space in rows:
        for dimensions, shown in ((2, plane), (3, space)):
            extents = core.pattern_grid(int(processes), dimensions)[:dimensions]
            assert " x ".join(map(str, extents)) == shown


def test_worked_example_of_a_random_ring() -> None:
    page = text_of(REFERENCE / "definitions.md")
    seed = core.pattern_seed(1, 6)
    ring, _ = core.permutation(seed, 7)
    assert f"{seed}, and for 7 processes the ring" in " ".join(page.split())
    assert f"the ring {', '.join(map(str, ring))}" in page


def test_worked_example_of_a_loop_length() -> None:
    length = core.next_loop_length(2.5e-3, (1024, 2.0e-6), (2048, 2.5e-6), 4096)
    assert f"3535.5 / 3.5 = {length}" in text_of(REFERENCE / "definitions.md")


# --- b_eff_io ---


def test_rules_of_the_short_class() -> None:
    page, rules = text_of(REFERENCE / "definitions.md"), RULES["short-1"]
    assert rules.memory_bytes is not None
    lmax, shortest_ms = largest_message(rules.memory_bytes), 1e3 * rules.shortest_loop_s
    assert f"| L_max | {lmax // 1024} KiB," in page
    assert f"| time of a loop | {shortest_ms:g} to {2 * shortest_ms:g} ms |" in page
    assert f"`{rules.value} = …`" in page


def io_page() -> str:
    return text_of(REFERENCE / "definitions-b_eff_io.md")


def test_every_pattern_type_is_defined() -> None:
    rows = re.findall(r"^\| (\d) \| `([a-z-]+)` \|", io_page(), flags=re.MULTILINE)
    plan = io.make_plan(processes=4, types=list(io.Type))
    assert [(int(number), name) for number, name in rows] == [
        (number, io.type_name(type_)) for number, type_ in enumerate(plan.types)
    ]


def test_every_reason_to_stop_is_explained() -> None:
    algorithm = part_of_page(io_page(), "## When to stop")
    assert sorted(reason for reason in get_args(Stop) if f'"{reason}"' not in algorithm) == []


def size_in_bytes(text: str, m_part: int) -> int:
    units = {"kB": 2**10, "MB": 2**20, "": 1}
    terms = [term.split() for term in text.split(" + ")]
    return sum(
        m_part if term[0] == "M_PART" else int(term[0]) * units[term[1] if term[1:] else ""]
        for term in terms
    )


def test_table_of_patterns() -> None:
    m_part = 7 * 2**20
    table = part_of_page(io_page(), "## Patterns")
    rows = re.findall(r"^\| ([^|]+) \| (\d?) ?\|([^|]*)\|(.+)\|$", table, flags=re.MULTILINE)
    found: dict[int, tuple[int, int, int | None, int]] = {}
    for chunk, row, scatter_memory, cells in rows:
        if "U" not in cells or chunk == "l":
            continue
        size = 0 if chunk.startswith("rest") else size_in_bytes(chunk.split(",")[0], m_part)
        for column, cell in enumerate(cells.split("|")):
            if match := re.fullmatch(r" (\d+) · U (\d) ", cell):
                memory = size_in_bytes(scatter_memory.strip(), m_part) if column == 0 else size
                number, units = map(int, match.groups())
                found[number] = (size, memory, int(row) if row else None, units)
    official = io.make_plan(processes=4).types
    patterns = io.make_patterns(official, m_part)
    assert len(patterns) == 43
    assert found == {
        p.number: (p.chunk, p.memory, p.position if p.position > 0 else None, p.time_units)
        for p in patterns
    }


def test_table_of_partitions() -> None:
    rows = re.findall(r"^\| (\d+) \| (\d+(?:, \d+)+) \|$", io_page(), flags=re.MULTILINE)
    assert len(rows) == 9
    for processes, sizes in rows:
        assert sizes == ", ".join(map(str, io.default_partitions(int(processes))))


def test_worked_examples_of_release_1() -> None:
    number = r"(\d+\.\d{3})"
    rows = re.findall(
        rf"^\| {number} \| {number} \| {number} \| {number} \|$", io_page(), flags=re.MULTILINE
    )
    assert len(rows) == 2
    for write, rewrite, read, value in rows:
        assert f"{io.value_1(float(write), float(rewrite), float(read)):.3f}" == value


def test_worked_example_of_release_2_1() -> None:
    section = part_of_page(io_page(), "### Release 2.1")
    numbers = [float(number) for number in re.findall(r"\d+\.\d{3}", section)]
    *inputs, of_write, of_read, value = numbers
    write, rewrite, read = inputs[:5], inputs[5], inputs[6:]
    assert len(read) == 5
    assert f"{io.value_2_1(write, rewrite, read):.3f}" == f"{value:.3f}"
    assert f"{io.access_average(read):.3f}" == f"{of_read:.3f}"
    assert math.isclose((sum(write) + rewrite) / 6, of_write, abs_tol=5e-4)


def test_worked_example_of_time_units() -> None:
    assert "a unit of 4.69 s (release 1) or 6 s (release 2.1)" in " ".join(io_page().split())
    for release, unit in ((io.Release.R1, 4.6875), (io.Release.R2_1, 6.0)):
        plan = io.make_plan(processes=64, time=2700.0, release=release)
        assert len(plan.partitions) == 3
        assert plan.unit_time == unit


def test_worked_example_of_repetitions() -> None:
    text = " ".join(io_page().split())
    assert "100 calls of pattern 4 with 32 chunks each, 250 of pattern 12 and 2700" in text
    counted = io.counted_types(io.make_plan(processes=4), {4: 100, 12: 250, 20: 2700})[3]
    for pattern in (28, 37):
        chunk, calls = counted[pattern]
        assert chunk == 32 * 2**10
        assert f"min(3200, 2500, 2700) = {calls}" in text
