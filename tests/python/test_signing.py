"""Signed results: the key, what a signature covers, and what damaged and foreign ones get."""

from __future__ import annotations

import json
import shutil
import stat
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.programs import Programs
from support.reports import B_EFF, B_EFF_IO, STORED, document_of, run_beff, written
from support.runs import beff_run

from beff.analysis.common.signature import signed_content
from beff.analysis.verify import verify
from beff.cli import exit_codes
from beff.cli.signing import key_file, public_key, sign_file, signing_key
from beff.model.errors import BeffError
from beff.model.load import load_document
from beff.model.strict_json import packed

Fields = dict[str, Any]


@pytest.fixture(autouse=True)
def own_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key of this test alone."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def other_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "other"))


def signed_copy(folder: Path, source: Path = B_EFF) -> Path:
    file = folder / "signed.json"
    shutil.copy(source, file)
    assert sign_file(file, signing_key())
    return file


def short_key() -> str:
    return public_key(signing_key())[:16]


# --- the key ---


def test_a_key_is_made_once_for_its_owner_alone(capfd: pytest.CaptureFixture[str]) -> None:
    first = public_key(signing_key())
    assert f"made key {first[:16]} in {key_file()}" in capfd.readouterr().err
    assert stat.S_IMODE(key_file().stat().st_mode) == 0o600
    assert [file.name for file in key_file().parent.iterdir()] == [key_file().name]
    assert public_key(signing_key()) == first
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda file: file.chmod(0o644), "chmod 600"),
        (lambda file: file.write_text("no key"), "is no Ed25519 key"),
        (lambda file: file.write_bytes(b"\0" * 1000), "is no Ed25519 key"),
        (lambda file: (file.unlink(), file.mkdir()), "cannot be used"),
    ],
)
def test_a_key_that_is_not_fit_is_named(
    damage: Callable[[Path], object], says: str, tmp_path: Path
) -> None:
    signing_key()
    damage(key_file())
    file = tmp_path / "result.json"
    shutil.copy(B_EFF, file)
    done = run_beff("sign", file)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert says in done.stderr
    assert str(key_file()) in done.stderr
    assert file.read_bytes() == B_EFF.read_bytes()


def test_a_key_that_another_program_made(tmp_path: Path) -> None:
    key_file().parent.mkdir(parents=True)
    line = ["openssl", "genpkey", "-algorithm", "ed25519", "-out", str(key_file())]
    try:
        subprocess.run(line, check=True, capture_output=True)
    except (FileNotFoundError, subprocess.CalledProcessError):
        pytest.skip("there is no openssl that makes Ed25519 keys; apt-get install openssl")
    key_file().chmod(0o600)
    assert verify(load_document(signed_copy(tmp_path))).agrees


def test_runs_that_begin_at_once_make_one_key() -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = list(pool.map(lambda _: public_key(signing_key()), range(8)))
    assert len(set(keys)) == 1
    assert [file.name for file in key_file().parent.iterdir()] == [key_file().name]


# --- what is signed ---


@pytest.mark.parametrize("source", STORED, ids=lambda path: path.stem)
def test_a_signed_result_is_verified_and_says_by_whom(source: Path, tmp_path: Path) -> None:
    file = signed_copy(tmp_path, source)
    fields = document_of(file)
    del fields["signature"]
    assert fields == document_of(source)
    done = run_beff("verify", file)
    assert done.returncode == 0
    assert done.stdout.endswith(f"; signed by key {short_key()}\n")


def rewritten(fields: Fields) -> list[str]:
    """Texts that are the same JSON to every reader."""
    turned = {name: fields[name] for name in reversed(fields)}
    return [
        json.dumps(fields),
        json.dumps(turned, indent=4, ensure_ascii=False),
        json.dumps(as_other_languages_do(fields), separators=(",", ":")),
    ]


def as_other_languages_do(value: Any) -> Any:
    """JavaScript writes 1.0 as 1."""
    if isinstance(value, dict):
        return {name: as_other_languages_do(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [as_other_languages_do(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


@pytest.mark.parametrize("source", [B_EFF, B_EFF_IO], ids=["b_eff", "b_eff_io"])
def test_a_signature_survives_writing_the_file_anew(source: Path, tmp_path: Path) -> None:
    file = signed_copy(tmp_path, source)
    for text in rewritten(document_of(file)):
        file.write_text(text, encoding="utf-8")
        assert verify(load_document(file)).agrees


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**63), 2**64) | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
        max_leaves=8,
    )
)
def test_what_is_signed_tells_values_apart(value: Any) -> None:
    """And nothing is signed alike that is not alike, but 1 and 1.0."""
    content = signed_content({"a": value})
    assert content != signed_content({"a": [value]})
    assert content != signed_content({"b": value})
    assert content == signed_content({"signature": 1, "a": as_other_languages_do(value)})


CHANGES: dict[str, Callable[[Fields], object]] = {
    "host": lambda fields: fields["environment"]["uname"].update(nodename="elsewhere"),
    "unknown field": lambda fields: fields.update(extra=1),
    "option": lambda fields: fields["options"].update(output="elsewhere"),
    "value": lambda fields: fields["signature"].update(value="0" * 128),
    "key": lambda fields: fields["signature"].update(public_key="0" * 63 + "7"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_a_changed_file_does_not_fit_its_signature(
    change: Callable[[Fields], object], tmp_path: Path
) -> None:
    file = signed_copy(tmp_path)
    fields = document_of(file)
    change(fields)
    file.write_text(json.dumps(fields), encoding="utf-8")
    done = run_beff("verify", file)
    assert (done.returncode, done.stderr) == (1, "")
    assert len(done.stdout.splitlines()) == 1
    assert "signature is one by key" in done.stdout
    page = run_beff("report", file, "-o", tmp_path / "report.txt")
    assert page.returncode == 0
    shown = (tmp_path / "report.txt").read_text(encoding="utf-8")
    assert "does not fit" in shown
    assert "Signed by key" not in shown
    with pytest.raises(BeffError, match="signature is one by key"):
        sign_file(file, signing_key())


def test_the_signature_of_another_result_is_named(tmp_path: Path) -> None:
    foreign = document_of(signed_copy(tmp_path, B_EFF_IO))["signature"]
    file = written(tmp_path, "result.json", {**document_of(B_EFF), "signature": foreign})
    done = run_beff("verify", file)
    assert done.returncode == 1
    assert "another's" in done.stdout


@pytest.mark.parametrize(
    "signature",
    [
        {},
        "signed",
        [],
        {"algorithm": "rsa", "public_key": "0" * 64, "value": "0" * 128},
        {"algorithm": "ed25519", "public_key": "0" * 63, "value": "0" * 128},
        {"algorithm": "ed25519", "public_key": "g" * 64, "value": "0" * 128},
        {"algorithm": "ed25519", "public_key": "0" * 64, "value": None},
    ],
)
def test_what_is_no_signature_does_not_keep_the_schema(signature: Any, tmp_path: Path) -> None:
    file = written(tmp_path, "result.json", {**document_of(B_EFF), "signature": signature})
    done = run_beff("verify", file)
    assert done.returncode == 1
    assert " at signature" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_result_nested_too_deeply_is_not_signed(tmp_path: Path) -> None:
    fields = document_of(signed_copy(tmp_path))
    deep = '"options": {"x": ' + "[" * 960 + "]" * 960 + ", "
    file = tmp_path / "deep.json"
    file.write_text(json.dumps(fields).replace('"options": {', deep, 1), encoding="utf-8")
    done = run_beff("verify", file)
    assert done.returncode in {exit_codes.FAILED, exit_codes.WRONG_USAGE}
    assert len((done.stdout + done.stderr).splitlines()) == 1


# --- signing ---


def test_a_packed_result_stays_packed(tmp_path: Path) -> None:
    file = tmp_path / "result.json.gz"
    file.write_bytes(packed(B_EFF.read_bytes()))
    assert run_beff("sign", file).returncode == 0
    assert file.read_bytes() == packed(signed_copy(tmp_path).read_bytes())
    done = run_beff("verify", file)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(f"; signed by key {short_key()}\n")


def test_signing_again_changes_nothing(tmp_path: Path) -> None:
    file = signed_copy(tmp_path)
    before = file.read_bytes()
    done = run_beff("sign", file)
    assert (done.returncode, file.read_bytes()) == (0, before)
    assert f"already signed by key {short_key()}" in done.stdout


def test_what_is_signed_by_another_or_imported_is_not_signed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, first = signed_copy(tmp_path), short_key()
    other_key(tmp_path, monkeypatch)
    imported = tmp_path / "imported.json"
    shutil.copy(B_EFF.parents[2] / "schema/examples/valid/b_eff_imported.json", imported)
    missing, good = tmp_path / "missing.json", tmp_path / "good.json"
    shutil.copy(B_EFF, good)
    done = run_beff("sign", missing, imported, file, good)
    assert done.returncode == exit_codes.WRONG_USAGE
    _, *said = done.stderr.splitlines()  # the first tells that a key was made
    assert [line.partition(": ")[0] for line in said] == [str(missing), str(imported), str(file)]
    assert f"signed by key {first} already" in said[2]
    assert done.stdout == f"{good}: signed by key {short_key()}\n"


def test_r_max_takes_the_signature_away_and_says_so(tmp_path: Path) -> None:
    done = run_beff("balance", signed_copy(tmp_path), "--rmax", "12.5")
    added = tmp_path / "signed_balance.json"
    assert done.returncode == 0
    assert done.stderr.startswith(f"beff: {added}: is not signed, ")
    assert "signature" not in document_of(added)
    assert verify(load_document(added)).agrees


@pytest.mark.parametrize("ending", [".html", ".md", ".txt"])
def test_a_report_says_by_whom(ending: str, tmp_path: Path) -> None:
    target = tmp_path / f"report{ending}"
    assert run_beff("report", signed_copy(tmp_path), "-o", target).returncode == 0
    assert f"Signed by key {short_key()}." in target.read_text(encoding="utf-8")


def test_a_run_is_signed(programs: Programs, tmp_path: Path) -> None:
    wanted = ("--benchmark", "b_eff", "--processes", "2,4", "--output-dir", "out")
    done = beff_run(programs, tmp_path, *wanted, "--sign")
    assert done.returncode == 0, done.stderr
    for processes in (2, 4):
        document = load_document(tmp_path / f"out/b_eff_{processes}p.json")
        assert document.fields["signature"]["public_key"] == public_key(signing_key())
        assert verify(document).agrees
    assert done.stdout.count(f": signed by key {short_key()}") == 2


def test_a_key_that_cannot_be_made_ends_a_run_before_the_measuring(
    programs: Programs, tmp_path: Path
) -> None:
    (tmp_path / "config").write_text("a file", encoding="utf-8")
    done = beff_run(programs, tmp_path, "--output-dir", "out", "--sign")
    assert done.returncode == 1
    assert "(Not a directory)" in done.stderr
    assert not (tmp_path / "out").exists()
