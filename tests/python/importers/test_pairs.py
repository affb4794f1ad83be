"""`beff import` of pairs: maps that others measured say what ours do, and what they lack."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import exp
from pathlib import Path

import pytest
from support.commands import run
from support.foreign_logs import FORMATS, LONG, Files, Pair, by_our_own_map, pairs_of
from support.machines.faults import Fault
from support.machines.flat import flat
from support.machines.machine import Machine, broken

from beff.importers.table import import_pairs
from beff.judge.finding import Checked, Verdict
from beff.judge.hosts import check_hosts
from beff.judge.judge_results import judge_results
from beff.maps.pair_map import PairMap, pair_map
from beff.result.errors import ResultError
from beff.result.imported_pairs import ImportedPairs
from beff.result.load import Document, check_document
from beff.verify.verify import verify

MIB = 2**20
UNITS, SEEDS = 8, range(20)
SLOW = 5
NAMES = {f"n{unit}" for unit in range(UNITS)}


def written(folder: Path, files: Files) -> list[Path]:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in sorted(files)]


def imported(folder: Path, files: Files) -> Document:
    document, problems = import_pairs(written(folder, files), None)
    assert not problems
    return document


def map_in(document: Document) -> tuple[ImportedPairs, PairMap]:
    assert isinstance(document.result, ImportedPairs)
    return document.result, pair_map(document.result)


def judged(document: Document) -> Checked:
    return judge_results([document], None, None)


def seen(checked: Checked) -> list[str]:
    (found,) = (one for one in checked.findings if one.code == "seen")
    return list(found.facts["unseen"])


@pytest.mark.parametrize("of", FORMATS.values(), ids=FORMATS)
def test_every_format_says_what_our_own_map_says(
    of: Callable[[list[Pair]], Files], tmp_path: Path
) -> None:
    clean, slow = flat(UNITS), broken(flat(UNITS).topology, Fault(2.0, hosts=(SLOW,)))
    for seed in SEEDS:
        for machine, bad in ((clean, frozenset[int]()), (slow, frozenset({SLOW}))):
            own = by_our_own_map(machine, seed)
            assert set(own.bad_hosts) == {f"n{unit}" for unit in bad}
            checked = judged(imported(tmp_path, of(pairs_of(machine, seed))))
            assert checked.verdict == own.verdict
            assert set(checked.bad_hosts) == {f"n{unit}" for unit in bad}
            assert set(checked.good_hosts) == NAMES - set(checked.bad_hosts)


def test_who_is_slow_in_short_messages_alone_is_a_suspect_but_by_its_switch(tmp_path: Path) -> None:
    machine = broken(flat(UNITS).topology, Fault(2.0, hosts=(SLOW,)))
    lines = ["from,to,bytes,seconds"]
    lines += [f"{p.first},{p.second},8,{p.small / 1e9:.4e}" for p in pairs_of(machine, 1)]
    path = written(tmp_path, {"pairs.csv": "\n".join(lines)})
    document, _ = import_pairs(path, None)
    checked = judged(document)
    assert checked.verdict == Verdict.UNKNOWN
    assert checked.open_hosts == (f"n{SLOW}",)
    (tmp_path / "topology.conf").write_text("SwitchName=s0 Nodes=n[0-7]\n", encoding="utf-8")
    run("import", *path)
    told = run("check", tmp_path / "pairs.json", "--topology", tmp_path / "topology.conf")
    assert told[0] == 1
    assert "in long messages only" in told[1]


@pytest.mark.parametrize(
    ("name", "unseen"),
    [
        ("osu_bw", ["in short messages only"]),
        ("osu_mbw_mr", ["in short messages only", "in the other direction only"]),
        ("clusterkit", ["in one direction only"]),
        ("nccl_tests", []),
        ("imb", []),
    ],
)
def test_it_is_said_what_could_not_be_seen(name: str, unseen: list[str], tmp_path: Path) -> None:
    document = imported(tmp_path, FORMATS[name](pairs_of(flat(UNITS), 3)))
    assert seen(judged(document)) == unseen


@pytest.mark.parametrize("name", ["rates_csv", "osu_bw", "ib_write_bw", "iperf3", "mpigraph"])
def test_the_slower_direction_counts(name: str, tmp_path: Path) -> None:
    machine = broken(flat(UNITS).topology, Fault(2.0, hosts=(SLOW,), one_way=True))
    assert judged(imported(tmp_path, FORMATS[name](pairs_of(machine, 2)))).bad_hosts == (
        f"n{SLOW}",
    )


@pytest.mark.parametrize("name", ["pairs_csv", "mpigraph", "clusterkit"])
def test_a_link_that_was_slow_the_only_time_is_a_suspect(name: str, tmp_path: Path) -> None:
    machine = broken(flat(UNITS).topology, Fault(3.0, link=(2, 6)))
    checked = judged(imported(tmp_path, FORMATS[name](pairs_of(machine, 4))))
    assert checked.verdict == Verdict.UNKNOWN
    assert [one.facts["ends"] for one in checked.findings if one.code == "suspect"] == [
        ("n2", "n6")
    ]


def test_of_two_that_only_met_each_other_neither_is_called_slow(tmp_path: Path) -> None:
    machine = broken(flat(UNITS).topology, Fault(2.0, hosts=(SLOW,)))
    apart = [p for p in pairs_of(machine, 5) if int(p.first[1:]) + 1 == int(p.second[1:])][::2]
    checked = judged(imported(tmp_path, FORMATS["nccl_tests"](apart)))
    assert not checked.bad_hosts
    assert set(checked.open_hosts) == {"n4", "n5"}


@pytest.mark.parametrize(
    ("name", "times"),
    [
        ("pairs_csv", {"small": 2000.0, "large": 100_000.0}),
        ("rates_csv", {"large": 120_000.0}),
        ("nccl_tests", {"small": 2000.0, "large": 100_000.0}),
        ("osu_latency", {"small": 2000.0, "large": 100_000.0}),
        ("osu_bw", {"large": 120_000.0}),
        ("osu_mbw_mr", {"large": 110_000.0}),
        ("imb", {"small": 2000.0, "large": 100_000.0}),
        ("ib_write_bw", {"large": 120_000.0}),
        ("iperf3", {"large": 120_000.0}),
        ("mpigraph", {"large": 120_000.0}),
        ("clusterkit", {"small": 2000.0, "large": 100_000.0 * 32e6 / LONG}),
    ],
)
def test_units_are_those_of_the_program(name: str, times: dict[str, float], tmp_path: Path) -> None:
    """A message of 1 MiB takes 100 us both ways at once, 110 there and 120 back."""
    names = [("n0", "n1"), ("n0", "n2"), ("n1", "n2")]
    pairs = [Pair(*ends, 2000.0, 100_000.0, 110_000.0, 120_000.0) for ends in names]
    document = imported(tmp_path, FORMATS[name](pairs))
    result, met = map_in(document)
    for kind, ns in times.items():
        assert [exp(log) for log in met.times[kind]] == pytest.approx([ns] * 3, rel=1e-3)
    assert {"small", "large"} - times.keys() == {
        kind for kind in ("small", "large") if getattr(result.plan, f"{kind}_bytes") is None
    }
    assert verify(document).agrees
    assert not result.valid


@pytest.mark.parametrize(
    ("unit", "rate"),
    [("MB", 2.0**20), ("MiB", 2.0**20), ("Gb", 125e6)],
)
def test_perftest_means_mebibytes_by_both_names(unit: str, rate: float, tmp_path: Path) -> None:
    text = (
        "   RDMA_Write Bidirectional BW Test\n"
        f" #bytes     #iterations    BW peak[{unit}/sec]    BW average[{unit}/sec]\n"
        " 65536      5000             101.00             100.00         0.1\n"
    )
    document = imported(tmp_path, {"a_b.log": text})
    result, met = map_in(document)
    assert exp(met.times["large"][0]) == pytest.approx(65536 / (100 * rate) * 1e9, rel=1e-4)
    assert result.plan.ways == "both at once"


def test_rounds_of_a_table_are_kept_and_repetitions_count(tmp_path: Path) -> None:
    rows = [
        f"{ends},1000000,0.0{number + 1},{number}" for number in (1, 2) for ends in ("a,b", "c,d")
    ]
    text = "\n".join(["from,to,bytes,seconds,round", *rows])
    result, met = map_in(imported(tmp_path, {"pairs.csv": text}))
    assert met.rounds.tolist() == [1, 2, 1, 2]
    assert met.units == 4
    assert result.meetings.small_ns is None


TABLE = "from,to,bytes,seconds\na,b,8,1e-6\n"
DAMAGED = {
    "pairs.csv cut off": ({"pairs.csv": f"{TABLE}a,c,8\n"}, "line 3"),
    "pairs.csv without time": ({"pairs.csv": "from,to,bytes\na,b,8\n"}, "seconds or MBps"),
    "pairs.csv, unknown column": ({"pairs.csv": "from,to,bytes,usec\na,b,8,1\n"}, "usec"),
    "pairs.csv, no number": ({"pairs.csv": f"{TABLE}a,c,8,fast\n"}, "line 3: 'fast'"),
    "pairs.csv, no bytes": ({"pairs.csv": f"{TABLE}a,c,-1,1e-6\n"}, "line 3: bytes is '-1'"),
    "pairs.csv, no host": ({"pairs.csv": f"{TABLE},c,8,1e-6\n"}, "line 3: ''"),
    "pairs.csv, impossible": ({"pairs.csv": f"{TABLE}a,c,8,1e-12\n"}, "line 3: a time of"),
    "pairs.csv, one host": ({"pairs.csv": "from,to,bytes,seconds\na,a,8,1e-6\n"}, "no measurement"),
    "pairs.csv, no date": (
        {"pairs.csv": "from,to,bytes,seconds,when\na,b,8,1e-6,soon\n"},
        "line 2: 'soon'",
    ),
    "rates of short messages": (
        {"pairs.csv": "from,to,bytes,MBps\na,b,8,1\n"},
        "no time of short messages",
    ),
    "osu of unknown hosts": ({"bw.log": "# OSU MPI Bandwidth Test v7.4\n1 2.0\n"}, "which hosts"),
    "osu broken off": ({"a_b.log": "# OSU MPI Bandwidth Test v7.4\n# Size\n"}, "no figure"),
    "osu of many pairs": (
        {"a_b.log": "# OSU MPI Multiple Bandwidth / Message Rate Test\n# [ pairs: 4 ]\n1 2\n"},
        "sum of 4 pairs",
    ),
    "imb broken off": ({"a_b.log": "# Benchmarking PingPong\n# #processes = 2\n"}, "broke off"),
    "perftest broken off": (
        {"a_b.log": " #bytes #iterations    BW peak[MB/sec]    BW average[MB/sec]\n"},
        "broke off",
    ),
    "iperf3 of an error": (
        {"a_b.json": '{"start": {}, "end": {}, "error": "unable to connect"}'},
        "unable to connect",
    ),
    "iperf3, impossible": (
        {
            "a_b.json": '{"start": {"test_start": {"blksize": 8}}, "end":'
            ' {"sum_received": {"bits_per_second": 1e-9}}}'
        },
        "a time of",
    ),
    "iperf3 broken off": ({"a_b.json": '{"start": {}, "end": {}}'}, "broke off"),
    "iperf3 cut off": ({"a_b.json": '{"start": {}, "end": {'}, "JSON"),
    "mpiGraph cut off": (
        {"m.out": "START mpiGraph v1.5\nMsgSize\t8\nSend\ta:0\tb:1\n"},
        "broke off",
    ),
    "clusterkit cut off": (
        {"bandwidth.txt": "Rank: 0 1\n  0 (a): 0.0 1.0\nMinimum bandwidth: 1\n"},
        "1 rows of 2",
    ),
    "nothing known": ({"x.log": "hello\n"}, "is not an output that can be imported"),
}


@pytest.mark.parametrize(("files", "words"), DAMAGED.values(), ids=DAMAGED)
def test_damaged_files_get_a_sentence(files: Files, words: str, tmp_path: Path) -> None:
    with pytest.raises(ResultError, match=r"^[^\n]*$") as problem:
        import_pairs(written(tmp_path, files), None)
    assert words in str(problem.value)
    assert run("import", *written(tmp_path, files), "-o", tmp_path / "map.json")[0] in {
        1,
        2,
    }


@pytest.mark.parametrize("of", FORMATS.values(), ids=FORMATS)
def test_logs_that_are_cut_off_anywhere_are_refused_or_read(
    of: Callable[[list[Pair]], Files], tmp_path: Path
) -> None:
    files = of(pairs_of(flat(4), 1))
    name = sorted(files)[0]
    for share in range(1, 40):
        cut = files[name][: len(files[name]) * share // 40]
        try:
            document, _ = import_pairs(written(tmp_path, {name: cut}), None)
        except ResultError:
            continue
        check_hosts(document)


def test_broken_logs_are_left_out_and_named(tmp_path: Path) -> None:
    files = FORMATS["nccl_tests"](pairs_of(flat(UNITS), 1))
    logs = tmp_path / "logs"
    logs.mkdir()
    paths = written(logs, {**files, "0.log": files["0.log"].partition("#       size")[0]})
    document, problems = import_pairs(paths, "2026-11-01T10:00:00Z")
    assert [str(problem).partition(": ")[0] for problem in problems] == [str(paths[0])]
    made = run("import", logs, "-o", tmp_path / "map.json", "--date", "2026-11-01")
    assert made[0] == 0
    assert "left out" in made[1]
    fields = json.loads((tmp_path / "map.json").read_text(encoding="utf-8"))
    assert fields["environment"]["started_at"] == "2026-11-01T00:00:00Z"
    assert len(fields["meetings"]["first"].split()) == UNITS * (UNITS - 1) // 2 - 1
    assert document.result.environment.processes == UNITS


def test_wrong_options_are_refused(tmp_path: Path) -> None:
    paths = written(tmp_path, FORMATS["nccl_tests"](pairs_of(flat(4), 1)))
    assert "--output" in run("import", *paths)[1]
    table = written(tmp_path, {"pairs.csv": TABLE})
    assert "--date soon" in run("import", *table, "--date", "soon")[1]
    assert "--definition" in run("import", *table, "--definition", "3.5")[1]
    mixed = run("import", *table, *paths, "-o", tmp_path / "map.json")
    assert mixed[0] != 0
    assert "one map is of one" in mixed[1]
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "without files" in run("import", empty)[1]


def fleet_of_imports(folder: Path, slow: Machine) -> Path:
    maps = folder / "maps"
    maps.mkdir()
    for day, machine in enumerate((flat(UNITS), slow, slow), start=1):
        table = FORMATS["pairs_csv"](pairs_of(machine, day))["pairs.csv"]
        path = written(folder, {"pairs.csv": table.replace("2026-11-01", f"2026-11-0{day}")})
        run("import", *path, "-o", maps / f"{day}.json")
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
    table = FORMATS["rates_csv"](pairs_of(slow, 9))
    run("import", *written(tmp_path, table), "-o", maps / "4.json")
    assert "--date" in run("nodes", "--fleet", maps, "--show", "--days", 30000)[1]


def test_a_map_beside_an_earlier_one_of_the_same_program(tmp_path: Path) -> None:
    maps = fleet_of_imports(tmp_path, broken(flat(UNITS).topology, Fault(1.3, hosts=(SLOW,))))
    found = run("check", maps / "2.json", "--baseline", maps / "1.json")
    assert f"host n{SLOW}: slow" in found[1]
    assert found[0] == 1


@pytest.mark.parametrize("ending", ["html", "md", "txt", "tex", "svg"])
def test_commands_and_reports_take_an_imported_map(ending: str, tmp_path: Path) -> None:
    path = written(tmp_path, FORMATS["clusterkit"](pairs_of(flat(UNITS), 1)))
    map_, target = tmp_path / "map.json", tmp_path / f"map.{ending}"
    run("import", *path, "-o", map_)
    for line in (["show"], ["verify"], ["check"], ["report", "-o", target]):
        assert run(line[0], map_, *line[1:])[0] == 0
    assert ending == "svg" or "ClusterKit" in target.read_text(encoding="utf-8")


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
    document = imported(tmp_path, {"pairs.csv": TABLE})
    fields = json.loads(json.dumps(document.fields))
    for part, own in change.items():
        fields[part] |= {"large_ns": None} | own if part == "meetings" else own
    assert not verify(check_document("damaged", fields)).agrees
