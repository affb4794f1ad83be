"""Which results are of one run: what holds the same samples counts once, whatever was added."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from beff.model.load import Document

Run = TypeVar("Run")


def samples_of(run: Document) -> str:
    """Return what only results of the same run have in common: the digest of the samples.

    Where there are none, as in an imported result, everything else must be the same.
    """
    measured = "passes" if run.benchmark == "b_pairs" else "samples"
    if run.is_imported or not any(run.fields[measured].values()):
        return json.dumps(run.fields, sort_keys=True)
    return f"{run.benchmark} {run.fields['digest']['samples']}"


def grouped(
    runs: Iterable[Run], samples: Callable[[Run], str], preferred: Callable[[Run], bool]
) -> list[list[Run]]:
    """Group copies of the same run; in front stands the one that counts, a preferred one if any."""
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(samples(run), []).append(run)
    return [sorted(group, key=lambda run: not preferred(run)) for group in groups.values()]


def once(
    runs: Sequence[Document], *, with_rmax: bool = True
) -> tuple[tuple[Document, ...], tuple[str, ...]]:
    """Return the runs without copies, and one sentence for each copy that was left out.

    Of copies, one with R_max counts, or by choice one without.
    """
    groups = grouped(
        runs, samples_of, lambda run: (run.fields.get("rmax") is not None) is with_rmax
    )
    sentences = [
        f"{copy.source} holds the same samples as {kept.source}: it counts once"
        for kept, *copies in groups
        for copy in copies
    ]
    return tuple(group[0] for group in groups), tuple(sentences)


def apart(
    runs: Sequence[Document], others: Sequence[Document]
) -> tuple[tuple[Document, ...], tuple[Document, ...]]:
    """Return the runs that are no copies of others, and those that are."""
    keys = {samples_of(run) for run in others}
    return (
        tuple(run for run in runs if samples_of(run) not in keys),
        tuple(run for run in runs if samples_of(run) in keys),
    )
