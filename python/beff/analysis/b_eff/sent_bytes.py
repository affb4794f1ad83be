"""What the hosts counted as sent, against the loops of the samples and what ports can carry."""

from beff.analysis.b_eff.definition import MESSAGE_SIZES, patterns_for
from beff.analysis.b_eff.schedule import schedule_of
from beff.analysis.common.verification import Recheck
from beff.analysis.common.wires import Carried
from beff.model.b_eff_result import BEffResult
from beff.model.numbers import BYTES_PER_MB, rate
from beff.model.of_hosts import numbers_of_hosts

_WARMED_UP_SIZES = MESSAGE_SIZES - 3
_LATENCY_ITERATIONS = 10


def check_sent_bytes(result: BEffResult, check: Recheck) -> None:
    """Compare the bytes to other hosts and inside of hosts with those of all loops.

    They are exact: each loop up to the last size that is warmed up has one iteration more, and by
    definition 3.5 each pass over the sizes begins with a latency loop. A run that was stopped may
    have made one such loop more than its samples show.
    """
    wires = result.wires
    if wires is None or wires.payload_bytes is None or wires.inside_bytes is None:
        return
    cells = numbers_of_hosts(f"{wires.payload_bytes} {wires.inside_bytes}")
    if None in cells:
        return
    counted = sum(filter(None, cells))
    sent, more = _sent(result)
    check.figures += 1
    check.require(
        sent <= counted <= sent + (0 if result.complete else more),
        ["wires", "inside_bytes"],
        f"{counted} with payload_bytes",
        f"{sent}, which the loops of the samples sent",
    )


def _sent(result: BEffResult) -> tuple[int, int]:
    """Return the bytes of all loops, and those of the largest latency loop."""
    messages = {
        number: facts.messages
        for number, facts in patterns_for(result.environment.processes).items()
    }
    sizes, samples = result.message_sizes_bytes, result.samples
    rows = zip(samples.pattern, samples.size, samples.loop_length, strict=True)
    sent = sum(
        messages[pattern] * sizes[size] * (length + (size < _WARMED_UP_SIZES))
        for pattern, size, length in rows
    )
    if result.definition != "3.5":
        return sent, 0
    first = min(schedule_of(result).sizes)
    iterations = _LATENCY_ITERATIONS + (first < _WARMED_UP_SIZES)
    sweeps = set(zip(samples.pattern, samples.method, samples.repetition, strict=True))
    latency = {pattern: messages[pattern] * sizes[first] * iterations for pattern in messages}
    return sent + sum(latency[pattern] for pattern, _, _ in sweeps), max(latency.values())


def rate_of_ports_MBps(found: Carried) -> float | None:  # noqa: N802 - the unit
    """Return what the ports in use of a host carry, least of all hosts; None where not known."""
    rates = []
    for host in range(len(found.retransmits)):
        used = [one.bytes_per_s[host] for p, one in enumerate(found.ports) if found.uses(p, host)]
        if used:
            rates.append(None if None in used else sum(filter(None, used)) / BYTES_PER_MB)
    return None if None in rates else min(filter(None, rates), default=None)


def port_share_text(result: BEffResult, found: Carried) -> str | None:
    """Say how much of its ports the host that sends most uses at L_max, at most of all patterns."""
    leaving = [
        (pattern.bandwidth_by_size_MBps[-1] * pattern.leaving_messages / pattern.messages, pattern)
        for pattern in result.patterns
        if pattern.leaving_messages and pattern.bandwidth_by_size_MBps[-1] is not None
    ]
    possible = rate_of_ports_MBps(found)
    if not leaving or possible is None:
        return None
    most, pattern = max(leaving, key=lambda entry: entry[0])
    return (
        f"at L_max up to {rate(most)} left a host, {100 * most / possible:.0f} % of the"
        f" {rate(possible)} of its ports, in pattern {pattern.id} ({pattern.name})"
    )
