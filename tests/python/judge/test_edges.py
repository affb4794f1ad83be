"""Which earlier results count, and from where on a change does: edges computed by hand."""

from __future__ import annotations

import pytest
from support.checks import result
from support.machines.flat import QUIET, flat
from support.machines.result import make_map

from beff.judge.finding import Verdict
from beff.judge.hosts import check_hosts
from beff.judge.judge_results import check_earlier
from beff.result.load import Document, check_document


@pytest.mark.parametrize(
    ("scatter", "slower", "verdict"),
    [
        (0.019, 1.0, Verdict.GOOD),
        (0.023, 1.0, Verdict.UNKNOWN),
        (0.023, 0.98, Verdict.GOOD),
        (0.001, 1.045, Verdict.GOOD),
        (0.001, 1.0515, Verdict.UNKNOWN),
        (0.001, 1.070, Verdict.BAD),
        (0.100, 1.3, Verdict.UNKNOWN),
    ],
)
def test_good_is_what_noise_hides_no_loss_in(
    scatter: float, slower: float, verdict: Verdict
) -> None:
    """Six days, by turns `scatter` quicker and slower: half of the 90 % interval is

    t(5 degrees) * deviation * sqrt(1 + 1/6) = 2.015 * 1.095 * 1.080 * scatter, and 5 % are lost
    from a factor of 1.053 of the times on.
    """
    earlier = [
        check_document(f"{n}.json", result(1 + scatter * (-1) ** n + n * 1e-9, day=1 + n))
        for n in range(6)
    ]
    found = check_earlier([check_document("new.json", result(slower, day=9))], earlier)
    assert [one.verdict for one in found.findings] == [verdict]


def a_map(day: int, state: str) -> Document:
    """A map of a day on which the third host is slow (s) or not (q)."""
    fields = make_map(flat(8, {2: 1.5} if state == "s" else {}, **QUIET), day=day)
    fields["environment"]["started_at"] = f"2026-11-{day + 1:02}T10:00:00Z"
    return check_document(f"{day}.json", fields)


@pytest.mark.parametrize(
    ("days", "bad"),
    [
        ("ssssssqqqqq", ("node3",)),
        ("qqqqqqsssss", ()),
        ("ssssssssqqq", ("node3",)),
        ("qqqqqqqqsss", ()),
        ("qqqqqqqsssqq", ()),
    ],
)
def test_the_newest_five_maps_show_what_is_usual(days: str, bad: tuple[str, ...]) -> None:
    """The oldest first; of five the third decides. Today the host is slow."""
    earlier = [a_map(day, state) for day, state in enumerate(days)]
    for order in (earlier, earlier[::-1]):
        assert check_hosts(a_map(len(days), "s"), earlier=order).bad_hosts == bad
