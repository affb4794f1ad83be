"""What a network gives as a whole, in a sentence each."""

from collections.abc import Iterator

from beff.definition.b_pairs_plan import hosts_alone
from beff.maps.network import alone_one_way, usual_rate_MBps
from beff.result.b_pairs_result import BPairsResult, PairsPlan
from beff.result.imported_pairs import MapResult
from beff.result.numbers import counted, format_size, number, percent, rate

_FULL = 0.9
"""A port that reaches this share of its rate is full."""


_SLOWER = 1.1
"""A pair alone that takes so many times as long as the one in the middle is named."""


def network_sentences(result: MapResult) -> Iterator[str]:
    """Yield what was found; nothing where it was not measured."""
    if not isinstance(result, BPairsResult):
        return
    bisection = _bisection(result)
    if bisection:
        yield f"bisection: {bisection}"
    per_host = _per_host(result)
    if per_host:
        yield f"processes per host: {per_host}"


def unit_name(result: BPairsResult, unit: int) -> str:
    """Name a unit as all tables do."""
    if result.plan.unit == "process":
        return f"rank {unit}"
    return result.environment.hosts[unit].name


FIRST_HALVES = {"order": "by number", "switches": "by switch", "given": "given"}
"""What they are called by their kind."""


def halves_name(result: BPairsResult, halves: int) -> str:
    """Name a pair of halves."""
    if halves > 0:
        return f"drawn halves {halves}"
    kind = "order" if result.bisection is None else result.bisection.halves[0].kind
    return f"the halves {FIRST_HALVES[kind]}"


def steps_planned(plan: PairsPlan) -> int:
    """Return the steps of all halves; 0 without a bisection."""
    asked = plan.bisection
    return 0 if asked is None else asked.steps + asked.random_halves * ((plan.units + 1) // 2)


def of_planned(measured: int, planned: int) -> str:
    """Say of how many steps something is, and of how many planned ones where it is not of all."""
    return (
        counted(planned, "step")
        if measured == planned
        else f"{measured} of {planned} planned steps"
    )


def _bisection(result: BPairsResult) -> str:
    summary, found, asked = result.summary, result.bisection, result.plan.bisection
    least = None if found is None else found.minimum
    if found is None or asked is None or least is None or summary.bisection_MBps is None:
        return ""
    steps = sum(len(one.steps.sum_MBps) for one in found.halves)
    pair = f"{unit_name(result, least.first)} and {unit_name(result, least.second)}"
    share = summary.bisection_percent
    of_hosts = result.plan.unit == "host"
    by = f" by {counted(asked.processes, 'process')} of each host" if of_hosts else ""
    by_mean_time = summary.bisection_by_mean_time_MBps
    as_linktest = (
        f"; {rate(by_mean_time)} as LinkTest sums, by the mean time of a step's pairs"
        if by_mean_time
        else ""
    )
    of_full = "" if share is None else f", {percent(share / 100)} of what its pairs have alone"
    return (
        f"least {rate(summary.bisection_MBps)} both ways{by}, messages of"
        f" {format_size(asked.message_bytes)}{of_full}{as_linktest}; mean"
        f" {rate(summary.bisection_mean_MBps)}, maximum {rate(summary.bisection_maximum_MBps)} of"
        f" {of_planned(steps, steps_planned(result.plan))}; the least is step {least.step + 1} of"
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
    rates = alone_one_way(result, summary.host_processes)
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
