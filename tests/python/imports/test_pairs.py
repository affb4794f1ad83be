"""`beff import` of pairs.csv: maps that others measured say what ours do, and what they lack."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from math import exp
from pathlib import Path

import numpy as np
import pytest
from slow_hosts.machine import LONG_BYTES as LONG
from slow_hosts.machine import Fault, Machine
from support.commands import run
from support.examples import import_file
from support.machines.measure import flat, map_of, measured_alone

from beff.definition.verify import verify
from beff.judge.finding import Checked, Verdict
from beff.judge.hosts import findings_of
from beff.judge.judge_results import judge_results
from beff.maps.findings import Status
from beff.maps.hosts import NOT_SURE
from beff.maps.judge_pairs import judge_pairs
from beff.maps.pair_map import PairMap, pair_map
from beff.result.b_pairs_result import ImportedPairs
from beff.result.load import Document, check_document


@dataclass(frozen=True)
class Pair:
    """Two hosts and what they took, in ns: both ways at once, and a long message each way."""

    first: str
    second: str
    small: float
    large: float
    there: float
    back: float


def pairs_of(machine: Machine, seed: int) -> list[Pair]:
    """Return a single measurement of each pair."""
    first, second = (ends.astype(np.int64) for ends in np.triu_indices(machine.hosts, 1))
    took = measured_alone(machine, seed, first, second).retests
    ways = (np.exp(took[way]) for way in ("small", "large", "there", "back"))
    rows = zip(first, second, *ways, strict=True)
    return [Pair(f"n{row[0]}", f"n{row[1]}", *map(float, row[2:])) for row in rows]


def times_table(pairs: list[Pair]) -> str:
    """Times of both lengths, with the day; both ways at once."""
    rows = [
        (pair.first, pair.second, size, ns / 1e9)
        for pair in pairs
        for size, ns in ((8, pair.small), (LONG, pair.large))
    ]
    lines = [f"{one},{other},{size},{s:.6e},2026-11-01T10:00:00Z" for one, other, size, s in rows]
    return "\n".join(["from,to,bytes,seconds,when", *lines, ""])


def rates_table(pairs: list[Pair]) -> str:
    """Bandwidths in both directions, with rounds."""
    ways = [
        way
        for pair in pairs
        for way in (
            (pair.first, pair.second, pair.there),
            (pair.second, pair.first, pair.back),
        )
    ]
    lines = [
        f"{one},{other},{LONG},{LONG / ns * 1e3:.3f},{number // 2}"
        for number, (one, other, ns) in enumerate(ways)
    ]
    return "\n".join(["from,to,bytes,MBps,round", *lines, ""])


UNITS, SEEDS = 8, range(20)
SLOW = 5
SHORT_ONE_WAY = ["in long messages only", "in the other direction only"]
NAMES = {f"n{unit}" for unit in range(UNITS)}


def imported(folder: Path, text: str) -> Document:
    """Import a table, which stays in the folder."""
    path = folder / "pairs.csv"
    path.write_text(text, encoding="utf-8")
    (document,) = import_file(path)
    return document


def map_in(document: Document) -> tuple[ImportedPairs, PairMap]:
    assert isinstance(document.result, ImportedPairs)
    return document.result, pair_map(document.result)


def judged(document: Document) -> Checked:
    return judge_results([document])


def seen(checked: Checked) -> list[str]:
    (found,) = (one for one in checked if one.code == "seen")
    return list(found.facts["unseen"])


@pytest.mark.parametrize("table", [times_table, rates_table])
def test_a_table_says_what_our_own_map_says(
    table: Callable[[list[Pair]], str], tmp_path: Path
) -> None:
    clean, slow = flat(UNITS), flat(UNITS, faults=[Fault(2.0, hosts=(SLOW,))])
    for seed in SEEDS:
        for machine, bad in ((clean, frozenset[int]()), (slow, frozenset({SLOW}))):
            pairs = map_of(machine, seed)
            own = Checked(findings_of(pairs, judge_pairs(pairs)))
            assert set(own.bad_hosts) == {f"n{unit}" for unit in bad}
            checked = judged(imported(tmp_path, table(pairs_of(machine, seed))))
            assert checked.verdict == own.verdict
            assert set(checked.bad_hosts) == {f"n{unit}" for unit in bad}
            assert set(checked.good_hosts) == NAMES - set(checked.bad_hosts)


def test_who_is_slow_in_short_messages_alone_is_a_suspect_but_by_its_switch(tmp_path: Path) -> None:
    machine = flat(UNITS, faults=[Fault(2.0, hosts=(SLOW,))])
    lines = ["from,to,bytes,seconds"]
    lines += [f"{p.first},{p.second},8,{p.small / 1e9:.4e}" for p in pairs_of(machine, 1)]
    checked = judged(imported(tmp_path, "\n".join(lines)))
    assert checked.verdict == Verdict.UNKNOWN
    assert checked.open_hosts == (f"n{SLOW}",)
    (tmp_path / "topology.conf").write_text("SwitchName=s0 Nodes=n[0-7]\n", encoding="utf-8")
    run("import", tmp_path / "pairs.csv")
    told = run("check", tmp_path / "pairs.json", "--topology", tmp_path / "topology.conf")
    assert told[0] == 1
    assert "in long messages only" in told[1]


def test_a_host_that_was_slow_before_is_not_good_by_one_sample_of_each_pair(tmp_path: Path) -> None:
    machine = flat(4, faults=[Fault(1.6, hosts=(2,), kinds=("long",))])
    tables = (times_table(pairs_of(machine, seed)) for seed in (1, 2))
    now, before = (pair_map(imported(tmp_path, table).result) for table in tables)
    alone, beside = judge_pairs(now), judge_pairs(now, earlier=[before])
    assert alone.units[2].evidence[0].reason == NOT_SURE
    assert [unit.status for unit in beside.units].count(Status.SUSPECT) == 1
    assert beside.units[2].status == Status.SUSPECT


@pytest.mark.parametrize(
    ("table", "unseen"),
    [
        (rates_table, ["in short messages only"]),
        (times_table, ["in the other direction only"]),
        (lambda pairs: re.sub(".*,1048576,.*\n", "", times_table(pairs)), SHORT_ONE_WAY),
    ],
)
def test_it_is_said_what_could_not_be_seen(
    table: Callable[[list[Pair]], str], unseen: list[str], tmp_path: Path
) -> None:
    assert seen(judged(imported(tmp_path, table(pairs_of(flat(UNITS), 3))))) == unseen


@pytest.mark.parametrize(
    ("table", "times"),
    [
        (times_table, {"small": 2000.0, "large": 100_000.0}),
        (rates_table, {"large": 120_000.0}),
    ],
)
def test_units_are_those_of_the_columns(
    table: Callable[[list[Pair]], str], times: dict[str, float], tmp_path: Path
) -> None:
    """A message of 1 MiB takes 100 us both ways at once, 110 there and 120 back."""
    names = [("n0", "n1"), ("n0", "n2"), ("n1", "n2")]
    pairs = [Pair(*ends, 2000.0, 100_000.0, 110_000.0, 120_000.0) for ends in names]
    document = imported(tmp_path, table(pairs))
    result, met = map_in(document)
    for kind, ns in times.items():
        assert [exp(log) for log in met.times[kind]] == pytest.approx([ns] * 3, rel=1e-3)
    assert {"small", "large"} - times.keys() == {
        kind for kind in ("small", "large") if getattr(result.plan, f"{kind}_bytes") is None
    }
    assert verify(document).agrees
    assert not result.valid


def test_rounds_of_a_table_are_kept_and_repetitions_count(tmp_path: Path) -> None:
    rows = [
        f"{ends},1000000,0.0{number + 1},{number}" for number in (1, 2) for ends in ("a,b", "c,d")
    ]
    text = "\n".join(["from,to,bytes,seconds,round", *rows])
    result, met = map_in(imported(tmp_path, text))
    assert met.rounds.tolist() == [1, 2, 1, 2]
    assert met.units == 4
    assert result.meetings.small_ns is None


TABLE = "from,to,bytes,seconds\na,b,8,1e-6\n"


def test_a_map_is_of_the_day_that_is_said(tmp_path: Path) -> None:
    imported(tmp_path, TABLE)
    assert run("import", tmp_path / "pairs.csv", "--date", "2026-11-01")[0] == 0
    fields = json.loads((tmp_path / "pairs.json").read_text(encoding="utf-8"))
    assert fields["environment"]["started_at"] == "2026-11-01T00:00:00Z"


@pytest.mark.parametrize(
    "change",
    [
        {"meetings": {"first": "0 0", "second": "1 9", "round": None, "small_ns": "5 6"}},
        {"meetings": {"first": "1 0", "second": "0 1", "round": None, "small_ns": "5 6"}},
        {"meetings": {"first": "0", "second": "1", "round": None, "small_ns": None}},
        {"plan": {"units": 3}},
        {"summary": {"latency_us": 3.0}},
    ],
)
def test_damaged_maps_are_found(change: dict[str, dict[str, object]], tmp_path: Path) -> None:
    document = imported(tmp_path, TABLE)
    fields = json.loads(json.dumps(document.fields))
    for part, own in change.items():
        fields[part] |= {"large_ns": None} | own if part == "meetings" else own
    assert not verify(check_document("damaged", fields)).agrees
