"""The documentation keeps up with the programs: options, commands, fields and links."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
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
from beff.list.figures import FIGURES
from beff.report.check_files import checked_json
from beff.result.b_eff_io_result import BEffIoResult, ImportedBEffIo
from beff.result.b_eff_result import BEffResult, ImportedBEff
from beff.result.result_parts import Environment, ImportedHead, MeasuredHead, Record

RESULTS = sorted((ROOT / "tests" / "data").glob("b_eff_*p_*.json"))
PROGRAMS = ("b_eff", "b_eff_io")
MODELS = {"b_eff": (BEffResult, ImportedBEff), "b_eff_io": (BEffIoResult, ImportedBEffIo)}


def mentions(text: str, word: str) -> bool:
    """Whether the word stands there whole: --plan is not mentioned by --planet."""
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def user_pages() -> str:
    """What was written by hand for users."""
    pages = (page for page in PAGES if page.name != "CHANGELOG.md")
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
    told = fields_of(*MODELS[program])
    assert some <= told
    assert sorted(told - names_in_code_marks(REFERENCE / "output.md")) == []


def test_fields_of_b_eff_io_stand_in_its_own_section() -> None:
    """Names that both benchmarks have are explained for both."""
    section = part_of_page(text_of(REFERENCE / "output.md"), "## The result of b_eff_io")
    own = fields_of(*MODELS["b_eff_io"]) - fields_of(Environment, MeasuredHead, ImportedHead)
    assert {"samples", "status", "pattern"} <= own
    named = set(re.findall(r"`([^`\n]+)`", section))
    assert sorted(own - named) == []


def test_every_field_of_a_check_is_explained() -> None:
    section = part_of_page(text_of(REFERENCE / "output.md"), "### beff check --json")
    named = set(re.findall(r"`([^`\n]+)`", section))
    finding = Finding("partial", "b_eff", Verdict.UNKNOWN)
    told = checked_json(Checked((finding,)))
    own = {*told, *told["findings"][0]}
    assert {"findings", "against", "good_hosts"} <= own
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
    for option in options:
        stem = option.removeprefix("--").replace("-", "_")
        assert named & {stem, f"{stem}_s", f"{stem}_bytes"}, option


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
        assert f"`{figure.key}`" in page


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
