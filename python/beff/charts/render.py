"""Drawing of figures as SVG, PNG and PDF. Nothing is fetched from anywhere."""

from collections.abc import Sequence
from io import BytesIO
from textwrap import wrap
from typing import Any

import altair as alt
import vl_convert
from pypdf import PdfReader, PdfWriter

from beff.charts.compact import compact
from beff.charts.figure import Figure
from beff.charts.plain_text import plain_texts
from beff.charts.series import name_series
from beff.charts.theme import PAPER, Theme

_NO_ADDRESSES: list[str] = []
_CAPTION_CHARACTERS = 105


def svg(figure: Figure, theme: Theme) -> str:
    """Draw one figure as an SVG element.

    Points carry their description as `aria-label`, all marks their series (see `name_series`).
    """
    drawing = vl_convert.vegalite_to_vega(specification(figure, theme))
    name_series(drawing)
    return compact(vl_convert.vega_to_svg(drawing, allowed_base_urls=_NO_ADDRESSES))


def png(figure: Figure, theme: Theme, scale: float) -> bytes:
    """Draw one figure as a PNG picture; `scale` is in pixels per CSS pixel."""
    return vl_convert.vegalite_to_png(
        specification(figure, theme), scale=scale, allowed_base_urls=_NO_ADDRESSES
    )


def pdf(figures: Sequence[Figure], title: str) -> bytes:
    """Draw figures as a PDF document, one to a page, with a bookmark for each."""
    document = PdfWriter()
    for number, figure in enumerate(figures):
        page = vl_convert.vegalite_to_pdf(
            specification(figure, PAPER), allowed_base_urls=_NO_ADDRESSES
        )
        document.append(PdfReader(BytesIO(page)), import_outline=False)
        document.add_outline_item(title=figure.title, page_number=number)
    document.add_metadata({"/Title": title})
    document.compress_identical_objects()
    target = BytesIO()
    document.write(target)
    return target.getvalue()


def sheet(figures: Sequence[Figure]) -> Figure:
    """Put figures, at least one, under each other; a single one is returned as it is."""
    if len(figures) == 1:
        return figures[0]
    parts = [figure.chart.properties(title=_heading(figure)) for figure in figures]
    chart = alt.vconcat(*parts, spacing=40).resolve_scale(
        color="independent", shape="independent", strokeDash="independent"
    )
    return Figure("sheet", "", "", " ".join(figure.alt for figure in figures), chart)


def specification(figure: Figure, theme: Theme) -> dict[str, Any]:
    """Return the figure in Vega-Lite with the theme applied."""
    fields: dict[str, Any] = plain_texts(figure.chart.to_dict(validate=False))
    fields["config"] = theme.config()
    fields["padding"] = 12 if theme.headed else 4
    if theme.headed and figure.title:
        fields["title"] = plain_texts(_heading(figure).to_dict())
    return fields


def _heading(figure: Figure) -> alt.TitleParams:
    return alt.TitleParams(
        figure.title,
        subtitle=wrap(figure.caption, _CAPTION_CHARACTERS),
        anchor="start",
        fontSize=16,
        offset=14,
        subtitlePadding=6,
    )
