"""`beff import` of pairs.csv: maps that others measured say what ours do, and what they lack."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import exp
from pathlib import Path

import pytest
from support.commands import run
from support.machines.faults import Fault
from support.machines.flat import flat
from support.machines.machine import Machine, broken
from support.pair_tables import Pair, by_our_own_map, pairs_of, rates_table, times_table
from support.printed import import_file

from beff.definition.verify import verify
from beff.judge.finding import Checked, Verdict
from beff.judge.hosts import check_hosts
from beff.judge.judge_results import judge_results
from beff.maps.pair_map import PairMap, pair_map
from beff.result.errors import ResultError
from beff.result.imported_pairs import ImportedPairs
from beff.result.load import Document, check_document

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


def short_ones(table: str) -> str:
    return "".join(line for line in table.splitlines(keepends=True) if ",1048576," not in line)


def judged(document: Document) -> Checked:
    return judge_results([document], None, None)


def seen(checked: Checked) -> list[str]:
    (found,) = (one for one in checked.findings if one.code == "seen")
    return list(found.facts["unseen"])


@pytest.mark.parametrize("table", [times_table, rates_table])
def test_a_table_says_what_our_own_map_says(
    table: Callable[[list[Pair]], str], tmp_path: Path
) -> None:
    clean, slow = flat(UNITS), broken(flat(UNITS).topology, Fault(2.0, hosts=(SLOW,)))
    for seed in SEEDS:
        for machine, bad in ((clean, frozenset[int]()), (slow, frozenset({SLOW}))):
            own = by_our_own_map(machine, seed)
            assert set(own.bad_hosts) == {f"n{unit}" for unit in bad}
            checked = judged(imported(tmp_path, table(pairs_of(machine, seed))))
            assert checked.verdict == own.verdict
            assert set(checked.bad_hosts) == {f"n{unit}" for unit in bad}
            assert set(checked.good_hosts) == NAMES - set(checked.bad_hosts)


def test_who_is_slow_in_short_messages_alone_is_a_suspect_but_by_its_switch(tmp_path: Path) -> None:
    machine = broken(flat(UNITS).topology, Fault(2.0, hosts=(SLOW,)))
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


@pytest.mark.parametrize(
    ("table", "unseen"),
    [
        (rates_table, ["in short messages only"]),
        (times_table, ["in the other direction only"]),
        (lambda pairs: short_ones(times_table(pairs)), SHORT_ONE_WAY),
    ],
)
def test_it_is_said_what_could_not_be_seen(
    table: Callable[[list[Pair]], str], unseen: list[str], tmp_path: Path
) -> None:
    assert seen(judged(imported(tmp_path, table(pairs_of(flat(UNITS), 3))))) == unseen


def test_the_slower_direction_counts(tmp_path: Path) -> None:
    machine = broken(flat(UNITS).topology, Fault(2.0, hosts=(SLOW,), one_way=True))
    checked = judged(imported(tmp_path, rates_table(pairs_of(machine, 2))))
    assert checked.bad_hosts == (f"n{SLOW}",)


def test_a_link_that_was_slow_the_only_time_is_a_suspect(tmp_path: Path) -> None:
    machine = broken(flat(UNITS).topology, Fault(3.0, link=(2, 6)))
    checked = judged(imported(tmp_path, times_table(pairs_of(machine, 4))))
    assert checked.verdict == Verdict.UNKNOWN
    assert [one.facts["ends"] for one in checked.findings if one.code == "suspect"] == [
        ("n2", "n6")
    ]


def test_of_hosts_that_met_one_other_each_nothing_is_called_slow_or_good(tmp_path: Path) -> None:
    machine = broken(flat(UNITS).topology, Fault(2.0, hosts=(SLOW,)))
    apart = [p for p in pairs_of(machine, 5) if int(p.first[1:]) + 1 == int(p.second[1:])][::2]
    checked = judged(imported(tmp_path, times_table(apart)))
    assert not checked.bad_hosts
    assert not checked.good_hosts


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
DAMAGED = {
    "cut off": (f"{TABLE}a,c,8\n", "line 3"),
    "without time": ("from,to,bytes\na,b,8\n", "seconds or MBps"),
    "no number": (f"{TABLE}a,c,8,fast\n", "line 3: 'fast'"),
    "no bytes": (f"{TABLE}a,c,-1,1e-6\n", "line 3: bytes is '-1'"),
    "no host": (f"{TABLE},c,8,1e-6\n", "line 3: names no host"),
    "impossible": (f"{TABLE}a,c,8,1e-12\n", "line 3: a time of"),
    "one host": ("from,to,bytes,seconds\na,a,8,1e-6\n", "no measurement"),
    "no date": ("from,to,bytes,seconds,when\na,b,8,1e-6,soon\n", "line 2: 'soon'"),
    "rates of short messages": ("from,to,bytes,MBps\na,b,8,1\n", "no time of short messages"),
    "no table": ("hello\n", "is not an output that can be imported"),
    "no line": ("from,to,bytes,seconds\n", "no measurement"),
}


@pytest.mark.parametrize(("text", "words"), DAMAGED.values(), ids=DAMAGED)
def test_damaged_tables_get_a_sentence(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ResultError, match=r"^[^\n]*$") as problem:
        imported(tmp_path, text)
    assert words in str(problem.value)
    assert run("import", tmp_path / "pairs.csv")[0] == 2
    assert not (tmp_path / "pairs.json").exists()


@pytest.mark.parametrize("table", [times_table, rates_table])
def test_tables_that_are_cut_off_anywhere_are_refused_or_read(
    table: Callable[[list[Pair]], str], tmp_path: Path
) -> None:
    text = table(pairs_of(flat(4), 1))
    for share in range(1, 40):
        try:
            document = imported(tmp_path, text[: len(text) * share // 40])
        except ResultError:
            continue
        check_hosts(document)


def test_wrong_options_are_refused(tmp_path: Path) -> None:
    imported(tmp_path, TABLE)
    table = tmp_path / "pairs.csv"
    for words, more in (
        ("--date soon", ["--date", "soon"]),
        ("--definition 3.5", ["--definition", "3.5"]),
        (".figures.json", ["-o", tmp_path / "x.figures.json"]),
        ("one file for 2 files", [table, "-o", tmp_path / "x.json"]),
        ("is a folder", [tmp_path]),
    ):
        code, told = run("import", *([] if words == "is a folder" else [table]), *more)
        assert code == 2
        assert words in told
    (tmp_path / "figures.csv").write_text("figure,value,unit,when\na,1,s,2026-11-01\n", "utf-8")
    code, told = run("import", tmp_path / "figures.csv", "--date", "2026-11-01")
    assert (code, "--date 2026-11-01" in told) == (2, True)


def test_a_map_is_of_the_day_that_is_said(tmp_path: Path) -> None:
    imported(tmp_path, TABLE)
    assert run("import", tmp_path / "pairs.csv", "--date", "2026-11-01")[0] == 0
    fields = json.loads((tmp_path / "pairs.json").read_text(encoding="utf-8"))
    assert fields["environment"]["started_at"] == "2026-11-01T00:00:00Z"


def fleet_of_imports(folder: Path, slow: Machine) -> Path:
    maps = folder / "maps"
    maps.mkdir()
    for day, machine in enumerate((flat(UNITS), slow, slow), start=1):
        table = times_table(pairs_of(machine, day))
        imported(folder, table.replace("2026-11-01", f"2026-11-0{day}"))
        run("import", folder / "pairs.csv", "-o", maps / f"{day}.json")
    return maps


def test_a_fleet_of_imported_maps_is_judged(tmp_path: Path) -> None:
    slow = broken(flat(UNITS).topology, Fault(2.0, hosts=(SLOW,)))
    maps = fleet_of_imports(tmp_path, slow)
    found = run(
        "nodes", "--fleet", maps, "--show", "--all", "--bad", tmp_path / "bad", "--days", 30000
    )
    assert found[0] == 1
    assert (tmp_path / "bad").read_text(encoding="utf-8") == f"n{SLOW}\n"
    assert "in the other direction only" in found[1]
    imported(tmp_path, rates_table(pairs_of(slow, 9)))
    run("import", tmp_path / "pairs.csv", "-o", maps / "4.json")
    assert "--date" in run("nodes", "--fleet", maps, "--show", "--days", 30000)[1]


def test_a_map_beside_an_earlier_one(tmp_path: Path) -> None:
    maps = fleet_of_imports(tmp_path, broken(flat(UNITS).topology, Fault(1.3, hosts=(SLOW,))))
    found = run("check", maps / "2.json", "--baseline", maps / "1.json")
    assert f"host n{SLOW}: slow" in found[1]
    assert found[0] == 1


@pytest.mark.parametrize("ending", ["html", "md", "txt", "tex", "svg"])
def test_commands_and_reports_take_an_imported_map(ending: str, tmp_path: Path) -> None:
    imported(tmp_path, times_table(pairs_of(flat(UNITS), 1)))
    map_, target = tmp_path / "map.json", tmp_path / f"map.{ending}"
    run("import", tmp_path / "pairs.csv", "-o", map_)
    for line in (["show"], ["verify"], ["check"], ["show", "-o", target]):
        assert run(line[0], map_, *line[1:])[0] == 0
    assert ending == "svg" or "pairs.csv" in target.read_text(encoding="utf-8")


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
