"""What of the time of a measurement others had: other programs, a hypervisor, a quota."""

from collections.abc import Iterator
from dataclasses import dataclass

from beff.model.b_eff_io_result import IoEnvironment
from beff.model.b_pairs_result import BPairsResult
from beff.model.contract import AnyResult
from beff.model.numbers import percent
from beff.model.of_hosts import numbers_of_hosts
from beff.model.result_parts import ImportedHead, Load

DISTURBS = 0.05
"""A larger share of the time makes a run noisy; the same as in core/record/counters.cpp."""
_STARVES = 0.5
"""On a quiet host with many processes some one waits for a core, but not half of the time."""
_MOST_BUSY = 0.25
"""Of a map pairs between other hosts are judged where no larger share of them is busy."""
_WORDS = {
    "others_ms": "other programs had {} of the time of a process",
    "stolen_ms": "the hypervisor took {} of the time of a process",
    "throttled_ms": "a quota kept processes from running for {} of the time",
    "waited_ms": "some process waited for a core {} of the time",
}


@dataclass(frozen=True)
class Disturbed:
    """A host, by its index, that did not have its time; the largest share, and all in words."""

    host: int
    share: float
    sentence: str


def disturbed_hosts(result: AnyResult) -> Iterator[Disturbed]:
    """Yield the hosts for which more than DISTURBS of the time went to others.

    Pressure is there as soon as one of many processes waits: it counts from _STARVES on, in maps of
    pairs alone, which have times of each host. Other programs do not count where a daemon of FUSE
    works for the run.
    """
    if isinstance(result, ImportedHead) or result.load is None:
        return
    columns = {name: numbers_of_hosts(column) for name, column in result.load.columns()}
    most = dict.fromkeys(_WORDS, DISTURBS) | {"waited_ms": _STARVES}
    environment = result.environment
    if isinstance(environment, IoEnvironment) and environment.filesystem.kind.startswith("fuse"):
        del most["others_ms"]
    if not isinstance(result, BPairsResult):
        del most["waited_ms"]
    for host, elapsed_ms in enumerate(columns["elapsed_ms"]):
        shares = {name: (columns[name][host] or 0) / elapsed_ms for name in most if elapsed_ms}
        found = {name: share for name, share in shares.items() if share > most[name]}
        if found:
            words = (_WORDS[name].format(percent(share, 0)) for name, share in found.items())
            yield Disturbed(host, max(found.values()), ", ".join(words))


def load_reason(result: AnyResult) -> str | None:
    """Say of the host that had the least of its time what took it; None where all had theirs.

    Of a map few hosts are their own matter.
    """
    found = list(disturbed_hosts(result))
    if isinstance(result, ImportedHead) or not found:
        return None
    if isinstance(result, BPairsResult) and len(found) <= _MOST_BUSY * result.environment.nodes:
        return None
    worst = max(found, key=lambda one: one.share)
    sentence = f"{worst.sentence} on {result.environment.hosts[worst.host].name}"
    return sentence if len(found) == 1 else f"{sentence}, one of {len(found)} such hosts"


def load_text(load: Load) -> str:
    """Say the largest share of each kind among the hosts."""
    columns = {name: numbers_of_hosts(column) for name, column in load.columns()}
    words = {
        "others_ms": "other programs had {}",
        "stolen_ms": "the hypervisor {}",
        "throttled_ms": "a quota held up for {}",
        "waited_ms": "some process waited for a core for {}",
    }
    said = []
    for name, text in words.items():
        pairs = zip(columns[name], columns["elapsed_ms"], strict=True)
        shares = [part / whole for part, whole in pairs if part is not None and whole]
        if shares:
            said.append(text.format(percent(max(shares), 1)))
    return f"of the time {', '.join(said)}, on the host with the most" if said else "not known"
