"""What is installed beside the programs: man pages and completions, both made of --help."""

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
PROGRAMS = ("b_eff", "b_eff_io", "b_pairs")


def page_of(program: Path, folder: Path) -> str:
    subprocess.run([ROOT / "tools" / "write_man_page", program, folder], check=True)
    return (folder / f"{program.name}.1").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_man_page_has_every_option(name: str, tmp_path: Path) -> None:
    help_text = subprocess.check_output([BIN / name, "--help"], text=True)
    options = re.findall(r"^  (--[a-z-]+)", help_text, re.MULTILINE)
    tags = re.findall(r"^\.TP\n\.B (\\-[a-z\\-]+)", page_of(BIN / name, tmp_path), re.MULTILINE)
    assert [tag.replace("\\", "") for tag in tags] == options
    assert "--output" in options


@pytest.mark.thorough
def test_the_man_page_of_beff_has_all_commands(tmp_path: Path) -> None:
    headings = re.findall(r"^\.SH (.*)", page_of(BIN / "beff", tmp_path), re.MULTILINE)
    assert headings[:2] == ["NAME", "DESCRIPTION"]
    assert {"run", "check", "list", "list add"} <= {*headings}


@pytest.mark.parametrize(
    ("word", "before", "offered"),
    [
        ("--bis", "b_pairs", {"--bisection", "--bisection-time"}),
        ("", "--memory", {"host", "cuda", "hip", "auto"}),
        ("a", "--map-per-host", {"all"}),
        ("", "b_pairs", set()),
    ],
)
def test_bash_completes_options_and_their_words(word: str, before: str, offered: set[str]) -> None:
    script = ROOT / "packaging" / "completions" / "b_eff.bash"
    asked = 'source "$1"; _beff_program b_pairs "$2" "$3"; printf "%s\\n" "${COMPREPLY[@]}"'
    answer = subprocess.check_output(
        ["bash", "-c", asked, "bash", script, word, before],
        env={**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"},
        text=True,
    )
    assert set(answer.split()) == offered


# --- every bench starts, and has a short form; `make bench` runs these ---

BENCHES = sorted({*(ROOT / "bench").glob("*.py")} - {ROOT / "bench" / "common.py"})


@pytest.mark.parametrize("bench", BENCHES, ids=lambda bench: bench.stem)
def test_it_starts(
    bench: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [str(bench), "--help"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(bench), run_name="__main__")
    assert not ended.value.code
    assert "--short" in capsys.readouterr().out
