"""A run whose processes did not have their time is noisy, and its host busy, which is open."""

from __future__ import annotations

from typing import Any

import pytest
from support.io_results import make_io_result
from support.machines.flat import flat
from support.machines.result import make_map
from support.results import Plan, make_result

from beff.judge.finding import Verdict
from beff.judge.hardware import check_load
from beff.judge.judge_results import judge_results
from beff.report.parts.sentences import cautions_of
from beff.result.errors import ResultError
from beff.result.load import Document, check_document
from beff.verify.analysis import Steadiness, analysis_of

PLAN = Plan(processes=4, hosts=(1, 1, 1, 1))
ELAPSED_MS = 20_000


def with_load(fields: dict[str, Any], **columns: str) -> Document:
    hosts = len(fields["environment"]["hosts"])
    unknown = " ".join("-" * hosts)
    names = ("others_ms", "stolen_ms", "waited_ms", "throttled_ms")
    load = {"elapsed_ms": " ".join([str(ELAPSED_MS)] * hosts), **dict.fromkeys(names, unknown)}
    return check_document("a.json", {**fields, "load": {**load, **columns}})


@pytest.mark.parametrize(
    ("columns", "busy", "words"),
    [
        ({}, [], ""),
        ({"others_ms": "0 20 1000 0"}, [], ""),  # 5 %
        (
            {"others_ms": "0 20 1200 0"},
            ["node3"],
            "other programs had 6 % of the time of a process on node3",
        ),
        ({"stolen_ms": "2000 0 0 -"}, ["node1"], "the hypervisor took 10 % of the time"),
        (
            {"throttled_ms": "- - - 10000"},
            ["node4"],
            "a quota kept processes from running for 50 %",
        ),
        ({"waited_ms": "20000 20000 20000 20000"}, [], ""),  # one of many always waits
        (
            {"others_ms": "1200 0 0 0", "stolen_ms": "0 3000 0 0"},
            ["node1", "node2"],
            "took 15 % of the time of a process on node2, one of 2 such hosts",
        ),
    ],
)
def test_a_host_that_others_keep_busy_is_named(
    columns: dict[str, str], busy: list[str], words: str
) -> None:
    document = with_load(make_result(PLAN), **columns)
    found = check_load(document)
    assert (found.bad_hosts, list(found.open_hosts)) == ((), busy)
    assert [finding.about for finding in found.findings] == [f"host {name}" for name in busy]
    assert {finding.verdict for finding in found.findings} <= {Verdict.UNKNOWN}
    noisy = [caution for caution in cautions_of(document) if caution.startswith("noisy: ")]
    assert analysis_of(document).steadiness == (Steadiness.NOISY if busy else Steadiness.QUIET)
    assert len(noisy) == (1 if busy else 0)
    assert words in "".join(noisy)


def test_maps_and_files_are_noisy_by_load_alone() -> None:
    for fields in (make_map(flat(4)), make_io_result()):
        hosts = len(fields["environment"]["hosts"])
        quiet = with_load(fields, others_ms=" ".join(["0"] * hosts))
        busy = with_load(fields, others_ms=" ".join(["9000"] * hosts))
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
    found = judge_results([with_load(make_map(flat(8, slow=slow)), **columns)], None, None)
    assert found.bad_hosts == ("node1",)
    assert {*found.open_hosts} == {f"node{8 - number}" for number in range(busy)}
    assert len(found.good_hosts) == 7 - busy
    assert "busy" in {one.code for one in found.findings if one.about == "host node8"}


@pytest.mark.parametrize("column", STARVED)
def test_a_map_of_busy_hosts_calls_nobody_slow_or_good(column: str) -> None:
    """Nor by earlier maps, and not a link or a machine."""
    machine = flat(8, slow={0: 2.0}, links={(3, 4): 3.0})
    busy = with_load(make_map(machine), **{column: " ".join(["0"] * 5 + [STARVED[column]] * 3)})
    before = [check_document(f"{day}.json", make_map(flat(8), day=day)) for day in (1, 2, 3)]
    for earlier in (None, before):
        found = judge_results([busy], None, earlier)
        assert found.verdict == Verdict.UNKNOWN
        assert (found.bad_hosts, found.good_hosts, len(found.open_hosts)) == ((), (), 8)
        assert any(one.code == "map calls none slow" for one in found.findings)


@pytest.mark.parametrize("column", STARVED)
def test_a_map_of_busy_hosts_is_no_baseline(column: str) -> None:
    quiet = check_document("a.json", make_map(flat(8)))
    busy = with_load(make_map(flat(8), day=1), **{column: " ".join([STARVED[column]] * 8)})
    told = judge_results([quiet], None, [busy]).findings
    assert any(one.code == "no earlier map" for one in told)


def test_the_load_is_that_of_all_hosts() -> None:
    with pytest.raises(ResultError, match="others_ms"):
        with_load(make_result(PLAN), others_ms="0 0 0")
    with pytest.raises(ResultError, match="stolen_ms"):
        with_load(make_result(PLAN), stolen_ms="0 0 x 0")
