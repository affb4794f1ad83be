"""The documentation keeps up with the programs: options, commands, fields and links."""

import ast
import json
import re
import subprocess
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import pytest
from pages_of_docs import (
    DOCS,
    PAGES,
    REFERENCE,
    ROOT,
    names_in_code_marks,
    part_of_page,
    text_of,
    without_code,
)

from beff.cli.app import COMMANDS, PLACES, function_of
from beff.cli.common.options import arguments_of
from beff.judge.finding import Checked, Finding, Verdict
from beff.result.contract import json_schema_text
from beff.show.judged_files import checked_json

RESULTS = sorted((ROOT / "tests" / "data").glob("b_*.json"))
PROGRAMS = ("b_eff", "b_eff_io")


# --- options and commands ---


def engine_help(program: str) -> str:
    command = [ROOT / ".venv" / "bin" / program, "--help"]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=True).stdout


def test_every_command_and_every_target_of_make_is_mentioned() -> None:
    targets = re.findall(r"^([a-z-]+):.*## ", text_of(ROOT / "Makefile"), flags=re.MULTILINE)
    names = [f"beff {name}" for name in (*COMMANDS, *PLACES)]
    names += [f"make {target}" for target in targets]
    assert {"beff run", "beff verify", "make test"} <= {*names}
    pages = "\n".join(text_of(page) for page in PAGES if page.name != "CHANGELOG.md")
    whole = (rf"(?<![\w-]){re.escape(name)}(?![\w-])" for name in names)
    assert [words for words in whole if not re.search(words, pages)] == []


def test_commands_in_the_docs_exist() -> None:
    """Behind a backtick, or in a block at the beginning of a line or behind a launcher."""
    known = {*COMMANDS}
    for page in PAGES:
        if page.name == "CHANGELOG.md":  # which says what is gone
            continue
        text = text_of(page)
        blocks = "\n".join(re.findall(r"^```\w*\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
        named = {
            *re.findall(r"`beff\s+([a-z]+)", text),
            *re.findall(r"^(?: *|(?:salloc|srun) .* )beff ([a-z]+)", blocks, re.MULTILINE),
        }
        assert named - known == set(), page.name


def test_options_in_the_docs_exist() -> None:
    """An option that a page names as one of b_eff, b_eff_io or beff must be one."""
    helps = "".join(map(engine_help, PROGRAMS))
    known = {*re.findall(r"^  (--[a-z-]+)", helps, flags=re.MULTILINE)}
    for place in PLACES:
        known |= {name for argument in arguments_of(function_of(place)) for name in argument.names}
    pages = ("definitions.md", "definitions-b_eff_io.md", "output.md")
    reference = [REFERENCE / name for name in pages]
    for page in (ROOT / "README.md", DOCS / "how-to" / "measuring.md", *reference):
        named = {
            mark.split()[0].split("=")[0]
            for mark in names_in_code_marks(page)
            if re.match("--[a-z]", mark)
        }
        assert named - known == set(), page.name


# --- fields ---


def test_every_field_of_a_result_has_a_meaning() -> None:
    """Its own, or that of the object which it is."""
    parts = json.loads(json_schema_text())["$defs"]
    fields = [
        (f"{part}.{name}", node)
        for part, model in parts.items()
        for name, node in model["properties"].items()
    ]
    assert len(fields) > 300
    bare = [name for name, node in fields if not {"description", "$ref"} & flat_keys(node)]
    assert bare == []
    assert [name for name, part in parts.items() if not part.get("description")] == []


def flat_keys(node: Any) -> set[str]:
    """All names in a part of a schema."""
    if isinstance(node, dict):
        return set(node).union(*map(flat_keys, node.values()))
    return set().union(*map(flat_keys, node)) if isinstance(node, list) else set()


def test_every_field_of_a_check_is_explained() -> None:
    section = part_of_page(text_of(REFERENCE / "output.md"), "### beff check --json")
    named = set(re.findall(r"`([^`\n]+)`", section))
    finding = Finding("partial", "b_eff", Verdict.UNKNOWN)
    told = checked_json(Checked((finding,)))
    own = {*told, *told["findings"][0]}
    assert {"findings", "against", "good_hosts"} <= own
    assert sorted(own - named) == []


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.stem)
def test_results_record_options_by_name_and_unit(path: Path) -> None:
    result = json.loads(text_of(path))
    units = {"SIZE": "_bytes", "DURATION": "_s", "GFLOPS": "_gflops"}
    options = re.findall(r"^  --([a-z-]+) *(\S*)", engine_help(result["benchmark"]), re.MULTILINE)
    known = {name.replace("-", "_") + units.get(argument, "") for name, argument in options}
    assert {"output", "time_limit_s"} < set(result["options"]) <= known


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
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or page not in PAGES:
            continue
        reached.add(page)
        files = (link.partition("#")[0] for link in links_of(page) if ":" not in link)
        waiting += [(page.parent / file).resolve() for file in files if file]
    assert [str(page.relative_to(ROOT)) for page in PAGES if page not in reached] == []


# --- folders of the companion need one another one way: see docs/contributing/architecture.md ---

PACKAGE = Path(__file__).parents[2] / "python"


def imported_modules(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_no_folder_and_no_file_needs_one_that_needs_it() -> None:
    files: dict[Path, set[Path]] = {}
    for file in {*PACKAGE.glob("beff/**/*.py")} - {PACKAGE / "beff/__main__.py"}:  # starts app.py
        modules = map(Path, (one.replace(".", "/") for one in imported_modules(file)))
        used = (PACKAGE / one.with_suffix(".py") for one in modules)
        files[file] = {one for one in used if one.exists() and one != file}
    folders: dict[Path, set[Path]] = {}
    for file, others in files.items():
        folders.setdefault(file.parent, set()).update(
            other.parent for other in others if other.parent != file.parent
        )
    assert len(folders) > 15
    assert list(TopologicalSorter(files).static_order())  # raises CycleError, which names them
    order = list(TopologicalSorter(folders).static_order())
    assert order.index(PACKAGE / "beff/result") < order.index(PACKAGE / "beff/judge")
