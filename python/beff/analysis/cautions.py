"""The cautions on a result: the one place where everything that shows them gets them."""

from beff.analysis.spread import spread_of
from beff.model.load import Document


def cautions_of(document: Document) -> list[str]:
    """Return what the result file holds, then what follows from its samples.

    Raises ResultError when nothing can be recomputed from the samples.
    """
    found = spread_of(document).caution
    return [*document.fields["cautions"], *([] if found is None else [found])]
