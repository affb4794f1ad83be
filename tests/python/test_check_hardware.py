"""`beff check`: the networks of the hosts beside each other."""

from __future__ import annotations

import pytest
from test_check import host, roofs_of

from beff.analysis.check.finding import Verdict


@pytest.mark.parametrize(
    ("rates", "verdict"),
    [
        ((8, 0, 0), None),
        ((5, 3, 0), Verdict.BAD),
        ((4, 4, 0), Verdict.UNKNOWN),
        ((3, 5, 0), None),
        ((3, 2, 3), Verdict.BAD),
        ((2, 2, 4), Verdict.UNKNOWN),
    ],
)
def test_a_slower_network_is_bad_beside_a_majority(
    rates: tuple[int, int, int], verdict: Verdict | None
) -> None:
    """So many hosts have 25 GB/s, 12.5 GB/s, and a rate that is not told."""
    untold = {**host("c[1-3]", 1.0), "network": []}
    groups = (host("a[1-3]", 25_000.0), host("b[1-3]", 12_500.0), untold)
    told = [
        {**group, "hosts": f"{group['hosts'][0]}[1-{often}]"}
        for group, often in zip(groups, rates, strict=True)
        if often
    ]
    found = {about: verdict for about, verdict, _ in roofs_of(*told)}
    assert found.get(f"host b[1-{rates[1]}]") == verdict
    assert f"host a[1-{rates[0]}]" not in found
