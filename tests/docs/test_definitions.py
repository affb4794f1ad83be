"""The pages of definitions say what the programs do: rules, tables and worked examples.

What they work out is computed by the second implementation, which tests/core compares with the
programs' core.
"""

import re
from typing import Any, get_args

import io_core as io
import pytest
from pages_of_docs import REFERENCE, names_in_code_marks, part_of_page, text_of
from support.random_rings import random_order

from beff.definition.b_eff_io import access_average, value_1, value_2_1
from beff.definition.b_eff_io_plan import (
    TYPE_NAMES,
    default_partitions,
    patterns_of,
    repetitions_of,
)
from beff.definition.b_eff_plan import pattern_seed, ring_sizes
from beff.result.b_eff_io_samples import Stop
from beff.result.bounds import OFFICIAL_TYPES
from program_core import core
from scripted_machine import run

B_EFF = text_of(REFERENCE / "definitions.md")
B_EFF_IO = text_of(REFERENCE / "definitions-b_eff_io.md")
RESULT = run(processes=4, size_indices=[0], repetitions=1).result
IO_RESULT = io.run(io.Exact(), 4, ranks=()).result


@pytest.mark.parametrize(
    ("page", "result"), [(B_EFF, RESULT), (B_EFF_IO, IO_RESULT)], ids=["b_eff", "io"]
)
def test_every_criterion_is_defined(page: str, result: dict[str, Any]) -> None:
    names = {criterion["code"] for criterion in result["criteria"]}
    assert "build" in names
    validity = part_of_page(page, "## Validity")
    assert {*re.findall(r"^\| `([^`]+)` \|", validity, flags=re.MULTILINE)} == names


def test_every_method_and_pattern_is_defined() -> None:
    assert {*core.method_names()} <= names_in_code_marks(REFERENCE / "definitions.md")
    names = [p["name"] for p in RESULT["patterns"] if p["group"] == "additional"]
    plain = [name for name in names if "cyclic" not in name]
    assert "worst cycle" in plain
    assert [name for name in plain if name not in B_EFF] == []


def test_worked_examples_of_rings() -> None:
    rows = re.findall(r"^\| (\d+) \| (\d+) \| [\d.]+ \| [^|]+ \| ([\d, ]+) \|", B_EFF, re.M)
    assert len(rows) >= 5
    for processes, standard, sizes in rows:
        assert ", ".join(map(str, ring_sizes(int(processes), int(standard)))) == sizes


def test_worked_example_of_a_random_ring() -> None:
    seed = pattern_seed(1, 6)
    ring = ", ".join(map(str, random_order(seed, 7)))
    told = f"{seed}, and for 7 processes the ring {ring}"
    assert told in " ".join(B_EFF.split())


def test_worked_example_of_a_loop_length() -> None:
    length = core.next_loop_length(2.5e-3, (1024, 2.0e-6), (2048, 2.5e-6), 4096)
    assert f"3535.5 / 3.5 = {length}" in B_EFF


# --- b_eff_io ---


def test_every_type_and_every_reason_to_stop_is_defined() -> None:
    rows = re.findall(r"^\| (\d) \| `([a-z-]+)` \|", B_EFF_IO, flags=re.MULTILINE)
    assert [(int(number), name) for number, name in rows] == [*enumerate(TYPE_NAMES)]
    algorithm = part_of_page(B_EFF_IO, "## When to stop")
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
    table = part_of_page(B_EFF_IO, "## Patterns")
    rows = re.findall(r"^\| ([^|]+) \| (\d?) ?\|([^|]*)\|(.+)\|$", table, flags=re.MULTILINE)
    found: dict[int, tuple[int | None, int | None, int | None, int]] = {}
    for chunk, row, scatter_memory, cells in rows:
        if "U" not in cells or chunk == "l":
            continue
        is_rest = chunk.startswith("rest")
        size = None if is_rest else size_in_bytes(chunk.split(",")[0], m_part)
        for column, cell in enumerate(cells.split("|")):
            if match := re.fullmatch(r" (\d+) · U (\d) ", cell):
                memory = size if column else size_in_bytes(scatter_memory.strip(), m_part)
                number, units = map(int, match.groups())
                found[number] = (size, memory, int(row) if row else None, units)
    patterns = patterns_of(OFFICIAL_TYPES, m_part)
    assert len(patterns) == 43
    assert sum(units for *_, units in found.values()) == 64
    assert found == {
        number: (f.l_bytes, f.L_bytes, f.position, f.U) for number, f in patterns.items()
    }


def test_table_of_partitions() -> None:
    rows = re.findall(r"^\| (\d+) \| (\d+(?:, \d+)+) \|$", B_EFF_IO, flags=re.MULTILINE)
    assert len(rows) == 9
    for processes, sizes in rows:
        assert sizes == ", ".join(map(str, default_partitions(int(processes))))


def test_worked_examples_of_release_1() -> None:
    rows = re.findall(r"^\|" + r" (\d+\.\d{3}) \|" * 4 + "$", B_EFF_IO, flags=re.MULTILINE)
    assert len(rows) == 2
    for *accesses, value in rows:
        assert f"{value_1(*map(float, accesses)):.3f}" == value


def test_worked_example_of_release_2_1() -> None:
    section = part_of_page(B_EFF_IO, "### Release 2.1")
    numbers = [float(number) for number in re.findall(r"\d+\.\d{3}", section)]
    *inputs, of_write, of_read, value = numbers
    write, rewrite, read = inputs[:5], inputs[5], inputs[6:]
    assert len(read) == 5
    assert value_2_1(write, rewrite, read) == pytest.approx(value, abs=5e-4)
    assert access_average(read, read[0]) == pytest.approx(of_read, abs=5e-4)
    assert access_average(write, rewrite) == pytest.approx(of_write, abs=5e-4)


def test_worked_example_of_repetitions() -> None:
    text = " ".join(B_EFF_IO.split())
    assert "100 calls of pattern 4 with 32 chunks each, 250 of pattern 12 and 2700" in text
    table = patterns_of(OFFICIAL_TYPES, 2**21)
    calls = repetitions_of(table, {4: 100, 12: 250, 20: 2700}, 32 * 2**10)
    assert f"min(3200, 2500, 2700) = {calls}" in text
