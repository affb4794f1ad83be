"""The cautions on a result: the one place where everything that shows them gets them."""

from beff.analysis.steadiness import noise_of
from beff.model.load import Document


def cautions_of(document: Document) -> list[str]:
    """Return what the result file holds, then what follows from its samples.

    Raises ResultError when nothing can be recomputed from the samples.
    """
    noise = noise_of(document)
    reason = None if noise is None else noise.reason
    added = [] if reason is None else [f"noisy: {reason}; measure again on a quieter machine"]
    return [*document.fields["cautions"], *added]
