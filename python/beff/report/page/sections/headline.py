"""Validity with reasons, cautions and verification, and the sentence beside a value."""

from collections import Counter
from collections.abc import Iterator, Sequence

from beff.definition.balance import COFFEE_CUP_MIN
from beff.definition.compare import Verification
from beff.report.page.sections.contents import Contents, Data, ShownResult
from beff.report.parts.answer import answer_of
from beff.report.parts.last_line import last_line
from beff.report.parts.sentences import cautions_of, reasons, sentence
from beff.report.tables.sections import summary_table
from beff.report.tables.validity import criteria_table
from beff.result.b_eff_io_result import BEffIoResult
from beff.result.b_eff_result import RULES, BEffFigures
from beff.result.contract import AnyResult
from beff.result.imported_pairs import MapResult
from beff.result.load import Document
from beff.result.numbers import counted, format_duration, percent, rate, scaled
from beff.result.result_parts import ImportedHead
from beff.verify.analysis import analysis_of
from beff.verify.common.summary_figures import main_value, value_processes

_NO_OTHERS = 2
_BOTH_WAYS = 2.0
"""The most of a ping-pong that a process in a ring can have, which sends while it receives.

Where it has more, the ping-pong was disturbed.
"""


def headline(shown: ShownResult) -> Data:
    """Return everything that belongs to the number itself."""
    result = shown.result
    value, unit = scaled(main_value(result))
    analysis = analysis_of(shown.document)
    return {
        "benchmark": shown.document.benchmark,
        "value": value,
        "unit": unit,
        "per": f"on {counted(value_processes(result), 'process')}",
        "steadiness": analysis.steadiness,
        "differ": analysis.differ_text,
        "result": result,
        "reasons": reasons(result),
        "cautions": cautions_of(shown.document),
        "medium": sentence(result.medium) if isinstance(result, BEffIoResult) else None,
        "verified": _verified(shown.verification),
        "agrees": shown.verification.agrees,
        "imported": result.imported if isinstance(result, ImportedHead) else None,
    }


def standing(document: Document) -> str:
    """Say in one sentence what the value is beside what this very run found possible.

    Nothing of a disturbed run. Raises ResultError as `Analysis` does.
    """
    result = document.result
    if isinstance(result, BEffFigures):
        run = analysis_of(document)
        return "" if run.why_noisy or run.why_apart else _b_eff_standing(result)
    if isinstance(result, MapResult):
        return ""
    # beside the papers' figure, memory / b_eff_io, what its name promises: by the write alone
    s = result.summary
    minutes, value, write = s.total_memory_write_min, s.b_eff_io_MBps, s.write_MBps
    if not result.valid or minutes is None or value is None or not write:
        return ""
    writing = format_duration(60 * minutes * value / write)
    return (
        f"Writing the whole memory once would take {writing} at the rate of the initial write."
        f" The authors' rule of thumb asks memory / b_eff_io, here {format_duration(60 * minutes)},"
        f" to be at most {COFFEE_CUP_MIN} min on a balanced machine."
    )


def _b_eff_standing(result: BEffFigures) -> str:
    """Two processes have no others: their rings are their ping-pong, and random ones the same."""
    s = result.summary
    if result.environment.processes == _NO_OTHERS:
        return ""
    parts = []
    own, alone = s.at_lmax_per_process_MBps, s.pingpong_MBps
    if own is not None and alone and own <= _BOTH_WAYS * alone:
        parts.append(
            f"each process keeps {percent(own / alone)} of what two have alone, {rate(own)} of"
            f" {rate(alone)} at the largest message"
        )
    if RULES[result.definition].rings_first and s.random_MBps is not None and s.rings_MBps:
        parts.append(
            f"random rings reach {percent(s.random_MBps / s.rings_MBps)} of rings of neighbours"
        )
    sentence = "; ".join(parts)
    return f"{sentence[:1].upper()}{sentence[1:]}." if sentence else ""


def _verified(verification: Verification) -> str:
    if verification.agrees:
        return (
            f"Recomputed from {counted(verification.samples, 'sample')} when this page was made:"
            f" all {counted(verification.figures, 'derived figure')} agree."
        )
    found = len(verification.findings)
    more = "" if found == 1 else f", and {counted(found - 1, 'more disagreement')}"
    return f"Does not verify: {verification.findings[0]}{more}."


def summary(shown: ShownResult) -> Data | None:
    """Return the figures reported with a value, and criteria; None of a map of pairs."""
    return None if isinstance(shown.result, MapResult) else _figures(shown)


def summary_of_map(shown: ShownResult) -> Data | None:
    """Return the figures of a map of pairs, whose answer says them; None of anything else."""
    return _figures(shown) if isinstance(shown.result, MapResult) else None


def _figures(shown: ShownResult) -> Data:
    """Return the figures and criteria, of which so many are met."""
    return {
        "facts": summary_table(shown.result),
        "criteria": criteria_table(shown.result),
        "met": sum(criterion.met for criterion in shown.result.criteria),
        "last_line": last_line(shown.document),
    }


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
