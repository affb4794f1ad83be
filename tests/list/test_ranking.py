"""The ranking by node: which runs of a system count, numbers by hand, and rules that must hold."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import beff.list.folder
from beff.list.folder import FIGURES
from needed import needed

pytestmark = pytest.mark.thorough

RANKING = Path(beff.list.folder.__file__).parent / "static" / "ranking.js"
ASKED = {"least": 0.5, "procedure": "cold"}
Figures = dict[str, float]
Standing = dict[str, Any]
_DRIVER = """
const ranking = require(process.argv[1]);
const calls = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(calls.map(([name, ...given]) => ranking[name](...given))));
"""


def in_node(*calls: tuple[Any, ...]) -> list[Any]:
    """What calls of ranking.js return, each with the name of the function in front."""
    command = [needed("node"), "-e", _DRIVER, str(RANKING)]
    done = subprocess.run(
        command, input=json.dumps(calls), capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found


def rank(standings: list[Standing], weights: Figures) -> list[dict[str, Any]]:
    (found,) = in_node(("rank", standings, FIGURES, weights))
    return [place | place.pop("standing") for place in found]


def candidate(
    number: int, low: Figures | None = None, high: Figures | None = None, **own: float
) -> Standing:
    return {"id": number, "figures": own, "low": own | (low or {}), "high": own | (high or {})}


def test_a_score_by_hand() -> None:
    """b_eff 100 and 50, latency 4 and 1: x is (1, 1/4) and (1/2, 1)."""
    fast, quick = candidate(1, b_eff=100, latency=4), candidate(2, b_eff=50, latency=1)
    first, second = rank([quick, fast], {"b_eff": 3, "latency": 1})
    assert (first["id"], first["rank"], second["id"], second["rank"]) == (1, 1, 2, 2)
    assert first["score"] == pytest.approx((1**3 * 0.25) ** (1 / 4))  # 0.7071
    assert second["score"] == pytest.approx((0.5**3 * 1) ** (1 / 4))  # 0.5946
    # At 2 to 1 the scores are 4^-1/3 and 4^-1/3: a draw.
    draw = rank([fast, quick], {"b_eff": 2, "latency": 1})
    assert [(one["id"], one["rank"]) for one in draw] == [(1, 1), (2, 1)]
    assert all(one["best"] == 1 and one["worst"] == 2 for one in draw)


def test_sure_and_unsure_ranks() -> None:
    """Runs of 90 to 110 reach over the neighbour's 105, not over 50."""
    systems = [
        candidate(1, b_eff=110, low={"b_eff": 90}, high={"b_eff": 110}),
        candidate(2, b_eff=105),
        candidate(3, b_eff=50),
    ]
    found = [(r["id"], r["rank"], r["best"], r["worst"]) for r in rank(systems, {"b_eff": 1})]
    assert found == [(1, 1, 1, 2), (2, 2, 2, 2), (3, 3, 3, 3)]


def result(day: int, value: float, **more: Any) -> dict[str, Any]:
    """A run of b_eff on the whole machine, unless more is said."""
    own = {"b_eff_MBps": value} | more.pop("figures", {})
    fields = {
        "benchmark": "b_eff",
        "measured_at": f"2026-01-{day + 1:02}T00:00:00Z",
        "processes": 64,
        "nodes": 16,
        "share": 1.0,
        "why": "",
        "figures": [{"name": name, "value": value} for name, value in own.items()],
    }
    return fields | more


def io_result(day: int, **more: Any) -> dict[str, Any]:
    return result(day, 0.0, benchmark="b_eff_io", **{"procedure": "cold", **more})


def shown(*results: dict[str, Any], rmax: float | None = None, **asked: Any) -> Standing:
    system = {"results": results, "hardware": {"rmax_gflops": rmax}}
    (found,) = in_node(("standing", system, FIGURES, ASKED | asked))
    standing: Standing = found
    return standing


@pytest.mark.parametrize(
    ("values", "counts"),
    [
        ([5], 5),
        ([5, 9], 9),  # the newest of two
        ([5, 9, 1], 5),
        ([99, 9, 1, 5], 5),  # the newest three of four
        ([3, 1, 2, 5, 4], 3),
        ([99, 99, 3, 1, 2, 5, 4], 3),  # the newest five of any number
    ],
)
def test_the_usual_run(values: list[float], counts: float) -> None:
    """Whatever the order in which the results lie there."""
    found = shown(*[result(day, value) for day, value in enumerate(values)][::-1])
    assert found["figures"]["b_eff"] == counts
    assert found["by"]["b_eff_MBps"]["runs"] == len(values)


def test_the_range_is_that_of_the_newest_runs_alike() -> None:
    days = enumerate([99, 10, 12, 11, 14, 13])
    runs = [result(day, value, figures={"latency_us": value}) for day, value in days]
    found = shown(*runs, result(9, 5, processes=32, nodes=8))
    ends = [(found["low"][key], found["high"][key]) for key in ("b_eff", "latency")]
    assert ends == [(10, 14), (14, 10)]
    alone = shown(result(0, 7), rmax=3.0)
    assert (alone["low"]["b_eff"], alone["high"]["b_eff"]) == (7, 7)
    assert (alone["figures"]["rmax"], alone["low"]["rmax"]) == (3.0, 3.0)


@pytest.mark.parametrize(("least", "processes"), [(0.5, 32), (0.95, 64), (0, 16)])
def test_of_several_sizes_the_best_on_enough_of_the_machine_counts(
    least: float, processes: int
) -> None:
    sizes = {64: 10.0, 32: 20.0, 16: 90.0}
    runs = [
        result(0, value, processes=size, nodes=size // 4, share=size / 64)
        for size, value in sizes.items()
    ]
    assert shown(*runs, least=least)["by"]["b_eff_MBps"]["run"]["processes"] == processes


@pytest.mark.parametrize(
    ("more", "least", "why"),
    [
        ({}, 0.5, ""),
        ({"why": "not valid"}, 0.5, "not valid"),
        ({"share": 0.49}, 0.5, "on a part only"),
        ({"share": 0.5}, 0.5, ""),
        ({"share": 0.94}, 0.95, "on a part only"),
        ({"share": None}, 0.5, ""),
        ({"share": None}, 0.95, "size not known"),
    ],
)
def test_why_a_run_does_not_count(more: dict[str, Any], least: float, why: str) -> None:
    found = shown(result(0, 5.0, **more), least=least)
    assert found["why"]["b_eff"] == why
    assert (found["figures"].get("b_eff") == 5.0) == (not why)
    # one that counts takes the place of one that does not
    assert shown(result(1, 9.0, **more), result(0, 5.0), least=0.95)["figures"]["b_eff"] >= 5.0


def test_procedures_are_ranked_apart() -> None:
    cold = io_result(0, figures={"values.1": 10.0})
    original = io_result(1, procedure="original", figures={"values.1": 90.0})
    assert shown(cold, original)["figures"]["io"] == 10.0
    assert shown(cold, original, procedure="original")["figures"]["io"] == 90.0
    assert shown(original)["why"]["io"] == "procedure original"
