"""The answer of a result in a few lines: what a terminal shows, and the first screen of a page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from beff.definition.b_eff_io_medium import BOUNDED, LESS_THAN_MEMORY
from beff.judge.finding import DOUBTS, Checked, Finding, Verdict
from beff.judge.limit import limit_of
from beff.maps.network_text import network_sentences
from beff.report.parts.checked import folded, headline_of
from beff.report.parts.findings import sentence_of
from beff.report.parts.headline import LONGEST_LINE, MOST_LINES, Headline, clipped, fitting, listed
from beff.report.parts.sentences import cautions_of, reasons
from beff.result.b_eff_io_result import BEffIoFigures, BEffIoResult
from beff.result.b_eff_io_samples import ACCESSES
from beff.result.b_eff_result import RULES, BEffFigures, BEffResult
from beff.result.imported_pairs import MapResult
from beff.result.load import Document
from beff.result.numbers import counted, format_duration, measured, number, rate, rate_unit
from beff.result.result_parts import ImportedHead
from beff.verify.analysis import Steadiness, analysis_of
from beff.verify.common.summary_figures import main_value, value_processes
from beff.verify.common.wires import carried, wires_text
from beff.verify.fingerprint import fingerprint_of, fingerprint_text


@dataclass(frozen=True)
class Glance:
    """What a run of b_eff_io shows that is too short to be valid: its value counts for nothing.

    `reasons` and `cautions` are those of the result without what a short run always has.
    """

    words: str
    reasons: tuple[str, ...]
    cautions: tuple[str, ...]
    way_on: str
    """The command that measures long enough; the folder is left to the user."""


@dataclass(frozen=True)
class Answer:
    """What belongs to the number of a result, in words."""

    benchmark: str
    value: str
    on: str
    """Processes, nodes where there are several, the procedure of b_eff_io, and what is no published
    definition of b_eff."""
    valid: bool
    reasons: tuple[str, ...]
    """Why it is not valid."""
    steadiness: Steadiness
    spread: str
    """Worst, median and best repetition in the unit of the value, or how much the times of a map's
    pairs differ; empty where nothing repeats."""
    details: tuple[str, ...]
    cautions: tuple[str, ...]
    judged: Headline | None = None
    """The verdict on the hosts or processes of a map of pairs."""
    glance: Glance | None = None
    """Of a run of b_eff_io that is too short for a value."""
    differ: str = ""
    """By how much repetitions differ; empty where none do."""
    limit: str = ""
    """What limits a run of b_eff; empty where it does not show that, and for other benchmarks."""

    @property
    def stamps(self) -> tuple[str, ...]:
        """Whether it is valid, quiet or noisy where that is known, and how far runs repeat."""
        known = [self.steadiness.value] if self.steadiness != Steadiness.UNKNOWN else []
        differ = [self.differ] if self.differ else []
        return ("VALID" if self.valid else "NOT VALID", *known, *differ)

    @property
    def headline(self) -> Headline:
        """The answer in few lines: the verdict on hosts, or the value and whether it counts."""
        facts, command = (self.value, *self.stamps), ""
        lines = [f"NOT VALID: {listed(self.reasons, LONGEST_LINE - 11)}"] if self.reasons else []
        simulated = ", simulated" if " simulated " in self.on else ""
        shorter = f"{self.on.partition(' on ')[0].partition(' with ')[0]}{simulated}"
        every = ((*facts, self.on), (*facts, shorter), facts)
        text = fitting([", ".join(parts) for parts in every])
        details = [*([f"repetitions {self.spread}"] if self.spread else []), *self.details]
        if self.judged is not None:
            text, lines = self.judged.text, [*self.judged.lines[: MOST_LINES - 1]]
            details = [", ".join((*facts, self.on))]
        elif self.glance is not None:
            text, command = fitting([self.glance.words]), self.glance.way_on
            lines = [f"NOT VALID: {listed(self.glance.reasons, LONGEST_LINE - 11)}"]
            details = []
        lines += [_as_far(details)] if details else []
        lines += [clipped(self.limit, LONGEST_LINE)] if self.limit else []
        lines = lines[: MOST_LINES - bool(command)]
        known = (*self.details, *self.reasons, self.limit, *self.cautions)
        has_more = not all(one in " ".join(lines) for one in known)
        return Headline(self._verdict, text, tuple(lines), command, has_more=has_more)

    @property
    def _verdict(self) -> Verdict:
        if self.judged is not None:
            return self.judged.verdict
        return Verdict.GOOD if self.valid else Verdict.UNKNOWN


def answer_of(document: Document) -> Answer:
    """Gather it.

    Raises ResultError when nothing can be recomputed from the samples.
    """
    result = document.result
    judged = _judged(document)
    told_by_reasons = {result.medium.code} if isinstance(result, BEffIoResult) else ()
    return Answer(
        benchmark=document.benchmark,
        value=rate(main_value(result)),
        on=", ".join((_on(document), *_procedure(document))),
        valid=result.valid,
        reasons=tuple(reasons(result)),
        steadiness=analysis_of(document).steadiness,
        spread=_spread(document),
        differ=analysis_of(document).differ_text if analysis_of(document).apart >= _ALIKE else "",
        details=tuple(_details(document, judged)),
        cautions=tuple(cautions_of(document, told_by_reasons)),
        glance=_glance(document),
        judged=None if judged is None else headline_of(judged),
        limit=limit_of(document),
    )


def _as_far(details: Sequence[str]) -> str:
    """Join the details that have room."""
    shown = len(details)
    while shown > 1 and len(" · ".join(details[:shown])) > LONGEST_LINE:
        shown -= 1
    return clipped(" · ".join(details[:shown]), LONGEST_LINE)


def _on(document: Document) -> str:
    result = document.result
    processes = counted(value_processes(result), "process")
    if isinstance(result, ImportedHead):
        return processes
    environment = result.environment
    if environment.buffers is not None:
        processes += f" with buffers on {environment.buffers.memory}"
    if environment.simulation is not None:
        platform = environment.simulation.platform
        return f"{processes} on simulated {'network' if platform is None else platform.name}"
    return processes if environment.nodes == 1 else f"{processes} on {environment.nodes} nodes"


def _procedure(document: Document) -> Iterator[str]:
    result = document.result
    if isinstance(result, BEffIoFigures):
        yield f"procedure {result.procedure}"
    if isinstance(result, BEffFigures) and not RULES[result.definition].is_published:
        yield f"definition {result.definition}"


_ALIKE = 0.005
"""Repetitions that differ by less agree."""
_OF_SHORT_RUNS = (BOUNDED, LESS_THAN_MEMORY, "bounded M_PART")
"""Cautions that follow from the options of a short run."""


def _glance(document: Document) -> Glance | None:
    result = document.result
    if not isinstance(result, BEffIoResult) or not result.complete:
        return None
    short = [one for one in result.criteria if one.code == "scheduled time" and not one.met]
    if not short or short[0].required is None:
        return None
    figures = ", ".join(_io_details(result))
    told = [one for one in result.criteria if one.code not in {"measured in full", "schedule"}]
    conditions = [] if result.procedure == "cold" else ["--procedure", result.procedure]
    conditions += [] if result.definition == "1" else ["--", "--release", result.definition]
    command = ["beff", "run", "--benchmark", "b_eff_io", "-n", str(result.environment.processes)]
    command += ["--time", f"{ceil(short[0].required / 60)}min", *conditions]
    return Glance(
        f"a glance: {figures or 'nothing measured in full'}",
        tuple(reasons(result.model_copy(update={"criteria": told}))),
        tuple(cautions_of(document, {result.medium.code, *_OF_SHORT_RUNS})),
        " ".join(command),
    )


def _spread(document: Document) -> str:
    found = next(iter(analysis_of(document).spread.values), None)
    if found is None or not main_value(document.result):
        return analysis_of(document).differ_text if document.benchmark == "b_pairs" else ""
    length, _ = rate_unit(found.official)
    return " \N{EN DASH} ".join(
        number(v / length) for v in (found.worst, found.median, found.official)
    )


def _judged(document: Document) -> Checked | None:
    """Return what `beff check` says of a map of pairs; None where it judges nobody."""
    if not isinstance(document.result, MapResult):
        return None
    from beff.judge.judge_results import judge_results  # noqa: PLC0415 - takes long

    checked = judge_results([document], None, None)
    return checked if any(map(_is_of_the_map, checked.judgements)) else None


def _is_of_the_map(finding: Finding) -> bool:
    """Whether it is of what was measured, and not of the run itself, which stands apart."""
    return finding.against not in DOUBTS


def _details(document: Document, judged: Checked | None) -> Iterator[str]:
    """Yield the figures beside the value that are known."""
    result = document.result
    if isinstance(result, BEffFigures):
        yield from _b_eff_details(result)
        if isinstance(result, BEffResult) and (shape := fingerprint_of(result)) is not None:
            yield fingerprint_text(shape)
    elif isinstance(result, BEffIoFigures):
        yield from _io_details(result)
    elif isinstance(result, MapResult):
        yield from network_sentences(result)
        found = filter(_is_of_the_map, () if judged is None else judged.judgements)
        yield from (f"{one.about}: {sentence_of(one)}" for one in folded(found))
    if not isinstance(result, ImportedHead) and (use := carried(result.wires)) is not None:
        yield f"wires: {wires_text(use)}"


def _b_eff_details(result: BEffFigures) -> Iterator[str]:
    s = result.summary
    first = "rings" if RULES[result.definition].rings_first else "cyclic grids"
    for words, value, unit in (
        ("each process", s.b_eff_per_process_MBps, "MB/s"),
        ("at L_max", s.at_lmax_MBps, "MB/s"),
        ("latency", s.latency_us, "us"),
        (first, s.rings_MBps, "MB/s"),
        ("random rings", s.random_MBps, "MB/s"),
    ):
        if value is not None:
            yield f"{words} {measured(value, unit)}"


def _io_details(result: BEffIoFigures) -> Iterator[str]:
    accesses = {name: getattr(result.summary, f"{name}_MBps") for name in ACCESSES}
    for name, value in accesses.items():
        if value is not None:
            yield f"{name} {rate(value)}"
    if result.valid:
        yield f"T = {format_duration(result.schedule.time_s)}"
