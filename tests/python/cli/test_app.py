"""The command as a whole: its table of subcommands, and what a shell completes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.reports import B_EFF, B_EFF_IO, run_beff

from beff.cli.app import COMMANDS
from beff.cli.show_file import ENDINGS
from beff.launch.networks import NETWORKS
from beff.maps.findings import SLOW, SLOW_SINCE
from beff.show.judged_files import COMPARE_ENDINGS, FLEET_ENDINGS


@pytest.mark.parametrize("arguments", [[], ["-h"], ["--help"]], ids=str)
def test_help_lists_what_a_newcomer_needs(arguments: list[str]) -> None:
    text = run_beff(*arguments).stdout
    listed = [name for name in COMMANDS if f"\n  {name} " in text]
    assert listed == ["run", "today", "nodes", "job", "doctor", "show", "compare", "check"]
    assert "beff --help all lists accept, verify, import and list as well." in text


def test_help_of_a_command_builds_no_validator_of_results() -> None:
    code = (
        "import sys; from beff.cli.app import main; main(['check', '--help']);"
        " from beff.result.bounds import Record; every = [Record];"
        " [every.extend(one.__subclasses__()) for one in every];"
        " print(*(one.__name__ for one in every if one.__pydantic_complete__), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.split() == []


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("show", ENDINGS),
        ("compare", ", ".join(COMPARE_ENDINGS)),
        ("nodes", ", ".join(FLEET_ENDINGS)),
        ("nodes", f"{SLOW:.0%}, {SLOW_SINCE:.0%} beside"),
        ("run", ", ".join(NETWORKS)),
    ],
)
def test_help_names_what_there_is(command: str, words: str) -> None:
    assert words in " ".join(run_beff(command, "--help").stdout.split())


def test_version() -> None:
    assert run_beff("--version").stdout.startswith("beff ")


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("beff ver", ["verify"]),
        ("beff compare --th", ["--threshold"]),
        ("beff list bu", ["build"]),
    ],
)
def test_a_shell_completes_commands_and_options(words: str, completed: list[str]) -> None:
    ask = f"""
        eval "$({sys.executable} -m beff --show-completion)"
        COMP_WORDS=({words}) COMP_CWORD={len(words.split()) - 1}
        _beff
        echo "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        ["bash", "-c", ask],
        env=os.environ | {"SHELL": "/bin/bash"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == completed


def test_the_newest_folder_is_shown(tmp_path: Path) -> None:
    assert run_beff("show", folder=tmp_path).returncode == 2
    files = {"b_eff": B_EFF, "b_eff_io": B_EFF_IO}
    for name, file in files.items():
        (tmp_path / "results" / name).mkdir(parents=True)
        shutil.copy(file, tmp_path / "results" / name)
    for newest in files:
        for name, file in files.items():
            time_s = 2000 if name == newest else 1000
            os.utime(tmp_path / "results" / name / file.name, (time_s, time_s))
        assert run_beff("show", folder=tmp_path).stdout.split()[0] == newest
