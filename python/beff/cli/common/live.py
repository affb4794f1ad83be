"""What is shown while a run measures: a bar on a terminal, plain lines elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Columns

from beff.launch.follow import Progress
from beff.result.numbers import format_duration, percent
from beff.result.plain_text import one_line

_LINE_EVERY_S = 5.0
_TOO_EARLY = 0.01


class Bar:
    """One line that is drawn anew at each look and by no timer in between.

    As those of Lines, its progress is None while nothing is known yet.
    """

    def __init__(self, title: str, console: Console) -> None:
        self._columns = Columns(
            TextColumn(title),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[now]}", markup=False),
            console=console,
            auto_refresh=False,
            transient=True,
        )
        self._task = self._columns.add_task(title, total=None, now="starting")
        self._columns.start()

    def show(self, progress: Progress | None) -> None:
        """Draw the bar."""
        if progress is not None:
            known = progress.share is not None
            self._columns.update(
                self._task,
                completed=progress.share,
                total=1.0 if known else None,
                now=f"{progress.now}; {progress.done}" if progress.now else progress.done,
            )
        self._columns.refresh()

    def close(self) -> None:
        """Take the bar away."""
        self._columns.stop()


class Lines:
    """A line every few seconds, for logs."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._started = self._last = time.monotonic()

    def show(self, progress: Progress | None) -> None:
        """Print a line when it is time for one."""
        now = time.monotonic()
        share = None if progress is None else progress.share
        if progress is None or share is None or now - self._last < _LINE_EVERY_S:
            return
        self._last = now
        left = "estimating the rest"
        if share > _TOO_EARLY:
            rest = round((now - self._started) * (1 - share) / share)
            left = f"about {format_duration(rest)} left" if rest > 0 else "almost done"
        print(
            f"{self._title}: {progress.done} ({percent(share)}), {left}, now {progress.now}",
            file=sys.stderr,
            flush=True,
        )

    def close(self) -> None:
        """Nothing to take away."""


@contextmanager
def showing(title: str) -> Iterator[Callable[[Progress | None], None]]:
    """Show how far a run is, as a function is called that this gives."""
    display = display_for(title)
    try:
        yield display.show
    finally:
        display.close()


def display_for(title: str) -> Bar | Lines:
    """Return a bar where standard error is a terminal that can move back in a line, else lines."""
    console, title = Console(stderr=True), one_line(title)
    can = console.is_terminal and not console.is_dumb_terminal
    return Bar(title, console) if can else Lines(title)
