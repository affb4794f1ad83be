"""Format .html: one self-contained page with everything about the results."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from beff.definition.subject import LabelledResult, Subject, by_key, main_value, value_name
from beff.definition.verify import verify
from beff.result.b_eff_io_result import BEffIoResult
from beff.result.contract import AnyResult
from beff.result.load import Document
from beff.result.numbers import counted, of_one, rate, scaled
from beff.result.result_parts import ImportedHead
from beff.show.charts.table import charts_beside, charts_of
from beff.show.page.html_file import diagrams_of, page_of
from beff.show.parts.answer import Answer
from beff.show.parts.sentences import sentence, verdict
from beff.show.tables.sections import common_sections, own_sections
from beff.show.tables.table import Section

_MOST_ANSWERS = 4
"""Results with an answer of their own; more are one line, and stand side by side below."""
_LONGEST_LIBRARY = 60
_SCALING = {"b_eff": "b_eff_over_processes", "b_eff_io": "io_value_over_processes"}
"""Charts of values over the number of processes."""
_FIRST = ("values_side_by_side", "rings_and_random", "overlay", "shares_of_pingpong")
"""Values of several runs, bandwidth over the message size, and beside that of two alone."""
_ORDER = (
    *("answer", "picture", "overview", "pairs", "summary", "criteria", "network"),
    *("figures", "analysis", "environment", "published"),
)
"""The keys of all sections."""
_ONLY_DRAWN = ("picture", "figures")


def page(subject: Subject) -> str:
    """Return the page as text. Raises ResultError for a result that cannot be shown.

    Of several results what they share comes first, then some sections of each; their figures stand
    side by side, where there are several of a benchmark.
    """
    results, charts = subject.results, {chart.key: chart for chart in charts_of(subject)}
    first = diagrams_of([charts.pop(key) for key in _first(results, charts)])
    sections = [
        _answers(results),
        Section("picture", "At a glance", diagrams=first, place="first"),
        Section("figures", "Diagrams", diagrams=diagrams_of(charts.values())),
        *common_sections(subject),
    ]
    count = Counter(entry.document.benchmark for entry in results)
    details = []
    for number, entry in enumerate(results, start=1) if results[1:] else ():
        parts = [one for one in _sections_of(entry.document, number) if one.place != "alone"]
        if count[entry.document.benchmark] > 1:
            parts = [one for one in parts if one.title != "Figures"]
        if len(results) > _MOST_ANSWERS:
            cards = [_card(entry)]
            parts.insert(0, Section(f"value-{number}", "The answer", cards=cards, place="open"))
        details.append((entry.label, parts))
    document = results[0].document
    sections += [] if details else _sections_of(document)
    sections.sort(key=lambda one: _ORDER.index(one.key.removesuffix("-1")))
    result = document.result
    value = f"{value_name(result)} {rate(main_value(result))}"
    value += "" if result.valid else f", {verdict(result)}"
    more = f" and {len(results) - 1} more" if details else ""
    return page_of(
        title=f"{results[0].label}{more}" if details else f"{value}, {results[0].label}",
        heading=_heading(results),
        setting=_setting(results),
        sections=[one for one in sections if one.diagrams or one.key not in _ONLY_DRAWN],
        details=details,
    )


def _first(results: Sequence[LabelledResult], charts: Collection[str]) -> list[str]:
    """Return keys of charts over numbers of processes, else over sizes, else of the first one."""
    runs = (one.document for one in results)
    ran_on = by_key((run.benchmark, run.result.environment.processes) for run in runs)
    wanted = [key for name, key in _SCALING.items() if len({*ran_on.get(name, ())}) > 1] or _FIRST
    return [key for key in wanted if key in charts] or [*charts][:1]


def _sections_of(document: Document, number: int = 1) -> list[Section]:
    """Return the sections of a result, of a map of pairs with its charts: by rank, and by group.

    `number` counts the results of the page from 1.
    """
    sections = own_sections(document)
    if drawn := diagrams_of(charts_beside(document), f"beside-{number}"):
        *beside, whole = drawn
        half = len(whole.panels) // 2
        similar = replace(whole, key=f"{whole.key}-similar", panels=whole.panels[half:])
        sections[0] = sections[0]._replace(diagrams=[replace(whole, panels=whole.panels[:half])])
        network = Section("network", "The network as a whole", diagrams=[*beside, similar])
        sections.insert(-1, network)
    return [one._replace(key=f"{one.key}-{number}") for one in sections]


def _answers(results: Sequence[LabelledResult]) -> Section:
    """Return a card for each of few results, a line for each kind of many."""
    by_name = by_key((value_name(one.document.result), one.document.result) for one in results)
    section = Section("answer", "The answer", place="first")
    if len(results) > _MOST_ANSWERS:
        return section._replace(sentences=[_line(*of) for of in by_name.items()])
    labels = (one.label if by_name[value_name(one.document.result)][1:] else "" for one in results)
    return section._replace(cards=[*map(_card, results, labels)])


def _line(name: str, results: Sequence[AnyResult]) -> str:
    """Say how many results of a kind there are, and between which values."""
    values = [value for one in results if (value := main_value(one)) is not None]
    ends = dict.fromkeys(map(rate, (min(values), max(values)))) if values else ()
    between = f", {'from ' if len(ends) > 1 else ''}{' to '.join(ends)}" if ends else ""
    valid = sum(one.valid for one in results)
    return f"{name}: {counted(len(results), 'result')}{between}; {valid} valid."


def _card(entry: LabelledResult, label: str = "") -> dict[str, Any]:
    """Return everything that belongs to the number itself, with a label where it needs one."""
    result, answer = entry.document.result, Answer(entry.document)
    checked = verify(entry.document)
    value, unit = scaled(main_value(result))
    notes = []
    if isinstance(result, BEffIoResult):
        notes.append(("standing", sentence(result.medium)))
    if answer.limit:
        notes.append(("limits", f"{answer.limit[:1].upper()}{answer.limit[1:]}."))
    if isinstance(result, ImportedHead):
        by = f"{result.imported.source} ({result.imported.format})"
        unknown = ", ".join(result.imported.not_known)
        words = f"figures that another program printed. Not known: {unknown}."
        notes.append(("warning", f"Imported from {by}: {words}"))
    if checked.agrees:
        samples, derived = counted(checked.samples, "sample"), f"{checked.figures} derived figures"
        notes.append(("quiet", of_one(f"Recomputed from {samples}: all {derived} agree.")))
    else:
        objections = f"{counted(len(checked.findings), 'finding')} in all."
        notes.append(("warning", f"Does not verify: {checked.findings[0]}; {objections}"))
    return {"label": label, "answer": answer, "value": value, "unit": unit, "notes": notes}


def _heading(results: Sequence[LabelledResult]) -> str:
    """Name the machine: processor and hosts; of several machines, how many results there are."""
    machines = set()
    for label, result in ((entry.label, entry.document.result) for entry in results):
        if isinstance(result, ImportedHead):
            machines.add(label)
        elif (simulation := result.environment.simulation) is not None:
            network = "network" if simulation.platform is None else simulation.platform.name
            machines.add(f"Simulated {network}")
        else:
            cpu = result.environment.cpu.model or "Unknown processor"
            machines.add(f"{cpu}, {result.environment.host_list}")
    return machines.pop() if len(machines) == 1 else counted(len(results), "result")


def _setting(results: Sequence[LabelledResult]) -> str:
    """Say when, on how many nodes and with which MPI library it was measured, where all agree."""
    facts = []
    for result in (entry.document.result for entry in results):
        if isinstance(result, ImportedHead):
            return ""
        e = result.environment
        library = " ".join(e.mpi.library.split()).replace(" Version: ", " ")
        known = library if len(library) <= _LONGEST_LIBRARY else ""
        facts.append((str(e.started_at)[:10], counted(e.nodes, "node"), known))
    shared = (set(values) for values in zip(*facts, strict=True))
    return " · ".join(values.pop() for values in shared if len(values) == 1 and "" not in values)
