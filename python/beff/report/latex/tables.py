"""A table as a longtable with the rules of booktabs."""

from beff.report.latex.escape import escape
from beff.report.tables.table import Column, Table

_PAGE_MM = 267
"""Text width of the landscape page."""
_MM_PER_SIGN = 1.75
"""Width of a sign at the size of the tables, rounded up."""
_MM_PER_BOLD_SIGN = 2.1
_GAP_MM = 2.2
_LONGEST_HEADING_WORD = 14


def table_lines(table: Table) -> list[str]:
    """Return the table with its title and notes; own rows are bold, long texts are broken."""
    shown = table.shown()
    widths = _widths_mm(table, shown)
    spec = "".join(map(_column_spec, table.columns, widths))
    heading = " & ".join(
        rf"\headcell{{{width:.1f}mm}}{{{_side(column)}}}{{{escape(column.heading)}}}"
        for column, width in zip(table.heads, widths, strict=True)
    )
    head = rf"\toprule {heading} \\ \midrule"
    title = rf"\multicolumn{{{len(widths)}}}{{@{{}}l@{{}}}}{{\tabletitle {escape(table.title)}}}"
    lines = [
        rf"\begin{{longtable}}{{@{{}}{spec}@{{}}}}",
        rf"{title} \\[1mm] {head} \endfirsthead",
        rf"{head} \endhead",
        r"\bottomrule \endfoot",
    ]
    for number, row in enumerate(shown):
        cells = [escape(cell) for cell in row]
        if table.mark(number) == "own":
            cells = [rf"\textbf{{{cell}}}" for cell in cells]
        lines.append(" & ".join(cells) + r" \\")
    lines.append(r"\end{longtable}")
    lines += [rf"\par\noindent {{\small {escape(note)}}}\par" for note in table.notes]
    return lines


def _column_spec(column: Column, width: float) -> str:
    return rf">{{{_side(column)}\arraybackslash}}p{{{width:.1f}mm}}"


def _side(column: Column) -> str:
    return r"\raggedright" if column.is_text else r"\raggedleft"


def _widths_mm(table: Table, shown: list[list[str]]) -> list[float]:
    """Give each column what its longest cell needs; the widest shrink where that is too much."""
    wanted = []
    for place, column in enumerate(table.heads):
        word = max(map(len, column.heading.split()), default=1)
        bold = [min(word, _LONGEST_HEADING_WORD)]
        bold += [len(row[place]) for row in shown[: table.own_rows]]
        plain = max((len(row[place]) for row in shown), default=0)
        wanted.append(max(max(bold) * _MM_PER_BOLD_SIGN, plain * _MM_PER_SIGN) + 1)
    room = _PAGE_MM - _GAP_MM * len(wanted)
    limit = _limit(wanted, room)
    return [min(width, limit) for width in wanted]


def _limit(wanted: list[float], room: float) -> float:
    """Return the width to which the widest columns are cut so that all fit."""
    left, fair = sorted(wanted), room
    for taken, width in enumerate(left):
        share = fair / (len(left) - taken)
        if width > share:
            return share
        fair -= width
    return max(wanted)
