"""Why a result is no evidence that a machine is good, whatever its figures are."""

from collections.abc import Iterator

from beff.analysis.steadiness import noise_of
from beff.analysis.verify import verify
from beff.model.load import Document


def doubts(document: Document) -> Iterator[str]:
    """Return one sentence for each reason.

    Raises ResultError when nothing can be recomputed from the samples.
    """
    fields = document.fields
    if document.is_imported:
        yield "it was imported from a print, which does not tell how it was measured"
        return
    wrong = [one for one in verify(document).findings if one.path.startswith("summary")]
    for finding in wrong[:1]:
        yield f"it does not verify: {finding}"
    if not fields["complete"]:
        yield "it is partial: the run did not measure everything"
    if not fields["valid"]:
        unmet = [criterion["name"] for criterion in fields["criteria"] if not criterion["met"]]
        yield f"it is not valid{': ' if unmet else ''}{', '.join(unmet)}"
    environment = fields["environment"]
    if environment["simulated"]:
        yield "its times are simulated"
    if environment["oversubscribed"]:
        yield "it was measured with more processes than cores"
    noise = noise_of(document)
    if noise is not None and noise.reason is not None:
        yield f"it is noisy: {noise.reason}"
