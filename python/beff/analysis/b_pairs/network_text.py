"""What a network gives as a whole, in a sentence each: bisection and processes per host."""

from collections.abc import Iterator

from beff.analysis.b_pairs.roofs import usual_rate_MBps
from beff.model.b_pairs_result import BPairsResult, PairsPlan
from beff.model.numbers import counted, number, percent, rate

_FULL = 0.9
"""A port that reaches this share of its rate is full."""


def network_sentences(result: BPairsResult) -> Iterator[str]:
    """Yield what was found; nothing where it was not measured."""
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
    summary, found = result.summary, result.bisection
    least = None if found is None else found.minimum
    if found is None or least is None or summary.bisection_MBps is None:
        return ""
    steps = sum(len(one.steps.sum_MBps) for one in found.halves)
    pair = f"{unit_name(result, least.first)} and {unit_name(result, least.second)}"
    share = summary.bisection_percent
    of_full = "" if share is None else f", {percent(share / 100)} of what its pairs have alone"
    return (
        f"least {rate(summary.bisection_MBps)} both ways{of_full}; mean"
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
    text = f"{enough} {does}: {rate(summary.host_MBps)}{of_port} one way"
    if summary.host_both_ways_MBps is not None:
        text += f", {rate(summary.host_both_ways_MBps)} both ways"
    if summary.host_messages_per_s is not None:
        text += (
            f"; {number(summary.host_messages_per_s / 1e6)} million messages/s with"
            f" {summary.host_messages_processes}"
        )
    return text
