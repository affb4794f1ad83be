"""What a check found as a reader needs it: equal findings as one, and the headline of all."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from beff.judge.finding import DOUBTS, Checked, Finding, Verdict
from beff.report.parts.day_text import day_text, signed
from beff.report.parts.findings import brief_of, is_near, line_of, sentence_of
from beff.report.parts.headline import (
    LONGEST,
    LONGEST_LINE,
    MOST_LINES,
    Headline,
    clipped,
    fitting,
    listed,
    listed_after,
)
from beff.result.host_list import fold_host_list, number_key
from beff.result.numbers import change, counted, percent, times
from beff.verify.analysis import disturbed_text

_OF_UNIT = {"host", "process"}
_OF_MAP = ("map shows nothing", "map calls none slow", "units differ", "no host judged")
"""Codes of what is said of a map as a whole: less than what is said of its run or its hosts."""
_GOOD_HOST = "fleet good"
"""The code of a host that was asked for."""
_NAMED_BY_FACTOR = {"slow", "suspect"}
_SHORT = {
    "apart": "repetitions differ",
    "map calls none slow": "hosts not judged",
    "map shows nothing": "hosts not judged",
    "nothing to check by": "speed not checked",
}
_NEVER_VALID = {"imported", "partial", "simulated"}
_NEXT = {
    "apart": "measure again, alone",
    "disturbed": "measure again, alone",
    "map calls none slow": "measure again, alone",
    "map shows nothing": "measure again, alone",
    "oversubscribed": "measure again with no more processes than cores",
    "partial": "measure again, to the end",
    "not yet": "set the clock, and measure again",
    "suspect": "measure again, and give earlier maps by --baseline",
}
"""By the code of what is open: what helps."""


@dataclass
class _Alike:
    first: Finding
    factors: tuple[float, ...]
    names: list[str] = field(default_factory=list)
    hosts: list[str] = field(default_factory=list)


def folded(findings: Iterable[Finding]) -> list[Finding]:
    """Join what is found of several hosts, or processes, with nearly the same factors."""
    kept: list[_Alike | Finding] = []
    known: dict[tuple[object, ...], list[_Alike]] = {}
    for one in findings:
        unit, _, name = one.about.partition(" ")
        if unit not in _OF_UNIT:
            kept.append(one)
            continue
        key, factors = _likeness(one)
        alike = next((it for it in known.get(key, ()) if _are_near(it.factors, factors)), None)
        if alike is None:
            alike = _Alike(one, factors)
            known.setdefault(key, []).append(alike)
            kept.append(alike)
        alike.names += one.hosts or (name,)
        alike.hosts += one.hosts
    return [one if isinstance(one, Finding) else _joined(one) for one in kept]


def _likeness(one: Finding) -> tuple[tuple[object, ...], tuple[float, ...]]:
    """Return what must be equal for two findings to be one, and what must be nearly so."""
    own = (one.code, one.against, one.verdict, one.source, str(one.facts.get("counts")))
    entries, host = one.facts.get("evidence", ()), one.facts.get("host")
    if entries:
        # the end of a reason may hold a factor
        kinds = tuple((entry.kind, entry.reason.partition(",")[0]) for entry in entries)
        return (*own, kinds), tuple(entry.factor for entry in entries)
    if one.code.startswith("fleet ") and host is not None:
        return (*own, one.facts["by"]), tuple(host.factors.values())
    return (*own, sentence_of(one)), ()


def _are_near(some: Sequence[float], others: Sequence[float]) -> bool:
    return len(some) == len(others) and all(map(is_near, some, others))


def _joined(alike: _Alike) -> Finding:
    if len(alike.names) == 1:
        return alike.first
    unit = alike.first.about.partition(" ")[0]
    names = sorted(alike.names, key=number_key)
    return replace(alike.first, about=f"{unit} {fold_host_list(names)}", hosts=tuple(alike.hosts))


def headline_of(checked: Checked, commands: Sequence[str] = ()) -> Headline:
    """Say the verdict; the first of `commands` is what to do next."""
    bad = folded(one for one in checked.judgements if one.verdict == Verdict.BAD)
    of_run, others = _open(checked)
    asked = folded(one for one in checked.judgements if one.code == _GOOD_HOST)
    why_not = {one.source: one for one in checked.remarks if one.code == "not judged"}
    reasons = [
        why_not.get(one.source, one) if one.code == "no host judged" else one
        for one in [*bad, *of_run, *others] or asked
    ]
    seen = _seen(checked)
    todo = [line for one in reasons for line in _next(one)][:1] if not (commands or bad) else []
    room = MOST_LINES - len(seen) - bool(commands or todo)
    several = len({one.source for one in checked.findings if one.source}) > 1
    lines = [_line(one, several=several) for one in reasons[:room]]
    lines += [*seen, *todo]
    whole = {line_of(one) for one in checked.findings} - {*lines}
    return Headline(
        checked.verdict,
        _text(checked, bad, of_run, others),
        tuple(lines),
        commands[0] if commands else "",
        has_more=bool(whole) or len(commands) > 1,
    )


def _next(finding: Finding) -> list[str]:
    """Return what helps where something is open."""
    is_known = finding.verdict == Verdict.UNKNOWN and finding.code in _NEXT
    return [f"next: {_NEXT[finding.code]}"] if is_known else []


def _open(checked: Checked) -> tuple[list[Finding], list[Finding]]:
    """Return what is open of the run itself, then of what it measured, without what doubts left."""
    found = [
        one for one in checked.judgements if one.verdict == Verdict.UNKNOWN and not one.doubted
    ]
    of_run = [one for one in found if one.against in DOUBTS and one.code not in _OF_MAP]
    others = folded(one for one in found if one.against not in DOUBTS and one.code not in _OF_MAP)
    if not of_run and not others:
        of_run = list({one.code: one for one in found}.values())
    return of_run, others


def _line(finding: Finding, *, several: bool) -> str:
    """Say what is found in a line, with the result where there are several."""
    named = [finding.source] if several or not finding.about else []
    about = clipped(": ".join((*named, *filter(None, [finding.about]))), LONGEST)
    day = finding.facts.get("day")
    if day is not None:
        return clipped(f"{about}: {day_text(day)}", LONGEST_LINE)
    return f"{about}: {brief_of(finding, LONGEST_LINE - len(about) - 2)}"


def _seen(checked: Checked) -> list[str]:
    """Say what the first map could not have shown."""
    for one in checked.judgements:
        if one.code == "seen":
            seen = one.facts["seen"]
            part = "at times only"
            if seen.at_times is not None:
                part = f"in less than {percent(seen.at_times)} of its rounds"
            less = f"less than {times(seen.limit)} as long"
            if unseen := one.facts.get("unseen"):
                # a map that others measured shows less
                return [clipped(f"not seen: {', '.join((less, part, *unseen))}", LONGEST_LINE)]
            return [f"one {less}, or slow {part}, would not be seen"]
        if one.code == "fleet":
            return [f"one less than {times(one.facts['limit'])} as long would not be seen"]
    return []


def _text(
    checked: Checked, bad: Sequence[Finding], of_run: Sequence[Finding], others: Sequence[Finding]
) -> str:
    good = ", ".join(_counts(checked))
    if bad:
        return listed_after("bad: ", list(_items(bad)))
    if checked.verdict == Verdict.GOOD:
        return fitting([f"good: {good}" if good else "good", "good"])
    codes = dict.fromkeys(_SHORT.get(one.code, one.code) for one in of_run)
    if codes.keys() & _NEVER_VALID:
        codes.pop("not valid", None)
    shares = [one.facts["share"] for one in of_run if one.code == "disturbed"]
    results = dict.fromkeys(one.source for one in checked.judgements)
    if shares and len(shares) == len(results):
        return f"inconclusive: {disturbed_text(shares)}"
    open_for = [*codes, *_items(others)]
    undecided = {one.source for one in checked.judgements if one.verdict != Verdict.GOOD}
    if 0 < len(undecided) < len(results):
        start = f"good, but {len(undecided)} of {counted(len(results), 'result')}: "
        return listed_after(start, open_for)
    if good and not of_run and not any(one.code in _NAMED_BY_FACTOR for one in others):
        return listed_after("good, but ", open_for)
    text = listed_after("inconclusive: ", open_for or ["nothing was checked"])
    units = good.partition(",")[0]
    also = [f"{text}; else good: {one}" for one in (good, units)] if good and of_run else []
    return fitting([*also, text])


def _counts(checked: Checked) -> Iterator[str]:
    """Count what is good, or would be without a doubt."""
    good = [one for one in checked.judgements if one.doubted or one.verdict == Verdict.GOOD]
    maps = [one for one in good if one.code == "seen"]
    if len(maps) > 1:
        yield counted(len(maps), "map")
    for one in maps if len(maps) == 1 else ():
        seen, slow = one.facts["seen"], one.facts["slow"]
        (units, of_units), (links, of_links) = seen.units, seen.links
        yield f"{units - slow} of {of_units} {one.facts['units']}, {links} of {of_links} links"
    for one in good:
        if one.code == "fleet":
            yield f"{one.facts['good']} of {counted(one.facts['of'], 'host')}"
    asked = [one.about for one in folded(one for one in good if one.code == _GOOD_HOST)]
    if asked:
        yield listed(asked, LONGEST - len("good: "))
    figures = sum(one.code.endswith("figure") for one in good)
    if figures:
        yield counted(figures, "figure")
    compared = [one.about for one in good if one.code == "compared with earlier"]
    if compared:
        yield f"no slowdown of {listed(compared, LONGEST)}"


def _items(findings: Sequence[Finding]) -> Iterator[str]:
    """Name what is found, each with its factor or else what it is."""
    said = ""
    for one in findings:
        about = one.about
        if len(one.hosts) > 1 and len(about) > LONGEST / 2:
            about = counted(len(one.hosts), "host")
        how = _how(one)
        # "as long" once is enough
        shown = how.removesuffix(" times as long") if said.endswith("as long") and how else how
        said = how or said
        yield f"{clipped(about, LONGEST - 22)} ({shown})" if shown else about


def _how(finding: Finding) -> str:
    """Say by how much a unit or link is slow; of all else what it is, by its code."""
    entries, facts = finding.facts.get("evidence", ()), finding.facts
    if entries:
        worst = max(entries, key=lambda one: one.factor)
        at_times = "" if 2 * worst.slow > worst.of else " at times"
        return f"{times(worst.factor)} as long{at_times}"
    host = facts.get("host")
    if finding.code.startswith("fleet ") and host is not None and host.factors:
        return f"{times(max(host.factors.values()))} as long"
    common = facts.get("common")
    if common:
        return f"{times(max(one.factor for one in common))} as long"
    day = facts.get("day")
    if day is not None:
        return signed(day.worst.shares[1])
    if facts.get("expected"):
        return change(facts["found"] / facts["expected"] - 1)
    return finding.code.removeprefix("fleet ")
