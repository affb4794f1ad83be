"""Tables of the reports on a terminal."""

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table as RichTable

from beff.report.tables.table import Table


def rich_table(table: Table) -> RichTable:
    """Return a table for a terminal; own rows are bold, notes stand below."""
    shown = RichTable(
        box=SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        title=escape(table.title),
        title_justify="left",
        caption="\n".join(map(escape, table.notes)),
        caption_justify="left",
    )
    for place, column in enumerate(table.columns):
        unit = f"\n{column.unit}" if column.unit else ""
        shown.add_column(
            escape(f"{column.title}{unit}"),
            justify="left" if column.is_text else "right",
            overflow="fold",
            no_wrap=place == 0,
            min_width=max(map(len, [*column.title.split(), column.unit])),
        )
    for number, row in enumerate(table.shown()):
        style = "bold" if number < table.own_rows else None
        shown.add_row(*map(escape, row), style=style)
        if number == table.own_rows - 1:
            shown.add_section()
    return shown
