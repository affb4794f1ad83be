"""What the display of a run needs to know, whichever benchmark runs."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Progress:
    """How far a run is.

    `share` of the planned work from 0 to 1, None where the plan is not known; `done` says the same
    in words; `now` is what was measured last.
    """

    share: float | None
    done: str
    now: str


Look = Callable[[], Progress | None]
"""The present progress; None while nothing is known yet."""

FollowerOf = Callable[[Path], Look]
"""Makes a look at a run of the path of its journal."""
