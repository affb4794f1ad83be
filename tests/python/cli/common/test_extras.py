"""Commands without the packages of the extras: what works, and what the others say."""

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from support.reports import B_EFF

from beff.cli.common import exit_codes
from beff.launch.engine import EXTRA_OF, install_command

# Nothing of the extras can be imported, as in an installation of the core alone.
CORE_ONLY = f"""
import contextlib, io, json, sys
from beff.cli.app import main

def answer(words):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    return code, out.getvalue(), err.getvalue()

sys.modules.update(dict.fromkeys({list(EXTRA_OF)}))
json.dump([answer(words) for words in json.loads(sys.argv[1])], sys.stdout)
"""


def core_only(folder: Path, lines: Iterable[tuple[object, ...]]) -> list[tuple[int, str, str]]:
    """Exit code, output and errors of each command line, in one process."""
    words = json.dumps([[*map(str, line)] for line in lines])
    done = subprocess.run(
        [sys.executable, "-c", CORE_ONLY, words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    return [(code, out, err) for code, out, err in json.loads(done.stdout)]


WORKING = (
    ("--help", "all"),
    ("run", "--help"),
    ("doctor", "--help"),
    ("job", "--help"),
    ("verify", B_EFF),
    ("compare", B_EFF, B_EFF, "--run-noise", "1%"),
    ("show", B_EFF),
    ("show", B_EFF, "-o", "samples.csv"),
    ("show", B_EFF, "-o", "tables.md"),
)
ASKING = {
    ("show", B_EFF, "-o", "page.html"): "report",
    ("show", B_EFF, "-o", "page.png"): "report",
    ("compare", B_EFF, B_EFF, "-o", "changes.svg"): "report",
    ("list", "build"): "list",
    ("list", "--help"): "list",
    ("accept", "results", "--as", "x"): "list",
}
"""Command line → the extra that it asks for."""


def test_the_core_works_and_help_tells_which_commands_are_not_installed(tmp_path: Path) -> None:
    answers = core_only(tmp_path, WORKING)
    assert [(code, err) for code, _, err in answers] == [(exit_codes.OK, "")] * len(WORKING)
    absent = re.findall(r"^  (\w+) +Not installed", answers[0][1], flags=re.MULTILINE)
    assert sorted(absent) == ["list"]


def test_one_sentence_names_the_extra(tmp_path: Path) -> None:
    for (code, _, err), extra in zip(core_only(tmp_path, ASKING), ASKING.values(), strict=True):
        assert code == exit_codes.WRONG_USAGE
        sentence = (
            rf"beff: this needs the package \w+, which is not installed; pip install"
            rf" {re.escape(install_command(extra).removeprefix('pip install '))} adds it\n"
        )
        assert re.fullmatch(sentence, err)
    assert list(tmp_path.iterdir()) == []
