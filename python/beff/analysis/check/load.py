"""Hosts on which others had the time of the processes."""

from beff.analysis.check.finding import Checked, Finding, Verdict
from beff.analysis.common.load import disturbed_hosts
from beff.model.load import Document
from beff.model.result_parts import ImportedHead

AGAINST = "the load"


def check_load(document: Document) -> Checked:
    """Return the hosts that other programs, a hypervisor or a quota kept from the measurement."""
    result = document.result
    if isinstance(result, ImportedHead):
        return Checked(())
    names = [host.name for host in result.environment.hosts]
    found = list(disturbed_hosts(result))
    findings = (
        Finding(document.source, AGAINST, f"host {names[one.host]}", Verdict.BAD, one.sentence)
        for one in found
    )
    return Checked(tuple(findings), bad_hosts=tuple(names[one.host] for one in found))
