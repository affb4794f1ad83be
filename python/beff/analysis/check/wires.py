"""Which wire carried the messages of a result of b_pairs."""

from beff.analysis.b_pairs.wires import carried, errors_of, other_wire, slower_wire, wires_text
from beff.analysis.check.finding import Checked, Finding, Verdict
from beff.model.b_pairs_result import BPairsResult
from beff.model.load import Document

AGAINST = "the wires"


def check_wires(document: Document) -> Checked:
    """Return a note on what carried the messages, and hosts for which it is the wrong wire."""
    result = document.result
    if not isinstance(result, BPairsResult) or result.wires is None:
        return Checked(())
    found = carried(result.wires)
    if found is None:
        return Checked(())
    names = [host.name for host in result.environment.hosts]
    slower = slower_wire(found)
    of_job = 2 * len(slower) > int((found.main >= 0).sum())
    # what most hosts do is set by the job, so that no host stands out
    bad = [] if of_job else [*slower, *other_wire(found)]
    findings = [
        Finding(
            document.source,
            AGAINST,
            "hosts",
            Verdict.UNKNOWN,
            f"a faster wire is not used by {len(slower)} of {len(names)} hosts: of {names[host]}"
            f" {sentence}",
        )
        for host, sentence in slower[:of_job]
    ]
    findings += [
        Finding(document.source, AGAINST, f"host {names[host]}", Verdict.BAD, sentence)
        for host, sentence in bad
    ]
    findings += [
        Finding(document.source, AGAINST, f"host {names[host]}", Verdict.UNKNOWN, sentence)
        for host, sentence in errors_of(found)
    ]
    bad_hosts = tuple(dict.fromkeys(names[host] for host, _ in bad))
    open_hosts = tuple(dict.fromkeys(names[host] for host, _ in errors_of(found)))
    note = f"{document.source}: {wires_text(found)}"
    return Checked(tuple(findings), (), bad_hosts, open_hosts, notes=(note,))
