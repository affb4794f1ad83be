"""A folder with a file that cannot be used: it is named, and the rest is used."""

import json
import shutil
from pathlib import Path

import pytest
from support.commands import run
from support.reports import B_EFF, B_EFF_IO

from beff.cli.common import exit_codes

BROKEN = {
    "empty": b"",
    "cut off": B_EFF.read_bytes()[:5_000],
    "an array": b"[1, 2]",
    "no text": b"\xff\xfe\x00",
    "of a later version": json.dumps(
        {**json.loads(B_EFF.read_bytes()), "schema_version": 9}
    ).encode(),
    "without samples": b'{"schema_version": 1, "benchmark": "b_eff"}',
    "of patterns that are not there": B_EFF.read_bytes().replace(b'"id":0', b'"id":98', 1),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_the_rest_is_used(kind: str, tmp_path: Path) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    shutil.copy(B_EFF, folder / "good.json")
    shutil.copy(B_EFF_IO, folder / "other.json")
    alone = {}
    commands = {
        ("show",): (),
        ("check",): (),
        ("compare",): (folder, "--force"),
        ("show", "-o", tmp_path / "x.txt", "--overwrite"): (),
    }
    for command, more in commands.items():
        alone[command] = run(*command, folder, *more)
    broken = folder / "broken.json"
    broken.write_bytes(BROKEN[kind])
    for command, more in commands.items():
        code, said = run(*command, folder, *more)
        named = [line for line in said.splitlines() if str(broken) in line]
        assert len(named) >= 1, said
        assert all(line.endswith("; it is left out") for line in named)
        rest = [line for line in said.splitlines() if line not in named]
        assert (code, rest) == (alone[command][0], alone[command][1].splitlines())


def test_a_broken_file_that_is_named_is_an_error(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("[1]")
    for command in ("show", "check", "compare"):
        code, said = run(command, broken, *([B_EFF] if command == "compare" else []))
        assert code == exit_codes.WRONG_USAGE
        assert said.startswith(f"beff: {broken}: is JSON, but not an object")
        code, said = run(command, tmp_path, *([B_EFF] if command == "compare" else []))
        assert code == exit_codes.WRONG_USAGE
        assert "holds no result that can be used" in said
