"""Copies of one run, which are one piece of evidence."""

import json
from collections.abc import Sequence

from beff.model.load import Document


def once(runs: Sequence[Document]) -> tuple[tuple[Document, ...], tuple[str, ...]]:
    """Return the runs without copies, and one sentence for each that was left out."""
    kept: dict[str, Document] = {}
    sentences = []
    for run in runs:
        key = _key(run)
        if key in kept:
            sentences.append(
                f"{run.source} holds the same samples as {kept[key].source}: it counts once"
            )
        else:
            kept[key] = run
    return tuple(kept.values()), tuple(sentences)


def on_both_sides(a: Sequence[Document], b: Sequence[Document]) -> tuple[str, ...]:
    """Return one sentence for each run of B that stands in A, too."""
    sources = {_key(run): run.source for run in a}
    return tuple(
        f"{sources[_key(run)]} of A and {run.source} of B hold the same samples"
        for run in b
        if _key(run) in sources
    )


def apart(
    runs: Sequence[Document], others: Sequence[Document]
) -> tuple[tuple[Document, ...], tuple[Document, ...]]:
    """Return the runs that are no copies of others, and those that are."""
    keys = {_key(run) for run in others}
    return (
        tuple(run for run in runs if _key(run) not in keys),
        tuple(run for run in runs if _key(run) in keys),
    )


def _key(run: Document) -> str:
    """Return what only copies have in common: the digest of the samples.

    An imported result has none; there, all that was printed must be the same.
    """
    if run.is_imported:
        return json.dumps(run.fields, sort_keys=True)
    return f"{run.benchmark} {run.fields['digest']['samples']}"
