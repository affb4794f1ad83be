"""A run whose processes did not have their time is noisy, and its host busy, which is open."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.checks import loaded
from support.io_results import make_io_result
from support.machines.measure import flat
from support.machines.result import make_map
from support.results import Plan, make_result, model_s

from beff.definition.b_eff_plan import ONE_RING, PING_PONG, RANDOM_PATTERNS, message_sizes
from beff.judge.analysis import Steadiness, analysis_of
from beff.judge.finding import Verdict
from beff.judge.judge_results import Basis, judge_results
from beff.judge.limit import gains_of, network_shape
from beff.result.b_eff_result import BEffResult
from beff.result.load import Document, check_document
from beff.show.parts.findings import sentence_of
from scripted_machine import Order


def with_load(fields: dict[str, Any], **columns: str) -> Document:
    return check_document("a.json", loaded(fields, **columns))


def test_maps_and_files_are_noisy_by_load_alone() -> None:
    for fields in (make_map(flat(4)), make_io_result()):
        quiet, busy = (with_load(fields, others_ms=each) for each in ("0", "9000"))
        assert analysis_of(quiet).steadiness == Steadiness.QUIET
        assert analysis_of(busy).steadiness == Steadiness.NOISY


def test_a_daemon_of_fuse_works_for_the_run() -> None:
    fields = make_io_result()
    fields["environment"]["filesystem"]["kind"] = "fuse.sshfs"
    assert analysis_of(with_load(fields, others_ms="9000")).steadiness == Steadiness.UNKNOWN
    assert analysis_of(with_load(fields, stolen_ms="9000")).steadiness == Steadiness.NOISY


STARVED = {"others_ms": "6000", "stolen_ms": "6000", "throttled_ms": "6000", "waited_ms": "20000"}
"""What of 20 s makes a host of a map one that waits for cores."""


@pytest.mark.parametrize("column", STARVED)
@pytest.mark.parametrize("busy", [1, 2])
def test_few_busy_hosts_are_named_and_the_others_judged(column: str, busy: int) -> None:
    """The last hosts are busy, and twice as slow, by which they are not called slow; node1 is."""
    slow = dict.fromkeys((0, *range(8 - busy, 8)), 2.0)
    columns = {column: " ".join(["0"] * (8 - busy) + [STARVED[column]] * busy)}
    found = judge_results([with_load(make_map(flat(8, slow=slow)), **columns)])
    assert found.bad_hosts == ("node1",)
    assert {*found.open_hosts} == {f"node{8 - number}" for number in range(busy)}
    assert len(found.good_hosts) == 7 - busy
    assert "busy" in {one.code for one in found if one.about == "host node8"}


@pytest.mark.parametrize("column", STARVED)
def test_a_map_of_busy_hosts_calls_nobody_slow_or_good(column: str) -> None:
    """Nor by earlier maps, and not a link or a machine."""
    machine = flat(8, slow={0: 2.0}, links={(3, 4): 3.0})
    busy = with_load(make_map(machine), **{column: " ".join(["0"] * 5 + [STARVED[column]] * 3)})
    before = [check_document(f"{day}.json", make_map(flat(8), day=day)) for day in (1, 2, 3)]
    for earlier in (None, before):
        found = judge_results([busy], Basis(earlier=earlier))
        assert found.verdict == Verdict.UNKNOWN
        assert (found.bad_hosts, found.good_hosts, len(found.open_hosts)) == ((), (), 8)
        assert any(one.code == "map calls none slow" for one in found)


# --- the shape of a network by hand-made samples ---

N = 4
PLAN = Plan(processes=N, hosts=(1,) * N, methods=("sendrecv",), memory=512 << 20)


def measured(times_s: dict[int, float], plan: Plan = PLAN, disturbed: float = 1.0) -> BEffResult:
    """Iterations of these seconds at each size; of a ping-pong the first repetition is disturbed.

    Of one ring and a random ring an iteration has two messages of each process, one after the
    other; of a ping-pong, there and back.
    """

    def iteration_s(plan: Plan, order: Order) -> float:
        is_disturbed = order["pattern"] == PING_PONG and order["repetition"] == 0
        seconds = times_s.get(order["pattern"]) or model_s(plan, order)
        return seconds / (disturbed if is_disturbed else 1.0)

    return BEffResult.model_validate(make_result(replace(plan, iteration_s=iteration_s)))


def times(ring: float, random: float) -> dict[int, float]:
    """A message of a ping-pong takes 1 ms, of one ring and of random rings as many ms."""
    return {
        PING_PONG: 2e-3,
        ONE_RING: 2e-3 * ring,
        **dict.fromkeys(RANDOM_PATTERNS, 2e-3 * random),
    }


@pytest.mark.parametrize(("ring", "random"), [(1.0, 1.0), (2.0, 5.0), (4.0, 4.0)])
def test_shares_of_the_ping_pong(ring: float, random: float) -> None:
    shape = f"1 : {1 / ring:.2f} : {1 / random:.2f}"
    found = network_shape(measured(times(ring, random)))
    assert found is not None
    assert f" = {shape} at L_max, {shape} at 1 byte: " in sentence_of(found)


@pytest.mark.parametrize(
    "result",
    [
        measured(times(1, 1), replace(PLAN, hosts=(4,))),
        measured(times(1, 1), replace(PLAN, hosts=(2, 2))),
        measured(times(1, 1), disturbed=1.2),
    ],
    ids=["one host", "ranks 0 and 1 on one host", "a disturbed ping-pong"],
)
def test_none_where_the_ping_pong_says_nothing(result: BEffResult) -> None:
    assert network_shape(result) is None


SIZES = message_sizes(2**20)


def curve(latency_s: float, rate: float) -> list[float]:
    return [size / (latency_s + size / rate) for size in SIZES]


@pytest.mark.parametrize("latency_s", [1e-7, 2e-6, 1e-5, 1e-4, 1e-3])
def test_gains_are_those_of_a_machine_that_is_so_much_better(latency_s: float) -> None:
    now = sum(curve(latency_s, 1e10))
    halved, doubled = gains_of(SIZES, curve(latency_s, 1e10))
    latency = sum(curve(latency_s / 2, 1e10)) / now - 1
    bandwidth = sum(curve(latency_s, 2e10)) / now - 1
    assert halved == pytest.approx(latency, rel=0.15, abs=0.02)
    assert doubled == pytest.approx(bandwidth, rel=0.15, abs=0.02)
    assert (halved > doubled) == (latency > bandwidth)
