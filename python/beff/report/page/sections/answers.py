"""The first screen: which machine, and of each result the value and what to think of it."""

from collections import Counter
from collections.abc import Iterator, Sequence

from beff.report.page.sections.contents import Contents, Data, ShownResult
from beff.report.page.sections.headline import standing
from beff.report.parts.answer import answer_of
from beff.result.contract import AnyResult
from beff.result.numbers import counted, rate, scaled
from beff.result.result_parts import ImportedHead
from beff.verify.common.summary_figures import main_value

MOST_ANSWERS = 4
"""Results with an answer of their own; more are one line, and stand side by side below."""


def answers(page: Contents) -> Data:
    """Return a card for each of few results, lines about many.

    The label of a card says which result, where another one is of the same benchmark; its link is
    the anchor of everything else about it.
    """
    few = len(page.results) <= MOST_ANSWERS
    results = Counter(shown.document.benchmark for shown in page.results)
    cards = [
        {
            "label": shown.label if results[shown.document.benchmark] > 1 else "",
            "answer": answer_of(shown.document),
            **dict(zip(("value", "unit"), scaled(main_value(shown.result)), strict=True)),
            "standing": standing(shown.document),
            "change": None if shown.earlier is None else shown.earlier.words,
            "link": shown.anchor("value"),
        }
        for shown in (page.results if few else ())
    ]
    return {"cards": cards, "lines": [] if few else list(_lines(page.results))}


def heading(results: Sequence[ShownResult]) -> str:
    """Name the machine: processor and hosts; of several machines, how many results there are."""
    machines = {_machine(shown) for shown in results}
    return machines.pop() if len(machines) == 1 else counted(len(results), "result")


def setting(results: Sequence[ShownResult]) -> str:
    """Say when, on how many nodes and with which MPI library it was measured, where all agree."""
    facts = [_setting(shown.result) for shown in results]
    shared = (set(values) for values in zip(*facts, strict=False))
    return " · ".join(values.pop() for values in shared if len(values) == 1 and None not in values)


def _machine(shown: ShownResult) -> str:
    result = shown.result
    if isinstance(result, ImportedHead):
        return shown.label
    environment = result.environment
    if environment.simulation is not None:
        platform = environment.simulation.platform
        return f"Simulated {'network' if platform is None else platform.name}"
    return f"{environment.cpu.model or 'Unknown processor'}, {environment.host_list}"


def _setting(result: AnyResult) -> tuple[str | None, ...]:
    if isinstance(result, ImportedHead):
        return (None, None, None)
    environment = result.environment
    library = " ".join(environment.mpi.library.split()).replace(" Version: ", " ")
    return (
        str(environment.started_at)[:10],
        counted(environment.nodes, "node"),
        library if len(library) <= _LONGEST_LIBRARY else None,
    )


_LONGEST_LIBRARY = 60


def _lines(results: Sequence[ShownResult]) -> Iterator[str]:
    """Yield one sentence for each benchmark."""
    for benchmark in dict.fromkeys(shown.document.benchmark for shown in results):
        own = [shown.result for shown in results if shown.document.benchmark == benchmark]
        values = [value for value in map(main_value, own) if value is not None]
        valid = sum(result.valid for result in own)
        ends = dict.fromkeys(map(rate, (min(values), max(values)))) if values else ()
        between = f", {'from ' if len(ends) > 1 else ''}{' to '.join(ends)}" if ends else ""
        yield f"{benchmark}: {counted(len(own), 'result')}{between}; {valid} valid"
