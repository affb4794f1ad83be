"""What a check found as a reader needs it: equal findings as one, and the headline of all."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from beff.judge.analysis import disturbed_text
from beff.judge.finding import DOUBTS, EARLIER_MAPS, Checked, Finding, Verdict
from beff.result.host_list import fold_host_list, number_key
from beff.result.numbers import change, counted, times
from beff.show.parts.day_text import day_text, signed
from beff.show.parts.findings import brief_of, is_near, line_of, sentence_of
from beff.show.parts.sentences import (
    LONGEST,
    LONGEST_LINE,
    MOST_LINES,
    WORDS,
    Headline,
    clipped,
    fitting,
    listed,
    listed_after,
)

_OF_UNIT = {"host", "process"}
_OF_MAP = ("map shows nothing", "map calls none slow", "units differ", "no host judged")
"""Codes of what is said of a map as a whole: less than what is said of its run or its hosts."""
_GOOD_HOST = "fleet good"
"""The code of a host that was asked for."""
_NAMED_BY_FACTOR = {"slow", "suspect"}
_NEVER_VALID = {"imported", "partial", "simulated"}


def folded(findings: Iterable[Finding]) -> list[Finding]:
    """Join what is found of several hosts, or processes, with nearly the same factors."""
    groups: list[list[Finding]] = []
    known = defaultdict[object, list[tuple[Sequence[float], list[Finding]]]](list)
    for finding in findings:
        key, factors = _likeness(finding)
        near = (group for others, group in known[key] if all(map(is_near, others, factors)))
        if (group := next(near, None)) is None:
            group = []
            groups.append(group)
            known[key].append((factors, group))
        group.append(finding)
    return [*map(_joined, groups)]


def _likeness(finding: Finding) -> tuple[object, Sequence[float]]:
    """Return what must be equal for two findings to be one, and what must be nearly so."""
    if finding.about.partition(" ")[0] not in _OF_UNIT:
        return id(finding), ()
    facts, verdict = finding.facts, finding.verdict
    alike = (finding.code, finding.against, verdict, finding.source, str(facts.get("counts")))
    entries, host = facts.get("evidence", ()), facts.get("host")
    if entries:
        # the end of a reason may hold a factor
        kinds = tuple((entry.kind, entry.reason.partition(",")[0]) for entry in entries)
        return (*alike, kinds), [entry.factor for entry in entries]
    if finding.code.startswith("fleet ") and host is not None:
        return (*alike, facts["by"], len(host.factors)), [*host.factors.values()]
    return (*alike, sentence_of(finding)), ()


def _joined(group: Sequence[Finding]) -> Finding:
    unit = group[0].about.partition(" ")[0]
    names = [name for one in group for name in one.hosts or (one.about.partition(" ")[2],)]
    if unit not in _OF_UNIT or len(names) == 1:
        return group[0]
    hosts = tuple(host for one in group for host in one.hosts)
    about = f"{unit} {fold_host_list(sorted(names, key=number_key))}"
    return replace(group[0], about=about, hosts=hosts)


def headline_of(checked: Checked, commands: Sequence[str] = ()) -> Headline:
    """Say the verdict; the first of `commands` is what to do next."""
    bad = folded(one for one in checked.judgements if one.verdict == Verdict.BAD)
    of_run, others = _open(checked)
    not_hosts = [*_items([one for one in (*bad, *others) if not one.hosts])]
    fleets = (one for one in checked if one.code == "fleet")
    fleet = next((_fleet_text(one, not_hosts) for one in fleets), None)
    good = folded(one for one in checked.judgements if one.code == _GOOD_HOST)
    why_not = {one.source: one for one in checked.remarks if one.code == "not judged"}
    reasons = [
        why_not.get(one.source, one) if one.code == "no host judged" else one
        for one in [*bad, *of_run, *others] or good
    ]
    seen = [one for one in checked.judgements if one.code in WORDS["in a line"]][:1]
    could = [clipped(sentence_of(one, "in a line"), LONGEST_LINE) for one in seen]
    codes = (one.code + " before" * (one.against == EARLIER_MAPS) for one in reasons)
    steps = (
        WORDS["next"].get(code, WORDS["next"].get(one.code))
        for code, one in zip(codes, reasons, strict=True)
        if one.verdict == Verdict.UNKNOWN
    )
    todo = [] if commands or bad else [f"next: {step}" for step in steps if step][:1]
    room = MOST_LINES - len(could) - bool(commands or todo)
    several = len({one.source for one in checked if one.source}) > 1
    lines = [_line(one, several=several) for one in reasons[:room]]
    lines += [*could, *todo]
    whole = {line_of(one) for one in checked} - {*lines}
    return Headline(
        checked.verdict,
        _text(checked, bad, of_run, others) if fleet is None or of_run else fleet,
        tuple(lines),
        commands[0] if commands else "",
        has_more=bool(whole) or len(commands) > 1,
    )


def _open(checked: Checked) -> tuple[list[Finding], list[Finding]]:
    """Return what is open of the run itself, then of what it measured, without what doubts left."""
    unknown = (one for one in checked.judgements if one.verdict == Verdict.UNKNOWN)
    left = [one for one in unknown if not one.doubted]
    if single := [one for one in left if one.code not in _OF_MAP]:
        others = folded(one for one in single if one.against not in DOUBTS)
        return [one for one in single if one.against in DOUBTS], others
    return list({one.code: one for one in left}.values()), []


def _line(finding: Finding, *, several: bool) -> str:
    """Say what is found in a line, with the result where there are several."""
    named = finding.source if several or not finding.about else ""
    about = clipped(": ".join(filter(None, (named, finding.about))), LONGEST)
    if (day := finding.facts.get("day")) is not None:
        return clipped(f"{about}: {day_text(day)}", LONGEST_LINE)
    return f"{about}: {brief_of(finding, LONGEST_LINE - len(about) - 2)}"


def _text(
    checked: Checked, bad: Sequence[Finding], of_run: Sequence[Finding], others: Sequence[Finding]
) -> str:
    good = ", ".join(_counts(checked))
    if bad:
        return listed_after("bad: ", list(_items(bad)))
    if checked.verdict == Verdict.GOOD:
        return fitting([f"good: {good}" if good else "good", "good"])
    codes = dict.fromkeys(WORDS["in a headline"].get(one.code, one.code) for one in of_run)
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


def _fleet_text(fleet: Finding, others: Sequence[str]) -> str:
    """Count the hosts by their states, name those to act on, and what others are found."""
    states = dict(fleet.facts["states"])
    counts, named = list[str](), list[str]()
    last = {"due": states.pop("due", ())}
    for word, hosts in ({"good": states.pop("good", ())} | states | last).items():
        count = f"{len(hosts)} {word}"
        counts += [count] if hosts or word == "good" else []
        if word in states:
            worst = times(max(factor for _, factor in hosts))
            names = fold_host_list(sorted((name for name, _ in hosts), key=number_key))
            count += f" ({names}, {'up to ' if hosts[1:] else ''}{worst})"
        named += [count] if hosts or word == "good" else []
    every = f"{counted(fleet.facts['of'], 'host')}: "
    return fitting([every + ", ".join((*words, *others)) for words in (named, counts)])


def _counts(checked: Checked) -> Iterator[str]:
    """Count what is good, or would be without a doubt."""
    good = [one for one in checked.judgements if one.doubted or one.verdict == Verdict.GOOD]
    maps = [one for one in good if one.code == "seen"]
    if len(maps) > 1:
        yield counted(len(maps), "map")
    elif maps:
        facts, seen = maps[0].facts, maps[0].facts["seen"]
        units = f"{seen.units[0] - facts['slow']} of {seen.units[1]} {facts['units']}"
        yield f"{units}, {seen.links[0]} of {seen.links[1]} links"
    for one in good:
        if one.code == "fleet":
            yield f"{one.facts['good']} of {counted(one.facts['of'], 'host')}"
    if hosts := folded(one for one in good if one.code == _GOOD_HOST):
        yield listed([one.about for one in hosts], LONGEST - len("good: "))
    if figures := sum(one.code.endswith("figure") for one in good):
        yield counted(figures, "figure")
    if compared := [one.about for one in good if one.code == "compared with earlier"]:
        yield f"no slowdown of {listed(compared, LONGEST)}"


def _items(findings: Sequence[Finding]) -> Iterator[str]:
    """Name what is found, each with its factor or else what it is."""
    before = ""
    for finding in findings:
        about = finding.about
        if len(finding.hosts) > 1 and len(about) > LONGEST / 2:
            about = counted(len(finding.hosts), "host")
        how = _how(finding)
        # "as long" once is enough
        shown = how.removesuffix(" times as long") if before.endswith("as long") and how else how
        before = how or before
        yield f"{clipped(about, LONGEST - 22)} ({shown})" if shown else about


def _how(finding: Finding) -> str:
    """Say by how much a unit or link is slow; of all else what it is, by its code."""
    entries, facts = finding.facts.get("evidence", ()), finding.facts
    host = facts.get("host") if finding.code.startswith("fleet ") else None
    factors = [one.factor for one in entries or facts.get("common") or ()]
    factors = factors or [*(() if host is None else host.factors.values())]
    if factors:
        worst = max(entries, key=lambda one: one.factor, default=None)
        at_times = worst is not None and 2 * worst.slow <= worst.of
        return f"{times(max(factors))} as long{' at times' if at_times else ''}"
    if (day := facts.get("day")) is not None:
        return signed(day.worst.shares[1])
    if facts.get("expected"):
        return change(facts["found"] / facts["expected"] - 1)
    return finding.code.removeprefix("fleet ")
