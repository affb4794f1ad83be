"""What a check found as a JUnit file, which CI systems show: a test case for each finding."""

from collections import Counter
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from beff.analysis.check.finding import Checked, Finding, Verdict
from beff.model.plain_text import one_line


def junit_text(checked: Checked) -> str:
    """Return the XML; what is inconclusive is `skipped`."""
    by_source: dict[str, list[Finding]] = {}
    for finding in checked.findings:
        by_source.setdefault(finding.source, []).append(finding)
    suites = Element("testsuites", {"name": "beff check", **_counts(checked.findings)})
    for source, findings in by_source.items():
        suite = _suite(suites, source, findings)
        if notes := _notes(checked, source):
            SubElement(suite, "system-out").text = "\n".join(notes)
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode") + "\n"


def _notes(checked: Checked, source: str) -> list[str]:
    begin = f"{source}: "
    return [one_line(note.removeprefix(begin)) for note in checked.notes if note.startswith(begin)]


def _counts(findings: Sequence[Finding]) -> dict[str, str]:
    verdicts = Counter(finding.verdict for finding in findings)
    return {
        "tests": str(len(findings)),
        "failures": str(verdicts[Verdict.BAD]),
        "skipped": str(verdicts[Verdict.UNKNOWN]),
        "errors": "0",
    }


def _suite(suites: Element, source: str, findings: list[Finding]) -> Element:
    suite = SubElement(suites, "testsuite", {"name": one_line(source), **_counts(findings)})
    often = Counter[tuple[str, str]]()
    for finding in findings:
        against, about = one_line(finding.against), one_line(finding.about)
        often[against, about] += 1
        if often[against, about] > 1:  # at the other length of messages, for example
            about += f" ({often[against, about]})"
        case = SubElement(suite, "testcase", {"classname": against, "name": about})
        sentence = one_line(finding.sentence)
        if finding.verdict == Verdict.BAD:
            SubElement(case, "failure", {"message": sentence}).text = sentence
        elif finding.verdict == Verdict.UNKNOWN:
            SubElement(case, "skipped", {"message": sentence})
        else:
            SubElement(case, "system-out").text = sentence
    return suite
