"""The map of pairs on simulated clusters whose links are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from beff.analysis.check.finding import Verdict
from beff.analysis.check.hosts import check_hosts
from beff.model.load import check_document
from beff.simulate.platform import Platform
from simulated.support import leaves, mesh, needs_simgrid, run_b_eff, star, star_with_jitter

pytestmark = needs_simgrid

RATE = 125e6
SHORTENED = ("--sizes", "0", "--patterns", "0", "--repetitions", "1")


@pytest.mark.parametrize(("hosts", "culprit"), [(4, 2), (8, 0), (16, 11)])
def test_pairs_with_a_link_at_a_quarter_of_the_rate(
    tmp_path: Path, hosts: int, culprit: int
) -> None:
    network = star(hosts, bandwidth=RATE, latency=50e-6, slow={culprit: 0.25})
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


@pytest.mark.parametrize(
    ("network", "named", "verdict"),
    [
        (star(8, bandwidth=RATE, latency=50e-6), [], Verdict.GOOD),
        (star(16, bandwidth=RATE, latency=50e-6), [], Verdict.GOOD),
        (star(8, bandwidth=RATE, latency=50e-6, slow={3: 0.5}), ["host n3"], Verdict.BAD),
        (star(16, bandwidth=RATE, latency=50e-6, slow={3: 0.77}), ["host n3"], Verdict.BAD),
        (
            star(16, bandwidth=RATE, latency=50e-6, slow=dict.fromkeys((1, 4, 7, 10, 13), 0.5)),
            ["host n1", "host n4", "host n7", "host n10", "host n13"],
            Verdict.BAD,
        ),
        (mesh(16, bandwidth=RATE, slow={(2, 5): 0.5}), ["link n2 - n5"], Verdict.BAD),
        (
            leaves((4,) * 4, bandwidth=RATE, uplinks=(RATE, 4 * RATE, 4 * RATE, 4 * RATE)),
            ["pairs between n[0-3] and the others"],
            Verdict.UNKNOWN,
        ),
        (leaves((4,) * 4, bandwidth=RATE, uplinks=(4 * RATE,) * 4), [], Verdict.GOOD),
    ],
    ids=lambda value: value.description if isinstance(value, Platform) else None,
)
def test_who_is_called_slow(
    tmp_path: Path, network: Platform, named: list[str], verdict: Verdict
) -> None:
    result = run_b_eff(tmp_path, network, network.hosts, *SHORTENED)
    checked = check_hosts(check_document("simulated", result))
    found = [finding.about for finding in checked.findings if finding.verdict != Verdict.GOOD]
    assert (found, checked.verdict) == (named, verdict)


@pytest.mark.parametrize("period_s", [0.2, 0.5, 1.0])
@pytest.mark.parametrize(("share", "suspects"), [(0.3, None), (0.5, ["host n3"])])
def test_a_host_that_is_busy_for_a_part_of_the_time_is_never_slow(
    tmp_path: Path, share: float, suspects: list[str] | None, period_s: float
) -> None:
    """Slow rounds last longer: 30 % of the time is some 18 % of the 31 rounds of a look."""
    profiles = [[(0.0, RATE)]] * 32
    profiles[3] = [(0.0, RATE), ((1 - share) * period_s, RATE / 2)]
    network = star_with_jitter(tmp_path, profiles, latency=50e-6, loop_after_s=share * period_s)
    result = run_b_eff(tmp_path, network, network.hosts, *SHORTENED)
    checked = check_hosts(check_document("simulated", result))
    found = [finding.about for finding in checked.findings if finding.verdict != Verdict.GOOD]
    assert found in ([], ["host n3"]) if suspects is None else found == suspects
    assert (checked.verdict != Verdict.BAD, checked.bad_hosts) == (True, ())
