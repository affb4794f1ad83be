"""What earlier versions had is one sentence with the way out, and code 2."""

from __future__ import annotations

import pytest

from beff.cli.app import main
from beff.cli.common.absent import COMMANDS, OPTIONS


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_is_gone(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*name.split(), "results"]) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert shown.err.startswith(f"beff: beff {name} is gone: ")


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_that_is_gone(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", name]) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert OPTIONS[name] in shown.err


def test_an_option_that_never_was(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--signal"]) == 2
    assert "gone" not in capsys.readouterr().err
