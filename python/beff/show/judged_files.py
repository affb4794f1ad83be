"""What was judged, as files and data: comparisons, checks, the hosts of a fleet.

Metrics are valid as OpenMetrics 1.0 and in Prometheus' older text format, as node_exporter's
textfile collector takes them: gauges only, in bytes per second and seconds, without times of
samples, which the collector refuses.
"""

# ruff: noqa: PLC0415 - the drawing library is imported only when something is drawn

import json
from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beff.definition.b_pairs_plan import KINDS
from beff.definition.subject import summary_figures
from beff.judge.analysis import Steadiness, analysis_of
from beff.judge.benchmarks import VALUES
from beff.judge.change import Word
from beff.judge.compare import Report
from beff.judge.finding import Checked, Verdict
from beff.maps.findings import SIZES
from beff.maps.fleet import DUE, HostState, State
from beff.result.bounds import moment_of
from beff.result.environment import Environment
from beff.result.errors import one_line
from beff.result.load import Document
from beff.result.places import made_whole
from beff.show.formats import draw, write_rows
from beff.show.parts.checked import headline_of
from beff.show.parts.comparison import basis_text, headline_of_report, notes_of
from beff.show.parts.findings import line_of, sentence_of
from beff.show.parts.sentences import WORDS
from beff.show.tables.comparison import changes_table
from beff.show.tables.table import Row, Section, Table, facts, table

if TYPE_CHECKING:
    from beff.judge.fleet import JudgedFleet
    from beff.show.charts.spec import Chart


Sample = tuple[str, float, dict[str, str]]
"""The name of a metric, its value, and labels."""
_UNITS = ("bytes_per_second", "seconds", "ratio")
_OF_FIGURES = {
    "MB/s": ("beff_bandwidth_bytes_per_second", 1e6),
    "us": ("beff_latency_seconds", 1e-6),
}


def metrics_text(samples: Iterable[Sample]) -> str:
    """Return a file of metrics; of those without samples nothing."""
    known: dict[str, list[str]] = {name: [] for name in WORDS["metrics"]}
    for name, value, labels in samples:
        plain = ((key, one_line(text).replace("\\", r"\\")) for key, text in labels.items())
        inside = ",".join('{}="{}"'.format(key, text.replace('"', r"\"")) for key, text in plain)
        known[name].append(f"{name}{{{inside}}} {value!r}")
    lines: list[str] = []
    for name, of_name in ((name, of_name) for name, of_name in known.items() if of_name):
        unit = next((one for one in _UNITS if name.endswith(f"_{one}")), "")
        lines += [f"# TYPE {name} gauge", *([f"# UNIT {name} {unit}"] if unit else [])]
        lines += [f"# HELP {name} {WORDS['metrics'][name]}", *of_name]
    return "\n".join([*lines, "# EOF"]) + "\n"


def samples_of(checked: Checked, results: Iterable[Document]) -> Iterator[Sample]:
    """Yield what a check found and what its results hold.

    Of results with the same labels, there is the one that `latest` names.
    """
    for each in Verdict:
        yield "beff_check_verdict", float(each is checked.verdict), {"verdict": each.value}
    for host, verdict in sorted(checked.hosts.items()):
        for each in Verdict:
            labels = {"host": host, "verdict": each.value}
            yield "beff_host_verdict", float(each is verdict), labels
    for document in results:
        result, environment = document.result, document.result.environment
        labels = {"benchmark": document.benchmark, "processes": str(environment.processes)}
        if isinstance(environment, Environment):
            labels["nodes"] = str(environment.nodes)
        if ended := getattr(environment, "finished_at", None):
            yield "beff_result_finished_timestamp_seconds", moment_of(ended).timestamp(), labels
        bears = {"complete": result.complete, "valid": result.valid}
        if (steadiness := analysis_of(document).steadiness) != Steadiness.UNKNOWN:
            bears["quiet"] = steadiness == Steadiness.QUIET
        for stamp, is_so in bears.items():
            yield "beff_result_stamp", float(is_so), {**labels, "stamp": stamp}
        for figure in summary_figures(result):
            value = figure.of(result)
            if figure.unit in _OF_FIGURES and value is not None:
                metric, factor = _OF_FIGURES[figure.unit]
                name = figure.name.removesuffix("_MBps").removesuffix("_us")
                named = f"{name}_{figure.part}" if figure.part else name
                yield metric, value * factor, {**labels, "figure": named}


def latest(results: Iterable[Document]) -> list[str]:
    """Return of results with the same benchmark and size the file of the one that ended last."""

    def ended(document: Document) -> str:
        return getattr(document.result.environment, "finished_at", None) or ""

    last: dict[tuple[object, ...], str] = {}
    for document in sorted(results, key=ended):
        e = document.result.environment
        last[document.benchmark, e.processes, getattr(e, "nodes", None)] = document.source
    return [*last.values()]


def checked_json(checked: Checked) -> dict[str, Any]:
    """Return all as `beff check --json` has it."""
    names = ("source", "against", "about", "verdict")
    findings = [
        {name: getattr(finding, name) for name in names} | {"sentence": sentence_of(finding)}
        for finding in checked.judgements
    ]
    hosts = {f"{name}_hosts": getattr(checked, f"{name}_hosts") for name in ("good", "bad", "open")}
    fields = {"verdict": checked.verdict, "headline": headline_of(checked).text}
    notes = [line_of(finding) for finding in checked.remarks]
    rest = {"notes": notes, "apart_hosts": checked.apart_hosts}
    return {**fields, "findings": findings, **hosts, **rest}


COMPARE_ENDINGS = (".html", ".svg", ".png", ".pdf")
FLEET_ENDINGS = (*COMPARE_ENDINGS, ".csv", ".json", ".prom")
_MARKS = {Verdict.GOOD: "good", Verdict.UNKNOWN: "open", Verdict.BAD: "bad"}
_TIMES = "{:.2f}".format


def write_comparison(report: Report, target: Path, *, titled: bool = True) -> None:
    """Write the diagrams of a report, which holds a comparison, to a file by its ending.

    The ending must be one of COMPARE_ENDINGS; `titled` is of pictures. Raises OSError.
    """
    from beff.show.charts.judged import change_chart

    charts = [change_chart(one, report.threshold) for one in report.comparisons]
    if target.suffix.lower() == ".html":
        target.write_text(_comparison_page(report, charts), encoding="utf-8")
    else:
        draw(charts, target, titled=titled)


def _comparison_page(report: Report, charts: "Sequence[Chart]") -> str:
    from beff.show.page.html_file import diagrams_of, page_of

    headline, sections = headline_of_report(report), list[Section]()
    for comparison, chart in zip(report.comparisons, charts, strict=True):
        tables = [changes_table("values, which decide", comparison.values)]
        for name, rows in comparison.tables.items():
            if name != VALUES:
                moved = [row for row in rows if row.word in {Word.SLOWER, Word.FASTER}]
                title = f"{name}: {len(moved)} of {len(rows)} slower or faster"
                tables.append(changes_table(title, moved, name.replace(" ", "-")))
        sides = (("A", comparison.a), ("B", comparison.b))
        files = ((side, [run.source for run in runs]) for side, runs in sides)
        tables.append(_notes_table([*notes_of(comparison), *files]))
        basis, drawn = [f"{_sentence(basis_text(comparison))}."], diagrams_of([chart])
        key = f"changes-{len(sections) + 1}"
        sections.append(Section(key, comparison.name, basis, tables, drawn, "open"))
    if notes := notes_of(report):
        sections.append(Section("notes", "Cautions", tables=[_notes_table(notes)], place="open"))
    return page_of(
        sections=sections,
        title="beff compare",
        heading=_sentence(headline.text),
        setting=" · ".join(headline.lines),
    )


def _notes_table(notes: Sequence[tuple[str, Sequence[str]]]) -> Table:
    return facts("notes", [(what, line) for what, lines in notes for line in lines])


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


def write_fleet(judged: "JudgedFleet", hosts: Sequence[HostState], target: Path) -> None:
    """Write a file by its ending, one of FLEET_ENDINGS; pictures and the page show all hosts.

    Raises BeffError where it cannot be written.
    """
    from beff.show.charts.judged import fleet_chart

    records, ending = [*_records(judged, hosts)], target.suffix.lower()
    with made_whole(target) as made:
        if ending == ".html":
            made.write_text(_fleet_page(judged, fleet_chart(judged)), encoding="utf-8")
        elif ending == ".csv":
            for record in records:
                lists = {key: it for key, it in record.items() if isinstance(it, tuple)}
                record |= {key: " ".join(map(repr, it)) for key, it in lists.items()}
            write_rows(records, made)
        elif ending == ".json":
            content = json.dumps({"hosts": records}, indent=1, allow_nan=False)
            made.write_text(f"{content}\n", encoding="utf-8")
        elif ending == ".prom":
            made.write_text(metrics_text(_samples(judged, hosts)), encoding="utf-8")
        else:
            draw([fleet_chart(judged)], made)


def _records(judged: "JudgedFleet", hosts: Sequence[HostState]) -> Iterator[dict[str, Any]]:
    """Yield what is known of each host; None of what is not."""

    def moment(place: int) -> str | None:
        return judged.maps[place].started_at.isoformat() if place >= 0 else None

    for host in hosts:
        yield {
            "host": host.name,
            "state": host.word(judged.days),
            "since": moment(host.first),
            **{f"{SIZES[kind]}_messages_factor": host.factors.get(kind) for kind in KINDS},
            "factor_error": host.error if isfinite(host.error) else None,
            "measured_at": moment(host.last),
            "measured_ago_days": host.days if isfinite(host.days) else None,
            "leaf": host.leaf,
            **{f"{SIZES[kind]}_messages_last_factors": host.course[kind] for kind in KINDS},
        }


def _samples(judged: "JudgedFleet", hosts: Sequence[HostState]) -> Iterator[Sample]:
    for host in hosts:
        name = {"host": host.name}
        for word in (*(state.value for state in State), DUE):
            is_so = float(word == host.word(judged.days))
            yield "beff_fleet_host_state", is_so, {**name, "state": word}
        for kind, factor in host.factors.items():
            yield "beff_fleet_host_factor_ratio", factor, {**name, "messages": SIZES[kind]}
        if host.last >= 0:
            moment = judged.maps[host.last].started_at.timestamp()
            yield "beff_fleet_host_measured_timestamp_seconds", moment, name


def _fleet_page(judged: "JudgedFleet", chart: "Chart") -> str:
    from beff.show.page.html_file import diagrams_of, page_of

    charts, tables = diagrams_of([chart]), [fleet_table(judged, judged.hosts())]
    leaves = [Section("figures", "Hosts by leaf", diagrams=charts, place="open")] * bool(charts)
    return page_of(
        sections=[*leaves, Section("hosts", "All hosts", tables=tables, place="open")],
        title="beff nodes --fleet",
        heading=f"{_sentence(headline_of(judged.checked).text)}.",
        setting=next(sentence_of(one) for one in judged.checked if one.code == "fleet"),
    )


def fleet_table(judged: "JudgedFleet", hosts: Sequence[HostState]) -> Table:
    """Return a row for each of some hosts of a fleet."""
    verdicts = judged.checked.hosts
    marks = [_MARKS[verdicts.get(one.name, Verdict.UNKNOWN)] for one in hosts]
    rows: list[Row] = []
    for host in hosts:
        slower = max(host.factors, key=host.factors.__getitem__, default=KINDS[0])
        course = " ".join(map(_TIMES, host.course[slower]))
        known = (host.error, host.days) if host.factors else (None, None)
        rows.append(
            (host.name, host.word(judged.days), *map(host.factors.get, KINDS), *known, course)
        )
    return table("fleet", rows, name="hosts", marks=marks, kinds=[SIZES[kind] for kind in KINDS])
