"""`beff check --accepted NAME -o report.pdf`: what a clause of a hosting agreement asks for."""
# ruff: noqa: PLC0415 - the drawing library is of an extra

import hashlib
from collections.abc import Iterator, Sequence
from datetime import date
from math import expm1, log
from pathlib import Path
from textwrap import wrap

from jinja2 import Environment, PackageLoader, StrictUndefined

from beff import __version__
from beff.judge.benchmarks import ASSUMED_NOISE
from beff.judge.change import EQUIVALENCE, MEASURED_FROM, change_by_sides
from beff.judge.expectations import Expectations
from beff.judge.finding import Checked, Finding, Verdict
from beff.result.errors import BeffError
from beff.result.load import Document
from beff.result.numbers import counted, measured, percent
from beff.show.charts.drawing import why_no_pictures
from beff.show.charts.spec import plain
from beff.show.parts.checked import headline_of
from beff.show.parts.findings import bounds_of

CERTIFICATE_ENDINGS = (".pdf", ".svg")
_MOST_LINES = 48
"""Of figures and results on a page of A4."""
_CHARACTERS = 100
_WORDS = {Verdict.GOOD: "kept", Verdict.BAD: "NOT kept", Verdict.UNKNOWN: "not shown"}
_SENTENCES = {
    Verdict.GOOD: "All {asked} keep what was accepted.",
    Verdict.BAD: "{bad} of {asked} do not keep what was accepted.",
    Verdict.UNKNOWN: "It is not shown that the machine keeps what was accepted: {why}.",
}


def write_certificate(
    checked: Checked,
    results: Sequence[Document],
    accepted: tuple[Expectations, Sequence[Document]],
    target: Path,
) -> None:
    """Write a page with each accepted figure beside that of today, and by which files.

    The error of a share is half the interval of 90 %, by what accepted runs of the kind and those
    of today differ; where fewer than five show that, it is assumed. Raises BeffError where a page
    does not hold all of it, or nothing can be drawn.
    """
    expected, kept = accepted
    figures = [one for one in checked.judgements if one.code == "accepted figure"]
    by_source = {one.source: one for one in results}
    bad = sum(one.verdict == Verdict.BAD for one in figures)
    asked = counted(len(figures), "figure")
    verdict = _SENTENCES[checked.verdict].format(
        asked=asked, bad=bad, why=headline_of(checked).text.removeprefix("inconclusive: ")
    )
    rows = [_row(one, by_source, kept) for one in figures]
    missing = (one for one in checked.judgements if one.code == "not handed in")
    rows += [(one.about, *[""] * 5, "not measured") for one in missing]
    files = [_file(one) for one in results]
    if len(rows) + 3 * len(files) > _MOST_LINES:
        raise BeffError(
            f"--output {target}: {asked} of {counted(len(files), 'result')} are more than a page"
            " holds; name fewer results"
        )
    if (reason := why_no_pictures()) is not None:
        raise BeffError(reason)
    templates = Environment(
        loader=PackageLoader("beff.show.page"), autoescape=True, undefined=StrictUndefined
    )
    drawn = templates.get_template("certificate.svg.j2").render(
        system=plain(expected.system or "a machine"),
        accepted=expected.accepted,
        verdict=wrap(plain(verdict), _CHARACTERS - 20),
        colour={Verdict.GOOD: "#00795a", Verdict.BAD: "#b3202c"}.get(checked.verdict, "#8a6d00"),
        rows=rows,
        files=[[*wrap(plain(line), _CHARACTERS)] for of_file in files for line in of_file],
        version=__version__,
        checked=date.today(),
    )
    import vl_convert

    is_svg = target.suffix.lower() == ".svg"
    target.write_bytes(drawn.encode() if is_svg else vl_convert.svg_to_pdf(drawn))


def _row(
    finding: Finding, by_source: dict[str, Document], kept: Sequence[Document]
) -> tuple[str, ...]:
    """Return what it is of, the figure, accepted, today, the share with its error, asked, kept."""
    facts, result = finding.facts, by_source[finding.source]
    share, processes = facts["found"] / facts["expected"], result.result.environment.processes
    error, is_assumed = _error(finding.about, result, [*by_source.values()], kept)
    return (
        f"{result.benchmark}, {counted(processes, 'process')}",
        finding.about.rpartition("_")[0] or finding.about,
        measured(facts["expected"], facts["unit"]),
        measured(facts["found"], facts["unit"]),
        f"{percent(share, 1)} ± {percent(error, 1)}{'*' if is_assumed else ''}",
        bounds_of(finding),
        _WORDS[finding.verdict or Verdict.UNKNOWN],
    )


def _error(
    figure: str, result: Document, results: Sequence[Document], kept: Sequence[Document]
) -> tuple[float, bool]:
    """Return the error of a share, and whether it is assumed."""

    def logs(runs: Sequence[Document]) -> Iterator[float]:
        of = result.benchmark, result.result.environment.processes
        for run in runs:
            value = getattr(run.result.summary, figure, None)
            if (run.benchmark, run.result.environment.processes) == of and value:
                yield log(value)

    before, now = [*logs(kept)], [*logs(results)]
    by = change_by_sides(before, now, assumed=ASSUMED_NOISE[result.benchmark])
    return expm1(by.half_width(EQUIVALENCE)), len(before) + len(now) - 2 < MEASURED_FROM


def _file(document: Document) -> tuple[str, ...]:
    """Say when and on what a result was measured, and which file it is."""
    result, path = document.result, Path(document.source)
    e = result.environment
    by = f"{result.program.name} {result.program.version}, {counted(e.processes, 'process')}"
    return (
        f"{path.name}: {getattr(e, 'started_at', None) or 'not known when'}, {by} on {e.host_list}",
        f"sha256 {hashlib.sha256(path.read_bytes()).hexdigest()}",
    )
