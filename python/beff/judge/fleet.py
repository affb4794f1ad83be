"""The hosts of a fleet as an operator reads them: by all maps of a folder, whoever was there."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from beff.fleet.fit import MapOfFleet, fit
from beff.fleet.states import DUE, Fleet, HostState, State, fleet_of, slower_since
from beff.judge.conditions import Use, differences
from beff.judge.finding import (
    EARLIER_MAPS,
    USUAL,
    Checked,
    Finding,
    HostRules,
    Verdict,
    with_hosts,
)
from beff.judge.hardware import BESIDE_TIMES, check_hardware, check_wires
from beff.judge.hosts import doubt_of, judged_map, measured_alike, switches_of
from beff.maps.findings import CommonFinding, Status
from beff.maps.pair_map import pair_map
from beff.maps.told import unseen_by, why_too_seldom
from beff.result.bounds import not_yet
from beff.result.errors import ResultError
from beff.result.host_list import fold_host_list
from beff.result.imported_pairs import ImportedPairs
from beff.result.load import Document, as_map
from beff.verify.subject import once

SECONDS_OF_DAY = 86400
_UNDATED = "it does not say when it was measured; import it again with --date"
_MOST_NAMED = 8
"""Hosts that are due; --due lists all."""
_VERDICTS = {
    State.GOOD: Verdict.GOOD,
    State.ONCE: Verdict.UNKNOWN,
    State.AT_TIMES: Verdict.UNKNOWN,
    State.OPEN: Verdict.UNKNOWN,
    State.SLOW: Verdict.BAD,
    State.NO_ANSWER: Verdict.BAD,
}


@dataclass(frozen=True)
class JudgedFleet:
    """What is known of all hosts; the maps it rests on, the oldest first, and what was left out.

    Hosts that were not measured in the last `days` are `due`.
    """

    fleet: Fleet
    maps: tuple[Document, ...]
    left_out: tuple[str, ...]
    days: int
    checked: Checked

    def about(self, asked: Collection[str]) -> Checked:
        """Return what is known of some hosts, by their names with a domain or without."""
        found = []
        known = {name: one for one in self.fleet.hosts for name in _names_of(one.name)}
        for name in sorted(asked):
            host = known.get(name)
            if host is None:
                found.append(_open("fleet unknown", name, {}))
            elif host.word(self.days) == DUE:
                found.append(_open("fleet due", host.name, {"days": self.days}))
            else:
                found.append(_of_host(host, self.maps))
        here = {known[name].name for name in asked if name in known}
        for one in self.checked.findings:
            if one.against in BESIDE_TIMES and here & {*one.hosts}:
                found.append(replace(one, hosts=tuple(sorted(here & {*one.hosts}))))
            elif one.code == "fleet uplink" and here & {*one.facts["behind"]}:
                found.append(one)
        return with_hosts(found)

    def hosts(self, asked: Collection[str] | None = None) -> list[HostState]:
        """Return some hosts, by default all, the worst first; names as in `about`."""
        here = self.fleet.hosts
        if asked is not None:
            here = tuple(one for one in here if not _names_of(one.name).isdisjoint(asked))
        return _worst_first(here, self.days)

    @property
    def due(self) -> tuple[str, ...]:
        """The hosts to measure next, the longest ago first."""
        return tuple(host.name for host in _due(self.fleet, self.days))


def judge_fleet(
    documents: Sequence[Document], now: datetime, days: int, rules: HostRules = USUAL
) -> JudgedFleet:
    """Judge all hosts of maps of pairs, of which those measured like the newest one count.

    Raises ResultError where none can be used, and where a topology lacks a host.
    """
    used, left_out = usable_maps(documents, now)
    maps = [_map_of(run, rules) for run in used]
    joined = fit(maps)

    def named(place: int) -> set[str]:
        found = judged_map(used[place], rules)
        return {one.name for one in found.with_status(Status.SLOW)}

    today = now.timestamp() / SECONDS_OF_DAY
    fleet = fleet_of(joined, today, rules.slow, named)
    common = tuple(slower_since(joined, days))
    checked = with_hosts(_findings(fleet, tuple(used), days, common))
    return JudgedFleet(fleet, tuple(used), left_out, days, checked)


def usable_maps(
    documents: Sequence[Document], now: datetime
) -> tuple[list[Document], tuple[str, ...]]:
    """Return the maps measured like the newest one, the oldest first, and why others are left out.

    Raises ResultError where none can be used.
    """
    runs, copies = once([one for one in documents if one.benchmark == "b_pairs"])
    used: list[Document] = []
    reasons: dict[str, list[str]] = {}
    dated = [run for run in runs if as_map(run).environment.started_at is not None]
    for run in runs:
        if run not in dated:
            reasons.setdefault(_UNDATED, []).append(run.source)
    for run in sorted(dated, key=lambda run: run.started_at, reverse=True):
        why = _why_not(run, used[0] if used else None, now)
        if why is None:
            used.append(run)
        else:
            reasons.setdefault(why, []).append(run.source)
    left_out = (
        *copies,
        *(
            f"{one}{f' and {len(more)} more' if more else ''}: {why}"
            for why, (one, *more) in reasons.items()
        ),
    )
    if not used:
        more = f"; nor can {len(left_out) - 1} more" if len(left_out) > 1 else ""
        raise ResultError(
            f"no map can be used: {left_out[0] if left_out else 'there is none'}{more}"
        )
    used.reverse()
    return used, left_out


def _why_not(run: Document, newest: Document | None, now: datetime) -> str | None:
    """Say why a map does not count."""
    result = as_map(run)
    if result.plan.unit != "host":
        return "a map of the processes of one host"
    if why := not_yet(run.started_at, now):
        return why
    names = [host.name for host in result.environment.hosts]
    if len({*names}) < len(names):
        return "several hosts have one name"
    pairs = pair_map(result)
    doubt = doubt_of(run) or (why_too_seldom(pairs) if pairs.is_foreign else None)
    if doubt is not None:
        return f"no host is slow or good by it: {doubt}"
    if newest is not None and not measured_alike(newest, run):
        (how, *_) = *differences([newest], [run], Use.MAP), "processes of a host"
        return f"not measured like the newest map ({how.partition(' in ')[0]} in {newest.source})"
    return None


def _map_of(run: Document, rules: HostRules) -> MapOfFleet:
    result = as_map(run)
    pairs = pair_map(result)
    switches = switches_of(result, pairs, rules.topology)
    return MapOfFleet(run.started_at.timestamp() / SECONDS_OF_DAY, run.source, pairs, switches)


def _findings(
    fleet: Fleet, maps: tuple[Document, ...], days: int, common: Sequence[CommonFinding]
) -> Iterator[Finding]:
    """Yield what to act on, the worst first; then what could have been seen, and who is due."""
    for host in _worst_first(fleet.hosts, days):
        if host.state != State.GOOD:
            yield _of_host(host, maps)
    by_hardware = [*_by_hardware(fleet, maps)]
    yield from by_hardware
    for uplink in fleet.uplinks:
        about = f"pairs between {fold_host_list(uplink.hosts)} and the others"
        facts = {"took": uplink.factors, "behind": uplink.hosts}
        yield Finding("fleet uplink", about, Verdict.BAD, EARLIER_MAPS, facts)
    if common:
        sure = [one for one in common if one.status == Status.SLOW]
        code, verdict = ("slower", Verdict.BAD) if sure else ("perhaps slower", Verdict.UNKNOWN)
        yield Finding(code, "all hosts", verdict, EARLIER_MAPS, {"common": sure or common})
    for kind in fleet.kinds:
        about = f"hosts {fold_host_list(kind.hosts)}"
        yield Finding("fleet kind", about, Verdict.UNKNOWN, EARLIER_MAPS, {"took": kind.factors})
    due = _due(fleet, days)
    others = {name for one in by_hardware for name in one.hosts}
    fresh = [one for one in fleet.hosts if one.word(days) == State.GOOD and one.name not in others]
    measured = [one for one in fleet.hosts if one.days <= days]
    newest = as_map(maps[-1])  # all are measured like it
    counts = {
        "good": len(fresh),
        "measured": len(measured),
        "of": len(fleet.hosts),
        "maps": len(maps),
        "days": days,
        "limit": fleet.limit,
        "unseen": [*unseen_by(newest)] if isinstance(newest, ImportedPairs) else [],
    }
    verdict = Verdict.GOOD if fresh else Verdict.UNKNOWN
    names = tuple(one.name for one in fresh)
    yield Finding("fleet", "fleet", verdict, EARLIER_MAPS, counts, names)
    if due:
        listed = fold_host_list(sorted(one.name for one in due))
        about = f"hosts {listed}" if len(due) <= _MOST_NAMED else f"{len(due)} hosts"
        yield Finding("fleet due", about, None, EARLIER_MAPS, {"days": days})


def _by_hardware(fleet: Fleet, maps: Sequence[Document]) -> Iterator[Finding]:
    """Yield for what hosts are bad beside their times, each by the last map that it is in."""
    last = {host.name: host.last for host in fleet.hosts}
    for place, run in enumerate(maps):
        for one in (*check_hardware(run).judgements, *check_wires(run).judgements):
            hosts = tuple(name for name in one.hosts if last.get(name) == place)
            if hosts and one.verdict == Verdict.BAD:
                yield replace(one, about=f"host {fold_host_list(hosts)}", hosts=hosts)


def _of_host(host: HostState, maps: Sequence[Document]) -> Finding:
    by = maps[host.first]
    facts = {"host": host, "since": by.started_at, "by": by.source}
    code, verdict = f"fleet {host.state.value}", _VERDICTS[host.state]
    return Finding(code, f"host {host.name}", verdict, EARLIER_MAPS, facts, (host.name,))


def _open(code: str, host: str, facts: dict[str, object]) -> Finding:
    return Finding(code, f"host {host}", Verdict.UNKNOWN, EARLIER_MAPS, facts, (host,))


def _names_of(host: str) -> set[str]:
    """Return its name with the domain and without."""
    return {host, host.partition(".")[0]}


def _worst_first(hosts: Sequence[HostState], days: int) -> list[HostState]:
    def rank(host: HostState) -> tuple[float, ...]:
        place = [*State].index(host.state)
        return -place, host.word(days) != DUE, -max(host.factors.values(), default=0.0)

    return sorted(hosts, key=rank)


def _due(fleet: Fleet, days: int) -> list[HostState]:
    old = [one for one in fleet.hosts if one.days > days]
    return sorted(old, key=lambda one: -one.days)
