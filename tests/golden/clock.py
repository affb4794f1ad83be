"""What time it is while scenes are played: the same on every day."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timezone, tzinfo
from importlib import import_module
from itertools import count
from pkgutil import walk_packages
from unittest.mock import patch

import beff

NOW = datetime(2026, 11, 28, 12, tzinfo=timezone.utc)


class _Clock(datetime):
    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        return NOW.astimezone(tz)


class _Steady:
    """A clock that takes as long between any two looks, so that as many runs fit into a time."""

    def __init__(self) -> None:
        self.monotonic = count(step=5.0).__next__


@contextmanager
def frozen() -> Iterator[None]:
    """Let it be NOW in all modules of beff that look at a clock for the date."""
    names = (found.name for found in walk_packages(beff.__path__, "beff."))
    modules = [import_module(name) for name in names if not name.endswith("__main__")]
    with ExitStack() as patches:
        patches.enter_context(patch("beff.cli.today.time", _Steady()))
        for module in modules:
            if getattr(module, "datetime", None) is datetime:
                patches.enter_context(patch.object(module, "datetime", _Clock))
        yield
