"""What is shown while a run measures: a bar on a terminal, plain lines elsewhere."""

import sys
import time
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from beff.launch.follow import State
from beff.model.units import format_duration

_LINE_EVERY_S = 5.0
_TOO_EARLY = 0.01


class Display(Protocol):
    """Shows how far a run is."""

    def show(self, state: State | None) -> None:
        """Show the present state; None while nothing is known yet."""

    def close(self) -> None:
        """End the display."""


class Bar:
    """One line that is drawn anew at each look and by no timer in between."""

    def __init__(self, title: str, console: Console) -> None:
        self._progress = Progress(
            TextColumn(title),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[pattern]}"),
            console=console,
            auto_refresh=False,
            transient=True,
        )
        self._task = self._progress.add_task(title, total=None, pattern="starting")
        self._progress.start()

    def show(self, state: State | None) -> None:
        """Draw the bar."""
        if state is not None:
            total = state.total or None
            self._progress.update(
                self._task, completed=state.done, total=total, pattern=state.pattern
            )
        self._progress.refresh()

    def close(self) -> None:
        """Take the bar away."""
        self._progress.stop()


class Lines:
    """A line every few seconds, for logs."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._started = self._last = time.monotonic()

    def show(self, state: State | None) -> None:
        """Print a line when it is time for one."""
        now = time.monotonic()
        if state is None or not state.total or now - self._last < _LINE_EVERY_S:
            return
        self._last = now
        share = state.done / state.total
        left = "estimating the rest"
        if share > _TOO_EARLY:
            rest = round((now - self._started) * (1 - share) / share)
            left = f"about {format_duration(rest)} left" if rest > 0 else "almost done"
        print(
            f"{self._title}: {state.done} of {state.total} loops ({share:.0%}), {left},"
            f" now {state.pattern}",
            file=sys.stderr,
            flush=True,
        )

    def close(self) -> None:
        """Nothing to take away."""


def display_for(title: str) -> Display:
    """Return a bar where standard error is a terminal, else lines."""
    console = Console(stderr=True)
    return Bar(title, console) if console.is_terminal else Lines(title)
