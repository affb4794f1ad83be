"""How a line of a scene is carried out.

Beside the commands of beff there are `text FILE`: what is read in a file, of a page or drawing what
is seen; `files FOLDER`: their names; `charts RESULT...`: the rows of every diagram.
"""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from beff.cli.app import main
from beff.cli.common import exit_codes
from beff.definition.subject import load_subject
from beff.show.charts.spec import described, rows_of
from beff.show.charts.table import charts_of
from golden.normalise import drawn, visible


def run(line: str) -> tuple[int, str]:
    """Return the exit code of a command and all that it printed."""
    name, *words = shlex.split(line)
    if name in _VIEWS:
        return 0, _VIEWS[name](*words)
    printed = io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        code = main([name, *words])
    assert code != exit_codes.UNFORESEEN, f"{line}\n{printed.getvalue()}"
    return code, printed.getvalue()


def _text(file: str) -> str:
    shown = {".html": visible, ".svg": drawn}.get(Path(file).suffix, str)
    return shown(Path(file).read_text(encoding="utf-8"))


def _files(folder: str) -> str:
    return "\n".join(sorted(str(path) for path in Path(folder).rglob("*") if path.is_file()))


def _charts(*results: str) -> str:
    """Numbers have six digits; of the descriptions of points the first stands for all."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for chart in charts_of(load_subject([*map(Path, results)])):
        text.write(f"{chart.key}: {chart.title}\n{described(chart.panels[0])}\n")
        for panel in chart.panels:
            rows = rows_of(panel)
            columns = [*dict.fromkeys(name for row in rows for name in row if name != "text")]
            writer.writerow(columns)
            writer.writerows([[_cell(row.get(name)) for name in columns] for row in rows])
            text.write(f"the first point: {rows[0].get('text') or 'not described'}\n")
    return text.getvalue()


def _cell(value: Any) -> Any:
    return f"{value:.6g}" if isinstance(value, float) else value


_VIEWS: dict[str, Callable[..., str]] = {"text": _text, "files": _files, "charts": _charts}
