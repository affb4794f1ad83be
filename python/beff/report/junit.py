"""What a check found as a JUnit file, which CI systems show: a test case for each finding."""

from collections import Counter
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from beff.analysis.check.finding import Checked, Finding, Verdict
from beff.model.plain_text import one_line


def junit_text(checked: Checked) -> str:
    """Return the XML. What cannot be said is `skipped`."""
    verdicts = Counter(finding.verdict for finding in checked.findings)
    counts = {
        "tests": str(len(checked.findings)),
        "failures": str(verdicts[Verdict.BAD]),
        "skipped": str(verdicts[Verdict.UNKNOWN]),
        "errors": "0",
    }
    suites = Element("testsuites", {"name": "beff check", **counts})
    by_source: dict[str, list[Finding]] = {}
    for finding in checked.findings:
        by_source.setdefault(finding.source, []).append(finding)
    for source, findings in by_source.items():
        _suite(suites, source, findings)
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode") + "\n"


def _suite(suites: Element, source: str, findings: list[Finding]) -> None:
    verdicts = Counter(finding.verdict for finding in findings)
    suite = SubElement(
        suites,
        "testsuite",
        {
            "name": one_line(source),
            "tests": str(len(findings)),
            "failures": str(verdicts[Verdict.BAD]),
            "skipped": str(verdicts[Verdict.UNKNOWN]),
            "errors": "0",
        },
    )
    for finding in findings:
        names = {"classname": one_line(finding.against), "name": one_line(finding.about)}
        case = SubElement(suite, "testcase", names)
        sentence = one_line(finding.sentence)
        if finding.verdict == Verdict.BAD:
            SubElement(case, "failure", {"message": sentence}).text = sentence
        elif finding.verdict == Verdict.UNKNOWN:
            SubElement(case, "skipped", {"message": sentence})
        else:
            SubElement(case, "system-out").text = sentence
