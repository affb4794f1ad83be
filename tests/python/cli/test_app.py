"""The command as a whole: its table of subcommands, and what a shell completes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.reports import B_EFF, B_EFF_IO

from beff.cli.app import COMMANDS, main
from beff.cli.show_file import ENDINGS
from beff.launch.networks import NETWORKS
from beff.maps.findings import SLOW, SLOW_SINCE
from beff.show.judged_files import COMPARE_ENDINGS, FLEET_ENDINGS


@pytest.mark.parametrize("arguments", [[], ["-h"], ["--help"]], ids=str)
def test_help_lists_what_a_newcomer_needs(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 0
    text = capsys.readouterr().out
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
    "line",
    ["verify ", "show --history ", "today --history= -n 2", "run --output-dir= ", "list build "],
)
def test_an_empty_path_is_not_the_folder_here(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As of a variable of a script that is not set."""
    monkeypatch.chdir(tmp_path)
    assert main(line.split(" ")) == 2
    assert "is empty; name a file or a folder" in capsys.readouterr().err
    assert not any(tmp_path.iterdir())


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
def test_help_names_what_there_is(
    command: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--help"]) == 0
    assert words in " ".join(capsys.readouterr().out.split())


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("beff ")


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


def test_the_newest_folder_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["show"]) == 2
    capsys.readouterr()
    files = {"b_eff": B_EFF, "b_eff_io": B_EFF_IO}
    for name, file in files.items():
        Path("results", name).mkdir(parents=True)
        shutil.copy(file, Path("results", name))
    for newest in files:
        for name, file in files.items():
            time_s = 2000 if name == newest else 1000
            os.utime(Path("results", name, file.name), (time_s, time_s))
        assert main(["show"]) == 0
        assert capsys.readouterr().out.split()[0] == newest
