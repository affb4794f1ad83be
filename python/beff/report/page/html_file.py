"""Format .html: one self-contained page with everything about the results."""

import base64
import json
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from beff import __version__
from beff.definition.verify import verify
from beff.launch.installation import home
from beff.report.page.layout import closing_sections, sections_of_page, sections_of_result
from beff.report.page.sections.contents import Contents, ShownResult
from beff.report.page.sections.headline import heading, setting
from beff.result.b_eff_result import BEffResult
from beff.result.numbers import rate
from beff.verify.common.summary_figures import main_value
from beff.verify.subject import Subject

_ASSETS = Path(__file__).parent / "assets"
_SCRIPTS = ("theme.js", "fold.js", "chart.js", "samples.js", "sort.js")
_MOST_SAMPLES = 100_000
"""Samples that are embedded; a page of more would be slow to open."""


def write_html(subject: Subject, path: Path) -> None:
    """Write the page. Raises ResultError for a result that cannot be shown."""
    path.write_text(page(subject), encoding="utf-8")


def page(subject: Subject) -> str:
    """Return the page as text. Raises ResultError for a result that cannot be shown."""
    results = [
        ShownResult(number, entry.label, entry.document, verify(entry.document))
        for number, entry in enumerate(subject.results, start=1)
    ]
    contents, first = Contents(subject, results), results[0]
    value = f"{first.document.benchmark} {rate(main_value(first.result))}, {first.label}"
    return page_of(
        title=f"{first.label} and {len(results) - 1} more" if results[1:] else value,
        heading=heading(results),
        setting=setting(results),
        why_no_pictures=contents.why_no_pictures,
        sections=sections_of_page(contents),
        details=[(shown, sections_of_result(shown)) for shown in results] if results[1:] else [],
        closing=closing_sections(contents),
        samples=_samples(results),
    )


def page_of(**shown: Any) -> str:
    """Return a page of what its template names, with the style and the scripts of all pages."""
    style, script = style_sheet(), "".join(map(_text, _SCRIPTS))
    return (
        templates()
        .get_template("page.html.j2")
        .render(
            **{"details": (), "closing": (), "samples": {}, **shown},
            policy=content_security_policy(style, script),
            style=Markup(style),
            script=Markup(script),
            version=__version__,
            home=home(),
        )
    )


def _samples(results: Sequence[ShownResult]) -> dict[int, Markup]:
    """Embed the samples of b_eff by number of the result; those of b_eff_io stand in tables."""
    chosen: dict[int, Markup] = {}
    room = _MOST_SAMPLES
    for shown in results:
        if isinstance(shown.result, BEffResult) and len(shown.result.samples) <= room:
            room -= len(shown.result.samples)
            chosen[shown.number] = embedded(samples_of(shown.result))
    return chosen


def style_sheet() -> str:
    """Return the style of all pages."""
    return _text("page.css")


@cache
def _text(asset: str) -> str:
    return (_ASSETS / asset).read_text(encoding="utf-8")


@cache
def templates() -> Environment:
    """Return what makes pages of templates; every text is escaped."""
    return Environment(
        loader=PackageLoader("beff.report.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def content_security_policy(style: str, script: str) -> str:
    """Allow exactly this text of a style element and this text of a script element."""
    rules = {
        "default-src": "'none'",
        "style-src": _hash(style),
        "script-src": _hash(script),
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _hash(text: str) -> str:
    digest = base64.b64encode(sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


_NS = 1e9
_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def embedded(value: Any) -> Markup:
    """Write JSON that can stand in an HTML document: no text in it can end its element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.translate(_ESCAPES))


def samples_of(result: BEffResult) -> dict[str, Any]:
    """Return the samples, with what is needed to show them.

    Times are rounded to whole nanoseconds; mean and shortest are how much they lie below the
    longest. `hosts` names the node of each rank that was the slowest of some loop.
    """
    s, environment = result.samples, result.environment
    longest = [round(_NS * seconds) for seconds in s.time_max_s]

    def below(column: list[float]) -> list[int]:
        return [top - round(_NS * seconds) for top, seconds in zip(longest, column, strict=True)]

    return {
        "sizes": result.message_sizes_bytes,
        "methods": result.methods,
        "messages": {pattern.id: pattern.messages for pattern in result.patterns},
        "hosts": {
            rank: environment.hosts[environment.placement[rank]].name
            for rank in sorted(set(s.slowest_rank))
            if rank < len(environment.placement)
        },
        "pattern": s.pattern,
        "size": s.size,
        "method": s.method,
        "repetition": s.repetition,
        "loop": s.loop_length,
        "ns": longest,
        "mean": below(s.time_avg_s),
        "shortest": below(s.time_min_s),
        "rank": s.slowest_rank,
    }
