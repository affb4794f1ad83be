"""What strangers send: each submission with what `beff list build --check` says of it."""

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.reports import VALID, run_beff

from beff.definition.verify import derived_fields
from beff.list import folder as list_folder
from beff.list.folder import Measured, read_measured
from beff.result.b_eff_result import BEffResult
from beff.result.errors import one_line
from beff.result.places import packed
from store_support import OFFICIAL, bytes_of, git, result_of

Fields = dict[str, Any]


def fresh() -> Fields:
    return result_of(plan=OFFICIAL, speed=1.1, started_at="2026-04-01T00:00:00Z")


def recomputed(change: Callable[[Fields], None]) -> Callable[[Fields], Fields]:
    """A change after which a forger lets the companion derive all figures from the samples."""

    def made(fields: Fields) -> Fields:
        change(fields)
        result = BEffResult.model_validate(fields)
        derived = derived_fields(result)
        del derived["environment"]
        parts = {
            name: fields[name] | derived.pop(name) for name in ("summary", "digest", "accounting")
        }
        return fields | derived | parts

    return made


def times(factor: float) -> Callable[[Fields], Fields]:
    def change(fields: Fields) -> None:
        for name in ("time_max_s", "time_avg_s", "time_min_s"):
            fields["samples"][name] = [value * factor for value in fields["samples"][name]]

    return recomputed(change)


def set_to(value: Any, *path: str) -> Callable[[Fields], Fields]:
    def change(fields: Fields) -> Fields:
        place = fields
        for name in path[:-1]:
            place = place[name]
        place[path[-1]] = value
        return fields

    return change


HOSTILE: dict[str, tuple[Callable[[Fields], Fields | bytes], str]] = {
    "figure": (set_to(1e6, "summary", "b_eff_MBps"), "does not verify"),
    "times x 1e-9": (
        lambda fields: bytes_of(times(1e-5)(fields)).replace(b"e-", b"e-9"),
        "does not keep the schema",
    ),
    "times x 1e-3": (times(1e-3), "cannot be true"),
    "cores": (set_to(2**62, "environment", "cpu", "cores"), "cores"),
    "brackets": (lambda _: b"[" * 100_000, "recursion limit"),
    "cut off": (lambda fields: bytes_of(fields)[:-300], "cut off"),
    "bomb": (lambda _: bytes(40 << 20), "larger than the 32 MiB"),
}


@pytest.fixture
def clone(model_list: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "list"
    shutil.copytree(model_list, folder, ignore=shutil.ignore_patterns("site"))
    place = folder / "systems" / "new" / "results"
    place.mkdir(parents=True)
    (place.parent / "system.yaml").write_text("name: New\nnodes: 1\ncores: 2\n", "utf-8")
    return folder


def checked(clone: Path, since: str = "main") -> tuple[int, str]:
    done = run_beff("list", "build", "--check", clone, "--since", since)
    return done.returncode, done.stdout


@pytest.mark.parametrize("is_in_git", [False, True])
def test_no_commit_to_compare_with_is_wrong_usage(
    is_in_git: bool, clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A workflow reads code 1 as: must not be merged."""
    shutil.rmtree(clone / ".git")
    if is_in_git:
        git(clone, "init", "--quiet")
    assert checked(clone, capsys) == (2, "")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_submissions(name: str, clone: Path) -> None:
    change, says = HOSTILE[name]
    content = change(fresh())
    file = clone / "systems" / "new" / "results" / "r.json.gz"
    file.write_bytes(packed(content if isinstance(content, bytes) else bytes_of(content)))
    found, said = checked(clone)
    assert found == 1, said
    lines = [line for line in said.splitlines() if line.startswith("systems/new/results/r.json")]
    assert any(says in line for line in lines), said
    assert all("systems/new" in line for line in said.splitlines()[:-1])


def test_an_honest_submission(clone: Path) -> None:
    """Nothing is found; where its system.yaml says less than the result, each size is."""
    shutil.rmtree(clone / "systems" / "new")
    added = run_beff("list", "add", VALID, "--system", "New", "--list", clone)
    assert added.returncode == 0
    assert checked(clone) == (0, "1 result looked at, 0 findings: good\n")
    hardware = clone / "systems" / "new" / "system.yaml"
    stated = set(yaml.safe_load(hardware.read_text("utf-8"))) & {"nodes", "cores", "memory"}
    assert stated
    hardware.write_text("name: New\n", "utf-8")
    code, said = checked(clone)
    assert code == 3
    assert all(f"odd: hardware: {name}: not given" in said for name in stated)


@pytest.mark.parametrize("factor", [1.0, 1.00011, 0.8])
def test_copies_are_found_across_systems(factor: float, clone: Path) -> None:
    started_at = "2026-04-01T00:00:00Z"
    original = result_of(plan=OFFICIAL, speed=2.0, started_at=started_at, host="other", run=1)
    content = bytes_of(times(factor)(original))
    (clone / "systems" / "new" / "results" / "r.json").write_bytes(content)
    code, said = checked(clone)
    assert code == 3
    assert "odd: has the measurement of systems/model/results/" in said


def test_changes_need_an_answer(clone: Path) -> None:
    """Of results, hardware, and any other file."""
    results = sorted((clone / "systems" / "model" / "results").iterdir())
    results[0].unlink()
    results[1].write_bytes(packed(bytes_of(fresh())))
    told = clone / "systems" / "model" / "system.yaml"
    told.write_text(told.read_text("utf-8") + "site: Elsewhere\n", "utf-8")
    with (clone / "list.yaml").open("a", encoding="utf-8") as settings:
        settings.write("# mine\n")
    git(clone, "branch", "before")
    git(clone, "add", "-A")
    git(clone, "commit", "-m", "Change it")
    (clone / "mine.txt").write_text("", "utf-8")
    code, said = checked(clone, "before")
    assert code == 3
    for sentence in (
        f"{results[0].name}: odd: is removed, and was in the list",
        f"{results[1].name}: odd: is changed, and was in the list",
        "system.yaml: odd: site was not given, and is Elsewhere",
        "list.yaml: odd: is changed, and is not a result or system",
        "mine.txt: odd: is new, and is not a result or system",
    ):
        assert sentence in said


STRANGE = {
    "below results": b"systems/new/results/more/r.json",
    "upper case": b"systems/new/results/R.JSON",
    "turned": "systems/new/results/\u202er.json".encode(),
    "other": b"systems/new/notes.txt",
    "hidden folder": b"systems/.evil/system.yaml",
    "folder not UTF-8": b"systems/\xff/system.yaml",
    "folder of capitals": b"systems/New/system.yaml",
    "digits of other scripts": "systems/new\u0661/system.yaml".encode(),
}


@pytest.mark.thorough
@pytest.mark.parametrize("kind", STRANGE)
@pytest.mark.parametrize("commit", [False, True], ids=["new", "in git"])
def test_strange_names_are_found_and_left_out(
    kind: str, commit: bool, clone: Path, tmp_path: Path
) -> None:
    name = os.fsdecode(STRANGE[kind])
    place = clone / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(bytes_of(fresh()))
    git(clone, "branch", "before")
    if commit:
        git(clone, "add", "-A")
        git(clone, "commit", "-m", "Bring it in")
    code, said = checked(clone, "before")
    assert code == 1
    shown = one_line(name)
    assert any(line.startswith(f"{shown}: refused: ") for line in said.splitlines()), said
    site = tmp_path / "site"
    done = run_beff("list", "build", clone, "--output-dir", site)
    assert done.returncode == 3
    (left_out,) = done.stderr.splitlines()
    assert shown.startswith(left_out.partition(": ")[0])
    assert place.name not in {path.name for path in site.rglob("result*/**/*")}


@pytest.mark.parametrize("kind", ["links", "pipes"])
def test_links_and_pipes_bring_nothing_in(kind: str, clone: Path, tmp_path: Path) -> None:
    shutil.copytree(clone / "systems" / "new", tmp_path / "outside")
    secret = tmp_path / "outside" / "system.yaml"
    secret.write_text("name: Confidential\n", "utf-8")
    names = ["systems/new/system.yaml", "systems/new/results/r.json"]
    for place in (clone / name for name in names):
        place.unlink(missing_ok=True)
        if kind == "pipes":
            os.mkfifo(place)
        else:
            place.symlink_to(secret)
    if kind == "links":
        names.append("systems/far")
        (clone / names[-1]).symlink_to(secret.parent)
    code, printed = checked(clone)
    assert code == (kind == "links")  # git has no pipes
    assert kind == "pipes" or all(name in printed for name in names)
    site = tmp_path / "site"
    done = run_beff("list", "build", clone, "--output-dir", site)
    assert (done.returncode, len(done.stderr.splitlines())) == (3, len(names))
    texts = [file.read_text("utf-8") for file in site.glob("*.*") if file.is_file()]
    assert "Confidential" not in "".join([printed, done.stderr, *texts])


def test_a_file_that_kills_its_reader_harms_itself_only(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = clone / "systems" / "new" / "results"
    for number in range(6):
        started_at = f"2026-04-0{number + 1}T00:00:00Z"
        content = result_of(started_at=started_at, run=number)
        (results / f"r{number}.json").write_bytes(bytes_of(content))

    def read(path: Path) -> Measured:
        if path.name == "r1.json":
            os.kill(os.getpid(), signal.SIGKILL)
        if path.name == "r2.json":
            raise OverflowError
        if path.name == "r3.json":
            raise MemoryError
        if path.name == "r4.json":
            signal.raise_signal(signal.SIGALRM)
        return read_measured(path)

    monkeypatch.setattr(list_folder, "read_measured", read)
    code, said = checked(clone)
    assert code == 1
    refused = [line.partition(": refused: ") for line in said.splitlines() if "refused:" in line]
    assert [(path[-7:], reason) for path, _, reason in refused] == [
        ("r1.json", "reading it was killed"),
        ("r2.json", "cannot be used (OverflowError)"),
        ("r3.json", "needs more than 3 GiB of memory to verify"),
        ("r4.json", "takes more than 60 s to verify"),
    ]


@pytest.mark.parametrize("name", ["\u041dew", "N\u0435w", "New\u200b", "\uff2eew", "Old"])
def test_names_are_plain_and_those_of_their_folders(name: str, clone: Path) -> None:
    """So that none looks like another."""
    (clone / "systems" / "new" / "system.yaml").write_text(f"name: {name}\n", "utf-8")
    code, said = checked(clone)
    assert code == 1
    assert "systems/new/system.yaml: refused: the name '" in said


def test_other_cpus_than_before_need_an_answer(clone: Path) -> None:
    content = fresh()
    content["environment"]["cpu"]["model"] = "Other CPU"
    path = clone / "systems" / "model" / "results" / "other.json"
    path.write_bytes(bytes_of(content))
    code, said = checked(clone)
    assert code == 3
    assert "other.json: odd: hardware: the CPU is Other CPU, and was Model CPU" in said
