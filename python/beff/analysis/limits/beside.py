"""The map of pairs that is of the hosts and processes of a run of b_eff."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from beff.analysis.structure import require_sound_structure
from beff.model.b_eff_result import BEffResult
from beff.model.b_pairs_result import BPairsResult
from beff.model.errors import ResultError
from beff.model.load import Document, load_document
from beff.model.result_files import SUFFIXES


def map_of_same_hosts(document: Document, others: Iterable[Document]) -> Document | None:
    """Return the newest of them; None without any."""
    result = document.result
    if not isinstance(result, BEffResult):
        return None
    fitting = [one for one in others if _is_of_same_hosts(result, one)]
    return max(fitting, key=lambda one: str(one.fields["environment"]["started_at"]), default=None)


def _is_of_same_hosts(result: BEffResult, other: Document) -> bool:
    pairs = other.result
    if not isinstance(pairs, BPairsResult):
        return False
    own, others = result.environment, pairs.environment
    return (
        [host.name for host in own.hosts] == [host.name for host in others.hosts]
        and own.placement == others.placement
        and _platform(result) == _platform(pairs)
    )


def _platform(result: BEffResult | BPairsResult) -> str | None:
    simulation = result.environment.simulation
    platform = None if simulation is None else simulation.platform
    return None if platform is None else platform.sha256


def pairs_beside(document: Document, known: Iterable[Document] = ()) -> Document | None:
    """Return the newest map of the hosts and processes of a run of b_eff; None without any.

    `known` are results that were read already; others are read from the folder of the run.
    """
    if document.benchmark != "b_eff":
        return None
    read = {Path(one.source): one for one in known if one.benchmark == "b_pairs"}
    return map_of_same_hosts(document, _maps(Path(document.source).parent, read))


def _maps(folder: Path, read: dict[Path, Document]) -> Iterator[Document]:
    """Yield the maps in a folder; what cannot be read, or used, is left out."""
    try:
        files = [one for one in sorted(folder.glob("b_pairs*")) if one.is_file()]
    except OSError:
        return
    for file in files:
        if not file.name.endswith(SUFFIXES):
            continue
        try:
            found = read.get(file) or load_document(file)
            require_sound_structure(found)
        except ResultError:
            continue
        yield found
