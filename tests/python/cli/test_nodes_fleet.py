"""`beff nodes --fleet DIR --show`: what all maps of a folder say of every host."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.checks import host, roofs_fields
from support.fleet_folder import map_fields, write_map
from support.machines.result import derived

from beff.cli.app import main
from beff.cli.fleet import answer_by_fleet
from beff.judge.finding import USUAL
from beff.judge.judge_results import judge_results
from beff.result.load import load_document

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


def said(folder: Path, *options: str) -> int:
    return main(["nodes", "--fleet", str(folder), "--show", *options])


def lists(folder: Path, *options: str) -> tuple[int, dict[str, list[str]]]:
    files = {name: folder.parent / name for name in ("good", "bad", "due")}
    targets = [word for name, path in files.items() for word in (f"--{name}", str(path))]
    code = said(folder, *targets, "--overwrite", *options)
    return code, {name: path.read_text().split() for name, path in files.items()}


def test_a_host_that_two_maps_show_is_bad_until_it_is_measured_good(tmp_path: Path) -> None:
    folder = fleet(tmp_path / "maps", MAPS, n8=1.4)
    code, found = lists(folder, "--days", "5")
    assert code == 1
    assert found["bad"] == ["n8"]
    write_map(folder, map_fields(("n1", "n2", "n8", "n9"), 1, seed=9))
    code, found = lists(folder)
    assert code == 0
    assert found["bad"] == []
    assert "n8" in found["good"]


def test_two_hosts_are_enough_beside_a_fleet(tmp_path: Path) -> None:
    folder = fleet(tmp_path / "maps", MAPS, n8=1.4)
    write_map(folder, map_fields(("n3", "n8"), 1, seed=9))
    assert said(folder, "--hosts", "n8") == 0
    assert said(folder, "--hosts", "n3,n8") == 0
    write_map(folder, map_fields(("n3", "n8"), 0.5, {"n8": 1.4}, seed=10))
    assert said(folder, "--hosts", "n8") == 3
    write_map(folder, map_fields(("n2", "n7", "n8"), 0.1, {"n8": 1.4}, seed=11))
    assert said(folder, "--hosts", "n8") == 1
    assert said(folder, "--hosts", "n7") == 0


@pytest.mark.parametrize(("factor", "code"), [(1.0, 0), (1.4, 3)])
def test_a_map_of_two_that_was_just_measured_is_judged_by_the_fleet(
    tmp_path: Path, factor: float, code: int
) -> None:
    asked = fleet(tmp_path / "maps", MAPS)
    path = write_map(asked, map_fields(("n3", "n8"), 0.1, {"n8": factor}, seed=9))
    tonight = load_document(path)
    alone = judge_results([tonight], None, None)
    assert answer_by_fleet(asked, USUAL, {}, (tonight, alone)) == code


def test_lists_hold_all_hosts_whichever_were_asked_for(tmp_path: Path) -> None:
    code, found = lists(fleet(tmp_path / "maps", MAPS, n8=1.4), "--hosts", "n1")
    assert code == 0
    assert found["bad"] == ["n8"]


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


def test_a_map_that_does_not_verify_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = fleet(tmp_path / "maps", MAPS)
    fields = map_fields(("n1", "n2", "n3", "n4"), 1, {"n1": 2.0})
    fields["summary"]["latency_us"] *= 2
    path = write_map(folder, fields)
    bad, good = tmp_path / "bad", tmp_path / "good"
    bad.write_text("n3\n")
    assert said(folder, "--bad", str(bad), "--good", str(good), "--overwrite") == 3
    assert f"{path}" in capsys.readouterr().err
    assert bad.read_text() == "n3\n"
    assert "n3" not in good.read_text().split()
    path.unlink()
    assert said(folder, "--bad", str(bad), "--good", str(good), "--overwrite") == 0
    assert bad.read_text() == ""


def test_a_bad_host_of_no_map_stays_so(tmp_path: Path) -> None:
    bad = tmp_path / "bad"
    bad.write_text("other\n")
    assert said(fleet(tmp_path / "maps", MAPS), "--bad", str(bad), "--overwrite") == 0
    assert bad.read_text() == "other\n"


def test_a_map_of_which_a_sample_was_changed_is_that_map(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = fleet(tmp_path / "maps", MAPS)
    fields = map_fields(("n1", "n2", "n3", "n4"), 2, seed=8)
    write_map(folder, fields)
    column = fields["passes"]["small_ns"][0]
    first, *others = column[0].split()
    column[0] = " ".join([str(int(first) + 1), *others])
    fields["environment"]["started_at"] = fields["environment"]["finished_at"]
    write_map(folder / "copy", derived(fields))
    assert said(folder) == 0
    assert "holds samples of" in capsys.readouterr().err


def test_maps_that_do_not_count_are_named_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = fleet(tmp_path / "maps", MAPS)
    twice = map_fields(("n1", "n2", "n3", "n4"), 2, seed=8)
    write_map(folder, twice)
    write_map(folder / "copy", twice)
    write_map(folder, map_fields(("n1", "n2", "n3", "n4"), -3, {"n1": 2.0}))
    newest = map_fields(("n1", "n2", "n3", "n4"), 0.1, {"n1": 1.0}, seed=9)
    assert said(folder) == 0
    assert len(capsys.readouterr().err.splitlines()) == 2
    newest["plan"]["per_host"] = newest["options"]["map_per_host"] = "one"
    write_map(folder, derived(newest))
    assert said(folder) == 0
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 3
    assert any("and 4 more" in line and "processes of a host" in line for line in errors)


def test_hosts_of_one_name_cannot_be_told_apart(tmp_path: Path) -> None:
    fields = map_fields(("n1", "n1", "n1", "n1"), 1)
    write_map(tmp_path / "maps", fields)
    assert said(tmp_path / "maps") == 2


@pytest.mark.parametrize(
    "options",
    [
        ["--show"],
        ["--due", "due"],
        ["--hosts", "n1"],
        ["--fleet", "none", "--show"],
        ["--fleet", ".", "--show", "--days", "0"],
        ["--fleet", ".", "--show", "--hosts", "n[1-"],
        ["--fleet", ".", "--show", "--baseline", "."],
        ["--fleet", ".", "--processes", "1"],
    ],
)
def test_options_that_do_not_go_together_are_refused(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["nodes", *options]) == 2
