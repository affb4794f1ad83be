"""Pages, and figures in them as people read them.

Every value is escaped, unless a template's author says it is markup.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from beff.list.figures import FIGURES, LARGEST_WEIGHT, SystemFigure, used_share
from beff.list.ranking import WEIGHT_CHANGE, RankedSystem
from beff.list.standings import Standing, Usual, why_not
from beff.result.numbers import NOT_MEASURED, format_size, number
from beff.store.entry import Entry


def figure(value: float) -> str:
    """Write a figure with three digits."""
    text = number(value)
    return f"{int(text):,}" if abs(value) >= 1000 else text


def figure_or_not(value: float | None, factor: float = 1.0) -> str:
    """Write a figure, or that it was not measured."""
    return NOT_MEASURED if value is None else figure(value * factor)


def shown_figure(standing: Standing, wanted: SystemFigure) -> str:
    """Write a figure of a system in the unit for people, or why there is none."""
    value = standing.figure(wanted.key)
    if value is None:
        return standing.why(wanted) or wanted.absent
    return figure(value * wanted.shown_factor)


def gbps(values: Iterable[float | None]) -> str:
    """Write bandwidths in MB/s as GB/s, beside each other."""
    return " / ".join(figure_or_not(value, 1e-3) for value in values)


def share(value: float) -> str:
    """Write a share of a machine in per cent."""
    return f"{math.floor(100 * min(1.0, value) + 0.5)} %"


def size(entry: Entry, part: float | None) -> str:
    """Say how many processes, or nodes where nobody counted those, on what part of the machine."""
    if entry.processes is None:
        nodes = entry.nodes or 0
        count = f"{figure(nodes)} node{'' if nodes == 1 else 's'}"
    else:
        count = figure(entry.processes)
    return count if part is None else f"{count} ({share(part)})"


def size_of(usual: Usual) -> str:
    """Do the same for a usual run."""
    return size(usual.entry, usual.share)


def sizes(standing: Standing) -> tuple[str, str]:
    """Say the same of the runs that the figures of a system are of: two where they differ."""
    first, *others = (size_of(usual) for usual in standing.used)
    if set(others) <= {first}:
        return first, ""
    return f"b_eff: {first}", f"b_eff_io: {others[0]}"


def sureness(row: RankedSystem, weights: dict[str, float]) -> str:
    """Say how sure a rank is: where it could be, or why nothing is known of that."""
    place, runs = row.rank, row.standing.runs
    if place is None:
        return "not ranked"
    words = [f"{place.best} to {place.worst}"] if place.best != place.worst else []
    weighted = {runs.get(one.benchmark or "") for one in FIGURES if weights.get(one.key)} - {None}
    if 1 in weighted:
        words.append("1 run")
    elif row.among == 1:
        words.append("only one")
    return ", ".join(words) or ("firm" if weighted else "")


def texts(row: RankedSystem | None) -> defaultdict[str, str]:
    """Return what stands in the cells of a row, by their names, but for what its rank says."""
    found: defaultdict[str, str] = defaultdict(str)
    if row is not None:
        hardware, standing = row.system.hardware, row.standing
        found["processes"], found["io_processes"] = sizes(standing)
        if standing.io and standing.io.accesses[0]:
            found["accesses"] = gbps(standing.io.accesses)
        found |= {
            "site": hardware.site or "",
            "year": str(row.year or ""),
            "interconnect": hardware.interconnect or ("" if hardware.cpus else "not known"),
            "cpus": hardware.cpus or "",
            **{one.key: shown_figure(standing, one) for one in FIGURES},
        }
    return found


def status(entry: Entry, io_release: str) -> str:
    """Say whether a result counts in a list that ranks b_eff_io by a release."""
    why = why_not(entry, io_release)
    return f"{why}, so not ranked" if why else entry.status


def reasoned_status(entry: Entry, io_release: str) -> str:
    """Say whether a result counts, and what it misses."""
    word = status(entry, io_release)
    return f"{word} ({entry.not_met})" if entry.not_met else word


def moment(value: datetime) -> str:
    """Write a time in UTC to the minute."""
    return value.strftime("%Y-%m-%d %H:%M UTC")


def unit(text: str) -> str:
    """Write a unit of the data, which is plain ASCII, as people do."""
    return text.replace("us", "µs")


MARKS = {
    "quiet": "The repetitions of a run that counts differ little",
    "noisy": "The repetitions of a run that counts differ much: something disturbed it",
    "cold": "b_eff_io by the procedure cold: caches are emptied before the read",
    "original": "b_eff_io by the procedure original: caches are left alone",
}
"""Small marks beside a system: the word that is seen, and what it means."""


def marks_of(entry: Entry) -> list[str]:
    """Return the marks of a run."""
    return [mark for mark in (entry.stamp, entry.procedure) if mark in MARKS]


def marks(standing: Standing) -> list[str]:
    """Return the marks of the runs that count."""
    return [mark for usual in standing.used if not usual.why for mark in marks_of(usual.entry)]


MOST_NAMED = 50
"""Points of a plot that are named beside it; of more, none is."""


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("beff.list"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: tuple[Callable[..., object], ...] = (
        *(figure, figure_or_not, gbps, size, texts, marks, marks_of),
        *(moment, unit, sureness, status),
    )
    environment.filters |= {one.__name__: one for one in filters} | {"bytes": format_size}
    environment.globals |= {
        "figures": FIGURES,
        "mark_words": MARKS,
        "largest_weight": LARGEST_WEIGHT,
        "weight_change": WEIGHT_CHANGE,
        "most_named": MOST_NAMED,
        "used_share": used_share,
    }
    return environment


_TEMPLATES = _environment()


def page(template: str, **values: Any) -> str:
    """Return a page. `root` is the way from the page to the top of the site."""
    return _TEMPLATES.get_template(template).render(**values)
