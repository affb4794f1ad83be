"""The map of pairs on simulated clusters whose links are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from beff.analysis.check.finding import Verdict
from simulated.faulty_clusters import (
    BUSY_PERIODS_S,
    BUSY_SHARES,
    LATENCY,
    RATE,
    SHORTENED,
    busy_host,
    cases,
    judged,
)
from simulated.support import needs_simgrid, run_b_eff, star

pytestmark = needs_simgrid


@pytest.mark.parametrize(("hosts", "culprit"), [(4, 2), (8, 0), (16, 11)])
def test_pairs_with_a_link_at_a_quarter_of_the_rate(
    tmp_path: Path, hosts: int, culprit: int
) -> None:
    network = star(hosts, bandwidth=RATE, latency=LATENCY, slow={culprit: 0.25})
    pairs = run_b_eff(tmp_path, network, network.hosts, *SHORTENED)["pairs"]
    assert (pairs["unit"], pairs["units"]) == ("host", hosts)
    slow_pairs, others = [], []
    for look in pairs["large_ns"]:
        for first, second, ns in zip(pairs["first"], pairs["second"], look, strict=True):
            (slow_pairs if culprit in (first, second) else others).append(ns)
    assert max(others) == pytest.approx(min(others), rel=0.05)
    assert min(slow_pairs) == pytest.approx(4 * min(others), rel=0.15)
    retests = list(zip(pairs["retests"]["first"], pairs["retests"]["second"], strict=True))
    assert all(culprit in pair for pair in retests)
    # two looks and four passes: a run that hangs or dies loses one of them
    lines = (tmp_path / "b_eff.journal.jsonl").read_text().splitlines()
    assert sum(line.startswith('{"pairs"') for line in lines) == 6


@pytest.mark.parametrize("hosts", [8, 16, 64])
def test_who_is_called_slow(tmp_path: Path, hosts: int) -> None:
    for case in cases(hosts):
        checked, named = judged(tmp_path, case.network)
        assert (case.name, named, checked.verdict) == (case.name, case.named, case.verdict)


@pytest.mark.parametrize("period_s", BUSY_PERIODS_S)
@pytest.mark.parametrize(("share", "suspects"), zip(BUSY_SHARES, [None, ("host n3",)], strict=True))
def test_a_host_that_is_busy_for_a_part_of_the_time_is_never_slow(
    tmp_path: Path, share: float, suspects: tuple[str, ...] | None, period_s: float
) -> None:
    """Slow rounds last longer: 30 % of the time is some 18 % of the 31 rounds of a look."""
    checked, named = judged(tmp_path, busy_host(tmp_path, share, period_s))
    assert named in ((), ("host n3",)) if suspects is None else named == suspects
    assert (checked.verdict != Verdict.BAD, checked.bad_hosts) == (True, ())
