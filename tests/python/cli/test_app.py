"""The command as a whole: its table of subcommands, and what a shell completes."""

import os
import subprocess
import sys

import pytest

from beff.cli.app import COMMANDS, GROUPS, PLACES, main


@pytest.mark.parametrize("arguments", [[], ["-h"], ["--help"]], ids=str)
def test_help_lists_what_a_newcomer_needs(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 0
    text = capsys.readouterr().out
    listed = [name for name in COMMANDS if f"\n  {name} " in text]
    assert listed == ["run", "today", "nodes", "job", "doctor", "show", "compare", "check"]
    assert "beff --help all lists accept, verify, import and list as well." in text


@pytest.mark.parametrize("arguments", [["-h", "all"], ["--help", "all"]], ids=str)
def test_help_lists_every_command_in_its_group(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 0
    text = capsys.readouterr().out
    place = 0
    for heading, group in GROUPS.items():
        place = text.index(f"\n{heading}:\n", place)
        for name, command in group.items():
            place = text.index(f"\n  {name} ", place)
            line = text[place + 1 :].partition("\n")[0]
            assert line.split(maxsplit=1)[1] == command.summary
            assert len(line) <= 80


def test_help_loads_no_command() -> None:
    code = (
        "import sys; from beff.cli.app import main; main(['--help']);"
        " print(*{'numpy', 'pydantic', 'rich', 'jinja2'} & set(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.split() == []


def test_help_of_a_command_builds_no_validator_of_results() -> None:
    code = (
        "import sys; from beff.cli.app import main; main(['check', '--help']);"
        " from beff.result.record import Record; every = [Record];"
        " [every.extend(one.__subclasses__()) for one in every];"
        " print(*(one.__name__ for one in every if one.__pydantic_complete__), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.split() == []


@pytest.mark.parametrize("name", PLACES)
def test_each_command_explains_itself_with_an_example(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*name.split(), "--help"]) == 0
    shown = capsys.readouterr().out
    assert f"Usage: beff {name}" in shown
    assert f"  beff {name} " in shown.replace("\n", " ").split("Example", 1)[1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["frobnicate"], "frobnicate"),
        (["verify"], "Missing argument 'FILE...'"),
        (["verify", "--frob", "x"], "--frob"),
        (["doctor", "--processes", "1"], "--processes"),
        (["run", "--processes", "two"], "--processes two: 'two' must be a whole number"),
        (["run", "--processes", "4,1"], "--processes 4,1: '1' must be a whole number"),
        (["run", "4"], "'4' is not an option; numbers of processes are given by --processes"),
        (["run", "--", "--output", "x"], "--output cannot be given behind '--'"),
        (["run", "--", "--plan=json"], "--plan measures nothing"),
    ],
)
def test_wrong_usage_is_one_sentence(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("beff: ")
    assert says in told.err
    assert told.err.count("\n") == 1


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
    shell = {
        "_BEFF_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    done = subprocess.run(
        [sys.executable, "-m", "beff"],
        env=os.environ | shell,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == completed
