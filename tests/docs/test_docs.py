"""The documentation keeps up with the programs: options, commands, fields and links."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import typer
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

from beff.cli.app import make_app
from beff.judge.finding import Checked, Finding, Verdict
from beff.list.folder import FIGURES
from beff.report.check_files import checked_json
from beff.result.contract import json_schema_text

RESULTS = sorted((ROOT / "tests" / "data").glob("b_*.json"))
PROGRAMS = ("b_eff", "b_eff_io")


def mentions(text: str, word: str) -> bool:
    """Whether the word stands there whole: --plan is not mentioned by --planet."""
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def user_pages() -> str:
    """What was written by hand for users."""
    pages = (page for page in PAGES if page.name != "CHANGELOG.md")
    return "\n".join(map(text_of, pages))


# --- options and commands ---


def engine_help(program: str) -> str:
    command = [ROOT / ".venv" / "bin" / program, "--help"]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=True).stdout


def engine_options(program: str) -> list[str]:
    return re.findall(r"^  (--[a-z-]+)", engine_help(program), flags=re.MULTILINE)


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


def test_commands_in_the_docs_exist() -> None:
    """Behind a backtick, or in a block at the beginning of a line or behind a launcher."""
    known = {name.split()[0] for name in companion_commands()}
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


def test_every_criterion_of_the_ranking_is_named() -> None:
    page = text_of(DOCS / "how-to" / "list.md")
    for figure in FIGURES:
        assert f"`{figure['key']}`" in page


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
