"""Whether results can be compared: what must be equal, and what is worth a remark."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from beff.model.load import Document


@dataclass(frozen=True)
class Condition:
    """Something of a result that should be the same in all: its name, where it is, how to say it.

    `of` must return something that can be compared by ==.
    """

    name: str
    of: Callable[[Document], Any]
    show: Callable[[Any], str] = str


Conditions = Sequence[Condition]

UNKNOWN = object()
"""What an imported result lacks, or what a condition does not apply to."""


def differences(a: Sequence[Document], b: Sequence[Document], all_of: Conditions) -> list[str]:
    """One sentence for each condition that does not hold for all runs that have it."""
    sentences = []
    for condition in all_of:
        found = [(run, _found(condition, run)) for run in (*a, *b)]
        known = [(run, value) for run, value in found if value is not UNKNOWN]
        other = next(((run, value) for run, value in known if value != known[0][1]), None)
        if other is None:
            continue
        here, there = _sides(condition.show(known[0][1]), condition.show(other[1]))
        sources = known[0][0].source, other[0].source
        sentences.append(f"{condition.name}: {here} in {sources[0]}, {there} in {sources[1]}")
    return sentences


def not_given(runs: Sequence[Document], all_of: Conditions) -> list[str]:
    """Name the conditions that some run lacks."""
    return [
        condition.name
        for condition in all_of
        if any(_found(condition, run) is UNKNOWN for run in runs)
    ]


def _found(condition: Condition, run: Document) -> Any:
    """Return what holds for a run; of an imported one, what is missing or null is not known."""
    if not run.is_imported:
        return condition.of(run)
    try:
        found = condition.of(run)
    except (LookupError, TypeError):
        return UNKNOWN
    return UNKNOWN if found is None else found


def _sides(here: str, there: str) -> tuple[str, str]:
    return (here, there) if here != there else ("one", "another")


def unusable(runs: Sequence[Document]) -> Iterator[str]:
    """One sentence for each run that no figure should be taken from.

    An imported one is what was printed of a run, which is not known; its cautions say so.
    """
    for run in runs:
        if run.is_imported:
            continue
        if not run.fields["complete"]:
            yield f"{run.source} is the result of a run that did not measure everything"
        check = run.fields.get("data_check", {})
        wrong = check.get("wrong_messages", 0) or check.get("wrong_chunks", 0)
        if wrong:
            yield f"{run.source} was measured with wrong data: {wrong} errors found"


def option(name: str) -> Callable[[Document], Any]:
    """Return how to read an effective option."""
    return lambda run: run.fields["options"].get(name)


def environment(*path: str) -> Callable[[Document], Any]:
    """Return how to read a field of the environment."""

    def read(run: Document) -> Any:
        found = run.fields["environment"]
        for name in path:
            found = found.get(name) if isinstance(found, dict) else None
        return found

    return read


def _cores_of_a_process(run: Document) -> tuple[int | None, int | None]:
    binding = run.fields["environment"]["binding"]
    return binding.get("cores_per_process_min"), binding.get("cores_per_process_max")


def _placement(run: Document) -> str:
    return str(run.fields["environment"]["placement"])


def _show_cores(cores: tuple[int | None, int | None]) -> str:
    fewest, most = cores
    if most is None:
        return "not known"
    return str(most) if fewest == most else f"{fewest} to {most}"


def said(text: str | None) -> str:
    """Say a text that may not be there."""
    return "none" if text is None else f'"{text}"'


def _program(run: Document) -> str:
    program = run.fields["program"]
    return f"{program['version']} ({program['git_commit']})"


def _simulation(run: Document) -> Any:
    """Return which network was simulated and how; None of a real run."""
    found = run.fields["environment"].get("simulation")
    return found and {name: found[name] for name in ("platform", "model", "settings", "placement")}


def _on_one_device(run: Document) -> Any:
    """Return the most processes that share a device; of buffers on hosts it does not apply."""
    buffers = run.fields["environment"].get("buffers")
    if buffers is None:
        return UNKNOWN
    devices = (device for group in buffers["hosts"] for device in group["devices"])
    return max(len(device["processes"]) for device in devices)


def _show_simulation(found: Any) -> str:
    if found is None or found["platform"] is None:
        return "none" if found is None else "not known"
    platform, settings = found["platform"], ", ".join(found["settings"])
    return ", ".join(filter(None, (platform["name"], platform["description"], settings)))


BUFFERS = Condition(
    "memory of the buffers", environment("buffers", "memory"), lambda it: it or "host"
)
ON_ONE_DEVICE = Condition("processes that share a device", _on_one_device)
SIMULATED_NETWORK = Condition("simulated network", _simulation, _show_simulation)
COMMON_REMARKS: Conditions = (
    Condition("program", _program),
    BUFFERS,
    SIMULATED_NETWORK,
    Condition("hosts", environment("host_list")),
    Condition("nodes", environment("nodes")),
    Condition("placement of the processes", _placement),
    Condition("bound processes", environment("binding", "bound_processes")),
    Condition("OMP_NUM_THREADS", environment("omp_num_threads"), said),
    Condition("cores of a process", _cores_of_a_process, _show_cores),
    Condition("processor", environment("cpu", "model")),
    Condition("MPI library", environment("mpi", "library")),
    Condition("kernel", environment("uname", "release")),
    Condition("build", environment("build_type")),
    Condition("memory per process", environment("memory_per_process_bytes")),
    Condition("valid", lambda run: run.fields["valid"], lambda valid: "yes" if valid else "no"),
)
"""Whatever may be the very reason of the comparison."""
