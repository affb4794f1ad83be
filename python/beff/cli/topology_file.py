"""The file of `beff nodes --topology-out`."""

from pathlib import Path

from beff.analysis.b_pairs.pair_map import pair_map
from beff.analysis.b_pairs.topology_text import seen_groups, topology_text
from beff.cli.common.say import warn
from beff.cli.host_lists import odd_text, shared_names
from beff.model.errors import WrongUsageError
from beff.model.load import Document, as_b_pairs
from beff.model.write import write_atomically

_CONF, _YAML = {".conf"}, {".yaml", ".yml"}


def check_topology_name(path: Path) -> None:
    """Refuse a name of which Slurm knows no format. Raises WrongUsageError."""
    if path.suffix not in _CONF | _YAML:
        raise WrongUsageError(
            f"--topology-out {path}: must end in .conf or .yaml, as Slurm's files"
        )


def write_topology(path: Path, document: Document) -> None:
    """Write which hosts are near each other; where that is not known, say so on standard error.

    Raises TargetError when there is no place for it, and BeffError when it cannot be written.
    """
    result = as_b_pairs(document)
    names = [host.node or host.name for host in result.environment.hosts]
    shared, reason = shared_names([result.environment.hosts]), odd_text(names)
    if result.plan.unit != "host":
        reason = "all processes run on one host"
    elif shared:
        reason = f"several hosts are called {', '.join(shared)}"
    elif result.no_answer is not None:
        reason = "the map ended early, as some did not answer"
    if reason is not None:
        warn(f"beff: --topology-out {path}: not written, as {reason}")
        return
    source = f"{Path(document.source).name} of {document.started_at:%Y-%m-%d %H:%M} UTC"
    seen = seen_groups(pair_map(result))
    text = topology_text(seen, names, source, is_yaml=path.suffix in _YAML)
    write_atomically(path, text, overwrite=True)
