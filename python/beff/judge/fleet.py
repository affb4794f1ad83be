"""The hosts of a fleet as an operator reads them: by all maps of a folder, whoever was there."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from beff.definition.subject import once
from beff.judge.conditions import Use, differences
from beff.judge.finding import EARLIER_MAPS, USUAL, Checked, Finding, HostRules, Verdict
from beff.judge.hardware import BESIDE_TIMES, check_hardware, check_wires
from beff.judge.hosts import all_slower, began, doubt_of, judged_map, measured_alike, switches_of
from beff.maps.findings import CommonFinding, Status
from beff.maps.fleet import DUE, Fleet, HostState, State, fleet_of, slower_since
from beff.maps.fleet_fit import MapOfFleet, fit
from beff.maps.levels import why_too_seldom
from beff.maps.pair_map import pair_map, unseen_by
from beff.result.b_pairs_result import ImportedPairs
from beff.result.bounds import not_yet
from beff.result.errors import ResultError
from beff.result.host_list import fold_host_list
from beff.result.load import Document, as_map

SECONDS_OF_DAY = 86400
_MOST_NAMED = 8
"""Hosts that are due; --due lists all."""
_BY_HARDWARE = "bad hardware"
_VERDICTS = {State.GOOD: Verdict.GOOD, State.SLOW: Verdict.BAD, State.NO_ANSWER: Verdict.BAD}


@dataclass(frozen=True)
class JudgedFleet:
    """What is known of all hosts; the maps it rests on, the oldest first, and what was left out.

    Hosts that were not measured in the last `days` are `due`.
    """

    fleet: Fleet
    maps: tuple[Document, ...]
    left_out: tuple[str, ...]
    days: int
    checked: Checked = field(default_factory=Checked)

    def about(self, names: Collection[str]) -> Checked:
        """Return what is known of some hosts, by their names with a domain or without."""
        findings = []
        known = {name: finding for finding in self.fleet.hosts for name in _names_of(finding.name)}
        for name in sorted(names):
            if (host := known.get(name)) is None:
                findings.append(_open("fleet unknown", name))
            elif host.word(self.days) == DUE:
                findings.append(_open("fleet due", host.name, days=self.days))
            else:
                findings.append(_of_host(host, self.maps))
        here = {known[name].name for name in names if name in known}
        for finding in self.checked:
            if finding.against in BESIDE_TIMES and here & {*finding.hosts}:
                findings.append(replace(finding, hosts=tuple(sorted(here & {*finding.hosts}))))
            elif finding.code == "fleet uplink" and here & {*finding.facts["behind"]}:
                findings.append(finding)
        return Checked(findings)

    def hosts(self, names: Collection[str] | None = None) -> list[HostState]:
        """Return some hosts, by default all, the worst first; names as in `about`."""

        def rank(host: HostState) -> tuple[float, ...]:
            place = [*State].index(host.state)
            return -place, host.word(self.days) != DUE, -max(host.factors.values(), default=0.0)

        hosts = (one for one in self.fleet.hosts if names is None or _names_of(one.name) & {*names})
        return sorted(hosts, key=rank)

    @property
    def due(self) -> tuple[str, ...]:
        """The hosts to measure next, the longest ago first."""
        old = [one for one in self.fleet.hosts if one.days > self.days]
        return tuple(host.name for host in sorted(old, key=lambda one: -one.days))


def judge_fleet(
    documents: Sequence[Document], now: datetime, days: int, rules: HostRules = USUAL
) -> JudgedFleet:
    """Judge all hosts of maps of pairs, of which those measured like the newest one count.

    Raises ResultError where none can be used, and where a topology lacks a host.
    """
    used, left_out = usable_maps(documents, now)
    maps = []
    for run in used:
        result, day = as_map(run), run.started_at.timestamp() / SECONDS_OF_DAY
        maps.append(MapOfFleet(day, pair_map(result), switches_of(result, rules.topology)))

    joined = fit(maps)

    def named(place: int) -> set[str]:
        return {one.name for one in judged_map(used[place], rules).with_status(Status.SLOW)}

    fleet = fleet_of(joined, now.timestamp() / SECONDS_OF_DAY, rules.slow, named)
    judged = JudgedFleet(fleet, tuple(used), left_out, days)
    return replace(judged, checked=Checked(_findings(judged, tuple(slower_since(joined, days)))))


def usable_maps(
    documents: Sequence[Document], now: datetime
) -> tuple[list[Document], tuple[str, ...]]:
    """Return the maps measured like the newest one, the oldest first, and why others are left out.

    Raises ResultError where none can be used.
    """
    runs, copies = once([one for one in documents if one.benchmark == "b_pairs"])
    used: list[Document] = []
    reasons: dict[str, list[str]] = {}
    for run in sorted(runs, key=began, reverse=True):
        if (why := next(_why_not(run, used[0] if used else None, now), None)) is None:
            used.append(run)
        else:
            reasons.setdefault(why, []).append(run.source)
    left_out = [*copies]
    for why, (one, *more) in reasons.items():
        left_out.append(f"{one}{f' and {len(more)} more' if more else ''}: {why}")
    if not used:
        more_of = f"; nor can {len(left_out) - 1} more" if len(left_out) > 1 else ""
        raise ResultError(f"no map can be used: {(left_out or ['there is none'])[0]}{more_of}")
    return used[::-1], tuple(left_out)


def _why_not(run: Document, newest: Document | None, now: datetime) -> Iterator[str]:
    """Yield why a map does not count."""
    result = as_map(run)
    if result.environment.started_at is None:
        yield "it does not say when it was measured; import it again with --date"
    if result.plan.unit != "host":
        yield "a map of the processes of one host"
    if why := not_yet(run.started_at, now):
        yield why
    names = [host.name for host in result.environment.hosts]
    if len({*names}) < len(names):
        yield "several hosts have one name"
    pairs = pair_map(result)
    if doubt := doubt_of(run) or (why_too_seldom(pairs) if pairs.is_foreign else None):
        yield f"no host is slow or good by it: {doubt}"
    if newest is not None and not measured_alike(newest, run):
        (how, *_) = *differences([newest], [run], Use.MAP), "processes of a host"
        yield f"not measured like the newest map ({how.partition(' in ')[0]} in {newest.source})"


def _findings(judged: JudgedFleet, common: Sequence[CommonFinding]) -> Iterator[Finding]:
    """Yield what to act on, the worst first; then what could have been seen, and who is due."""
    fleet, maps, days = judged.fleet, judged.maps, judged.days
    for host in judged.hosts():
        if host.state != State.GOOD:
            yield _of_host(host, maps)
    by_hardware = [*_by_hardware(fleet, maps)]
    yield from by_hardware
    for uplink in fleet.uplinks:
        about = f"pairs between {fold_host_list(uplink.hosts)} and the others"
        facts = {"took": uplink.factors, "behind": uplink.hosts}
        yield Finding("fleet uplink", about, Verdict.BAD, EARLIER_MAPS, facts)
    yield from all_slower(common, "all hosts")
    for kind in fleet.kinds:
        about = f"hosts {fold_host_list(kind.hosts)}"
        yield Finding("fleet kind", about, Verdict.UNKNOWN, EARLIER_MAPS, {"took": kind.factors})
    others = {name for one in by_hardware for name in one.hosts}
    fresh = [one for one in fleet.hosts if one.word(days) == State.GOOD and one.name not in others]
    newest = as_map(maps[-1])  # all are measured like it
    states: dict[str, list[tuple[str, float]]] = {}
    for host in judged.hosts():
        is_bad = host.name in others and host.state == State.GOOD
        word = _BY_HARDWARE if is_bad else host.word(days)
        states.setdefault(word, []).append((host.name, max(host.factors.values(), default=1.0)))
    counts = {
        "states": states,
        "good": len(fresh),
        "measured": sum(one.days <= days for one in fleet.hosts),
        "of": len(fleet.hosts),
        "maps": len(maps),
        "days": days,
        "limit": fleet.limit,
        "unseen": ", or slow ".join(unseen_by(newest)) if isinstance(newest, ImportedPairs) else "",
    }
    verdict, names = Verdict.GOOD if fresh else Verdict.UNKNOWN, tuple(one.name for one in fresh)
    yield Finding("fleet", "fleet", verdict, EARLIER_MAPS, counts, names)
    if due := judged.due:
        about = f"hosts {fold_host_list(sorted(due))}"
        about = about if len(due) <= _MOST_NAMED else f"{len(due)} hosts"
        yield Finding("fleet due", about, None, EARLIER_MAPS, {"days": days})


def _by_hardware(fleet: Fleet, maps: Sequence[Document]) -> Iterator[Finding]:
    """Yield for what hosts are bad beside their times, each by the last map that it is in."""
    last = {host.name: host.last for host in fleet.hosts}
    for place, run in enumerate(maps):
        for finding in (*check_hardware(run), *check_wires(run)):
            hosts = tuple(name for name in finding.hosts if last.get(name) == place)
            if hosts and finding.verdict == Verdict.BAD:
                yield replace(finding, about=f"host {fold_host_list(hosts)}", hosts=hosts)


def _of_host(host: HostState, maps: Sequence[Document]) -> Finding:
    by = maps[host.first]
    facts = {"host": host, "since": by.started_at, "by": by.source}
    code, verdict = f"fleet {host.state.value}", _VERDICTS.get(host.state, Verdict.UNKNOWN)
    return Finding(code, f"host {host.name}", verdict, EARLIER_MAPS, facts, (host.name,))


def _open(code: str, host: str, **facts: object) -> Finding:
    return Finding(code, f"host {host}", Verdict.UNKNOWN, EARLIER_MAPS, facts, (host,))


def _names_of(host: str) -> set[str]:
    """Return its name with the domain and without."""
    return {host, host.partition(".")[0]}
