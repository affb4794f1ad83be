"""`beff check --baseline`: results against earlier ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.checks import result, write
from support.results import Plan, make_result

from beff.cli.app import main
from beff.judge.day_rule import Word
from beff.judge.judge_results import check_earlier
from beff.result.load import check_document
from beff.result.numbers import format_size


def days_of(folder: Path, days: int = 6) -> None:
    for number in range(days):
        write(folder / f"{number}.json", result(1 + number / 5000, day=1 + number))


@pytest.mark.parametrize(("slower", "code"), [(1.0005, 0), (1.5, 1)])
def test_earlier_results(slower: float, code: int, tmp_path: Path) -> None:
    days_of(tmp_path / "old")
    file = write(tmp_path / "new.json", result(slower, day=9))
    assert main(["check", str(file), "--baseline", str(tmp_path / "old")]) == code


@pytest.mark.parametrize(
    "given",
    [
        "new --baseline 0 1 2",
        "new --baseline 0 --baseline 1 2",
        "new --baseline=0 1 2 --json",
        "--all new --baseline 0 1 2",
        "--baseline 0 --baseline 1 --baseline 2 new",
        "--slow 10% --baseline 0 new --baseline 1 2",
    ],
)
def test_several_earlier_results_may_follow(
    given: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As a shell writes `--baseline 2026-*`; none of them is judged instead."""
    monkeypatch.chdir(tmp_path)
    for number in range(3):
        write(tmp_path / str(number) / "a.json", result(1 + number / 5000))
    write(tmp_path / "new" / "a.json", result(1.001))
    main(["check", "--json", *given.split()])
    (told,) = json.loads(capsys.readouterr().out)["findings"]
    assert told["source"] == "new/a.json"
    assert told["sentence"].startswith("3 earlier results")


def test_where_an_option_stands_first_the_next_word_is_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = (write(tmp_path / name, result(1.0)) for name in ("old.json", "new.json"))
    main(["check", "--baseline", str(old), str(new), "--json"])
    assert json.loads(capsys.readouterr().out)["findings"][0]["source"] == str(new)


def test_a_result_is_no_earlier_one_of_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Five runs and the slow one that is checked: it must not count on their side."""
    old = tmp_path / "old"
    for number in range(5):
        write(old / f"{number}.json", result(1 + number / 5000))
    file = write(tmp_path / "new.json", result(1.3))
    command = ["check", str(file), "--baseline", str(old), "--json"]
    code = main(command)
    (before,) = json.loads(capsys.readouterr().out)["findings"]
    copy = write(old / "copy.json", result(1.3))
    write(old / "1 again.json", result(1 + 1 / 5000))
    assert main(command) == code
    (after,) = json.loads(capsys.readouterr().out)["findings"]
    assert after["sentence"].startswith(before["sentence"])
    assert after["sentence"].endswith(f": {copy}")
    assert main(["check", str(old), "--baseline", str(old), "--json"]) == 3
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert finding["verdict"] == "inconclusive"


def test_earlier_results_measured_otherwise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The one that differs least tells why; a differently measured result is judged apart."""
    old = tmp_path / "old"
    days_of(old)
    write(old / "far.json", make_result(Plan(processes=4)))
    odd = result(1.1)
    odd["definition"] = odd["options"]["definition"] = "3.1"  # its samples have other figures by it
    files = [write(tmp_path / "odd.json", odd), write(tmp_path / "new.json", result(1.5, day=9))]
    assert main(["check", *map(str, files), "--baseline", str(old), "--json"]) == 1
    rules, second, first = json.loads(capsys.readouterr().out)["findings"]
    assert (rules["against"], rules["verdict"]) == ("the rules", "inconclusive")
    assert (first["source"], first["verdict"]) == (str(files[0]), "inconclusive")
    assert "of 7 earlier results " in first["sentence"]
    assert first["sentence"].endswith(f": definition: 3.1 in {files[0]}, 3.5 in {old / '0.json'}")
    assert (second["source"], second["verdict"]) == (str(files[1]), "bad")


def test_many_runs_of_a_day_do_not_show_what_days_differ_by(tmp_path: Path) -> None:
    """Six runs of one day leave a loss of a quarter open, and one beyond what is assumed not."""
    for minute in range(6):
        fields = result(1 + minute / 5000)
        fields["environment"]["started_at"] = f"2026-03-01T00:{minute:02}:00Z"
        write(tmp_path / "old" / f"{minute}.json", fields)
    for slower, code in ((1.3, 3), (3.0, 1)):
        file = write(tmp_path / f"{slower}.json", result(slower, day=11))
        assert main(["check", str(file), "--baseline", str(tmp_path / "old")]) == code


def test_each_day_that_is_checked_is_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second of three is slow; a copy of it counts once, and is named."""
    days_of(tmp_path / "old")
    new = [
        str(write(tmp_path / f"{day}{again}.json", result(slower, day=day)))
        for day, slower, again in ((9, 1.0, ""), (10, 1.5, ""), (10, 1.5, "again"), (11, 1.001, ""))
    ]
    assert main(["check", *new, "--baseline", str(tmp_path / "old"), "--json"]) == 1
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [one["verdict"] for one in findings] == ["good", "bad", "good"]
    assert findings[1]["source"] == new[1]
    assert all(file in findings[1]["sentence"] for file in new[1:3])


def test_a_loss_at_one_message_size_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of 21 sizes one takes twice as long, which the value hardly shows."""
    days = [result(1 + number / 5000, day=1 + number) for number in range(7)]
    for pattern in days[6]["patterns"]:
        pattern["bandwidth_by_size_MBps"][9] /= 2
    documents = [check_document(f"{number}.json", one) for number, one in enumerate(days)]
    (finding,) = check_earlier(documents[6:], documents[:6]).findings
    slower = [one.figure.name for one in finding.facts["day"].figures if one.word is Word.SLOWER]
    assert slower == [format_size(days[6]["message_sizes_bytes"][9])]


def test_why_earlier_results_cannot_be_compared_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    silent = result()
    values = ("b_eff_MBps", "rings_MBps", "random_MBps", "at_lmax_MBps", "latency_us")
    silent["summary"].update(dict.fromkeys(values))
    write(tmp_path / "old" / "1.json", result())
    file = write(tmp_path / "new.json", {**silent, "digest": result(1.5)["digest"]})
    assert main(["check", str(file), "--baseline", str(tmp_path / "old"), "--json"]) == 3
    findings = json.loads(capsys.readouterr().out)["findings"]
    (finding,) = (each for each in findings if each["against"] == "earlier results")
    assert (finding["verdict"], finding["about"]) == ("inconclusive", "b_eff with 8 processes")
