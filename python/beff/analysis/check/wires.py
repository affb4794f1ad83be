"""Which wire carried the messages of a result."""

from collections.abc import Sequence
from dataclasses import replace

from beff.analysis.check.finding import Checked, Finding, Verdict
from beff.analysis.common.wires import (
    again,
    carried,
    errors_of,
    less_by_usual_ports,
    settings_text,
    slower_wire,
    wires_text,
)
from beff.model.load import Document
from beff.model.result_parts import ImportedHead

AGAINST = "the wires"


def explained(findings: Sequence[Finding], document: Document) -> tuple[Finding, ...]:
    """Put what ports counted of a host that is not good, or of an end of such a link, beside it."""
    result = document.result
    found = None if isinstance(result, ImportedHead) else carried(result.wires)
    if isinstance(result, ImportedHead) or found is None:
        return tuple(findings)
    names = [host.name for host in result.environment.hosts]
    counted = [(names[host], sentence) for host, sentence in (*errors_of(found), *again(found))]

    def beside(finding: Finding) -> Finding:
        kind, _, ends = finding.about.partition(" ")
        if finding.verdict == Verdict.GOOD or kind not in {"host", "link"}:
            return finding
        counts = [f"; {name} had {what}" for name, what in counted if name in ends.split(" - ")]
        return replace(finding, sentence=finding.sentence + "".join(counts))

    return tuple(map(beside, findings))


def check_wires(document: Document) -> Checked:
    """Return a note on what carried the messages, and hosts for which it is the wrong wire."""
    result = document.result
    found = None if isinstance(result, ImportedHead) else carried(result.wires)
    if isinstance(result, ImportedHead) or found is None:
        return Checked(())
    names = [host.name for host in result.environment.hosts]
    settings = settings_text(result.environment.environment_variables_of_mpi)
    slower = slower_wire(found)
    carrying = sum(found.main(host) is not None for host in range(len(names)))
    of_job = 2 * len(slower) > carrying
    # what most hosts do is set by the job; else who differs from the others stands out
    bad = [] if of_job else [*slower, *less_by_usual_ports(found)]
    undecided = [*errors_of(found), *again(found)]
    findings = [
        Finding(
            document.source,
            AGAINST,
            "hosts",
            Verdict.BAD,
            f"a faster wire is not used by {len(slower)} of {len(names)} hosts: of {names[host]}"
            f" {sentence}{settings}",
        )
        for host, sentence in slower[:of_job]
    ]
    findings += [
        Finding(document.source, AGAINST, f"host {names[host]}", Verdict.BAD, sentence)
        for host, sentence in bad
    ]
    findings += [
        Finding(document.source, AGAINST, f"host {names[host]}", Verdict.UNKNOWN, sentence)
        for host, sentence in undecided
    ]
    bad_hosts = tuple(dict.fromkeys(names[host] for host, _ in bad))
    open_hosts = tuple(dict.fromkeys(names[host] for host, _ in undecided))
    note = f"{document.source}: {wires_text(found)}{settings}"
    return Checked(tuple(findings), (), bad_hosts, open_hosts, notes=(note,))
