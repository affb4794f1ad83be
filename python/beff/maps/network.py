"""What the ports of hosts allow, and what a network gives as a whole, in a sentence each."""

from collections import Counter
from collections.abc import Iterator, Sequence

from beff.definition.b_pairs import rate_of, times_of
from beff.definition.b_pairs_plan import hosts_alone
from beff.result.b_pairs_result import BPairsResult, HostHardware, MapResult
from beff.result.host_list import hosts_in_list
from beff.result.numbers import counted, format_size, number, percent, rate

ACTIVE = {"active", "up"}
"""The states of a port in use."""


def network_rate_MBps(host: HostHardware) -> float:  # noqa: N802 - the unit
    """Add up the active ports: those of InfiniBand, if the host has any; 0 where not known."""
    rates = {"infiniband": 0.0, "ethernet": 0.0}
    for port in host.network:
        rates[port.kind] += port.rate_MBps or 0.0
    return rates["infiniband"] or rates["ethernet"]


def hosts_by_rate(groups: Sequence[HostHardware]) -> "Counter[float]":
    """Return how many hosts have each rate in MB/s; 0 stands for not known."""
    hosts: Counter[float] = Counter()
    for group in groups:
        hosts[network_rate_MBps(group)] += hosts_in_list(group.hosts)
    return hosts


def usual_rate_MBps(groups: Sequence[HostHardware]) -> float:  # noqa: N802 - the unit
    """Return the rate that most hosts have, the higher one of two that are as frequent."""
    hosts = hosts_by_rate(groups)
    return max(hosts, key=lambda rate: (hosts[rate], rate), default=0.0)


_FULL = 0.9
"""A port that reaches this share of its rate is full."""


_SLOWER = 1.1
"""A pair alone that takes so many times as long as the one in the middle is named."""


def network_sentences(result: MapResult) -> Iterator[str]:
    """Yield a sentence each on bisection and processes per host, where they were measured."""
    if isinstance(result, BPairsResult):
        if bisection := _bisection(result):
            yield f"bisection: {bisection}"
        if per_host := _per_host(result):
            yield f"processes per host: {per_host}"


def unit_name(result: BPairsResult, unit: int) -> str:
    """Name a unit as all tables do."""
    if result.plan.unit == "process":
        return f"rank {unit}"
    return result.environment.hosts[unit].name


FIRST_HALVES = {"order": "by number", "switches": "by switch", "given": "given"}
"""What the first halves are called, by their kind."""


def halves_name(result: BPairsResult, halves: int) -> str:
    """Name a pair of halves."""
    if halves > 0:
        return f"drawn halves {halves}"
    kind = "order" if result.bisection is None else result.bisection.halves[0].kind
    return f"the halves {FIRST_HALVES[kind]}"


def _bisection(result: BPairsResult) -> str:
    summary, bisection, plan = result.summary, result.bisection, result.plan.bisection
    least = None if bisection is None else bisection.minimum
    if bisection is None or plan is None or least is None or summary.bisection_MBps is None:
        return ""
    steps = sum(len(one.steps.sum_MBps) for one in bisection.halves)
    planned = plan.steps + plan.random_halves * ((result.plan.units + 1) // 2)
    of_planned = "" if steps == planned else f"{steps} of {planned} planned steps"
    pair = f"{unit_name(result, least.first)} and {unit_name(result, least.second)}"
    share = summary.bisection_percent
    of_hosts = result.plan.unit == "host"
    by = f" by {counted(plan.processes, 'process')} of each host" if of_hosts else ""
    as_linktest = ""
    if mean := summary.bisection_by_mean_time_MBps:
        as_linktest = f"; {rate(mean)} as LinkTest sums, by the mean time of a step's pairs"
    of_full = "" if share is None else f", {percent(share / 100)} of what its pairs have alone"
    return (
        f"least {rate(summary.bisection_MBps)} both ways{by}, messages of"
        f" {format_size(plan.message_bytes)}{of_full}{as_linktest}; mean"
        f" {rate(summary.bisection_mean_MBps)}, maximum {rate(summary.bisection_maximum_MBps)} of"
        f" {of_planned or counted(planned, 'step')}; the least is step {least.step + 1} of"
        f" {halves_name(result, least.halves)}, its slowest pair {pair} with"
        f" {rate(least.pair_MBps)}"
    )


def _per_host(result: BPairsResult) -> str:
    summary, planned = result.summary, result.plan.processes_per_host
    if planned is None or summary.host_MBps is None or summary.host_processes is None:
        return ""
    port = 0.0 if result.roofs is None else usual_rate_MBps(result.roofs.hosts)
    enough = counted(summary.host_processes, "process")
    is_full = (
        summary.host_processes < max(planned.processes) or summary.host_MBps > _FULL * port > 0
    )
    does = "fill the port" if is_full else "reach the most, and more might reach more"
    if summary.host_processes == 1:
        does = does.replace("fill", "fills").replace("reach the", "reaches the")
    of_port = f" of {rate(port)}" if port else ""
    rows, alone = result.per_host, [summary.host_processes, "one way", 1]
    columns = () if rows is None else (rows.processes, rows.traffic, rows.pairs, rows.ns)
    times = (
        ns for *row, text in zip(*columns, strict=True) if row == alone for ns in times_of(text)
    )
    rates = (rate_of(result, summary.host_processes, "one way", ns) for ns in times)
    met = list(zip(rates, hosts_alone(result.plan.units), strict=False))
    if not met:
        return ""
    least, slowest = min(met)
    by = f"the middle of {len(met)} pairs" if len(met) > 1 else _pair(result, slowest)
    text = f"{enough} {does}: {rate(summary.host_MBps)}{of_port} one way, {by} alone"
    if summary.host_both_ways_MBps is not None:
        text += f", {rate(summary.host_both_ways_MBps)} both ways"
    if summary.host_messages_per_s is not None:
        a_second = summary.host_messages_per_s
        often = f"{number(a_second / 1e6)} million" if a_second >= 1e6 else number(a_second)
        text += f"; {often} messages/s with {summary.host_messages_processes}"
    if summary.host_MBps > _SLOWER * least:
        text += f"; {_pair(result, slowest)} only {rate(least)}"
    return text


def _pair(result: BPairsResult, units: tuple[int, int]) -> str:
    return " to ".join(unit_name(result, unit) for unit in units)
