"""The documentation keeps up with the programs: options, commands, fields, rules and links."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import beff_core_testing as core
import pytest
import typer

from beff.cli.app import make_app
from beff.model.b_eff_io_result import BEffIoResult, ImportedBEffIo
from beff.model.b_eff_io_samples import Stop
from beff.model.b_eff_result import BEffResult, ImportedBEff, Method
from beff.model.result_parts import Environment, ImportedHead, MeasuredHead, Record
from beff.store.system_figures import FIGURES
from scripted_machine import run

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
REFERENCE = DOCS / "reference"
COMMANDS = REFERENCE / "cli.md"
RESULTS = sorted((ROOT / "tests" / "data").glob("b_eff_*p_*.json"))
PROGRAMS = ("b_eff", "b_eff_io")
MODELS = {"b_eff": (BEffResult, ImportedBEff), "b_eff_io": (BEffIoResult, ImportedBEffIo)}

io = core.b_eff_io


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def names_in_code_marks(path: Path) -> set[str]:
    """Everything that stands alone between backticks."""
    return set(re.findall(r"`([^`\n]+)`", without_code(text_of(path))))


def mentions(text: str, word: str) -> bool:
    """Whether the word stands there whole: --plan is not mentioned by --planet."""
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def user_pages() -> str:
    """What was written by hand for users."""
    pages = (page for page in PAGES if page.name != "CHANGELOG.md" and page != COMMANDS)
    return "\n".join(map(text_of, pages))


# --- options and commands ---


def engine_options(program: str) -> list[str]:
    answer = subprocess.run(
        [ROOT / ".venv" / "bin" / program, "--help"],
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    return re.findall(r"^  (--[a-z-]+)", answer.stdout, flags=re.MULTILINE)


def test_the_reference_is_what_the_programs_say() -> None:
    checked = subprocess.run(
        [sys.executable, ROOT / "tools" / "write_cli_reference", "--check"],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr
    page = text_of(COMMANDS)
    for heading in ("b_eff", "b_eff_io", "beff run", "beff store add"):
        assert "--help " in part_of_page(page, f"## {heading}")


def companion_commands() -> dict[str, Any]:
    """All commands by name; those of a group as `group command`."""
    commands: dict[str, Any] = {}
    top: dict[str, Any] = typer.main.get_command(make_app()).commands  # type: ignore[attr-defined]
    for name, command in top.items():
        commands[name] = command
        for inner, part in getattr(command, "commands", {}).items():
            commands[f"{name} {inner}"] = part
    return commands


def test_every_command_of_beff_is_mentioned() -> None:
    commands = companion_commands()
    assert {"run", "verify"} <= set(commands)
    pages = user_pages()
    assert [name for name in commands if not mentions(pages, f"beff {name}")] == []


def test_options_in_the_docs_exist() -> None:
    """An option that a page names as one of b_eff, b_eff_io or beff must be one."""
    known = {option for program in PROGRAMS for option in engine_options(program)}
    for command in companion_commands().values():
        known |= {option for parameter in command.params for option in parameter.opts}
    pages = ("definitions.md", "definitions-b_eff_io.md", "output.md")
    reference = [REFERENCE / name for name in pages]
    for page in (ROOT / "README.md", DOCS / "how-to" / "measuring.md", *reference):
        named = {
            mark.split()[0].split("=")[0]
            for mark in names_in_code_marks(page)
            if re.match("--[a-z]", mark)
        }
        assert named - known == set(), page.name


def test_every_target_of_make_is_mentioned() -> None:
    targets = re.findall(r"^([a-z-]+):.*## ", text_of(ROOT / "Makefile"), flags=re.MULTILINE)
    assert "test" in targets
    pages = user_pages()
    assert [target for target in targets if not mentions(pages, f"make {target}")] == []


def test_readme_states_the_two_commands() -> None:
    lines = text_of(ROOT / "README.md").splitlines()
    assert "make run" in lines
    assert "make test" in lines


# --- fields of the result ---


def schema_fields(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        yield from node.get("properties", {})
        for value in node.values():
            yield from schema_fields(value)
    elif isinstance(node, list):
        for value in node:
            yield from schema_fields(value)


def fields_of(*models: type[Record]) -> set[str]:
    return {field for model in models for field in schema_fields(model.model_json_schema())}


@pytest.mark.parametrize(
    ("program", "some"),
    [
        ("b_eff", {"b_eff_MBps", "slowest_rank", "first_node", "met"}),
        ("b_eff_io", {"b_eff_io_MBps", "segment_cut", "open_to_close_s", "in_memory"}),
    ],
)
def test_every_field_of_a_result_is_explained(program: str, some: set[str]) -> None:
    fields = fields_of(*MODELS[program])
    assert some <= fields
    assert sorted(fields - names_in_code_marks(REFERENCE / "output.md")) == []


def part_of_page(text: str, heading: str) -> str:
    """From a heading to the next one of its level."""
    level = heading.partition(" ")[0]
    return text.partition(f"{heading}\n")[2].partition(f"\n{level} ")[0]


def test_fields_of_b_eff_io_stand_in_its_own_section() -> None:
    """Names that both benchmarks have are explained for both."""
    section = part_of_page(text_of(REFERENCE / "output.md"), "## The result of b_eff_io")
    own = fields_of(*MODELS["b_eff_io"]) - fields_of(Environment, MeasuredHead, ImportedHead)
    assert {"samples", "status", "pattern"} <= own
    named = set(re.findall(r"`([^`\n]+)`", section))
    assert sorted(own - named) == []


def test_every_recorded_option_is_explained() -> None:
    assert RESULTS
    recorded = {name for path in RESULTS for name in json.loads(text_of(path))["options"]}
    assert "loop_time_s" in recorded
    assert sorted(recorded - names_in_code_marks(REFERENCE / "output.md")) == []


def test_every_option_of_b_eff_io_has_its_recorded_name() -> None:
    section = part_of_page(text_of(REFERENCE / "output.md"), "### options of b_eff_io")
    not_recorded = {"--help", "--version", "--plan", "--processes", "--progress", "--quiet"}
    options = set(engine_options("b_eff_io")) - not_recorded
    named = set(re.findall(r"`([^`\n]+)`", section))
    assert sorted(options - named) == []
    for option in options - {"--no-drop-cache"}:
        stem = option.removeprefix("--").replace("-", "_")
        assert named & {stem, f"{stem}_s", f"{stem}_bytes"}, option


# --- rules ---


def scripted_result() -> dict[str, Any]:
    """A result as the present code writes it, measured by a scripted machine."""
    benchmark = run(processes=4, size_indices=[0], repetitions=1)
    result: dict[str, Any] = json.loads(benchmark.result_json())
    return result


def made_up_io_result() -> dict[str, Any]:
    """A result of b_eff_io as the present code writes it, of a run that measured nothing."""
    plan = io.make_plan(processes=4, time=60.0)
    measurement = io.Measurement()
    measurement.set_partitions(len(plan.partitions))
    result: dict[str, Any] = json.loads(io.make_result(plan, measurement).json(plan))
    return result


@pytest.mark.parametrize(
    ("page", "result", "some"),
    [
        ("definitions.md", scripted_result, {"complete", "clock"}),
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
    names = {criterion["name"] for criterion in result()["criteria"]}
    assert some <= names
    validity = part_of_page(text_of(REFERENCE / page), "## Validity")
    defined = set(re.findall(r"^\| `([^`]+)` \|", validity, flags=re.MULTILINE))
    assert defined == names


def test_every_method_is_defined() -> None:
    assert sorted(set(get_args(Method)) - names_in_code_marks(REFERENCE / "definitions.md")) == []


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
    ring = core.RandomPermutation(seed, 7)
    assert f"{seed}, and for 7 processes the ring" in " ".join(page.split())
    assert f"the ring {', '.join(str(ring.at(place)) for place in range(7))}" in page


def test_worked_example_of_a_loop_length() -> None:
    length = core.next_loop_length(2.5e-3, (1024, 2.0e-6), (2048, 2.5e-6), 4096)
    assert f"3535.5 / 3.5 = {length}" in text_of(REFERENCE / "definitions.md")


# --- b_eff_io ---


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
    assert "a unit of 3.125 s (release 1) or 4 s (release 2.1)" in " ".join(io_page().split())
    for release, unit in ((io.Release.R1, 3.125), (io.Release.R2_1, 4.0)):
        plan = io.make_plan(processes=64, time=1800.0, release=release)
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


# --- links ---


def anchor_of(heading: str) -> str:
    """The anchor that a heading gets on the usual hosts of Markdown."""
    plain = re.sub(r"[`*]", "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def links_of(page: Path) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", without_code(text_of(page)))


def test_every_criterion_of_the_ranking_is_explained() -> None:
    table = text_of(DOCS / "how-to" / "list.md")
    for figure in FIGURES:
        better = "less" if figure.less_is_better else "more"
        assert re.search(rf"^\| `{figure.key}` \|.*\| {better} \|$", table, re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_relative_links_resolve(page: Path) -> None:
    for link in links_of(page):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        file = (page.parent / target).resolve() if target else page
        assert file.exists(), link
        if anchor:
            headings = re.findall(r"^#+ (.*)$", without_code(text_of(file)), flags=re.MULTILINE)
            assert anchor in {anchor_of(heading) for heading in headings}, link


def test_every_page_is_reached_from_the_readme() -> None:
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or page not in PAGES:
            continue
        reached.add(page)
        files = (link.partition("#")[0] for link in links_of(page) if ":" not in link)
        waiting += [(page.parent / file).resolve() for file in files if file]
    assert [str(page.relative_to(ROOT)) for page in PAGES if page not in reached] == []
