"""The words for judgements: the facts with which the sentence for each code is filled."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from beff.judge.change import Word
from beff.judge.finding import EARLIER_MAPS, Finding, Verdict
from beff.maps.findings import SIZES, Evidence
from beff.maps.fleet import State
from beff.maps.hosts import SLOW_BEFORE, SLOW_IN_ALL
from beff.result.numbers import change, counted, format_size, measured, percent, times
from beff.show.parts.day_text import day_text
from beff.show.parts.sentences import WORDS, clipped, filled, reasons

_NEAR = 0.1
"""What differs by less is the same for a reader."""


def sentence_of(finding: Finding, how: str = "findings") -> str:
    """Say why a finding is what it is; by choice in other words, where there are any."""
    derive = _FACTS.get(finding.code)
    facts = {**finding.facts, **(derive(finding) if derive else {})}
    words = WORDS[how].get(finding.code) or WORDS["findings"][finding.code]
    text = filled(words, facts)
    return text + "".join(f"; {name} had {what}" for name, what in facts.get("counts", ()))


def line_of(finding: Finding) -> str:
    """Say what a finding is about, and why; a judgement that is not good is marked."""
    verdict = finding.verdict
    mark = "" if verdict in {None, Verdict.GOOD} else f" ({verdict.value})"
    return f"{finding.about or finding.source}: {sentence_of(finding)}{mark}"


def brief_of(finding: Finding, room: int) -> str:
    """Say the same in one line, without what has no room."""
    if not (entries := finding.facts.get("evidence", ())):
        return clipped(sentence_of(finding), room)
    first, why = _parts(entries)[0], _why(_parts(entries)[0])
    longer = _longer(finding, first, [SIZES[one.kind] for one in first])
    by_reason = f"{why}: {longer}"
    is_plain = finding.verdict == Verdict.BAD or why == SLOW_IN_ALL or len(by_reason) > room
    return clipped(f"{finding.code}: {longer}, {_rounds(first)}" if is_plain else by_reason, room)


def is_near(factor: float, other: float) -> bool:
    """Whether factors are the same for a reader."""
    return abs(factor / other - 1) < _NEAR


def _status(finding: Finding) -> dict[str, Any]:
    """Say why a host or link has its status."""
    reasons = []
    for part in _parts(finding.facts["evidence"]):
        kinds = [f"{SIZES[one.kind]} ({format_size(one.bytes)})" for one in part]
        reasons.append(f"{_longer(finding, part, kinds)}, {_rounds(part)}: {_why(part)}")
    return {"code": finding.code, "reasons": "; ".join(reasons)}


def _parts(entries: Sequence[Evidence]) -> list[list[Evidence]]:
    """Part what is said of short and long messages, but where it is the same."""
    if not entries:
        return []
    first, why = entries[0], _why(entries)
    are_alike = all(
        is_near(one.factor, first.factor)
        and one.reason.startswith(why)
        and (one.alone is None) == (first.alone is None)
        and is_near(one.alone or 1, first.alone or 1)
        and is_near(one.slow * first.of + 1, first.slow * one.of + 1)
        for one in entries
    )
    return [[*entries]] if are_alike else [[one] for one in entries]


def _longer(finding: Finding, entries: Sequence[Evidence], kinds: Sequence[str]) -> str:
    than = " as before" * (finding.against == EARLIER_MAPS and _why(entries) != SLOW_BEFORE)
    factor = times(max(one.factor for one in entries))
    return f"{factor} as long{than} in {' and '.join(kinds)} messages"


def _why(entries: Sequence[Evidence]) -> str:
    """Return what they have in common of the reason."""
    return min((one.reason for one in entries), key=len)


def _rounds(entries: Sequence[Evidence]) -> str:
    """Say in how many rounds, and how long what was measured alone took."""
    first, whole = entries[0], all(one.slow == one.of for one in entries)
    text = "in all rounds" if whole else f"in {first.slow} of {first.of} rounds"
    if first.alone is None:
        return text
    agrees = all(is_near(one.alone or 1, one.factor) for one in entries)
    return f"{text}, {'also alone' if agrees else f'{times(first.alone)} alone'}"


def _common(finding: Finding) -> dict[str, Any]:
    kinds = ", ".join(
        f"{times(one.factor)}{'' if number else ' as long as before'} in"
        f" {SIZES[one.kind]} messages ({format_size(one.bytes)})"
        for number, one in enumerate(finding.facts["common"])
    )
    return {"about": finding.about, "kinds": kinds}


def _took(factors: Mapping[str, float]) -> str:
    """Say by how many times messages take as long, without the words behind it."""
    shown = (f"{SIZES[kind]} messages take {times(factor)}" for kind, factor in factors.items())
    return " and ".join(shown)


def _fleet_host(finding: Finding) -> dict[str, Any]:
    host = finding.facts["host"]
    if host.state == State.NO_ANSWER:
        return {}
    took = f"{_took(host.factors)} as long as usual, +- {percent(host.error, 1)}"
    return {"took": f"{took}; last measured {counted(round(host.days), 'day')} ago"}


def _seen(finding: Finding) -> dict[str, Any]:
    facts, at_times = finding.facts, finding.facts["seen"].at_times
    rounds = "" if at_times is None else f"in less than {percent(at_times)} of its rounds"
    return {
        "the_slowest": f"the slowest{' other' if facts['slow'] else ''}",
        "unseen": ", or slow ".join((rounds or "at times only", *facts["unseen"])),
        "part": rounds or "at times only",
        "others": facts["unseen"],
    }


def bounds_of(finding: Finding) -> str:
    """Say between which bounds a figure is expected, of an accepted one as shares."""
    facts = finding.facts

    def bound(share: float) -> str:
        if finding.code == "accepted figure":
            return percent(1 + share, 1)
        return measured(facts["expected"] * (1 + share), facts["unit"])

    low, high = (None if end is None else bound(end) for end in (facts["lower"], facts["upper"]))
    bounds = f"{low} to {high}" if low and high else f"at least {low}" if low else "anything"
    return f"at most {high}" if high and not low else bounds


def _figure(finding: Finding) -> dict[str, Any]:
    """Compare a figure with what is expected, or with what was accepted."""
    facts = finding.facts
    ratio, unit = facts["found"] / facts["expected"], facts["unit"]
    return {
        "value": measured(facts["found"], unit),
        "expectation": measured(facts["expected"], unit),
        "change": change(ratio - 1),
        "ratio": ratio,
        "bounds": bounds_of(finding),
        "not_stated": " and ".join(facts["not_stated"]),
    }


def _earlier(finding: Finding) -> dict[str, Any]:
    words = [one.word for one in finding.facts["day"].figures]
    slower = words.count(Word.SLOWER) if words[1:] else 0
    return {"is": day_text(finding.facts["day"]), "slower": slower, "figures": len(words)}


_FACTS: Mapping[str, Callable[[Finding], Mapping[str, Any]]] = {
    **dict.fromkeys(("no answer", "slow", "suspect"), _status),
    **dict.fromkeys(("slower", "perhaps slower"), _common),
    **dict.fromkeys(("figure", "accepted figure"), _figure),
    "compared with earlier": _earlier,
    **dict.fromkeys((f"fleet {state.value}" for state in State), _fleet_host),
    **dict.fromkeys(
        ("fleet uplink", "fleet kind"), lambda finding: {"took": _took(finding.facts["took"])}
    ),
    "topology": lambda finding: {
        "least": None
        if is_near(finding.facts["least_times"], finding.facts["most_times"])
        else finding.facts["least_times"]
    },
    "seen": _seen,
    "network shape": lambda finding: {
        "meaning": filled(WORDS["shapes"][finding.facts["shape"]], finding.facts)
    },
    "not valid": lambda finding: {"reasons": reasons(finding.facts["result"])},
}
"""What follows from the facts, by codes."""
