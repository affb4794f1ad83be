"""The words for what a result holds as facts: criteria, cautions, the medium; and for headlines."""

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from typing import Any

from beff.definition.b_eff_plan import OFFICIAL_METHODS
from beff.definition.subject import by_key
from beff.judge.analysis import analysis_of
from beff.judge.finding import Verdict
from beff.result.b_eff_io_result import BEffIoResult
from beff.result.b_eff_result import BEffResult
from beff.result.b_pairs_result import BPairsResult
from beff.result.contract import AnyResult
from beff.result.load import Document
from beff.result.numbers import duration, format_size, measured, of_one, rate, times
from beff.result.result_parts import Criterion, Statement

WORDS: Mapping[str, Mapping[str, Any]] = json.loads(
    Path(__file__).with_name("sentences.json").read_text("utf-8")
)
"""The words for statements, criteria and findings by their codes, for charts, tables and metrics.

The build of the measuring programs makes a table of the first two. Of a criterion they are what is
`required`, what was `found`, and the `reason` why a result is not valid.
"""

_OPTIONAL = re.compile(r"<([^<>|]*)\|?([^<>|]*)>")
_PARSER = Formatter()


def filled(words: str, facts: Mapping[str, Any]) -> str:
    """Fill words with facts, `not known` for one that is missing.

    `<words|others>` are the words where all their facts are there, not empty and not 0, else the
    others. A fact has the unit at the end of its name, or `{name:unit}`, or a format of Python.
    """

    def value(name: str) -> Any:
        try:
            return _PARSER.get_field(name, (), facts)[0]
        except (AttributeError, KeyError, TypeError):
            return None

    def chosen(part: re.Match[str]) -> str:
        names = [name for _, name, _, _ in _PARSER.parse(part[1]) if name]
        return str(part[1 if all(map(value, names)) else 2])

    text = ""
    for before, name, form, _ in _PARSER.parse(_OPTIONAL.sub(chosen, words)):
        text += before + (fact_text(name, value(name), form or "") if name else "")
    return of_one(text)


def fact_text(name: str, fact: Any, form: str = "") -> str:
    """Write it in the unit at the end of its name, or as it is asked for."""
    if isinstance(fact, list | tuple):
        return ", ".join(map(str, fact))
    unit = form or name.rpartition("_")[2]
    if fact is None or (unit in _WRITTEN and not isinstance(fact, str)):
        return _number(fact, unit)
    if form:
        return format(fact, form).replace("%", " %")
    return f"{fact:.3g}" if isinstance(fact, float) else str(fact)


def sentence(statement: Statement) -> str:
    """Write what a reader should know; of a newer version's code as it stands."""
    words = WORDS["statements"].get(statement.code)
    return statement.code if words is None else filled(words, statement.facts)


def cautions_of(document: Document, but: Collection[str] = ()) -> list[str]:
    """Return what the result file holds, but for some codes, then what follows from samples.

    Raises ResultError when nothing can be recomputed from the samples.
    """
    run = analysis_of(document)
    held = [sentence(one) for one in document.result.cautions if one.code not in but]
    noisy = run.why_noisy and f"noisy: {run.why_noisy}"
    apart = run.why_apart and f"{run.why_apart}, which shows no level"
    return held + [f"{why}; measure again, alone" for why in (noisy, apart) if why]


def cautions_of_runs(runs: Sequence[Document]) -> tuple[str, ...]:
    """Return one sentence for each caution. Raises ResultError as `cautions_of` does."""
    sources = by_key((caution, run.source) for run in runs for caution in cautions_of(run))
    return tuple(
        f"{first}{f' and {len(more)} more' if more else ''}: {caution}"
        for caution, (first, *more) in sources.items()
    )


def verdict(result: AnyResult) -> str:
    """Return validity in the words that stand beside every number."""
    return "VALID" if result.valid else "NOT VALID"


def required_text(criterion: Criterion) -> str:
    """Write what a criterion requires."""
    return _words(criterion, "required", {})


def found_text(criterion: Criterion, result: AnyResult) -> str:
    """Write what was found in a result."""
    return _words(criterion, "found", _facts(result))


def reasons(result: AnyResult) -> list[str]:
    """Return a phrase for each criterion that is not met, each once; none of a valid result."""
    facts = _facts(result)
    phrases: list[str] = []
    for one in (one for one in result.criteria if not one.met):
        phrases.append(_words(one, _why(one, facts), facts))
        phrases += facts["capped"] if one.code == "schedule" else ()
    return list(dict.fromkeys(filter(None, phrases)))


_ORIGINS = ("read from beyond the page caches", "moved in each access method")


def _words(criterion: Criterion, what: str, facts: Mapping[str, Any]) -> str:
    """Fill the words that say this of a criterion."""
    words = WORDS["criteria"].get(criterion.code, WORDS["newer criterion"])
    value, required = criterion.found or 0, criterion.required or 0
    value_text = _number(criterion.found, criterion.unit)
    of_criterion = {
        "code": criterion.code,
        "required": _number(criterion.required, criterion.unit),
        "found": value_text,
        "wrong": int(value),
        "missing": int(required - value),
        "short": value != required and value_text,
        "use": "used" if criterion.met else "not used",
        "met": "yes" if criterion.met else "no",
        "origin": _ORIGINS[criterion.unit == "bytes"],
    }
    return filled(words[what], {**facts, **of_criterion})


def _why(criterion: Criterion, facts: Mapping[str, Any]) -> str:
    """Return the name of the words that say why a criterion is not met."""
    if criterion.code != "read from the file system":
        return "reason"
    if facts.get("medium") == "files in memory":
        return "in memory"
    if criterion.unit == "bytes":
        return "too little" if facts.get("medium") == criterion.code else "not known"
    return "reason" if criterion.found != 0 else "nothing"


def _facts(result: AnyResult) -> dict[str, Any]:
    """Return what a result holds of that with which the words for criteria are filled."""
    facts: dict[str, Any] = {"compared": "messages", "capped": ()}
    if isinstance(result, BEffResult | BEffIoResult | BPairsResult):
        environment = result.environment
        facts["build"] = environment.build_type
        facts["machine"] = "simulated" if environment.simulated else "real"
        if (buffers := environment.buffers) is not None:
            devices = (device for group in buffers.hosts for device in group.devices)
            shown = "shown" if all(one.on_pci_bus for one in devices) else "not shown"
            kind = "confirmed" if buffers.confirmed else "experimental"
            facts["devices"] = f"{buffers.memory}, {kind}; {shown} by the system"
    if isinstance(result, BEffIoResult):
        facts |= {"medium": result.medium.code, "compared": "chunks"}
        facts["of"] = result.data_check.chunks_checked
        plan = result.schedule
        caps = {"writing": plan.max_data_bytes, "segments": plan.max_segment_bytes}
        known = {what: size for what, size in caps.items() if size is not None}
        facts["capped"] = [f"{what} capped at {format_size(it)}" for what, it in known.items()]
    if isinstance(result, BEffResult):
        official = [name for name in result.methods if name in OFFICIAL_METHODS]
        facts |= {"methods": official or "none", "of": result.data_check.messages_checked}
    return facts


_WRITTEN: Mapping[str, Callable[[Any], str]] = {
    "s": duration,
    "us": lambda us: measured(us, "us"),
    "bytes": lambda count: format_size(int(count)),
    "percent": "{:.3g} %".format,
    "MBps": rate,
    "times": times,
    "share": "{:.2f}".format,
    "taper": "{:.1f}".format,
}
"""How a number is written, by its unit."""


def _number(value: float | None, unit: str) -> str:
    return "not known" if value is None else _WRITTEN.get(unit, "{:.0f}".format)(value)


LONGEST, MOST_LINES, LONGEST_LINE = 60, 3, 80
"""Characters of the headline, lines below it, characters of such a line; a command has its own."""
_MOST_NAMED = 8


@dataclass(frozen=True)
class Headline:
    """A verdict in a line, and below it the reasons, what could have been seen, and what to do.

    `command` is to be copied as it is, and stands last. Without `has_more` nothing else is known.
    """

    verdict: Verdict
    text: str
    lines: tuple[str, ...] = ()
    command: str = ""
    has_more: bool = True


def clipped(text: str, room: int) -> str:
    """Cut a text that has no room, after a phrase or else a word."""
    if len(text) <= room:
        return text
    cut = text[: room - 2]
    ends = [max(cut.rfind(mark) for mark in (", ", "; ", ": ")), cut.rfind(" ")]
    end = next((one for one in ends if one > room / 2), room - 2)
    return f"{cut[:end]} \N{HORIZONTAL ELLIPSIS}"


def listed(items: Sequence[str], room: int) -> str:
    """Join the items that have room, and count the others."""
    for shown in range(min(len(items), _MOST_NAMED), 0, -1):
        more = f" and {len(items) - shown} more" if len(items) > shown else ""
        text = f"{', '.join(items[:shown])}{more}"
        if len(text) <= room:
            return text
    more = f" and {len(items) - 1} more" if len(items) > 1 else ""
    return f"{clipped(items[0], room - len(more))}{more}" if items else ""


def listed_after(start: str, items: Sequence[str]) -> str:
    """Join the items that have room in a headline behind its start."""
    return f"{start}{listed(items, LONGEST - len(start))}"


def fitting(texts: Sequence[str]) -> str:
    """Return the first of some texts that a headline has room for; else the last one, cut."""
    return next((one for one in texts if len(one) <= LONGEST), clipped(texts[-1], LONGEST))
