"""`beff nodes`, also --fleet: order of what it prints, and wrong use."""

import json
import os
import re
import signal
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.checks import host, port, roofs_fields, wires
from support.fleet_folder import map_fields, require_dashboard, write_map
from support.machines.measure import QUIET, flat
from support.machines.result import derived, make_map
from support.reports import beff_process, run_beff, written

from beff.cli import nodes
from beff.cli.common import exit_codes
from beff.cli.fleet import answer_by_fleet
from beff.cli.measuring.benchmarks import B_PAIRS, RunOptions, stall_limit_s
from beff.cli.measuring.request import benchmarks_of
from beff.judge.finding import USUAL
from beff.judge.judge_results import judge_results
from beff.launch.allocation import Cores, hosts_of_job
from beff.launch.campaign import Left, Shown, Start
from beff.launch.launcher import Flavour, Launcher
from beff.launch.process import Ended
from beff.launch.target import Target
from beff.result.host_list import fold_host_list
from beff.result.load import check_document, load_document
from beff.result.places import JOURNAL_SUFFIX
from golden.network import Network


def printed(fields: dict[str, Any]) -> str:
    """What is printed of a map that was measured."""
    document = check_document("a.json", fields)
    with redirect_stdout(StringIO()) as said:
        nodes.answer_by_map(document, judge_results([document]), "", {}, show_all=True)
    return said.getvalue()


def named(fields: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Give the first hosts of a result other names."""
    environment = fields["environment"]
    for each, name in zip(environment["hosts"], names, strict=False):
        each["name"] = name
    environment["host_list"] = fold_host_list([each["name"] for each in environment["hosts"]])
    return fields


def drained(told: str) -> list[str]:
    return [line for line in told.splitlines() if line.startswith("drain")]


def test_a_command_to_drain_for_each_reason() -> None:
    sent = {"eth0": "1000000 0" + " 1000000" * 6, "eth1": "0 1000000" + " 0" * 6}
    ports = (port(name, "ethernet", columns) for name, columns in sent.items())
    silent = {"pass": 2, "round": 6, "silent": [7], "waiting": []}
    carried = wires("1000000x8", *ports)
    fields = make_map(flat(8, slow={3: 2.0}), no_answer=silent, wires=carried)
    assert drained(printed(fields)) == [
        f"drain: scontrol update nodename={host} state=drain reason='beff nodes: {reason}'"
        for host, reason in (("node4", "slow"), ("node8", "no answer"), ("node2", "other wire"))
    ]


@pytest.mark.parametrize("name", ["n1 n2", "n1;reboot", "n1'", "n1\n2", "$(x)", "n[1-3]"])
def test_a_name_that_is_no_plain_word_is_in_no_list(name: str, tmp_path: Path) -> None:
    fields = named(make_map(flat(8, slow={0: 2.0})), [name])
    assert drained(printed(fields)) == []
    result, bad, good = written(tmp_path, "a.json", fields), tmp_path / "bad", tmp_path / "good"
    done = run_beff("check", result, "--bad", bad, "--good", good)
    assert bad.read_text() == ""
    assert repr(name.replace("\n", "?")) in done.stderr


def run_of(fields: dict[str, Any] | None, exit_code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have `beff nodes` find a result as if it were measured."""

    def once(start: Start, _: Shown) -> Left:
        document = None if fields is None else check_document(str(start.file(".json")), fields)
        by_hand = exit_code == exit_codes.STOPPED
        ended = Ended(exit_code, stopped_by=signal.SIGINT if by_hand else None)
        return Left(start, ended, document)

    target = Target(Path("b_pairs"), Launcher(Path("mpiexec"), Flavour.HYDRA), Cores(4, 4, None))
    monkeypatch.setattr(nodes, "made", once)
    monkeypatch.setattr(nodes, "targets_of", lambda *_: {B_PAIRS: target})


EIGHT, LISTS = ("nodes", "--processes", "8"), ("--bad", "bad", "--good", "good")


@pytest.mark.parametrize("ended", [exit_codes.OK, exit_codes.FAILED, exit_codes.STOPPED])
@pytest.mark.parametrize("slow", [{}, {3: 2.0}])
def test_the_worse_of_run_and_verdict_is_the_code(
    ended: int, slow: dict[int, float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_of(make_map(flat(8, slow=slow)), ended, monkeypatch)
    code = run_beff(*EIGHT, *LISTS, folder=tmp_path).returncode
    assert code == exit_codes.worst([ended, exit_codes.FAILED if slow else exit_codes.OK])
    assert (tmp_path / "bad").read_text() == ("node4\n" if slow else "")
    assert len((tmp_path / "good").read_text().split()) == 8 - len(slow)


def test_a_slower_machine_is_bad_and_no_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slower = make_map(flat(8, **QUIET, natural=(3.0,) * 8, model="max"))
    run_of(slower, exit_codes.OK, monkeypatch)
    (tmp_path / "earlier").mkdir()
    for day in (1, 2, 3):
        written(tmp_path, f"earlier/{day}.json", make_map(flat(8, **QUIET), day=day))
    (tmp_path / "earlier" / "damaged.json").write_text("{", "utf-8")
    done = run_beff(*EIGHT, *LISTS, "--baseline", "earlier", folder=tmp_path)
    assert done.returncode == exit_codes.FAILED
    assert "damaged.json" in done.stderr
    assert [(tmp_path / name).read_text() for name in ("bad", "good")] == ["", ""]
    assert "bad: all hosts (3.00 times as long)\n" in done.stdout
    assert "all hosts take 3.00 times as long as before" in done.stdout
    assert drained(done.stdout) == []


@pytest.mark.parametrize("is_new", [True, False])
def test_what_a_run_that_was_cut_off_has_measured_is_judged(
    is_new: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_of(None, exit_codes.FAILED, monkeypatch)
    journal = tmp_path / f"b_pairs_8p{JOURNAL_SUFFIX}"
    text = Network(slow={(3,): 2.0}).b_pairs(stop_after=15)[1]

    def cut_off(start: Start, _: Shown) -> Left:
        journal.write_text(text)
        return Left(start, Ended(exit_codes.FAILED), has_journal=True)

    if is_new:
        monkeypatch.setattr(nodes, "made", cut_off)
    else:
        journal.write_text(text)
    given = ("--output-dir", ".", "--bad", "bad", "--overwrite")
    done = run_beff(*EIGHT, *given, folder=tmp_path)
    assert done.returncode == exit_codes.FAILED
    assert (tmp_path / "bad").exists() == is_new
    if is_new:
        assert (tmp_path / "bad").read_text() == "h3\n"
        assert f"more: beff check {journal.name} --all" in done.stdout.splitlines()


def test_no_list_where_nothing_was_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_of(make_map(flat(3)), exit_codes.OK, monkeypatch)
    done = run_beff("nodes", "--processes", "4", *LISTS, folder=tmp_path)
    assert done.returncode == 3
    assert "--bad bad: not written, as no host was judged" in done.stderr
    assert "3 hosts cannot be judged: it takes 4" in done.stdout
    assert "--expect" not in done.stdout
    assert {"bad", "good"}.isdisjoint(path.name for path in tmp_path.iterdir())


@pytest.mark.parametrize("ending", [".json", ".txt", JOURNAL_SUFFIX])
def test_lists_replace_no_file_of_the_run(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_of(make_map(flat(8)), exit_codes.OK, monkeypatch)
    given = ("--output-dir", ".", "--bad", f"b_pairs_8p{ending}", "--overwrite")
    done = run_beff(*EIGHT, *given, folder=tmp_path)
    assert done.returncode == exit_codes.WRONG_USAGE
    assert f"--bad b_pairs_8p{ending}: is the file of " in done.stderr


@pytest.mark.parametrize(
    ("hosts", "names"), [("3", ["b_eff", "b_eff_io"]), ("4", ["b_eff", "b_eff_io", "b_pairs"])]
)
def test_a_run_in_a_job_of_four_hosts_measures_pairs_as_well(
    hosts: str, names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    monkeypatch.setenv("SLURM_JOB_NUM_NODES", hosts)
    assert benchmarks_of(RunOptions(), hosts_of_job()) == names
    assert benchmarks_of(RunOptions(benchmark=["b_pairs"]), 0) == ["b_pairs"]


def test_a_real_run_on_one_host(tmp_path: Path) -> None:
    """The units are processes, of which no list is made."""
    quick = ("--memory-per-process", "4MiB", "--", "--duration", "200ms")
    run = beff_process("nodes", "-n", "4", "--output-dir", "out", *quick, cwd=tmp_path)
    assert run.returncode in (0, 1, 3), run.stderr
    result = json.loads((tmp_path / "out" / "b_pairs_4p.json").read_text())
    assert result["plan"]["unit"] == "process"
    verdicts = {0: "good", 1: "bad", 3: "inconclusive"}
    assert re.search(rf"^{verdicts[run.returncode]}\b", run.stdout, re.MULTILINE)


def test_lists_and_drain_commands_hold_the_names_of_slurm(tmp_path: Path) -> None:
    fields = make_map(flat(8, slow={3: 2.0}))
    hosts = fields["environment"]["hosts"]
    for number, each in enumerate(hosts, 1):
        each |= {"name": f"n{number}.cluster.example", "node": f"n{number}"}
    fields["environment"]["host_list"] = ",".join(each["name"] for each in hosts)
    result, good, bad = written(tmp_path, "a.json", fields), tmp_path / "good", tmp_path / "bad"
    assert run_beff("check", result, "--good", good, "--bad", bad).returncode == 1
    assert good.read_text("utf-8").split() == ["n1", "n2", "n3", "n5", "n6", "n7", "n8"]
    assert bad.read_text("utf-8").split() == ["n4"]
    told = printed(fields)
    assert "good together: n[1-3,5-8] (7 of 8)" in told
    assert "nodename=n4 " in told


@pytest.mark.parametrize("options", [["--duration", "6h"], ["--duration=6h", "--rounds", "all"]])
def test_a_rest_between_passes_is_no_stall(options: list[str]) -> None:
    """Passes of a run on thousands of hosts begin every 2 h here."""
    short_s = stall_limit_s(B_PAIRS, [])
    assert stall_limit_s(B_PAIRS, options) == short_s + 2 * 3600
    assert stall_limit_s(B_PAIRS, ["--time-limit", "5h"]) == short_s


# --- --fleet DIR --show: what all maps of a folder say of every host ---

MAPS = (
    (25, ("n1", "n2", "n3", "n4", "n5")),
    (20, ("n3", "n4", "n5", "n6", "n7")),
    (15, ("n1", "n5", "n6", "n8")),
    (8, ("n2", "n3", "n6", "n7", "n8")),
)


def fleet(folder: Path, maps: tuple[tuple[int, tuple[str, ...]], ...], **slow: float) -> Path:
    for seed, (ago, names) in enumerate(maps, 1):
        write_map(folder, map_fields(names, ago, slow if ago < 18 else {}, seed))
    return folder


def said(folder: Path, *options: object) -> int:
    return run_beff("nodes", "--fleet", folder, "--show", *options).returncode


@pytest.mark.parametrize(("factor", "code"), [(1.0, 0), (1.4, 3)])
def test_a_map_of_two_that_was_just_measured_is_judged_by_the_fleet(
    tmp_path: Path, factor: float, code: int
) -> None:
    folder = fleet(tmp_path / "maps", MAPS)
    path = write_map(folder, map_fields(("n3", "n8"), 0.1, {"n8": factor}, seed=9))
    tonight = load_document(path)
    alone = judge_results([tonight])
    given = SimpleNamespace(fleet=folder, days=30, hosts=None, show_all=False)
    assert answer_by_fleet(given, USUAL, {}, (tonight, alone)) == code


def test_a_host_of_a_slower_network_is_bad_whatever_it_took(tmp_path: Path) -> None:
    folder = fleet(tmp_path / "maps", MAPS)
    fields = map_fields(("n1", "n2", "n3", "n4"), 1, seed=9)
    fields["roofs"] = roofs_fields(None, host("n[1-3]", 25_000.0), host("n4", 12_500.0))
    write_map(folder, derived(fields))
    assert said(folder) == 1
    assert said(folder, "--hosts", "n4") == 1
    assert said(folder, "--hosts", "n3") == 0


def test_a_machine_that_is_slower_as_a_whole_is_bad(tmp_path: Path) -> None:
    folder = fleet(tmp_path / "maps", MAPS)
    names = ("n1", "n2", "n3", "n4")
    write_map(folder, map_fields(names, 1, dict.fromkeys(names, 3.0), seed=9))
    assert said(folder) == 1


def test_a_map_that_does_not_verify_is_left_out(tmp_path: Path) -> None:
    folder = fleet(tmp_path / "maps", MAPS)
    fields = map_fields(("n1", "n2", "n3", "n4"), 1, {"n1": 2.0})
    fields["summary"]["latency_us"] *= 2
    path = write_map(folder, fields)
    bad, good = tmp_path / "bad", tmp_path / "good"
    bad.write_text("n3\n")
    given = ("--bad", bad, "--good", good, "--overwrite")
    done = run_beff("nodes", "--fleet", folder, "--show", *given)
    assert done.returncode == 3
    assert f"{path}" in done.stderr
    assert bad.read_text() == "n3\n"
    assert "n3" not in good.read_text().split()
    path.unlink()
    assert said(folder, *given) == 0
    assert bad.read_text() == ""


def test_hosts_of_one_name_cannot_be_told_apart(tmp_path: Path) -> None:
    fields = map_fields(("n1", "n1", "n1", "n1"), 1)
    write_map(tmp_path / "maps", fields)
    assert said(tmp_path / "maps") == 2


def test_a_map_of_which_a_sample_was_changed_is_that_map(tmp_path: Path) -> None:
    folder = fleet(tmp_path / "maps", MAPS)
    fields = map_fields(("n1", "n2", "n3", "n4"), 2, seed=8)
    write_map(folder, fields)
    column = fields["passes"]["small_ns"][0]
    column[0] = re.sub(r"\d+", lambda first: f"{int(first[0]) + 1}", column[0], count=1)
    fields["environment"]["started_at"] = fields["environment"]["finished_at"]
    write_map(folder / "copy", derived(fields))
    done = run_beff("nodes", "--fleet", folder, "--show")
    assert done.returncode == 0
    assert "holds samples of" in done.stderr


def test_the_dashboard_asks_for_metrics_that_are_written(tmp_path: Path) -> None:
    said(fleet(tmp_path / "maps", MAPS, n8=1.4), "-o", str(tmp_path / "fleet.prom"))
    require_dashboard(tmp_path / "fleet.prom")


def test_a_bad_host_of_no_map_stays_so(tmp_path: Path) -> None:
    bad = tmp_path / "bad"
    bad.write_text("other\n")
    assert said(fleet(tmp_path / "maps", MAPS), "--bad", str(bad), "--overwrite") == 0
    assert bad.read_text() == "other\n"


def test_a_machine_that_is_made_up_has_one_slow_host(tmp_path: Path) -> None:
    told, settings = ("--bad", "bad", "-o", "fleet.csv"), {**os.environ, "TMPDIR": str(tmp_path)}
    done = beff_process("nodes", "--demo", *told, cwd=tmp_path, env=settings)
    assert (done.returncode, (tmp_path / "bad").read_text()) == (1, "n17\n")
    assert done.stdout.startswith("63 hosts: 62 good, 1 slow (n17, 1.29 times)\n")
    assert "made-up machine, nothing was measured" in done.stderr
    assert len((tmp_path / "fleet.csv").read_text().splitlines()) == 1 + 63
