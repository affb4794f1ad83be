"""The documentation keeps up with the programs: options, commands, fields, rules and links."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import beff_core_testing as core
import pytest
import typer

from beff.cli.app import app

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("*.md")])
RESULTS = sorted((ROOT / "tests" / "data").glob("b_eff_*p_*.json"))

# Parts of the schema that a result of b_eff is made of.
B_EFF_PARTS = ("criterion", "environment", "b_eff", "b_eff_pattern")


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
    return "\n".join(text_of(page) for page in PAGES if page.name != "CHANGELOG.md")


# --- options and commands ---


def engine_options() -> list[str]:
    answer = subprocess.run(
        [ROOT / ".venv" / "bin" / "b_eff", "--help"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return re.findall(r"^  (--[a-z-]+)", answer.stdout, flags=re.MULTILINE)


def test_every_option_of_b_eff_is_mentioned() -> None:
    options = engine_options()
    assert "--memory-per-process" in options
    pages = user_pages()
    assert [option for option in options if not mentions(pages, option)] == []


def companion_commands() -> dict[str, Any]:
    commands: dict[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    return commands


def test_every_command_of_beff_is_mentioned() -> None:
    commands = companion_commands()
    assert {"run", "verify"} <= set(commands)
    pages = user_pages()
    assert [name for name in commands if not mentions(pages, f"beff {name}")] == []


@pytest.mark.parametrize("command", sorted(companion_commands()))
def test_every_option_of_a_command_is_mentioned(command: str) -> None:
    pages = user_pages()
    written = [
        option
        for parameter in companion_commands()[command].params
        for option in parameter.opts
        if option.startswith("--")
    ]
    assert [option for option in written if not mentions(pages, option)] == []


def test_options_in_the_docs_exist() -> None:
    """An option that a page names as one of b_eff or beff must be one."""
    known = {*engine_options(), "--version"}
    for command in companion_commands().values():
        known |= {option for parameter in command.params for option in parameter.opts}
    for page in (ROOT / "README.md", DOCS / "definitions.md", DOCS / "output.md"):
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
        for key, value in node.items():
            if key != "$defs":
                yield from schema_fields(value)
    elif isinstance(node, list):
        for value in node:
            yield from schema_fields(value)


def b_eff_fields() -> set[str]:
    schema = json.loads(text_of(ROOT / "schema" / "result.schema.json"))
    head = {"properties": schema["properties"]}
    parts = [schema["$defs"][name] for name in B_EFF_PARTS]
    return set(schema_fields([head, *parts]))


def test_every_field_of_a_result_is_explained() -> None:
    fields = b_eff_fields()
    assert {"b_eff_MBps", "slowest_rank", "first_node", "met"} <= fields
    assert sorted(fields - names_in_code_marks(DOCS / "output.md")) == []


def test_every_recorded_option_is_explained() -> None:
    assert RESULTS
    recorded = {name for path in RESULTS for name in json.loads(text_of(path))["options"]}
    assert "loop_time_s" in recorded
    assert sorted(recorded - names_in_code_marks(DOCS / "output.md")) == []


# --- rules ---


def scripted_result() -> dict[str, Any]:
    """A result as the present code writes it, measured by a scripted machine."""
    benchmark = core.scripted_benchmark(processes=4, size_indices=[0], repetitions=1)
    while (order := benchmark.next()) is not None:
        time_s = 1e-6 * order["loop_length"]
        benchmark.completed(time_s, time_s, time_s, 0)
    result: dict[str, Any] = json.loads(benchmark.result_json())
    return result


def test_every_criterion_is_defined() -> None:
    names = {criterion["name"] for criterion in scripted_result()["criteria"]}
    assert {"complete", "clock"} <= names
    defined = set(
        re.findall(r"^\| `([^`]+)` \|", text_of(DOCS / "definitions.md"), flags=re.MULTILINE)
    )
    assert sorted(names - defined) == []


def test_every_method_is_defined() -> None:
    schema = json.loads(text_of(ROOT / "schema" / "result.schema.json"))
    methods = schema["$defs"]["b_eff"]["properties"]["methods"]["items"]["enum"]
    assert sorted(set(methods) - names_in_code_marks(DOCS / "definitions.md")) == []


def test_every_pattern_is_defined() -> None:
    page = text_of(DOCS / "definitions.md")
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
    assert row in text_of(DOCS / "definitions.md")
    sizes = ", ".join(map(str, core.ring_sizes(processes, standard)))
    assert row.endswith(f"| {sizes} |")


def test_worked_examples_of_grids() -> None:
    page = text_of(DOCS / "definitions.md")
    rows = re.findall(r"^\| (\d+) \| (\d+ x \d+)[^|]*\| (\d+ x \d+ x \d+)", page, flags=re.M)
    assert len(rows) == 6
    for processes, plane, space in rows:
        for dimensions, shown in ((2, plane), (3, space)):
            extents = core.pattern_grid(int(processes), dimensions)[:dimensions]
            assert " x ".join(map(str, extents)) == shown


def test_worked_example_of_a_random_ring() -> None:
    page = text_of(DOCS / "definitions.md")
    seed = core.pattern_seed(1, 6)
    ring = core.RandomPermutation(seed, 7)
    assert f"{seed}, and for 7 processes the ring" in " ".join(page.split())
    assert f"the ring {', '.join(str(ring.at(place)) for place in range(7))}" in page


def test_worked_example_of_a_loop_length() -> None:
    length = core.next_loop_length(2.5e-3, (1024, 2.0e-6), (2048, 2.5e-6), 4096)
    assert f"3535.5 / 3.5 = {length}" in text_of(DOCS / "definitions.md")


# --- links ---


def anchor_of(heading: str) -> str:
    """The anchor that a heading gets on the usual hosts of Markdown."""
    plain = re.sub(r"[`*]", "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def links_of(page: Path) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", without_code(text_of(page)))


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
    linked = {link.partition("#")[0] for link in links_of(ROOT / "README.md")}
    assert [page.name for page in DOCS.glob("*.md") if f"docs/{page.name}" not in linked] == []
