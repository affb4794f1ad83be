"""The map of pairs on simulated clusters whose links are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from beff.judge.finding import Verdict
from beff.maps.pair_map import pair_map
from beff.result.b_pairs_result import BPairsResult
from simulated.faulty_clusters import (
    BUSY_PERIODS_S,
    BUSY_SHARES,
    LATENCY,
    RATE,
    busy_host,
    cases,
    judged,
    switched_cases,
)
from simulated.support import needs_simgrid, run_b_pairs, star

pytestmark = needs_simgrid


@pytest.mark.parametrize(("hosts", "culprit"), [(4, 2), (8, 0), (16, 11)])
def test_pairs_with_a_link_at_a_quarter_of_the_rate(
    tmp_path: Path, hosts: int, culprit: int
) -> None:
    network = star(hosts, bandwidth=RATE, latency=LATENCY, slow={culprit: 0.25})
    result = run_b_pairs(tmp_path, network)
    assert (result["plan"]["unit"], result["plan"]["units"]) == ("host", hosts)
    pairs = pair_map(BPairsResult.model_validate(result))
    mine = (pairs.first == culprit) | (pairs.second == culprit)
    times = np.exp(pairs.times["large"])
    assert times[~mine].max() == pytest.approx(times[~mine].min(), rel=0.05)
    assert times[mine].min() == pytest.approx(4 * times[~mine].min(), rel=0.15)
    alone = zip(result["retests"]["first"], result["retests"]["second"], strict=True)
    assert any(culprit in pair for pair in alone)
    lines = (tmp_path / "b_pairs.journal.jsonl").read_text().splitlines()
    rounds = sum(line.startswith('{"round"') for line in lines)
    assert rounds == 3 * result["plan"]["rounds"]


@pytest.mark.parametrize("hosts", [8, 32])
def test_who_is_called_slow(tmp_path: Path, hosts: int) -> None:
    for case in cases(hosts):
        checked, named = judged(tmp_path, case.network)
        assert (case.name, named, checked.verdict) == (case.name, case.named, case.verdict)


@pytest.mark.parametrize(
    ("hosts", "name"),
    [(hosts, case.name) for hosts in (8, 32) for case in switched_cases(hosts)],
)
def test_who_is_called_slow_behind_switches(tmp_path: Path, hosts: int, name: str) -> None:
    (case,) = (case for case in switched_cases(hosts) if case.name == name)
    checked, named = judged(tmp_path, case.network)
    assert (named, checked.verdict) == (case.named, case.verdict)


@pytest.mark.parametrize("period_s", BUSY_PERIODS_S)
@pytest.mark.parametrize(
    ("share", "suspects"), list(zip(BUSY_SHARES, [None, ("host n3",)], strict=True))
)
def test_a_host_that_is_busy_for_a_part_of_the_time_is_never_slow(
    tmp_path: Path, share: float, suspects: tuple[str, ...] | None, period_s: float
) -> None:
    """Slow rounds last longer: 30 % of the time is some 18 % of the 31 rounds of a look."""
    checked, named = judged(tmp_path, busy_host(tmp_path, share, period_s))
    assert named in ((), ("host n3",)) if suspects is None else named == suspects
    assert (checked.verdict != Verdict.BAD, checked.bad_hosts) == (True, ())
