"""What a check found, as JSON and as metrics for Prometheus.

The metrics are valid as OpenMetrics 1.0 and in Prometheus' older text format, as node_exporter's
textfile collector takes them: gauges only, in bytes per second and seconds, without times of
samples, which the collector refuses.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from beff.judge.finding import Checked, Verdict
from beff.report.parts.checked import headline_of
from beff.report.parts.findings import line_of, sentence_of
from beff.result.bounds import moment_of
from beff.result.environment import Environment
from beff.result.load import Document
from beff.result.plain_text import one_line
from beff.verify.analysis import Steadiness, analysis_of
from beff.verify.common.summary_figures import summary_figures

if TYPE_CHECKING:
    from beff.judge.judge_results import Judged

_UNITS = {"MB/s": ("bandwidth", 1e6), "us": ("latency", 1e-6)}
_STAMPS = ("complete", "valid", "quiet")


@dataclass
class Family:
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
    return metrics_text([*_of_check(checked), *_of_results(results)])


def metrics_text(families: Iterable[Family]) -> str:
    """Return a file of metrics."""
    lines = (line for family in families for line in family.lines())
    return "\n".join([*lines, "# EOF"]) + "\n"


def _of_check(checked: Checked) -> list[Family]:
    whole = Family("beff_check_verdict", "Whether the check's verdict is this one.")
    whole.samples = [
        ({"verdict": verdict.value}, float(verdict is checked.verdict)) for verdict in Verdict
    ]
    hosts = Family("beff_host_verdict", "Whether the map of pairs says this of the host.")
    hosts.samples = [
        ({"host": host, "verdict": verdict.value}, float(verdict is found))
        for host, found in sorted(checked.hosts.items())
        for verdict in Verdict
    ]
    return [whole, hosts]


def _of_results(results: Sequence[Document]) -> list[Family]:
    finished = Family(
        "beff_result_finished_timestamp_seconds", "When the measurement ended.", "seconds"
    )
    stamps = Family("beff_result_stamp", "Whether the result bears this stamp.")
    by_unit = {
        "bandwidth": Family(
            "beff_bandwidth_bytes_per_second", "A bandwidth of the summary.", "bytes_per_second"
        ),
        "latency": Family("beff_latency_seconds", "A latency of the summary.", "seconds"),
    }
    for document in results:
        environment = document.result.environment
        labels = {"benchmark": document.benchmark, "processes": str(environment.processes)}
        if isinstance(environment, Environment):
            labels["nodes"] = str(environment.nodes)
        if ended := getattr(document.result.environment, "finished_at", None):
            finished.samples.append((labels, moment_of(ended).timestamp()))
        for stamp, bears in zip(_STAMPS, _stamps(document), strict=True):
            if bears is not None:
                stamps.samples.append(({**labels, "stamp": stamp}, float(bears)))
        for figure in summary_figures(document.result):
            value = figure.of(document.result)
            if figure.unit not in _UNITS or value is None:
                continue
            kind, factor = _UNITS[figure.unit]
            name = figure.name.removesuffix("_MBps").removesuffix("_us")
            named = f"{name}_{figure.part}" if figure.part else name
            by_unit[kind].samples.append(({**labels, "figure": named}, value * factor))
    return [finished, stamps, *by_unit.values()]


def _stamps(document: Document) -> tuple[bool, bool, bool | None]:
    found = Steadiness.UNKNOWN if document.is_imported else analysis_of(document).steadiness
    quiet = None if found == Steadiness.UNKNOWN else found == Steadiness.QUIET
    return document.result.complete, document.result.valid, quiet


def latest(results: "Iterable[Judged]") -> list[str]:
    """Return of results with the same benchmark and size the file of the one that ended last."""
    ordered = sorted(results, key=lambda one: one.ended)
    return list({(one.benchmark, *one.size): one.source for one in ordered}.values())


def _escaped(text: str) -> str:
    return one_line(text).replace("\\", r"\\").replace('"', r"\"")


def checked_json(checked: Checked) -> dict[str, Any]:
    """Return all as `beff check --json` has it."""
    findings = [
        {
            **{"source": one.source, "against": one.against, "about": one.about},
            **{"verdict": one.verdict, "sentence": sentence_of(one)},
        }
        for one in checked.judgements
    ]
    return {
        "verdict": checked.verdict,
        "headline": headline_of(checked).text,
        "findings": findings,
        "good_hosts": checked.good_hosts,
        "bad_hosts": checked.bad_hosts,
        "open_hosts": checked.open_hosts,
        "notes": [line_of(one) for one in checked.remarks],
        "apart_hosts": checked.apart_hosts,
    }
