"""The words for judgements: a sentence for the code of each finding, filled with its facts."""

from collections.abc import Callable, Mapping, Sequence

from beff.fleet.states import State
from beff.judge.day_rule import Word
from beff.judge.finding import EARLIER_MAPS, Finding, Verdict
from beff.maps.findings import SIZES, Evidence
from beff.report.parts.day_text import day_text
from beff.report.parts.headline import clipped
from beff.report.parts.sentences import fact_text, reasons
from beff.result.numbers import change, counted, format_size, measured, of_one, percent, times

_NEAR = 0.1
"""What differs by less is the same for a reader."""

_SENTENCES = {
    "imported": "it was imported from a print, which does not say how it was measured",
    "partial": "it is partial: the run did not measure everything",
    "cannot be read": "may show who is bad, and cannot be read: nobody leaves that list by it",
    "apart": "{why}, which shows no level",
    "not yet": "it was {why}",
    "simulated": "its times are simulated",
    "oversubscribed": "it was measured with more processes than cores",
    "disturbed": "{others}",
    "measured before": "nothing was measured: the same file as {file}, which was accepted, or a"
    " copy of it",
    "wrong data": "it was measured with wrong data: {errors} errors found",
    "no host judged": "no host or link was judged",
    "InfiniBand down": "none of its InfiniBand ports is active: {ports}",
    "rate not known": "the rate of its network is not known, others have {usual_MBps}",
    "slower network": "network of {own_MBps}, others have {usual_MBps}",
    "slower than the fastest": "network of {own_MBps}, others have {usual_MBps}; no rate is that of"
    " more than half of the hosts",
    "PCIe below maximum": "PCIe below its maximum: {device}",
    "busy": "busy: {with}",
    "slower wire of the job": "a faster wire is not used by {hosts} of {of} hosts: of {host}"
    " {what}{settings}",
    "other wire": "{what}",
    "errors of wires": "{what}",
    "wires": "{wires}{settings}",
    "since": "{what}",
    "not judged": "{why}",
    "imported map": "imported from {source} ({format}), not measured by b_pairs; not known:"
    " {lacks}",
    "run stood": "round {round} of pass {number} did not end within the limit, and no host or link"
    " stands out",
    "no earlier map": "no earlier map of these hosts was measured in the same way, undisturbed",
    "units differ": "{how}",
    "misplaced": "not behind {said}, as the topology says: short messages to its hosts take"
    " {longer_times} as long as to those behind {seen}",
    "suspect group": "short messages take {longer_times} as long as inside: a slow uplink, or"
    " topology",
    "suspect way": "long messages take {longer_times} as long as by the other ways of both: a slow"
    " way",
    "slow way": "long messages take {longer_times} as long as before, those by other ways do not",
    "far group": "long messages take {longer_times} as long as inside, even alone: a slow uplink,"
    " or a slow port of all of them",
    "slow group": "short messages take {longer_times} as long as before",
    "good uplink": "each of {crossing} pairs at once gets {own_share} of what pairs inside get: a"
    " taper of {taper}:1, or a slow uplink",
    "suspect uplink": "each of {crossing} pairs at once gets {own_share} of what pairs inside get,"
    " those of other groups more: a slow uplink",
    "unlike uplink": "each of {crossing} pairs at once gets {own_share} of what pairs inside get: a"
    " taper of {taper}:1, or a slow uplink, and no other group is like it",
    "slow uplink": "each of {crossing} pairs at once gets {own_share} of what it got",
    "fleet due": "due, as not measured in the last {days} days",
    "fleet unknown": "in none of the maps",
    "not tried": "not tried",
    "not tried, or in no earlier map": "not tried, or in no earlier map",
    "map shows nothing": "this map shows nothing: {why}; measure again, alone",
    "map calls none slow": "this map calls no {unit} slow: {why}; measure again, alone",
    "not handed in": "{figures}: expected, and no result of it that can be judged was handed in; an"
    " entry that need not be measured is 'optional: true'",
    "figure not there": "the result has no {figure}, but {known}",
}


def sentence_of(finding: Finding) -> str:
    """Say why a finding is what it is."""
    facts = finding.facts
    compose = _COMPOSED.get(finding.code)
    if compose is not None:
        text = compose(finding)
    else:
        shown = {name: fact_text(name, fact) for name, fact in facts.items()}
        text = of_one(_SENTENCES[finding.code].format_map(shown))
    return text + "".join(f"; {name} had {what}" for name, what in facts.get("counts", ()))


def line_of(finding: Finding) -> str:
    """Say what a finding is about, and why; a judgement that is not good is marked."""
    if finding.verdict is None:
        return f"{finding.about or finding.source}: {sentence_of(finding)}"
    mark = "" if finding.verdict == Verdict.GOOD else f" ({finding.verdict.value})"
    return f"{finding.about}: {sentence_of(finding)}{mark}"


def _status(finding: Finding) -> str:
    """Say why a host or link has its status, and which direction is the slow one."""
    than = " as before" if finding.against == EARLIER_MAPS else ""
    entries = finding.facts["evidence"]
    if not entries:
        return f"{finding.code} within the limit"
    reasons = "; ".join(_reason(part, than) for part in _parts(entries))
    text = f"{finding.code}: {reasons}"
    if (way := finding.facts.get("slow_way")) is None:
        return text
    start, end, factor = way
    return f"{text}; from {start} to {end} {times(factor)} as long as back"


def _reason(entries: Sequence[Evidence], than: str) -> str:
    """Say it of one length of messages, or of both where they show the same."""
    kinds = " and ".join(f"{SIZES[one.kind]} ({format_size(one.bytes)})" for one in entries)
    return f"{_longer(entries, than, kinds)}, {_rounds(entries)}: {_why(entries)}"


def _longer(entries: Sequence[Evidence], than: str, kinds: str) -> str:
    return f"{times(max(one.factor for one in entries))} as long{than} in {kinds} messages"


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


def _parts(entries: Sequence[Evidence]) -> list[list[Evidence]]:
    """Part what is said of short and long messages, but where it is the same."""
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


def is_near(one: float, other: float) -> bool:
    """Whether factors are the same for a reader."""
    return abs(one / other - 1) < _NEAR


def brief_of(finding: Finding, room: int) -> str:
    """Say the same in one line, without what has no room."""
    from beff.maps.hosts import SLOW_IN_ALL  # noqa: PLC0415 - NumPy

    entries = finding.facts.get("evidence", ())
    if not entries:
        return clipped(sentence_of(finding), room)
    than = " as before" if finding.against == EARLIER_MAPS else ""
    kinds = " and ".join(SIZES[one.kind] for one in entries)
    first = _parts(entries)[0]
    longer = _longer(first, than, kinds if len(first) == len(entries) else SIZES[first[0].kind])
    in_rounds = f"{finding.code}: {longer}, {_rounds(first)}"
    by_reason = f"{_why(first)}: {longer}"
    is_plain = finding.verdict == Verdict.BAD or _why(first) == SLOW_IN_ALL
    shown = in_rounds if is_plain or len(by_reason) > room else by_reason
    return clipped(shown, room)


def _slower(finding: Finding) -> str:
    common = finding.facts["common"]
    kinds = ", ".join(
        f"{times(one.factor)}{' as long as before' if one is common[0] else ''} in"
        f" {SIZES[one.kind]} messages ({format_size(one.bytes)})"
        for one in common
    )
    text = f"{finding.about} take {kinds}"
    if finding.verdict == Verdict.BAD:
        return text
    return f"{text}; {counted(common[0].maps, 'earlier map')} cannot show whether that is usual"


def _fleet_host(finding: Finding) -> str:
    host, since, by = (finding.facts[name] for name in ("host", "since", "by"))
    begin = _FLEET_STATES[host.state].format(day=f"{since:%Y-%m-%d}", by=by)
    if host.state == State.NO_ANSWER:
        return begin
    days = counted(round(host.days), "day")
    took = f"{_took(host.factors)} as long as usual, +- {percent(host.error, 1)}"
    return f"{begin}: {took}; last measured {days} ago"


def _took(factors: Mapping[str, float]) -> str:
    """Say by how many times messages take as long, without the words behind it."""
    shown = (f"{SIZES[kind]} messages take {times(factor)}" for kind, factor in factors.items())
    return " and ".join(shown)


_FLEET_STATES = {
    State.GOOD: "good since {day} ({by})",
    State.SLOW: "slow since {day} ({by})",
    State.ONCE: "slow in its last map only, of {day} ({by}): measure it again",
    State.AT_TIMES: "slow in some of its last maps, good since {day} ({by}): take it out of use, or"
    " measure it in each map",
    State.OPEN: "slow since {day} ({by}), or its uplink is, or it is of another kind: measure it"
    " with others of its switch",
    State.NO_ANSWER: "no answer since {day} ({by})",
}


def _fleet(finding: Finding) -> str:
    facts = finding.facts
    of, maps = counted(facts["of"], "host"), counted(facts["maps"], "map")
    measured = f"{facts['measured']} measured in the last {counted(facts['days'], 'day')}"
    or_slow = "".join(f", or slow {how}," for how in facts["unseen"])
    seen = f"a host less than {times(facts['limit'])} as long{or_slow} would not be seen"
    return f"{facts['good']} of {of} good by {maps}; {measured}; {seen}"


def _topology(finding: Finding) -> str:
    least, most = (finding.facts[end] for end in ("least_times", "most_times"))
    longer = times(most) if is_near(least, most) else f"{least:.2f} to {times(most)}"
    return f"short messages take {longer} as long as inside: topology"


def _seen(finding: Finding) -> str:
    """Say what a map could show."""
    slow, than, seen, units = (finding.facts[name] for name in ("slow", "than", "seen", "units"))
    at_times = (
        "at times only"
        if seen.at_times is None
        else f"in less than {percent(seen.at_times)} of its rounds"
    )
    or_slow = "".join(f", or slow {how}" for how in (at_times, *finding.facts["unseen"]))
    parts = [
        f"{slow} found slow" if slow else "none found slow",
        f"the slowest {'other ' if slow else ''}takes {times(seen.factor)} as long as {than}"
        f" ({seen.slowest})",
        f"one less than {times(seen.limit)} as long{or_slow}, would not be seen",
        f"{seen.units[0]} of {seen.units[1]} {units}, {seen.links[0]} of {seen.links[1]}"
        " links tried",
    ]
    return "; ".join(parts if seen.slowest else [parts[0], *parts[2:]])


def _not_verified(finding: Finding) -> str:
    first, more = finding.facts["first"], finding.facts["more"]
    others = f", and {counted(more, 'more disagreement')}" if more else ""
    return f"it does not verify: {first}{others}"


def _not_valid(finding: Finding) -> str:
    return ": ".join(filter(None, ("it is not valid", ", ".join(reasons(finding.facts["result"])))))


def _nothing_expected(finding: Finding) -> str:
    facts = finding.facts
    nodes = facts["nodes"]
    on = f" on {counted(nodes, 'node')}" if nodes else ", which does not state its nodes"
    why = f"; not comparable, {', '.join(facts['unlike'])}" if facts["unlike"] else ""
    processes = counted(facts["processes"], "process")
    return f"nothing is expected of {facts['benchmark']} with {processes}{on}{why}"


def _figure(finding: Finding) -> str:
    """Compare a figure with what is expected, or with what was accepted."""
    facts = finding.facts
    found, unit = facts["found"], facts["unit"]
    ratio, expected = found / facts["expected"], measured(facts["expected"], unit)
    if finding.code == "figure":
        text = f"{measured(found, unit)}, {change(ratio - 1)} of {expected}; expected"
        bounds = _within(facts["low"], facts["high"], lambda bound: measured(bound, unit))
    else:
        text = f"{percent(ratio, 1)} of acceptance ({facts['accepted']}: {expected}); asked"
        bounds = _shares(facts["lower"], facts["upper"])
    if facts["not_stated"]:
        missing = " and ".join(facts["not_stated"])
        bounds += f"; the file does not state under which {missing}, as beff accept does"
    return f"{text} {bounds}"


def _shares(lower: float | None, upper: float | None) -> str:
    least = None if lower is None else f"at least {percent(1 + lower, 1)}"
    parts = [least, None if upper is None else f"at most {percent(1 + upper, 1)}"]
    return " and ".join(part for part in parts if part) or "anything"


def _within(low: float | None, high: float | None, show: Callable[[float], str]) -> str:
    if low is None:
        return "anything" if high is None else f"at most {show(high)}"
    return f"at least {show(low)}" if high is None else f"{show(low)} to {show(high)}"


def _earlier(finding: Finding) -> str:
    facts = finding.facts
    earlier = counted(facts["earlier"], "earlier result")
    parts = {
        "no earlier results": [f"there are no earlier results of {facts['benchmark']}"],
        "no earlier results alike": [
            f"of {earlier} none was measured in the same way: {'; '.join(facts.get('why', ()))}"
        ],
    }.get(finding.code)
    if parts is None:
        day = facts["day"]
        slower = sum(one.word is Word.SLOWER for one in day.figures)
        figures = len(day.figures)
        of = f"; {slower} of {figures} figures slower" if slower and figures > 1 else ""
        parts = [f"{earlier}, {facts['checked']} checked: {day_text(day)}{of}"]
    parts += facts["copies"]
    if again := facts["checked again"]:
        parts.append(f"left out, as the same samples are checked: {', '.join(again)}")
    return "; ".join(parts)


def _nothing_to_check_by(finding: Finding) -> str:
    way_out = "give --expect or --baseline"
    sound = finding.facts.get("sound")
    if not sound:
        return f"its speed was not checked: {way_out}"
    return f"not checked, but the run is {', '.join(sound)}; {way_out}"


_COMPOSED: Mapping[str, Callable[[Finding], str]] = {
    **dict.fromkeys(("no answer", "slow", "suspect"), _status),
    **dict.fromkeys(("slower", "perhaps slower"), _slower),
    **dict.fromkeys(("figure", "accepted figure"), _figure),
    **dict.fromkeys(
        ("compared with earlier", "no earlier results alike", "no earlier results"), _earlier
    ),
    **dict.fromkeys((f"fleet {state.value}" for state in State), _fleet_host),
    "fleet": _fleet,
    "fleet uplink": lambda finding: f"slow uplink: {_took(finding.facts['took'])} as long",
    "fleet kind": lambda finding: (
        f"{_took(finding.facts['took'])} as long as with the others since their first map:"
        " slow, or another kind, which is judged better by a folder of its own"
    ),
    "topology": _topology,
    "seen": _seen,
    "not verified": _not_verified,
    "not valid": _not_valid,
    "nothing to check by": _nothing_to_check_by,
    "nothing expected": _nothing_expected,
    "limit": lambda finding: finding.facts["limit"],
}
