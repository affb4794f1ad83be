"""Bytes that leave a host in a second, against the rates of the ports that carry them."""

from beff.analysis.common.wires import Carried
from beff.model.b_eff_result import BEffResult
from beff.model.numbers import BYTES_PER_MB, rate


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
