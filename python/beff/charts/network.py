"""What a network gives as a whole: the steps of a bisection, and rates over processes per host."""

from beff.charts.axes import linear_axis, rate_tick
from beff.charts.chart import Axis, Chart, Marks, Panel, Part, Row, lines, series_in, texts
from beff.maps.network import usual_rate_MBps
from beff.maps.network_text import FIRST_HALVES, halves_name, unit_name
from beff.maps.schedule import parts_of, spread_steps
from beff.result.b_pairs_result import BPairsResult
from beff.result.numbers import number, percent, rate


def bisection(result: BPairsResult) -> Chart | None:
    """Draw each step as a point, by halves, the least one larger; None without a measured step."""
    asked, found = result.plan.bisection, result.bisection
    if asked is None or found is None or found.minimum is None:
        return None
    least = found.minimum
    names: dict[float, str] = {}
    rows: list[Row] = []
    smallest: list[Row] = []
    for place, halves in enumerate(found.halves):
        steps = spread_steps(len(parts_of(result.plan, asked, result.options["seed"], place)[1]))
        names[place + 0.5] = FIRST_HALVES.get(halves.kind, f"drawn {place}")
        for step, total in zip(steps, halves.steps.sum_MBps, strict=False):
            at = place + 0.08 + 0.84 * (step + 0.5) / len(steps)
            text = f"{names[place + 0.5]}, step {step + 1}: {rate(total)}"
            is_least = (place, step) == (least.halves, least.step)
            (smallest if is_least else rows).append(
                Row(at, total, "least" if is_least else "step", text)
            )
    alone = [] if least.full_MBps is None else [Row(0, least.full_MBps)]
    units = "hosts" if result.plan.unit == "host" else "processes"
    share = percent((result.summary.bisection_percent or 0) / 100)
    of_alone = (
        f" Dashed: what its pairs have alone, {rate(least.full_MBps)}, of which it has {share}."
    )
    pair = f"{unit_name(result, least.first)} and {unit_name(result, least.second)}"
    x = Axis(
        f"halves of the {units}; within each, the steps in their order", (0, len(names)), names
    )
    marks = [
        Marks("point", rows),
        Marks("point", smallest, size=110),
        Marks("level", alone, "soft"),
    ]
    y = linear_axis([*rows, *smallest, *alone], "sum over all pairs, both ways")
    return Chart(
        "bisection",
        "Bisection: the sum over all pairs of each step, both ways",
        f"Least: {rate(result.summary.bisection_MBps)} in step {least.step + 1} of"
        f" {halves_name(result, least.halves)}; its slowest pair: {pair}, {rate(least.pair_MBps)}."
        f"{of_alone if alone else ''}",
        f"Least of {len(rows) + 1} steps: {texts(smallest)}",
        [Part([Panel(x, y, marks, ("step", "least"), (560, 320), legend=2)])],
    )


def per_host(result: BPairsResult) -> Chart | None:
    """Draw rates of a host over the number of its processes; None without a measured one."""
    found = result.per_host
    if found is None or not found.rate:
        return None
    port = 0.0 if result.roofs is None else usual_rate_MBps(result.roofs.hosts)
    places = {n: place + 0.5 for place, n in enumerate(sorted(set(found.processes)))}
    x = Axis("processes of each host", (0, len(places)), {at: str(n) for n, at in places.items()})
    columns = list(zip(found.processes, found.traffic, found.pairs, found.rate, strict=True))
    panels, every = [], []
    for title, kinds, limit in (
        ("bandwidth", ("one way", "both ways"), port),
        ("messages", ("messages",), 0.0),
    ):
        write = _messages if title == "messages" else rate_tick
        rows = [
            Row(places[n], value, f"{kind}, {who}", f"{kind}, {who}, {n} processes: {write(value)}")
            for kind in kinds
            for who in ("alone", "all")
            for n, traffic, pairs, value in columns
            if traffic == kind and (pairs == 1) == (who == "alone")
        ]
        if rows:
            top = [Row(0, limit)] if limit else []
            y = linear_axis([*rows, *top], title, write)
            marks = [*lines(rows), Marks("level", top, "soft")]
            panels.append(Panel(x, y, marks, series_in(rows), (360, 300), title, legend=2))
            every += rows
    ports = f" Dashed: the ports, {rate(port)}." if port else ""
    return Chart(
        "per_host",
        "What a host reaches by the number of its processes",
        "Alone: one pair of hosts. All: all hosts in pairs at once, and the pair in the middle."
        f"{ports}",
        texts(every),
        [Part(panels)],
    )


def _messages(per_s: float) -> str:
    return f"{number(per_s / 1e6)} M/s" if per_s else "0"
