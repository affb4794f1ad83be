"""What the pages need in the browser, small: data.js, a script so that file:// works, too."""

import json
from typing import Any

from beff.list.folder import ListedSystem
from beff.list.listing import GROUPS
from beff.list.standings import Row, Usual
from beff.list.words import marks, unit
from beff.store.system_figures import FIGURES

_TOLD = ("site", "cpus", "accelerators", "interconnect", "file_system")


def data_script(systems: tuple[ListedSystem, ...], root: str) -> str:
    """Return data.js; `root` is the way from its page to the top of the site."""
    words: dict[str | None, int] = {}
    rows = [_row(system, words) for system in systems]
    content = {
        "root": root,
        "groups": [group.name for group in GROUPS],
        "criteria": [
            {
                "key": figure.key,
                "label": figure.label,
                "unit": unit(figure.shown_unit),
                "factor": figure.shown_factor,
                "less_is_better": figure.less_is_better,
                "benchmark": figure.benchmark,
                "shown": figure.always_shown,
                "absent": figure.absent,
            }
            for figure in FIGURES
        ],
        "words": list(words),
        "systems": rows,
    }
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    safe = text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return f"globalThis.BEFF_LIST={safe};\n"


def _row(system: ListedSystem, words: dict[str | None, int]) -> list[Any]:
    hardware = system.hardware
    told = [words.setdefault(getattr(hardware, name), len(words)) for name in _TOLD]
    usual = [_usual(one) for one in system.usual]
    return [system.slug, system.name, hardware.rmax_gflops, hardware.year, told, usual]


def _usual(usual: Usual) -> list[Any]:
    entry = usual.entry

    def own(row: Row) -> list[float | None]:
        pairs = zip(FIGURES, row, strict=True)
        return [_short(value) for figure, value in pairs if figure.benchmark == entry.benchmark]

    figures, low, high = map(own, (usual.figures, usual.low, usual.high))
    return [
        *(usual.group, entry.benchmark, entry.processes, entry.nodes),
        *(usual.share, usual.year, usual.runs),
        " ".join(marks(entry)),
        figures,
        0 if low == figures else low,
        0 if high == figures else high,
        [None if value is None else _short(float(f"{value:.4g}")) for value in usual.accesses],
    ]


def _short(value: float | None) -> float | None:
    """Return a number as JSON has it shortest."""
    return int(value) if value is not None and value.is_integer() else value
