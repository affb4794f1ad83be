"""How many results share a picture."""

from collections.abc import Sequence

MOST_RESULTS = 12
"""More lines cannot be distinguished."""


def first_of(labels: Sequence[str]) -> tuple[list[str], str]:
    """Return the results that an overlay shows, and what its caption says when these are not all.

    The remark is empty or starts with a blank.
    """
    shown = list(labels[:MOST_RESULTS])
    if len(shown) == len(labels):
        return shown, ""
    return shown, f" Shown are the first {len(shown)} of {len(labels)} results."
