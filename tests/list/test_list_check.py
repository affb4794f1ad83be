"""What strangers send: each submission with what `beff list check` says of it."""

from __future__ import annotations

import os
import random
import shutil
import signal
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from beff.cli.app import main
from beff.list.check import check
from beff.list.init import hardware_text
from beff.result.b_eff_result import BEffResult
from beff.result.plain_text import one_line
from beff.result.strict_json import packed
from beff.store import index, reading_files
from beff.store.index import Index, Known
from beff.store.reading_files import Recompute, read_entry, read_known
from beff.verify.b_eff.derive import derived_fields, loops_s
from store_support import OFFICIAL, added, bytes_of, git, result_of

Fields = dict[str, Any]
RECORDED = Path(__file__).resolve().parents[1] / "data" / "b_eff_2p_valid.json"


def fresh() -> Fields:
    return result_of(plan=OFFICIAL, speed=1.1, started_at="2026-04-01T00:00:00Z")


def recomputed(change: Callable[[Fields], None]) -> Callable[[Fields], Fields]:
    """A change after which a forger lets the companion derive all figures from the samples."""

    def made(fields: Fields) -> Fields:
        change(fields)
        result = BEffResult.model_validate(fields)
        accounting, took = fields["accounting"], loops_s(result)
        accounting["elapsed_s"] += took - accounting["loops_s"]
        accounting["loops_s"], fields["environment"]["wall_s"] = took, accounting["elapsed_s"]
        derived = derived_fields(result)
        parts = {name: fields[name] | derived.pop(name) for name in ("summary", "digest")}
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


HOSTILE: dict[str, tuple[Callable[[Fields], Fields | bytes], int, str]] = {
    "figure": (set_to(1e6, "summary", "b_eff_MBps"), 1, "does not verify"),
    "times x 1e-9": (
        lambda fields: bytes_of(times(1e-5)(fields)).replace(b"e-", b"e-9"),
        1,
        "does not keep the schema",
    ),
    "times x 1e-3": (times(1e-3), 3, "loops: "),
    "times x 0.02": (times(0.02), 3, "loops: "),
    "times x 0.3": (times(0.3), 3, "loops: "),
    "times x 0.9": (times(0.9), 3, "loops: "),
    "latency": (set_to(0.01, "summary", "latency_us"), 1, "does not verify"),
    "cores": (set_to(2**62, "environment", "cpu", "cores"), 1, "cores"),
    "brackets": (lambda _: b"[" * 100_000, 1, "no result would hold"),
    "digits": (lambda _: b'{"a":' + b"9" * 5000 + b"}", 1, "no result would hold"),
    "cut off": (lambda fields: bytes_of(fields)[:-300], 1, "cut off"),
    "message": (set_to(2**62, "summary", "lmax_bytes"), 1, "lmax_bytes"),
    "future": (set_to("2199-01-01T00:00:00Z", "environment", "finished_at"), 3, "date"),
    "bomb": (lambda _: bytes(40 << 20), 1, "larger than the 32 MiB"),
}


@pytest.fixture
def clone(model_list: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "list"
    shutil.copytree(model_list, folder, ignore=shutil.ignore_patterns("site"))
    place = folder / "systems" / "new" / "results"
    place.mkdir(parents=True)
    (place.parent / "system.yaml").write_text("name: New\nnodes: 1\ncores: 2\n", "utf-8")
    return folder


def checked(clone: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    capsys.readouterr()
    code = main(["list", "check", str(clone), "--since", "main"])
    return code, capsys.readouterr().out


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_submissions(name: str, clone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change, code, says = HOSTILE[name]
    content = change(fresh())
    file = clone / "systems" / "new" / "results" / "r.json.gz"
    file.write_bytes(packed(content if isinstance(content, bytes) else bytes_of(content)))
    found, said = checked(clone, capsys)
    assert found == code, said
    lines = [line for line in said.splitlines() if line.startswith("systems/new/results/r.json")]
    assert any(says in line for line in lines), said
    assert all("systems/new" in line for line in said.splitlines()[:-1])


def test_an_honest_submission(clone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is found; where its system.yaml says less than the result, each size is."""
    file = clone / "systems" / "new" / "results" / "r.json"
    file.write_bytes(RECORDED.read_bytes())
    told = read_entry(file, recompute=True).machine
    assert told is not None
    hardware = clone / "systems" / "new" / "system.yaml"
    hardware.write_text(hardware_text(told.model_copy(update={"name": "New"})), "utf-8")
    assert checked(clone, capsys) == (0, "1 result looked at, 0 findings: good\n")
    hardware.write_text("name: New\n", "utf-8")
    code, said = checked(clone, capsys)
    assert code == 3
    sizes = [name for name in ("nodes", "cores", "memory") if getattr(told, name) is not None]
    assert sizes
    assert all(f"hardware: {name}: not given" in said for name in sizes)


@pytest.mark.parametrize("factor", [1.0, 1.00011, 0.8])
def test_copies_are_found_across_systems(
    factor: float, clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    original = result_of(plan=OFFICIAL, speed=2.0, started_at="2026-04-01T00:00:00Z", host="other")
    content = bytes_of(times(factor)(original))
    (clone / "systems" / "new" / "results" / "r.json").write_bytes(content)
    code, said = checked(clone, capsys)
    assert code == 3
    assert "of systems/model/results/" in said


def test_links_look_alikes_and_changes(clone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (clone / "systems" / "new" / "results" / "r.json").symlink_to("/dev/zero")
    (clone / "systems" / "rnodel").mkdir()
    (clone / "systems" / "rnodel" / "system.yaml").write_text("name: \uff32nodel\n", "utf-8")
    results = sorted((clone / "systems" / "model" / "results").iterdir())
    results[0].unlink()
    told = clone / "systems" / "model" / "system.yaml"
    told.write_text(told.read_text("utf-8") + "site: Elsewhere\n", "utf-8")
    (clone / "list.yaml").write_text("title: Mine\n", "utf-8")
    git(clone, "add", "-A")
    git(clone, "commit", "-m", "Do harm")
    git(clone, "branch", "before", "HEAD~1")
    capsys.readouterr()
    assert main(["list", "check", str(clone), "--since", "before"]) == 1
    said = capsys.readouterr().out
    for sentence in (
        "r.json: refused: is a link",
        "looks like 'Model'",
        "a result of the list is removed",
        "site was not given, and is Elsewhere",
        "list.yaml: odd: is changed, and is not a result or system",
    ):
        assert sentence in said


def test_what_nobody_can_recompute_is_named(
    clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = clone / "systems"
    shutil.copy(place / "nec-sx-5-8b" / "published.json", place / "new" / "published.json")
    (place / "new" / "results" / "r.html").write_text("<b>", "utf-8")
    (place / "other").symlink_to("/tmp")
    code, said = checked(clone, capsys)
    assert code == 1
    assert "new/published.json: odd: is new: " in said
    assert "new/results/r.html: refused: is not the name of a file of a list" in said
    assert "systems/other: refused: " in said
    published = place / "new" / "published.json"
    published.write_text(published.read_text("utf-8").replace("5439", "5439e12"), "utf-8")
    assert "new/published.json: refused" in checked(clone, capsys)[1]


STRANGE = {
    "not UTF-8": b"systems/new/results/\xff\xfe.json",
    "hidden": b"systems/new/results/.hidden.json",
    "below results": b"systems/new/results/more/r.json",
    "upper case": b"systems/new/results/R.JSON",
    "blank": b"systems/new/results/a b.json",
    "line end": b"systems/new/results/r\n.json",
    "turned": "systems/new/results/\u202er.json".encode(),
    "escape": b"systems/new/results/\x1b[2J.json",
    "other": b"systems/new/notes.txt",
    "other hidden": b"systems/new/.system.yaml",
    "hidden folder": b"systems/.evil/system.yaml",
    "folder not UTF-8": b"systems/\xff/system.yaml",
    "folder of capitals": b"systems/New/system.yaml",
    "digits of other scripts": "systems/new\u0661/system.yaml".encode(),
    "beside the folders": b"systems/r.json",
}


@pytest.mark.parametrize("kind", STRANGE)
@pytest.mark.parametrize("commit", [False, True], ids=["new", "in git"])
def test_strange_names_are_found_and_left_out(
    kind: str, commit: bool, clone: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = os.fsdecode(STRANGE[kind])
    place = clone / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(bytes_of(fresh()))
    git(clone, "branch", "before")
    if commit:
        git(clone, "add", "-A")
        git(clone, "commit", "-m", "Bring it in")
    capsys.readouterr()
    assert main(["list", "check", str(clone), "--since", "before"]) == 1
    said = capsys.readouterr().out.splitlines()
    shown = one_line(name)
    refused = [line for line in said if line.startswith(f"{shown}: refused: ")]
    assert refused, said
    site = tmp_path / "site"
    assert main(["list", "build", str(clone), "--output-dir", str(site)]) == 3
    (left_out,) = capsys.readouterr().err.splitlines()
    assert shown.startswith(left_out.partition(": ")[0])
    assert place.name not in {path.name for path in site.rglob("result*/**/*")}


def test_many_names_by_chance(
    clone: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each is refused, or is a name that a list has; `make fuzz` takes more of them."""
    chance = random.Random(3)
    signs = [*b"aZ09._- \n\t\x1b\xff\xfe\xe2\x80\xae\\'\"$`*?<>&", 0xC3, 0xA9]
    names = set()
    for _ in range(int(os.environ.get("BEFF_FUZZ_CASES", "200"))):
        name = bytes(chance.choices(signs, k=chance.randint(1, 12)))
        ending = chance.choice([b"", b".json", b".json.gz", b".yaml"])
        folder = chance.choice([b"systems/new/results/", b"systems/new/", b"systems/"])
        if name not in (b".", b".."):
            names.add(folder + name + ending)
    git(clone, "branch", "before")
    for name in names:
        with (clone / os.fsdecode(name)).open("wb") as file:
            file.write(b"x")
    capsys.readouterr()
    assert main(["list", "check", str(clone), "--since", "before"]) == 1
    refused = {line.split(": refused: ")[0] for line in capsys.readouterr().out.splitlines()}
    assert {one_line(os.fsdecode(name)) for name in names} <= refused
    assert main(["list", "build", str(clone), "--output-dir", str(tmp_path / "site")]) == 3
    left_out = capsys.readouterr().err
    assert all(f"{one_line(os.fsdecode(name))}: " in left_out for name in names)


@pytest.mark.parametrize(
    "name",
    [
        "systems/new/system.yaml",
        "systems/new/published.json",
        "systems/new/results/r.json",
        "systems/new/results",
        "systems/new",
        "list.yaml",
        "editions/2026-01.yaml",
        "README.md",
    ],
)
def test_links_bring_nothing_in(
    name: str, clone: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outside = tmp_path / "outside"
    shutil.copytree(clone / "systems" / "new", outside)
    secret = tmp_path / "secret"
    secret.write_text("name: Confidential\nsite: Confidential\n", "utf-8")
    (outside / "system.yaml").write_text(secret.read_text("utf-8"), "utf-8")
    place = clone / name
    place.parent.mkdir(exist_ok=True)
    git(clone, "branch", "before")
    if place.is_dir():
        shutil.rmtree(place)
        place.symlink_to(outside)
    else:
        place.unlink(missing_ok=True)
        place.symlink_to(secret)
    capsys.readouterr()
    site = tmp_path / "site"
    checked = main(["list", "check", str(clone), "--since", "before"])
    assert checked == (2 if name == "list.yaml" else 1)
    assert name in "".join(capsys.readouterr())
    main(["list", "build", str(clone), "--output-dir", str(site)])
    assert "Confidential" not in "".join(capsys.readouterr())
    for path in site.rglob("*"):
        assert path.is_dir() or b"Confidential" not in path.read_bytes(), path


def test_pipes_are_left_out(
    clone: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = clone / "systems" / "new"
    (place / "system.yaml").unlink()
    for name in ("system.yaml", "published.json", "results/r.json"):
        os.mkfifo(place / name)
    capsys.readouterr()
    assert main(["list", "build", str(clone), "--output-dir", str(tmp_path / "site")]) == 3
    assert len(capsys.readouterr().err.splitlines()) == 3


def test_what_was_built_is_recomputed_and_only_what_changed(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    file = clone / "systems" / "new" / "results" / "r.json"
    file.write_bytes(bytes_of(set_to(1e6, "summary", "b_eff_MBps")(fresh())))
    assert main(["list", "build", str(clone), "--output-dir", str(tmp_path / "site")]) == 0
    code, said = checked(clone, capsys)
    assert code == 1
    assert "does not verify" in said
    files = {path: sha256(path.read_bytes()).hexdigest() for path in clone.rglob("results/*.json*")}
    known = Index().known(files.values())
    assert {path for path, sha in files.items() if known[sha].recomputed} == {file}


def test_a_file_that_kills_its_reader_harms_itself_only_and_once(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    results = clone / "systems" / "new" / "results"
    for number in range(6):
        started_at = f"2026-04-0{number + 1}T00:00:00Z"
        (results / f"r{number}.json").write_bytes(bytes_of(result_of(started_at=started_at)))

    def read(path: Path, recompute: Recompute) -> Known:
        if path.name == "r1.json":
            os.kill(os.getpid(), signal.SIGKILL)
        if path.name == "r2.json":
            raise OverflowError
        if path.name == "r3.json":
            raise MemoryError
        if path.name == "r4.json":
            signal.raise_signal(signal.SIGALRM)
        return read_known(path, recompute)

    with monkeypatch.context() as hostile:
        hostile.setattr(reading_files, "read_known", read)
        code, said = checked(clone, capsys)
    assert code == 1
    refused = [line.partition(": refused: ") for line in said.splitlines() if "refused:" in line]
    assert [(path[-7:], reason) for path, _, reason in refused] == [
        ("r1.json", "reading it was killed"),
        ("r2.json", "cannot be used (OverflowError)"),
        ("r3.json", "needs more than 3 GiB of memory to verify"),
        ("r4.json", "takes more than 60 s to verify"),
    ]
    assert ": refused: " not in checked(clone, capsys)[1]


def test_what_another_program_read_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    Index().keep({"0": Known("is damaged", recomputed=True)})
    assert list(Index().known(["0"])) == ["0"]
    monkeypatch.setattr(index, "program_digest", lambda: "f" * 64)
    assert list(Index().known(["0"])) == []


def test_nothing_of_the_folder_is_run(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (clone / "systems").iterdir():  # one report is enough
        if folder.name != "new":
            shutil.rmtree(folder)
    for module in ("beff", "json", "yaml", "numpy"):
        (clone / f"{module}.py").write_text(f"open({str(tmp_path / 'run')!r}, 'w')\n", "utf-8")
    (clone / "systems" / "new" / "results" / "r.json").write_bytes(bytes_of(fresh()))
    monkeypatch.chdir(clone)
    assert main(["list", "build", "--output-dir", "site", "--reports"]) == 0
    assert list((clone / "site" / "reports").iterdir())
    assert not (tmp_path / "run").exists()


def test_the_comment_holds_no_markup(clone: Path, tmp_path: Path) -> None:
    (clone / "systems" / "new" / "system.yaml").write_text("<b>[x](y)</b>: 1\n", "utf-8")
    comment = tmp_path / "c.md"
    main(["list", "check", str(clone), "--since", "main", "--comment", str(comment)])
    assert "<b>" not in comment.read_text("utf-8")
    assert "[x]" not in comment.read_text("utf-8")
    (clone / "systems" / "new" / "results" / "`[x](y)`\n# z.json").write_text("{}", "utf-8")
    main(["list", "check", str(clone), "--since", "main", "--comment", str(comment)])
    assert "[x]" not in comment.read_text("utf-8")
    assert not any(line.startswith("# z") for line in comment.read_text("utf-8").splitlines())


def test_a_reason_is_said_without_the_path_that_it_is_of(tmp_path: Path) -> None:
    folder = tmp_path / "list"
    assert main(["list", "init", str(folder)]) == 0
    assert added(folder, "One", fresh()) == 0
    system = folder / "systems" / "one"
    damaged = system / "results" / "damaged.json"
    for file in (system / "system.yaml", damaged):
        file.write_bytes(b"\xff\xfe\x00\x01")
    (reading,) = reading_files.read_files([damaged])
    assert isinstance(reading.found, str)
    objections = check(folder).objections
    found = {one.path: one for one in objections if one.kind == "refused"}
    assert {*found} == {str(file.relative_to(folder)) for file in (system / "system.yaml", damaged)}
    for sentence in (reading.found, *(one.sentence for one in found.values())):
        assert sentence
        assert str(tmp_path) not in sentence
        assert not {"system.yaml", "damaged.json"} & {*sentence.replace(":", " ").split()}
