"""The map of pairs as a picture."""

from beff.analysis.pairs.pair_map import pair_map
from beff.charts.theme import PAGE
from beff.drawings.pair_map import draw_pair_map
from beff.model.b_eff_result import BEffResult
from beff.report.page.inline_svg import inline_svg
from beff.report.page.section import Section, ShownResult
from beff.report.page.sections.figures import Diagram


def pairs(shown: ShownResult) -> Section | None:
    """Build the section; None for a result without a map."""
    if not isinstance(shown.result, BEffResult) or shown.result.pairs is None:
        return None
    key = shown.anchor("pairs")
    found = pair_map(
        shown.document.fields["pairs"], [host.name for host in shown.result.environment.hosts]
    )
    title = f"The map of pairs of {found.units} {found.plural}"
    caption = "How long an exchange of short and of long messages takes, for each pair that met."
    picture = inline_svg(draw_pair_map(found, PAGE), key, f"{title}. {caption}")
    diagram = Diagram(key, title, caption, picture, True)
    return Section(key, "Map of pairs", "patterns.html.j2", [diagram])
