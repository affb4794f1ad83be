"""What is to be said of the runs that were compared: each caution once, with its runs."""

from collections.abc import Sequence

from beff.analysis.cautions import cautions_of
from beff.model.load import Document


def cautions_of_sides(a: Sequence[Document], b: Sequence[Document]) -> tuple[str, ...]:
    """Return one sentence for each caution. Raises ResultError as `cautions_of` does."""
    runs: dict[str, tuple[list[str], list[str]]] = {}
    for side, documents in enumerate((a, b)):
        for document in documents:
            for caution in cautions_of(document):
                runs.setdefault(caution, ([], []))[side].append(document.source)
    return tuple(
        f"{_where(*sources, len(a), len(b))}: {caution}" for caution, sources in runs.items()
    )


def _where(in_a: list[str], in_b: list[str], runs_a: int, runs_b: int) -> str:
    if len(in_a) + len(in_b) == 1:
        return (in_a or in_b)[0]
    counts = ((len(in_a), runs_a, "A"), (len(in_b), runs_b, "B"))
    return ", ".join(f"{found} of {runs} runs of {side}" for found, runs, side in counts if found)
