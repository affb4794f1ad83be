"""What is shown while a run measures, on a terminal and elsewhere."""

import io

import pytest
from rich.console import Console

from beff.cli.common import live
from beff.launch.follow import Progress

HALF = Progress(0.5, "4 of 8 patterns, 40 % of T = 30 s elapsed", "read, pattern 3 [scatter]")


def test_lines_off_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [100.0]
    monkeypatch.setattr(live.time, "monotonic", lambda: now[0])
    lines = live.Lines("b_eff_io, 2 processes")
    lines.show(None)
    lines.show(HALF)
    now[0] = 112.0
    lines.show(Progress(None, "patterns: 4", ""))
    assert capsys.readouterr().err == ""
    lines.show(HALF)
    lines.show(HALF)
    assert capsys.readouterr().err == (
        "b_eff_io, 2 processes: 4 of 8 patterns, 40 % of T = 30 s elapsed (50 %), about 12 s left,"
        " now read, pattern 3 [scatter]\n"
    )


@pytest.mark.parametrize(
    ("terminal", "display"), [("xterm", live.Bar), ("dumb", live.Lines), ("unknown", live.Lines)]
)
def test_a_terminal_that_cannot_move_back_gets_lines(
    monkeypatch: pytest.MonkeyPatch, terminal: str, display: type[live.Bar | live.Lines]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes it for a terminal then
    monkeypatch.setenv("TERM", terminal)
    found = live.display_for("b_eff")
    found.close()
    assert isinstance(found, display)


def test_the_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    written = io.StringIO()
    bar = live.Bar("b_eff_io", Console(file=written, force_terminal=True, width=160))
    bar.show(None)
    bar.show(HALF)
    bar.close()
    assert "starting" in written.getvalue()
    assert "50%" in written.getvalue()
    assert "read, pattern 3 [scatter]; 4 of 8 patterns" in written.getvalue()
