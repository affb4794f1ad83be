"""The figures of a result as shares of what its hardware allows (the field `roofs`)."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from beff.analysis.check.finding import Checked, Finding, Verdict, figure
from beff.model.load import Document

AGAINST = "hardware"
_ACTIVE = {"active", "up"}


def check_roofs(result: Document) -> Checked:
    """Name shares above 1, and hosts whose network differs from that of the most."""
    if result.benchmark != "b_eff":
        return Checked(())
    roofs = result.fields.get("roofs")
    if not roofs:
        return Checked((), notes=(f"{result.source}: what the hardware allows is not known",))
    findings = [*_memory(result, roofs), *_network(result, roofs), *_differences(result, roofs)]
    notes = []
    if not any(finding.about.startswith("at L_max") for finding in findings):
        notes.append(f"{result.source}: no roof is known for messages of L_max")
    return Checked(tuple(findings), notes=tuple(notes))


def _memory(result: Document, roofs: dict[str, Any]) -> Iterator[Finding]:
    """On one host, each message is copied at least once."""
    roof = roofs.get("copy_MBps_per_process")
    found = result.fields["summary"]["at_lmax_per_process_MBps"]
    if roof and found and result.fields["environment"]["nodes"] == 1:
        words = f"each process moves {figure(found)} of {figure(roof)} MB/s that a copy reaches"
        yield _share(result, "at L_max through memory", found / roof, words)


def _network(result: Document, roofs: dict[str, Any]) -> Iterator[Finding]:
    """With one process on each host, every message crosses the network."""
    environment = result.fields["environment"]
    nodes, found = environment["nodes"], result.fields["summary"]["at_lmax_MBps"]
    rates = [_rate(entry) for entry in roofs.get("hosts") or []]
    known = [rate for rate in rates if rate > 0]
    if found and known and nodes > 1 and environment["processes"] == nodes:
        roof = max(known)
        words = f"each host sends {figure(found / nodes)} of {figure(roof)} MB/s"
        yield _share(result, "at L_max through the network", found / nodes / roof, words)


def _share(result: Document, about: str, share: float, words: str) -> Finding:
    if share <= 1:
        return Finding(result.source, AGAINST, about, Verdict.GOOD, f"{words} ({share:.0%})")
    sentence = f"{words}: more than the hardware allows, so one of the two figures is wrong"
    return Finding(result.source, AGAINST, about, Verdict.BAD, sentence)


def _differences(result: Document, roofs: dict[str, Any]) -> Iterator[Finding]:
    groups = roofs.get("hosts") or []
    usual, times = Counter(map(_rate, groups)).most_common(1)[0] if groups else (0.0, 0)
    usual = max((_rate(entry) for entry in groups), default=0.0) if times == 1 else usual
    for entry in groups:
        about = f"host {entry['hosts']}"
        if _rate(entry) < usual:
            sentence = f"network of {figure(_rate(entry))} MB/s, others have {figure(usual)}"
            yield Finding(result.source, AGAINST, about, Verdict.BAD, sentence)
        for device in entry.get("pcie_below_maximum") or []:
            sentence = f"PCIe below its maximum: {device}"
            yield Finding(result.source, AGAINST, about, Verdict.UNKNOWN, sentence)


def _rate(entry: dict[str, Any]) -> float:
    """Return the rate of all active ports of a host: of its InfiniBand, if it has any."""
    ports = [
        port
        for port in entry.get("network") or []
        if port.get("rate_MBps") and str(port.get("state", "active")).lower() in _ACTIVE
    ]
    fabric = [port for port in ports if str(port.get("kind", "")).lower() == "infiniband"]
    return float(sum(port["rate_MBps"] for port in fabric or ports))
