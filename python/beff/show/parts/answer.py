"""The answer of a result in a few lines: what a terminal shows, and the first screen of a page."""

from collections.abc import Iterator
from math import ceil

from beff.definition.subject import main_value, value_name, value_processes
from beff.judge.analysis import analysis_of, stamps
from beff.judge.finding import DOUBTS, Checked, Verdict
from beff.judge.hardware import carried, wires_text
from beff.judge.limit import limit_of, network_shape
from beff.maps.network import network_sentences
from beff.result.b_eff_io_result import BEffIoFigures, BEffIoResult
from beff.result.b_eff_io_samples import ACCESSES
from beff.result.b_eff_result import RULES, BEffFigures, BEffResult
from beff.result.b_pairs_result import MapResult
from beff.result.load import Document
from beff.result.numbers import (
    counted,
    format_duration,
    measured,
    number,
    percent,
    rate,
    rate_unit,
    unit_of,
)
from beff.result.result_parts import ImportedHead
from beff.show.parts import sentences
from beff.show.parts.checked import folded, headline_of
from beff.show.parts.findings import sentence_of

_LONGEST_LINE = 100
"""Of figures beside a value, which a narrow terminal breaks between words."""


class Answer:
    """What belongs to the number of a result, in words. Raises ResultError as `analysis_of`."""

    def __init__(self, document: Document) -> None:
        result, run = document.result, analysis_of(document)
        judged, limit = _judged(document), limit_of(document)
        among_reasons = {result.medium.code} if isinstance(result, BEffIoResult) else ()
        self.name, self.value = value_name(result), rate(main_value(result))
        self.on = _on(document)
        """Processes, nodes where there are several, and the procedure of b_eff_io."""
        self.valid, self.reasons = result.valid, tuple(sentences.reasons(result))
        self.stamps, self.steadiness = stamps(document), run.steadiness
        self.spread = _spread(document)
        """Worst, median and best repetition in the unit of the value, or how much the times of a
        map's pairs differ; empty where nothing repeats."""
        self.differ = run.differ_text if run.apart >= _ALIKE else ""
        """By how much repetitions differ; empty where none do."""
        self.details = tuple(_details(document, judged))
        self.cautions = tuple(sentences.cautions_of(document, among_reasons))
        self.glance = _glance(document)
        """Of a run of b_eff_io that is too short for a value: what it shows, as lines why it counts
        for nothing but for what a short run always has, and the command that measures long enough,
        without the folder."""
        self.judged = None if judged is None else headline_of(judged)
        """The verdict on the hosts or processes of a map of pairs."""
        self.limit = "" if limit is None else sentence_of(limit)
        """What limits a run of b_eff; empty where it does not show that, and of others."""

    @property
    def headline(self) -> sentences.Headline:
        """The answer in few lines: the verdict on hosts, or the value and whether it counts."""
        value = ", ".join(filter(None, (self.value, self.stamps, self.differ)))
        verdict, command = Verdict.GOOD if self.valid else Verdict.UNKNOWN, ""
        reasons, details = self.reasons, list(self.details)
        lines: list[str] = []
        if self.judged is not None:
            verdict, text = self.judged.verdict, self.judged.text
            reasons, lines = (), [*self.judged.lines[: sentences.MOST_LINES - 1]]
            details = [f"{value}, {self.on}"]
        elif self.glance is not None:
            text, command = sentences.fitting([self.glance.text]), self.glance.command
            reasons, details = self.glance.lines, []
        else:
            simulated = ", simulated" if " simulated " in self.on else ""
            shorter = f"{self.on.partition(' on ')[0].partition(' with ')[0]}{simulated}"
            text = sentences.fitting([f"{value}, {self.on}", f"{value}, {shorter}", value])
            details[:0] = [f"repetitions {self.spread}"] if self.spread else []
        if reasons or self.glance:
            stamp = f"{self.value}, NOT VALID: " if self.glance else "NOT VALID: "
            room = _LONGEST_LINE - len(stamp)
            lines = [f"{stamp}{sentences.listed(reasons, room)}", *lines]
        while len(details) > 1 and len(" · ".join(details)) > _LONGEST_LINE:
            details.pop()
        more = filter(None, (" · ".join(details), self.limit))
        lines += [sentences.clipped(line, _LONGEST_LINE) for line in more]
        lines = lines[: sentences.MOST_LINES - bool(command)]
        known = [*self.details, *self.reasons, self.limit, *self.cautions]
        has_more = not all(one in " ".join(lines) for one in known)
        return sentences.Headline(verdict, text, tuple(lines), command, has_more=has_more)


def _on(document: Document) -> str:
    """Say on what it ran, and by which procedure."""
    result = document.result
    parts = [counted(value_processes(result), "process")]
    if not isinstance(result, ImportedHead):
        environment = result.environment
        if environment.buffers is not None:
            parts[0] += f" with buffers on {environment.buffers.memory}"
        if (simulation := environment.simulation) is not None:
            network = "network" if simulation.platform is None else simulation.platform.name
            parts[0] += f" on simulated {network}"
        elif environment.nodes > 1:
            parts[0] += f" on {environment.nodes} nodes"
    if isinstance(result, BEffIoFigures):
        parts.append(f"procedure {result.procedure}")
    return ", ".join(parts)


_ALIKE = 0.005
"""Repetitions that differ by less agree."""


def _glance(document: Document) -> sentences.Headline | None:
    result = document.result
    if not isinstance(result, BEffIoResult) or not result.complete:
        return None
    short = [one for one in result.criteria if one.code == "scheduled time" and not one.met]
    if not short or short[0].required is None:
        return None
    figures = ", ".join(_figures(result))
    criteria = [one for one in result.criteria if one.code not in {"measured in full", "schedule"}]
    conditions = [] if result.procedure == "cold" else ["--procedure", result.procedure]
    conditions += [] if result.definition == "1" else ["--", "--release", result.definition]
    command = ["beff", "run", "--benchmark", "b_eff_io", "-n", str(result.environment.processes)]
    command += ["--time", f"{ceil(short[0].required / 60)}min", *conditions]
    return sentences.Headline(
        Verdict.UNKNOWN,
        f"a glance: {figures or 'nothing measured in full'}",
        tuple(sentences.reasons(result.model_copy(update={"criteria": criteria}))),
        " ".join(command),
    )


def _spread(document: Document) -> str:
    first = next(iter(analysis_of(document).spread), None)
    if first is None or not main_value(document.result):
        return analysis_of(document).differ_text if document.benchmark == "b_pairs" else ""
    length, _ = rate_unit(first.official)
    rates = (first.worst, first.median, first.official)
    return " \N{EN DASH} ".join(number(one / length) for one in rates)


def _judged(document: Document) -> Checked | None:
    """Return what `beff check` says of a map of pairs; None where it judges nobody."""
    if not isinstance(document.result, MapResult):
        return None
    from beff.judge.judge_results import judge_results  # noqa: PLC0415 - takes long

    checked = judge_results([document])
    return checked if any(one.against not in DOUBTS for one in checked.judgements) else None


def _details(document: Document, judged: Checked | None) -> Iterator[str]:
    """Yield the figures beside the value that are known."""
    result = document.result
    if isinstance(result, BEffFigures):
        yield from _figures(result)
        if isinstance(result, BEffResult) and (shape := network_shape(result)):
            yield sentence_of(shape)
    elif isinstance(result, BEffIoFigures):
        yield from _figures(result)
        if (share := result.summary.percent_of_peak) is not None:
            yield f"{percent(share / 100)} of the peak"
        if result.valid:
            yield f"T = {format_duration(result.schedule.time_s)}"
    elif isinstance(result, MapResult):
        yield from network_sentences(result)
        # doubts are of the run itself, which stands apart
        of_map = [one for one in judged.judgements if one.against not in DOUBTS] if judged else ()
        yield from (f"{one.about}: {sentence_of(one)}" for one in folded(of_map))
    if (use := carried(result)) is not None:
        yield f"wires: {wires_text(use)}"


def _figures(result: BEffFigures | BEffIoFigures) -> Iterator[str]:
    names: dict[str, str] = {name: f"{name}_MBps" for name in ACCESSES}
    if isinstance(result, BEffFigures):
        first = "rings" if RULES[result.definition].rings_first else "cyclic grids"
        names = {"each process": "b_eff_per_process_MBps", "at L_max": "at_lmax_MBps"}
        names |= {"latency": "latency_us", first: "rings_MBps", "random rings": "random_MBps"}
    for words, name in names.items():
        if (value := getattr(result.summary, name)) is not None:
            yield f"{words} {measured(value, unit_of(name))}"
