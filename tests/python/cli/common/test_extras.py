"""Commands without the packages of the extras: what works, and what the others say."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest
from support.reports import B_EFF

from beff.cli.common import exit_codes
from beff.cli.common.absent import EXTRA_OF
from beff.launch.installation import install_command

# Nothing of the extras can be imported, as in an installation of the core alone.
CORE_ONLY = f"""
import sys
from beff.cli.app import main

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {set(EXTRA_OF)}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
sys.exit(main(sys.argv[1:]))
"""


def core_only(*arguments: object, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", CORE_ONLY, *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def requirements() -> dict[str, set[str]]:
    """Names of the packages by the extra that asks for them itself; '' is the core."""
    found: dict[str, set[str]] = {}
    for line in requires("beff") or []:
        name = re.match(r"[\w.-]+", line)
        extra = re.search(r"extra == ['\"](\w+)['\"]", line)
        assert name is not None
        found.setdefault(extra[1] if extra else "", set()).add(name[0].lower())
    return found


def test_the_table_agrees_with_the_requirements() -> None:
    wanted = requirements()
    brings = packages_distributions()
    for module, extra in EXTRA_OF.items():
        assert {name.lower() for name in brings[module]} & wanted[extra], module
        assert not {name.lower() for name in brings[module]} & wanted[""], module


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("run", "--help"),
        ("doctor", "--help"),
        ("job", "--help"),
        ("twin", "simulate", "--help"),
        ("verify", B_EFF),
        ("compare", B_EFF, B_EFF, "--run-noise", "1%"),
        ("balance", B_EFF),
        ("report", B_EFF, "-o", "samples.csv"),
        ("report", B_EFF, "-o", "tables.md"),
        ("report", B_EFF, "-o", "samples.gp"),
    ],
)
def test_works_with_the_core(arguments: tuple[object, ...], tmp_path: Path) -> None:
    done = core_only(*arguments, folder=tmp_path)
    assert (done.returncode, done.stderr) == (exit_codes.OK, "")


def test_help_tells_which_commands_are_not_installed(tmp_path: Path) -> None:
    shown = core_only("--help", folder=tmp_path).stdout
    absent = re.findall(r"^  (\w+) +Not installed", shown, flags=re.MULTILINE)
    assert sorted(absent) == ["list"]


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (("report", B_EFF, "-o", "page.html"), "report"),
        (("report", B_EFF, "-o", "page.png"), "report"),
        (("compare", B_EFF, B_EFF, "-o", "changes.svg"), "report"),
        (("list", "build"), "list"),
        (("list", "--help"), "list"),
        (("accept", "results", "--as", "x"), "list"),
    ],
)
def test_one_sentence_names_the_extra(
    arguments: tuple[object, ...], extra: str, tmp_path: Path
) -> None:
    done = core_only(*arguments, folder=tmp_path)
    assert done.returncode == exit_codes.WRONG_USAGE
    sentence = (
        rf"beff: this needs the package \w+, which is not installed; pip install"
        rf" {re.escape(install_command(extra).removeprefix('pip install '))} adds it\n"
    )
    assert re.fullmatch(sentence, done.stderr)
    assert list(tmp_path.iterdir()) == []
