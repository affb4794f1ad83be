"""What a check found, as a JUnit file for CI systems and as metrics for Prometheus.

The metrics are valid as OpenMetrics 1.0 and in Prometheus' older text format, as node_exporter's
textfile collector takes them: gauges only, in bytes per second and seconds, without times of
samples, which the collector refuses.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from beff.judge.finding import Checked, Finding, Verdict
from beff.result.bounds import moment_of
from beff.result.contract import AnyResult
from beff.result.load import Document
from beff.result.plain_text import one_line
from beff.result.result_parts import Environment
from beff.verify.analysis import Steadiness, analysis_of
from beff.verify.common.summary_figures import summary_figures

_UNITS = {"MB/s": ("bandwidth", 1e6), "us": ("latency", 1e-6)}
_STAMPS = ("complete", "valid", "quiet")


@dataclass
class _Family:
    """Metrics of one name: what they mean, the unit that their name ends with, and the samples."""

    name: str
    text: str
    unit: str = ""
    samples: list[tuple[dict[str, str], float]] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """Return the lines of the file; none where there is no sample."""
        if not self.samples:
            return
        yield f"# TYPE {self.name} gauge"
        if self.unit:
            yield f"# UNIT {self.name} {self.unit}"
        yield f"# HELP {self.name} {self.text}"
        for labels, value in self.samples:
            inside = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels.items())
            yield f"{self.name}{{{inside}}} {value!r}" if inside else f"{self.name} {value!r}"


def openmetrics_text(checked: Checked, results: Sequence[Document]) -> str:
    """Return the file; of results with the same labels, there is the one that `latest` names."""
    families = [*_of_check(checked), *_of_results(results)]
    lines = (line for family in families for line in family.lines())
    return "\n".join([*lines, "# EOF"]) + "\n"


def _of_check(checked: Checked) -> list[_Family]:
    whole = _Family("beff_check_verdict", "Whether the check's verdict is this one.")
    whole.samples = [
        ({"verdict": verdict.value}, float(verdict is checked.verdict)) for verdict in Verdict
    ]
    hosts = _Family("beff_host_verdict", "Whether the map of pairs says this of the host.")
    by_verdict = {
        Verdict.GOOD: checked.good_hosts,
        Verdict.UNKNOWN: checked.open_hosts,
        Verdict.BAD: checked.bad_hosts,
    }
    said = {host: verdict for verdict, names in by_verdict.items() for host in names}
    hosts.samples = [
        ({"host": host, "verdict": verdict.value}, float(verdict is found))
        for host, found in sorted(said.items())
        for verdict in Verdict
    ]
    return [whole, hosts]


def _of_results(results: Sequence[Document]) -> list[_Family]:
    finished = _Family(
        "beff_result_finished_timestamp_seconds", "When the measurement ended.", "seconds"
    )
    stamps = _Family("beff_result_stamp", "Whether the result bears this stamp.")
    by_unit = {
        "bandwidth": _Family(
            "beff_bandwidth_bytes_per_second", "A bandwidth of the summary.", "bytes_per_second"
        ),
        "latency": _Family("beff_latency_seconds", "A latency of the summary.", "seconds"),
    }
    for document in results:
        labels = _labels(document)
        ended = _ended(document)
        if ended:
            finished.samples.append((labels, moment_of(ended).timestamp()))
        for stamp, bears in zip(_STAMPS, _stamps(document), strict=True):
            if bears is not None:
                stamps.samples.append(({**labels, "stamp": stamp}, float(bears)))
        _add_figures(by_unit, document.result, labels)
    return [finished, stamps, *by_unit.values()]


def _add_figures(by_unit: dict[str, _Family], result: AnyResult, labels: dict[str, str]) -> None:
    for figure in summary_figures(result):
        value = figure.of(result)
        if figure.unit not in _UNITS or value is None:
            continue
        kind, factor = _UNITS[figure.unit]
        name = figure.name.removesuffix("_MBps").removesuffix("_us")
        named = f"{name}_{figure.part}" if figure.part else name
        by_unit[kind].samples.append(({**labels, "figure": named}, value * factor))


def _stamps(document: Document) -> tuple[bool, bool, bool | None]:
    found = Steadiness.UNKNOWN if document.is_imported else analysis_of(document).steadiness
    quiet = None if found == Steadiness.UNKNOWN else found == Steadiness.QUIET
    return document.result.complete, document.result.valid, quiet


def _labels(document: Document) -> dict[str, str]:
    environment = document.result.environment
    labels = {"benchmark": document.benchmark, "processes": str(environment.processes)}
    if isinstance(environment, Environment):
        labels["nodes"] = str(environment.nodes)
    return labels


def _ended(document: Document) -> str:
    """Return when the measurement ended; empty where that is not known."""
    return getattr(document.result.environment, "finished_at", None) or ""


@dataclass(frozen=True)
class Measured:
    """Of a result: the labels, when it ended, and the file."""

    labels: tuple[str, ...]
    ended: str
    source: str


def measured_of(document: Document) -> Measured:
    """Return that of a result."""
    return Measured(tuple(_labels(document).values()), _ended(document), document.source)


def latest(results: Iterable[Measured]) -> list[str]:
    """Return of results with the same benchmark and size the file of the one that ended last."""
    ordered = sorted(results, key=lambda one: one.ended)
    return list({one.labels: one.source for one in ordered}.values())


def _escaped(text: str) -> str:
    return one_line(text).replace("\\", r"\\").replace('"', r"\"")


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
